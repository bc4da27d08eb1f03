"""Small things that the tests of jobs are made of."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection

from bot.domain.conversation import Conversation, SpeakerId
from bot.schedule import jobs, plan
from bot.schedule.jobs import Job, JobDraft, Kind
from bot.schedule.plan import Plan
from tests.fakes.clock import START

ANN = SpeakerId("telegram:1")
BEN = SpeakerId("telegram:2")
CHAT = Conversation("telegram", "1")
BERLIN = "Europe/Berlin"


def at(written: str) -> datetime:
    """A moment in UTC."""
    return datetime.fromisoformat(written).astimezone(UTC)


def in_minutes(minutes: float) -> Plan:
    return plan.once(START + timedelta(minutes=minutes), "UTC")


def daily(hour: int, zone: str = "UTC") -> Plan:
    return plan.by_cron(f"0 {hour} * * *", zone)


def wish(
    when: Plan,
    text: str = "drink water",
    *,
    kind: Kind = "reminder",
    owner: SpeakerId = ANN,
    where: Conversation = CHAT,
) -> JobDraft:
    return JobDraft(where, owner, kind, text, when)


def make(conn: Connection, draft: JobDraft, now: datetime = START) -> Job:
    return jobs.create(conn, draft, now, most=64)
