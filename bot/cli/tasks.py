"""`xiaomaolv tasks`: see and manage what people wished for later."""

import argparse
import asyncio
from typing import TYPE_CHECKING, Any

from bot.cli import OK, Subparsers, add_config_option, add_noun, lazy, read_environment, read_settings

if TYPE_CHECKING:
    from bot.schedule.jobs import Job
    from bot.schedule.room import Jobs

MOST = 1000
_ABOUT = {
    "show": "show one task, with what became of it so far",
    "pause": "let a task fire no more until it is resumed",
    "resume": "let a paused task fire again",
    "delete": "delete a task",
    "run": "fire a task now, beside its own times (a running bot does the work)",
}


def add(subparsers: Subparsers) -> None:
    verbs = add_noun(
        subparsers,
        "tasks",
        help="manage reminders and scheduled tasks",
        description="See and manage reminders and scheduled tasks. A running bot notices by itself.",
    )
    listing = verbs.add_parser("list", help="the tasks, by when they are due")
    listing.add_argument(
        "--owner", metavar="PERSON", default="", help="only of one person, as in telegram:42"
    )
    listing.add_argument("--all", action="store_true", help="those that have ended as well")
    add_config_option(listing)
    for verb, about in _ABOUT.items():
        command = verbs.add_parser(verb, help=about)
        command.add_argument("id", metavar="ID", help="as in task-1a2b3c4d")
        add_config_option(command)


def run(args: argparse.Namespace) -> int:
    asyncio.run(_run(args))
    return OK


async def _run(args: argparse.Namespace) -> None:
    settings, environ = read_settings(args), read_environment(args)
    clock = lazy("bot.clock").SystemClock()
    store = await lazy("bot.store.open").open_store(settings.storage.url, clock)
    try:
        jobs = lazy("bot.app").jobs_of(settings, store, clock, environ)
        locale = settings.app.locale
        if args.verb == "list":
            await _list(jobs, args, locale)
        else:
            await _act(jobs, args, locale)
    finally:
        await store.close()


async def _list(jobs: "Jobs", args: argparse.Namespace, locale: str) -> None:
    module: Any = lazy("bot.schedule.jobs")
    states = module.STATES if args.all else module.OPEN_STATES
    found = await jobs.page(module.Scope(person_id=args.owner), states=states, limit=MOST)
    for job in found:
        print(_line(jobs, job, locale))
    if not found:
        print("There are no tasks.")


async def _act(jobs: "Jobs", args: argparse.Namespace, locale: str) -> None:
    everything = lazy("bot.schedule.jobs").EVERYTHING
    match args.verb:
        case "show":
            await _show(jobs, await jobs.get(everything, args.id), locale)
        case "pause":
            print(_line(jobs, await jobs.pause(everything, args.id), locale))
        case "resume":
            print(_line(jobs, await jobs.resume(everything, args.id), locale))
        case "delete":
            print(f"{(await jobs.remove(everything, args.id)).id} is deleted.")
        case "run":
            print(f"{(await jobs.run_now(everything, args.id)).id} fires now.")


async def _show(jobs: "Jobs", job: "Job", locale: str) -> None:
    in_words = lazy("bot.schedule.wish").in_words
    print(_line(jobs, job, locale))
    print(f"  {in_words(job.plan, locale)} ({job.plan.zone}), {job.kind} of {job.person_id}")
    print(f"  in {job.conversation_id}, fired {job.fired} times")
    if job.last_error:
        print(f"  last error: {job.last_error}")
    for moment in jobs.next_firings(job):
        print(f"  next: {_local(job, moment)}")
    for firing in await jobs.history(lazy("bot.schedule.jobs").EVERYTHING, job.id, limit=10):
        again = f", next try {_local(job, firing.retry_at)}" if firing.retry_at else ""
        why = f" ({firing.error})" if firing.error else ""
        print(f"  {firing.state}: {_local(job, firing.due)}{why}{again}")


def _line(jobs: "Jobs", job: "Job", locale: str) -> str:
    following = jobs.next_firings(job, 1)
    due = _local(job, following[0]) if following else f"{job.state}{f' ({job.reason})' if job.reason else ''}"
    return f"{job.id}  {due}  {' '.join(job.text.split())[:80]}"


def _local(job: "Job", moment: Any) -> str:
    zone = lazy("bot.schedule.zones").kept_zone(job.plan.zone)
    return f"{moment.astimezone(zone):%a %Y-%m-%d %H:%M %z}"
