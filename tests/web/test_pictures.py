"""Pictures that tools bring for an answer, over HTTP."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from typing_extensions import override

from bot.domain.conversation import Conversation, SpeakerId
from bot.domain.message import Picture
from bot.store.tables import runs
from bot.tools.guards.workspace import Quota
from bot.tools.shelf import PICTURES, Shelf, folder_of
from bot.turn.forgetting import Selection, forget_for_good
from memory.own import Whose
from tests.builders import WebBot, open_web
from tests.fakes.clock import START
from tests.fakes.models import ScriptedModel
from tests.fakes.pictures import png
from tests.fakes.tools import FakePainter, calls
from tests.turn.test_forgetting import everything
from tests.web.sse import read_events

CHART, PLAN = png(4, 2), png(2, 4)
BODY = {"session_id": "s", "user_id": "ann", "text": "a chart, please"}


class CountingShelf(Shelf):
    """Counts how often it is asked what a run brought."""

    asked = 0

    @override
    async def pictures(self, conversation: Any, run_id: str) -> Any:
        self.asked += 1
        return await super().pictures(conversation, run_id)


@asynccontextmanager
async def painting(folder: Path, *pictures: Picture, **http: Any) -> AsyncGenerator[WebBot]:
    """A bot whose model paints once and says so, and then only talks."""
    model = ScriptedModel(calls(("paint", {})), "Here it is.", "Just words.")
    shelf = CountingShelf(folder, Quota())
    async with open_web(model, toolsets=[FakePainter(*pictures)], shelf=shelf, **http) as bot:
        yield bot


def files_in(folder: Path) -> list[Path]:
    return list(folder.rglob("*.png"))


async def say(bot: WebBot, **changes: Any) -> Any:
    async with bot.client.post("/v1/messages", json={**BODY, **changes}) as answer:
        assert answer.status == 200
        return await answer.json()


async def get(bot: WebBot, path: str) -> tuple[int, str, bytes]:
    async with bot.client.get(path) as answer:
        return answer.status, answer.content_type, await answer.read()


async def test_an_answer_tells_where_its_pictures_are_and_they_are_there(tmp_path: Path) -> None:
    shown = Picture("image/png", CHART, "Sales <b>2026</b>"), Picture("image/png", PLAN)
    async with painting(tmp_path, *shown) as bot:
        said = await say(bot)
        one, two = said["pictures"]
        assert (one["caption"], two["caption"], one["type"]) == ("Sales <b>2026</b>", "", "image/png")
        async with bot.client.get(one["url"]) as answer:
            assert await answer.read() == CHART
            assert answer.headers["Content-Type"] == "image/png"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
            assert answer.headers["Cache-Control"] == "no-store"
        assert await get(bot, two["url"]) == (200, "image/png", PLAN)
        turn = f"/v1/turns/{said['turn_id']}"
        async with bot.client.get(turn) as answer:
            assert (await answer.json())["pictures"] == said["pictures"]
        async with bot.client.get("/v1/sessions/s/messages") as answer:
            question, reply = (await answer.json())["messages"]
            assert "pictures" not in question
            assert reply["pictures"] == said["pictures"]
        async with bot.client.get(f"{turn}/events") as answer:
            done = [event async for event in read_events(answer)][-1]
            assert done.data["pictures"] == said["pictures"]


async def test_an_answer_without_a_call_has_no_pictures_and_nobody_looks_for_any(tmp_path: Path) -> None:
    async with painting(tmp_path, Picture("image/png", CHART)) as bot:
        assert len((await say(bot))["pictures"]) == 1
        shelf = bot.channel._rooms.shelf
        assert isinstance(shelf, CountingShelf)
        assert shelf.asked == 1
        assert "pictures" not in await say(bot, text="thanks")
        assert shelf.asked == 1


async def test_a_picture_goes_with_its_session(tmp_path: Path) -> None:
    async with painting(tmp_path, Picture("image/png", CHART)) as bot:
        (shown,) = (await say(bot))["pictures"]
        async with bot.client.delete("/v1/sessions/s") as answer:
            assert answer.status == 204
        assert (await get(bot, shown["url"]))[0] == 404
    assert files_in(tmp_path) == []


@pytest.mark.parametrize(
    "number", ["1", "-1", "x", "00001", "0%2f..", "..%2f..%2fetc%2fpasswd", "99999999999"]
)
async def test_only_the_pictures_of_the_answer_are_given(tmp_path: Path, number: str) -> None:
    async with painting(tmp_path, Picture("image/png", CHART)) as bot:
        said = await say(bot)
        status, kind, _ = await get(bot, f"/v1/turns/{said['turn_id']}/pictures/{number}")
        assert (status, kind) == (404, "application/json")
        other = await say(bot, session_id="t")
        assert (await get(bot, f"/v1/turns/{other['turn_id']}/pictures/0"))[0] == 404


@pytest.mark.parametrize("content", [b"<html><script>alert(1)</script>", b"<svg/>", b"", b"RIFF1234WEBP"])
async def test_a_file_that_is_not_the_picture_it_was_kept_as_is_not_given(
    tmp_path: Path, content: bytes
) -> None:
    async with painting(tmp_path, Picture("image/png", CHART)) as bot:
        (shown,) = (await say(bot))["pictures"]
        (file,) = files_in(folder_of(tmp_path, Conversation("http", "s").id) / PICTURES)
        file.write_bytes(content)
        status, kind, _ = await get(bot, shown["url"])
        assert (status, kind) == (404, "application/json")


async def test_the_pictures_of_another_channel_are_not_given_here(tmp_path: Path) -> None:
    async with painting(tmp_path, Picture("image/png", CHART)) as bot:
        said = await say(bot)
        payload = {"inbound": {"conversation": {"channel": "telegram", "kind": "private", "chat_id": "1"}}}
        change = update(runs).where(runs.c.id == said["turn_id"]).values(payload=payload)
        await bot.core.store.write(lambda conn: conn.execute(change))
        assert (await get(bot, said["pictures"][0]["url"]))[0] == 404


async def test_a_picture_is_for_those_who_may_come_in(tmp_path: Path) -> None:
    async with painting(tmp_path, Picture("image/png", CHART), api_tokens=["t0ken-of-the-owner"]) as bot:
        token = {"Authorization": "Bearer t0ken-of-the-owner"}
        async with bot.client.post("/v1/messages", json=BODY, headers=token) as answer:
            (shown,) = (await answer.json())["pictures"]
        assert (await get(bot, shown["url"]))[0] == 401
        async with bot.client.get(shown["url"], headers=token) as answer:
            assert await answer.read() == CHART


async def test_a_caption_is_forgotten_with_what_was_said(tmp_path: Path) -> None:
    async with painting(tmp_path, Picture("image/png", CHART, "quetzalcoatlus")) as bot:
        (shown,) = (await say(bot))["pictures"]
        store = bot.core.store
        assert "quetzalcoatlus" in everything(store)
        ann = Whose(SpeakerId("http:ann"))
        await forget_for_good(store, Shelf(tmp_path, Quota()), ann, Selection(everything=True), START)
        assert "quetzalcoatlus" not in everything(store)
        assert (await get(bot, shown["url"]))[0] == 404
