"""Kill the bot at random moments under load, and count what became of every message.

    python -m bench.kill_campaign [--kills 200] [--clients 16] [--telegram] [--seed 1]

The application is the real one; each kill is a SIGKILL at a random moment, one in four while it starts.
The clients repeat with their Idempotency-Key and go on reading from the last event they saw. With
`--telegram` people write to the bot through a fake Bot API that stays up: in private with drafts, in groups
with edited messages, with albums, with the button for another answer, and they are answered with albums; what
counts is what they see.
"""

import argparse
import asyncio
import json
import random
import re
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from typing_extensions import override

from tests.crash.caller import Caller, Message
from tests.crash.counting import PAINT, captions
from tests.crash.launcher import Launcher
from tests.crash.places import ANN, Place
from tests.fakes.bot_api import FakeBotApi
from tests.fakes.upstream import Answer, Request, Upstream, echo, last_user_text, say

# So many of the kills fall into the first moments after the start; the others within a life, in seconds.
STARTING = 0.25
STARTING_S = 0.5
HTTP_LIFE_S = 1.5
TELEGRAM_LIFE_S = 3.0
SETTLE_S = 60.0
PRESS_S = 90.0  # a press without its answer for so long is unheeded; a bot that is killed takes several lives


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
    by_kind: Counter[str] = field(default_factory=Counter)  # over Telegram: of people, and what went wrong

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
            *sorted(self.by_kind.items()),
        )
        return "\n".join(f"{name:28} {value}" for name, value in lines)


def slowly(request: Request) -> Answer:
    """An answer that takes a fifth of a second or so: there is time to die in it."""
    return echo(request).but(first_ms=30, gap_ms=12)


async def live_and_die(
    launcher: Launcher, place: Place, dice: random.Random, life_s: float, counts: Path | None = None
) -> None:
    """One life of the bot, ended at a random moment; `counts` as for the launcher."""
    if dice.random() < STARTING:
        child = await launcher.spawn(place.config, counts=counts)
        await asyncio.sleep(dice.uniform(0.0, STARTING_S))
    else:
        child = await launcher.start(place.config, counts=counts)
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
    """Writes, waits to be answered in full, writes again; in private, where answers are shown as drafts."""

    def __init__(self, api: FakeBotApi, user_id: int) -> None:
        self.api = api
        self.user_id = user_id
        self.chat_id = user_id
        self.said: list[str] = []
        self.unheeded = 0
        api.world.user(user_id, f"Person{user_id}")

    def answers(self) -> Counter[str]:
        """What this person sees of the bot, and how often."""
        return Counter(self.api.world.answers(self.chat_id))

    def say(self, text: str) -> None:
        self.api.world.say(self.user_id, text)

    async def talk(self, end: asyncio.Event) -> None:
        while not end.is_set():
            text = f"number {len(self.said)} of what {self.user_id} has to say about the harbour and the sea"
            self.said.append(text)
            self.say(text)
            while not self.answers()[f"echo: {text}"]:  # noqa: ASYNC110 - polls the fake
                await asyncio.sleep(0.05)
            await self.heard(f"echo: {text}")

    async def heard(self, answer: str) -> None:
        """What is done about an answer."""


class InGroup(Person):
    """Calls the bot in a group, where a message is edited while the answer is written."""

    def __init__(self, api: FakeBotApi, user_id: int) -> None:
        super().__init__(api, user_id)
        self.chat_id = -1_001_000_000_000 - user_id
        api.world.group(self.chat_id, f"Group of {user_id}")

    @override
    def say(self, text: str) -> None:
        self.api.world.say(self.user_id, f"@donkey_bot {text}", chat_id=self.chat_id)


class WithAlbums(Person):
    """Says everything under an album of three pictures."""

    @override
    def say(self, text: str) -> None:
        for number in range(3):
            file_id = self.api.world.file(b"\xff\xd8\xff\xe0 picture", "p.jpg")
            size = {"file_id": file_id, "file_unique_id": file_id, "width": 9, "height": 9}
            album = f"{self.user_id} {len(self.said)}"
            caption = {} if number else {"caption": text}
            self.api.world.say(self.user_id, photo=[size], media_group_id=album, **caption)


class WithButtons(Person):
    """Wants every answer written anew, by its button."""

    @override
    async def heard(self, answer: str) -> None:
        shown = [one for one in self.api.world.visible(self.chat_id) if one.by_bot and one.text == answer]
        message = shown[-1]
        until = time.monotonic() + PRESS_S
        while not message.buttons and time.monotonic() < until:  # noqa: ASYNC110 - polls the fake
            await asyncio.sleep(0.05)
        wishes = message.buttons
        if wishes:
            self.api.world.press(self.user_id, self.chat_id, message.id, wishes[0])
        while message.buttons == wishes or message.text != answer:
            await asyncio.sleep(0.05)
            if time.monotonic() > until:
                self.unheeded += 1
                return


