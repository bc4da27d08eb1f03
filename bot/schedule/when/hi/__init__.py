"""Hindi: words and rules; how they are read is the core's."""

from bot.schedule.when.hi.reader import READER

__all__ = ["READER"]
