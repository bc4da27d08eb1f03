"""Chinese, simplified and traditional: words and rules; how they are read is the core's."""

from bot.schedule.when.zh.reader import READER

__all__ = ["READER"]
