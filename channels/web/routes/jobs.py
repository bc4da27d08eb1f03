"""`/v1/jobs`: reminders and tasks for later."""

import asyncio
import re

from aiohttp import web

from bot.domain.conversation import Conversation, SpeakerId
from bot.schedule.jobs import OPEN_STATES, STATES, Job, JobChanges, JobDraft, Kind, Scope, State, snooze_until
from bot.schedule.plan import Plan
from bot.schedule.room import Jobs
from bot.schedule.told import told_firing, told_job
from bot.schedule.wish import Wish, planned, understand, with_changes
from channels.web.chat import CHANNEL, Chat
from channels.web.errors import ApiError, bad_request, json_response
from channels.web.request import (
    Json,
    checked_id,
    checked_text,
    flag,
    id_field,
    idempotency_key,
    limit_in_query,
    optional_text,
    read_json,
    text_field,
)

PAGE, MOST = 50, 200
_JOB_ID = re.compile(r"task-[0-9a-f]{8,32}")
_TIMES = ("at", "rrule", "cron")


class JobRoutes:
    def __init__(self, jobs: Jobs, chat: Chat, max_body_bytes: int) -> None:
        self._jobs = jobs
        self._chat = chat
        self._max_body_bytes = max_body_bytes

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/v1/jobs", self.page),
            web.post("/v1/jobs", self.create),
            web.get("/v1/jobs/{id}", self.get),
            web.patch("/v1/jobs/{id}", self.change),
            web.delete("/v1/jobs/{id}", self.delete),
            web.post("/v1/jobs/{id}/pause", self.pause),
            web.post("/v1/jobs/{id}/resume", self.resume),
            web.post("/v1/jobs/{id}/run", self.run),
            web.post("/v1/jobs/{id}/snooze", self.snooze),
        ]

    async def page(self, request: web.Request) -> web.Response:
        """By the next due time; `next`, where there are more, goes into `after` for the following page."""
        limit = limit_in_query(request, PAGE, MOST)
        after = _checked(request.query["after"]) if "after" in request.query else ""
        found = await self._jobs.page(
            scope_of(request), states=_states(request), limit=limit + 1, after=after
        )
        told = {"jobs": [self._told(job) for job in found[:limit]]}
        return json_response({**told, "next": found[limit - 1].id} if len(found) > limit else told)

    async def create(self, request: web.Request) -> web.Response:
        """A wish in words, or its parts. Whoever calls has confirmed it.

        The same `Idempotency-Key` of the same person gives the job that it made before.
        """
        body = await read_json(request, self._max_body_bytes)
        where = Conversation(CHANNEL, id_field(body, "session_id"))
        owner = SpeakerId(f"{CHANNEL}:{id_field(body, 'user_id')}")
        kind = _kind(body) or "reminder"
        locale = optional_text(body, "lang") or self._chat.locale_of(request)
        wish = await asyncio.to_thread(self._wish, body, locale)  # a rule may have to be sought for long
        key = idempotency_key(request, body) or ""
        draft = JobDraft(where, owner, kind, wish.task, wish.plan, locale, key=key)
        job = await self._jobs.create(draft)
        return json_response({**self._told(job), "assumed": list(wish.assumed)}, status=201)

    async def get(self, request: web.Request) -> web.Response:
        scope, job_id = scope_of(request), _job_id(request)
        job = await self._jobs.get(scope, job_id)
        firings = [told_firing(firing) for firing in await self._jobs.history(scope, job_id)]
        return json_response({**self._told(job), "firings": firings})

    async def change(self, request: web.Request) -> web.Response:
        """Another text, kind, language, time or zone; `paused` true or false, or `state` active or paused."""
        body = await read_json(request, self._max_body_bytes)
        scope, job_id = scope_of(request), _job_id(request)
        paused = _paused(body)
        job = await self._jobs.get(scope, job_id)
        plan = await asyncio.to_thread(self._other_plan, body, job.plan)
        text = _text(body, required=False) or None
        if (changes := JobChanges(text, plan, _kind(body), optional_text(body, "lang"))) != JobChanges():
            job = await self._jobs.change(scope, job_id, changes)
        if paused is not None:
            job = await (self._jobs.pause if paused else self._jobs.resume)(scope, job_id)
        return json_response(self._told(job))

    async def delete(self, request: web.Request) -> web.Response:
        await self._jobs.remove(scope_of(request), _job_id(request))
        return web.Response(status=204)

    async def pause(self, request: web.Request) -> web.Response:
        return json_response(self._told(await self._jobs.pause(scope_of(request), _job_id(request))))

    async def resume(self, request: web.Request) -> web.Response:
        return json_response(self._told(await self._jobs.resume(scope_of(request), _job_id(request))))

    async def run(self, request: web.Request) -> web.Response:
        """Fire it now, beside its own times."""
        job = await self._jobs.run_now(scope_of(request), _job_id(request))
        return json_response(self._told(job), status=202)

    async def snooze(self, request: web.Request) -> web.Response:
        """Fire once more after ten minutes, an hour or a day."""
        body = await read_json(request, self._max_body_bytes)
        wish = body.get("for", "10m")
        if wish not in ("10m", "1h", "tomorrow"):  # a list of the caller is no member of a set
            raise bad_request("for is 10m, 1h or tomorrow", "for")
        scope, job_id = scope_of(request), _job_id(request)
        until = snooze_until(await self._jobs.get(scope, job_id), wish, self._jobs.now())
        return json_response(self._told(await self._jobs.snooze(scope, job_id, until)))

    def _wish(self, body: Json, locale: str) -> Wish:
        zone = optional_text(body, "tz") or self._jobs.settings.zone
        times = {name: text for name in _TIMES if (text := optional_text(body, name))}
        now = self._jobs.now()
        if not times:
            return understand(text_field(body, "text"), now, zone, locale)
        return Wish(_text(body), planned(times, zone, now, optional_text(body, "start")), ())

    def _other_plan(self, body: Json, plan: Plan) -> Plan | None:
        zone, start = optional_text(body, "tz"), optional_text(body, "start")
        times = {name: text for name in _TIMES if (text := optional_text(body, name))}
        if not (times or zone or start):
            return None
        return with_changes(plan, times, zone, self._jobs.now(), start)

    def _told(self, job: Job) -> Json:
        return told_job(job, self._jobs.next_firings(job))


