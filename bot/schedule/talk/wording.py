"""What is said about wishes for later, and the buttons under it. Their data are commands."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from bot.delivery.buttons import Button, Rows
from bot.i18n.catalogue import translate
from bot.schedule import plan as plans
from bot.schedule.clock_changes import touched
from bot.schedule.jobs import Job
from bot.schedule.plan import Plan
from bot.schedule.talk import places
from bot.schedule.talk.wish import Wish
from bot.schedule.when.describe import describe, describe_time
from bot.schedule.when.reading import Reading
from bot.schedule.zones import kept_zone, wall_of, zone_of

FIRINGS = 3
MAX_LINE = 80
# What was assumed is said where it may well be wrong.
_SAID = (
    "part-hour",
    "no-hour",
    "week",
    "day-order",
    "amount",
    "zone",
    "ordinal",
    "hemisphere",
    "hour",
    "lunar",
    "skipped",
)
_COMMAND = "/task"


@dataclass(frozen=True, slots=True)
class Said:
    """What the bot says; `remember`: it is part of what was talked about."""

    text: str
    buttons: Rows = ()
    remember: bool = False


@dataclass(frozen=True, slots=True)
class Voice:
    """In which language, and whether buttons can be pressed there: else they are said in words."""

    locale: str
    buttons: bool

    def say(self, key: str, **values: object) -> str:
        """A text of the section `task`."""
        return translate(f"task.{key}", self.locale, **values)

    def button(self, key: str, data: str, **values: object) -> Button:
        """A button that stands for a command."""
        return Button(self.say(f"button_{key}", **values), f"{_COMMAND} {data}")


def said_plan(plan: Plan, locale: str) -> str:
    """When it fires, in words: a day and an hour with their month, or a recurrence."""
    if plan.at is not None:
        return describe_time(wall_of(plan.at, kept_zone(plan.zone)), locale)
    if plan.cron:
        return translate("task.cron", locale, cron=plan.cron)
    reading = Reading("recurring", rrule=plans.in_full(plan), excluded=plan.excluded, exrule=plan.exrule)
    return describe(reading, locale)


def said_moment(moment: datetime, zone: str, locale: str) -> str:
    """A moment as clocks in a zone show it, in words."""
    return describe_time(wall_of(moment, zone_of(zone)), locale)


def ask(wish: Wish, code: str, voice: Voice, now: datetime, notes: Sequence[str] = ()) -> Said:
    """The draft: what was understood, and is it right?"""
    kind = "ask_agent" if wish.kind == "agent" else "ask_for" if wish.for_name else "ask"
    lines = [*notes, voice.say(kind, name=wish.for_name), f"📝 {wish.text}"]
    lines.append(f"🕔 {said_plan(wish.plan, voice.locale)} ({places.label(wish.plan.zone, now)})")
    lines += _firings(wish.plan, now, voice)
    lines += clock_changes(wish.plan, now, voice)
    lines += [voice.say(f"assumed_{name.replace('-', '_')}") for name in _SAID if name in wish.assumed]
    rows: list[tuple[Button, ...]] = [_decide(code, voice)]
    for number, other in enumerate(wish.others, 1):
        label = _distinct(wish.plan, other, voice)
        rows.append((Button(f"🕔 {label}", f"{_COMMAND} alt {code} {number}"),))
        if not voice.buttons:
            lines.append(voice.say("or", number=number + 1, time=label))
    if not voice.buttons:
        lines.append(voice.say("answer"))
    return Said("\n".join(lines), tuple(rows), remember=True)


def ask_all(
    wishes: Sequence[Wish], code: str, voice: Voice, now: datetime, notes: Sequence[str] = ()
) -> Said:
    """The draft of one wish, or of several that one message held: one answer decides about all."""
    if len(wishes) == 1:
        return ask(wishes[0], code, voice, now, notes)
    lines = [*notes, voice.say("ask_all", n=len(wishes))]
    for number, wish in enumerate(wishes, 1):
        text = f"{wish.for_name}: {wish.text}" if wish.for_name else wish.text
        lines += ["", f"{number}. {'🤖' if wish.kind == 'agent' else '📝'} {text}"]
        lines.append(f"🕔 {said_plan(wish.plan, voice.locale)} ({places.label(wish.plan.zone, now)})")
        lines += _firings(wish.plan, now, voice)
        lines += clock_changes(wish.plan, now, voice)
        lines += [voice.say(f"assumed_{name.replace('-', '_')}") for name in _SAID if name in wish.assumed]
    if not voice.buttons:
        lines += ["", voice.say("answer")]
    return Said("\n".join(lines), (_decide(code, voice),), remember=True)


def _decide(code: str, voice: Voice) -> tuple[Button, ...]:
    return tuple(voice.button(name, f"{name} {code}") for name in ("yes", "change", "no"))


def _firings(plan: Plan, now: datetime, voice: Voice) -> list[str]:
    if plan.at is not None:
        return []
    found = islice(plans.moments(plan, now), FIRINGS)
    times = [f"  • {said_moment(moment, plan.zone, voice.locale)}" for moment in found]
    return [voice.say("next"), *times]


def clock_changes(plan: Plan, now: datetime, voice: Voice) -> list[str]:
    """A line on the next night whose changing clocks skip the hour, or show it twice."""
    found = touched(plan, now)
    if found is None:
        return []
    time = said_moment(found.at, plan.zone, voice.locale)
    return [voice.say(f"clock_{found.how}", hour=f"{found.wall:%H:%M}", time=time)]


def _distinct(plan: Plan, other: Plan, voice: Voice) -> str:
    """How another reading differs: only its hour, where that is all."""
    if plan.at is None or other.at is None:
        return said_plan(other, voice.locale)
    zone = zone_of(plan.zone)
    one, two = wall_of(plan.at, zone), wall_of(other.at, zone)
    return two.strftime("%H:%M") if one.date() == two.date() else said_plan(other, voice.locale)


def line(job: Job, voice: Voice) -> str:
    """One job in a list."""
    mark = "⏸" if job.state == "paused" else "🤖" if job.kind == "agent" else "🔔"
    text = short(f"{job.for_name}: {job.text}" if job.for_name else job.text)
    when = said_plan(job.plan, voice.locale)
    if job.snoozed_until is not None:
        again = said_moment(job.snoozed_until, job.plan.zone, voice.locale)
        when = f"{when}; ⏰ {again}" if job.plan.is_recurring else f"⏰ {again}"
    return f"{mark} {text}\n    {when} · {job.id}"


def short(text: str) -> str:
    """A text in one line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= MAX_LINE else flat[: MAX_LINE - 1] + "…"


