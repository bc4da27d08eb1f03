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
from bot.schedule.when.zh.clocks import CLOCK_RULES, MEAL_RULES, OWN_PART_RULES, PART_RULES, RANGE_RULES
from bot.schedule.when.zh.dates import DATE_RULES, NTH_RULES
from bot.schedule.when.zh.days import DAY_RULES, LAST_RULES, NOW_RULES, QUARTER_RULES, RANGE_DAY_RULES
from bot.schedule.when.zh.holidays import FEASTS
from bot.schedule.when.zh.numbers import CHARACTERS, number
from bot.schedule.when.zh.recurrences import EVERY_RULES, FEAST_RULES, LIMIT_RULES, RECURRENCE_RULES
from bot.schedule.when.zh.script import simplified
from bot.schedule.when.zh.words import WORDS, ZONES

_WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6, "1": 0, "2": 1, "3": 2,
             "4": 3, "5": 4, "6": 5, "7": 6}  # fmt: skip
_WEEK = "(?:周|星期|礼拜)"
# What makes of a numeral after it a time or an amount of its own.
_NUMERAL = f"[{CHARACTERS}0-9]"
_FROM = re.compile("[从自]")
_NOT_MONDAY = "次|遍|趟|直|定|般|些|样|樣|切|共|个|个|到(?![周周星礼礼五六日天])"


def _weekdays(match: re.Match[str]) -> Entry | None:
    written = match.group().lstrip("周星期礼拜")
    days = tuple(dict.fromkeys(_WEEKDAYS[char] for char in written if char in _WEEKDAYS))
    return ("W", days) if list(days) == sorted(days) or len(days) == 1 else None


def _monday(match: re.Match[str]) -> Entry | None:
    """下周一起吃饭 is next week together, 从下周一起 from next Monday on."""
    rest = match.string[match.end() : match.end() + 2]
    together = rest[:1] == "起" and rest[1:] and rest[1:] not in "床飞身每天,， "
    if together and not _FROM.search(match.string, max(0, match.start() - 5), match.start()):
        return None
    return "W", (0,)


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
    return _WORDS.get(match.group(), (UNKNOWN, ""))


def _named(match: re.Match[str]) -> Entry | None:
    return _WORDS.get(match.group())


def _no_time(match: re.Match[str]) -> Entry | None:
    """他说明天来 is no 说明, 简单一点 and 一点意思都没有 no one o'clock, 《七月》 a title."""
    return UNKNOWN, match.group()


def _two(match: re.Match[str]) -> Entry | None:
    return "N", 2


# How words end of which one may wish a bit more: 简单, 详细. What stands before an hour ends otherwise.
_A_BIT_MORE = (
    "单细楚宜静心瘦胖高低长短轻重强弱软硬热冷"
    "暖凉甜咸辣淡浓新旧亮暗远近深浅厚薄宽窄紧稳柔认松极气貌式默泼业洁练确显然活趣贵乖听吃白顺响利惯"
)


_ZONES: dict[str, Entry] = {name: ("Z", ZoneInfo(zone) if zone else None) for name, zone in ZONES.items()}
_WORDS: dict[str, Entry] = {**FEASTS, **_ZONES, **WORDS}
# Words that begin as numbers do: 五一, 三更半夜.
_NUMERAL_WORDS = "|".join(sorted((word for word in _WORDS if word[0] in CHARACTERS), key=len, reverse=True))

