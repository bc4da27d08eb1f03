"""One Chromium for all browser tests of a run; a fresh server and a fresh context for each test."""

from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect

from tests.e2e.page_driver import ChatPage, chat_page, launch
from tests.e2e.page_server import FakeBot, start

# Milliseconds for what a page is expected to show: much more than any takes, because a busy machine is
# not a bug.
expect.set_options(timeout=20_000)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await launch(playwright)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def bot() -> AsyncIterator[FakeBot]:
    bot = FakeBot()
    runner = await start(bot)
    yield bot
    await runner.cleanup()


@pytest_asyncio.fixture(loop_scope="session")
async def chat(browser: Browser, bot: FakeBot) -> AsyncIterator[ChatPage]:
    """The page in a desktop window, not opened yet."""
    async with chat_page(browser, bot.address) as chat:
        yield chat
