"""Slash commands, the same in every channel; and the bot's own voice in every language."""

import re
import tomllib
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.commands import registry
from bot.commands.base import parse
from bot.domain.conversation import SpeakerId
from bot.i18n.catalogue import LOCALES, language, texts, translate
from bot.store.engine import Store
from bot.turn.gate import Rules
from tests.fakes.clock import ManualClock
from tests.turn.house import House, inbound

RULES = Rules({SpeakerId("push:olga"): "owner", SpeakerId("push:mia"): "member"})


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/help", ("help", "")),
        ("  /Help  ", ("help", "")),
        ("/allow  AB-CD ", ("allow", "AB-CD")),
        ("/new\nand more", ("new", "and more")),
        ("/etc/hosts, what is it?", None),
        ("/", None),
        ("// comment", None),
        ("say /help", None),
        ("", None),
        ("/" + "x" * 33, None),
    ],
)
def test_a_command_stands_at_the_start_of_a_message(text: str, command: tuple[str, str] | None) -> None:
    assert parse(text) == command


@given(st.text())
def test_any_text_can_be_looked_at_for_a_command(text: str) -> None:
    parsed = parse(text)
    assert parsed is None or re.fullmatch("[a-z0-9_]{1,32}", parsed[0])


@pytest.mark.parametrize(("name", "arrival"), [("stop", "control"), ("allow", "control"), ("new", "command")])
def test_what_must_not_wait_is_told_to_the_inbox(name: str, arrival: str) -> None:
    assert registry.arrival(inbound(f"/{name}")) == arrival
    assert registry.arrival(inbound(f"say /{name}")) == "turn"


async def test_commands_are_answered_without_the_model_and_leave_no_trace_in_the_talk(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with House(sqlite_store, clock).running() as house:
        assert (await house.ask("/start")).startswith("Hello! I am xiaomaolv")
        assert "/new – begin a new conversation" in await house.ask("/help")
        assert await house.ask("/whoami") == "You are Ann, id ann (owner)."
        assert (await house.ask("/start", locale="zh-hans")).startswith("你好！我是小毛驴")
        assert house.model.requests == []
        assert house.said() == []
        await house.ask("hello")
        assert [text for role, text in house.prompt() if role != "system"] == ["hello"]


async def test_help_shows_what_a_person_may_do(sqlite_store: Store, clock: ManualClock) -> None:
    async with House(sqlite_store, clock, rules=RULES).running() as house:
        assert "/allow" in await house.ask("/help", channel="push", chat="olga", user="olga")
        assert "/allow" not in await house.ask("/help", channel="push", chat="mia", user="mia")


async def test_a_command_that_nobody_knows_is_told_in_a_chat_and_asked_of_the_model_elsewhere(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with House(sqlite_store, clock, rules=RULES).running() as house:
        told = await house.ask("/frobnicate", channel="push", chat="mia", user="mia")
        assert told.startswith("I don't know the command /frobnicate.")
        assert await house.ask("/frobnicate", channel="push", chat="g", user="mia", kind="group") == ""
        assert house.model.requests == []
        assert await house.ask("/frobnicate the thing") == "echo: /frobnicate the thing"
        await house.until(lambda: not house.open_runs())
        assert house.chat.texts("g") == [], "an empty answer is not sent"


@pytest.mark.parametrize("locale", LOCALES)
def test_every_text_exists_in_every_language_with_the_same_places(locale: str) -> None:
    english, other = texts("en"), texts(locale)
    assert set(other) == set(english)
    for key, text in english.items():
        assert bool(other[key].strip()) or not text.strip(), (
            key
        )  # what joins words may be a space, or nothing
        assert sorted(re.findall(r"\{\w+\}", other[key])) == sorted(re.findall(r"\{\w+\}", text)), key


@pytest.mark.parametrize("locale", LOCALES)
def test_a_catalogue_is_two_levels_of_texts(locale: str) -> None:
    raw = resources.files("bot.i18n").joinpath(f"locales/{locale}.toml").read_text(encoding="utf-8")
    sections = tomllib.loads(raw)
    assert all(isinstance(text, str) for names in sections.values() for text in names.values())


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("", "en"),
        ("en", "en"),
        ("zh", "zh"),
        ("zh-hans-CN", "zh"),
        ("zh_TW", "zh"),
        ("de-DE,de;q=0.9,zh;q=0.5", "zh"),
        ("de", "en"),
        ("EN-us", "en"),
        (";;;,,,", "en"),
    ],
)
def test_a_language_code_of_any_shape_finds_a_catalogue(code: str, expected: str) -> None:
    assert language(code) == expected


@given(st.text())
def test_what_is_put_into_a_text_is_never_read_as_a_place(value: str) -> None:
    shown = translate("command.unknown", "en", command=value, help="")
    assert value in shown


def test_a_value_with_braces_stays_as_it_is() -> None:
    assert translate("command.whoami", "en", name="{id}{role}", id="7", role="owner") == (
        "You are {id}{role}, id 7 (owner)."
    )
