"""What was understood of a text about time, and the shape of a language's reader."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Literal, Protocol

DAY_CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
Kind = Literal["once", "recurring", "none"]
Grain = Literal["second", "minute", "hour", "part", "day", "week", "month", "quarter", "year"]
Refusal = Literal["impossible", "past"]  # no such day or hour; it was before now

# What may stand in `Reading.assumed`: each is a word that an interface explains.
Assumption = Literal[
    "half-day",  # "at 5": the morning or the afternoon was not said
    "part-hour",  # "tomorrow morning": the hour of the part of the day is ours
    "day-order",  # "04/07": which of the two is the month
    "week",  # "next friday": the one of this week or of the week after
    "day",  # "at 5": today or tomorrow
    "month",  # "on the 5th"
    "year",  # "3 March"
    "amount",  # "in a few hours"
    "zone",  # a zone was named and could not be applied
    "hemisphere",  # a holiday that differs between countries
    "ordinal",  # "every 3rd friday": of the month, or each third one
    "hour",  # "in 7 days": the hour of now
    "lunar",  # "every first day of the lunar month": the next one only
]


@dataclass(frozen=True, slots=True)
class Reading:
    """One understanding of a text.

    `at` of a once-reading is a date when no time of day was said (`grain` day or coarser), else a naive
    local datetime; of a recurring one it is its first possible day or time where a start was said.
    `rrule` holds RFC 5545 parts; a date-only UNTIL includes the whole day. `excluded` are the days,
    times and `(month, year)` pairs that a recurrence leaves out, `exrule` a rule that it leaves out.
    `span` is what of the text was read, but for the `gaps` in it. `refused` says why the time can't be
    a plan; an impossible time has kind `none` and no `at`, a past one keeps its `at`.
    """

    kind: Kind
    at: datetime | date | None = None
    grain: Grain = "minute"
    rrule: str | None = None
    timex: str | None = None
    span: tuple[int, int] = (0, 0)
    gaps: tuple[tuple[int, int], ...] = ()  # "tomorrow [I have to be there] at 5"
    confidence: float = 0.0  # 0 to 1
    assumed: tuple[Assumption, ...] = ()
    alternatives: tuple["Reading", ...] = ()
    refused: Refusal | None = None
    excluded: tuple[date | datetime | tuple[int, int], ...] = ()
    exrule: str | None = None
    lang: str = ""


NOTHING = Reading("none")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a text is read against."""

    now: datetime  # local, without zone
    zone: tzinfo | None = None  # the person's zone; without it a named zone can't be applied
    day_first: bool | None = None  # how the person writes 4/7; None leaves it to the language


class Reader(Protocol):
    """One language's reader; pure, and quick."""

    @property
    def lang(self) -> str: ...

    def find(self, text: str, asked: Asked) -> list[Reading]:
        """All readings of the text's time expressions, best first; [] for a text without.

        `text` has gone through `digits.normalise` (same length as the original, lower case).
        """
        ...

    def task(self, before: str, after: str) -> str:
        """What is to be done: the text around the time, without "remind me to" and the like."""
        ...


def split_rule(rule: str) -> dict[str, str]:
    """The parts of a rule of RFC 5545 that was checked before, as they stand in it.

    What people or models wrote is for `bot.schedule.rule_text.parts_of`.
    """
    return dict(part.split("=", 1) for part in rule.split(";") if part)


def join_rule(parts: Mapping[str, str]) -> str:
    """The rule of these parts, in their order."""
    return ";".join(f"{name}={value}" for name, value in parts.items())
