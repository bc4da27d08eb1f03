"""How well times are read: accuracy by language and kind, speed, and other readers beside ours.

    python -m bench.when --data DIR [--lang en] [--part held|dev] [--misses] [--others]

DIR holds `*.jsonl` files of time expressions with their right readings (`text`, `now`, `lang`, `kind`,
and `at`, `timex` or `expect`; `accept` lists other right readings, `tier` B and C are left out). A point
is right at the same minute, or the same day where a day is asked; a recurrence by the same short form,
or the same rule parts; a text without a time when nothing is found.

The other readers (dateparser, parsedatetime, timefhuman, recurrent, and JioNLP for Chinese) come with the
extra `bench`.
"""

import argparse
import contextlib
import importlib
import io
import json
import logging
import statistics
import time
import warnings
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from bot.schedule.when.read import read
from bot.schedule.when.reading import Reading
from bot.schedule.when.registry import READERS

Case = dict[str, Any]
OURS = "xiaomaolv"
# Parts of a rule that are compared, by the names of the data.
RULE_PARTS = (
    "freq", "interval", "byday", "bymonthday", "bymonth", "byyearday", "byweekno", "bysetpos",
    "byhour", "byminute", "count", "until",
)  # fmt: skip
# A part of the data is set aside as a measure of rules that were made on the other.
HELD_SHARE = 3  # of ten


@dataclass(frozen=True, slots=True)
class Answer:
    """What a reader said, in one form for all of them."""

    at: datetime | date | None = None
    timex: str | None = None
    rrule: str | None = None

    @property
    def is_none(self) -> bool:
        return self.at is None and self.timex is None and self.rrule is None


Read = Callable[[str, datetime, str], Answer]


def ours(text: str, now: datetime, lang: str) -> Answer:
    reading: Reading = read(text, now, lang)
    if reading.kind == "none":
        return Answer()
    if reading.kind == "once":
        return Answer(reading.at)
    return Answer(None, reading.timex, reading.rrule)


def dateparser_reader() -> Read:
    library = importlib.import_module("dateparser")
    search = importlib.import_module("dateparser.search")

    def answer(text: str, now: datetime, lang: str) -> Answer:
        settings = {"RELATIVE_BASE": now, "PREFER_DATES_FROM": "future"}
        at = library.parse(text, languages=[lang], settings=settings)
        if at is None:
            found = search.search_dates(text, languages=[lang], settings=settings)
            at = found[0][1] if found else None
        return Answer(at)

    return answer


def parsedatetime_reader() -> Read:
    calendar = importlib.import_module("parsedatetime").Calendar()

    def answer(text: str, now: datetime, lang: str) -> Answer:
        at, status = calendar.parseDT(text, sourceTime=now)
        return Answer(at if status else None)

    return answer


def timefhuman_reader() -> Read:
    library = importlib.import_module("timefhuman")

    def answer(text: str, now: datetime, lang: str) -> Answer:
        found = library.timefhuman(text, config=library.tfhConfig(now=now))
        first = found[0] if isinstance(found, list) and found else found
        first = first[0] if isinstance(first, tuple) and first else first
        return Answer(first if isinstance(first, date) else None)

    return answer


def recurrent_reader() -> Read:
    library = importlib.import_module("recurrent")

    def answer(text: str, now: datetime, lang: str) -> Answer:
        found = library.RecurringEvent(now_date=now).parse(text)
        if isinstance(found, str):
            return Answer(None, None, found.split("RRULE:")[-1])
        return Answer(found)

    return answer


def jionlp_reader() -> Read:
    library = importlib.import_module("jionlp")

    def answer(text: str, now: datetime, lang: str) -> Answer:
        if lang != "zh":
            return Answer()
        found = library.parse_time(text, time_base=now.timestamp())
        time_said = found.get("time")
        first = time_said[0] if isinstance(time_said, list) else None
        return Answer(datetime.fromisoformat(first) if first and first != "inf" else None)

    return answer


OTHERS: dict[str, Callable[[], Read]] = {
    "dateparser": dateparser_reader,
    "parsedatetime": parsedatetime_reader,
    "timefhuman": timefhuman_reader,
    "recurrent": recurrent_reader,
    "jionlp": jionlp_reader,
}


def cases(folder: Path) -> Iterator[tuple[str, Case]]:
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            case: Case = json.loads(line)
            if case.get("tier", "A") == "A" and case.get("lang", "en") in READERS:
                yield file.stem, case if "kind" in case else from_span(case)


def from_span(case: Case) -> Case:
    """A case that names a span or a period (JioNLP) as a point, its start, or a recurrence."""
    expected = case["expect"]
    if expected["type"] == "time_period":
        return {**case, "kind": "recurring"}
    kind = "once" if expected["type"] == "time_point" else "span"
    return {**case, "kind": kind, "at": expected["time"][0].replace(" ", "T"), "expect": None}


def is_right(case: Case, answer: Answer) -> bool:
    if case["kind"] == "none" or case.get("at") == "not resolv":
        return answer.is_none
    if case["kind"] == "recurring":
        return recurs_right(case, answer)
    wanted = [case.get("at") or case.get("expect"), *case.get("accept", [])]
    as_day = case.get("grain") == "day"
    return any(same_time(answer.at, one, as_day=as_day) for one in wanted if isinstance(one, str))


def same_time(at: datetime | date | None, wanted: str, *, as_day: bool) -> bool:
    if at is None:
        return False
    if as_day or "T" not in wanted:
        return at.isoformat()[:10] == wanted[:10]
    if not isinstance(at, datetime):
        return at.isoformat() + "T00:00" == wanted[:16]
    return at.isoformat()[:16] == wanted[:16]


