"""What a person does before the page knows who it speaks for: nothing of it is lost."""

import asyncio

import pytest
from playwright.async_api import expect

from tests.e2e.page_driver import ChatPage
from tests.e2e.page_server import FakeBot

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]


async def opened_early(chat: ChatPage, bot: FakeBot, path: str = "/") -> asyncio.Event:
    """Opens the page; the server tells it who it speaks for once the event is set."""
    told = bot.hold("GET /v1/ui/state")
    await chat.page.goto(chat.address + path)
    await expect(chat.page.locator("html[data-ready]")).to_have_count(1)
    return told


async def test_what_is_sent_early_goes_out_once(chat: ChatPage, bot: FakeBot) -> None:
    told = await opened_early(chat, bot)
    await chat.send("am I too early?")
    await chat.box.press("Enter")
    await expect(chat.box).to_have_value("am I too early?")
    told.set()
    await expect(chat.finished).to_have_count(1)
    await expect(chat.box).to_have_value("")
    assert bot.sent() == ["am I too early?"]


async def test_who_goes_on_typing_has_not_sent_it(chat: ChatPage, bot: FakeBot) -> None:
    told = await opened_early(chat, bot)
    await chat.send("buy milk")
    await chat.box.press_sequentially(" and eggs")
    told.set()
    await chat.usable()
    await expect(chat.box).to_have_value("buy milk and eggs")
    assert bot.sent() == []
    await chat.box.press("Enter")
    await expect(chat.finished).to_have_count(1)
    assert bot.sent() == ["buy milk and eggs"]


async def test_what_is_typed_early_belongs_to_the_conversation_of_the_address(
    chat: ChatPage, bot: FakeBot
) -> None:
    session = bot.add_session("Talk", ("How?", "So."))
    loaded = bot.hold(f"GET /v1/sessions/{session}/messages")
    told = await opened_early(chat, bot, f"/#/c/{session}")
    await chat.send("and then?")
    told.set()
    await chat.usable()
    await chat.box.press("Enter")
    assert len(bot.sent()) == 1
    loaded.set()
    await expect(chat.finished).to_have_count(2)
    await expect(chat.questions.locator(".body")).to_have_text(["How?", "and then?"])
    assert [message["text"] for message in bot.messages[session] if message["role"] == "user"] == [
        "How?",
        "and then?",
    ]


async def test_what_needs_the_server_waits_for_it(chat: ChatPage, bot: FakeBot) -> None:
    told = await opened_early(chat, bot)
    waiting = [chat.page.get_by_role("button", name=name) for name in ("New chat", "Tasks", "Memory")]
    for button in waiting:
        await expect(button).to_be_disabled()
    await chat.page.get_by_role("button", name="Keyboard and help").click()
    await expect(chat.page.get_by_role("dialog")).to_be_visible()
    await chat.page.keyboard.press("Escape")
    told.set()
    for button in waiting:
        await expect(button).to_be_enabled()
