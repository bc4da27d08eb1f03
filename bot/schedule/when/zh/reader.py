"""The reader of Chinese."""

import re
from dataclasses import replace
from zoneinfo import ZoneInfo

from bot.schedule.when import combine
from bot.schedule.when.clocks import Clock
from bot.schedule.when.days import Calendar
from bot.schedule.when.reading import Asked, Reading
from bot.schedule.when.shapes import NUMERIC_SHAPES, Figures
from bot.schedule.when.tasks import cleaned
from bot.schedule.when.tokens import UNKNOWN, Entry, RunLexer, Shape, Token, fold
from bot.schedule.when.zh.amounts import AMOUNT_RULES
from bot.schedule.when.zh.clocks import CLOCK_RULES, RANGE_RULES
from bot.schedule.when.zh.dates import DATE_RULES, NTH_RULES
from bot.schedule.when.zh.days import DAY_RULES, LAST_RULES, RANGE_DAY_RULES
from bot.schedule.when.zh.numbers import CHARACTERS, number
from bot.schedule.when.zh.recurrences import EVERY_RULES, FEAST_RULES, LIMIT_RULES, RECURRENCE_RULES
from bot.schedule.when.zh.words import WORDS, ZONES

_WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6, "1": 0, "2": 1, "3": 2,
             "4": 3, "5": 4, "6": 5, "7": 6}  # fmt: skip
_WEEK = "(?:周|週|星期|礼拜|禮拜)"
# What makes of a numeral after it a time or an amount of its own.
_NUMERAL = f"[{CHARACTERS}0-9]"
_NOT_MONDAY = "次|遍|趟|直|定|般|些|样|樣|切|共|个|個|到(?![周週星礼禮五六日天])"


def _weekdays(match: re.Match[str]) -> Entry | None:
    written = match.group().lstrip("周週星期礼禮拜")
    days = tuple(dict.fromkeys(_WEEKDAYS[char] for char in written if char in _WEEKDAYS))
    return ("W", days) if list(days) == sorted(days) or len(days) == 1 else None


def _number(match: re.Match[str]) -> Entry | None:
    value = number(match.group())
    return None if value is None else ("N", value)


def _lunar_day(match: re.Match[str]) -> Entry | None:
    value = number(match.group().lstrip("初"))
    return ("a", value) if value is not None and 1 <= value <= 30 else None


def _full_date(match: re.Match[str]) -> Entry | None:
    year, month, day = (int(part) for part in re.split(r"[-./]", match.group()))
    return "D", Calendar(year + (2000 if year < 100 else 0), month, day)


def _dotted(match: re.Match[str]) -> Entry | None:
    month, day = match.group().split("·")
    return "d", Figures(int(month), int(day), "/", match.group())


def _glued_clock(match: re.Match[str]) -> Entry | None:
    hour, minute = match.group().split(":")
    return "T", Clock(int(hour), int(minute), fixed=True)


def _half(match: re.Match[str]) -> Entry | None:
    return "p", "am" if match.group()[0] == "a" else "pm"


def _latin(match: re.Match[str]) -> Entry | None:
    return WORDS.get(match.group()) or _ZONES.get(match.group()) or (UNKNOWN, "")


_SHAPES: tuple[Shape, ...] = (
    (r"\d{4}[-./]\d{1,2}[-./]\d{2}(?=\d{2}:\d{2}(?!\d))", _full_date),
    (r"(?<=[-./]\d\d)\d{2}:\d{2}(?!\d)", _glued_clock),
    (r"(?<![\d.])\d{4}[-./]\d{1,2}[-./]\d{1,2}(?![\d-])", _full_date),
    (r"(?<![\d.-])\d{2}-\d{1,2}-\d(?![\d-])", _full_date),
    (r"(?<!\d)\d{1,2}·\d{1,2}(?!\d)", _dotted),
    *NUMERIC_SHAPES,
    (r"[ap]\s?\.?\s?m(?:\.|(?![a-z]))", _half),
    (r"(?<=\d)[ap](?![a-z0-9])", _half),
    (r"[a-z]+", _latin),
    (
        rf"{_WEEK}(?:[一二三四五六](?:[、,和]?(?:{_WEEK}[、,和]?)?[二三四五六日天])+)(?!{_NUMERAL}|[点點时時刻个個分])",
        _weekdays,
    ),
    (rf"{_WEEK}一(?!{_NOT_MONDAY})", _weekdays),
    (rf"{_WEEK}[二三四五六日天](?![个個])", _weekdays),
    (r"(?:星期|礼拜|禮拜|周|週)[1-7](?!\d|[点點时時:.个個])", _weekdays),
    (r"初[一二三四五六七八九十]+|廿[一二三四五六七八九]?|卅", _lunar_day),
    (rf"[{CHARACTERS}]+(?![一點点]点儿)", _number),
)
_ZONES: dict[str, Entry] = {name: ("Z", ZoneInfo(zone) if zone else None) for name, zone in ZONES.items()}
_LEXER = RunLexer({**_ZONES, **WORDS}, _SHAPES, starts=f"{CHARACTERS}周週星礼禮初")
_RULES = (
    *FEAST_RULES,
    *EVERY_RULES,
    *CLOCK_RULES,
    *DATE_RULES,
    *AMOUNT_RULES,
    *DAY_RULES,
    *NTH_RULES,
    *LAST_RULES,
    *RECURRENCE_RULES,
)
_GLUE = frozenset("f,-.()")
_LOOSE = frozenset("&:1")
_LEAD_IN = re.compile(
    r"^(?:请|麻烦|帮我|帮忙|记得|別忘了?|别忘了?|到时候?|要|我要|我想|想要|能不能|可以|你|给我|我"
    r"|提醒一下我|提醒下我|提醒我|提醒一下|提醒下|提醒|叫一下我|叫我|叫一下|喊我|通知我|告诉我|呼叫我"
    r"|(?:设|設|定|订|加|建|创建|设置|設置|添加)(?:一)?(?:个|個)?(?:提醒|闹钟|鬧鐘|闹铃|任务))[\s,，:：]*"
)
_DANGLING = re.compile(r"[\s,，、]*(?:在|于|於|从|從|到|是)?[\s,，、]*$")


class _Chinese:
    lang = "zh"

    def find(self, text: str, asked: Asked) -> list[Reading]:
        tokens = _LEXER.lex(text)
        tokens = fold(_RULES, tokens, text, asked)
        if any(token.kind == "R" for token in tokens):
            tokens = fold(LIMIT_RULES, tokens, text, asked)
        tokens = fold((*RANGE_RULES, *RANGE_DAY_RULES), tokens, text, asked)
        return combine.readings([_glue(token) for token in tokens], asked)

    def task(self, before: str, after: str) -> str:
        return cleaned(before, after, _LEAD_IN, _DANGLING)


def _glue(token: Token) -> Token:
    if token.kind in _GLUE:
        return replace(token, kind="f")
    return replace(token, kind="?") if token.kind in _LOOSE else token


READER = _Chinese()
