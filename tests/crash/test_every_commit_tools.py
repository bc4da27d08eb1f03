"""The process ends before and after the k-th commit of a turn with three calls, for every k.

No effect is repeated unless a person says so, and none is lost in silence: what may have happened is asked
about.
"""

import itertools
import json
from pathlib import Path

import pytest

from tests.crash.caller import Caller, Message
from tests.crash.counting import counted
from tests.crash.launcher import KILLED, Launcher, When
from tests.crash.places import Place
from tests.fakes.upstream import Answer, Request, Upstream

pytestmark = [pytest.mark.xdist_group("crash"), pytest.mark.timeout(300)]

MOST_COMMITS = 40
THINGS = ("one", "two", "three")
ALLOWED = '\n[[policy.rules]]\nmatch = { tool = "count" }\neffect = "allow"\n'


def answer(request: Request) -> Answer:
    """Three calls at once; then, when their results are there, a word."""
    if any(message["role"] == "tool" for message in request.body["messages"]):
        return Answer.text("all counted")
    wanted = [
        {
            "index": at,
            "id": f"call_{thing}",
            "function": {"name": "count", "arguments": json.dumps({"thing": thing})},
        }
        for at, thing in enumerate(THINGS)
    ]
    return Answer.deltas({"tool_calls": wanted}, finish="tool_calls", usage=(5, 5))


async def live_and_die(
    launcher: Launcher, place: Place, counts: Path, message: Message, commit: int, when: When
) -> str:
    """Ask a bot that ends at a commit; the transaction it ended in, "" if it lived on."""
    child = await launcher.start(place.config, commit=commit, when=when, counts=counts)
    caller = Caller(place.url)
    if child.ended is None:
        await caller.attempt(message)
    if not message.is_answered:
        await launcher.wait(child)
    await caller.aclose()
    assert await launcher.stop(child) == (KILLED if child.last_commit else 0)
    return child.last_commit


async def live_on(launcher: Launcher, place: Place, counts: Path, message: Message, word: str) -> set[str]:
    """Start the bot again, carry the message through, and answer what it asks; what it asked about."""
    child = await launcher.start(place.config, counts=counts)
    caller = Caller(place.url)
    await caller.insist(message)
    asked = {str(json.loads(str(row[0]))["thing"]) for row in place.rows(
        "SELECT arguments FROM tool_calls WHERE status = 'pending_approval'"
    )}  # fmt: skip
    assert bool(asked) == ("may have happened" in (message.reply or "")), message.reply
    if asked:
        decided = Message(message.session_id, word, key=f"{message.key} decided")
        await caller.insist(decided)
        message.reply = decided.reply
    await caller.aclose()
    assert await launcher.stop(child) == 0
    return asked


@pytest.mark.slow
@pytest.mark.pain("11", "51")
@pytest.mark.parametrize(("when", "word"), [("before", "no"), ("after", "no"), ("before", "yes")])
async def test_no_effect_is_repeated_unasked_and_none_is_lost_in_silence(
    launcher: Launcher, tmp_path: Path, when: When, word: str
) -> None:
    ends = []
    in_doubt = 0
    async with Upstream() as upstream:
        upstream.default = answer
        for commit in itertools.count(1):
            assert commit < MOST_COMMITS
            place = Place(tmp_path / f"{commit}", upstream.base_url, more=ALLOWED)
            counts = tmp_path / f"{commit}" / "counts"
            message = Message("ann", "count them", key=f"key {commit}")
            end = await live_and_die(launcher, place, counts, message, commit, when)
            before = counted(counts)
            asked = await live_on(launcher, place, counts, message, word)
            done = counted(counts)
            for thing in THINGS:
                if thing in asked:
                    assert done[thing] == before[thing] + (word == "yes"), "as the person said"
                else:
                    assert done[thing] == 1, (end, thing)
            assert len(asked) <= 1
            assert (message.reply, message.error) == ("all counted", "")
            assert place.open_runs() == []
            states = {str(row[0]) for row in place.rows("SELECT status FROM tool_calls")}
            assert states <= {"completed", "unknown"}
            assert ("unknown" in states) == (bool(asked) and word == "no")
            in_doubt += bool(asked)
            if not end:
                break
            ends.append(end)
    assert ends.count("_open") == 1
    assert ends.count("_change") == 6, "three effects, each prepared and then recorded"
    assert in_doubt == 3, "between an effect and its record, for each of the three"
