"""`xiaomaolv when`: what the bot understands of a text about time."""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from itertools import islice
from typing import Any

from bot.cli import OK, Subparsers, lazy, speak_utf8
from bot.errors import InputError

FIRINGS = 3
_BYTE_ORDER_MARK = "\ufeff"  # with which some programs begin their files


def add(subparsers: Subparsers) -> None:
    noun = subparsers.add_parser(
        "when",
        help="read a time in words",
        description="Show how a time in words is understood, with its next firings.",
    )
    noun.add_argument("text", nargs="*", metavar="TEXT", help="the words")
    noun.add_argument(
        "--jsonl",
        action="store_true",
        help='read lines {"text", "now", "lang"?, "tz"?} from standard input, write one line each',
    )
    noun.add_argument("--now", metavar="TIME", help="local ISO time to read from; else the clock's")
    noun.add_argument("--lang", metavar="CODE", default="", help="language of the text, as a hint")
    noun.add_argument("--tz", metavar="ZONE", default="", help="zone of the person, such as Europe/Berlin")
    noun.add_argument("--debug", action="store_true", help="show tracebacks")


def run(args: argparse.Namespace) -> int:
    if args.jsonl:
        speak_utf8()
        for answer in answers(sys.stdin):
            print(json.dumps(answer, ensure_ascii=False), flush=True)
        return OK
    if not args.text:
        raise InputError("there is nothing to read", hint='xiaomaolv when "every other friday at 9"')
    zone = zone_of(args.tz)
    _show(" ".join(args.text), local_now(args.now, zone), args.lang, args.tz)
    return OK


def _show(text: str, now: datetime, lang: str, zone_name: str) -> None:
    """The reading in words, what it assumes, its other readings, and when it would fire."""
    door: Any = lazy("bot.schedule.when.read")
    words: Any = lazy("bot.schedule.when.describe")
    catalogue: Any = lazy("bot.i18n.catalogue")
    zone = zone_of(zone_name)
    reading = door.read(text, now, lang or None, zone)
    if zone is not None:
        reading = replace(reading, at=lazy("bot.schedule.plan").on_the_wall(reading, text, now, zone))
    locale = lang or reading.lang
    print(words.describe(reading, locale))
    for assumption in reading.assumed:
        print(catalogue.translate(f"when.assumed_{assumption.replace('-', '_')}", locale))
    for other in reading.alternatives:
        print(catalogue.translate("when.or", locale, other=words.describe(other, locale)))
    if task := door.task_of(text, reading):
        print(catalogue.translate("when.task", locale, task=task))
    if reading.refused is not None:
        print(catalogue.translate("when.refused_past" if reading.at else "when.refused", locale))
        return
    for moment in _firings(reading, now, zone_name):
        print(f"  {words.describe_time(moment, locale)}")


def _firings(reading: Any, now: datetime, zone_name: str) -> list[datetime]:
    """The next times on the wall; in a zone as a task there would fire, on days of changing clocks too."""
    if reading.kind != "recurring" or not zone_name:
        found: list[datetime] = lazy("bot.schedule.when.occurrences").occurrences(reading, now, FIRINGS)
        return found
    plans: Any = lazy("bot.schedule.plan")
    zones: Any = lazy("bot.schedule.zones")
    zone = zones.zone_of(zone_name)
    moment = zones.moment_of(now, zone)
    plan = plans.of_reading(reading, moment, zone_name)
    return [zones.wall_of(found, zone) for found in islice(plans.moments(plan, moment), FIRINGS)]


def answers(lines: Iterable[str]) -> Iterator[dict[str, object]]:
    """One answer a line; a line that can't be read is answered with what is wrong with it."""
    for line in lines:
        try:
            yield _answer(_parsed(line))
        except InputError as error:
            yield {"kind": "none", "error": error.message}


def _parsed(line: str) -> object:
    try:
        return json.loads(line.removeprefix(_BYTE_ORDER_MARK))
    except (ValueError, RecursionError) as error:
        raise InputError(f"not a line of JSON: {error}") from error


def _answer(question: object) -> dict[str, object]:
    if not isinstance(question, dict):
        raise InputError("a line must be a JSON object")
    text = _string(question, "text")
    if text is None:
        raise InputError('"text" is missing')
    zone = zone_of(_string(question, "tz") or "")
    now = local_now(_string(question, "now"), zone)
    door: Any = lazy("bot.schedule.when.read")
    reading = door.read(text, now, _string(question, "lang"), zone)
    answer: dict[str, object] = {"kind": reading.kind}
    if reading.kind == "once":
        at = lazy("bot.schedule.plan").on_the_wall(reading, text, now, zone) if zone else reading.at
        answer |= {"at": at.isoformat(), "grain": reading.grain if isinstance(at, datetime) else "day"}
    elif reading.kind == "recurring":
        answer |= {"rrule": reading.rrule, "timex": reading.timex}
        if reading.at is not None:
            answer["start"] = reading.at.isoformat()
        if reading.excluded or reading.exrule:
            answer["except"] = _excluded(reading)
    if reading.refused is not None:
        answer["refused"] = reading.refused
    return answer | {
        "task": door.task_of(text, reading),
        "confidence": reading.confidence,
        "assumed": list(reading.assumed),
    }


def _excluded(reading: Any) -> list[str]:
    days = [
        f"{day[1]}-{day[0]:02}" if isinstance(day, tuple) else day.isoformat() for day in reading.excluded
    ]
    return [*days, *([reading.exrule] if reading.exrule else [])]


def _string(question: dict[str, object], name: str) -> str | None:
    value = question.get(name)
    if value is not None and not isinstance(value, str):
        raise InputError(f'"{name}" must be a string')
    return value


def local_now(written: str | None, zone: tzinfo | None) -> datetime:
    """The local time that was given, else the clock's in the zone (UTC without one)."""
    if written is None:
        now: datetime = lazy("bot.clock").SystemClock().now()
        return now.astimezone(zone or UTC).replace(tzinfo=None)
    try:
        now = datetime.fromisoformat(written)
    except ValueError as error:
        raise InputError(f'"now" is not an ISO time: {written}', hint="as in 2026-03-01T08:30") from error
    if now.tzinfo is not None and zone is not None:
        try:
            now = now.astimezone(zone)
        except OverflowError as error:
            raise InputError(f'"now" lies outside the calendar: {written}') from error
    return now.replace(tzinfo=None)


def zone_of(name: str) -> tzinfo | None:
    """The zone of an IANA name or an offset such as +08:00; None where none is told. Raises `InputError`."""
    found: tzinfo | None = lazy("bot.schedule.zones").zone_of(name) if name else None
    return found
