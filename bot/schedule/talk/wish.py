"""A wish as it was understood: what, when, for whom, and what else the words could mean."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import Any

from bot.errors import InputError
from bot.schedule.intent import Intent
from bot.schedule.jobs import Kind
from bot.schedule.plan import Plan, of_reading
from bot.schedule.talk.drafts import dump_plan, load_plan
from bot.schedule.when.reading import Reading
from bot.schedule.zones import moment_of, wall_of, zone_of
from bot.text.lazy import Pattern

MOST_ALTERNATIVES = 3
_EDGES = " \t\r\n,;:.!?-，。；：！？、،؛؟।"
# Small words that led to the time, or to what is to be done.
_DANGLING = Pattern(
    r"(?:(?:^|\s)(?:at|on|in|by|from|every|each|for|before|until|till|up|the|it'?s|when|around"
    r"|starting|a las|al|el"
    r"|los|las|en|para|desde|का|को|में|في)|在|于|从|到)[\s,，]*$",
    re.IGNORECASE,
)
_LEAD = Pattern(
    r"^(?:(?:to|2|that|about|of|for|so|please|pls|me|up|de|que|sobre|para|a|بأن|أن"
    r"|ب(?=ال))\b[\s,:]+(?=\S)|一下|一声|下"
    r"|了|着|的(?:提醒|闹钟|闹铃)?|该|我们?|请|记得|[吗吧呢]$)",
    re.IGNORECASE,
)
_OPENING = Pattern(
    r"^(?:(?:please|pls|hey|hi|bot|can|could|would|will|you|u|i|want|need|to|be|keep|tomorrow|mind)\b[\s,]*"
    r"|请|麻烦|帮(?:我|忙)|能不能|可以|你|我(?:要|想|老是|总是|经常)?|记着|记得|到时候?|到点|给我)+",
    re.IGNORECASE,
)
_WORK = Pattern(
    r"(?:tell|ask|show|send|post|give|get|bring|read|write|check|watch|monitor|look|summari|fetch"
    r"|report|publish|run)"
    r"|告诉|问|给|跟|向|发|推|汇报|报|检查|查|总结|监控|看|d[ií](?:me|nos)|m[aá]nda|env[ií]a|preg"
    r"|revisa|comprueba|resume"
    r"|خبر|رسل|قل|سأل|افحص|راقب|لخص|बता|भेज|पूछ|जाँच|चेक|देख",
    re.IGNORECASE,
)
_TO_SAY = Pattern(r"\s*(?:to\b|that\b|it'?s\b|about\b|该|是时候|要(?!闻)|que\b|أن)", re.IGNORECASE)
_MEMBER = Pattern(
    r"remind\s+(?!me\b|us\b|him\b|her\b|them\b|every|all\b)(?P<who>the\s+(?:group|team)|my\s+\w+|@?\w+)"
    r"|提醒(?:一下|下)?(?P<whom>@\w{1,32}|小[^\W\d_]|老[^\W\d_])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Wish:
    """`text` is what is said, or asked of the model. `others` are the other readings of the time."""

    text: str
    plan: Plan
    kind: Kind = "reminder"
    for_name: str = ""
    assumed: tuple[str, ...] = ()
    others: tuple[Plan, ...] = ()
    said: str = ""  # the words

    def dump(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "text": self.text,
            "plan": dump_plan(self.plan),
            "kind": self.kind,
            "for": self.for_name,
            "assumed": list(self.assumed),
            "others": [dump_plan(plan) for plan in self.others],
            "said": self.said,
        }

    def with_time(self, timed: "Timed") -> "Wish":
        """The same wish at another time."""
        return replace(self, plan=timed.plan, others=timed.others, assumed=timed.assumed)

    def other(self, number: int) -> "Wish":
        """The wish in its `number`-th other reading, from 1; the one it had becomes another."""
        chosen = self.others[number - 1]
        rest = tuple(plan for plan in self.others if plan != chosen)
        return replace(self, plan=chosen, others=(self.plan, *rest), assumed=())


def load(data: Mapping[str, Any]) -> Wish:
    """The wish that `Wish.dump` wrote."""
    return Wish(
        text=data["text"],
        plan=load_plan(data["plan"]),
        kind=data["kind"],
        for_name=data["for"],
        assumed=tuple(data["assumed"]),
        others=tuple(load_plan(plan) for plan in data["others"]),
        said=data["said"],
    )


def dump_all(wishes: Sequence[Wish]) -> dict[str, Any]:
    """One wish, or those of one message, as JSON."""
    first, *more = wishes
    return {"wishes": [wish.dump() for wish in wishes]} if more else first.dump()


def load_all(data: Mapping[str, Any]) -> list[Wish]:
    """The wishes that `dump_all` wrote."""
    return [load(one) for one in data.get("wishes", [data])]


@dataclass(frozen=True, slots=True)
class Timed:
    """A time as a plan, with its other readings."""

    plan: Plan
    others: tuple[Plan, ...] = ()
    assumed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Here:
    """The person's now: the moment, the name of their zone, and the hour for days without one."""

    now: datetime
    zone: str
    tz: tzinfo
    default_hour: int = 9

    @property
    def wall(self) -> datetime:
        """What clocks show there."""
        return wall_of(self.now, self.tz)


