"""The durable inbox: a message is stored and its turn claimed in one transaction."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Connection, Row, bindparam, insert, literal, select, update

from bot.domain.conversation import Conversation, ConversationId, ConversationKind, Inbound, Speaker
from bot.domain.run import Run, RunId
from bot.runs import queue
from bot.store.conversations import begin
from bot.store.tables import conversations, inbox, messages, people
from bot.turn import codec, gathering
from bot.turn.gathering import Gather

TITLE_CHARS = 60

# What a message is to us: `observe` is context only, with no turn; a `command` is no part of what was
# said; a `control` command does not wait for the turns of its conversation, such as /stop.
Arrival = Literal["turn", "command", "control", "observe"]

# A turn pays for each of these: written once, they cost a third of what building them each time does.
_NOTHING = select(literal(1).label("one")).subquery()
_LOOK = select(
    select(inbox.c.run_id)
    .where(inbox.c.channel == bindparam("channel"), inbox.c.external_id == bindparam("external_id"))
    .scalar_subquery()
    .label("before"),
    conversations.c.session,
    conversations.c.kind,
    conversations.c.person_id,
    conversations.c.title,
    people.c.id.label("known"),
    people.c.name,
    people.c.locale,
).select_from(
    _NOTHING.outerjoin(conversations, conversations.c.id == bindparam("conversation")).outerjoin(
        people, people.c.id == bindparam("person")
    )
)
_KIND = select(conversations.c.kind).where(conversations.c.id == bindparam("id"))
_TOUCH = (
    update(conversations)
    .where(conversations.c.id == bindparam("key"))
    .values(
        updated_at=bindparam("now"),
        kind=bindparam("new_kind"),
        title=bindparam("new_title"),
        unreachable="",  # they write to us, so we can write to them
    )
)
_ADD_INBOX = insert(inbox)
_ADD_MESSAGE = insert(messages)


# Columns that are None where nothing is known.
_Seen = Row[Any, Any, Any, Any, Any, Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Accepted:
    """What became of a message. `run` is set where this process is to work on it now.

    `waits_s`: its turn starts in so many seconds, unless more comes. `joined`: it was added to a turn
    that waited.
    """

    run_id: RunId
    run: Run | None
    repeated: bool
    began: bool  # the conversation is new
    waits_s: float = 0.0
    joined: bool = False
    kind: ConversationKind = "group"  # of the conversation, as it stands now


def accept(
    conn: Connection,
    inbound: Inbound,
    now: datetime,
    holder: str,
    arrival: Arrival = "turn",
    gather: Gather | None = None,
) -> Accepted:
    """Store the message and claim its turn; a message that was here before changes nothing.

    With `gather` a turn is not claimed but waits for more, or the message is added to one that waits;
    a command lets those start at once.
    """
    seen = _look(conn, inbound)
    if seen.before is not None:
        return Accepted(RunId(seen.before), None, repeated=True, began=False)
    if gather is not None and (joined := _gathered(conn, inbound, now, arrival, gather, seen)) is not None:
        return Accepted(joined, None, repeated=False, began=False, waits_s=gather.more_s, joined=True)
    lasting = inbound.conversation.kind != "stateless"
    said = arrival in {"turn", "observe"}
    title = inbound.conversation.title or (inbound.text.strip()[:TITLE_CHARS] if said else "")
    kind, began = inbound.conversation.kind, False
    if lasting:
        kind, began = _keep_conversation(conn, inbound, title, seen, now)
    session = (seen.session or 1) if lasting else 1
    _keep_person(conn, inbound.speaker, seen, now)
    run_id = queue.new_id("turn")
    arrived = {"channel": inbound.conversation.channel, "external_id": inbound.external_id}
    conn.execute(_ADD_INBOX, {**arrived, "run_id": run_id, "at": now})
    if lasting and said:
        conn.execute(_ADD_MESSAGE, message_row(inbound, session, run_id if arrival == "turn" else None, now))
    if arrival == "observe":
        return Accepted(run_id, None, repeated=False, began=began)
    waits_s = gather.first_s if gather is not None and arrival == "turn" else 0.0
    payload = {"inbound": codec.dump(inbound), "session": session, "control": arrival == "control"}
    if gather is not None and arrival == "turn":
        payload |= gathering.opened(inbound, gather)
    draft = queue.RunDraft(
        kind="turn",
        key=f"{inbound.conversation.channel}:{inbound.external_id}",
        payload=payload,
        conversation_id=inbound.conversation.id if lasting else None,
        available_at=now + timedelta(seconds=waits_s) if waits_s else None,
    )
    run = queue.enqueue(conn, draft, now, holder=None if waits_s else holder, run_id=run_id)
    claimed = run if run is not None and run.status == "running" else None
    return Accepted(run_id, claimed, repeated=False, began=began, waits_s=waits_s, kind=kind)


def _gathered(
    conn: Connection, inbound: Inbound, now: datetime, arrival: Arrival, gather: Gather, seen: _Seen
) -> RunId | None:
    """The waiting turn that a message was added to."""
    if arrival == "turn" and not gather.alone:
        joined = gathering.join(conn, inbound, gather, now)
        if joined is not None:
            _keep_person(conn, inbound.speaker, seen, now)
        return joined
    if arrival != "observe":
        gathering.hurry(conn, inbound.conversation.id, now)
    return None


def message_row(inbound: Inbound, session: int, run_id: str | None, now: datetime) -> dict[str, Any]:
    return {
        "conversation_id": inbound.conversation.id,
        "session": session,
        "role": "user",
        "person_id": inbound.speaker.id,
        "name": inbound.speaker.name,
        "text": inbound.text,
        "parts": codec.dump_parts(inbound.attachments) or None,
        "run_id": run_id,
        "at": now,
    }


def _look(conn: Connection, inbound: Inbound) -> _Seen:
    """What is known of a message, its conversation and its person: one row, empty where nothing is."""
    where = inbound.conversation
    asked = {"channel": where.channel, "external_id": inbound.external_id}
    return conn.execute(_LOOK, {**asked, "conversation": where.id, "person": inbound.speaker.id}).one()


def ensure_conversation(conn: Connection, inbound: Inbound, title: str, now: datetime) -> None:
    """Know a conversation, and that it was used just now."""
    _keep_conversation(conn, inbound, title, _look(conn, inbound), now)


def _keep_conversation(
    conn: Connection, inbound: Inbound, title: str, seen: _Seen, now: datetime
) -> tuple[ConversationKind, bool]:
    """The conversation's kind as it stands now, and whether the conversation is new.

    A private conversation in which a second person speaks becomes a group: what one of them told the
    bot elsewhere must not be shown to the other.
    """
    where: Conversation = inbound.conversation
    if seen.session is None:
        begin(conn, where, title, inbound.speaker.id, now)
        return where.kind, True
    shared = seen.kind == "private" and seen.person_id != inbound.speaker.id
    kind: ConversationKind = "group" if shared else seen.kind
    changes = {
        "key": where.id,
        "now": now,
        "new_kind": kind,
        "new_title": seen.title or title,
    }
    conn.execute(_TOUCH, changes)
    return kind, False


def ensure_person(conn: Connection, inbound: Inbound, now: datetime) -> None:
    """Know whoever speaks, by the newest name the channel tells."""
    _keep_person(conn, inbound.speaker, _look(conn, inbound), now)


def _keep_person(conn: Connection, speaker: Speaker, seen: _Seen, now: datetime) -> None:
    if seen.known is None:
        conn.execute(
            insert(people).values(
                id=speaker.id,
                channel=speaker.channel,
                user_id=speaker.user_id,
                name=speaker.name,
                role="stranger",
                locale=speaker.locale,
                created_at=now,
                updated_at=now,
            )
        )
    elif (speaker.name and seen.name != speaker.name) or (speaker.locale and seen.locale != speaker.locale):
        conn.execute(
            update(people)
            .where(people.c.id == speaker.id)
            .values(name=speaker.name or seen.name, locale=speaker.locale or seen.locale, updated_at=now)
        )


def kind_of(conn: Connection, conversation_id: ConversationId) -> ConversationKind:
    """`private`, `group` or `stateless`, as it stands now; `group`, the strictest, when unknown."""
    found: ConversationKind | None = conn.scalar(_KIND, {"id": conversation_id})
    return found or "group"
