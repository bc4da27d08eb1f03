"""What people answer to a draft: yes, no, a number, or a correction in words."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Literal

from bot.errors import InputError
from bot.schedule import plan as plans
from bot.schedule.plan import Plan
from bot.schedule.talk.apart import says_only_a_clock
from bot.schedule.talk.wish import Here, Timed, Wish, lacks_hour, timed
from bot.schedule.when.read import read
from bot.schedule.when.reading import DAY_CODES, Reading, join_rule, split_rule
from bot.schedule.zones import wall_of
from bot.text.lazy import Pattern

_MAX_CHARS = 160
_MARKS = " \t\r\n.,!?;:，。！？；：、؟،।👍✅❌🙏"


def _phrases(text: str) -> frozenset[str]:
    return frozenset(text.split("|"))


_YES = _phrases(
    "yes|y|yep|yeah|yup|ya|sure|ok|okay|k|confirm|confirmed|correct|right|that's right|thats "
    "right|go ahead|do it|perfect|great"
    "|yes please|please do|sounds good|looks "
    "good|fine|good|exactly|确认|确定|是|是的|对|对的|好|好的|好啊|好吧|可以|行|嗯|没错|没问题"
    "|就这样|可|ok的|sí|si|vale|claro|de acuerdo|confirmo|confirmar|correcto|perfecto|está "
    "bien|bien|نعم|أجل|ايوه|أيوه|تمام"
    "|موافق|أكد|صحيح|حسنا|حسناً|हाँ|हां|हा|जी|जी हाँ|ठीक है|ठीक|सही|पक्का|बिल्कुल|अच्छा"
)
_NO = _phrases(
    "no|n|nope|nah|cancel|stop|cancel it|no thanks|no thank you|never mind|nevermind|forget "
    "it|don't|dont|abort|取消|不用了|不用"
    "|算了|不|不要|不了|别|不需要|不必|no "
    "gracias|cancelar|cancela|cancélalo|déjalo|olvídalo|لا|إلغاء|الغاء|ألغ|الغي|لا شكرا"
    "|नहीं|नही|ना|रद्द|रद्द करो|रहने दो|मत करो|छोड़ो"
)
_CHANGE = _phrases(
    "change|change it|edit|edit it|modify|修改|改|改一下|改改|更改|cambiar|cambia|cámbialo|editar"
    "|تغيير|غيّر|غير"
    "|تعديل|बदलो|बदलें|बदल दो"
)
_EMOJI: Mapping[str, Literal["yes", "no"]] = {"👍": "yes", "✅": "yes", "👌": "yes", "❌": "no", "👎": "no"}
_NUMBER = Pattern(r"(?:option |第|选)?([1-9])(?:个)?")

# How corrections begin and end; what is left is the time that is meant.
_LEAD = Pattern(
    r"^(?:(?:no|nope|sorry|oops|wait|hm+|please|actually|rather|better|i meant?|i said|make (?:it"
    r"|that)|change (?:it|that)?"
    r"(?: to)?|move (?:it|that)?(?: to)?|set it (?:to|for)|let'?s (?:say|do)|it should be|should be"
    r"|it'?s|can (?:you|we)|not"
    r" (?:on |at )?[\w:]+(?: ?[ap]m)?(?=[,;.]| but| - )|but|to|that|instead|do)\b[\s,;:.-]*"
    r"|不对|不是[^,，。]{0,8}[,，]|不是(?!$)|不[,，]|错了|说错了|改成|改到|改为|改|换成|换到|换"
    r"|应该是|应该|要|还是|那就|就|我是说|我的意思是"
    r"|等等|是|在|请|把时间|把它|时间|[,，\s]"
    r"|(?:no|perd[oó]n|mejor|c[aá]mbia(?:lo|la)?|p[oó]n(?:lo|la)|que sea|quise decir|a[lh]?"
    r"|en lugar)\b[\s,]*"
    r"|(?:لا|بل|غيرها|غيره|اجعلها|اجعله|أقصد|اقصد|إلى|الى)(?=\s)\s*"
    r"|(?:नहीं|नही|बदलकर|बदल कर|मतलब|इसे|इसको)(?=[\s,])[\s,]*)+",
    re.IGNORECASE,
)
_TAIL = Pattern(
    r"(?:[\s,]*(?:instead|please|rather|then|thanks?|better|吧|好了|呢|了|por favor|mejor"
    r"|بدلا من ذلك|من فضلك"
    r"|कर दो|करो|कर दीजिए|कीजिए|रखो))+$",
    re.IGNORECASE,
)
_BARE = Pattern(r"(\d{1,2})(?:[:.：](\d{2}))?\s*(?:点|h|बजे)?")
_TEXT = Pattern(
    r"^(?:call it|say|the text (?:is|should be)|text:|it'?s about|name it|rename (?:it )?to"
    r"|内容(?:是|改成|改为|换成)?[:：]?"
    r"|文字改成|el texto es|ll[aá]malo|النص)\s*(.+)$",
    re.IGNORECASE | re.DOTALL,
)
_DAYS = Pattern("BYDAY=[^;]*,")


def plain_answer(text: str) -> Literal["yes", "no", "change"] | int | None:
    """A yes, a no, a wish to change what was asked about, or the number of a choice; None for all else."""
    if text.strip() in _EMOJI:
        return _EMOJI[text.strip()]
    said = " ".join(text.lower().replace("\u2019", "'").split()).strip(_MARKS)
    if said in _YES:
        return "yes"
    if said in _NO:
        return "no"
    if said in _CHANGE:
        return "change"
    number = _NUMBER.fullmatch(said)
    return int(number[1]) if number else None


# Which of several wishes is meant: "the second one at 6", 第二个改成六点, "#2 at 6".
_ORDINALS: tuple[tuple[int, str], ...] = (
    (0, r"last|最后一|últim[oa]|الأخيرة?|आख़?िरी"),
    (1, r"first|1st|第[一1]|#1|primer[oa]?|الأول[ىي]?|पहल[ाेी]"),
    (2, r"second|2nd|第[二两2]|#2|segund[oa]|الثانية?|दूसर[ाेी]"),
    (3, r"third|3rd|第[三3]|#3|tercer[oa]?|الثالثة?|तीसर[ाेी]"),
    (4, r"fourth|4th|第[四4]|#4|cuart[oa]|الرابعة?|चौथ[ाेी]"),
    (5, r"fifth|5th|第[五5]|#5|quint[oa]|الخامسة?|पाँचव[ाेी]|पांचव[ाेी]"),
)
_MEANT = Pattern(
    r"[^\w#]*(?:(?:make|change|move|set|put|no|and|actually|cambia|pon)\b[\s,]*|把\s*)*(?:the\s|el\s|la\s)?\s*"
    rf"(?:{'|'.join(f'(?P<n{number}>{words})' for number, words in _ORDINALS)})"
    r"(?:\s*[个条件])?(?:\s+(?:one|reminder|task|alarm|वाला|वाली)\b)?(?:\s*(?:to|should be|is)\b|\s*:)?",
    re.IGNORECASE,
)


def meant_of(text: str, count: int) -> tuple[int, str] | None:
    """Which of `count` wishes a correction is about, from 0, and the rest of it; None where it says none."""
    found = _MEANT.match(text) if len(text) <= _MAX_CHARS else None
    if found is None:
        return None
    number = next(number for number, _ in _ORDINALS if found[f"n{number}"] is not None) or count
    return (number - 1, text[found.end() :].strip()) if number <= count else None


def corrected(
    wish: Wish, text: str, here: Here, lang: str | None, *, day_first: bool | None = None
) -> Wish | None:
    """The wish as a correction in words changes it; None where the words are no correction.

    Raises `InputError` where they say a time that can't be.
    """
    if len(text) > _MAX_CHARS:
        return None
    renamed = _TEXT.match(text.strip())
    if renamed:
        return replace(wish, text=renamed[1].strip(_MARKS), said=text)
    found = new_time(wish.plan, text, here, lang, day_first=day_first)
    return None if found is None else wish.with_time(found)


def new_time(
    before: Plan, text: str, here: Here, lang: str | None, *, day_first: bool | None = None
) -> Timed | None:
    """The time that a correction says, with what it leaves as it was; None where it is none."""
    core = _TAIL.sub("", _LEAD.sub("", text.strip()))
    reading = _reading(core, here, lang, day_first)
    if before.is_recurring and reading.kind != "recurring":
        every = f"每{core}" if any(char > "\u3400" for char in core) else f"every {core}"
        again = _reading(every, here, lang, day_first)
        if reading.kind == "none" or _DAYS.search(again.rrule or ""):  # "weekdays", 工作日; "Tue and Thu"
            core, reading = every, again
    if reading.refused is not None:
        raise InputError(f"this is no time to come: {reading.refused}", field="text")
    if reading.kind == "none" or not _is_all_time(core, reading):
        return None
    if reading.kind == "once" and _is_clock(core, here, lang):
        return _at_hours(before, reading, here)
    if lacks_hour(reading):
        return _on_days(before, reading, here)
    return timed(reading, core, here)


def _reading(core: str, here: Here, lang: str | None, day_first: bool | None) -> Reading:
    bare = _BARE.fullmatch(core.strip(_MARKS))
    if bare is not None and int(bare[1]) < 24:
        return read(f"at {bare[1]}:{bare[2] or '00'}", here.wall, "en", here.tz)
    return read(core, here.wall, lang, here.tz, day_first)


def _is_all_time(core: str, reading: Reading) -> bool:
    """Whether hardly anything but the time was said: else it is talk of its own."""
    start, end = reading.span
    rest = core[:start] + " " + core[end:]
    if _BARE.fullmatch(core.strip(_MARKS)):
        return True
    return len(re.sub(r"\W+", "", rest)) <= max(6, (end - start) // 2)


def _is_clock(core: str, here: Here, lang: str | None) -> bool:
    """Whether only a time of day was said: late in the day it means tomorrow's."""
    if _BARE.fullmatch(core.strip(_MARKS)):
        return True
    return says_only_a_clock(here.wall, lambda now: read(core, now, lang, here.tz))


