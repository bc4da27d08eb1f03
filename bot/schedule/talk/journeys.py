"""Where people say that they are: "I'm in Tokyo this week"."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.schedule.talk import places, whereabouts, wording
from bot.schedule.talk import wish as wishes
from bot.schedule.talk.hand import Hand
from bot.schedule.talk.wording import Said
from bot.schedule.when.read import read
from bot.schedule.zones import moment_of
from bot.text.lazy import Pattern

MAX_CHARS = 90
_WEEK_DAYS = 7
_SAID = Pattern(
    r"^\s*(?:(?:i'?m|i am|i'?ll be|i will be|i'?m staying|we'?re) (?:now "
    r"|currently )?in (?P<en>[\w' .-]{2,30}?)"
    r"(?P<en_how>,? (?:this|next|until|till|for|now|right now|at the moment|today|these days"
    r"|from now on)\b.*)"
    r"|(?:my|the|set my|change my) time ?zone (?:is|to|:)\s*(?:now )?(?P<zone>[\w/+:' -]{2,40})"
    r"|(?:我)?(?P<zh_how>这周|本周|这几天|今天|这个月|最近|现在"
    r"|目前)(?:我)?(?:人)?(?:都)?在(?P<zh>[^\W\d_]{2,8}?)(?:出差|旅行|旅游|度假)?"
    r"|我的时区是(?P<zh_zone>[\w/+:]{2,40})"
    r"|(?:estoy|estar[eé]) en (?P<es>[\w .]{2,30}?)(?P<es_how> (?:esta semana|hasta|hoy|ahora|por"
    r"|durante)\b.*)"
    r"|mi zona horaria es (?P<es_zone>[\w/+: ]{2,40})"
    r"|أنا (?:الآن )?في (?P<ar>[^\W\d_]{2,20})(?P<ar_how> (?:هذا الأسبوع|اليوم|الآن|حتى).*)"
    r"|मैं (?P<hi_how>इस सप्ताह|इस हफ्ते|आज|अभी|आजकल) (?P<hi>\S{2,20}) में हूँ)\s*[.!。।]*\s*$",
    re.IGNORECASE,
)
_WEEK = Pattern(r"week|周|semana|أسبوع|सप्ताह|हफ्त", re.IGNORECASE)
_NOW = Pattern(r"now|moment|目前|现在|最近|这几天|these days|ahora|الآن|अभी|आजकल", re.IGNORECASE)
_TODAY = Pattern(r"today|今天|hoy|اليوم|आज(?!कल)", re.IGNORECASE)


# The end of a journey is said in passing, too: it is answered only where it changes something.
_CAME_BACK = Pattern(
    r"^\s*(?:hey[, ]+|hi[, ]+|ok[, ]+)?(?:(?:i'?m|i am|we'?re) back (?:home )?in (?P<en>[\w' .-]{2,30}?)"
    r"|(?P<home>(?:i'?m|i am|we'?re) (?:back home|home again|back from (?:my|our|the)"
    r" (?:trip|journey|travels|holiday|vacation)))"
    r"|我(?:已经)?回到?(?P<zh>[^\W\d_家来]{2,8}?)了|(?P<home_zh>我(?:已经)?(?:出差|旅行|旅游|度假)?回(?:家|来)了)"
    r"|(?:ya )?(?:he vuelto|volv[ií]|estoy de vuelta) (?:a|en) (?P<es>[\w .]{2,30}?)"
    r")(?: now| again|,? finally)?\s*[.!。！]*\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Journey:
    """A zone ("" for home), and for how long, in words. `in_passing`: it may change nothing."""

    zone: str
    how_long: str
    in_passing: bool = False


def read_journey(text: str) -> Journey | None:
    """Where somebody says that they are; None for anything else, and for places that are not known."""
    if len(text) > MAX_CHARS:
        return None
    match = _SAID.match(text)
    if match is None:
        return _read_return(text)
    groups = match.groupdict()
    place = next(value for name, value in groups.items() if value and not name.endswith("how"))
    zone = places.zone_named(place)
    how_long = next((value for name, value in groups.items() if value and name.endswith("how")), "")
    return None if zone is None else Journey(zone, how_long)


def _read_return(text: str) -> Journey | None:
    match = _CAME_BACK.match(text)
    if match is None:
        return None
    place = next(((name, value) for name, value in match.groupdict().items() if value), ("", ""))
    if place[0].startswith("home"):
        return Journey("", "", in_passing=True)
    zone = places.zone_named(place[1])
    return None if zone is None else Journey(zone, "", in_passing=True)


async def arrived(journey: Journey, hand: Hand) -> Said | None:
    """Take the person to be there, until the time that was said; None where that is nothing new."""
    zone = journey.zone or hand.look.at.home
    if not zone or (journey.in_passing and zone == hand.here.zone):
        return None
    there = wishes.here(hand.now, zone, hand.here.default_hour)
    until = _until(journey.how_long, there)
    await hand.store.write(whereabouts.put, hand.asked.person_id, zone, hand.now, until)
    return told(zone, hand, until)


def told(zone: str, hand: Hand, until: datetime | None = None) -> Said:
    """Which zone is taken, and what clocks show there."""
    values = {"zone": places.label(zone, hand.now), "time": wording.said_clock(zone, hand.now)}
    if until is None:
        return Said(hand.voice.say("zone", **values))
    last = wording.said_moment(until, zone, hand.voice.locale)
    return Said(hand.voice.say("zone_until", until=last, **values))


def _until(how_long: str, there: wishes.Here) -> datetime | None:
    """The end of a stay; None for one without an end."""
    if not how_long or _NOW.search(how_long):
        return None
    midnight = there.wall.replace(hour=0, minute=0, second=0)
    if _TODAY.search(how_long):
        return moment_of(midnight + timedelta(days=1), there.tz)
    reading = read(how_long, there.wall, None, there.tz)
    if reading.kind == "once" and reading.at is not None and not _WEEK.search(how_long):
        day = reading.at.date() if isinstance(reading.at, datetime) else reading.at
        return moment_of(datetime(day.year, day.month, day.day) + timedelta(days=1), there.tz)  # noqa: DTZ001
    days = _WEEK_DAYS - there.wall.weekday() + (_WEEK_DAYS if "next" in how_long else 0)
    return moment_of(midnight + timedelta(days=days), there.tz)
