"""Dates of the calendar, for all languages in Latin letters."""

from dataclasses import replace

from bot.schedule.when.days import Calendar, Feast
from bot.schedule.when.shapes import Figures, FullFigures, full_year
from bot.schedule.when.tokens import Found

_NO_SUCH_DAY = Calendar(None, 2, 30)
_FAR = 2300  # a number from here on is a year only where nothing that it could count follows
NOTHING_COUNTED = r"(?= $ | [.,;?!@T)&] )"


def ordered(figures: Figures, found: Found, year: int | None = None) -> Calendar | None:
    """The date of two figures in the person's order; month first where it isn't known."""
    said = figures.date(day_first=bool(found.asked.day_first), year=year)
    if said is not None and found.asked.day_first is not None:
        return replace(said, flipped=None)
    return said


def full_figures(found: Found) -> Calendar:
    figures: FullFigures = found.one("x")
    return ordered(figures.pair, found, figures.year) or _NO_SUCH_DAY


def figures(found: Found) -> Calendar | None:
    said = ordered(found.one("x"), found)
    return replace(said, current=True) if said is not None and found.one("q") == "this" else said


def slashed(found: Found) -> Calendar | None:
    return ordered(found.one("x"), found) if found.one("x").sign == "/" else None


def figures_and_year(found: Found) -> Calendar | None:
    written = found.raw("y")
    return ordered(found.one("x"), found, full_year(written)) if len(written) in {2, 4} else None


def alone(found: Found) -> Calendar | None:
    figures: Figures = found.one("x")
    return ordered(figures, found) if max(figures.first, figures.second) > 12 else None


def spaced_pair(found: Found) -> Calendar | None:
    pair = Figures(found.one("a"), found.one("b"), "-", "")
    return pair.date(day_first=False) if max(pair.first, pair.second) > 12 else None


def spaced(found: Found) -> Calendar | None:
    """31 10 1974, 2016 10 16."""
    a, b, c = found.one("a"), found.one("b"), found.one("c")
    if max(a, c) >= 2100 or b > 31:
        return None
    if a >= 1900:
        return Calendar(a, b, c) if b <= 12 and c <= 31 else None
    return ordered(Figures(a, b, " ", ""), found, c) if c >= 1900 else None


def month_day(found: Found) -> Calendar | None:
    day: int = found.one("d")
    if not 1 <= day <= 31:
        return _NO_SUCH_DAY if 32 <= day <= 39 else None
    if found.has("u") and found.one("u") != "day":
        return None
    return Calendar(year(found), found.one("m"), day)


def year(found: Found) -> int | None:
    if not found.has("y"):
        return None
    written = found.raw("y")
    return full_year(written) if written.isdigit() else int(found.one("y"))


def month_and_figures(found: Found) -> Calendar | None:
    """September-2020-23, 2020/23/Sep."""
    figures: Figures = found.one("x")
    if figures.second > 1900:
        return Calendar(figures.second, found.one("m"), figures.first)
    return Calendar(figures.first, found.one("m"), figures.second) if figures.first > 1900 else None


def first_of_days(found: Found) -> Calendar | None:
    """June 5-7."""
    figures: Figures = found.one("x")
    if figures.sign != "-" or not 1 <= figures.first < figures.second <= 31:
        return None
    return Calendar(None, found.one("m"), figures.first)


def big_year_first(found: Found) -> Calendar | None:
    year: int = found.one("y")
    return Calendar(year, found.one("m"), found.one("d")) if 1900 <= year < 2200 else None


def old_year(found: Found) -> Calendar | None:
    """15 April of 87, 9 Aug 96: no day and no hour."""
    written = found.raw("y")
    sure = found.has("o") or int(found.one("y")) > 31
    return Calendar(full_year(written)) if len(written) == 2 and sure else None


def ides(found: Found) -> Calendar | None:
    month: int = found.one("m")
    return Calendar(None, month, 15 if month in {3, 5, 7, 10} else 13) if found.raw("x") == "ides" else None


def four_digits(found: Found) -> Calendar | None:
    year: int = found.one("y")
    return Calendar(year) if 1000 <= year < _FAR else None


def far_year(found: Found) -> Calendar | None:
    """A year of the far future, or of no calendar; before other words it would be a number of theirs."""
    year: int = found.one("y")
    return Calendar(year) if year >= _FAR else None


def named_year(found: Found) -> Calendar | None:
    """The year 2030."""
    year: int = found.one("y")
    return Calendar(year) if found.one("u") == "year" and year >= 1000 else None


def dated(found: Found) -> Calendar | None:
    """5 March, and the year that was read beside it."""
    day, year = found.one("a"), found.one("b")
    match day, year:
        case Calendar(year=None, month=int()), Calendar(int(), None, None):
            return replace(day, year=year.year)
    return None


def feast_of_year(found: Found) -> Feast | None:
    year: int = found.one("y")
    return replace(found.one("f"), year=year) if 1000 <= year < _FAR else None


def feast_of_far_year(found: Found) -> Feast | None:
    year: int = found.one("y")
    return replace(found.one("f"), year=year) if year >= _FAR else None


def month_alone(found: Found) -> Calendar | None:
    year = found.one("y")
    if found.one("m") == 5 and found.one("q") == "this" and year is None:  # "this may be"
        return None
    return Calendar(year, found.one("m"), current=found.one("q") == "this" and year is None)


def day_alone(found: Found) -> Calendar | None:
    day: int = found.one("d")
    return Calendar(day=day) if 1 <= day <= 31 else None


def weekday_and_day(found: Found) -> Calendar | None:
    day: int = found.one("d")
    said = Calendar(day=day, weekday=found.one("w"), current=found.has("t"))
    return said if 1 <= day <= 31 else None


def same(found: Found) -> object:
    """The value of the one token, under another kind."""
    return found.one("x")