def _at_hours(before: Plan, reading: Reading, here: Here) -> Timed:
    """The same days at another hour; the literal one first."""
    hours = sorted(one.at for one in (reading, *reading.alternatives) if isinstance(one.at, datetime))
    hours.sort(key=lambda at: (at.hour, at.minute))
    made = []
    for at in hours:
        if before.at is not None:
            wall = wall_of(before.at, here.tz).replace(hour=at.hour, minute=at.minute, second=0)
            plan = plans.once(wall, here.zone)
            if plan.at is not None and plan.at <= here.now:
                plan = plans.once(wall + timedelta(days=1), here.zone)
        else:
            plan = _with_hour(before, at.hour, at.minute)
        made.append(plan)
    return Timed(made[0], tuple(plan for plan in dict.fromkeys(made[1:]) if plan != made[0]), reading.assumed)


def _with_hour(plan: Plan, hour: int, minute: int) -> Plan:
    """A recurrence at another hour of its days, once on each."""
    if plan.cron:
        rest = plan.cron.split(maxsplit=2)[2]
        return plans.by_cron(f"{minute} {hour} {rest}", plan.zone)
    if "FREQ=DAILY" in plan.rrule and "BYSETPOS" in plan.rrule:  # these chose some of many hours
        kept = [part for part in plan.rrule.split(";") if not part.startswith("BYSETPOS=")]
        plan = replace(plan, rrule=";".join(kept))
    return _ruled(plan, {"BYHOUR": str(hour), "BYMINUTE": str(minute)})


