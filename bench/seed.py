"""Fill a database with messages, as a person would have written them over months."""

import random
from datetime import timedelta

from bot.clock import SystemClock
from bot.domain.conversation import Conversation, Inbound, Speaker
from bot.domain.message import Text
from bot.store.open import open_store
from bot.turn import inbox
from memory.record import MemoryDraft, scope_of
from memory.store import remember

TOPICS = ("harbour", "garden", "violin", "invoice", "dentist", "recipe", "bicycle", "holiday", "server")
VERBS = ("paid", "found", "lost", "repaired", "moved", "visited", "sold", "cleaned", "planned", "forgot")
PLACES = ("Porto", "Kyoto", "Berlin", "Oslo", "Lima", "Cairo", "Quito", "Turin", "Galway", "Hanoi")


def sentence(random_: random.Random) -> str:
    """A plain sentence with a subject that can be asked for."""
    topic, verb, place = random_.choice(TOPICS), random_.choice(VERBS), random_.choice(PLACES)
    return f"Last week I {verb} the {topic} in {place}, number {random_.randrange(100_000)}."


async def seed(url: str, count: int, *, speaker: str) -> None:
    """Store `count` memories of one speaker of the HTTP channel, spread over two months."""
    clock = SystemClock()
    store = await open_store(url, clock)
    random_ = random.Random(7)
    now = clock.now()
    where = Conversation(channel="http", chat_id="seeded")
    who = Speaker("http", speaker, speaker)
    scope = scope_of("private", who.id, where.id)
    assert scope is not None
    first = Inbound("seed", where, who, now, (Text("seed"),))
    await store.write(inbox.ensure_conversation, first, "seed", now)
    await store.write(inbox.ensure_person, first, now)
    for start in range(0, count, 500):
        drafts = [
            MemoryDraft(
                scope=scope,
                role="user",
                text=sentence(random_),
                at=now - timedelta(minutes=8 * (count - start - n)),
                conversation_id=where.id,
                person_id=who.id,
                name=speaker,
                source="seed",
            )
            for n in range(min(500, count - start))
        ]
        await store.write(remember, drafts, now)
    await store.close()
