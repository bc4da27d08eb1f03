"""The set `schedule`: reminders and tasks for later. What is made or deleted waits for the person's yes."""

from datetime import datetime
from typing import Literal

from pydantic import Field
from sqlalchemy import Connection, select

from bot.domain.conversation import Conversation
from bot.domain.functions import Arguments, FunctionToolset, Traits, function_tool
from bot.domain.ports import Clock
from bot.domain.tool import RunContext
from bot.errors import Conflict, InputError, NotFound
from bot.schedule import plan as plans
from bot.schedule.jobs import Scope
from bot.schedule.room import Jobs
from bot.schedule.talk import drafts, whereabouts, wording
from bot.schedule.talk.drafts import Asked, Draft
from bot.schedule.talk.wish import Wish
from bot.schedule.talk.wording import Voice
from bot.schedule.wish import read_time
from bot.store.engine import Store
from bot.store.tables import conversations

_SHOW = "Nothing is kept yet. Show the person exactly this question, and let them answer it:"


class Create(Arguments):
    text: str = Field(min_length=1, max_length=1000, description="What to remind of, or to do then.")
    when: str = Field(
        min_length=1,
        max_length=300,
        description="In words: tomorrow at 5pm, every Monday 9:00, in 20 minutes, 每天早上八点.",
    )
    kind: Literal["reminder", "agent"] = Field(
        "reminder", description="reminder: the text is said then; agent: it is carried out by the bot then."
    )


class Listing(Arguments):
    pass


class Named(Arguments):
    id: str = Field(pattern=r"^task-\w{1,40}$", description="As schedule_list shows it: task-….")


class _Desk:
    """The functions of the set. Each sees the person's own tasks; in a group those of that group."""

    def __init__(self, store: Store, clock: Clock, jobs: Jobs) -> None:
        self._store = store
        self._clock = clock
        self._jobs = jobs

    async def create(self, arguments: Create, context: RunContext) -> str:
        now = self._clock.now()
        at = await self._store.read(whereabouts.of, context.person_id, now)
        zone = at.zone or context.zone or self._jobs.settings.zone
        reading = read_time(arguments.when, now, zone, context.locale or None)
        if reading.kind == "none" or reading.refused is not None:
            raise InputError(f"{arguments.when!r} is no time to come", field="when", hint="tomorrow at 17:00")
        plan = plans.of_reading(reading, now, zone, text=arguments.when)
        wish = Wish(arguments.text.strip(), plan, arguments.kind, assumed=tuple(reading.assumed))
        draft = await self._store.write(_put, context, "create", wish.dump(), now)
        asked = wording.ask(wish, draft.code, Voice(context.locale, buttons=False), now)
        return f"{_SHOW}\n\n{asked.text}"

    async def listing(self, arguments: Listing, context: RunContext) -> str:
        voice = Voice(context.locale, buttons=False)
        found = await self._jobs.page(_scope(context))
        return "\n".join(wording.line(job, voice) for job in found) or voice.say("none")

    async def pause(self, arguments: Named, context: RunContext) -> str:
        job = await self._jobs.pause(_scope(context), arguments.id)
        return f"Paused: {wording.short(job.text)}"

    async def resume(self, arguments: Named, context: RunContext) -> str:
        job = await self._jobs.resume(_scope(context), arguments.id)
        return f"Goes on: {wording.short(job.text)}"

    async def delete(self, arguments: Named, context: RunContext) -> str:
        job = await self._jobs.get(_scope(context), arguments.id)
        now = self._clock.now()
        draft = await self._store.write(_put, context, "delete", {"job": job.id}, now)
        asked = wording.ask_delete(job, draft.code, Voice(context.locale, buttons=False))
        return f"{_SHOW}\n\n{asked.text}"


def schedule_tools(store: Store, clock: Clock, jobs: Jobs) -> FunctionToolset:
    """Tools over the person's reminders and tasks."""
    desk = _Desk(store, clock, jobs)
    # A question to the person is no effect: nothing is made or deleted before they have answered it.
    asks = Traits(retry="never")
    return FunctionToolset(
        "schedule",
        [
            function_tool(
                "schedule_create",
                "Prepare a reminder or a task for later; the person is asked whether it is right.",
                "read",
                Create,
                desk.create,
                asks,
            ),
            function_tool(
                "schedule_list", "The person's reminders and tasks.", "read", Listing, desk.listing
            ),
            function_tool("schedule_pause", "Pause a reminder or task.", "write", Named, desk.pause),
            function_tool("schedule_resume", "Let a paused one go on.", "write", Named, desk.resume),
            function_tool(
                "schedule_delete",
                "Ask the person whether a reminder or task is to be deleted.",
                "read",
                Named,
                desk.delete,
                asks,
            ),
        ],
    )


def _put(
    conn: Connection,
    context: RunContext,
    kind: Literal["create", "delete"],
    data: dict[str, object],
    now: datetime,
) -> Draft:
    """Ask the person something; one question of this kind in a turn."""
    asked = Asked(_conversation(conn, context), context.person_id, context.run_id)
    before = drafts.open_one(conn, asked, now)
    if before is not None and before.state == "open" and before.run_id == context.run_id:
        raise Conflict("the person is asked something else in this turn already", hint="one at a time")
    return drafts.put(conn, asked, kind, data, now)


def _conversation(conn: Connection, context: RunContext) -> Conversation:
    row = conn.execute(
        select(conversations).where(conversations.c.id == context.conversation_id)
    ).one_or_none()
    if row is None:
        raise NotFound("there is no chat here in which the person could be asked")
    return Conversation(row.channel, row.chat_id, row.thread_id, row.kind, row.title)


def _scope(context: RunContext) -> Scope:
    return Scope(context.person_id, "" if context.is_private else context.conversation_id)
