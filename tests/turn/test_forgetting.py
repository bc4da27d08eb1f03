"""What a person lets be forgotten is shown first, and then stands nowhere any more."""

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select, update

from bot.config.memory import MemorySettings
from bot.domain.conversation import ConversationId, SpeakerId
from bot.store.engine import Store
from bot.store.tables import memories, messages, metadata, runs
from bot.tools.guards.workspace import Quota
from bot.tools.shelf import Shelf, folder_of
from bot.turn.forgetting import Selection, forget, forget_for_good
from bot.turn.gate import Rules
from memory.own import Whose
from memory.recall import Recall
from memory.store import export
from tests.fakes.clock import ManualClock
from tests.fakes.models import ScriptedModel
from tests.turn.house import House
from tests.turn.test_learning import RULES, settled

GROUP = {"chat": "g", "kind": "group", "addressed": True}
PLANTED = ("quetzalcoatlus", "xylophag", "火烈鸟")


def everything(store: Store) -> str:
    """All that stands in any table, those of the full-text index included, and their JSON as it reads."""

    def read(conn: Any) -> str:
        names = [table.name for table in metadata.sorted_tables]
        if store.dialect == "sqlite":
            names = list(
                conn.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'").scalars()
            )
        rows = [repr(tuple(row)) for name in names for row in conn.exec_driver_sql(f'SELECT * FROM "{name}"')]
        return "\n".join(rows)

    return store.read_now(read)


def on_disk(store: Store) -> bytes:
    assert store.path is not None
    folder = Path(store.path).parent
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file())


def traces(store: Store) -> list[str]:
    """Which of the planted words stand anywhere, in tables or, for a file, in its bytes."""
    held = everything(store).encode()
    if store.path is not None:
        held += on_disk(store)
    # As it is, as the index has it, and as JSON writes it.
    forms = {word: (word, " ".join(word), json.dumps(word).strip('"')) for word in PLANTED}
    return [word for word in PLANTED if any(form.encode() in held for form in forms[word])]


async def plant(house: House) -> None:
    model: ScriptedModel = house.model
    model.script(
        "A quetzalcoatlus at work, how exciting!",
        "Noted.",
        "The xylophagous one again.",
        "好的，火烈鸟。",
    )
    await house.ask("My job is quetzalcoatlus keeper")
    await house.ask("Remember that my job code is xylophagous")
    await house.ask("as I said, my job is with a xylophagous quetzalcoatlus", chat="second")
    await house.ask("我的工作是养火烈鸟 my job")
    await house.ask("my cat is called Tom")
    await house.ask("I am Ben and my job is baking", user="ben", chat="ben")
    await settled(house)


def column(store: Store, wanted: Any) -> tuple[Any, ...]:
    return store.read_now(lambda conn: tuple(conn.scalars(select(wanted))))


def code_in(text: str) -> str:
    return text.split("/memory yes ")[1].split()[0]


def learning_house(store: Store, clock: ManualClock) -> House:
    """A house that learns, and that everybody may come into."""
    rules = Rules({}, open_channels=frozenset({"http", "push"}))
    return House(store, clock, settings=RULES, recall=Recall(store, MemorySettings()), rules=rules)


@pytest.mark.pain("58")
@pytest.mark.parametrize("push", [False, True])
async def test_what_is_forgotten_was_shown_and_leaves_no_trace(
    store: Store, clock: ManualClock, push: bool
) -> None:
    channel = "push" if push else "http"
    async with learning_house(store, clock).running() as house:
        ask = house.ask
        house.ask = lambda text, **more: ask(text, channel=channel, **more)  # type: ignore[method-assign]
        await plant(house)
        assert set(traces(store)) == set(PLANTED)
        await house.ask("/memory list")
        await house.ask("/memory search job")
        shown = await house.ask("forget what I said about my job")
        assert all(word in shown for word in PLANTED)
        assert "Tom" not in shown
        assert "baking" not in shown
        assert set(traces(store)) == set(PLANTED)
        done = await house.ask(f"/memory yes {code_in(shown)}")
        assert done.startswith("Forgotten: ")
        await settled(house)
        await house.events.flush()
        await store.scrub()
        assert traces(store) == []
        assert "keeper" not in everything(store)
        answer = await house.ask("what is my job?", chat="third")
        assert not any(word in answer + str(house.prompt()) for word in PLANTED)
        left = await ask("/memory search job", user="ben", chat="ben", channel=channel)
        assert "baking" in left
        assert "Tom" in await house.ask("/memory search cat")