_SHAPES: tuple[Shape, ...] = (
    (r"\d{4}[-./]\d{1,2}[-./]\d{2}(?=\d{2}:\d{2}(?!\d))", _full_date),
    (r"(?<=[-./]\d\d)\d{2}:\d{2}(?!\d)", _glued_clock),
    (r"(?<![\d.])\d{4}[-./]\d{1,2}[-./]\d{1,2}(?![\d-])", _full_date),
    (r"(?<![\d.-])\d{2}-\d{1,2}-\d(?![\d-])", _full_date),
    (r"(?<!\d)\d{1,2}·\d{1,2}(?!\d)", _dotted),
    *NUMERIC_SHAPES,
    (r"一点(?=[^点，。]{1,4}[都也][没不无])", _no_time),
    (rf"(?<=[{_A_BIT_MORE}])一点(?!{_NUMERAL}|[半钟整到前后开见集提叫起]|之[前后]|以后)", _no_time),
    (r"《[^《》]{1,40}》", _no_time),
    (r"说(?=明[天早晚年日儿])", _no_time),
    (r"[ap]\s?\.?\s?m(?:\.|(?![a-z]))", _half),
    (r"(?<=\d)[ap](?![a-z0-9])", _half),
    (r"[a-z]+", _latin),
    (
        rf"{_WEEK}(?:[一二三四五六](?:[、,和]?(?:{_WEEK}[、,和]?)?[二三四五六日天])+)(?!{_NUMERAL}|[点时刻个分])",
        _weekdays,
    ),
    (rf"{_WEEK}一(?!{_NOT_MONDAY})", _monday),
    (rf"{_WEEK}[二三四五六日天](?!个)", _weekdays),
    (rf"{_WEEK}[1-7](?!\d|[点时:.个])", _weekdays),
    (rf"(?:{_NUMERAL_WORDS})(?!(?<={_NUMERAL}){_NUMERAL}|[号点月年日时分])", _named),
    (r"初[一二三四五六七八九十]|廿[一二三四五六七八九]?|卅", _lunar_day),
    (r"俩(?=小时|钟头|礼拜|星期|月)", _two),
    (rf"[{CHARACTERS}]+(?![一点]点儿)", _number),
)
_LEXER = RunLexer(_WORDS, _SHAPES, starts=f"{CHARACTERS}周星礼初说《俩")
_RULES = (
    *FEAST_RULES,
    *EVERY_RULES,
    *CLOCK_RULES,
    *DATE_RULES,
    *QUARTER_RULES,
    *AMOUNT_RULES,
    *DAY_RULES,
    *NTH_RULES,
    *LAST_RULES,
    *NOW_RULES,
    *RECURRENCE_RULES,
    *OWN_PART_RULES,
)
_GLUE = frozenset("f,-.()")
_LOOSE = frozenset("&:1")
_LEAD_IN = re.compile(
    r"^(?:请|麻烦|帮我|帮忙|记得|别忘了?|到时候?|我要|我想|想要|能不能|可以|给我|左右|前后|的?时候|准时|就|要|我|的"
    r"|(?:设|定|订|加|建|创建|设置|添加)一?个?(?:提醒|闹钟|闹铃|任务))[\s,，:：]*"
)
_DANGLING = re.compile(r"[\s,，、]*(?:在|于|从|到|是|大约|大概|差不多|约|记得|请|麻烦|别忘了?)?[\s,，、]*$")
# What asks for a reminder; what is to be done stands after it, or before it where nothing follows.
_ASKING = re.compile(
    r"(?:提醒|提示|叫|喊|通知|告诉|呼叫|叫醒)(?:一下|下)?(?:我们|我|一下我|大家)(?:一下|一声)?|提醒(?:一下)?"
)


class _Chinese:
    lang = "zh"

    def find(self, text: str, asked: Asked) -> list[Reading]:
        text = simplified(text)
        tokens = _LEXER.lex(text)
        tokens = fold(_RULES, tokens, text, asked)
        kinds = {token.kind for token in tokens}
        if "3" in kinds and "T" not in kinds:
            tokens = fold(MEAL_RULES, tokens, text, asked)
        if any(token.kind == "R" for token in tokens):
            tokens = fold(LIMIT_RULES, tokens, text, asked)
        tokens = fold((*RANGE_RULES, *RANGE_DAY_RULES), tokens, text, asked)
        if not any(token.kind in "DTRS" for token in tokens):
            tokens = fold(PART_RULES, tokens, text, asked)
        return combine.readings([_glue(token) for token in tokens], asked)

    def task(self, before: str, after: str) -> str:
        task = cleaned(before, after, _LEAD_IN, _DANGLING)
        asking = _ASKING.search(simplified(task))
        if asking is None:
            return task
        rest = cleaned("", task[asking.end() :], _LEAD_IN, _DANGLING)
        return rest or cleaned(task[: asking.start()], "", _LEAD_IN, _DANGLING)


def _glue(token: Token) -> Token:
    if token.kind in _GLUE:
        return replace(token, kind="f")
    return replace(token, kind="?") if token.kind in _LOOSE else token


READER = _Chinese()
