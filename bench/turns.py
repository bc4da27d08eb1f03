"""What the bot adds to a model's answer: time to first token, throughput, memory, start.

    python -m bench.turns [--turns 200] [--stored 10000]

Each figure stands beside the same measurement made directly at the fake provider in the same run
(50 ms to the first token, 20 tokens), so that a slow machine slows both.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from bench.client import Client, Timing
from bench.processes import Started, bot, resident_mb, upstream
from bench.seed import seed

DIRECT = ("/v1/chat/completions", b'"content":')
OURS = ("/v1/messages", b"event: delta")
SESSIONS = 64


def _body(path: str, session: str, number: int) -> dict[str, object]:
    text = f"What did I say about the harbour, trip number {number}?"
    if path == DIRECT[0]:
        return {"model": "fake-model", "stream": True, "messages": [{"role": "user", "content": text}]}
    return {"session_id": session, "user_id": session, "text": text, "stream": True}


async def first_tokens(server: Started, kind: tuple[str, bytes], count: int) -> list[float]:
    """Seconds to the first token of `count` answers, one after the other in one session."""
    client = Client("127.0.0.1", server.port)
    path, marker = kind
    timings = [await client.stream(path, _body(path, "bench", n), marker) for n in range(count + 5)]
    await client.close()
    return [timing.first_s for timing in timings[5:]]


async def throughput(server: Started, kind: tuple[str, bytes], turns: int) -> tuple[float, int]:
    """Answers a second with `SESSIONS` sessions at once, and how many failed."""
    path, marker = kind
    failed = 0

    async def session(name: str) -> None:
        nonlocal failed
        client = Client("127.0.0.1", server.port)
        for number in range(turns):
            timing: Timing = await client.stream(path, _body(path, name, number), marker)
            if b"event: done" not in timing.text.encode() and path == OURS[0]:
                failed += 1
        await client.close()

    await asyncio.gather(*(session(f"warm{n}") for n in range(8)))
    began = time.perf_counter()
    await asyncio.gather(*(session(f"s{n}") for n in range(SESSIONS)))
    return SESSIONS * turns / (time.perf_counter() - began), failed


async def measure(memory: str, *, turns: int, stored: int, per_session: int) -> None:
    """All figures for one kind of memory, printed as one table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if stored:
            await seed(f"sqlite:///{folder}/bot.db", stored, speaker="bench")
        async with (
            upstream(first_token_ms=50, tokens=20) as provider,
            bot(folder, upstream_port=provider.port, memory=memory) as server,
        ):
            idle = resident_mb(server.pid)
            direct = statistics.median(await first_tokens(provider, DIRECT, turns)) * 1000
            ours = statistics.median(await first_tokens(server, OURS, turns)) * 1000
            direct_rate, _ = await throughput(provider, DIRECT, per_session)
            rate, failed = await throughput(server, OURS, per_session)
            print(f"\nmemory {memory}, {stored} stored messages")
            print(f"  start to /health     {server.ready_s:.2f} s, {idle:.0f} MiB resident when idle")
            print(
                f"  first token, median  direct {direct:.1f} ms, bot {ours:.1f} ms: +{ours - direct:.1f} ms"
            )
            print(
                f"  turns a second       direct {direct_rate:.0f}, bot {rate:.0f} ({rate / direct_rate:.2f})"
            )
            print(f"  failed turns {failed}; {resident_mb(server.pid):.0f} MiB resident after the load")


async def _main(args: argparse.Namespace) -> None:
    await measure("off", turns=args.turns, stored=0, per_session=args.per_session)
    await measure("hybrid", turns=args.turns, stored=args.stored, per_session=args.per_session)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--per-session", type=int, default=20)
    parser.add_argument("--stored", type=int, default=10_000)
    asyncio.run(_main(parser.parse_args()))
