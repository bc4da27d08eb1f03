"""The panel of memory in a real browser, before the real server."""

from typing import Any

import pytest
from playwright.async_api import Browser, Locator, expect
from sqlalchemy import Connection

from bot.domain.conversation import SpeakerId
from memory.facts import state
from memory.record import MemoryDraft, Scope
from tests.builders import WebBot, open_web
from tests.e2e.page_driver import PHONE, ChatPage, chat_page
from tests.e2e.test_page_look import CONTRAST, CONTROLS
from tests.fakes.clock import START

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

OWNER = "owner"


async def say(bot: WebBot, text: str, session: str = "s") -> None:
    body = {"session_id": session, "user_id": OWNER, "text": text}
    async with bot.client.post("/v1/messages", json=body) as answer:
        assert answer.status == 200


def learn(bot: WebBot, slot: str, *values: str) -> None:
    """Facts of the owner, each closing the one before."""
    who = SpeakerId(f"http:{OWNER}")

    def write(conn: Connection) -> int:
        for text in values:
            scope = Scope(f"person:{who}")
            draft = MemoryDraft(scope, "user", text, START, person_id=who, name="Owner", source="learnt")
            draft = MemoryDraft(**{**fields(draft), "slot": slot, "value": text, "kind": "semantic"})
            state(conn, draft, START)
        return 0

    bot.core.store.write_now(write)


def fields(draft: MemoryDraft) -> dict[str, Any]:
    return {name: getattr(draft, name) for name in MemoryDraft.__dataclass_fields__}


async def known(bot: WebBot) -> list[str]:
    async with bot.client.get("/v1/memory", params={"user_id": OWNER}) as answer:
        return [memory["text"] for memory in (await answer.json())["memories"]]


async def opened(chat: ChatPage) -> Locator:
    await chat.open()
    await chat.page.get_by_role("button", name="Memory").click()
    panel = chat.page.get_by_role("dialog", name="Memory")
    await expect(panel).to_be_visible()
    return panel


async def test_what_is_remembered_is_listed_searched_corrected_and_forgotten(browser: Browser) -> None:
    async with open_web(remembers=True) as bot, chat_page(browser, bot.url) as chat:
        await say(bot, "my parrot is called Polly")
        await say(bot, "my bicycle is green", "another")
        panel = await opened(chat)
        await expect(panel.get_by_text("No facts are known of you yet")).to_be_visible()
        await panel.get_by_role("button", name="Everything").click()
        rows = panel.get_by_role("listitem")
        await expect(rows).to_have_count(4)
        await panel.get_by_role("searchbox", name="Search what is remembered").fill("parrot")
        parrot = rows.filter(has_text="my parrot is called Polly").first
        await expect(rows.filter(has_text="bicycle")).to_have_count(0)
        await parrot.get_by_role("button", name="Correct").click()
        box = panel.get_by_role("textbox", name="The right text")
        await expect(box).to_be_focused()
        await box.fill("my parrot is called Molly")
        await panel.get_by_role("button", name="Save").click()
        await expect(rows.filter(has_text="Molly")).to_have_count(1)
        assert "my parrot is called Molly" in await known(bot)
        molly = rows.filter(has_text="Molly")
        await molly.get_by_role("button", name="Forget").click()
        assert "my parrot is called Molly" in await known(bot)
        await molly.get_by_role("button", name="Forget for good").click()
        await expect(molly).to_have_count(0)
        assert "my parrot is called Molly" not in await known(bot)


async def test_a_fact_that_was_replaced_says_until_when_it_held(browser: Browser) -> None:
    async with open_web(remembers=True) as bot, chat_page(browser, bot.url) as chat:
        learn(bot, "home", "I live in Oslo", "I live in Bergen")
        panel = await opened(chat)
        rows = panel.get_by_role("listitem")
        await expect(rows).to_have_count(1)
        await expect(rows.first).to_contain_text("Bergen")
        await panel.get_by_role("button", name="Everything").click()
        old = rows.filter(has_text="Oslo")
        await expect(old).to_contain_text("Until")
        await expect(old.get_by_role("button", name="Correct")).to_have_count(0)


async def test_remembering_is_switched_off_and_on_and_all_is_taken_along(browser: Browser) -> None:
    async with open_web(remembers=True) as bot, chat_page(browser, bot.url) as chat:
        learn(bot, "home", "I live in Oslo")
        panel = await opened(chat)
        switch = panel.get_by_role("switch", name="Remember new things")
        await expect(switch).to_be_checked()
        await switch.click()
        await expect(switch).not_to_be_checked()
        await say(bot, "my bicycle is green")
        assert await known(bot) == ["I live in Oslo"]
        await switch.click()
        await expect(switch).to_be_checked()
        async with chat.page.expect_download() as taking:
            await panel.get_by_role("link", name="Export").click()
        taken = await (await taking.value).path()
        assert '"I live in Oslo"' in taken.read_text(encoding="utf-8")


async def test_the_keyboard_alone_corrects_and_escape_leaves_the_correction_first(browser: Browser) -> None:
    async with open_web(remembers=True) as bot, chat_page(browser, bot.url) as chat:
        learn(bot, "home", "I live in Oslo")
        panel = await opened(chat)
        correct = panel.get_by_role("button", name="Correct")
        await correct.focus()
        await chat.page.keyboard.press("Enter")
        await chat.page.keyboard.press("Escape")
        await expect(correct).to_be_focused()
        await expect(panel.get_by_text("I live in Oslo")).to_be_visible()
        await chat.page.keyboard.press("Escape")
        await expect(panel).to_be_hidden()


async def test_more_is_shown_on_demand(browser: Browser) -> None:
    async with open_web(remembers=True) as bot, chat_page(browser, bot.url) as chat:
        for number in range(35):
            learn(bot, f"fact:{number}", f"fact number {number}")
        panel = await opened(chat)
        rows = panel.get_by_role("listitem")
        await expect(rows).to_have_count(30)
        await panel.get_by_role("button", name="Show more").click()
        await expect(rows).to_have_count(35)
        await expect(panel.get_by_role("button", name="Show more")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [None, PHONE], ids=["desktop", "phone"])
async def test_the_panel_has_contrast_names_and_room(
    browser: Browser, scheme: str, viewport: dict[str, int] | None
) -> None:
    options: dict[str, Any] = {"color_scheme": scheme} | ({"viewport": viewport} if viewport else {})
    async with open_web(remembers=True) as bot, chat_page(browser, bot.url, **options) as chat:
        learn(bot, "home", "I live in Oslo", "I live in Bergen")
        learn(bot, "taste", "I like a very long walk along the quay of the old harbour in the rain")
        await chat.open()
        if viewport:
            await chat.page.get_by_role("button", name="Conversations").click()
        await chat.page.get_by_role("button", name="Memory").click()
        panel = chat.page.get_by_role("dialog", name="Memory")
        await expect(panel.get_by_role("listitem")).to_have_count(2)
        await panel.get_by_role("button", name="Everything").click()
        await expect(panel.get_by_role("listitem")).to_have_count(3)
        assert await chat.page.evaluate(CONTRAST) == []
        controls = await chat.page.evaluate(CONTROLS)
        assert controls["nameless"] == controls["small"] == []
