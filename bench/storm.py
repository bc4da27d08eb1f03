"""Many chats stream at once while Telegram is in a bad mood.

    python -m bench.storm [--chats 50] [--turns 3] [--seed 1] [--trouble 0.25] [--edits]

The whole bot runs against the strict fake Bot API. By seeded dice, calls are told to wait (429 with
`retry_after`), refused with 502, dropped or left hanging, before they took effect and after. One chat in
five is spared: it shows whether anybody waits for another's `retry_after`. What counts is what people see:
the full text of each answer, once. Exit code 1 where a text is missing, where one is there twice although no
answer of the API was lost, or where a chat was written to before its `retry_after` was over.
"""

import argparse
import asyncio
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from tests.fakes.bot_api import Call, FakeBotApi
from tests.fakes.bot_api_faults import Fault, FaultKind
from tests.fakes.upstream import Answer, Request, Upstream
from tests.telegram.kit import FastClock, Kit, running

SPEED = 3.0  # of the clock; what hangs is given up after ten real seconds
GROUP_BASE = -100_000_000
WORDS = 70
SPARED = 5  # one chat in so many has no trouble
# The share of each kind of trouble.
KINDS: tuple[tuple[str, float], ...] = (
    ("wait", 0.35),
    ("error", 0.2),
    ("drop_before", 0.15),
    ("drop_after", 0.15),
    ("hang_before", 0.075),
    ("hang_after", 0.075),
)
WAITS_S = (1, 2, 3, 5, 8, 20, 40)
BOUND_S = 600.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What befalls whom. `share` of the calls fail; `speed` is that of the clock."""

    chats: int = 50
    turns: int = 3
    seed: int = 1
    share: float = 0.25
    drafts: bool = True
    hangs: bool = True
    speed: float = SPEED


def trouble(plan: Plan) -> Callable[[str, int | None], Fault | None]:
    """The mood of the API: what befalls a chat's n-th call is the same in every run with this seed."""
    counts: Counter[int] = Counter()
    kinds = [one for one in KINDS if plan.hangs or not one[0].startswith("hang")]

    def befall(method: str, chat_id: int | None) -> Fault | None:
        if chat_id is None or abs(chat_id) % SPARED == 0:
            return None
        counts[chat_id] += 1
        dice = random.Random(f"{plan.seed} {chat_id} {counts[chat_id]}")
        if dice.random() >= plan.share:
            return None
        kind = dice.choices([name for name, _ in kinds], [weight for _, weight in kinds])[0]
        if kind == "wait":
            return Fault(method, retry_after=dice.choice(WAITS_S))
        if kind == "error":
            return Fault(method, code=502, description="Bad Gateway")
        wanted: FaultKind = "drop_before"
        match kind:
            case "drop_after" | "hang_before" | "hang_after":
                wanted = kind  # type: ignore[assignment]
        return Fault(method, kind=wanted)

    return befall


def text_of(chat_id: int, turn: int) -> str:
    """The answer of one turn."""
    return " ".join(f"w{chat_id}t{turn}n{number}" for number in range(WORDS))


def answer(request: Request) -> Answer:
    """What the model writes: the text that the last message names."""
    *_, chat_id, turn = str(request.body["messages"][-1]["content"]).split()
    return Answer.text(text_of(int(chat_id), int(turn)), gap_ms=15)


@dataclass(slots=True)
class Seen:
    """What people saw."""

    chats: int = 0
    answers: int = 0
    missing: int = 0
    doubled: int = 0
    unexplained: int = 0  # doubled although no answer of the API was lost
    strays: int = 0  # other messages, such as the beginning of an answer
    early: int = 0  # calls to a chat that was told to wait, those under way at that moment among them
    latest_early_s: float = 0.0
    calls: int = 0
    troubles: Counter[str] = field(default_factory=Counter)
    lost: int = 0  # sent messages whose confirmation did not arrive
    spared_s: list[float] = field(default_factory=list)
    troubled_s: list[float] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def held(self) -> bool:
        """Whether all is as promised."""
        waits = self.troubles["429"] - self.early
        return not (self.missing or self.unexplained) and self.early <= waits

    @property
    def told(self) -> str:
        spared, troubled = sorted(self.spared_s), sorted(self.troubled_s)
        lines = (
            ("chats", self.chats),
            ("answers", self.answers),
            ("calls", f"{self.calls}, of them {dict(sorted(self.troubles.items()))}"),
            ("missing", self.missing),
            ("doubled", f"{self.doubled}, of them without a lost confirmation: {self.unexplained}"),
            ("lost confirmations", f"{self.lost} of sent messages"),
            ("other messages", self.strays),
            ("calls too early", f"{self.early}, the latest {self.latest_early_s:.2f} s after it was told"),
            ("spared chats", f"median {_middle(spared):.1f} s, slowest {max(spared, default=0):.1f} s"),
            ("troubled chats", f"median {_middle(troubled):.1f} s, slowest {max(troubled, default=0):.1f} s"),
            ("real seconds", f"{self.seconds:.0f}"),
        )
        return "\n".join(f"{name:18} {value}" for name, value in lines)


