"""Who may talk to the bot here, and whether this message is for it. Every judgement has reasons."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import Connection, delete, insert, select, update

from bot.delivery import outbox
from bot.domain.conversation import Conversation, Inbound, SpeakerId
from bot.errors import NotFound
from bot.store.tables import pairings, people
from bot.turn.inbox import ensure_person

Role = Literal["owner", "admin", "member", "stranger"]
Decision = Literal["respond", "observe", "ignore", "pair"]

CODE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTVWXYZ"  # none that look or sound alike
CODE_LASTS = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Verdict:
    decision: Decision
    reasons: tuple[str, ...]
    role: Role = "member"


@dataclass(frozen=True, slots=True)
class Rules:
    """Who is let in by configuration. A channel in `open_channels` does its own checking at the door."""

    roles: Mapping[SpeakerId, Role]
    open_channels: frozenset[str] = frozenset({"http", "terminal"})
    open_role: Role = "owner"


@dataclass(frozen=True, slots=True)
class Admitted:
    """A person who was let in, and the private chat to tell them."""

    speaker_id: SpeakerId
    name: str
    conversation: Conversation


def judge_by_channel(inbound: Inbound, rules: Rules) -> Verdict | None:
    """The verdict where the channel alone decides; None where the people in the store matter."""
    if inbound.conversation.channel in rules.open_channels:
        return Verdict("respond", ("the channel lets in whom it serves",), rules.open_role)
    if inbound.speaker.is_bot:
        return Verdict("ignore", ("from a bot",), "stranger")
    if inbound.conversation.kind == "group" and not inbound.addressed:
        return Verdict("ignore", ("strict mode: not addressed",), "stranger")
    return None


def judge(conn: Connection, inbound: Inbound, rules: Rules) -> Verdict:
    """Decide what to do with a message: respond, observe, ignore, or offer pairing."""
    known = judge_by_channel(inbound, rules)
    if known is not None:
        return known
    role = role_of(conn, inbound.speaker.id, rules)
    if inbound.conversation.kind == "group":
        return Verdict("respond", ("addressed",), role)
    if role == "stranger":
        return Verdict("pair", ("not allowed yet",), role)
    return Verdict("respond", (f"{role} in a private chat",), role)


def role_of(conn: Connection, speaker_id: SpeakerId, rules: Rules) -> Role:
    """A person's role: by configuration, else as paired; `stranger` when unknown."""
    configured = rules.roles.get(speaker_id)
    if configured is not None:
        return configured
    found: Role | None = conn.scalar(select(people.c.role).where(people.c.id == speaker_id))
    return found or "stranger"


def role_in(conn: Connection, inbound: Inbound, rules: Rules) -> Role:
    """The role of a message's speaker in its channel."""
    if inbound.conversation.channel in rules.open_channels:
        return rules.open_role
    return role_of(conn, inbound.speaker.id, rules)


def request_pairing(conn: Connection, inbound: Inbound, now: datetime) -> str | None:
    """A code for a stranger, who is told it once; None while an earlier one is good."""
    ensure_person(conn, inbound.speaker, now)
    conn.execute(delete(pairings).where(pairings.c.expires_at < now))
    if conn.scalar(select(pairings.c.code).where(pairings.c.person_id == inbound.speaker.id)):
        return None
    code = "-".join("".join(secrets.choice(CODE_ALPHABET) for _ in range(4)) for _ in range(2))
    conn.execute(
        insert(pairings).values(
            code=code,
            person_id=inbound.speaker.id,
            chat_id=inbound.conversation.chat_id,
            created_at=now,
            expires_at=now + CODE_LASTS,
        )
    )
    return code


def admit(
    conn: Connection, code: str, now: datetime, role: Role = "member", *, welcome: str = ""
) -> Admitted:
    """Let the person in who was given `code`, and send them `welcome` where it is given.

    `NotFound` if there is no such open request.
    """
    wanted = code.strip().upper()
    row = conn.execute(
        select(pairings, people.c.name, people.c.channel)
        .join(people, people.c.id == pairings.c.person_id)
        .where(pairings.c.code == wanted, pairings.c.expires_at >= now)
    ).one_or_none()
    if row is None:
        raise NotFound("there is no open request with that code", hint="codes last one day")
    conn.execute(update(people).where(people.c.id == row.person_id).values(role=role, updated_at=now))
    conn.execute(delete(pairings).where(pairings.c.person_id == row.person_id))
    conversation = Conversation(channel=row.channel, chat_id=row.chat_id, kind="private")
    if welcome:
        outbox.enqueue_notice(conn, conversation, welcome, f"welcome:{wanted}:{now.timestamp()}", now)
    return Admitted(SpeakerId(row.person_id), row.name or row.person_id, conversation)


def open_requests(conn: Connection, now: datetime) -> list[tuple[str, str, datetime]]:
    """Who waits to be let in: code, name and id, until when."""
    rows = conn.execute(
        select(pairings, people.c.name)
        .join(people, people.c.id == pairings.c.person_id)
        .where(pairings.c.expires_at >= now)
        .order_by(pairings.c.created_at)
    )
    return [(row.code, f"{row.name} ({row.person_id})", row.expires_at) for row in rows]