class WithPictures(Person):
    """Is answered with three pictures, which a tool brings."""

    @override
    def answers(self) -> Counter[str]:
        return self._seen(pictures=False)

    def pictures(self) -> Counter[str]:
        """The captions this person sees, and how often."""
        return self._seen(pictures=True)

    def _seen(self, *, pictures: bool) -> Counter[str]:
        visible = self.api.world.visible(self.chat_id)
        return Counter(one.text for one in visible if one.by_bot and ("photo" in one.body) == pictures)

    @override
    def say(self, text: str) -> None:
        self.api.world.say(self.user_id, f"{text}, {WITH_PICTURES}")

    @override
    async def heard(self, answer: str) -> None:
        last = captions(self.said[-1])[-1]
        while not self.pictures()[last]:  # noqa: ASYNC110 - polls the fake
            await asyncio.sleep(0.05)


KINDS: tuple[type[Person], ...] = (Person, InGroup, WithAlbums, WithButtons, WithPictures)
WITH_PICTURES = "with pictures"
_TOLD = re.compile(r"number \d+ of what \d+ has to say about the harbour and the sea")


def say_back(request: Request) -> Answer:
    """What was said last, without what stands around it, such as the places of pictures; takes a second."""
    text = last_user_text(request.body)
    found = _TOLD.findall(text)
    if found and text.endswith(WITH_PICTURES) and request.body["messages"][-1]["role"] != "tool":
        painting = {"name": PAINT.name, "arguments": json.dumps({"thing": found[-1]})}
        calls = [{"index": 0, "id": "paint", "type": "function", "function": painting}]
        return Answer.deltas({"tool_calls": calls}, finish="tool_calls")
    return say(request.body, f"echo: {found[-1] if found else 'nothing'}").but(first_ms=30, gap_ms=60)


async def over_telegram(
    launcher: Launcher, folder: Path, *, kills: int, clients: int, dice: random.Random
) -> Counts:
    """People who write to a bot that is killed again and again."""
    async with Upstream(say_back) as upstream, FakeBotApi() as api:
        upstream.keep_requests = False
        place = Place(folder / "bot", upstream.base_url, (api.token, api.base_url), streaming=True)
        people = [KINDS[number % len(KINDS)](api, ANN + number) for number in range(clients)]
        end = asyncio.Event()
        in_doubt: set[tuple[int, int]] = set()
        async with asyncio.TaskGroup() as group:
            for person in people:
                group.create_task(person.talk(end))
            for _ in range(kills):
                await live_and_die(launcher, place, dice, TELEGRAM_LIFE_S, folder / "counted")
                in_doubt |= place.in_doubt(api)
            end.set()
            child = await launcher.start(place.config, counts=folder / "counted")
        await _settled(place)
        await launcher.stop(child)
        return _seen(people, place, in_doubt, kills)


async def _settled(place: Place) -> None:
    async with asyncio.timeout(SETTLE_S):
        while place.open_runs():  # noqa: ASYNC110 - polls another process's database
            await asyncio.sleep(0.1)


def _seen(people: list[Person], place: Place, in_doubt: set[tuple[int, int]], kills: int) -> Counts:
    fates: Counter[str] = Counter()
    by_kind: Counter[str] = Counter()
    for person in people:
        doubtful = Counter(
            message.text
            for message in person.api.world.visible(person.chat_id)
            if (person.chat_id, message.id) in in_doubt
        )
        answers = person.answers()
        kind = type(person).__name__
        by_kind[kind] += len(person.said)
        for text in person.said:
            times = answers.pop(f"echo: {text}", 0)
            fates[_fate(times)] += 1
            fates["in doubt"] += times > 1 and doubtful[f"echo: {text}"] > 0
            if times != 1:
                by_kind[f"{kind} {_fate(times)}"] += 1
        by_kind[f"{kind} other messages"] += answers.total()
        by_kind["presses unheeded"] += person.unheeded
        if isinstance(person, WithPictures):
            by_kind.update(_fates_of_pictures(person, doubtful))
    return Counts(
        kills=kills,
        accepted=place.accepted(),
        answered_once=fates["once"],
        missing=fates["missing"],
        doubled=fates["doubled"],
        in_doubt=fates["in doubt"],
        open_runs=len(place.open_runs()),
        by_kind=by_kind,
    )


def _fates_of_pictures(person: WithPictures, doubtful: Counter[str]) -> Counter[str]:
    seen = person.pictures()
    wanted = [one for text in person.said for one in captions(text)]
    fates = Counter(f"pictures {_fate(seen[one])}" for one in wanted)
    fates["pictures in doubt"] = sum(seen[one] > 1 and doubtful[one] > 0 for one in wanted)
    return fates


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
