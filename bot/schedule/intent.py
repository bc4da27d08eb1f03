"""Whether a message is a wish for later at all. Pure and quick: most messages cost one look for words.

The score goes from 0 to 1. From `WISH` on it is taken for a wish; from `OFFER` on the message is answered
as any other and the reminder is offered. The thresholds and the weights are held by the messages in
`tests/schedule/intent`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from itertools import islice
from typing import Literal

from bot.schedule import intent_words as words
from bot.schedule.intent_asking import LATIN, STRONG, WEAK, WORK
from bot.schedule.intent_frames import asks_in_chinese, asks_in_english
from bot.schedule.intent_hints import hinted
from bot.schedule.intent_lead import before_it
from bot.schedule.intent_spelling import spelled
from bot.schedule.when.read import read
from bot.schedule.when.reading import NOTHING, Reading
from bot.schedule.when.zh.script import simplified
from bot.text.lazy import Pattern

WISH, OFFER = 0.78, 0.45
# A wish is short. Of a longer text only the sentence that asks is looked at.
SHORT_CHARS = 300
LOOKED_CHARS = 1500
_MAX_OFFER_CHARS = 120
_MAX_PLACES = 3
_NOTHING_CHARS = 2  # after the asking words: a particle and a sign, nothing to do
_MANY_WORDS = 3  # between the asking words and the time: the time is of the last of them

_STRONG, _WEAK = 0.60, 0.40
_COMING, _COMES_AGAIN, _TO_THE_MINUTE, _WHAT = 0.25, 0.40, 0.15, 0.20
_PLANNED = 0.50
_DAY = timedelta(days=1)

_CLAUSES = Pattern(r"[,.;:!?\n，。；：！？،؛।]|的话|\s-\s|\b(?:and|but|so|then|y|pero)\b")
_SENTENCES = Pattern(r"[.!?\n。！？।؟]+(?:\s+|$)|[\n。！？।]")
_TO_DO = Pattern(
    r"^\s*(?:2|to|that|about|abt|for|of\s+my|not\s+to|:|de|que|sobre|بأن|أن)\s*(?=\S)"
    r"|^\s*(?:half\s+)?[\w-]+\s+(?:min|hour|hr|day)\w*\s+(?:before|ahead|earlier|prior)\b",
    re.IGNORECASE,
)

_TO_VERB = Pattern(r"\s*to\s+[a-z]", re.IGNORECASE)

How = Literal["reminder", "message", "work"]
Verdict = Literal["wish", "offer", "none"]


@dataclass(frozen=True, slots=True)
class Intent:
    """What a message is, and the words of it that say so with the time that was read in them.

    `asking` is where in `text` the asking words stand; `how` is what kind they are of.
    """

    verdict: Verdict
    score: float = 0.0
    text: str = ""
    reading: Reading = NOTHING
    how: How = "reminder"
    asking: tuple[int, int] = (0, 0)


NONE = Intent("none")


@dataclass(frozen=True, slots=True)
class Asking:
    """What a text is read against; see `when.read`."""

    now: datetime
    lang: str | None = None
    zone: tzinfo | None = None
    day_first: bool | None = None

    def read(self, text: str) -> Reading:
        """What the text says about time."""
        return read(text, self.now, self.lang, self.zone, self.day_first)


@dataclass(frozen=True, slots=True)
class _Asked:
    """Where a text asks for something."""

    how: How
    start: int
    end: int
    lang: str


def judge(text: str, by: Asking) -> Intent:
    """Whether `text` is a wish for later."""
    if not hinted(text[:LOOKED_CHARS]):
        return NONE
    written = spelled(text[:LOOKED_CHARS])
    looked = simplified(written)
    places = _asking(looked)
    if not places:
        return _offer(written, by)
    said = looked
    if len(looked) > SHORT_CHARS:
        said = _sentence(looked, places[0].start)
        places = _asking(said)
    best = NONE
    for asked in places:
        reading = before_it(said, _time_of(said, asked, by), by.now, by.read)
        if reading.refused == "past" and _is_of_what_to_do(said, asked, reading):
            reading = NOTHING
        score = _score(said, asked, reading)
        if score > best.score:
            verdict: Verdict = "wish" if score >= WISH else "offer" if score >= OFFER else "none"
            begin = looked.find(said)
            best = Intent(
                verdict,
                score,
                written[begin : begin + len(said)],
                reading,
                asked.how,
                (asked.start, asked.end),
            )
        if best.verdict == "wish":
            break
    return best


def _time_of(said: str, asked: _Asked, by: Asking) -> Reading:
    """When it is to be: as the whole says; else as the clause that asks does."""
    reading = by.read(said)
    if reading.kind == "none" and reading.refused is None:
        return _from_now(said, by, words.LENGTHS if words.TIMER.search(said) else words.BARE_LENGTHS)
    borders = [border.end() for border in _CLAUSES.finditer(said, 0, asked.start)]
    begin = borders[-1] if borders else 0
    stands = _stands_well(said, asked, reading)
    if stands and reading.span[1] > begin:
        return reading
    alone = by.read(" " * begin + said[begin:])
    if alone.kind == "none" or alone.refused or (stands and not _is_of_asking(said, asked, alone)):
        return reading
    whole, at = reading.at, alone.at
    if reading.kind != "once" or whole is None or not isinstance(at, datetime):
        return alone
    if "half-day" not in alone.assumed or at - by.now >= _DAY:
        return alone
    return _on_day(alone, whole, by.now)


def _is_of_asking(said: str, asked: _Asked, reading: Reading) -> bool:
    """Whether a time stands beside the asking words, and not in what is to be done."""
    return reading.span[1] <= asked.start or bool(
        words.BESIDE.fullmatch(said[asked.end : max(asked.end, reading.span[0])])
    )


def _on_day(bare: Reading, day: date, now: datetime) -> Reading:
    """An hour of a day that was said before it: "my flight is on Friday, wake me at 3"."""
    hours = sorted(one.at.time() for one in (bare, *bare.alternatives) if isinstance(one.at, datetime))
    first, *others = (datetime.combine(day, hour) for hour in hours)
    if first <= now:
        return bare
    return replace(bare, at=first, alternatives=tuple(replace(bare, at=at, alternatives=()) for at in others))


def time_of(text: str, by: Asking) -> Reading:
    """The time in a text that is known to ask for one: "snooze 20 minutes" is in twenty minutes."""
    reading = by.read(text)
    return _from_now(text, by, words.LENGTHS) if reading.kind == "none" and not reading.refused else reading


def _from_now(said: str, by: Asking, lengths: tuple[tuple[Pattern, str], ...]) -> Reading:
    """A length of time as a time from now on, as for a timer, or a bare number as in "in 20"."""
    for length, shape in lengths:
        found = length.search(said)
        if found is not None:
            reading = by.read(shape.format(found.group().replace("-", " ")))
            return replace(reading, span=found.span(), gaps=())
    return NOTHING


_TABLES: tuple[tuple[How, Mapping[str, Pattern]], ...] = (
    ("reminder", STRONG),
    ("message", WEAK),
    ("work", WORK),
)


def _asking(text: str) -> list[_Asked]:
    """Where something is asked for: reminders first, of each language and kind the first places."""
    languages = [lang for lang, letters in words.SCRIPTS if letters.search(text)]
    return [
        _Asked(how, found.start(), found.end(), lang)
        for how, table in _TABLES
        for lang in (*languages, *LATIN)
        for found in islice(table[lang].finditer(text), _MAX_PLACES)
        if _is_said_to_the_bot(text, found, lang)
    ]


def _is_said_to_the_bot(text: str, found: re.Match[str], lang: str) -> bool:
    """Whether the words stand where a request stands; the time is looked at later."""
    if any(quote.start() < found.start() < quote.end() for quote in words.QUOTED.finditer(text)):
        return False
    return lang != "zh" or not words.ZH_PAST.search(text[max(0, found.start() - 3) : found.end() + 8])


def _score(text: str, asked: _Asked, reading: Reading) -> float:
    after = text[asked.end :]
    coming = reading.kind != "none" or reading.refused == "impossible"
    if words.AGAINST.search(text) or (not coming and _needs_a_time(text, asked)):
        return 0.0
    if not _stands_well(text, asked, reading) or _is_told(text, asked, reading):
        return 0.0
    if asked.how == "reminder":
        named = words.OF_A_THING.match(after)
        if not named and words.ABOUT.match(after) and reading.span[0] >= asked.end and reading.kind == "once":
            return OFFER  # "remind me why we chose Friday"
        score = _STRONG + (_COMING if coming else 0.0)
        return min(1.0, score + (_WHAT if _says_what(after, asked) else 0.0))
    if reading.kind == "recurring":
        told = asked.how == "message" and _is_of_what_is_told(text, asked, reading)
        return 0.0 if told else _WEAK + _COMES_AGAIN
    if not coming:
        return 0.0
    precise = reading.grain in {"minute", "second", "hour", "part"} and isinstance(reading.at, datetime)
    if asked.how == "work":
        return _WEAK + (_COMES_AGAIN if _is_work_for_then(text, asked, reading, precise=precise) else 0.0)
    if _is_of_what_is_told(text, asked, reading):
        return 0.0
    urged = words.ZH_URGES.match(text, asked.start) and (
        _says_what(after, asked) or text.startswith("再", asked.start)
    )
    asked_back = words.ASKS_BACK.match(text, asked.start) and (
        reading.span[1] <= asked.start or text[asked.start : asked.end].endswith("again")
    )
    to_do = (
        urged
        or asked_back
        or words.AHEAD.search(text[: asked.start])
        or _TO_DO.match(after)
        or _TO_DO.match(text[max(asked.end, reading.span[1]) :])
    )
    return _WEAK + _COMING + (_TO_THE_MINUTE if precise or to_do else 0.0)


def _is_work_for_then(text: str, asked: _Asked, reading: Reading, *, precise: bool) -> bool:
    """Whether the time is when the work is to be done, and not what is looked up: "flights on Friday"."""
    beside = text[min(asked.start, reading.span[1]) : max(asked.end, reading.span[0])]
    if precise and words.ACTS.match(text, asked.start) and not text[reading.span[1] :].strip(" .!?"):
        return True
    again = words.AGAIN.search(beside) is not None
    if reading.span[0] >= asked.end:
        return again and asked.lang in LATIN
    first = words.AT_THE_START.fullmatch(_CLAUSES.split(text[: reading.span[0]])[-1]) is not None
    return (
        first
        and (precise or again)
        and words.BEFORE_WORK.fullmatch(text[reading.span[1] : asked.start]) is not None
    )


def _is_of_what_to_do(text: str, asked: _Asked, reading: Reading) -> bool:
    """Whether a time stands in what is to be done: "remind me to answer yesterday's email"."""
    return asked.how == "reminder" and reading.span[0] > asked.end and bool(_TO_VERB.match(text, asked.end))


def _needs_a_time(text: str, asked: _Asked) -> bool:
    """Whether the words ask for nothing while no time is said: a question, a name, what the bot can do."""
    return bool(
        words.ABOUT.match(text[asked.end :])
        or words.ZH_CALL.match(text, asked.start)
        or words.ANY_TIME.search(text)
        or words.NOBODY.search(text, asked.start)
    )


def _is_told(text: str, asked: _Asked, reading: Reading) -> bool:
    """Whether something is told and nothing asked for: of a time that is over, of an alarm that woke us all.

    Or the time tells which thing is meant: 周六晚上看的电影.
    """
    if reading.refused == "past" and words.WHAT_FOLLOWS.match(text, asked.end):
        return False  # 设个提醒：八月前做年检
    if reading.refused == "past" and not (asked.how == "reminder" and _TO_VERB.match(text, reading.span[1])):
        return True
    if reading.kind == "recurring" and words.AS_SUBJECT.match(text):
        return True
    if words.THING.match(text[asked.start : asked.end]) and words.TOLD_OF_IT.match(text[asked.end :]):
        return True
    of_a_thing = words.OF_WHICH_ZH.match(text, reading.span[1])
    return asked.how != "reminder" and reading.span[0] >= asked.end and of_a_thing is not None


def _is_of_what_is_told(text: str, asked: _Asked, reading: Reading) -> bool:
    """Whether the time belongs to what is to be told, not to when: "tell me why it closes at 6"."""
    if reading.span[0] < asked.start and words.LOOKS.match(text[: reading.span[0]]):
        return not words.AGAIN.search(text[: asked.start])  # "compare fares for the 23rd and tell me ..."
    if reading.span[0] < asked.start or words.REMEMBERS.search(text[: asked.start]):
        return False
    if words.IS_WHEN.match(text[: max(asked.end, reading.span[0])], asked.start):
        return False
    if words.LETS_ZH.match(text, asked.start):
        return True
    after = text[asked.end :]
    between = text[asked.end : max(asked.end, reading.span[0])]
    if words.ABOUT.match(after) or words.TOLD.search(between):
        return True
    if words.SHOWS.match(text, asked.start) and between.strip():
        return reading.kind == "once"
    if words.TO_TELL.match(text[: max(asked.end, reading.span[0])], asked.start):
        return False
    if reading.kind != "once" or len(between.split()) < _MANY_WORDS:
        return False
    return words.MAKES.match(text, asked.start) is not None


def _says_what(after: str, asked: _Asked) -> bool:
    if asked.lang in LATIN:
        return bool(_TO_DO.match(after) or words.TO_DO_THEN.match(after))
    return len(after.strip(" ,，。.!！?？")) >= 2


def _stands_well(text: str, asked: _Asked, reading: Reading) -> bool:
    """Whether the words before the asking ones, without the time, let it be a request to the bot."""
    before = _without(text, reading, asked.start, "#" if asked.lang == "en" else "")
    asking = text[asked.start : asked.end]
    if asked.lang == "en":
        return asks_in_english(before, asking, after_time=_ends_with_time(text, asked, reading))
    clause = _CLAUSES.split(before)[-1]
    if asked.lang == "zh":
        after = text[asked.end :]
        if len(after) <= _NOTHING_CHARS and words.ZH_ASKED.search(text[: asked.start]):
            return False
        after_time = reading.span[1] <= asked.start and _ends_with_time(text, asked, reading)
        return asks_in_chinese(clause, asking, _to_the_end(after), after_time=after_time)
    if asked.lang in words.OPENERS:
        return bool(words.OPENERS[asked.lang].match(clause.strip()))
    return True


def _ends_with_time(text: str, asked: _Asked, reading: Reading) -> bool:
    return reading.kind != "none" and text[reading.span[1] : asked.start].strip(" ,") == ""


def _to_the_end(after: str) -> str:
    """The rest of the sentence."""
    return _SENTENCES.split(after, maxsplit=1)[0] + ("？" if words.QUESTION_MARK.search(after) else "")


def _without(text: str, reading: Reading, end: int, mark: str) -> str:
    """The text up to `end` with `mark` for the time in it."""
    if reading.kind == "none":
        return text[:end]
    first, last = reading.span
    spans = [(first, last)]
    for start, stop in reading.gaps:
        begin, finish = spans.pop()
        spans += [(begin, start), (stop, finish)]
    left, place = "", 0
    for start, stop in spans:
        if start < min(stop, end):
            left += text[place:start] + (f" {mark} " if mark else "")
            place = max(place, stop)
    return left + text[place:end]


def _offer(text: str, by: Asking) -> Intent:
    """A plan that was told with its hour: not asked for, but worth an offer."""
    if len(text) > _MAX_OFFER_CHARS or not words.PLAN.search(text) or words.QUESTION.search(text):
        return NONE
    if words.AGAINST.search(text) or words.QUOTED.search(text) or words.NO_PLAN.search(text):
        return NONE
    reading = by.read(text)
    if reading.kind != "once" or reading.refused or not isinstance(reading.at, datetime):
        return NONE
    if reading.at <= by.now or reading.confidence < _PLANNED:
        return NONE
    return Intent("offer", _PLANNED, text, reading)


def _sentence(text: str, place: int) -> str:
    """The sentence that `place` stands in."""
    start = 0
    for border in _SENTENCES.finditer(text):
        if border.end() > place:
            return text[start : border.end()].strip()
        start = border.end()
    return text[start:].strip()
