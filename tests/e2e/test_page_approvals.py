"""A tool that waits for a person's word, in a real browser before the real server."""

import pytest
from playwright.async_api import Browser, expect

from tests.builders import open_web
from tests.e2e.page_driver import chat_page
from tests.fakes.models import ScriptedModel
from tests.fakes.tools import FakeToolset, calls

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

SEND = {"to": "ben@example.org", "text": "<img src=x onerror=alert(1)>"}


@pytest.mark.pain("51")
@pytest.mark.parametrize(("button", "done"), [("Yes, once", 1), ("No", 0)])
async def test_a_question_shows_the_call_and_a_button_decides(
    browser: Browser, button: str, done: int
) -> None:
    tools = FakeToolset("post").add("send", "sent", effect="external")
    model = ScriptedModel(calls(("send", SEND)), "That was it.")
    async with open_web(model, toolsets=[tools]) as bot, chat_page(browser, bot.url) as chat:
        await chat.open()
        await chat.send("send it")
        await expect(chat.page.get_by_text("This waits for your word.")).to_be_visible()
        await expect(chat.page.get_by_text("<img src=x onerror=alert(1)>")).to_be_visible()
        assert tools.world.done == []
        await chat.page.get_by_role("button", name=button, exact=True).click()
        await expect(chat.page.get_by_text("That was it.")).to_be_visible()
        assert tools.world.times("send") == done
        await expect(chat.page.get_by_role("button", name=button, exact=True)).to_have_count(0)


async def test_a_question_is_still_there_after_a_reload(browser: Browser) -> None:
    tools = FakeToolset("post").add("send", "sent", effect="external")
    model = ScriptedModel(calls(("send", SEND)), "That was it.")
    async with open_web(model, toolsets=[tools]) as bot, chat_page(browser, bot.url) as chat:
        await chat.open()
        await chat.send("send it")
        await expect(chat.page.get_by_text("This waits for your word.")).to_be_visible()
        await chat.reload()
        await chat.page.get_by_role("button", name="Yes, once", exact=True).click()
        await expect(chat.page.get_by_text("That was it.")).to_be_visible()
        assert tools.world.times("send") == 1
