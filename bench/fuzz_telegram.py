"""Hostile updates by the thousand, through the whole Telegram channel against the fake Bot API.

    python -m bench.fuzz_telegram     # 2,000 generated updates and each hostile text in each place
    HOSTILE_TEXTS=texts.jsonl python -m bench.fuzz_telegram --updates 10000 --seed 7

Updates are of every kind of the Bot API's description, with fields wrong, missing and unknown. Each has to
be confirmed, and after each batch a person has to get an answer: nothing may stop the offset, a task or
the outbox. HOSTILE_TEXTS names a file of further texts, one JSON object with a `text` a line. What an
update raised is counted by type; a failure that was not one of a malformed update is wrong. Ends with 1
when something was wrong.
"""

import argparse
import asyncio
import itertools
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Mapping, MutableMapping
from pathlib import Path
from typing import Any

import structlog

from tests.fakes.upstream import Answer
from tests.telegram.hostile import everywhere, texts, updates
from tests.telegram.kit import ANN, BEN, Kit, started

BATCH = 100
# What the log says of an update that is set aside: told with its number and type, and the next is read.
SET_ASIDE = "telegram.update.skipped"
PATIENCE_S = 120


class Heard:
    """Counts what the log tells of errors, as a processor of structlog."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []

    def __call__(self, _: object, method: str, event: MutableMapping[str, Any]) -> Mapping[str, Any]:
        name = str(event.get("event"))
        raised = sys.exc_info()[0]
        if method in {"exception", "error", "critical"}:
            kind = f"{name} {raised.__name__ if raised else ''}".strip()
            self.counts[kind] += 1
            if name != SET_ASIDE:
                self.wrong.append(f"{kind}: {event}\n{traceback.format_exc(limit=-3)}")
        raise structlog.DropEvent


async def send(kit: Kit, made: Iterable[dict[str, Any]], ids: "itertools.count[int]") -> int:
    """Bring a batch, wait until all of it is confirmed and nothing is under way; how many there were."""
    numbered = [{**update, "update_id": next(ids)} for update in made]
    kit.api.world.updates += numbered
    kit.api.world.arrived.set()
    await kit.api.until(lambda: not kit.api.world.updates, PATIENCE_S)
    await kit.settled(PATIENCE_S)
    return len(numbered)


async def still_there(kit: Kit, ids: "itertools.count[int]") -> bool:
    """Whether a person who writes now gets an answer."""
    before = len(kit.api.world.answers(BEN))
    chat = {"id": BEN, "type": "private"}
    sender = {"id": BEN, "is_bot": False, "first_name": "Ben"}
    number = next(ids)
    hello = {
        "message_id": number,
        "date": 1_772_450_000,
        "chat": chat,
        "from": sender,
        "text": "still there?",
    }
    await send(kit, [{"message": hello}], ids)
    return len(kit.api.world.answers(BEN)) > before


async def campaign(args: argparse.Namespace, heard: Heard) -> Counter[str]:
    """All batches against one bot."""
    done: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        async with started(
            Path(folder), rate_limit_per_minute=100_000, chat_rate_limit_per_minute=100_000
        ) as kit:
            kit.upstream.default = Answer.text("fine")
            ids = itertools.count(800_000_001)
            source = itertools.islice(updates(args.seed, ANN), args.updates)
            while batch := list(itertools.islice(source, BATCH)):
                done["generated updates"] += await send(kit, batch, ids)
                done["answers between"] += await still_there(kit, ids)
                done["batches"] += 1
            file_id = kit.api.world.file(b"abc")
            for text in texts():
                placed = [update for _, update in everywhere(text, ANN, file_id)]
                for update in placed:
                    for body in update.values():  # each a message of its own
                        body["message_id"] = next(ids)
                done["texts in places"] += await send(kit, placed, ids)
            done["batches"] += 1
            done["answers between"] += await still_there(kit, ids)
            done["sent texts that were altered"] = len(kit.api.methods.altered)
    if done["answers between"] != done["batches"]:
        heard.wrong.append("a person got no answer after a batch")
    return done


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--updates", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    heard = Heard()
    structlog.configure(processors=[heard])
    began = time.perf_counter()
    done = asyncio.run(campaign(args, heard))
    print(f"{time.perf_counter() - began:.0f} s: {dict(done)}")
    for kind, count in heard.counts.most_common():
        print(f"{count:6} {kind}")
    for line in heard.wrong[:20]:
        print(line)
    print(f"{len(heard.wrong)} wrong")
    return 1 if heard.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
