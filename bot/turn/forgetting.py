"""Forgetting: what a person lets go leaves every place that holds it, in one transaction.

A memory is only one of these places. The message it came from, the turn with its answer, the delivery,
the title of the conversation, the state of a group and the commands in which it was shown go along.
`forget_for_good` takes the bytes out of the files, too.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, Table, delete, exists, or_, select, update

from bot.domain.conversation import ConversationId
from bot.domain.run import RunId
from bot.runs import queue
from bot.runs.states import ENDED
from bot.store.engine import Store
from bot.store.tables import (
    conversations,
    events,
    group_states,
    memories,
    messages,
    people,
    runs,
    steps,
    tool_calls,
    tool_grants,
    tool_usage,
)
from bot.tools.shelf import Shelf
from bot.turn import rooms, summaries
from bot.turn.group import OURS
from bot.turn.inbox import TITLE_CHARS
from memory.own import Phrase, Whose, matching, of_ids
from memory.people import erase_settings
from memory.record import Memory, MemoryId
from memory.store import columns, scrub_index, selected

CHUNK = 500  # ids named in one statement


@dataclass(frozen=True, slots=True)
class Selection:
    """What is to be forgotten: ids only, so that it can be kept until it is confirmed."""

    memories: tuple[int, ...] = ()
    messages: tuple[int, ...] = ()
    everything: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One message, as it is shown before it is forgotten."""

    id: int
    role: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Found:
    """What a wish would take: memories, and messages of which no memory is kept."""

    memories: tuple[Memory, ...]
    messages: tuple[Line, ...]

    @property
    def selection(self) -> Selection:
        return Selection(tuple(m.id for m in self.memories), tuple(line.id for line in self.messages))

    def __len__(self) -> int:
        return len(self.memories) + len(self.messages)


@dataclass(frozen=True, slots=True)
class Gone:
    """How much was forgotten, and in which conversations."""

    memories: int
    messages: int
    places: tuple[ConversationId, ...] = ()


def find(conn: Connection, whose: Whose, words: str) -> Found:
    """What a person said, or was answered, with these words in it."""
    phrase = Phrase(words)
    if not phrase:
        return Found((), ())
    found = matching(conn, whose, phrase)
    covered = {memory.message_id for memory in found}
    said = [line for line in _lines(conn, _own_messages(whose)) if phrase.within(line.text)]
    return Found(tuple(found), tuple(line for line in said if line.id not in covered))


def find_ids(conn: Connection, whose: Whose, ids: Sequence[MemoryId]) -> Found:
    """The memories with these ids, as far as they are theirs."""
    return Found(tuple(of_ids(conn, whose, ids)), ())


def find_everything(conn: Connection, whose: Whose) -> Found:
    """All that is kept of a person."""
    found = selected(conn, columns().where(whose.condition()).order_by(memories.c.id.desc()))
    covered = {memory.message_id for memory in found}
    said = _lines(conn, _own_messages(whose))
    return Found(tuple(found), tuple(line for line in said if line.id not in covered))


def forget(conn: Connection, whose: Whose, selection: Selection, now: datetime) -> Gone:
    """Take it out of every table. Ids that are not the person's own are passed over."""
    whole = selection.everything
    if whole:
        selection = find_everything(conn, whose).selection
    chosen = _memories(conn, whose, memories.c.id, selection.memories)
    turns = _messages_of(conn, whose, chosen, selection.messages)
    ids = {row.id for row in turns}
    drawn = _drawn_from(conn, whose, ids)
    gone = {memory.id for memory in (*chosen, *drawn)}
    _delete(conn, memories, memories.c.id, gone)
    _delete(conn, messages, messages.c.id, ids)
    _forget_summaries(conn, turns)
    _empty_runs(conn, {row.run_id for row in turns if row.run_id}, now)
    places = {row.conversation_id for row in turns} | {memory.conversation_id for memory in chosen}
    _empty_commands(conn, whose, places, now)
    _untitle(conn, turns)
    _forget_in_groups(conn, whose, places, now, whole=whole)
    if whole and whose.alone:
        _forget_person(conn, whose)
    scrub_index(conn)
    return Gone(len(gone), len(ids), tuple(ConversationId(place) for place in sorted(filter(None, places))))


async def forget_for_good(
    store: Store, shelf: Shelf | None, whose: Whose, selection: Selection, now: datetime
) -> Gone:
    """As `forget`, and out of the files: those of the database, and the results that tools brought."""
    gone = await store.write(forget, whose, selection, now)
    if shelf is not None:
        await shelf.clear(gone.places)
    await store.scrub()
    return gone


