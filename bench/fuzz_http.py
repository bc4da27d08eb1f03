"""Hostile requests by the ten thousand, against the HTTP interface.

    python -m bench.fuzz_http     # 20,000 against a bot of its own, with a scripted model
    python -m bench.fuzz_http --url http://127.0.0.1:8080 --requests 5000 --seed 7

Every request has to be answered within ten seconds, with a status below 500, and errors have to be JSON.
The bot of its own must not keep connections or grow without bound. XIAOMAOLV_HOSTILE_TEXT names a file
of further texts, one JSON object with a `text` a line. Ends with 1 when something was wrong.
"""

import argparse
import asyncio
import gc
import itertools
import json
import logging
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import psutil
import structlog

from tests.builders import open_web
from tests.web.hostile import HostileRequest, requests
from tests.web.raw import exchange, request_bytes

HANG_S = 10.0
# What a campaign may leave behind in a process that also holds the client: caches, the database's pages.
MAX_GROWTH_MB = 60
WARM_UP = 1000


@dataclass(slots=True)
class Findings:
    statuses: Counter[int] = field(default_factory=Counter)
    slowest_s: float = 0.0
    slowest: HostileRequest | None = None
    wrong: list[str] = field(default_factory=list)


async def send(host: str, request: HostileRequest, findings: Findings) -> None:
    """One request on a connection of its own, and whether its answer was in order."""
    headers = {"Host": host, **request.headers}
    data = request_bytes(request.method, request.path, headers, request.body)
    began = time.perf_counter()
    try:
        answer = await exchange(int(host.rpartition(":")[2]), data, timeout_s=HANG_S)
    except TimeoutError:
        findings.wrong.append(f"no answer: {request}")
        return
    if (took := time.perf_counter() - began) > findings.slowest_s:
        findings.slowest_s, findings.slowest = took, request
    if answer is None:
        findings.wrong.append(f"closed without an answer: {request}")
        return
    findings.statuses[answer.status] += 1
    if answer.status >= 500:
        findings.wrong.append(f"{answer.status}: {request} -> {answer.body[:200]!r}")
    elif answer.status >= 400 and answer.body and not is_error(answer.body):
        findings.wrong.append(f"{answer.status} without a JSON error: {request} -> {answer.body[:200]!r}")


def is_error(body: bytes) -> bool:
    try:
        error = json.loads(body)["error"]
        return isinstance(error["code"], str) and isinstance(error["message"], str)
    except (ValueError, KeyError, TypeError):
        return False


async def campaign(host: str, count: int, seed: int, at_once: int, findings: Findings) -> None:
    """Send `count` requests, `at_once` of them at the same time."""
    source = itertools.islice(requests(seed), count)

    async def sender() -> None:
        for request in source:
            await send(host, request, findings)

    async with asyncio.TaskGroup() as group:
        for _ in range(at_once):
            group.create_task(sender())


async def against_own(args: argparse.Namespace, findings: Findings) -> None:
    """The campaign against a bot in this process, and what it leaves behind."""
    process = psutil.Process()
    async with open_web() as bot:
        host = urlsplit(bot.url).netloc
        await campaign(host, min(WARM_UP, args.requests), args.seed + 1, args.at_once, findings)
        gc.collect()
        files, rss = process.num_fds(), process.memory_info().rss
        await campaign(host, args.requests, args.seed, args.at_once, findings)
        await asyncio.sleep(0.5)  # connections that were closed are noticed
        gc.collect()
        grown_mb = (process.memory_info().rss - rss) / 1e6
        left = process.num_fds() - files
        print(f"open files {left:+d}, memory {grown_mb:+.1f} MB")
        if left > 10:
            findings.wrong.append(f"{left} files or connections stayed open")
        if grown_mb > MAX_GROWTH_MB:
            findings.wrong.append(f"the process grew by {grown_mb:.0f} MB")
        async with bot.client.get("/health") as answer:
            if answer.status != 200:
                findings.wrong.append(f"/health answers {answer.status} afterwards")


async def run(args: argparse.Namespace) -> Findings:
    findings = Findings()
    if args.url:
        await campaign(urlsplit(args.url).netloc, args.requests, args.seed, args.at_once, findings)
    else:
        await against_own(args, findings)
    return findings


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--url", help="a bot that runs already; else one of its own is started")
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=32)
    args = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    began = time.perf_counter()
    findings = asyncio.run(run(args))
    took = time.perf_counter() - began
    print(f"{findings.statuses.total()} answers in {took:.0f} s")
    print(f"slowest {findings.slowest_s:.2f} s: {str(findings.slowest)[:200]}")
    print(", ".join(f"{status}: {count}" for status, count in sorted(findings.statuses.items())))
    for line in findings.wrong[:20]:
        print(line)
    print(f"{len(findings.wrong)} wrong")
    return 1 if findings.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