def recurs_right(case: Case, answer: Answer) -> bool:
    if "timex" in case:
        if answer.timex == case["timex"]:
            return True
        return bool(case.get("rrule")) and rule_parts(answer.rrule or "") == rule_parts(case["rrule"])
    wanted = case.get("expect")
    if not isinstance(wanted, dict) or answer.rrule is None:
        return False
    if wanted.get("type") == "time_period":
        return same_period(wanted["time"], rule_parts(answer.rrule))
    return rule_parts(answer.rrule) == {
        name: canonical(name, value) for name, value in wanted.items() if name in RULE_PARTS
    } | {"interval": canonical("interval", wanted.get("interval", 1))}


# Periods of JioNLP as frequency and interval.
PERIODS: dict[tuple[str, float], tuple[str, str]] = {
    ("day", 7): ("weekly", "1"), ("day", 14): ("weekly", "2"), ("year", 0.5): ("monthly", "6"),
    ("hour", 0.5): ("minutely", "30"),
}  # fmt: skip
FREQUENCIES = {"day": "daily", "month": "monthly", "year": "yearly", "hour": "hourly", "minute": "minutely",
               "second": "secondly"}  # fmt: skip


def same_period(wanted: dict[str, Any], ours_: dict[str, str]) -> bool:
    """The same rhythm, and the same time of day where one is said."""
    ((unit, number),) = wanted["delta"].items()
    freq, interval = PERIODS.get((unit, number), (FREQUENCIES.get(unit, unit), f"{number:g}"))
    on_workdays = ours_["freq"] == "weekly" and freq == "daily" and ours_.get("byday", "").count(",") == 4
    if not on_workdays and (ours_["freq"], ours_["interval"]) != (freq, interval):
        return False
    start, end = wanted["point"]["time"] if wanted["point"] else ("", "")
    if start[:10] != end[:10] or start[11:16] in {"", "00:00"}:
        return True
    return ours_.get("byhour") == str(int(start[11:13]))


def rule_parts(rule: str) -> dict[str, str]:
    parts = {"interval": "1"}
    for part in filter(None, rule.split(";")):
        name, _, value = part.partition("=")
        if name.lower() in RULE_PARTS:
            parts[name.lower()] = canonical(name.lower(), value)
    return parts


def canonical(name: str, value: object) -> str:
    text = str(value).lower()
    return text[:8] if name == "until" else ",".join(sorted(text.split(",")))


def is_held(case: Case) -> bool:
    return zlib.crc32(case["text"].lower().encode()) % 10 < HELD_SHARE


@dataclass(slots=True)
class Score:
    """What a reader got right, by file, language and kind, and how long a text took."""

    right: dict[tuple[str, str, str], list[bool]]
    micros: list[float]


def run(name: str, reader: Read, chosen: list[tuple[str, Case]], *, show_misses: bool) -> Score:
    score = Score(defaultdict(list), [])
    for stem, case in chosen:
        lang, now = case.get("lang", "en"), datetime.fromisoformat(case["now"])
        before = time.perf_counter()
        answer = _answered(name, reader, case, now, lang)
        score.micros.append((time.perf_counter() - before) * 1e6)
        good = is_right(case, answer)
        score.right[stem, lang, case["kind"]].append(good)
        if show_misses and not good:
            wanted = case.get("at") or case.get("timex") or case.get("expect")
            got = answer.at or f"{answer.timex} {answer.rrule}"
            print(f"  {lang} {case['now'][:16]} | {case['text'][:90]} | {wanted} | {got}")
    return score


def _answered(name: str, reader: Read, case: Case, now: datetime, lang: str) -> Answer:
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return reader(case["text"], now, lang)
        except Exception as error:  # another's reader may fail in any way
            if name == OURS:
                raise RuntimeError(case["text"]) from error
            return Answer()


def show(scores: dict[str, Score]) -> None:
    """One line for each file, language and kind; one column for each reader."""
    print(f"{'':38}{'n':>5}" + "".join(f"{name:>15}" for name in scores))
    for key in sorted(next(iter(scores.values())).right):
        number = len(next(iter(scores.values())).right[key])
        shares = [sum(score.right[key]) / number for score in scores.values()]
        print(f"{key[0]:20}{key[1]:6}{key[2]:12}{number:5}" + "".join(f"{share:15.3f}" for share in shares))
    medians = "".join(f"{statistics.median(score.micros):15.0f}" for score in scores.values())
    print(f"{'median microseconds a text':43}{medians}")


def main() -> None:
    parser = argparse.ArgumentParser(description="accuracy of reading times")
    parser.add_argument("--data", type=Path, required=True, metavar="DIR")
    parser.add_argument("--lang", help="only this language")
    parser.add_argument("--file", help="only the file of this name")
    parser.add_argument("--part", choices=("dev", "held"), help="one part of the split")
    parser.add_argument("--misses", action="store_true", help="show what was read wrong")
    parser.add_argument("--others", action="store_true", help="run the other readers, too")
    args = parser.parse_args()
    chosen = [
        (stem, case)
        for stem, case in cases(args.data)
        if args.lang in {None, case.get("lang", "en")}
        and args.file in {None, stem}
        and (args.part is None or is_held(case) == (args.part == "held"))
    ]
    if not chosen:
        raise SystemExit(f"no text to read in {args.data}: it has to hold the files of development data")
    scores = {OURS: run(OURS, ours, chosen, show_misses=args.misses)}
    for name, build in OTHERS.items() if args.others else ():
        logging.disable(logging.CRITICAL)  # they log each text that they can't read
        try:
            reader = build()
        except ImportError:
            print(f"{name} is not installed: pip install 'xiaomaolv[bench]'")
            continue
        scores[name] = run(name, reader, chosen, show_misses=False)
    show(scores)


if __name__ == "__main__":
    main()
