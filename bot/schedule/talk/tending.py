"""What is done with the tasks that a person has, by words and by commands."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Literal

from bot.errors import Conflict, InputError, NotFound
from bot.schedule.intent import time_of
from bot.schedule.jobs import Job, snooze_until
from bot.schedule.talk import drafts, orders, wording
from bot.schedule.talk.drafts import Draft
from bot.schedule.talk.hand import Hand
from bot.schedule.talk.making import put
from bot.schedule.talk.orders import Act, Order
from bot.schedule.talk.replies import new_time
from bot.schedule.talk.wish import Timed, timed
from bot.schedule.talk.wording import Said

MOST_CHOICES = 8
_SNOOZES: Mapping[str, Literal["10m", "1h", "tomorrow"]] = {"10m": "10m", "1h": "1h", "tomorrow": "tomorrow"}


async def obey(order: Order, hand: Hand) -> Said | None:
    """Do what is wanted with a task; None where there is none that it can be about."""
    if order.act == "list":
        return wording.listed(await hand.jobs.page(hand.scope), hand.voice)
    if order.job_id:
        return await act_on_id(order, hand)
    fired = hand.look.fired
    if order.pointing and (fired is not None or not order.noun):
        return None if fired is None else await _act(order, fired, hand, sure=False)
    if order.act in {"snooze", "done"}:
        return None
    found = orders.meant(order, await hand.jobs.page(hand.scope))
    if not order.noun and not (found and _says_time(order, found[0], hand)):
        return None
    if len(found) == 1:
        return await _act(order, found[0], hand, sure=False)
    if not found:
        return Said(hand.voice.say("none" if order.pointing else "no_such"))
    shown = found[:MOST_CHOICES]
    data = {"act": order.act, "time": order.time, "jobs": [job.id for job in shown]}
    draft = await put(hand, "pick", data)
    return wording.pick(shown, draft.code, hand.voice)


def _says_time(order: Order, job: Job, hand: Hand) -> bool:
    """Whether a change names a time; "change the topic to politics" is talk."""
    if order.act != "change":
        return True
    try:
        return (
            new_time(job.plan, order.time, hand.here_for(job.plan), hand.inbound.locale or None) is not None
        )
    except InputError:
        return True


def _another_time(order: Order, job: Job, hand: Hand) -> Timed | None:
    return new_time(job.plan, order.time, hand.here_for(job.plan), hand.inbound.locale or None)


async def picked(draft: Draft, number: int, hand: Hand) -> Said | None:
    """The task that was meant was chosen; None where there is none of that number."""
    ids = draft.data["jobs"]
    if not 1 <= number <= len(ids):
        return None
    if not await hand.store.write(drafts.settle, draft, "confirmed"):
        return Said(hand.voice.say("settled"))
    order = Order(draft.data["act"], job_id=ids[number - 1], time=draft.data["time"])
    return await act_on_id(order, replace(hand, look=replace(hand.look, draft=None)), sure=True)


async def act_on_id(order: Order, hand: Hand, *, sure: bool = True) -> Said:
    """Do something with the task of an id. `sure`: it was named exactly, so a deletion is not "
    "asked about."""
    try:
        job = await hand.jobs.get(hand.scope, order.job_id)
        return await _act(order, job, hand, sure=sure)
    except NotFound:
        return Said(hand.voice.say("no_such"))


async def _act(order: Order, job: Job, hand: Hand, *, sure: bool) -> Said:
    try:
        if order.act == "change":
            return await _ask_change(order, job, hand)
        if order.act == "snooze":
            return await _snooze(order, job, hand)
        if order.act == "delete" and not sure:
            draft = await put(hand, "delete", {"job": job.id})
            return wording.ask_delete(job, draft.code, hand.voice)
        return await _ACTS[order.act](job, hand)
    except InputError:
        return Said(hand.voice.say("past"))
    except Conflict:
        key = "is_paused" if order.act == "snooze" else "passed"
        return Said(hand.voice.say(key))


async def _delete(job: Job, hand: Hand) -> Said:
    await hand.jobs.remove(hand.scope, job.id)
    return Said(hand.voice.say("deleted", text=wording.short(job.text)))


async def _pause(job: Job, hand: Hand) -> Said:
    await hand.jobs.pause(hand.scope, job.id)
    row = ((hand.voice.button("resume", f"resume {job.id}"), hand.voice.button("delete", f"del {job.id}")),)
    return Said(hand.voice.say("paused", text=wording.short(job.text), id=job.id), row)


async def _resume(job: Job, hand: Hand) -> Said:
    job = await hand.jobs.resume(hand.scope, job.id)
    when = wording.said_moment(job.next_due, job.plan.zone, hand.voice.locale) if job.next_due else "–"
    return Said(hand.voice.say("resumed", text=wording.short(job.text), time=when))


async def _run(job: Job, hand: Hand) -> Said:
    await hand.jobs.run_now(hand.scope, job.id)
    return Said(hand.voice.say("ran", text=wording.short(job.text)))


async def _done(job: Job, hand: Hand) -> Said:
    await hand.jobs.done(hand.scope, job.id)
    return Said(hand.voice.say("done"))


_ACTS: Mapping[Act, Callable[[Job, Hand], Awaitable[Said]]] = {
    "delete": _delete,
    "pause": _pause,
    "resume": _resume,
    "run": _run,
    "done": _done,
}


async def _snooze(order: Order, job: Job, hand: Hand) -> Said:
    """Remind again: after one of the lengths of the buttons, or at a time in words; else in ten minutes."""
    reading = time_of(order.time, hand.asking)
    if order.time in _SNOOZES:
        until = snooze_until(job, _SNOOZES[order.time], hand.now)
    elif reading.kind == "once" and reading.refused is None:
        found = timed(reading, order.time, hand.here).plan.at
        until = found or snooze_until(job, "10m", hand.now)
    else:
        until = snooze_until(job, "10m", hand.now)
    await hand.jobs.snooze(hand.scope, job.id, until)
    return Said(hand.voice.say("snoozed", time=wording.said_moment(until, hand.here.zone, hand.voice.locale)))


async def _ask_change(order: Order, job: Job, hand: Hand) -> Said:
    """Ask whether a task is to be at another time; without a time ask for it."""
    found = _another_time(order, job, hand) if order.time else None
    if found is None:
        return Said(hand.voice.say("say_change" if not order.time else "not_read"))
    data = {
        "job": job.id,
        "plan": drafts.dump_plan(found.plan),
        "others": [drafts.dump_plan(plan) for plan in found.others],
    }
    draft = await put(hand, "change", data)
    return wording.ask_change(job, found.plan, found.others, draft.code, hand.voice, hand.now)
