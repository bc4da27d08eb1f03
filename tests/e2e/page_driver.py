"""Drives the chat page in Chromium, against the fake server or a real one (any address)."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Browser, ConsoleMessage, Dialog, Locator, Page, Playwright, Request, expect

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PHONE = {"width": 390, "height": 780}
DESKTOP = {"width": 1280, "height": 800}


def chromium_path() -> str:
    """Where Chromium is; fails with what to do when it is missing.

    The shell without windows comes first: a page takes it less than half of the work.
    """
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    raise AssertionError("Browser tests need Chromium: Debian's chromium-headless-shell, or chromium.")


async def launch(playwright: Playwright) -> Browser:
    """A headless Chromium with a profile of its own, which is removed when it is closed."""
    return await playwright.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))


@dataclass
class ChatPage:
    """The page as a person sees it, and what it did behind their back."""

    page: Page
    address: str
    dialogs: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    @property
    def box(self) -> Locator:
        return self.page.get_by_role("textbox", name="Message", exact=True)

    @property
    def answers(self) -> Locator:
        return self.page.locator(".message.assistant")

    @property
    def questions(self) -> Locator:
        return self.page.locator(".message.user")

    @property
    def finished(self) -> Locator:
        """Answers that are complete: they stand in the log."""
        return self.page.locator("#log > .message.assistant")

    @property
    def sessions(self) -> Locator:
        return self.page.locator(".session")

    async def open(self, path: str = "/") -> None:
        """Load the page and wait until it takes every press."""
        await self.page.goto(self.address + path)
        await self.usable()

    async def reload(self) -> None:
        await self.page.reload()
        await self.usable()

    async def usable(self) -> None:
        await expect(self.page.locator("html[data-usable]")).to_have_count(1)

    async def send(self, text: str) -> None:
        await self.box.fill(text)
        await self.box.press("Enter")

    async def ask(self, text: str) -> None:
        """Send `text` and wait until its answer is complete."""
        before = await self.finished.count()
        await self.send(text)
        await expect(self.finished).to_have_count(before + 1)

    def body(self, answer: Locator | None = None) -> Locator:
        return (answer or self.answers.last).locator(".body")

    def foreign_requests(self) -> list[str]:
        """What left for another host."""
        home = urlsplit(self.address).netloc
        return [
            url for url in self.requests if urlsplit(url).scheme != "data" and urlsplit(url).netloc != home
        ]

    def _heard(self, message: ConsoleMessage) -> None:
        # The browser itself reports each failed request here; those are the tests' own doing.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.errors.append(message.text)

    async def _asked(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        await dialog.dismiss()

    def _requested(self, request: Request) -> None:
        self.requests.append(request.url)

    def listen(self) -> None:
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("dialog", self._asked)
        self.page.on("request", self._requested)


@asynccontextmanager
async def chat_page(browser: Browser, address: str, **context: Any) -> AsyncIterator[ChatPage]:
    """A page in a context of its own; at the end it must have run without an error or a foreign request."""
    options: dict[str, Any] = {"locale": "en-GB", "viewport": DESKTOP, **context}
    async with await browser.new_context(**options) as opened:
        chat = ChatPage(await opened.new_page(), address)
        chat.listen()
        yield chat
        assert chat.errors == []
        assert chat.dialogs == []
        assert chat.foreign_requests() == []
