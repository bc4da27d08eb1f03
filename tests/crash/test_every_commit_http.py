"""The process ends before and after the k-th commit of its life, for every k: answered once, always."""

import itertools
from pathlib import Path

import pytest

from tests.crash.caller import Caller, Message
from tests.crash.launcher import KILLED, Launcher, When
from tests.crash.places import Place
from tests.fakes.upstream import Upstream

pytestmark = [pytest.mark.xdist_group("crash"), pytest.mark.timeout(180)]

MOST_COMMITS = 40


async def live_and_die(launcher: Launcher, place: Place, message: Message, commit: int, when: When) -> str:
    """Say the message to a bot that ends at a commit; the transaction it ended in, "" if it lived on."""
    child = await launcher.start(place.config, commit=commit, when=when)
    caller = Caller(place.url)
    if child.ended is None:
        await caller.attempt(message)
    if not message.is_answered:
        await launcher.wait(child)
    await caller.aclose()
    assert await launcher.stop(child) == (KILLED if child.last_commit else 0)
    return child.last_commit


async def live_on(launcher: Launcher, place: Place, message: Message) -> list[tuple[str, str]]:
    """Start the bot again and carry the message through; what is kept of its session."""
    child = await launcher.start(place.config)
    caller = Caller(place.url)
    await caller.insist(message)
    kept = await caller.answers(message.session_id)
    await caller.aclose()
    assert await launcher.stop(child) == 0
    return kept


@pytest.mark.slow
@pytest.mark.pain("10", "11")
@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_message_is_answered_once_whichever_commit_was_the_last(
    launcher: Launcher, tmp_path: Path, when: When
) -> None:
    acknowledged = 0
    ends = []
    async with Upstream() as upstream:
        for commit in itertools.count(1):
            assert commit < MOST_COMMITS
            place = Place(tmp_path / f"{commit}", upstream.base_url)
            message = Message("ann", f"question {commit}", key=f"key {commit}")
            end = await live_and_die(launcher, place, message, commit, when)
            acknowledged += bool(message.turn_id)
            if message.turn_id:
                assert place.accepted() == 1, "what was acknowledged is on the disk"
            kept = await live_on(launcher, place, message)
            answer = f"echo: question {commit}"
            assert kept == [("user", f"question {commit}"), ("assistant", answer)]
            assert (message.reply, message.seen, message.error) == (answer, answer, "")
            assert place.open_runs() == []
            assert place.accepted() == 1
            if not end:
                break
            ends.append(end)
    assert ends == ["migrate", "recover", "_accept", "finish", "append"]
    assert acknowledged == 3, "before or after its end, at the shutdown, and the life without a kill"
