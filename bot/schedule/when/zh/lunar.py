"""Days of the Chinese lunar calendar, as they are said."""

from dataclasses import dataclass
from datetime import date, datetime

from bot.schedule.when.calendars import chinese
from bot.schedule.when.days import Resolved


@dataclass(frozen=True, slots=True)
class LunarDay:
    """A day of a lunar month: of the lunar year that begins in `year`, else the next one."""

    year: int | None
    month: int
    day: int

    def resolve(self, now: datetime, later_today: bool) -> Resolved | None:
        if self.year is not None:
            day = self._in(self.year)
            return None if day is None else Resolved(day)
        today = now.date()
        for year in range(today.year - 1, today.year + 3):
            day = self._in(year)
            if day is not None and day >= today:
                return Resolved(day, "day", ("year",))
        return None

    def _in(self, year: int) -> date | None:
        return chinese(year, self.month, self.day)
