"""The whole product, over HTTP, on each database: answers, remembers, and goes on after a restart."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.app import open_app
from bot.config.load import load
from tests.crash.caller import Caller, Message
from tests.crash.places import Place
from tests.fakes.upstream import Answer, Request, Upstream


@asynccontextmanager
async def serving(config: Path) -> AsyncIterator[None]:
    """The application with its doors open."""
    stop, ready = asyncio.Event(), asyncio.Event()
    async with open_app(load(config, {})) as app, asyncio.TaskGroup() as group:
        group.create_task(app.serve_until(stop, lambda _: ready.set()))
        await ready.wait()
        try:
            yield
        finally:
            stop.set()


CALL = {
    "index": 0,
    "id": "c1",
    "function": {"name": "file_write", "arguments": '{"path": "a", "content": "b"}'},
}


def writes(request: Request) -> Answer:
    """A file is to be written; then there is a word."""
    if any(message["role"] == "tool" for message in request.body["messages"]):
        return Answer.text("written")
    return Answer.deltas({"tool_calls": [CALL]}, finish="tool_calls")


@pytest.mark.pain("51")
@pytest.mark.timeout(60)
async def test_a_question_survives_a_restart_and_the_answer_goes_on(url: str, tmp_path: Path) -> None:
    async with Upstream() as upstream:
        upstream.default = writes
        rule = '\n[[policy.rules]]\nmatch = { tool = "file_write" }\neffect = "ask"\n'
        place = Place(tmp_path / "bot", upstream.base_url, more=rule)
        config = place.config.read_text(encoding="utf-8")
        place.config.write_text(config.replace(f"sqlite:///{place.database}", url), encoding="utf-8")
        caller = Caller(place.url)
        asked, decided = Message("ann", "write it", key="1"), Message("ann", "yes", key="2")
        async with serving(place.config):
            await asyncio.wait_for(caller.insist(asked), 20)
            assert "file_write" in (asked.reply or "")
        async with serving(place.config):
            await asyncio.wait_for(caller.insist(decided), 20)
            assert decided.reply == "written"
            assert await caller.answers("ann") == [("user", "write it"), ("assistant", "written")]
        await caller.aclose()
        assert len(upstream.requests) == 2


@pytest.mark.timeout(60)
async def test_it_answers_remembers_and_goes_on_after_a_restart(url: str, tmp_path: Path) -> None:
    async with Upstream() as upstream:
        place = Place(tmp_path / "bot", upstream.base_url)
        config = place.config.read_text(encoding="utf-8")
        place.config.write_text(config.replace(f"sqlite:///{place.database}", url), encoding="utf-8")
        caller = Caller(place.url)
        first = Message("ann", "my boat is called Rosebud", key="1")
        async with serving(place.config):
            await asyncio.wait_for(caller.insist(first), 20)
        second = Message("ann", "and now?", key="2")
        async with serving(place.config):
            await asyncio.wait_for(caller.insist(second), 20)
            assert await caller.answers("ann") == [
                ("user", first.text),
                ("assistant", f"echo: {first.text}"),
                ("user", second.text),
                ("assistant", f"echo: {second.text}"),
            ]
            again = Message("ann", first.text, key="1")
            await asyncio.wait_for(caller.insist(again), 20)
            assert again.turn_id == first.turn_id
        await caller.aclose()
        asked = [message["content"] for message in upstream.requests[-1].body["messages"]]
        assert asked[1:] == [first.text, f"echo: {first.text}", second.text]
