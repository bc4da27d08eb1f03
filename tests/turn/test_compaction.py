"""Long conversations: older turns are given in short, nothing is torn apart, and nothing is lost."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.config.agent import HarnessSettings
from bot.config.memory import MemorySettings
from bot.domain.conversation import ConversationId, SpeakerId
from bot.errors import ModelError
from bot.store.engine import Store
from bot.store.tables import messages, summaries
from bot.turn import forgetting
from bot.turn.compaction import Compaction, Turn, cut
from bot.turn.summaries import Summary, current
from memory.own import Whose
from memory.recall import Recall
from memory.summary import Said
from tests.fakes.clock import START, ManualClock
from tests.fakes.models import ScriptedModel
from tests.turn.house import SETTINGS, House

ANN = ConversationId("http:ann")


def rules(window: int = 20, **settings: Any) -> Compaction:
    given = {"compaction_head_count": 2, "compaction_tail_count": 4, "compaction_message_threshold": 6}
    return Compaction(HarnessSettings(**{**given, **settings}), window, 300, 2_000)


def short_house(store: Store, clock: ManualClock, summarizer: ScriptedModel | None = None) -> House:
    settings = replace(SETTINGS, compaction=rules())
    recall = Recall(store, MemorySettings())
    return House(store, clock, ScriptedModel(), settings=settings, summarizer=summarizer, recall=recall)


async def talk(house: House, *texts: str) -> None:
    for text in texts:
        await house.ask(text)
        house.worker.wake()
        await house.until(lambda: not house.open_runs())


def summary_of(store: Store, session: int = 1) -> Summary | None:
    return store.read_now(current, ANN, session)


NAMES = ["Albatross", "Bumblebee", "Cormorant", "Dragonfly", "Elephant", "Flamingo", "Grasshopper"]
PLANS = [f"My boat number {n} is called {name}." for n, name in enumerate(NAMES, 1)]


async def test_a_long_conversation_keeps_its_beginning_and_end_and_the_rest_in_short(
    store: Store, clock: ManualClock
) -> None:
    async with short_house(store, clock).running() as house:
        await talk(house, *PLANS)
        answer = await house.ask("hello again")
        shown = house.prompt()
    assert answer == "echo: hello again"
    system, said = shown[0][1], [text for _, text in shown[1:]]
    assert PLANS[0] in said and PLANS[6] in said
    summary = summary_of(store)
    assert summary is not None and summary.messages >= 4
    covered = [plan for at, plan in enumerate(PLANS) if summary.covers(2 * at + 1)]
    assert covered and not set(covered) & set(said)
    assert all(NAMES[PLANS.index(plan)] in system for plan in covered)
    assert "never instructions" in system


async def test_the_original_text_stays_and_is_found_again(store: Store, clock: ManualClock) -> None:
    async with short_house(store, clock).running() as house:
        await talk(house, "The boat is moored at Pier Nineteen, row C.", *PLANS)
        assert summary_of(store) is not None
        kept = store.read_now(lambda conn: conn.execute(messages.select()).all())
        assert len(kept) == 2 * (len(PLANS) + 1)
        await house.ask("what is boat number 2 called?")
        assert "My boat number 2 is called Bumblebee." in house.prompt()[0][1]


async def test_a_model_writes_the_summary_where_there_is_one_and_goes_on_from_the_last(
    store: Store, clock: ManualClock
) -> None:
    minutes = ScriptedModel("Ann has boats Bumblebee to Dragonfly.", "Ann has many boats.")
    async with short_house(store, clock, minutes).running() as house:
        await talk(house, *PLANS, *PLANS)
        await house.ask("now")
        assert "Ann has many boats." in house.prompt()[0][1]
    first, second = (request.messages[-1].text for request in minutes.requests[:2])
    assert "Ann: My boat number 2" in first
    assert "Ann has boats Bumblebee to Dragonfly." in second


async def test_a_model_that_fails_costs_nothing_but_style(store: Store, clock: ManualClock) -> None:
    minutes = ScriptedModel(*[ModelError("rate_limited", "slow down")] * 9)
    async with short_house(store, clock, minutes).running() as house:
        await talk(house, *PLANS)
        found = summary_of(store)
    assert found is not None and "Bumblebee" in found.text


@pytest.mark.pain("58")
async def test_what_is_forgotten_leaves_the_summary_too(store: Store, clock: ManualClock) -> None:
    async with short_house(store, clock).running() as house:
        await talk(house, *PLANS)
        before = summary_of(store)
        assert before is not None and "Cormorant" in before.text
        whose = Whose(SpeakerId("http:ann"))
        found = store.read_now(forgetting.find, whose, "Cormorant")
        store.write_now(forgetting.forget, whose, found.selection, START)
        rows = store.read_now(lambda conn: conn.execute(summaries.select()).all())
        assert "Cormorant" not in str(rows)
        await talk(house, "one more thing", "and another")
        again = summary_of(store)
        assert again is not None and "Bumblebee" in again.text and "Cormorant" not in again.text


async def test_a_new_session_knows_nothing_of_the_old_summary(store: Store, clock: ManualClock) -> None:
    async with short_house(store, clock).running() as house:
        await talk(house, *PLANS)
        await house.ask("/new")
        await house.ask("hi")
        assert "in short" not in house.prompt()[0][1]


async def test_an_event_says_how_much_was_summed_up(store: Store, clock: ManualClock) -> None:
    told: list[Any] = []
    async with short_house(store, clock).running() as house:
        house.events.subscribe(told.append)
        await talk(house, *PLANS)
    (event,) = [one for one in told if one.type == "context.compacted"]
    assert (event.strategy, event.messages) == ("head_tail", 6)


def turn(number: int, days: float = 0, messages: int = 2, tokens: int = 100, *, ended: bool = True) -> Turn:
    said = tuple(Said("Ann", f"text {number}.{part}") for part in range(messages))
    return Turn(number, START - timedelta(days=days), said, tokens, ended)


def test_what_is_old_is_summed_up_by_age() -> None:
    turns = [turn(n, days=20 - 2 * n) for n in range(11)]
    aged = rules(window=40, compaction_strategy="age_based", compaction_age_max_days=7)
    assert cut(turns, aged, START, begun=False) == (0, 7)


def test_what_is_too_much_is_summed_up_by_budget_with_room_to_grow() -> None:
    turns = [turn(n) for n in range(10)]
    tight = rules(window=40, compaction_strategy="budget_based", compaction_budget_max_tokens=800)
    assert cut(turns, tight, START, begun=False) == (0, 6)
    assert cut(turns[6:], tight, START, begun=True) == (0, 0)


def test_a_turn_at_work_and_what_follows_it_are_left_alone() -> None:
    turns = [turn(n, ended=n != 3) for n in range(10)]
    assert cut(turns, rules(), START, begun=False) == (1, 3)


turns_of_any_shape = st.lists(
    st.builds(
        lambda days, count, tokens, ended: (days, count, tokens, ended),
        st.floats(0, 30),
        st.integers(0, 9),
        st.integers(0, 5_000),
        st.booleans(),
    ),
    max_size=40,
)


@given(
    turns_of_any_shape,
    st.sampled_from(["head_tail", "age_based", "budget_based"]),
    st.integers(0, 12),
    st.integers(0, 12),
    st.booleans(),
)
def test_whole_turns_are_cut_never_the_newest_and_never_an_open_one(
    shapes: list[tuple[float, int, int, bool]], strategy: str, head: int, tail: int, begun: bool
) -> None:
    turns = [turn(n, *shape[:3], ended=shape[3]) for n, shape in enumerate(shapes)]
    limits = rules(
        compaction_strategy=strategy, compaction_head_count=head, compaction_tail_count=tail, window=16
    )
    begin, end = cut(turns, limits, START, begun=begun)
    assert 0 <= begin <= end <= max(len(turns) - 1, 0)
    assert all(one.ended for one in turns[begin:end])
    assert begin == end or sum(len(one.said) for one in turns[begin:end]) >= 4
    if begun:
        assert begin == 0
