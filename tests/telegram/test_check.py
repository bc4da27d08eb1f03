"""What the doctor says of Telegram."""

from collections.abc import AsyncIterator

import pytest

from bot.errors import ConfigError
from channels.telegram.check import check
from channels.telegram.client import Client, Refused, Unanswered
from channels.telegram.menu import MAX_COMMANDS, entries
from tests.fakes.bot_api import FakeBotApi
from tests.telegram.kit import ANN, telegram_settings, world


@pytest.fixture
async def api() -> AsyncIterator[FakeBotApi]:
    async with FakeBotApi() as fake:
        yield world(fake)


@pytest.mark.pain("18")
async def test_privacy_mode_is_explained_with_its_cure(api: FakeBotApi) -> None:
    found = {one.name: one for one in await check(telegram_settings(api))}
    assert found["telegram token"].detail == "@donkey_bot"
    assert found["telegram privacy mode"].status == "warn"
    assert "/setprivacy" in found["telegram privacy mode"].cure
    api.world.me["can_read_all_group_messages"] = True
    found = {one.name: one for one in await check(telegram_settings(api))}
    assert {one.status for one in found.values()} == {"ok"}


async def test_a_webhook_of_somebody_else_is_named(api: FakeBotApi) -> None:
    await api.methods.call("setWebhook", {"url": "https://other.example/hook"})
    found = {one.name: one for one in await check(telegram_settings(api))}
    assert found["telegram updates"].status == "warn"


async def test_a_wrong_token_and_a_silent_server_have_their_cures(api: FakeBotApi) -> None:
    (wrong,) = await check(telegram_settings(api, bot_token="1:wrong"))
    assert (wrong.status, wrong.cure) == ("fail", "copy the token from @BotFather")
    (silent,) = await check(telegram_settings(api, api_base_url="http://127.0.0.1:9"))
    assert (silent.status, silent.detail) == ("fail", "no answer: ConnectError")


@pytest.mark.parametrize(
    ("me", "info"), [(True, {}), (None, {}), ({}, {}), ({"id": 1}, True), ({"id": 1}, {})]
)
async def test_an_address_that_is_no_bot_api_is_told(
    api: FakeBotApi, monkeypatch: pytest.MonkeyPatch, me: object, info: object
) -> None:
    async def call(self: Client, method: str) -> object:
        return me if method == "getMe" else info

    monkeypatch.setattr(Client, "call", call)
    (found,) = await check(telegram_settings(api))
    assert (found.status, found.cure) == ("fail", "check channels.telegram.api_base_url")
    assert "not as the Bot API does" in found.detail


async def test_errors_keep_what_the_api_said(api: FakeBotApi) -> None:
    client = Client(telegram_settings(api))
    try:
        with pytest.raises(Refused) as refused:
            await client.call("sendMessage", chat_id=123, text="hi")
        assert (refused.value.code, refused.value.description) == (400, "chat not found")
        api.fault("sendMessage", retry_after=7)
        with pytest.raises(Refused) as refused:
            await client.call("sendMessage", chat_id=ANN, text="hi")
        assert (refused.value.code, refused.value.retry_after_s) == (429, 7)
        api.fault("getMe", kind="drop_after")
        with pytest.raises(Unanswered) as unanswered:
            await client.call("getMe")
        assert unanswered.value.sent
    finally:
        await client.close()


@pytest.mark.pain("P018")
def test_the_menu_holds_only_what_telegram_takes() -> None:
    menu = entries(["help", "stable-diffusion", "报表", "help", "x" * 33, "new"], "en")
    assert [entry["command"] for entry in menu] == ["help", "new"]
    assert all(1 <= len(entry["description"]) <= 256 for entry in menu)
    assert entries(["help"], "zh")[0]["description"] != menu[0]["description"]
    assert len(entries(["help"] * 200, "en")) <= MAX_COMMANDS


@pytest.mark.pain("P073")
async def test_a_server_on_this_machine_is_reached_without_the_proxy(api: FakeBotApi) -> None:
    everywhere = {"ALL_PROXY": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9"}
    found = await check(telegram_settings(api, proxy="socks5h://127.0.0.1:9"), everywhere)
    assert found[0].detail == "@donkey_bot"


async def test_a_proxy_of_an_unknown_kind_is_named(api: FakeBotApi) -> None:
    with pytest.raises(ConfigError, match="ALL_PROXY"):
        Client(
            telegram_settings(api, api_base_url="https://api.telegram.org"),
            {"ALL_PROXY": "gopher://127.0.0.1:9"},
        )
