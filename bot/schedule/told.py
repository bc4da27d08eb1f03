"""Jobs and firings as JSON, for every interface alike."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice, takewhile
from typing import Any

from bot.schedule.jobs import Firing, Job
from bot.schedule.plan import moments
from bot.schedule.wish import in_words
from bot.schedule.zones import kept_zone

# One that fires every few minutes does not fill a calendar.
MOST_OF_ONE = 200


def told_job(job: Job, following: Sequence[datetime]) -> dict[str, Any]:
    """A job; `following` are its next firings. Times are in UTC, but for those told in the job's zone."""
    plan = job.plan
    zone = kept_zone(plan.zone)
    told: dict[str, Any] = {
        "id": job.id,
        "kind": job.kind,
        "text": job.text,
        "state": job.state,
        "when": in_words(plan, job.locale),
        "tz": plan.zone,
        "at": None if plan.at is None else plan.at.astimezone(zone).isoformat(),
        "rrule": plan.rrule or None,
        "cron": plan.cron or None,
        "start": None if plan.start is None else plan.start.isoformat(),
        "next_due": _time(job.next_due),
        "next_firings": [moment.astimezone(zone).isoformat() for moment in following],
        "owner": job.person_id,
        "user_id": job.person_id.partition(":")[2],
        "session_id": job.conversation_id.partition(":")[2],
        "conversation_id": job.conversation_id,
        "lang": job.locale,
        "snoozed_until": _time(job.snoozed_until),
        "last_due": _time(job.last_due),
        "last_error": job.last_error or None,
        "failures": job.failures,
        "fired": job.fired,
        "created_at": _time(job.created_at),
        "updated_at": _time(job.updated_at),
    }
    if job.reason:
        told["reason"] = job.reason
    if plan.excluded or plan.exrule:
        told["except"] = [*map(_excluded, plan.excluded), *([plan.exrule] if plan.exrule else [])]
    return told


def told_firing(firing: Firing) -> dict[str, Any]:
    """One due time of a job, and what became of it."""
    return {
        "due": _time(firing.due),
        "state": firing.state,
        "at": _time(firing.at),
        "attempt": firing.attempt,
        "error": firing.error or None,
        "retry_at": _time(firing.retry_at),
        "ended_at": _time(firing.ended_at),
        "run_id": firing.run_id,
    }


def told_firings(found: Sequence[Job], begin: datetime, end: datetime) -> list[dict[str, Any]]:
    """What is to come of jobs between two moments, by time: of each `MOST_OF_ONE` at most."""
    told = [
        {"job_id": job.id, "text": job.text, "kind": job.kind, "at": _time(moment)}
        for job in found
        for moment in takewhile(lambda at: at < end, islice(_to_come(job, begin), MOST_OF_ONE))
    ]
    return sorted(told, key=lambda one: str(one["at"]))


def _to_come(job: Job, begin: datetime) -> Iterator[datetime]:
    if job.snoozed_until is not None and job.snoozed_until >= begin:
        yield job.snoozed_until
    yield from moments(job.plan, begin)


def _excluded(item: Any) -> str:
    return f"{item[1]}-{item[0]:02}" if isinstance(item, tuple) else str(item.isoformat())


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