def here(now: datetime, zone: str, default_hour: int = 9) -> Here:
    """A person's now; to the second, as clocks show it."""
    return Here(now.replace(microsecond=0), zone, zone_of(zone), default_hour)


def timed(reading: Reading, text: str, here: Here) -> Timed:
    """The plan of a reading of `text`. Raises `InputError` where it is no time to come."""
    plan = of_reading(reading, here.now, here.zone, text=text, default_hour=here.default_hour)
    others = []
    for other in reading.alternatives[:MOST_ALTERNATIVES]:
        try:
            others.append(of_reading(other, here.now, here.zone, default_hour=here.default_hour))
        except InputError:
            continue
    extra = ("no-hour",) if lacks_hour(reading) else ("skipped",) if _is_skipped(reading, plan, here) else ()
    return Timed(plan, tuple(one for one in dict.fromkeys(others) if one != plan), (*reading.assumed, *extra))


def _is_skipped(reading: Reading, plan: Plan, here: Here) -> bool:
    """Whether the clocks show no such hour that day. What is counted from now can't be skipped."""
    if plan.at is None or not isinstance(reading.at, datetime):
        return False
    wall = reading.at.replace(second=0, microsecond=0)
    return moment_of(wall, here.tz) == plan.at and wall_of(plan.at, here.tz) != wall


def lacks_hour(reading: Reading) -> bool:
    """Whether days were said, and no time of day."""
    if isinstance(reading.at, datetime):
        return False
    rule = reading.rrule or ""
    return reading.kind == "once" or not any(word in rule for word in ("BYHOUR", "HOURLY", "MINUTELY"))


def wish_of(intent: Intent, here: Here) -> Wish:
    """What a person wishes. Raises `InputError` where the time is none that comes."""
    found = timed(intent.reading, intent.text, here)
    kind, text, name = content(intent)
    return Wish(text, found.plan, kind, name, found.assumed, found.others, intent.text)


def content(intent: Intent) -> tuple[Kind, str, str]:
    """What is to be done (of a wish without a time, too): reminder or work, the words, and for whom."""
    said = intent.text
    start, end = intent.asking
    after = _outside(said, intent.reading, end, len(said))
    if intent.how != "reminder" and _WORK.match(said[start:end]) and not _TO_SAY.match(after):
        whole = _outside(said, intent.reading, 0, len(said))
        return "agent", _OPENING.sub("", whole).strip(_EDGES) or whole, ""
    member = _MEMBER.match(said, start)
    if member is not None:
        after = _outside(said, intent.reading, max(end, member.end()), len(said))
    before = re.split(r"[.!?。！？]", _outside(said, intent.reading, 0, start))[-1]
    text = _led(after) or _OPENING.sub("", before).strip(_EDGES)
    name = "" if member is None else (member["who"] or member["whom"])
    return "reminder", text, name.removeprefix("@")


def _led(text: str) -> str:
    """The text without the small words that lead to it."""
    text = text.strip(_EDGES)
    shorter = _LEAD.sub("", text).strip(_EDGES)
    while shorter != text:
        text, shorter = shorter, _LEAD.sub("", shorter).strip(_EDGES)
    return text


def _outside(said: str, reading: Reading, start: int, end: int) -> str:
    """A part of the text without its time, and without the small words that led to that."""
    first, last = reading.span if reading.kind != "none" else (len(said), len(said))
    spans = [(first, last)]
    for gap_start, gap_end in reading.gaps:
        begin, finish = spans.pop()
        spans += [(begin, gap_start), (gap_end, finish)]
    pieces, place = [], start
    for begin, finish in spans:
        if start < finish and begin < end:
            pieces.append(_shortened(said[place : max(place, begin)]))
            place = min(max(place, finish), end)
    kept = [piece for piece in (*pieces, said[place:end].strip()) if piece.strip(_EDGES)]
    return (" " if any(piece.isascii() or " " in piece for piece in kept) else "").join(kept).strip()


def _shortened(piece: str) -> str:
    piece = piece.strip()
    shorter = _DANGLING.sub("", piece)
    while shorter != piece:
        piece, shorter = shorter, _DANGLING.sub("", shorter)
    return piece
