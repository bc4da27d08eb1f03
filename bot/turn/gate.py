"""Who may talk to the bot here, and whether this message is for it. Every judgement has reasons."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import Connection, delete, insert, select, update

from bot.delivery import outbox
from bot.domain.conversation import Conversation, Inbound, SpeakerId
from bot.errors import NotFound
from bot.policy.limits import Limits
from bot.store.tables import pairings, people
from bot.turn.inbox import ensure_person

Role = Literal["owner", "admin", "member", "stranger"]
ROLES: tuple[Role, ...] = ("owner", "admin", "member", "stranger")
# `pair`: the person is told how to ask for access; `refuse`: the group is told that it is not served.
Decision = Literal["respond", "observe", "ignore", "pair", "refuse"]

CODE_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTVWXYZ"  # none that look or sound alike
CODE_LASTS = timedelta(days=1)
DENIAL_LASTS = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`score` and `unsure` are those of a group's judgement."""

    decision: Decision
    reasons: tuple[str, ...]
    role: Role = "member"
    score: int = 0
    unsure: bool = False


@dataclass(frozen=True, slots=True)
class Rules:
    """Who is let in by configuration. A channel in `open_channels` does its own checking at the door.

    `locale` is the language of who tells none. `managing`: commands that manage the bot are taken;
    `managing_in_groups`: there, too.
    """

    roles: Mapping[SpeakerId, Role]
    open_channels: frozenset[str] = frozenset({"http", "terminal"})
    open_role: Role = "owner"
    pairing: bool = True
    limits: Limits = field(default_factory=Limits)
    locale: str = ""
    managing: bool = True
    managing_in_groups: bool = False


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
    if inbound.conversation.kind != "group" and inbound.speaker.is_bot:
        return Verdict("ignore", ("from a bot",), "stranger")
    return None


def judge_private(role: Role) -> Verdict:
    """What to do with a message of a private chat: respond, or offer pairing."""
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
    return known_role(inbound, rules) or role_of(conn, inbound.speaker.id, rules)


def known_role(inbound: Inbound, rules: Rules) -> Role | None:
    """The role where it takes no look into the store: of open channels, or by configuration."""
    if inbound.conversation.channel in rules.open_channels:
        return rules.open_role
    return rules.roles.get(inbound.speaker.id)


def managers(conn: Connection, channel: str, rules: Rules) -> list[tuple[Conversation, str]]:
    """The private chats of those who may let people in, each with its language."""
    stored = conn.scalars(select(people.c.id).where(people.c.role.in_(["owner", "admin"])))
    wanted = {SpeakerId(found) for found in stored if found not in rules.roles}
    wanted |= {speaker_id for speaker_id, role in rules.roles.items() if role in {"owner", "admin"}}
    here = sorted(speaker_id for speaker_id in wanted if speaker_id.startswith(f"{channel}:"))
    rows = conn.execute(select(people.c.id, people.c.locale).where(people.c.id.in_(here)))
    locales = {row.id: row.locale for row in rows}
    return [
        (
            Conversation(channel, speaker_id.removeprefix(f"{channel}:"), kind="private"),
            locales.get(speaker_id) or rules.locale,
        )
        for speaker_id in here
    ]


def request_pairing(conn: Connection, inbound: Inbound, now: datetime) -> str | None:
    """A code for a stranger, who is told it once; None while an earlier one is good, or was denied."""
    ensure_person(conn, inbound, now)
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


def deny(conn: Connection, code: str, now: datetime) -> str:
    """Turn a request down, for a while; the person's name. They are not told, and may yet be admitted.

    `NotFound` if there is no such open request.
    """
    row = conn.execute(
        select(pairings.c.code, people.c.name, people.c.id)
        .join(people, people.c.id == pairings.c.person_id)
        .where(pairings.c.code == code.strip().upper(), pairings.c.expires_at >= now)
    ).one_or_none()
    if row is None:
        raise NotFound("there is no open request with that code", hint="codes last one day")
    turned_down = update(pairings).where(pairings.c.code == row.code)
    conn.execute(turned_down.values(denied=True, expires_at=now + DENIAL_LASTS))
    return str(row.name or row.id)


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody who may talk to the bot. `configured`: by the operator's configuration."""

    speaker_id: SpeakerId
    name: str
    role: Role
    configured: bool


def known_people(conn: Connection, rules: Rules) -> list[Known]:
    """Everybody who may talk to the bot, the most powerful first."""
    rows = conn.execute(select(people.c.id, people.c.name, people.c.role)).all()
    names = {row.id: row.name for row in rows}
    found = [Known(key, names.get(key, ""), role, configured=True) for key, role in rules.roles.items()]
    found += [
        Known(SpeakerId(row.id), row.name, row.role, configured=False)
        for row in rows
        if row.role != "stranger" and row.id not in rules.roles
    ]
    return sorted(found, key=lambda known: (ROLES.index(known.role), known.name, known.speaker_id))


def remove(conn: Connection, speaker_id: SpeakerId, now: datetime) -> str:
    """Let a person in no longer; their name. `NotFound` if they were not let in."""
    row = conn.execute(select(people.c.name, people.c.role).where(people.c.id == speaker_id)).one_or_none()
    if row is None or row.role == "stranger":
        raise NotFound("nobody of that id was let in")
    conn.execute(update(people).where(people.c.id == speaker_id).values(role="stranger", updated_at=now))
    return str(row.name or speaker_id)


def open_requests(conn: Connection, now: datetime) -> list[tuple[str, str, datetime]]:
    """Who waits to be let in: code, name and id, until when."""
    rows = conn.execute(
        select(pairings, people.c.name)
        .join(people, people.c.id == pairings.c.person_id)
        .where(pairings.c.expires_at >= now, pairings.c.denied.is_(False))
        .order_by(pairings.c.created_at)
    )
    return [(row.code, f"{row.name} ({row.person_id})", row.expires_at) for row in rows]
