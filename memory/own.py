"""What a person may look at, and let go: everything that is kept of them, or of them in one group.

In a private conversation that is all of theirs, wherever they said it. In a group it is only what they
said there: nothing of elsewhere is shown before others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, func, select

from bot.domain.conversation import ConversationId, ConversationKind, SpeakerId
from bot.store.tables import memories
from bot.text.tokens import segments, spaced
from memory.index.terms import key_phrases
from memory.record import Memory, MemoryId
from memory.store import columns, owned_by, selected

MAX_PHRASE_CHARS = 500
MAX_COMPARED_CHARS = 20_000


@dataclass(frozen=True, slots=True)
class Whose:
    """A person, where they ask: `group` is the conversation that nothing may be shown from beyond."""

    person_id: SpeakerId
    group: ConversationId | None = None
    scope: str | None = None  # for who runs the bot: a whole scope, of whomever it is

    @property
    def alone(self) -> bool:
        """Whether it is all of one person's, wherever it is."""
        return self.group is None and self.scope is None

    @classmethod
    def asking(cls, kind: ConversationKind, person_id: SpeakerId, where: ConversationId) -> "Whose":
        """Somebody who asks in a conversation of this kind."""
        return cls(person_id, None if kind == "private" else where)

    def condition(self) -> ColumnElement[bool]:
        """What of the memories is theirs."""
        if self.scope is not None:
            own = memories.c.scope == self.scope
            return own & owned_by(self.person_id) if self.person_id else own
        if self.group is None:
            return owned_by(self.person_id)
        return and_(memories.c.person_id == self.person_id, memories.c.scope == f"conversation:{self.group}")


@dataclass(frozen=True, slots=True)
class Counts:
    """How much is kept: facts that hold, and things that were said or answered, since `since`."""

    facts: int
    said: int
    since: datetime | None


class Phrase:
    """Words to look for; a text holds them when every telling one of them is in it."""

    def __init__(self, words: str) -> None:
        found = key_phrases(segments(words[:MAX_PHRASE_CHARS]))
        self._needles = [f" {' '.join(text)} " if cjk else f" {_beginning(text)}" for text, cjk in found]

    def __bool__(self) -> bool:
        return bool(self._needles)

    def within(self, text: str) -> bool:
        """Whether a text holds all the words, in any form and order."""
        held = f" {spaced(text[:MAX_COMPARED_CHARS])} "
        return bool(self._needles) and all(needle in held for needle in self._needles)


def facts(
    conn: Connection, whose: Whose, *, limit: int, before: int | None = None, now: datetime
) -> list[Memory]:
    """The facts that hold, newest first, those with ids below `before`."""
    wanted = columns().where(whose.condition(), memories.c.slot != "", memories.c.status == "active")
    if before is not None:
        wanted = wanted.where(memories.c.id < before)
    found = selected(conn, wanted.order_by(memories.c.id.desc()).limit(limit))
    return [memory for memory in found if not memory.expired(now)]


def page(conn: Connection, whose: Whose, *, limit: int, before: int | None = None) -> list[Memory]:
    """Everything, the latest first, those with ids below `before`."""
    wanted = columns().where(whose.condition())
    if before is not None:
        wanted = wanted.where(memories.c.id < before)
    return selected(conn, wanted.order_by(memories.c.id.desc()).limit(limit))


def page_after(conn: Connection, whose: Whose, *, limit: int, after: int = 0) -> list[Memory]:
    """Everything, the first first, those with ids above `after`."""
    wanted = columns().where(whose.condition(), memories.c.id > after)
    return selected(conn, wanted.order_by(memories.c.id).limit(limit))


def counts(conn: Connection, whose: Whose) -> Counts:
    """How much there is."""
    is_fact = memories.c.slot != ""
    row = conn.execute(
        select(
            func.count().filter(is_fact, memories.c.status == "active"),
            func.count().filter(~is_fact),
            func.min(memories.c.at),
        ).where(whose.condition())
    ).one()
    return Counts(*row)


def matching(conn: Connection, whose: Whose, phrase: Phrase) -> list[Memory]:
    """All that hold the words of a phrase, newest first."""
    every = selected(conn, columns().where(whose.condition()).order_by(memories.c.id.desc()))
    return [memory for memory in every if phrase.within(memory.text)]


def of_ids(conn: Connection, whose: Whose, ids: Sequence[MemoryId]) -> list[Memory]:
    """Those of the ids that are theirs, newest first; other people's are as if they were not."""
    wanted = columns().where(whose.condition(), memories.c.id.in_(ids))
    return selected(conn, wanted.order_by(memories.c.id.desc()))


def _beginning(word: str) -> str:
    """As much of a word as its forms have in common."""
    return word[: max(4, len(word) - 3)]
