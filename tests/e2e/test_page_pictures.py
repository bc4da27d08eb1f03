"""Pictures that tools bring, in a real browser before the real server."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from bot.domain.message import Picture
from bot.tools.guards.workspace import Quota
from bot.tools.shelf import Shelf
from tests.builders import open_web
from tests.e2e.page_driver import ChatPage, chat_page
from tests.fakes.models import ScriptedModel
from tests.fakes.pictures import png
from tests.fakes.tools import FakePainter, calls

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

CAPTION = "<img src=x onerror=alert(1)> sales"
SHOWN = Picture("image/png", png(640, 360), CAPTION), Picture("image/png", png(300, 900, (40, 120, 90)))
LOADED = "image => image.complete && image.naturalWidth"


def lose_first(folder: Path) -> None:
    """Remove the first picture that was kept."""
    next(folder.rglob("*-00.png")).unlink()


async def widths(chat: ChatPage) -> list[int]:
    """How wide the pictures are that the browser has read, once there are two."""
    await expect(chat.page.locator(".picture img")).to_have_count(2)
    await chat.page.wait_for_function("() => [...document.images].every(one => one.complete)")
    images = await chat.page.locator(".picture img").all()
    return [await image.evaluate(LOADED) for image in images]


async def test_the_pictures_of_tools_stand_below_the_answer_also_after_a_reload(
    browser: Browser, tmp_path: Path
) -> None:
    model = ScriptedModel(calls(("paint", {})), "Here are the **sales**.")
    shelf = Shelf(tmp_path, Quota())
    async with (
        open_web(model, toolsets=[FakePainter(*SHOWN)], shelf=shelf) as bot,
        chat_page(browser, bot.url) as chat,
    ):
        await chat.open()
        await chat.ask("show me the sales")
        assert await widths(chat) == [640, 300]
        await expect(chat.page.get_by_alt_text(CAPTION)).to_be_visible()
        await expect(chat.page.get_by_alt_text("Picture", exact=True)).to_be_visible()
        await expect(chat.page.locator(".picture figcaption")).to_have_text([CAPTION])
        box = await chat.page.locator(".picture img").last.bounding_box()
        log = await chat.page.locator("#log").bounding_box()
        assert box is not None
        assert log is not None
        assert box["height"] <= 330
        assert box["x"] + box["width"] <= log["x"] + log["width"]
        await chat.reload()
        assert await widths(chat) == [640, 300]


async def test_a_picture_that_is_gone_leaves_no_broken_frame(browser: Browser, tmp_path: Path) -> None:
    model = ScriptedModel(calls(("paint", {})), "Here it is.")
    shelf = Shelf(tmp_path, Quota())
    async with (
        open_web(model, toolsets=[FakePainter(*SHOWN)], shelf=shelf) as bot,
        chat_page(browser, bot.url) as chat,
    ):
        await chat.open()
        await chat.ask("show me the sales")
        assert await widths(chat) == [640, 300]
        lose_first(tmp_path)
        await chat.reload()
        await expect(chat.page.locator(".picture")).to_have_count(1)
        await expect(chat.page.get_by_text("Here it is.")).to_be_visible()