def _ruled(plan: Plan, changes: Mapping[str, str]) -> Plan:
    parts = split_rule(plan.rrule)
    if parts["FREQ"] in {"HOURLY", "MINUTELY"}:
        raise InputError("this comes several times a day; say the whole time anew", field="text")
    parts |= changes
    assert plan.start is not None
    rule = join_rule(parts)
    return plans.by_rule(
        rule, plan.zone, plan.start.replace(hour=0, minute=0, second=0), plan.excluded, plan.exrule
    )


def _on_days(before: Plan, reading: Reading, here: Here) -> Timed:
    """Other days at the same hour."""
    if reading.kind == "recurring":
        return _again(before, reading, here)
    assert reading.at is not None
    if before.at is not None:
        clock = wall_of(before.at, here.tz).time()
        days = [one.at for one in (reading, *reading.alternatives) if one.at is not None]
        made = [plans.once(datetime.combine(day, clock), here.zone) for day in days]
        coming = [plan for plan in made if plan.at is not None and plan.at > here.now]
        if not coming:
            raise InputError("this time has passed", field="text")
        return Timed(coming[0], tuple(coming[1:]), reading.assumed)
    if "FREQ=WEEKLY" in before.rrule:
        moved = _ruled(before, {"BYDAY": DAY_CODES[reading.at.weekday()]})
        if "INTERVAL=" in before.rrule:  # the day says which of the weeks are meant, too
            start = datetime.combine(reading.at, time())
            moved = plans.by_rule(moved.rrule, moved.zone, start, moved.excluded, moved.exrule)
        return Timed(moved)
    parts = split_rule(before.rrule)
    hour, minute = int(parts.get("BYHOUR", "9").split(",")[0]), int(parts.get("BYMINUTE", "0").split(",")[0])
    once = datetime(reading.at.year, reading.at.month, reading.at.day, hour, minute)  # noqa: DTZ001 - on the wall
    return Timed(plans.once(once, here.zone), (), reading.assumed)


def _again(before: Plan, reading: Reading, here: Here) -> Timed:
    """Days that come again, at the hours that were said before."""
    if before.at is not None:
        wall = wall_of(before.at, here.tz)
        hour, minute = str(wall.hour), str(wall.minute)
    else:
        parts = split_rule(before.rrule)
        hour, minute = parts.get("BYHOUR", str(here.default_hour)), parts.get("BYMINUTE", "0")
        if parts.get("FREQ") == "DAILY" and "BYSETPOS" in parts:
            return timed(
                replace(reading, rrule=_with_window(reading.rrule or "", parts), alternatives=()), "", here
            )
    rule = f"{reading.rrule};BYHOUR={hour};BYMINUTE={minute}"
    return timed(replace(reading, rrule=rule, alternatives=()), "", here)


def _with_window(rule: str, before: Mapping[str, str]) -> str:
    """Other days of what comes several times on each: days of the week narrow a daily rule."""
    parts = split_rule(rule)
    if parts["FREQ"] == "WEEKLY" and "INTERVAL" not in parts and "BYDAY" in parts:
        parts["FREQ"] = "DAILY"
    if parts["FREQ"] != "DAILY":
        raise InputError("this comes several times a day; say the whole time anew", field="text")
    parts |= {name: before[name] for name in ("BYHOUR", "BYMINUTE", "BYSETPOS")}
    return join_rule(parts)
