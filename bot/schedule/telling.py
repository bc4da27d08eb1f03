"""What the scheduler says in a chat: reminders, and lines about jobs that did not go as wished."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select

from bot.delivery import outbox
from bot.delivery.buttons import Rows
from bot.delivery.outbox import Delivery
from bot.domain.conversation import Conversation
from bot.domain.run import RunId
from bot.i18n.catalogue import translate
from bot.runs import queue
from bot.schedule import buttons
from bot.schedule import plan as plans
from bot.schedule.jobs import Job, job_of
from bot.schedule.when.describe import describe_time
from bot.schedule.zones import kept_zone, wall_of
from bot.store.tables import conversations, jobs, messages

SHOWN_CHARS = 80


@dataclass(frozen=True, slots=True)
class Placed:
    """A job, and the conversation that it stands in as it is now."""

    job: Job
    chat: Conversation
    session: int
    unreachable: str


# To be joined with the jobs, for `placed`.
CHAT = (
    conversations.c.channel,
    conversations.c.chat_id,
    conversations.c.thread_id,
    conversations.c.kind.label("conversation_kind"),
    conversations.c.title,
    conversations.c.session,
    conversations.c.unreachable,
)


def placed(row: Row[Any]) -> Placed:
    """The job of a row with the columns of `CHAT`."""
    chat = Conversation(row.channel, row.chat_id, row.thread_id, row.conversation_kind, row.title)
    return Placed(job_of(row), chat, row.session, row.unreachable)


def find(conn: Connection, job_id: str) -> Placed:
    """One job with its conversation."""
    wanted = (
        select(jobs, *CHAT)
        .join(conversations, conversations.c.id == jobs.c.conversation_id)
        .where(jobs.c.id == job_id)
    )
    return placed(conn.execute(wanted).one())


def said_time(job: Job, moment: datetime) -> str:
    """A moment in words, in the job's zone and language."""
    return describe_time(wall_of(moment, kept_zone(job.plan.zone)), job.locale)


def reminder_text(job: Job, due: datetime, *, late: bool) -> str:
    """What a reminder says; a late one says when it was due."""
    text = f"{job.for_name}: {job.text}" if job.for_name else job.text
    time = wall_of(due, kept_zone(job.plan.zone)).strftime("%H:%M")
    line = translate("firing.reminder", job.locale, text=text, time=time)
    return f"{line}\n\n{translate('firing.late', job.locale, time=said_time(job, due))}" if late else line


def prompt(job: Job, due: datetime, *, late: bool) -> str:
    """What the model is asked for an agent job."""
    return (
        f"{job.text}\n\n[{translate('firing.late', job.locale, time=said_time(job, due))}]"
        if late
        else job.text
    )


def deliver(conn: Connection, at: Placed, text: str, key: str, now: datetime) -> RunId:
    """Queue a reminder for a channel that pushes."""
    run_id = queue.new_id("delivery")
    job = at.job
    delivery = Delivery(run_id, at.chat, text, buttons=buttons.under_reminder(job.id, job.locale))
    draft = queue.RunDraft("delivery", key, outbox.draft(delivery).payload, job.conversation_id)
    queue.enqueue(conn, draft, now, run_id=run_id)
    return run_id


@dataclass(frozen=True, slots=True)
class Line:
    """Something about jobs that is told once for each key."""

    text: str
    key: str
    buttons: Rows = ()


def tell(conn: Connection, at: Placed, line: Line, now: datetime, pushes: Collection[str]) -> None:
    """Tell a line about jobs; it is no part of what was talked about."""
    if at.chat.channel in pushes:
        outbox.enqueue_notice(conn, at.chat, line.text, line.key, now, line.buttons)
    else:
        conn.execute(insert(messages).values(message_row(at, line.text, now, status="failed")))


def paused_line(job: Job, key: str, now: datetime) -> Line:
    """That a job failed again and again, and when it would be tried next."""
    values = {"task": _short(job.text), "error": job.last_error, "times": job.failures, "id": job.id}
    text = translate("firing.paused", job.locale, **values)
    if (following := plans.next_after(job.plan, now)) is not None:
        text += " " + translate("firing.next_try", job.locale, time=said_time(job, following))
    return Line(text, key, buttons.under_pause(job.id, job.locale))


def failed_line(job: Job, key: str) -> Line:
    """That a reminder could not be said."""
    return Line(translate("firing.failed", job.locale, task=_short(job.text), error=job.last_error), key)


def missed_line(missed: Sequence[tuple[Job, datetime]]) -> Line:
    """What was due too long ago to be made up for, of one conversation, in one message."""
    first, due = missed[0]
    lines = [translate("firing.missed", first.locale)]
    lines += [f"• {_short(job.text)} ({said_time(job, moment)})" for job, moment in missed]
    return Line("\n".join(lines), f"missed:{first.id}:{due.isoformat()}")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN_CHARS else line[: SHOWN_CHARS - 1] + "…"


def message_row(
    at: Placed, text: str, now: datetime, *, status: str = "complete", run_id: RunId | None = None
) -> dict[str, Any]:
    """A message in the conversation, where people and (unless it is a failure) the model read it."""
    return {
        "conversation_id": at.job.conversation_id,
        "session": at.session,
        "role": "assistant",
        "text": text,
        "run_id": run_id,
        "status": status,
        "at": now,
    }
