"""The time a question asks about: "yesterday", "last spring", "in May 2023", "去年夏天", "上周"."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from bot.text.lazy import Pattern
from bot.text.tokens import fold

MAX_READ_CHARS = 400


@dataclass(frozen=True, slots=True)
class Span:
    """From `begin` on, before `end`."""

    begin: datetime
    end: datetime


def span_of(text: str, now: datetime) -> Span | None:
    """The time that a question names, seen from `now`, in the zone of `now`; None where it names none."""
    read = fold(text[:MAX_READ_CHARS])
    for pattern, make in _RULES:
        if match := pattern.search(read):
            try:
                return make(match, now)
            except (ValueError, OverflowError):  # the 31st of June, ten thousand years ago
                continue
    return None


def _day(now: datetime, back: int) -> Span:
    begin = now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=back)
    return Span(begin, begin + timedelta(days=1))


def _week(now: datetime, back: int) -> Span:
    begin = _day(now, now.weekday()).begin - timedelta(weeks=back)
    return Span(begin, begin + timedelta(weeks=1))


def _months(year: int, month: int, count: int = 1) -> Span:
    """`count` months from this one on; months beyond the year belong to the years after or before."""
    first, last = year * 12 + month - 1, year * 12 + month - 1 + count
    begin, end = (datetime(at // 12, at % 12 + 1, 1, tzinfo=UTC) for at in (first, last))
    return Span(begin, end)


def _month_back(now: datetime, back: int) -> Span:
    at = now.year * 12 + now.month - 1 - back
    return _months(at // 12, at % 12 + 1)


def _latest_month(now: datetime, month: int, count: int = 1) -> Span:
    """The latest one that has begun."""
    return _months(now.year if month <= now.month else now.year - 1, month, count)


_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH = "|".join(f"{month}|{month[:3]}" for month in _MONTHS)
_SEASONS = {
    "spring": 3,
    "summer": 6,
    "autumn": 9,
    "fall": 9,
    "winter": 12,
    "春": 3,
    "夏": 6,
    "秋": 9,
    "冬": 12,
}
_NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_HAN = "一二三四五六七八九十"
_HAN_DAYS = "一二三四五六日天"


def _number(word: str) -> int:
    if word in {"a", "an"}:
        return 1
    if word in {"两", "几", "a few", "a couple of"}:
        return 2 if word == "两" else 3
    if word in _NUMBERS:
        return _NUMBERS.index(word) + 1
    return _HAN.index(word) + 1 if word in _HAN else int(word)


def _month_number(word: str) -> int:
    return next(at for at, name in enumerate(_MONTHS, start=1) if name.startswith(word[:3]))


def _ago(now: datetime, count: int, unit: str) -> Span:
    match unit[0]:
        case "d" | "天":
            return _day(now, count)
        case "w" | "周" | "星" | "礼":
            return _week(now, count)
        case "m" | "月":
            return _month_back(now, count)
        case _:
            return _months(now.year - count, 1, 12)


def _season(now: datetime, name: str, year: int | None) -> Span:
    """The season of a year, else the latest that is over or under way; winter begins in December."""
    month = _SEASONS[name]
    return _latest_month(now, month, 3) if year is None else _months(year, month, 3)


def _weekday(now: datetime, name: str) -> Span:
    wanted = _WEEKDAYS.index(name) if name in _WEEKDAYS else min(_HAN_DAYS.index(name), 6)
    return _day(now, (now.weekday() - wanted - 1) % 7 + 1)


def _year_word(word: str, now: datetime) -> int:
    return now.year - {"今年": 0, "去年": 1, "前年": 2, "this": 0, "last": 1}[word]


Make = Callable[[re.Match[str], datetime], Span]
# The first that fits is taken: exact dates first, then what is narrower before what is wider.
_WRITTEN: tuple[tuple[str, Make], ...] = (
    (r"\b(\d{4})-(\d\d?)-(\d\d?)\b", lambda m, now: _date(now, int(m[1]), int(m[2]), int(m[3]))),
    (r"(\d{4})年(\d\d?)月(\d\d?)[日号]", lambda m, now: _date(now, int(m[1]), int(m[2]), int(m[3]))),
    (
        rf"\b(\d\d?)(?:st|nd|rd|th)?(?: of)? ({_MONTH}),? (\d{{4}})\b",
        lambda m, now: _date(now, int(m[3]), _month_number(m[2]), int(m[1])),
    ),
    (
        rf"\b({_MONTH}) (\d\d?)(?:st|nd|rd|th)?,? (\d{{4}})\b",
        lambda m, now: _date(now, int(m[3]), _month_number(m[1]), int(m[2])),
    ),
    (rf"\b({_MONTH}),? (?:of )?(\d{{4}})\b", lambda m, now: _months(int(m[2]), _month_number(m[1]))),
    (r"(\d{4})年(\d\d?)月", lambda m, now: _months(int(m[1]), int(m[2]))),
    (
        r"\b(spring|summer|autumn|fall|winter)(?: of| in)? (\d{4})\b",
        lambda m, now: _season(now, m[1], int(m[2])),
    ),
    (r"\b(?:day before yesterday)\b|前天", lambda m, now: _day(now, 2)),
    (r"\b(?:yesterday|last night)\b|昨天|昨晚|昨日", lambda m, now: _day(now, 1)),
    (r"\btoday\b|今天|今早|今日", lambda m, now: _day(now, 0)),
    (
        rf"\b(\d+|an?|a few|a couple of|{'|'.join(_NUMBERS)}) (day|week|month|year)s? ago\b",
        lambda m, now: _ago(now, _number(m[1]), m[2]),
    ),
    (
        rf"(\d+|[{_HAN}两几])个?(天|周|星期|礼拜|月|年)(?:之|以)?前",
        lambda m, now: _ago(now, _number(m[1]), m[2]),
    ),
    (r"(今年|去年|前年)(春|夏|秋|冬)", lambda m, now: _season(now, m[2], _year_word(m[1], now))),
    (
        r"(今年|去年|前年)(\d\d?|十一|十二|[一二三四五六七八九十])月",
        lambda m, now: _months(_year_word(m[1], now), _han_month(m[2])),
    ),
    (
        r"\blast (spring|summer|autumn|fall|winter)\b|(?:上个?|这个?)(春|夏|秋|冬)",
        lambda m, now: _season(now, m[1] or m[2], None),
    ),
    (r"\bthis (spring|summer|autumn|fall|winter)\b", lambda m, now: _season(now, m[1], now.year)),
    (rf"\b(?:last|on) ({'|'.join(_WEEKDAYS)})\b", lambda m, now: _weekday(now, m[1])),
    (rf"上个?(?:周|星期|礼拜)([{_HAN_DAYS}])", lambda m, now: _han_weekday(now, m[1])),
    (r"\blast week\b|上个?(?:周|星期|礼拜)", lambda m, now: _week(now, 1)),
    (r"\bthis week\b|[这本]个?(?:周|星期|礼拜)", lambda m, now: _week(now, 0)),
    (r"\blast month\b|上个?月", lambda m, now: _month_back(now, 1)),
    (r"\bthis month\b|[这本]个?月", lambda m, now: _month_back(now, 0)),
    (rf"\b(?:in|last|during|since) ({_MONTH})\b", lambda m, now: _latest_month(now, _month_number(m[1]))),
    (r"(?<!\d)(\d\d?)月(?!\d)", lambda m, now: _latest_month(now, int(m[1]))),
    (r"\b(last|this) year\b|(去年|今年|前年)", lambda m, now: _months(_year_word(m[1] or m[2], now), 1, 12)),
    (r"\b(?:in|during) (\d{4})\b|(\d{4})年", lambda m, now: _months(int(m[1] or m[2]), 1, 12)),
)


def _date(now: datetime, year: int, month: int, day: int) -> Span:
    begin = datetime(year, month, day, tzinfo=now.tzinfo)
    return Span(begin, begin + timedelta(days=1))


def _han_month(word: str) -> int:
    return int(word) if word.isdecimal() else 10 + _HAN.index(word[1]) + 1 if len(word) > 1 else _number(word)


def _han_weekday(now: datetime, name: str) -> Span:
    monday = _week(now, 1).begin
    begin = monday + timedelta(days=min(_HAN_DAYS.index(name), 6))
    return Span(begin, begin + timedelta(days=1))


_RULES = tuple((Pattern(pattern), make) for pattern, make in _WRITTEN)

_PAST = Pattern(
    r"\b(?:before|used to|previous(?:ly)?|former(?:ly)?|earlier|originally)\b"
    r"|\b(?:antes|anterior(?:mente)?|sol[ií]a)\b|以前|之前|从前|原来|曾经|过去|पहले|पुरान|سابق|قبل"
)


def asks_of_past(text: str) -> bool:
    """Whether a question asks how something was, so that what is over is what it looks for."""
    return bool(_PAST.search(fold(text[:MAX_READ_CHARS])))
