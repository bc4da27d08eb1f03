"""Kill the bot at random moments under load, and count what became of every message.

    python -m bench.kill_campaign [--kills 200] [--clients 16] [--telegram] [--seed 1]

The application is the real one; each kill is a SIGKILL at a random moment, one in four while it starts.
The clients repeat with their Idempotency-Key and go on reading from the last event they saw. With
`--telegram` people write to the bot through a fake Bot API that stays up, and what counts is what they see.
"""

import argparse
import asyncio
import random
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.crash.caller import Caller, Message
from tests.crash.launcher import Launcher
from tests.crash.places import ANN, Place
from tests.fakes.bot_api import FakeBotApi
from tests.fakes.upstream import Answer, Request, Upstream, echo

# So many of the kills fall into the first moments after the start; the others within a life, in seconds.
STARTING = 0.25
STARTING_S = 0.5
HTTP_LIFE_S = 1.5
TELEGRAM_LIFE_S = 3.0
SETTLE_S = 60.0


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of the messages. `in_doubt`: doubled, with a kill between the API's yes and our commit."""

    kills: int
    accepted: int
    answered_once: int
    missing: int
    doubled: int
    garbled: int = 0  # streams whose words did not add up to the answer
    in_doubt: int = 0
    open_runs: int = 0

    @property
    def told(self) -> str:
        share = 100 * self.doubled / max(self.accepted, 1)
        lines = (
            ("kills", self.kills),
            ("accepted", self.accepted),
            ("answered once", self.answered_once),
            ("missing", self.missing),
            ("doubled", f"{self.doubled} ({share:.2f} %), {self.in_doubt} of them between yes and commit"),
            ("garbled streams", self.garbled),
            ("runs left open", self.open_runs),
        )
        return "\n".join(f"{name:16} {value}" for name, value in lines)


def slowly(request: Request) -> Answer:
    """An answer that takes a fifth of a second or so: there is time to die in it."""
    return echo(request).but(first_ms=30, gap_ms=12)


async def live_and_die(launcher: Launcher, place: Place, dice: random.Random, life_s: float) -> None:
    """One life of the bot, ended at a random moment."""
    if dice.random() < STARTING:
        child = await launcher.spawn(place.config)
        await asyncio.sleep(dice.uniform(0.0, STARTING_S))
    else:
        child = await launcher.start(place.config)
        await asyncio.sleep(dice.uniform(0.0, life_s))
    await launcher.kill(child)


# -- HTTP


class Talker:
    """One client that says one thing after the other until told to end."""

    def __init__(self, name: str, url: str) -> None:
        self.name = name
        self.messages: list[Message] = []
        self.caller = Caller(url)

    async def talk(self, end: asyncio.Event) -> None:
        while not end.is_set():
            number = len(self.messages)
            text = f"{self.name} says number {number} of the things that come to mind"
            message = Message(self.name, text, key=f"{self.name}-{number}")
            self.messages.append(message)
            await self.caller.insist(message)


def _fate(answers: int) -> str:
    return ("missing", "once", "doubled")[min(answers, 2)]


async def over_http(
    launcher: Launcher, folder: Path, *, kills: int, clients: int, dice: random.Random
) -> Counts:
    """Streaming clients against a bot that is killed again and again."""
    async with Upstream(slowly) as upstream:
        upstream.keep_requests = False
        place = Place(folder / "bot", upstream.base_url)
        talkers = [Talker(f"client{number}", place.url) for number in range(clients)]
        end = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            for talker in talkers:
                group.create_task(talker.talk(end))
            for _ in range(kills):
                await live_and_die(launcher, place, dice, HTTP_LIFE_S)
            end.set()
            child = await launcher.start(place.config)
        answers = _answers_kept(place)
        garbled = sum(message.seen != message.reply for talker in talkers for message in talker.messages)
        for talker in talkers:
            await talker.caller.aclose()
        await launcher.stop(child)
    said = [message for talker in talkers for message in talker.messages]
    fates = Counter(_fate(answers[f"echo: {message.text}"]) for message in said)
    return Counts(
        kills=kills,
        accepted=place.accepted(),
        answered_once=fates["once"],
        missing=fates["missing"],
        doubled=fates["doubled"],
        garbled=garbled,
        open_runs=len(place.open_runs()),
    )


