"""Who a message without a name is for: each person of the last messages is weighed, and the room.

A group is many interleaved talks. For every message the other speakers are compared by a few features
(who spoke last, who talked to whom, what was asked), their weighted sums are turned into shares that
add up to one, and these shares are kept: the next message's features are read from them. The bot is one
of the candidates like any other, so the same weights tell "for the bot" from "for Ann".
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from bot.turn.group import words
from bot.turn.group.address import Address
from bot.turn.group.records import OURS
from bot.turn.group.roster import HAN, LATIN_WORD
from bot.turn.group.weights import WEIGHTS

ROOM = ""  # the key of nobody in particular
KEPT = 30  # messages
ANSWERED = 0.5  # share of somebody in a message of the bot that makes it an answer to them
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
    room: bool = False  # put to all: who starts?


_NO_ROOM = (0.0,) * sum(1 for name in WEIGHTS if name.startswith("room"))
_NO_PERSON = (0.0,) * (len(WEIGHTS) - len(_NO_ROOM))


def subject_of(text: str) -> frozenset[str]:
    """The words that say what a text is about: Latin ones, and pairs of Chinese characters."""
    latin = {word for word in LATIN_WORD.findall(text) if len(word) > 2 and word not in words.SMALL}
    if HAN.search(text):
        latin.update(a + b for a, b in pairwise(text) if HAN.match(a) and HAN.match(b))
    return frozenset(latin)


@dataclass(slots=True)
class _Seen:
    """What the last messages say of one other speaker."""

    rank: int  # 0 for who spoke last
    gap: float  # seconds since
    last: Said
    since: bool  # spoke after the sender's own last message
    turns: int = 0
    to_me: float = 0.0  # share of the sender in what was said since the sender's last message
    to_me_named: bool = False
    asked_me: float = 0.0
    overlap: int = 0
    earlier: float = 0.0  # shares of the sender in what was said before


@dataclass(slots=True)
class _Scan:
    """What the last messages say for one new one."""

    seen: dict[str, _Seen] = field(default_factory=dict)
    mine: Said | None = None  # the sender's own last message
    mine_distance: int = 0
    earlier: dict[str, float] = field(default_factory=dict)  # shares in the sender's messages before it
    my_turns: int = 0

    def own(self, said: Said, distance: int) -> None:
        self.my_turns += 1
        if self.mine is None:
            self.mine, self.mine_distance = said, distance
        elif self.my_turns <= SHOWN:
            for key, share in said.to.items():
                self.earlier[key] = self.earlier.get(key, 0.0) + share

    def other(self, said: Said, now: Said) -> None:
        who = self.seen.get(said.sender)
        if who is None:
            who = _Seen(len(self.seen), max(now.t - said.t, 0.0), said, self.mine is None)
            self.seen[said.sender] = who
        who.turns += 1
        share = said.to.get(now.sender, 0.0)
        if self.mine is not None:
            if who.turns <= SHOWN + 2:
                who.earlier += share
        elif share:
            if share > who.to_me:
                who.to_me, who.to_me_named = share, said.named
            if said.asks:
                who.asked_me = max(who.asked_me, share)
        if who.turns <= SHOWN and now.subject and said.subject:
            who.overlap = max(who.overlap, len(now.subject & said.subject))


def weigh(history: Sequence[Said], now: Said, rest: str, address: Address) -> dict[str, tuple[float, ...]]:
    """The features of each candidate for `now`, in the order of `WEIGHTS`.

    The last of `history` is the message just before; `rest` and `address` are what `now` says.
    """
    scan = _scan(history, now)
    mine_to = scan.mine.to if scan.mine is not None else {}
    found: dict[str, tuple[float, ...]] = {}
    for key, who in scan.seen.items():
        mine = mine_to.get(key, 0.0)
        found[key] = (
            min(who.rank, 4) / 4,
            math.log1p(who.gap / 30),
            who.to_me,
            who.to_me if who.to_me_named else 0.0,
            1.0 if who.last.named and now.sender not in who.last.to else 0.0,
            mine if who.since else 0.0,
            0.0 if who.since else mine,
            mine if scan.mine_distance == 1 else 0.0,
            math.log1p(who.earlier + scan.earlier.get(key, 0.0)),
            0.0 if now.asks else who.asked_me,
            math.log1p(who.overlap),
            who.to_me if now.small else 0.0,
            1.0 if key in address.named else 0.0,
            *_NO_ROOM,
        )
    found[ROOM] = _room(scan, now, rest)
    return found


def _scan(history: Sequence[Said], now: Said) -> _Scan:
    scan = _Scan()
    for distance, said in enumerate(reversed(history), 1):
        if said.sender == now.sender:
            scan.own(said, distance)
        else:
            scan.other(said, now)
    if history and history[-1].sender == OURS != now.sender:
        # Who takes up its answer often does so in the words of the question that it answers.
        asked = [who.overlap for key, who in scan.seen.items() if history[-1].to.get(key, 0.0) >= ANSWERED]
        scan.seen[OURS].overlap = max([scan.seen[OURS].overlap, *asked])
    if scan.mine is not None and OURS not in scan.seen and OURS in scan.mine.to:
        # Called, but silent so far: it is a candidate for what its caller adds.
        silent = Said(OURS, scan.mine.t)
        scan.seen[OURS] = _Seen(len(scan.seen), max(now.t - scan.mine.t, 0.0), silent, since=False)
    return scan


def _room(scan: _Scan, now: Said, rest: str) -> tuple[float, ...]:
    """The features of the room, which is meant when nobody is."""
    top = max((who.to_me for who in scan.seen.values()), default=0.0)
    return (
        *_NO_PERSON,
        1.0,
        1.0 if scan.mine is None else 0.0,
        1.0 - top,
        math.log1p(len(rest) / 40),
    )


def shares(
    found: Mapping[str, tuple[float, ...]], weights: Sequence[float], handicap: Mapping[str, float]
) -> dict[str, float]:
    """The candidates' shares, which add up to one; `handicap` is added to the sums of those it names."""
    sums = {
        key: sum(weight * value for weight, value in zip(weights, values, strict=True) if value)
        + handicap.get(key, 0.0)
        for key, values in found.items()
    }
    top = max(sums.values())
    odds = {key: math.exp(total - top) for key, total in sums.items()}
    whole = sum(odds.values())
    return {key: share / whole for key, share in odds.items()}