def _chunks(ids: Iterable[Any]) -> Iterator[list[Any]]:
    every = sorted(ids)
    for start in range(0, len(every), CHUNK):
        yield every[start : start + CHUNK]


def _memories(conn: Connection, whose: Whose, column: ColumnElement[Any], ids: Iterable[int]) -> list[Memory]:
    """Those of a person whose column is among the ids."""
    own = columns().where(whose.condition())
    return [memory for chunk in _chunks(ids) for memory in selected(conn, own.where(column.in_(chunk)))]


def _rows(
    conn: Connection, wanted: Select[Any], column: ColumnElement[Any], ids: Iterable[Any]
) -> list[Row[Any]]:
    return [row for chunk in _chunks(ids) for row in conn.execute(wanted.where(column.in_(chunk)))]


def _delete(conn: Connection, table: Table, column: ColumnElement[Any], ids: Iterable[Any]) -> None:
    for chunk in _chunks(ids):
        conn.execute(delete(table).where(column.in_(chunk)))


def _own_messages(whose: Whose) -> ColumnElement[bool]:
    """A person's messages and the answers to them."""
    mine = messages.c.person_id == whose.person_id
    turns = select(messages.c.run_id).where(mine, messages.c.run_id.is_not(None))
    if whose.scope is not None:
        inside = select(memories.c.message_id).where(whose.condition(), memories.c.message_id.is_not(None))
        of_turns = select(messages.c.run_id).where(messages.c.id.in_(inside), messages.c.run_id.is_not(None))
        return or_(messages.c.id.in_(inside), messages.c.run_id.in_(of_turns))
    own: ColumnElement[bool] = or_(mine, (messages.c.role == "assistant") & messages.c.run_id.in_(turns))
    return own if whose.group is None else own & (messages.c.conversation_id == whose.group)


def _lines(conn: Connection, own: ColumnElement[bool]) -> list[Line]:
    wanted = select(messages.c.id, messages.c.role, messages.c.text, messages.c.at).where(own)
    return [Line(*row) for row in conn.execute(wanted.order_by(messages.c.id.desc()))]


def _messages_of(
    conn: Connection, whose: Whose, chosen: Sequence[Memory], ids: Iterable[int]
) -> Sequence[Row[Any]]:
    """The messages that memories were drawn from, those named, and what else is of their turns."""
    named = set(ids) | {memory.message_id for memory in chosen if memory.message_id is not None}
    for memory in chosen:
        named |= {int(o[8:]) for o in memory.provenance if o.startswith("message:") and o[8:].isdigit()}
    shape = select(messages.c.id, messages.c.run_id, messages.c.conversation_id, messages.c.text)
    own = shape.where(_own_messages(whose))
    rows = _rows(conn, own, messages.c.id, named)
    rows += _rows(conn, own, messages.c.run_id, {row.run_id for row in rows if row.run_id})
    return list({row.id: row for row in rows}.values())


def _drawn_from(conn: Connection, whose: Whose, ids: set[int]) -> list[Memory]:
    """Every other memory that came from these messages: facts, summaries, the message itself."""
    if not ids:
        return []
    by_message = _memories(conn, whose, memories.c.message_id, ids)
    origins = {f"message:{key}" for key in ids}
    drawn = columns().where(whose.condition(), memories.c.provenance.is_not(None))
    by_origin = [memory for memory in selected(conn, drawn) if origins & set(memory.provenance)]
    return [*by_message, *by_origin]


def _empty_runs(conn: Connection, ids: set[str], now: datetime) -> None:
    """Take the words out of turns that have ended, and out of their deliveries."""
    wanted = select(runs.c.id, runs.c.kind, runs.c.status, runs.c.payload, runs.c.result)
    rows = _rows(conn, wanted, runs.c.id, ids)
    rows += _rows(conn, wanted.where(runs.c.kind == "delivery"), runs.c.key, ids)
    for row in rows:
        if row.status not in ENDED and row.kind == "delivery":
            queue.cancel(conn, RunId(row.id), now)
        elif row.status not in ENDED:
            continue
        emptied = {"payload": _without_words(row.payload), "result": _without_words(row.result)}
        conn.execute(update(runs).where(runs.c.id == row.id).values(**emptied))
        conn.execute(delete(steps).where(steps.c.run_id == row.id))
        conn.execute(delete(tool_calls).where(tool_calls.c.run_id == row.id))


