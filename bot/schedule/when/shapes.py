"""Times and dates in figures, and figures that are neither; the same in all languages.

Shapes for the lexers. Kinds beyond those of `combine`: `d` is a `Figures` pair that only its neighbours
can settle (2-15, 5.12, 3/4), `N` a number, `x` what is none of it (prices, codes, phone numbers).
"""

import re
from dataclasses import dataclass

from bot.schedule.when.clocks import Clock
from bot.schedule.when.days import Calendar, valid_date
from bot.schedule.when.tokens import UNKNOWN, Entry, Shape

_NOT_A_TIME: Entry = (UNKNOWN, "")
# Two-digit years up to this one are of this century.
LAST_SHORT_YEAR = 39


@dataclass(frozen=True, slots=True)
class Figures:
    """Two numbers and what stands between them: a date, a time, a fraction or a range."""

    first: int
    second: int
    sign: str
    written: str

    def date(self, *, day_first: bool, year: int | None = None) -> Calendar | None:
        """The date they make: in the given order, or in the other where only that is one."""
        month, day = (self.second, self.first) if day_first else (self.first, self.second)
        if _possible(month, day):
            flipped = (day, month) if day <= 12 and day != month else None
            return Calendar(year, month, day, flipped=flipped)
        if _possible(day, month):
            return Calendar(year, day, month)
        return None

    def clock(self) -> Clock | None:
        """The time of day they make; the second must have been written with two digits."""
        digits = self.written[len(str(self.first)) :].lstrip("0123456789")[1:]
        if self.sign == "." and len(digits) == 2 and self.first <= 24 and self.second < 60:
            return Clock(self.first, self.second, fixed=self.written[0] == "0")
        return None

    @property
    def decimal(self) -> float | None:
        """As a number: "1.5", "1/2"."""
        if self.sign == ".":
            return float(self.written)
        return self.first / self.second if self.sign == "/" and self.second else None


@dataclass(frozen=True, slots=True)
class FullFigures:
    """Day, month and year in figures, in an order that the language or the person decides."""

    pair: Figures
    year: int


def _possible(month: int, day: int) -> bool:
    return valid_date(2000, month, day) is not None


def full_year(written: str) -> int:
    """The year of two or four digits."""
    year = int(written)
    if len(written) > 2:
        return year
    return year + (2000 if year <= LAST_SHORT_YEAR else 1900)


_CHAIN_SPLIT = re.compile(r"[-./]")


def _chain(match: re.Match[str]) -> Entry | None:
    written = match.group()
    parts = _CHAIN_SPLIT.split(written)
    signs = set(written) - set("0123456789")
    lengths = [len(part) for part in parts]
    if len(parts) == 2:
        return _pair(written, parts, lengths, next(iter(signs)))
    if len(parts) == 3 and len(signs) == 1:
        return _triple(parts, lengths, next(iter(signs)))
    return _NOT_A_TIME


def _pair(written: str, parts: list[str], lengths: list[int], sign: str) -> Entry | None:
    if max(lengths) <= 2:
        return "d", Figures(int(parts[0]), int(parts[1]), sign, written)
    if sign in "/." and lengths[0] <= 2 and lengths[1] == 4 and 1 <= int(parts[0]) <= 12:
        return "D", Calendar(int(parts[1]), int(parts[0]))
    if sign in "-/" and lengths == [4, 2] and 1000 < int(parts[0]) < 2200:
        if 1 <= int(parts[1]) <= 12:
            return "D", Calendar(int(parts[0]), int(parts[1]))
        return "d", Figures(int(parts[0]), int(parts[1]), sign, written)
    if sign == "-" and lengths[0] <= 2 and lengths[1] == 4:
        return "d", Figures(int(parts[0]), int(parts[1]), sign, written)
    return _NOT_A_TIME


def _triple(parts: list[str], lengths: list[int], sign: str) -> Entry | None:
    first, second, third = (int(part) for part in parts)
    if lengths[0] == 4 and max(lengths[1:]) <= 2:
        return "D", Calendar(first, second, third)
    if max(lengths[:2]) <= 2 and (lengths[2] == 4 or (lengths[2] == 2 and sign != ".")):
        pair = Figures(first, second, sign, f"{parts[0]}{sign}{parts[1]}")
        return "F", FullFigures(pair, full_year(parts[2]))
    return _NOT_A_TIME


def _compact(match: re.Match[str]) -> Entry | None:
    written = match.group()
    year, month, day = int(written[:4]), int(written[4:6]), int(written[6:])
    if 1900 <= year < 2100 and valid_date(year, month, day) is not None:
        return "D", Calendar(year, month, day)
    return _NOT_A_TIME


def _colons(match: re.Match[str]) -> Entry | None:
    hour, minute, *rest = match.group().lstrip("t").split(":")
    if len(minute) != 2:
        return _NOT_A_TIME
    second = int(rest[0]) if rest else 0
    if int(hour) > 24 or int(minute) > 59 or second > 59:
        return _NOT_A_TIME
    iso = match.group().startswith("t")
    fixed = iso or (len(hour) == 2 and hour[0] == "0")
    return "T", Clock(int(hour), int(minute), second, fixed=fixed, grain="second" if rest else "minute")


def _h_minutes(match: re.Match[str]) -> Entry | None:
    hour, minute = match.group().split("h")
    clock = Clock(int(hour), int(minute), fixed=True)
    return ("T", clock) if clock.valid() else _NOT_A_TIME


def _not_a_time(match: re.Match[str]) -> Entry | None:
    return _NOT_A_TIME


# An address: its dates may still be meant ("report-20170302.html"), its words and other figures not.
NUMERIC_SHAPES: tuple[Shape, ...] = (
    (r"(?<!\d)24/7(?![\d/])", _not_a_time),
    (r"(?<![^\W_])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![^\W_])", _not_a_time),
    (r"[$€£¥₹]\s?\d[\d.,]*", _not_a_time),
    (r"\d[\d.,]*\s?(?:%|[$€£¥₹])", _not_a_time),
    (r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)", _not_a_time),
    (r"(?:(?<=\d)t)?(?<!\d)(?<!\d[.:])\d{1,2}:\d{1,2}(?::\d{2})?(?![\d:])", _colons),
    (r"(?<=\d)t\d{2}:\d{2}(?::\d{2})?(?![\d:])", _colons),
    (r"(?<!\d)\d{1,2}h\d{2}(?![\dm])", _h_minutes),
    (r"\d+(?:[-./]\d+)+(?!\d|/[^\W\d_])", _chain),
    (r"(?<!\d)\d{8}(?!\d)", _compact),
)
