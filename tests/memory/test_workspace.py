"""What is for everybody: told in private chats, in groups only where it is public, kept by the operator."""

from dataclasses import replace

import pytest

from bot.domain.conversation import ConversationId, SpeakerId
from bot.store.engine import Store
from memory.privacy import objection
from memory.record import WORKSPACE, MemoryDraft, RecallQuery, Visibility, told_in
from tests.memory.build import ANN, GROUP, by_both, by_words, draft, keep, texts
from tests.memory.fakes import NOW, FakeEmbedder


def handbook(text: str, visibility: Visibility) -> MemoryDraft:
    made = replace(draft(text, WORKSPACE), source="import:handbook", person_id=None)
    return replace(made, visibility=visibility)


@pytest.mark.parametrize("vectors", [False, True])
async def test_a_group_hears_of_the_workspace_only_what_is_public(store: Store, *, vectors: bool) -> None:
    await keep(
        store,
        handbook("the office door code is on the blue card", "workspace"),
        handbook("the office opens at eight", "public"),
        draft("my office plant is a fern", ANN),
    )
    recall = await by_both(store, FakeEmbedder()) if vectors else by_words(store)
    ann = told_in("private", SpeakerId("telegram:1"), ConversationId("telegram:1"))
    group = told_in("group", SpeakerId("telegram:1"), ConversationId("telegram:-100"))
    private = RecallQuery("office", ann, NOW)
    assert len(await recall.recall(private)) == 3
    heard = texts(await recall.recall(RecallQuery("office", group, NOW, before_others=True)))
    assert heard == ["the office opens at eight"]


def test_nothing_is_more_or_less_visible_than_its_scope() -> None:
    assert objection(handbook("x", "public")) is None
    assert objection(handbook("x", "private")) == "visibility_denied"
    for scope in (ANN, GROUP):
        assert objection(replace(draft("x", scope), visibility="workspace")) == "visibility_denied"
        assert objection(draft("x", scope)) is None


def test_a_stateless_conversation_is_told_nothing() -> None:
    assert told_in("stateless", None, ConversationId("http:x")) == ()
