"""Told to stop, the bot finishes what it can and hands over the rest, within ten seconds."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from tests.crash.caller import Caller, Message
from tests.crash.launcher import Launcher
from tests.crash.places import Place
from tests.fakes.upstream import Answer, Upstream, chunk

pytestmark = [pytest.mark.xdist_group("crash"), pytest.mark.timeout(90)]

LIMIT_S = 10.0  # then Docker and systemd kill


@pytest.mark.slow
async def test_an_answer_that_takes_too_long_is_handed_over_and_given_after_the_restart(
    launcher: Launcher, tmp_path: Path
) -> None:
    async with Upstream() as upstream:
        upstream.script(Answer.events(chunk({"content": "half an ans"}), done=False, hang=True))
        place = Place(tmp_path / "bot", upstream.base_url)
        child = await launcher.start(place.config)
        caller = Caller(place.url)
        message = Message("ann", "a hard question", key="1")
        asking = asyncio.ensure_future(caller.attempt(message))
        await upstream.until(lambda upstream: len(upstream.requests) == 1)
        os.kill(child.pid, signal.SIGTERM)
        async with asyncio.timeout(LIMIT_S):
            assert await launcher.wait(child) == 0
        await asyncio.wait_for(asking, LIMIT_S)
        assert not message.is_answered
        assert [kind for kind, *_ in place.open_runs()] == ["turn"]

        child = await launcher.start(place.config)
        await caller.insist(message)
        assert message.reply == message.seen == "echo: a hard question"
        assert await caller.answers("ann") == [("user", message.text), ("assistant", message.reply)]
        await caller.aclose()
        assert await launcher.stop(child) == 0


async def test_an_answer_that_is_nearly_there_is_finished(launcher: Launcher, tmp_path: Path) -> None:
    async with Upstream() as upstream:
        upstream.script(Answer.text("all of these words still come", gap_ms=150))
        place = Place(tmp_path / "bot", upstream.base_url)
        child = await launcher.start(place.config)
        caller = Caller(place.url)
        message = Message("ann", "a question", key="1")
        asking = asyncio.ensure_future(caller.attempt(message))
        await upstream.until(lambda upstream: len(upstream.requests) == 1)
        os.kill(child.pid, signal.SIGTERM)
        async with asyncio.timeout(LIMIT_S):
            assert await launcher.wait(child) == 0
            await asking
        await caller.aclose()
        assert place.open_runs() == []
        assert place.rows("SELECT text FROM messages WHERE role = 'assistant'") == [
            ("all of these words still come",)
        ]


async def test_with_nothing_to_do_it_stops_at_once(launcher: Launcher, tmp_path: Path) -> None:
    async with Upstream() as upstream:
        place = Place(tmp_path / "bot", upstream.base_url)
        child = await launcher.start(place.config)
        async with asyncio.timeout(LIMIT_S):
            assert await launcher.stop(child) == 0
        assert place.open_runs() == []
