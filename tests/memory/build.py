"""Short ways to say what is remembered and asked in a test."""

from datetime import timedelta

from sqlalchemy import Connection

from bot.config.memory import MemorySettings
from bot.domain.conversation import ConversationId, SpeakerId
from bot.domain.message import Role
from bot.store.engine import Store
from memory import words
from memory.centred import Centred
from memory.index.base import MemoryIndex, Within
from memory.index.terms import asked_for
from memory.indexer import Indexer
from memory.recall import Recall
from memory.recipe import RECIPE
from memory.record import Hit, MemoryDraft, MemoryId, RecallQuery, Scope
from memory.store import remember
from tests.memory.fakes import NOW, FakeClock, FakeEmbedder

ANN = Scope("person:telegram:1")
BEN = Scope("person:telegram:2")
GROUP = Scope("conversation:telegram:-100")


def draft(
    text: str,
    scope: Scope = ANN,
    *,
    days_ago: float = 0,
    role: Role = "user",
    name: str = "",
    message_id: int | None = None,
) -> MemoryDraft:
    kind, _, rest = scope.partition(":")
    return MemoryDraft(
        scope=scope,
        role=role,
        text=text,
        at=NOW - timedelta(days=days_ago),
        conversation_id=ConversationId(rest if kind == "conversation" else f"{rest}/chat"),
        message_id=message_id,
        person_id=SpeakerId(rest) if kind == "person" else SpeakerId("telegram:1"),
        name=name,
        source="" if message_id else "test",
    )


async def keep(store: Store, *drafts: MemoryDraft | str) -> list[MemoryId]:
    """Remember texts of Ann, or drafts."""
    made = [draft(item) if isinstance(item, str) else item for item in drafts]
    return await store.write(remember, made, NOW)


async def found(store: Store, text: str, scope: Scope = ANN) -> list[str]:
    """The texts that a recall by words alone brings back."""
    return texts(await by_words(store).recall(RecallQuery(text, (scope,), NOW)))


def texts(hits: tuple[Hit, ...]) -> list[str]:
    return [hit.text for hit in hits]


def by_words(store: Store, **settings: object) -> Recall:
    return Recall(store, MemorySettings.model_validate(settings))


async def by_both(store: Store, embedder: FakeEmbedder, **settings: object) -> Recall:
    """A hybrid recall over a store whose memories are all indexed."""
    centred = Centred(embedder, store)
    await Indexer(store, centred, FakeClock()).catch_up()
    return Recall(store, MemorySettings.model_validate(settings), centred)


def ranked_by_words(conn: Connection, index: MemoryIndex, text: str, within: Within) -> list[MemoryId]:
    """The memories that hold words of a text themselves, in the order of the word search."""
    found = words.by_words(conn, index, text, within, RECIPE)
    held = index.matches(conn, asked_for(text), within).of
    scored = [key for key in found.scores if any(key in ids for ids in held)]
    return sorted(scored, key=lambda key: (-found.scores[key], -key))
