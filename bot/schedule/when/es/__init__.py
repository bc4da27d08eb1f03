"""Spanish: words and rules; how they are read is the core's."""

from bot.schedule.when.es.reader import READER

__all__ = ["READER"]
