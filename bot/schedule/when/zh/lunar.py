"""Days of the Chinese lunar calendar, as they are said."""

from dataclasses import dataclass
from datetime import date, datetime

from bot.schedule.when.calendars import chinese
from bot.schedule.when.days import Resolved


@dataclass(frozen=True, slots=True)
class NextLunarDay:
    """The next of days that come again by the moon, every month or in one of them: no rule says them all."""

    days: tuple[int, ...]
    months: tuple[int, ...] = tuple(range(1, 13))

    def resolve(self, now: datetime, later_today: bool) -> Resolved | None:
        today = now.date()
        years = range(today.year - 1, today.year + 2)
        found = (chinese(year, month, day) for year in years for month in self.months for day in self.days)
        coming = [day for day in found if day is not None and (day > today or (day == today and later_today))]
        return Resolved(min(coming), "day", ("lunar",)) if coming else None


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