def listed(jobs: Sequence[Job], voice: Voice) -> Said:
    """The open jobs of a person."""
    if not jobs:
        return Said(voice.say("none"))
    lines = [voice.say("list", n=len(jobs)), *(line(job, voice) for job in jobs)]
    return Said("\n".join([*lines, "", voice.say("list_hint")]))


def pick(jobs: Sequence[Job], code: str, voice: Voice) -> Said:
    """Which of several jobs is meant."""
    lines = [voice.say("which")]
    if not voice.buttons:
        lines += [
            f"{number}: {short(job.text)} – {said_plan(job.plan, voice.locale)}"
            for number, job in enumerate(jobs, 1)
        ]
    rows = tuple(
        (
            Button(
                f"{short(job.text)[:40]} · {said_plan(job.plan, voice.locale)}",
                f"{_COMMAND} pick {code} {number}",
            ),
        )
        for number, job in enumerate(jobs, 1)
    )
    return Said("\n".join(lines), (*rows, (voice.button("none", f"no {code}"),)))


def ask_delete(job: Job, code: str, voice: Voice) -> Said:
    """Whether a job that was meant in words is to go."""
    lines = [voice.say("ask_delete", text=short(job.text), time=said_plan(job.plan, voice.locale))]
    row = [voice.button("delete", f"yes {code}")]
    if job.plan.is_recurring and job.state == "active":
        row.append(voice.button("pause", f"pause {job.id}"))
    row.append(voice.button("keep", f"no {code}"))
    if not voice.buttons:
        lines.append(voice.say("answer_yes_no"))
    return Said("\n".join(lines), (tuple(row),))


def ask_change(job: Job, plan: Plan, others: Sequence[Plan], code: str, voice: Voice, now: datetime) -> Said:
    """Whether a job is to be at another time."""
    lines = [
        voice.say("ask_change", text=short(job.text)),
        f"🕔 {said_plan(job.plan, voice.locale)}",
        f"→ {said_plan(plan, voice.locale)} ({places.label(plan.zone, now)})",
        *_firings(plan, now, voice),
    ]
    rows: list[tuple[Button, ...]] = [(voice.button("yes", f"yes {code}"), voice.button("no", f"no {code}"))]
    for number, other in enumerate(others, 1):
        label = _distinct(plan, other, voice)
        rows.append((Button(f"🕔 {label}", f"{_COMMAND} alt {code} {number}"),))
        if not voice.buttons:
            lines.append(voice.say("or", number=number + 1, time=label))
    if not voice.buttons:
        lines.append(voice.say("answer_yes_no"))
    return Said("\n".join(lines), tuple(rows))


def ask_zone(code: str, voice: Voice, zones: Sequence[str], now: datetime) -> Said:
    """Where the person is, with the zones that are likely."""
    rows = tuple(
        (Button(f"{name(zone)} · {said_clock(zone, now)}", f"{_COMMAND} zone {code} {zone}"),)
        for zone in zones
    )
    return Said(voice.say("ask_zone"), rows)


def name(zone: str) -> str:
    """A zone without its continent."""
    return zone.rsplit("/", 1)[-1].replace("_", " ")


def said_clock(zone: str, now: datetime) -> str:
    """What clocks show there."""
    return wall_of(now, zone_of(zone)).strftime("%H:%M")


def added(job: Job, voice: Voice, now: datetime) -> Said:
    """That a job is kept."""
    when = said_plan(job.plan, voice.locale)
    lines = [voice.say("added", text=short(job.text), time=when, zone=places.label(job.plan.zone, now))]
    if job.plan.is_recurring and job.next_due is not None:
        lines.append(voice.say("first", time=said_moment(job.next_due, job.plan.zone, voice.locale)))
    lines.append(voice.say("added_hint", id=job.id))
    return Said("\n".join(lines), ((voice.button("delete", f"del {job.id}"),),))


def added_all(jobs: Sequence[Job], voice: Voice, now: datetime) -> Said:
    """That the jobs of one message are kept, each with its own button."""
    if len(jobs) == 1:
        return added(jobs[0], voice, now)
    row = tuple(
        Button(f"{voice.say('button_delete')} {number}", f"{_COMMAND} del {job.id}")
        for number, job in enumerate(jobs, 1)
    )
    return Said("\n\n".join(added(job, voice, now).text for job in jobs), (row,))
