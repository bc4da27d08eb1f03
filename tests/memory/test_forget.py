"""What is forgotten is gone: from answers, tables, indexes and the bytes on disk."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection

from bot.domain.conversation import ConversationId, SpeakerId
from bot.store import sqlite
from bot.store.engine import Store
from memory.record import RecallQuery
from memory.store import erase, export, forget_conversation
from tests.memory.build import ANN, BEN, GROUP, by_both, draft, found, keep, texts
from tests.memory.fakes import NOW, FakeEmbedder

SECRETS = ("xylophagous", "quetzalcoatlus", "机密暗号")
PERSON = SpeakerId("telegram:1")


def everything(conn: Connection) -> str:
    """All that stands in any table, the index's own tables included."""
    tables = conn.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'").scalars().all()
    return "\n".join(repr(row) for name in tables for row in conn.exec_driver_sql(f'SELECT * FROM "{name}"'))


def on_disk(store: Store) -> bytes:
    """The bytes of the database and its log, after a checkpoint has emptied the log."""
    assert store.path is not None
    connection = sqlite.connect(store.path)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    folder = Path(store.path).parent
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file())


async def planted(store: Store) -> None:
    await keep(
        store,
        draft(f"my hobby is {SECRETS[0]}", ANN, message_id=1, name="Ann"),
        draft(f"so you like {SECRETS[0]}", ANN, role="assistant"),
        draft(f"I said {SECRETS[1]} in the group", GROUP),
        draft(f"我的暗号{SECRETS[2]}", ANN),
        replace(draft("hello group", GROUP), person_id=SpeakerId("telegram:2")),
        draft("I am Ben", BEN),
    )
    await keep(store, *(draft(f"filler number {n} of Ben", BEN) for n in range(300)))
    await by_both(store, FakeEmbedder())


@pytest.mark.pain("58")
async def test_erasing_a_person_leaves_no_trace_in_any_table_or_byte(sqlite_store: Store) -> None:
    await planted(sqlite_store)
    stems = [b"xylophag", b"quetzalcoatlu", "机密".encode(), "机 密".encode()]
    before = on_disk(sqlite_store)
    assert all(stem in before for stem in stems)

    assert await sqlite_store.write(erase, PERSON) == 4

    left = await sqlite_store.read(everything)
    assert not [secret for secret in (*SECRETS, "机 密", "telegram:1'", "Ann") if secret in left]
    after = on_disk(sqlite_store)
    assert not [stem for stem in stems if stem in after]
    recall = await by_both(sqlite_store, FakeEmbedder(), hybrid_min_score=0)
    for secret in SECRETS:
        assert await recall.recall(RecallQuery(secret, (ANN,), NOW)) == ()
        assert secret not in str(await recall.recall(RecallQuery(secret, (GROUP,), NOW)))
    assert texts(await recall.recall(RecallQuery("hello", (GROUP,), NOW))) == ["hello group"]
    assert await sqlite_store.read(export, PERSON) == []


async def test_deleting_leaves_the_index_whole_and_the_others_findable(sqlite_store: Store) -> None:
    await planted(sqlite_store)
    await sqlite_store.write(erase, PERSON)
    await sqlite_store.write(
        lambda conn: conn.exec_driver_sql("INSERT INTO memory_fts(memory_fts) VALUES ('integrity-check')")
    )
    assert await found(sqlite_store, "filler 299", BEN) != []
    counts = "SELECT count(*) FROM memories UNION ALL SELECT count(*) FROM memory_fts"
    counts += " UNION ALL SELECT count(*) FROM memory_vectors UNION ALL SELECT count(*) FROM memory_codes"
    found_counts = await sqlite_store.read(lambda conn: set(conn.exec_driver_sql(counts).scalars()))
    assert len(found_counts) == 1


async def test_forgetting_a_conversation_takes_it_along_and_nothing_else(store: Store) -> None:
    await planted(store)
    assert await store.write(forget_conversation, ConversationId("telegram:-100")) == 2
    assert await found(store, SECRETS[1], GROUP) == []
    assert await found(store, SECRETS[0]) != []
    assert await store.write(forget_conversation, ConversationId("telegram:-100")) == 0


async def test_an_export_holds_what_a_person_said_and_was_answered_as_json(store: Store) -> None:
    await planted(store)
    records = json.loads(json.dumps(await store.read(export, PERSON)))
    assert [record["role"] for record in records] == ["user", "assistant", "user", "user"]
    assert isinstance(records[0].pop("id"), int)
    assert records[0] == {
        "kind": "episodic",
        "role": "user",
        "name": "Ann",
        "text": f"my hobby is {SECRETS[0]}",
        "at": NOW.isoformat(),
        "scope": "person:telegram:1",
        "source": "message:1",
    }
