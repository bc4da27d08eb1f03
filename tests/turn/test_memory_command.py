"""/memory in a chat: look, search, correct, ask for what was before, pause and export."""

import json
import re

from bot.domain.conversation import SpeakerId
from bot.store.engine import Store
from memory.record import MemoryDraft, Scope
from memory.store import keep
from tests.fakes.clock import ManualClock
from tests.turn.test_forgetting import learning_house
from tests.turn.test_learning import GROUP, settled


async def test_a_person_looks_corrects_and_asks_for_what_was_before(store: Store, clock: ManualClock) -> None:
    async with learning_house(store, clock).running() as house:
        assert "no facts" in await house.ask("/memory")
        await house.ask("I live in Berlin")
        await settled(house)
        listed = await house.ask("/memory")
        assert "I live in Berlin" in listed
        number = listed.split("#")[1].split()[0]
        assert "Corrected" in await house.ask(f"/memory correct {number} I live in Bern")
        listed = await house.ask("/memory list")
        assert "Bern" in listed
        assert "Berlin" not in listed
        number = listed.split("#")[1].split()[0]
        assert "Berlin" in await house.ask(f"/memory history {number}")
        assert "no memory of yours" in await house.ask(f"/memory history {number}", user="ben", chat="ben")
        assert "no memory of yours" in await house.ask(f"/memory correct {number} x", user="ben", chat="ben")


async def test_while_paused_nothing_is_kept_and_an_export_is_json_lines(
    store: Store, clock: ManualClock
) -> None:
    async with learning_house(store, clock).running() as house:
        await house.ask("I live in Berlin")
        await settled(house)
        await house.ask("/memory pause")
        await house.ask("I like tea")
        await settled(house)
        assert "Paused" in await house.ask("/memory")
        exported = (await house.ask("/memory export")).split("```json\n")[1].split("\n```")[0]
        texts = [json.loads(line)["text"] for line in exported.splitlines()]
        assert "I live in Berlin" in texts
        assert not any("tea" in text for text in texts)
        await house.ask("/memory resume")
        await house.ask("I like tea")
        await settled(house)
        assert "tea" in await house.ask("/memory")


async def test_a_group_is_shown_nothing_of_a_private_chat_or_of_another_member(
    store: Store, clock: ManualClock
) -> None:
    async with learning_house(store, clock).running() as house:
        await house.ask("I live in Berlin")
        await house.ask("I like tea", **GROUP)
        await settled(house)
        for verb in ("list", "search live", "search like", "export"):
            shown = await house.ask(f"/memory {verb}", **GROUP)
            assert "Berlin" not in shown
            assert "tea" not in await house.ask(f"/memory {verb}", user="ben", **GROUP)
        assert "tea" in await house.ask("/memory list", **GROUP)


async def test_the_verbs_are_understood_and_answered_in_the_languages_of_the_bot(
    store: Store, clock: ManualClock
) -> None:
    async with learning_house(store, clock).running() as house:
        await house.ask("我住在上海")
        await settled(house)
        assert "我住在上海" in await house.ask("/memory 列表", locale="zh")
        assert "将被彻底忘记" in await house.ask("忘记我说过的关于上海的事", locale="zh")
        for locale, verb in (("es", "pausar"), ("hi", "रोक"), ("ar", "إيقاف")):
            assert "/memory resume" in await house.ask(f"/memory {verb}", locale=locale)


async def test_everything_can_be_exported_in_a_chat_part_by_part(store: Store, clock: ManualClock) -> None:
    scope, person = Scope("person:http:ann"), SpeakerId("http:ann")
    notes = [f"note number {number}" for number in range(150)]
    drafts = [
        MemoryDraft(scope, "user", text, clock.now(), person_id=person, source="test") for text in notes
    ]
    await store.write(keep, drafts, clock.now())
    async with learning_house(store, clock).running() as house:
        first = await house.ask("/memory export")
        following = re.search(r"/memory export \d+", first)
        assert following is not None
        second = await house.ask(following[0])
    parts = [answer.split("```json\n")[1].split("\n```")[0] for answer in (first, second)]
    texts = [json.loads(line)["text"] for part in parts for line in part.splitlines()]
    assert [text for text in texts if text.startswith("note")] == notes
    assert "There are more" not in second