def scope_of(request: web.Request) -> Scope:
    """The jobs of this channel; of a person and a session where the query names them."""
    user, session = request.query.get("user_id"), request.query.get("session_id")
    person = "" if user is None else SpeakerId(f"{CHANNEL}:{checked_id(user, 'user_id')}")
    where = "" if session is None else Conversation(CHANNEL, checked_id(session, "session_id")).id
    return Scope(person, where, CHANNEL)


def _states(request: web.Request) -> tuple[State, ...]:
    given = request.query.get("state")
    if given is None:
        return OPEN_STATES
    wanted = tuple(state for state in STATES if given == "all" or state in given.split(","))
    if not wanted:
        raise bad_request(f"state is all, or some of {', '.join(STATES)}", "state")
    return wanted


def _job_id(request: web.Request) -> str:
    return _checked(request.match_info["id"])


def _checked(value: str) -> str:
    if not _JOB_ID.fullmatch(value):
        raise ApiError(404, "not_found", "no such task")
    return value


def _paused(body: Json) -> bool | None:
    """Whether a job is to be paused, as a flag or as its state; None where neither is given."""
    if body.get("paused") is not None:
        return flag(body, "paused")
    state = body.get("state")
    if state not in (None, "active", "paused"):  # a list of the caller is no member of a set
        raise bad_request("state is active or paused", "state")
    return None if state is None else state == "paused"


def _kind(body: Json) -> Kind | None:
    match body.get("kind"):
        case None:
            return None
        case "reminder":
            return "reminder"
        case "agent":
            return "agent"
    raise bad_request("kind is reminder or agent", "kind")


def _text(body: Json, *, required: bool = True) -> str:
    """What is to be done, as `text` or as `task`."""
    for name in ("task", "text"):
        if optional_text(body, name) is not None:
            return checked_text(body[name], name)
    return text_field(body, "text") if required else ""
