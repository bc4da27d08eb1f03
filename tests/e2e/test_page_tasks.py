"""The panel of tasks in a real browser, before the real server."""

from typing import Any

import pytest
from playwright.async_api import Browser, expect

from tests.builders import WebBot, open_web
from tests.e2e.page_driver import PHONE, chat_page
from tests.e2e.test_page_look import CONTRAST, CONTROLS

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

WISHES = ("remind me every day at 9am to drink water", "remind me in 30 days to renew the passport")


async def plan(bot: WebBot) -> None:
    for text in WISHES:
        body = {"session_id": "s", "user_id": "owner", "text": text, "tz": "Europe/Berlin"}
        async with bot.client.post("/v1/jobs", json=body) as answer:
            assert answer.status == 201


async def states(bot: WebBot) -> dict[str, Any]:
    async with bot.client.get("/v1/jobs") as answer:
        return {job["text"]: job["state"] for job in (await answer.json())["jobs"]}


async def test_tasks_are_paused_snoozed_and_deleted_in_the_panel(browser: Browser) -> None:
    async with open_web() as bot, chat_page(browser, bot.url) as chat:
        await plan(bot)
        await chat.open()
        await chat.page.get_by_role("button", name="Tasks").click()
        water = chat.page.locator(".task", has_text="drink water")
        await water.get_by_role("button", name="1 hour").click()
        await water.get_by_role("button", name="Pause").click()
        await expect(water.get_by_text("Paused")).to_be_visible()
        assert (await states(bot))["drink water"] == "paused"
        await water.get_by_role("button", name="Resume").click()
        await expect(water.get_by_role("button", name="Pause")).to_be_visible()
        await water.get_by_role("button", name="Delete").click()
        assert "drink water" in await states(bot)
        await water.get_by_role("button", name="Really delete").click()
        await expect(water).to_have_count(0)
        assert await states(bot) == {"renew the passport": "active"}


@pytest.mark.parametrize(
    ("button", "said", "kept"), [("Yes", "Noted", ["active"]), ("No", "nothing is kept", [])]
)
async def test_a_draft_is_answered_with_a_button(
    browser: Browser, button: str, said: str, kept: list[str]
) -> None:
    async with open_web(talks=True) as bot, chat_page(browser, bot.url, timezone_id="Europe/Berlin") as chat:
        await chat.open()
        await chat.send("remind me tomorrow at 9am to water the plants")
        choices = chat.page.locator(".choices button")
        await expect(choices.first).to_be_visible()
        await choices.filter(has_text=button).click()
        await expect(chat.answers.nth(1)).to_contain_text(said)
        await expect(chat.questions.nth(1)).to_contain_text(button)
        await expect(choices.filter(has_text=button)).to_have_count(0)
        assert list((await states(bot)).values()) == kept


async def test_the_calendar_shows_each_day_what_is_planned(browser: Browser) -> None:
    async with open_web() as bot, chat_page(browser, bot.url, timezone_id="Europe/Berlin") as chat:
        await plan(bot)
        await chat.open()
        await chat.page.get_by_role("button", name="Tasks").click()
        await chat.page.get_by_role("button", name="Calendar").click()
        await chat.page.get_by_role("button", name="The month after").click()
        water = chat.page.locator(".entry", has_text="09:00 drink water")
        await expect(water.nth(27)).to_be_visible()


async def test_an_empty_panel_says_how_to_plan_something(browser: Browser) -> None:
    async with open_web() as bot, chat_page(browser, bot.url) as chat:
        await chat.open()
        await chat.page.get_by_role("button", name="Tasks").click()
        await expect(chat.page.get_by_text("Nothing is planned")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [None, PHONE], ids=["desktop", "phone"])
async def test_the_panel_has_contrast_names_and_room(
    browser: Browser, scheme: str, viewport: dict[str, int] | None
) -> None:
    options: dict[str, Any] = {"color_scheme": scheme} | ({"viewport": viewport} if viewport else {})
    async with open_web() as bot, chat_page(browser, bot.url, **options) as chat:
        await plan(bot)
        await chat.open()
        if viewport:
            await chat.page.get_by_role("button", name="Conversations").click()
        await chat.page.get_by_role("button", name="Tasks").click()
        await expect(chat.page.locator(".task").first).to_be_visible()
        for view in ("List", "Calendar"):
            await chat.page.get_by_role("button", name=view).click()
            await expect(chat.page.locator(".task, .month").first).to_be_visible()
            assert await chat.page.evaluate(CONTRAST) == []
            controls = await chat.page.evaluate(CONTROLS)
            assert controls["nameless"] == controls["small"] == []
