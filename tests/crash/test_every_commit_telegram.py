"""The same on a channel that pushes: one complete answer is to be seen in the chat, whichever commit was
the last. Also where it was the one that records Telegram's yes: that was written down before."""

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.crash.launcher import KILLED, Child, Launcher, When
from tests.crash.places import ANN, Place
from tests.fakes.bot_api import FakeBotApi
from tests.fakes.upstream import Upstream

pytestmark = [pytest.mark.xdist_group("crash"), pytest.mark.timeout(180)]

MOST_COMMITS = 40
BOUND_S = 20.0


class Scene:
    """One question of Ann's, a bot that dies, and another that goes on."""

    def __init__(self, launcher: Launcher, place: Place, api: FakeBotApi) -> None:
        self.launcher = launcher
        self.place = place
        self.api = api

    @property
    def answers(self) -> list[str]:
        return self.api.world.answers(ANN)

    def is_settled(self) -> bool:
        """All that came in is confirmed, and all that is to be done is done."""
        return not self.api.world.updates and bool(self.answers) and not self.place.open_runs()

    async def until(self, condition: Callable[[], bool], child: Child) -> None:
        """Wait until the condition holds or the child has ended."""
        await self.launcher.until(condition, child, BOUND_S)

    async def live_and_die(self, commit: int, when: When) -> str:
        """A life that ends at a commit; the transaction it ended in, "" if it lived on."""
        child = await self.launcher.start(self.place.config, commit=commit, when=when)
        await self.until(self.is_settled, child)
        assert await self.launcher.stop(child) == (KILLED if child.last_commit else 0)
        return child.last_commit

    async def live_on(self) -> None:
        child = await self.launcher.start(self.place.config)
        await self.until(self.is_settled, child)
        assert await self.launcher.stop(child) == 0


@pytest.mark.slow
@pytest.mark.pain("10", "11")
@pytest.mark.parametrize("when", ["before", "after"])
async def test_one_answer_is_seen_whichever_commit_was_the_last(
    launcher: Launcher, tmp_path: Path, when: When
) -> None:
    ends = []
    async with Upstream() as upstream:
        for commit in itertools.count(1):
            assert commit < MOST_COMMITS
            async with FakeBotApi() as api:
                api.world.user(ANN, "Ann")
                api.world.say(ANN, f"question {commit}")
                telegram = (api.token, api.base_url)
                scene = Scene(launcher, Place(tmp_path / f"{commit}", upstream.base_url, telegram), api)
                end = await scene.live_and_die(commit, when)
                await scene.live_on()
                assert scene.answers == [f"echo: question {commit}"], end
                if not end:
                    break
                ends.append(end)
    assert ends == [
        "migrate",
        "recover",
        "_accept",
        "claim",
        "begin",
        "finish",
        "record",
        "end",
        "append",
    ]
