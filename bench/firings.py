"""Due jobs on one database, several processes that fire them, and a killer.

    python -m bench.firings                                   # SQLite: 1,000 jobs, 4 processes
    python -m bench.firings --url postgresql://user@host/name # an empty database there
    python -m bench.firings --postgres                        # a server from a wheel, for this run

Every process runs the scheduler, the queue and the outbox of the product. They are killed (SIGKILL) at
random and started again until every job is done. Each must have fired once; what reached the chat is
counted, too.
"""

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from sqlalchemy import Connection, func, select

from bot.clock import SystemClock
from bot.delivery.outbox import Delivery, Outbox, SentPart, text_hash
from bot.domain.conversation import Conversation, SpeakerId
from bot.events.log import EventLog
from bot.runs.holder import Holder
from bot.runs.worker import Worker
from bot.schedule import jobs, plan
from bot.schedule.engine import Scheduler
from bot.schedule.firing import Rules
from bot.schedule.jobs import JobDraft
from bot.store.engine import Store
from bot.store.open import open_store
from bot.store.tables import firings, runs
from bot.turn import tasks

ROOT = Path(__file__).resolve().parent.parent
CHANNEL = "push"
TICK_S = 0.2
GIVE_UP_S = 300.0


@dataclass(frozen=True)
class Outcome:
    """What a campaign found. `texts` is how often each reminder reached the chat."""

    fired: int  # rows, unique by job and due time
    done: int
    runs: int  # deliveries that were queued
    texts: Counter[str]
    kills: int
    seconds: float

    def told(self, jobs_made: int) -> str:
        twice = sum(count > 1 for count in self.texts.values())
        return (
            f"{jobs_made} jobs, {self.kills} kills, {self.seconds:.1f} s: {self.fired} fired, "
            f"{self.done} done, {self.runs} deliveries queued, {len(self.texts)} reached the chat, "
            f"{twice} of them twice"
        )


class Chat:
    """A chat that notes down what reaches it before anything else can happen."""

    def __init__(self, outbox: Outbox, log: Path) -> None:
        self._outbox = outbox
        self._log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    async def deliver(self, delivery: Delivery) -> None:
        if 0 in await self._outbox.sent(delivery.turn_id):
            return
        await asyncio.sleep(random.uniform(0.001, 0.02))
        first = delivery.text.splitlines()[0].rpartition(" ")[2]
        os.write(self._log, f"{first}\n".encode())
        part = SentPart(0, first, text_hash(delivery.text), final=True)
        await self._outbox.note(delivery.turn_id, part, channel=CHANNEL)


async def work(url: str, log: Path) -> None:
    """One of the processes, until it is killed."""
    clock = SystemClock()
    store = await open_store(url, clock)
    events, holder = EventLog(store, clock), Holder(store.path)
    outbox = Outbox(store, events, clock, holder)
    outbox.register(CHANNEL, Chat(outbox, log))
    worker = Worker(store, events, clock, holder, {"delivery": (outbox.handle, 8)}, inherit=outbox.inherit)
    rules = Rules(tasks.start, outbox.channels.keys(), woken=worker.wake)
    scheduler = Scheduler(store, events, clock, rules, tick_s=TICK_S)
    scheduler.begin()
    async with asyncio.TaskGroup() as group:
        for job in (worker.run(), events.run(), scheduler.run()):
            group.create_task(job)


async def make(store: Store, count: int) -> None:
    """So many jobs in ten chats, due five minutes ago."""
    clock = SystemClock()
    due = plan.once(clock.now() - timedelta(minutes=5), "UTC")

    def all_of_them(conn: Connection) -> None:
        for number in range(count):
            who = str(number % 10)
            draft = JobDraft(
                Conversation(CHANNEL, who), SpeakerId(f"{CHANNEL}:{who}"), "reminder", f"n{number}", due
            )
            jobs.create(conn, draft, clock.now() - timedelta(hours=1), most=count)

    await store.write(all_of_them)


def counted(conn: Connection) -> tuple[int, int, int]:
    """Rows of firings, those done, and deliveries."""
    all_of = conn.scalar(select(func.count()).select_from(firings)) or 0
    done = conn.scalar(select(func.count()).where(firings.c.state == "done")) or 0
    queued = conn.scalar(select(func.count()).where(runs.c.kind == "delivery")) or 0
    return all_of, done, queued


async def campaign(
    url: str, folder: Path, *, count: int, processes: int, kills: int, seed: int = 1
) -> Outcome:
    """Make the jobs, let processes fire them and be killed, until all are done."""
    dice = random.Random(seed)
    store = await open_store(url, SystemClock())
    await make(store, count)
    log = folder / "chat.log"
    began = time.perf_counter()
    running = [await _start(url, log) for _ in range(processes)]
    killed = 0
    try:
        while (await store.read(counted))[1] < count and time.perf_counter() - began < GIVE_UP_S:
            await asyncio.sleep(dice.uniform(0.1, 0.6))
            if killed < kills:
                victim = dice.randrange(processes)
                running[victim].send_signal(signal.SIGKILL)
                await running[victim].wait()
                running[victim] = await _start(url, log)
                killed += 1
    finally:
        for process in running:
            process.kill()
            await process.wait()
    fired, done, queued = await store.read(counted)
    await store.close()
    texts = Counter(log.read_text(encoding="utf-8").split() if log.exists() else ())
    return Outcome(fired, done, queued, texts, killed, time.perf_counter() - began)


async def _start(url: str, log: Path) -> asyncio.subprocess.Process:
    command = ["-m", "bench.firings", "--work", str(log), "--url", url]
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *command,
        cwd=ROOT,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--url", default="")
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--jobs", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.work is not None:
        asyncio.run(work(args.url, args.work))
        return 0
    with tempfile.TemporaryDirectory(prefix="xiaomaolv-firings-") as name:
        folder = Path(name)
        if args.postgres:
            from tests.fakes.postgres import server  # noqa: PLC0415 - only where it is wanted

            folder.chmod(0o755)
            running = server(Path(tempfile.gettempdir()) / f"xiaomaolv-firings-postgres-{os.getpid()}")
            url = running.fresh()
        else:
            running, url = None, args.url or f"sqlite:///{folder}/bot.db"
        try:
            found = asyncio.run(
                campaign(url, folder, count=args.jobs, processes=args.processes, kills=args.kills)
            )
        finally:
            if running is not None:
                running.close()
    print(found.told(args.jobs))
    return 0 if found.fired == found.done == found.runs == len(found.texts) == args.jobs else 1


if __name__ == "__main__":
    sys.exit(main())