def _answers_kept(place: Place) -> Counter[str]:
    rows = place.rows("SELECT text FROM messages WHERE role = 'assistant'")
    return Counter(str(text) for (text,) in rows)


# -- Telegram


class Person:
    """Writes, waits to be answered in full, writes again."""

    def __init__(self, api: FakeBotApi, user_id: int) -> None:
        self.api = api
        self.user_id = user_id
        self.said: list[str] = []
        api.world.user(user_id, f"Person{user_id}")

    def answers(self) -> Counter[str]:
        """What this person sees of the bot, and how often."""
        return Counter(self.api.world.answers(self.user_id))

    async def talk(self, end: asyncio.Event) -> None:
        while not end.is_set():
            text = f"number {len(self.said)} of what {self.user_id} has to say about the harbour and the sea"
            self.said.append(text)
            self.api.world.say(self.user_id, text)
            while not self.answers()[f"echo: {text}"]:  # noqa: ASYNC110 - polls the fake
                await asyncio.sleep(0.05)


async def over_telegram(
    launcher: Launcher, folder: Path, *, kills: int, clients: int, dice: random.Random
) -> Counts:
    """People who write to a bot that is killed again and again."""
    async with Upstream(lambda request: slowly(request).but(gap_ms=60)) as upstream, FakeBotApi() as api:
        upstream.keep_requests = False
        place = Place(folder / "bot", upstream.base_url, (api.token, api.base_url), streaming=True)
        people = [Person(api, ANN + number) for number in range(clients)]
        end = asyncio.Event()
        in_doubt: set[tuple[int, int]] = set()
        async with asyncio.TaskGroup() as group:
            for person in people:
                group.create_task(person.talk(end))
            for _ in range(kills):
                await live_and_die(launcher, place, dice, TELEGRAM_LIFE_S)
                in_doubt |= place.in_doubt(api)
            end.set()
            child = await launcher.start(place.config)
        await _settled(place)
        await launcher.stop(child)
        return _seen(people, place, in_doubt, kills)


async def _settled(place: Place) -> None:
    async with asyncio.timeout(SETTLE_S):
        while place.open_runs():  # noqa: ASYNC110 - polls another process's database
            await asyncio.sleep(0.1)


def _seen(people: list[Person], place: Place, in_doubt: set[tuple[int, int]], kills: int) -> Counts:
    doubtful = Counter(
        (person.user_id, message.text)
        for person in people
        for message in person.api.world.visible(person.user_id)
        if (person.user_id, message.id) in in_doubt
    )
    fates: Counter[str] = Counter()
    for person in people:
        answers = person.answers()
        for text in person.said:
            fates[_fate(answers[f"echo: {text}"])] += 1
            is_double = answers[f"echo: {text}"] > 1
            fates["in doubt"] += is_double and doubtful[person.user_id, f"echo: {text}"] > 0
    return Counts(
        kills=kills,
        accepted=place.accepted(),
        answered_once=fates["once"],
        missing=fates["missing"],
        doubled=fates["doubled"],
        in_doubt=fates["in doubt"],
        open_runs=len(place.open_runs()),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill the bot at random moments under load.")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--telegram", action="store_true", help="over the Bot API instead of HTTP")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    campaign = over_telegram if args.telegram else over_http
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, Launcher() as launcher:
        dice = random.Random(args.seed)
        counts = asyncio.run(
            campaign(launcher, Path(folder), kills=args.kills, clients=args.clients, dice=dice)
        )
    print(counts.told)
    print(f"{'seconds':16} {time.monotonic() - began:.0f}")


if __name__ == "__main__":
    main()
