"""From a wish to a job: the draft, the answer to it, and the job."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from bot.errors import Conflict, InputError, NotFound
from bot.schedule import jobs as store
from bot.schedule.intent import Intent, judge
from bot.schedule.intent_hints import is_timed
from bot.schedule.jobs import Job, JobChanges, JobDraft, Scope
from bot.schedule.talk import drafts, orders, places, whereabouts, wording
from bot.schedule.talk import wish as wishes
from bot.schedule.talk.apart import apart
from bot.schedule.talk.drafts import Asked, Draft, Kind, State
from bot.schedule.talk.hand import Hand
from bot.schedule.talk.orders import Order
from bot.schedule.talk.replies import corrected, meant_of, new_time
from bot.schedule.talk.wish import Wish, content, wish_of
from bot.schedule.talk.wording import Said
from bot.schedule.when.read import read

# A zone that lies far from most others: where a time is the same moment there, the zone does not matter.
_ELSEWHERE = ("Pacific/Auckland", "America/Los_Angeles")


async def wished(intent: Intent, hand: Hand) -> Said:
    """Answer a wish: with its draft, or with what is still to be known."""
    if intent.reading.refused is not None:
        return Said(hand.voice.say("impossible" if intent.reading.refused == "impossible" else "past"))
    if intent.reading.kind == "none":
        read_by_model = await _read_by_model(intent, hand)
        if read_by_model is None:
            return await _ask_when(intent, hand)
        return await show(read_by_model, hand)
    parts = apart(intent, hand.asking)
    try:
        found = [wish_of(part, hand.here) for part in parts]
    except InputError:
        return Said(hand.voice.say("past"))
    for part, wish in zip(parts, found, strict=True):
        if await _must_ask_zone(part, wish, hand):
            return await _ask_zone(intent, hand)
    return await show_all([_named(wish, hand) for wish in found], hand)


async def _read_by_model(intent: Intent, hand: Hand) -> Wish | None:
    """A wish whose time only a model could read; the words stay whole, for the time stands in them."""
    if hand.model is None or not is_timed(intent.text):
        return None
    reading = await hand.model.read(intent.text, hand.here, hand.asked.run_id)
    try:
        found = wishes.timed(reading, "", hand.here)
    except InputError:
        return None
    kind, text, name = content(intent)
    return _named(Wish(text, found.plan, kind, name, found.assumed, found.others, intent.text), hand)


def _named(wish: Wish, hand: Hand) -> Wish:
    """A wish that says nothing but its time is for that time."""
    return wish if wish.text else replace(wish, text=hand.voice.say("default_text"))


async def show(wish: Wish, hand: Hand) -> Said:
    """Ask whether a wish was understood."""
    return await show_all([wish], hand)


async def show_all(found: Sequence[Wish], hand: Hand) -> Said:
    """Ask whether the wishes of a message were understood, all at once.

    Without that keep them, where the operator wants it so.
    """
    if not hand.settings.confirm:
        try:
            jobs = await hand.transact(_keep_jobs, [_job_draft(wish, hand) for wish in found], hand)
        except InputError:
            return Said(hand.voice.say("passed"))
        except Conflict:
            return Said(hand.voice.say("too_many", n=hand.jobs.settings.most))
        return wording.added_all(jobs, hand.voice, hand.now)
    notes = (
        [hand.voice.say("replaced")]
        if hand.look.draft is not None and hand.look.draft.state == "open"
        else []
    )
    if not hand.zone_is_known and not await hand.jobs.page(hand.scope):  # a task that was kept agreed to it
        notes.append(hand.voice.say("zone_taken", zone=places.label(hand.here.zone, hand.now)))
    draft = await put(hand, "create", wishes.dump_all(found))
    return wording.ask_all(found, draft.code, hand.voice, hand.now, notes)


async def put(hand: Hand, kind: Kind, data: Mapping[str, Any], state: State = "open") -> Draft:
    """Keep a question to the person."""
    return await hand.store.write(drafts.put, hand.asked, kind, data, hand.now, state=state)


async def _ask_when(intent: Intent, hand: Hand) -> Said:
    kind, text, name = content(intent)
    await put(hand, "when", {"text": text, "kind": kind, "for": name, "said": intent.text})
    return Said(hand.voice.say("when", text=text) if text else hand.voice.say("when_bare"), remember=True)


async def _must_ask_zone(intent: Intent, wish: Wish, hand: Hand) -> bool:
    asks = hand.settings.asks_zone and hand.voice.buttons  # channels with buttons tell no zone
    if not asks or hand.zone_is_known or hand.look.at.asked:
        return False
    elsewhere = next(zone for zone in _ELSEWHERE if zone != hand.here.zone)
    there = wishes.here(hand.now, elsewhere, hand.here.default_hour)
    same = judge(intent.text, replace(hand.asking, now=there.wall, zone=there.tz))
    try:
        return wish.plan.at is None or wish_of(same, there).plan.at != wish.plan.at
    except InputError:
        return True


async def _ask_zone(intent: Intent, hand: Hand) -> Said:
    draft = await hand.store.write(_note_zone_asked, hand.asked, intent.text, hand.now)
    zones = places.likely(hand.inbound.locale, hand.settings.zone)
    return wording.ask_zone(draft.code, hand.voice, zones, hand.now)


def _note_zone_asked(conn: Connection, asked: Asked, text: str, now: datetime) -> Draft:
    whereabouts.note_asked(conn, asked.person_id, now)
    return drafts.put(conn, asked, "zone", {"text": text}, now)


async def zone_chosen(draft: Draft, zone: str, hand: Hand) -> Said:
    """The person said where they are: what they wished is read there."""
    await hand.store.write(_settle_zone, draft, zone, hand.now)
    there = wishes.here(hand.now, zone, hand.here.default_hour)
    at = whereabouts.Whereabouts(zone, asked=True)
    moved = replace(hand, here=there, look=replace(hand.look, at=at, draft=None))
    text = draft.data["text"]
    return await wished(as_wish(text, moved), moved)


def _settle_zone(conn: Connection, draft: Draft, zone: str, now: datetime) -> None:
    drafts.settle(conn, draft, "confirmed")
    whereabouts.put(conn, draft.person_id, zone, now)


def as_wish(text: str, hand: Hand) -> Intent:
    """A text that is known to be a wish, however it is put."""
    intent = judge(text, hand.asking)
    if intent.verdict == "wish" or intent.asking != (0, 0):
        return replace(intent, verdict="wish")
    reading = read(text, hand.here.wall, hand.inbound.locale or None, hand.here.tz)
    return Intent("wish", 1.0, text, reading)


async def when_said(draft: Draft, text: str, hand: Hand) -> Said | None:
    """The time of a wish that had none; None where the words say no time."""
    reading = read(text, hand.here.wall, hand.inbound.locale or None, hand.here.tz)
    if reading.kind == "none" and reading.refused is None:
        return None
    intent = Intent("wish", 1.0, text, reading)
    if reading.refused is not None:
        return await wished(intent, hand)
    await hand.store.write(drafts.settle, draft, "confirmed")
    try:
        found = wishes.timed(reading, text, hand.here)
    except InputError:
        return Said(hand.voice.say("past"))
    data = draft.data
    wish = Wish(
        data["text"], found.plan, data["kind"], data["for"], found.assumed, found.others, data["said"]
    )
    return await show(_named(wish, hand), replace(hand, look=replace(hand.look, draft=None)))


async def amend(draft: Draft, text: str, hand: Hand) -> Said | None:
    """Change a draft as a correction says; None where the words are none."""
    lang = hand.inbound.locale or None
    try:
        if draft.kind == "change":
            return await _amend_change(draft, text, hand)
        found = wishes.load_all(draft.data)
        number, rest = (0, text) if len(found) == 1 else meant_of(text, len(found)) or (-1, text)
        wish = corrected(found[number], rest, hand.here_for(found[number].plan), lang)
    except InputError as error:
        return Said(hand.voice.say("impossible" if "impossible" in error.message else "past"))
    if wish is None:
        return None
    if number < 0:  # which of them it is about was not said
        await hand.store.write(drafts.rewrite, draft, draft.data, hand.asked, hand.now)
        return Said(hand.voice.say("which_of", n=len(found)))
    found[number] = wish
    await hand.store.write(drafts.rewrite, draft, wishes.dump_all(found), hand.asked, hand.now)
    return wording.ask_all(found, draft.code, hand.voice, hand.now)


def is_about(draft: Draft, order: Order) -> bool:
    """Whether an order wants another time for what is asked about ("move the dentist to Friday")."""
    if order.act != "change" or draft.kind != "create" or not order.about:
        return False
    return any(orders.shared(order.about, wish.text) > 0 for wish in wishes.load_all(draft.data))


async def _amend_change(draft: Draft, text: str, hand: Hand) -> Said | None:
    before = drafts.load_plan(draft.data["plan"])
    found = new_time(before, text, hand.here_for(before), hand.inbound.locale or None)
    if found is None:
        return None
    job = await hand.jobs.get(hand.scope, draft.data["job"])
    data = {
        **draft.data,
        "plan": drafts.dump_plan(found.plan),
        "others": [drafts.dump_plan(o) for o in found.others],
    }
    await hand.store.write(drafts.rewrite, draft, data, hand.asked, hand.now)
    return wording.ask_change(job, found.plan, found.others, draft.code, hand.voice, hand.now)


async def choose(draft: Draft, number: int, hand: Hand) -> Said | None:
    """Another reading of the time of a draft; None where there is none of that number."""
    if not 1 <= number <= len(draft.data.get("others", ())):
        return None
    if draft.kind == "change":
        plan = drafts.load_plan(draft.data["others"][number - 1])
        job = await hand.jobs.get(hand.scope, draft.data["job"])
        data = {**draft.data, "plan": drafts.dump_plan(plan), "others": [draft.data["plan"]]}
        await hand.store.write(drafts.rewrite, draft, data, hand.asked, hand.now)
        others = [drafts.load_plan(draft.data["plan"])]
        return wording.ask_change(job, plan, others, draft.code, hand.voice, hand.now)
    wish = wishes.load(draft.data).other(number)
    await hand.store.write(drafts.rewrite, draft, wish.dump(), hand.asked, hand.now)
    return wording.ask(wish, draft.code, hand.voice, hand.now)


async def confirm(draft: Draft, hand: Hand) -> Said:
    """Do what was asked about, once: a second press and a second process find it answered."""
    try:
        if draft.kind == "create":
            return await _create(draft, hand)
        if draft.kind == "delete":
            gone = await hand.transact(_delete, draft, hand.scope, hand.now)
            return Said(hand.voice.say("deleted", text=wording.short(gone.text)))
        if draft.kind == "change":
            changes = JobChanges(plan=drafts.load_plan(draft.data["plan"]))
            job = await hand.transact(_change, draft, hand.scope, changes, hand.now)
            when = wording.said_plan(job.plan, hand.voice.locale)
            return Said(hand.voice.say("changed", text=wording.short(job.text), time=when))
    except _SettledError:
        return Said(hand.voice.say("settled"))
    except NotFound:
        return Said(hand.voice.say("no_such"))
    except InputError:
        return Said(hand.voice.say("passed"))
    except Conflict:
        return Said(hand.voice.say("too_many", n=hand.jobs.settings.most))
    return Said(hand.voice.say("say_change"))


async def done_before(draft: Draft, hand: Hand) -> Said | None:
    """The answer to a "yes" that was taken before a crash; None for a draft of another turn."""
    if draft.state != "confirmed" or draft.run_id != hand.asked.run_id or "kept" not in draft.data:
        return None
    try:
        jobs = [await hand.jobs.get(hand.scope, job_id) for job_id in draft.data["kept"]]
        return wording.added_all(jobs, hand.voice, hand.now)
    except NotFound:
        return None


class _SettledError(Exception):
    """Somebody else has answered; what this transaction did is undone."""


async def _create(draft: Draft, hand: Hand) -> Said:
    made = [_job_draft(wish, hand) for wish in wishes.load_all(draft.data)]
    jobs = await hand.transact(_keep, draft, made, hand)
    return wording.added_all(jobs, hand.voice, hand.now)


def _settle(conn: Connection, draft: Draft) -> None:
    if not drafts.settle(conn, draft, "confirmed"):
        raise _SettledError


def _keep(conn: Connection, draft: Draft, made: Sequence[JobDraft], hand: Hand) -> list[Job]:
    _settle(conn, draft)
    jobs = _keep_jobs(conn, made, hand)
    drafts.note_result(conn, draft, hand.asked, [job.id for job in jobs])
    return jobs


def _keep_jobs(conn: Connection, made: Sequence[JobDraft], hand: Hand) -> list[Job]:
    return [store.create(conn, one, hand.now, most=hand.jobs.settings.most) for one in made]


def _delete(conn: Connection, draft: Draft, scope: Scope, now: datetime) -> Job:
    _settle(conn, draft)
    return store.remove(conn, scope, draft.data["job"], now)


def _change(conn: Connection, draft: Draft, scope: Scope, changes: JobChanges, now: datetime) -> Job:
    _settle(conn, draft)
    return store.change(conn, scope, draft.data["job"], changes, now)


def _job_draft(wish: Wish, hand: Hand) -> JobDraft:
    return JobDraft(
        conversation=hand.inbound.conversation,
        person_id=hand.inbound.speaker.id,
        kind=wish.kind,
        text=wish.text,
        plan=wish.plan,
        locale=hand.inbound.locale,
        for_name=wish.for_name,
    )


async def decline(draft: Draft, hand: Hand) -> Said:
    """Keep nothing."""
    if not await hand.store.write(drafts.settle, draft, "cancelled"):
        return Said(hand.voice.say("settled"))
    return Said(hand.voice.say("kept" if draft.kind in {"delete", "change", "pick"} else "cancelled"))
