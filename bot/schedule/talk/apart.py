"""Several wishes in one message: "remind me at 3 to call Ann and at 5 to buy milk".

A part is a wish of its own where it asks by itself, or where the request before it governs it, too: "at 5 to
buy milk" has a time and what to do, and nobody else who does it. It takes the day, or what comes again, from
the wish before it where it says an hour only.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, time, timedelta

from bot.schedule.intent import Asking, Intent, judge
from bot.schedule.talk.wish import content
from bot.schedule.when.reading import Reading, join_rule, split_rule
from bot.text.lazy import Pattern

MOST = 5
_MAX_BORDERS = 12
_BORDER = Pattern(
    r"[\s,;.!，；。！、]*+(?:\b(?:and|plus|then|also|y|e)\b\s*|还有|然后|另外|以及|并且|再|和|और\s+|و(?=\S))+"
    r"|\s*[,;.!\n，；。！、]+\s*"
)
_CORRECTS = Pattern(
    r"(?:actually|no\b|not\b|sorry|wait|rather|instead|or\b|make it|不对|不是|改|算了|还是|或者|mejor"
    r"|perd[oó]n)",
    re.IGNORECASE,
)
# Before the time of a part that the request before it governs, and behind it: "[at 5] to buy milk".
_LED = Pattern(r"\s*(?:at|on|in|by|from|every|a las?|el|los|las)?\s*,?\s*", re.IGNORECASE)
_GOVERNED = Pattern(r"\s*,?\s*(?:to|about|that|for|de|que|para|a|(?=\w+[aei]r\b))\s*\S", re.IGNORECASE)
_SOMEBODY = Pattern(
    r"\b(?:i|we|he|she|it|they|you|there|is|are|was|were|will|can|have|has|had)\b|\w'(?:ll|m|re|s|ve|d)\b"
    r"|[我你他她它您]",
    re.IGNORECASE,
)
_BARE = Pattern(r"\d{1,2}(?::\d\d)?")
_EDGES = " ,.，。!！"
_EARLY, _LATE = time(0, 1), time(23, 58)  # between which a mere time of day falls on two days


def apart(intent: Intent, by: Asking) -> list[Intent]:
    """The wishes that the words of a wish hold, each with its own time; mostly itself alone."""
    found = [intent]
    while len(found) < MOST and (two := _split(found[-1], by)) is not None:
        found[-1:] = two
    for number in range(1, len(found)):
        found[number] = _beside(found[number - 1].reading, found[number], by)
    return found


def _split(intent: Intent, by: Asking) -> tuple[Intent, Intent] | None:
    text = intent.text
    for number, border in enumerate(_BORDER.finditer(text)):
        if number == _MAX_BORDERS:
            break
        first = judge(text[: border.start()], by)
        second = _after(first, text[border.end() :], by) if _is_timed(first) else None
        if second is not None:
            return first, second
    return None


def _is_timed(intent: Intent) -> bool:
    return intent.verdict == "wish" and intent.reading.kind != "none" and intent.reading.refused is None


def _after(first: Intent, text: str, by: Asking) -> Intent | None:
    """The wish that `text` is, after another one; None where it goes on with that one."""
    if _CORRECTS.match(text):
        return None
    own = judge(text, by)
    if _is_timed(own):
        return own
    governed = _governed(first, text, by)
    return governed if governed is not None and _is_timed(governed) else None


def _governed(first: Intent, text: str, by: Asking) -> Intent | None:
    """The part as it would be asked for by the words that ask for the first one."""
    border = _BORDER.search(text, 1)
    part = text[: border.start()] if border else text
    reading = by.read(part)
    if reading.kind == "none" or reading.refused is not None or _SOMEBODY.search(part):
        return None
    before, behind = part[: reading.span[0]], part[reading.span[1] :]
    start, end = first.asking
    if not _is_like(first, before, behind, says_what=bool((before + behind).strip(_EDGES))):
        return None
    asked = f"at {text}" if _BARE.fullmatch(part.strip(_EDGES)) else text
    asking = first.text[start:end]
    return judge(f"{asking} {asked}" if asking[-1].isascii() else asking + text, by)


def _is_like(first: Intent, before: str, behind: str, *, says_what: bool) -> bool:
    """Whether a part is built as the first wish is, with its time and what to do in the same places."""
    is_led = _LED.fullmatch(before) is not None
    if bool(content(first)[1]) != says_what and not (is_led and not before.isascii()):
        return False
    if not says_what or _LED.fullmatch(before + behind):
        return is_led and not content(first)[1]
    asked_before = first.asking[1] <= max(first.reading.span[0], *(stop for _, stop in first.reading.gaps), 0)
    if is_led and (_GOVERNED.match(behind) or (asked_before and not behind.isascii())):
        return True
    ends = not behind.strip(_EDGES) and not first.text[first.reading.span[1] :].strip(_EDGES)
    return ends and asked_before


def _beside(before: Reading, own: Intent, by: Asking) -> Intent:
    """An hour on the day of the wish before it, or as often as that one."""
    if not says_only_a_clock(by.now, lambda now: replace(by, now=now).read(own.text)):
        return own
    reading = own.reading
    if before.kind == "recurring":
        parts = split_rule(before.rrule or "")
        if not isinstance(reading.at, datetime) or "BYHOUR" not in parts:
            return own
        parts |= {"BYHOUR": str(reading.at.hour), "BYMINUTE": str(reading.at.minute)}
        again = replace(before, rrule=join_rule(parts), span=reading.span, gaps=reading.gaps, alternatives=())
        return replace(own, reading=again)
    if before.at is None or reading.kind != "once":
        return own
    day = before.at.date() if isinstance(before.at, datetime) else before.at
    if day > by.now.date():
        reading = judge(own.text, replace(by, now=datetime.combine(day, time()))).reading
    if isinstance(before.at, datetime):
        reading = _first_after(reading, before.at)
    return replace(own, reading=reading)


def _first_after(reading: Reading, at: datetime) -> Reading:
    """The first of the hours that a bare one may mean which comes after another time."""
    others = (reading, *reading.alternatives)
    coming = [one for one in others if isinstance(one.at, datetime) and one.at > at]
    if not coming:
        return reading
    first = min(coming, key=lambda one: str(one.at))
    rest = tuple(replace(one, alternatives=()) for one in others if one != first)
    return replace(reading, at=first.at, alternatives=rest)


def says_only_a_clock(now: datetime, read_at: Callable[[datetime], Reading]) -> bool:
    """Whether only a time of day was said: late in the day it means tomorrow's."""
    early = read_at(datetime.combine(now, _EARLY)).at
    late = read_at(datetime.combine(now, _LATE)).at
    if not isinstance(early, datetime) or not isinstance(late, datetime):
        return False
    return early.date() == now.date() and late == early + timedelta(days=1)