def _without_words(data: Any) -> Any:
    """The payload or result of a run without what anybody said in it."""
    if not isinstance(data, dict):
        return data
    emptied = {key: value for key, value in data.items() if key not in {"pieces", "open"}}
    if "text" in emptied:
        emptied["text"] = ""
    for words in {"buttons", "choices", "files", "pictures"} & emptied.keys():  # labels and captions
        emptied[words] = []
    if isinstance(emptied.get("inbound"), dict):
        inbound = {**emptied["inbound"], "parts": [], "context": [], "following": []}
        inbound["conversation"] = {**inbound["conversation"], "title": ""}
        emptied["inbound"] = inbound
    return emptied


def _empty_commands(conn: Connection, whose: Whose, places: set[Any], now: datetime) -> None:
    """Take the words out of the commands in which a person was shown, or named, what they let go."""
    if whose.group is None:
        mine = select(conversations.c.id).where(conversations.c.person_id == whose.person_id)
        places = places | set(conn.scalars(mine.where(conversations.c.kind == "private")))
    else:
        places = {whose.group}
    kept = exists(select(messages.c.id).where(messages.c.run_id == runs.c.id))
    wanted = select(runs.c.id, runs.c.payload).where(
        runs.c.kind == "turn", runs.c.status.in_(list(ENDED)), ~kept
    )
    rows = _rows(conn, wanted, runs.c.conversation_id, {place for place in places if place})
    _empty_runs(conn, {row.id for row in rows if _is_by(row.payload, whose)}, now)


def _is_by(payload: Any, whose: Whose) -> bool:
    speaker = payload.get("inbound", {}).get("speaker", {})
    return f"{speaker.get('channel')}:{speaker.get('user_id')}" == whose.person_id


def _forget_summaries(conn: Connection, gone: Iterable[Any]) -> None:
    """A summary that holds a forgotten message goes, too; the rest of its messages stay and are summed
    up anew."""
    by_place: dict[Any, set[int]] = {}
    for row in gone:
        by_place.setdefault(row.conversation_id, set()).add(row.id)
    for place, ids in by_place.items():
        summaries.drop_covering(conn, place, ids)


def _untitle(conn: Connection, gone: Iterable[Any]) -> None:
    """A conversation that is called by a forgotten message has no name until the next one."""
    for row in gone:
        title = row.text.strip()[:TITLE_CHARS]
        if title:
            mine = conversations.c.id == row.conversation_id, conversations.c.title == title
            conn.execute(update(conversations).where(*mine).values(title=""))


def _forget_in_groups(
    conn: Connection, whose: Whose, places: set[Any], now: datetime, *, whole: bool
) -> None:
    """Groups no longer know what a person spoke of; `whole`: nor, in any of them, the person."""
    wanted = select(group_states.c.conversation_id, group_states.c.version, group_states.c.state)
    for row in _rows(conn, wanted, group_states.c.conversation_id, {place for place in places if place}):
        state = dict(row.state)
        state["talk"] = _without_subjects(state.get("talk", {}), whose)
        changes = {"version": row.version + 1, "state": state, "updated_at": now}
        here = group_states.c.conversation_id == row.conversation_id
        conn.execute(update(group_states).where(here).values(**changes))
    if whole and whose.alone:
        rooms.forget_person(conn, whose.person_id, now)


def _without_subjects(talk: dict[str, Any], whose: Whose) -> dict[str, Any]:
    """The talk without the words by which a person's messages, and the answers, are linked."""
    told = {whose.person_id, OURS}
    history = [[*said[:5], [], *said[6:]] if said[0] in told else said for said in talk.get("history", ())]
    members = {
        key: [name, username, "" if key == whose.person_id else preferred]
        for key, (name, username, preferred) in talk.get("members", {}).items()
    }
    return {**talk, "history": history, "members": members}


def _forget_person(conn: Connection, whose: Whose) -> None:
    """What is left of a person elsewhere: their name, their settings, the marks of events."""
    erase_settings(conn, whose.person_id)
    conn.execute(update(people).where(people.c.id == whose.person_id).values(name="", locale=""))
    conn.execute(update(events).where(events.c.person_id == whose.person_id).values(person_id=None))
    conn.execute(delete(tool_usage).where(tool_usage.c.person_id == whose.person_id))
    conn.execute(delete(tool_grants).where(tool_grants.c.person_id == whose.person_id))
    private = conversations.c.person_id == whose.person_id, conversations.c.kind == "private"
    conn.execute(update(conversations).where(*private).values(title=""))
