"""A hundred thousand waiting jobs: what a look of the scheduler costs, and a start.

python -m bench.many_jobs
"""

import argparse
import asyncio
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from datetime import timedelta
from pathlib import Path

from sqlalchemy import Connection, insert, update

from bench.processes import free_port
from bot.clock import SystemClock
from bot.domain.conversation import Conversation, SpeakerId
from bot.events.log import EventLog
from bot.schedule import jobs, plan
from bot.schedule.engine import Scheduler
from bot.schedule.firing import Rules
from bot.schedule.jobs import JobDraft
from bot.store.engine import Store
from bot.store.open import open_store
from bot.store.tables import jobs as table
from bot.turn import tasks

ROOT = Path(__file__).resolve().parent.parent
CHATS = 1000
LOOKS = 50
STARTS = 5


async def fill(store: Store, count: int) -> None:
    """So many jobs in a thousand chats, due in the coming year."""
    clock, dice = SystemClock(), random.Random(1)
    plans = [
        plan.by_cron(f"{m} {h} {d} * *", "Europe/Berlin")
        for m in (0, 30)
        for h in range(24)
        for d in (1, 9, 17)
    ]

    def first_ones(conn: Connection) -> None:
        for chat in range(CHATS):
            draft = JobDraft(
                Conversation("http", f"s{chat}"), SpeakerId(f"http:{chat}"), "reminder", "x", plans[0]
            )
            jobs.create(conn, draft, clock.now(), most=1)

    def rest(conn: Connection, rows: list[dict[str, object]]) -> None:
        conn.execute(insert(table), rows)

    await store.write(first_ones)
    now = clock.now()
    for begin in range(CHATS, count, 10_000):
        rows = []
        for number in range(begin, min(begin + 10_000, count)):
            when = dice.choice(plans)
            rows.append({
                "id": f"task-{number:08x}", "conversation_id": f"http:s{number % CHATS}",
                "person_id": f"http:{number % CHATS}", "for_name": "", "kind": "reminder", "text": "job",
                "locale": "en", "state": "active", "reason": "", "zone": when.zone, "at": None, "rrule": "",
                "cron": when.cron, "plan": plan.dump(when), "last_error": "", "failures": 0, "fired": 0,
                "next_due": now + timedelta(seconds=dice.randint(3600, 31_000_000)), "created_at": now,
                "updated_at": now,
            })  # fmt: skip
        await store.write(rest, rows)


async def looks(store: Store) -> tuple[list[float], list[float]]:
    """Milliseconds of looks at which nothing is due, and of those that fire eight.

    The first of these compiles the statements and loads the texts, as each process does once.
    """
    clock = SystemClock()
    scheduler = Scheduler(store, EventLog(store, clock), clock, Rules(tasks.start, ()))
    await scheduler.tick()
    quiet, busy = [], []
    for number in range(LOOKS):
        began = time.perf_counter()
        await scheduler.tick()
        quiet.append((time.perf_counter() - began) * 1000)
        ids = [f"task-{CHATS + number * 8 + place:08x}" for place in range(8)]
        due = {"next_due": clock.now()}
        await store.write(
            lambda conn, ids=ids, due=due: conn.execute(
                update(table).where(table.c.id.in_(ids)).values(**due)
            )
        )
        began = time.perf_counter()
        await scheduler.tick()
        busy.append((time.perf_counter() - began) * 1000)
    return quiet, busy


def start_s(folder: Path, database: str) -> float:
    """Seconds from the start of the program to its first healthy answer."""
    port = free_port()
    config = folder / "config.toml"
    config.write_text(
        f'[app]\nbind = "127.0.0.1:{port}"\n[storage]\nurl = "{database}"\n[memory]\nembedder = "none"\n',
        encoding="utf-8",
    )
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "serve", "--config", str(config)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=1):
                break
        except OSError:
            time.sleep(0.005)
    took = time.perf_counter() - began
    process.terminate()
    process.wait()
    return took


async def _measure(url: str, count: int) -> tuple[list[float], list[float]]:
    store = await open_store(url, SystemClock())
    try:
        await fill(store, count)
        return await looks(store)
    finally:
        await store.close()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=100_000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="xiaomaolv-jobs-") as name:
        folder = Path(name)
        full, empty = f"sqlite:///{folder}/full.db", f"sqlite:///{folder}/empty.db"
        quiet, busy = asyncio.run(_measure(full, args.jobs))
        print(f"{args.jobs} jobs, the first look of a process with eight due: {busy.pop(0):.1f} ms")
        for what, found in (("nothing due", quiet), ("eight due", busy)):
            middle, worst = statistics.median(found), max(found)
            print(f"{args.jobs} jobs, a look with {what}: median {middle:.1f} ms, worst {worst:.1f} ms")
        pairs = [(start_s(folder, empty), start_s(folder, full)) for _ in range(STARTS)]
        before, after = (min(times) for times in zip(*pairs, strict=True))
        print(
            f"start to /health, the best of {STARTS}: {before:.2f} s empty, "
            f"{after:.2f} s with {args.jobs} jobs"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
