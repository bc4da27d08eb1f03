"""Who a message without a name is for: each person of the last messages is weighed, and the room.

A group is many interleaved talks. For every message the other speakers are compared by a few features
(who spoke last, who talked to whom, what was asked), their weighted sums are turned into shares that
add up to one, and these shares are kept: the next message's features are read from them. The bot is one
of the candidates like any other, so the same weights tell "for the bot" from "for Ann".
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.turn.group import words
from bot.turn.group.address import HAN, LATIN_WORD, Address

ROOM = ""  # the key of nobody in particular
KEPT = 30  # messages
SHOWN = 4  # own and others' earlier turns looked at for an exchange


@dataclass(slots=True)
class Said:
    """One message as the links need it; `to` are the shares of whom it was for."""

    sender: str
    t: float
    to: dict[str, float] = field(default_factory=dict)
    named: bool = False  # `to` was said in the text or by replying
    asks: bool = False
    subject: frozenset[str] = frozenset()
    small: bool = False  # thanks, ok, lol


FEATURES = (
    "last_other", "rank", "distance", "gap", "to_me", "to_me_named", "to_another", "asked_room",
    "exchange_answered", "exchange_open", "burst", "earlier", "answers_question", "asks_back", "subject",
    "second_person", "small_word", "talked_about", "correction", "room", "room_newcomer", "room_question", "room_words",
    "room_monologue", "room_untalked", "room_length", "room_small"
)  # fmt: skip


def subject_of(text: str) -> frozenset[str]:
    """The words that say what a text is about: Latin ones, and pairs of Chinese characters."""
    latin = {word for word in LATIN_WORD.findall(text) if len(word) > 2 and word not in words.SMALL}
    if HAN.search(text):
        latin.update(a + b for a, b in zip(text, text[1:], strict=False) if HAN.match(a) and HAN.match(b))
    return frozenset(latin)


@dataclass(slots=True)
class _Seen:
    """What the last messages say of one other speaker."""

    rank: int
    distance: int
    gap: float
    last: Said
    to_me: float = 0.0
    to_me_named: bool = False
    asked_me: float = 0.0
    overlap: int = 0
    earlier: float = 0.0
    since: bool = False  # spoke after this speaker's last message
    turns: int = 0


def weigh(history: Sequence[Said], now: Said, rest: str, address: Address) -> dict[str, tuple[float, ...]]:
    """The features of each candidate for `now`, oldest context first in `history`."""
    seen: dict[str, _Seen] = {}
    mine: Said | None = None
    mine_distance = 0
    my_turns = 0
    earlier: dict[str, float] = {}
    for distance, said in enumerate(reversed(history), 1):
        if said.sender == now.sender:
            my_turns += 1
            if mine is None:
                mine, mine_distance = said, distance
            elif my_turns <= SHOWN:
                for key, share in said.to.items():
                    earlier[key] = earlier.get(key, 0.0) + share
            continue
        who = seen.get(said.sender)
        if who is None:
            who = seen[said.sender] = _Seen(len(seen), distance, now.t - said.t, said, since=mine is None)
        who.turns += 1
        share = said.to.get(now.sender, 0.0)
        if mine is None:
            if share > who.to_me:
                who.to_me, who.to_me_named = share, said.named
            if said.asks:
                who.asked_me = max(who.asked_me, share)
        elif who.turns <= SHOWN + 2:
            who.earlier += share
        if now.subject and who.turns <= SHOWN and said.subject:
            who.overlap = max(who.overlap, len(now.subject & said.subject))
    you = 1.0 if words.SECOND_PERSON.search(rest) else 0.0
    fixes = 1.0 if words.CORRECTION.match(rest) else 0.0
    found: dict[str, tuple[float, ...]] = {}
    top = 0.0
    for key, who in seen.items():
        top = max(top, who.to_me)
        mine_to = mine.to.get(key, 0.0) if mine is not None else 0.0
        to_another = 0.0
        if who.last.named and not who.last.to.get(now.sender):
            to_another = 1.0
        found[key] = (
            1.0 if who.rank == 0 else 0.0,
            min(who.rank, 4) / 4,
            math.log(who.distance),
            math.log1p(max(who.gap, 0.0) / 30),
            who.to_me,
            who.to_me if who.to_me_named else 0.0,
            to_another,
            who.last.to.get(ROOM, 0.0) if who.last.asks and who.since and not now.asks else 0.0,
            mine_to if who.since else 0.0,
            0.0 if who.since else mine_to,
            mine_to if mine_distance == 1 else 0.0,
            math.log1p(who.earlier + earlier.get(key, 0.0)),
            who.asked_me if not now.asks else 0.0,
            who.to_me if now.asks else 0.0,
            math.log1p(who.overlap),
            you if who.rank == 0 else 0.0,
            who.to_me if now.small else 0.0,
            1.0 if key in address.named else 0.0,
            fixes * who.to_me,
            0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
        )  # fmt: skip
    alone = mine.to.get(ROOM, 0.0) if mine is not None else 0.0
    found[ROOM] = (
        *(0.0,) * 19,
        1.0,
        1.0 if mine is None else 0.0,
        1.0 if now.asks and mine is None else 0.0,
        1.0 if words.ROOM.search(rest) else 0.0,
        alone,
        1.0 - top,
        math.log1p(len(rest) / 40),
        1.0 if now.small else 0.0,
    )
    return found


def shares(found: Mapping[str, tuple[float, ...]], weights: Sequence[float]) -> dict[str, float]:
    """The candidates' shares, which add up to one."""
    sums = {
        key: sum(weight * value for weight, value in zip(weights, values, strict=True) if value)
        for key, values in found.items()
    }
    top = max(sums.values())
    odds = {key: math.exp(total - top) for key, total in sums.items()}
    whole = sum(odds.values())
    return {key: share / whole for key, share in odds.items()}
