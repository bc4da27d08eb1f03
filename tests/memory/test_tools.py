"""The set `memory`: what a turn may be told, and no more."""

from bot.domain.conversation import ConversationId, SpeakerId
from bot.domain.run import RunId
from bot.domain.tool import RunContext
from bot.store.engine import Store
from memory.people import pause
from memory.record import Scope
from memory.tools import memory_tools
from tests.fakes.clock import ManualClock
from tests.memory.build import BEN, by_words, draft, keep
from tests.memory.fakes import NOW
from tests.tools.sets.calling import answer, fault

ANN_HERE = RunContext(RunId("r1"), ConversationId("telegram:1"), SpeakerId("telegram:1"))
GROUP = ConversationId("telegram:-100")
IN_GROUP = RunContext(RunId("r2"), GROUP, SpeakerId("telegram:1"), is_private=False)


async def test_a_search_finds_what_was_said_and_nothing_of_others(store: Store) -> None:
    await keep(store, "my bicycle is red", draft("my bicycle is stolen", BEN))
    tools = memory_tools(store, ManualClock(NOW), by_words(store))
    told = await answer(tools, "memory_search", {"query": "bicycle"}, ANN_HERE)
    assert "my bicycle is red" in told
    assert "stolen" not in told


async def test_in_a_group_nothing_of_private_talk_is_told(store: Store) -> None:
    await keep(store, "my bicycle is red", draft("the bicycle club meets", Scope(f"conversation:{GROUP}")))
    tools = memory_tools(store, ManualClock(NOW), by_words(store))
    told = await answer(tools, "memory_search", {"query": "bicycle"}, IN_GROUP)
    assert "club" in told
    assert "red" not in told


async def test_what_is_remembered_is_found_again_and_listed_to_its_person_only(store: Store) -> None:
    tools = memory_tools(store, ManualClock(NOW), by_words(store))
    wish = {"text": "I am allergic to nuts"}
    assert (await answer(tools, "memory_remember", wish, ANN_HERE)).startswith("Remembered")
    assert (await answer(tools, "memory_remember", wish, ANN_HERE)).startswith("Known already")
    assert "allergic" in await answer(tools, "memory_list", {}, ANN_HERE)
    assert "allergic" in await answer(tools, "memory_search", {"query": "nuts"}, ANN_HERE)
    ben = RunContext(RunId("r3"), ConversationId("telegram:2"), SpeakerId("telegram:2"))
    assert await answer(tools, "memory_list", {}, ben) == "Nothing is remembered."
    assert await answer(tools, "memory_list", {}, IN_GROUP) == "Nothing is remembered."


async def test_a_secret_is_not_remembered_and_a_paused_memory_takes_nothing(store: Store) -> None:
    tools = memory_tools(store, ManualClock(NOW), by_words(store))
    key = "sk-proj-" + "a1B2c3D4" * 4
    await answer(tools, "memory_remember", {"text": f"my key is {key}"}, ANN_HERE)
    assert key not in await answer(tools, "memory_list", {}, ANN_HERE)
    await store.write(pause, SpeakerId("telegram:1"), NOW, paused=True)
    assert "paused" in await fault(tools, "memory_remember", {"text": "I like tea"}, ANN_HERE)


async def test_what_memory_tells_counts_as_others_words(store: Store) -> None:
    tools = await memory_tools(store, ManualClock(NOW), by_words(store)).tools(ANN_HERE)
    assert {tool.name: tool.untrusted for tool in tools} == {
        "memory_search": True,
        "memory_list": True,
        "memory_remember": False,
    }