@pytest.mark.pain("58")
async def test_forgetting_everything_leaves_nothing_of_the_person_and_all_of_the_others(
    store: Store, clock: ManualClock
) -> None:
    async with learning_house(store, clock).running() as house:
        await plant(house)
        await house.ask("call me Quetzalcoatlus please", name="Xylophagous", **GROUP)
        await house.ask("I am here too", user="ben", **GROUP)
        await house.ask("/memory pause")
        await settled(house)
        shown = await house.ask("forget me")
        await house.ask(f"/memory yes {code_in(shown)}", name="")
        await settled(house)
        await house.events.flush()
        await store.scrub()
        assert traces(store) == []
        assert "uetzalcoatlus" not in everything(store)
        ann = store.read_now(export, SpeakerId("http:ann"))
        assert ann == []
        ben = store.read_now(export, SpeakerId("http:ben"))
        assert any("baking" in record["text"] for record in ben)


async def test_nothing_goes_unconfirmed_twice_too_late_or_by_somebody_else(
    store: Store, clock: ManualClock
) -> None:
    async with learning_house(store, clock).running() as house:
        await house.ask("my job is quetzalcoatlus keeper")
        code = code_in(await house.ask("/memory forget job"))
        assert "nothing to confirm" in await house.ask("/memory yes 00000000")
        assert "nothing to confirm" in await house.ask(f"/memory yes {code}", user="ben", chat="ben")
        await clock.advance(16 * 60)
        assert "nothing to confirm" in await house.ask(f"/memory yes {code}")
        code = code_in(await house.ask("/memory forget job"))
        assert "keep" in await house.ask("/memory no")
        assert "nothing to confirm" in await house.ask(f"/memory yes {code}")
        assert "quetzalcoatlus" in everything(store)


async def test_in_a_group_only_what_was_said_there_goes(store: Store, clock: ManualClock) -> None:
    async with learning_house(store, clock).running() as house:
        house.model.script("yes", "yes", "yes")
        await house.ask("my job is keeping a quetzalcoatlus")
        await house.ask("my job is baking", **GROUP)
        await house.ask("my job is to sing", user="ben", **GROUP)
        await settled(house)
        shown = await house.ask("/memory forget job", **GROUP)
        assert "baking" in shown
        assert "quetzalcoatlus" not in shown
        assert "sing" not in shown
        await house.ask(f"/memory yes {code_in(shown)}", **GROUP)
        texts = column(store, memories.c.text)
    assert any("quetzalcoatlus" in text for text in texts)
    assert any("sing" in text for text in texts)
    assert not any("baking" in text for text in texts)


async def test_ids_of_other_people_are_passed_over(store: Store, clock: ManualClock) -> None:
    async with learning_house(store, clock).running() as house:
        await house.ask("my job is keeping a quetzalcoatlus")
        ids, said = column(store, memories.c.id), column(store, messages.c.id)
        ben = Whose(SpeakerId("http:ben"))
        gone = await store.write(forget, ben, Selection(ids, said), clock.now())
        assert (gone.memories, gone.messages) == (0, 0)
        group = Whose(SpeakerId("http:ann"), ConversationId("http:other"))
        assert (await store.write(forget, group, Selection(ids, said), clock.now())).memories == 0
        assert "quetzalcoatlus" in everything(store)


async def test_what_tools_brought_goes_with_what_is_forgotten(
    store: Store, clock: ManualClock, tmp_path: Path
) -> None:
    root = tmp_path / "workspaces"
    shelf, ben = Shelf(root, Quota()), ConversationId("http:ben")
    async with learning_house(store, clock).running() as house:
        await plant(house)
        for conversation in (ConversationId("http:ann"), ben):
            await shelf.keep(conversation, "fetch", "a page", clock.now())
        ann = Whose(SpeakerId("http:ann"))
        gone = await forget_for_good(store, shelf, ann, Selection(everything=True), clock.now())
        assert gone.places == ("http:ann", "http:second")
    kept = [path.parent.parent for path in root.glob("*/*/*.txt")]
    assert kept == [folder_of(root, ben)]


async def test_choices_that_were_offered_go_with_what_is_forgotten(store: Store, clock: ManualClock) -> None:
    def offer(conn: Connection) -> None:
        offered = {"choices": [["Feed the quetzalcoatlus", "the quetzalcoatlus one"]]}
        for row in conn.execute(select(runs.c.id, runs.c.result).where(runs.c.kind == "turn")).all():
            conn.execute(update(runs).where(runs.c.id == row.id).values(result={**row.result, **offered}))

    async with learning_house(store, clock).running() as house:
        await house.ask("My job is quetzalcoatlus keeper")
        await settled(house)
        await store.write(offer)
        shown = await house.ask("forget me")
        await house.ask(f"/memory yes {code_in(shown)}")
        await settled(house)
        await house.events.flush()
        await store.scrub()
        assert traces(store) == []
