"""Whatever Telegram sends, known today or not, the next update is read."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import InputError
from channels.telegram.gather import gather_of
from channels.telegram.parts import ALLOWED_UPDATES, Me, read_message
from tests.fakes.bot_api_spec import spec
from tests.fakes.bot_api_world import BOT_ID
from tests.telegram.kit import ANN, started

DEEPEST = 4
_PLAIN: dict[str, Any] = {"Integer": 1, "String": "x", "Boolean": True, "Float": 1.5, "InputFile": "f"}


def example(kind: str, *, whole: bool, depth: int = 0) -> Any:
    """A value of a type of the Bot API; `whole` with its optional fields, as deep as makes sense."""
    kind = kind.removesuffix("!").split("|")[0]
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind.startswith("Array of "):
        inner = kind.removeprefix("Array of ")
        return [example(inner, whole=whole, depth=depth + 1)] if depth <= DEEPEST else []
    if kind in spec()["unions"]:
        return example(spec()["unions"][kind][-1], whole=whole, depth=depth + 1)
    fields: dict[str, str] = spec()["types"].get(kind, {})
    return {
        name: example(declared, whole=whole and depth < 2, depth=depth + 1)
        for name, declared in fields.items()
        if depth <= 2 * DEEPEST and (declared.endswith("!") or (whole and depth < DEEPEST))
    }


def updates() -> Iterator[dict[str, Any]]:
    """Each kind of update: bare, whole, and each of a message's fields by itself; then what is unknown."""
    for kind, declared in spec()["types"]["Update"].items():
        if kind == "update_id":
            continue
        bare, full = (example(declared, whole=whole) for whole in (False, True))
        yield {kind: bare}
        yield {kind: full}
        yield {kind: {**bare, "a_field_of_tomorrow": {"x": [1]}}}
        yield {kind: None}
        yield {kind: {}}
        if declared.removesuffix("!") == "Message":
            for name, value in full.items():
                yield {kind: {**bare, name: value}}
    yield {"hologram": {"message_id": 1}}
    yield {}


async def test_no_kind_of_update_stops_the_ones_after_it(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        made = list(updates())
        assert len(made) > 400
        ids = range(800_000_001, 800_000_001 + len(made))
        kit.api.world.updates += [
            {"update_id": number, **update} for number, update in zip(ids, made, strict=True)
        ]
        kit.api.world.arrived.set()
        await kit.api.until(lambda: set(ids) <= set(kit.api.world.confirmed), 60)
        kit.api.world.updates.append({"update_id": ids[-1] + 1, "message": hello()})
        kit.api.world.arrived.set()
        assert (await kit.answers(ANN))[-1] == "echo: still there?"


def hello() -> dict[str, Any]:
    chat = {"id": ANN, "type": "private"}
    sender = {"id": ANN, "is_bot": False, "first_name": "Ann"}
    return {"message_id": 999, "date": 1_772_450_000, "chat": chat, "from": sender, "text": "still there?"}


def test_what_is_asked_of_telegram_exists() -> None:
    assert set(ALLOWED_UPDATES) <= set(spec()["types"]["Update"])


@pytest.mark.parametrize("name", sorted(spec()["types"]["Message"]))
def test_each_field_of_a_message_is_read_or_left_alone(name: str) -> None:
    value = example(spec()["types"]["Message"][name], whole=True)
    inbound = read_message({**hello(), name: value}, Me(BOT_ID, "donkey_bot"))
    assert inbound is not None
    gather_of({**hello(), name: value}, inbound, Me(BOT_ID, "donkey_bot"), 0.8, inbound.at)


_JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


@given(st.sampled_from(sorted(spec()["types"]["Message"])), _JUNK)
def test_a_message_with_anything_in_a_field_is_read_or_refused_as_malformed(name: str, junk: Any) -> None:
    try:
        read_message({**hello(), name: junk}, Me(BOT_ID, "donkey_bot"))
    except (InputError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        assert name in spec()["types"]["Message"]