def _middle(values: list[float]) -> float:
    return values[len(values) // 2] if values else 0.0


async def storm(folder: Path, plan: Plan) -> Seen:
    """Let every chat ask its questions, one after the other, and look at what it got."""
    clock = FastClock(plan.speed)
    async with FakeBotApi(now=clock.seconds) as api, Upstream(answer) as upstream:
        places = _places(api, plan.chats)
        people = [abs(chat) % 100_000_000 for chat in places]
        async with running(
            api, upstream, folder, clock, streaming_prefer_draft=plan.drafts, allowed_user_ids=people
        ) as kit:
            began = time.monotonic()
            api.mood = trouble(plan)
            seen = Seen(chats=plan.chats, answers=plan.chats * plan.turns)
            async with asyncio.timeout(BOUND_S), asyncio.TaskGroup() as group:
                for chat in places:
                    group.create_task(_talk(kit, chat, plan.turns, seen))
            await kit.settled(BOUND_S)
            seen.seconds = time.monotonic() - began
            api.mood = None
        _look(api, places, plan.turns, seen)
        return seen


def _places(api: FakeBotApi, chats: int) -> list[int]:
    """One chat in three is a group."""
    places = []
    for number in range(1, chats + 1):
        api.world.user(number)
        place = number
        if number % 3 == 0:
            place = GROUP_BASE - number
            api.world.group(place, f"Group {number}")
        places.append(place)
    return places


async def _talk(kit: Kit, chat: int, turns: int, seen: Seen) -> None:
    for turn in range(turns):
        began = kit.clock.seconds()
        kit.api.world.say(abs(chat) % 100_000_000, f"@donkey_bot say {chat} {turn}", chat_id=chat)
        while text_of(chat, turn) not in kit.api.world.answers(chat):
            await kit.clock.sleep(0.1)
        took_s = kit.clock.seconds() - began
        (seen.spared_s if chat % SPARED == 0 else seen.troubled_s).append(took_s)


def _look(api: FakeBotApi, places: list[int], turns: int, seen: Seen) -> None:
    lost = {chat: [call for call in api.calls if call.chat_id == chat and _is_lost(call)] for chat in places}
    for chat in places:
        shown = Counter(api.world.answers(chat))
        for turn in range(turns):
            times = shown.pop(text_of(chat, turn), 0)
            seen.missing += times == 0
            seen.doubled += times > 1
            seen.unexplained += times > 1 + len(lost[chat])
        seen.strays += shown.total()
    seen.lost = sum(len(calls) for calls in lost.values())
    seen.early, seen.latest_early_s = api.flood.early, api.flood.latest_early_s
    seen.calls = sum(1 for call in api.calls if call.method != "getUpdates")
    seen.troubles = Counter(
        call.status for call in api.calls if call.method != "getUpdates" and call.status != "ok"
    )


def _is_lost(call: Call) -> bool:
    return call.method.startswith("send") and call.status != "ok" and isinstance(call.result, dict)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--chats", type=int, default=50)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trouble", type=float, default=0.25, help="the share of calls that fail")
    parser.add_argument("--edits", action="store_true", help="messages that are edited in place of drafts")
    args = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    plan = Plan(args.chats, args.turns, args.seed, args.trouble, drafts=not args.edits)
    with tempfile.TemporaryDirectory() as folder:
        seen = asyncio.run(storm(Path(folder), plan))
    print(seen.told)
    return 0 if seen.held else 1


if __name__ == "__main__":
    sys.exit(main())
