"""What a running bot keeps of one group chat, and the judgement of its next message."""

import hashlib
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from bot.text.lazy import Pattern
from bot.turn.group import names, wishes, words
from bot.turn.group.address import UNKNOWN, Address, brief, read_address
from bot.turn.group.judge import (
    Situation,
    asks_for_quiet,
    is_question,
    is_small,
    judge,
    leaves_open,
    proposes,
)
from bot.turn.group.links import KEPT, ROOM, Said, shares, subject_of, weigh
from bot.turn.group.records import OURS, Bot, GroupMessage, GroupSettings, Mode, Verdict
from bot.turn.group.roster import Roster
from bot.turn.group.takes_up import takes_up
from bot.turn.group.weights import WEIGHTS

VERSION = 1
MAX_PEOPLE = 256
STRANGER = 2.5  # log-odds against the bot as the one meant by who has not talked with it
CLOSENESS = (1.0, 1.0, 1.0, 0.8, 0.5, 0.2)  # by the number of other people in the last messages
SAME_SUBJECT = 0.5  # ... less so if it asks about what the bot spoke of,
TAKES_UP = 0.0  # and not if it takes up what the bot has just said
ANSWERED = 2.0  # log-odds for the bot where somebody else answers its question
ANSWERED_WITHIN_S = 30.0  # how long a question of somebody else may well be what is answered
SHORT_ANSWER = 18  # bytes: as much Latin as in six Chinese characters
FIRST_CLAUSE = Pattern(r"(?<=呢)[,，].{1,8}$")  # 那票价呢,二等座
LISTED = Pattern(r"[^\s,，]{1,20}[,，]")  # what was asked for, one after the other: 王思琪，周四，发烧
BURST_S = 12.0  # between the messages of one thought
HOUR_S = 3600.0
_WEIGHTS = tuple(WEIGHTS.values())


@dataclass(slots=True)
class Member:
    """One person of the chat by the names they are called."""

    name: str
    username: str = ""
    preferred: str = ""


@dataclass(slots=True)
class OtherBot:
    """What passed between this bot and another one."""

    answers: list[float] = field(default_factory=list)  # times
    last_text: str = ""  # a digest


@dataclass(frozen=True, slots=True)
class _Read:
    given: GroupMessage
    message: GroupMessage  # the same, as far as it is read
    address: Address
    said: Said


class GroupState:
    """One chat: who talked with whom, the names in use, and whether the bot was asked to be quiet.

    Tell it every message in order with `see`, the bot's own ones too; ask it with `judge` before the
    message is seen. `to_dict` and `from_dict` carry it over a restart.
    """

    def __init__(self, bot: Bot, mode: Mode = "smart", settings: GroupSettings | None = None) -> None:
        self.bot = bot
        self.mode = mode
        self.settings = settings or GroupSettings()
        self.quiet = False
        self.last_answer_t: float | None = None
        self._history: deque[Said] = deque(maxlen=KEPT)
        self._members: dict[str, Member] = {}
        self._sightings: dict[str, int] = {}  # names of the bot and how often they were seen
        self._others: dict[str, OtherBot] = {}
        self._asker = ""  # who called the bot last and waits for its message
        self._asked_t: float | None = None
        self._roster: Roster | None = None
        self._last_read: _Read | None = None

    @property
    def learned_aliases(self) -> tuple[str, ...]:
        """The names that people here gave the bot, oldest first."""
        return tuple(name for name, seen in self._sightings.items() if seen >= names.SIGHTINGS)

    @property
    def alias_sightings(self) -> Mapping[str, int]:
        """Possible names of the bot, with how often each was seen beside a call of it."""
        return self._sightings

    @property
    def members(self) -> Mapping[str, Member]:
        """The people seen here, by their keys."""
        return self._members

    @property
    def preferred_names(self) -> dict[str, str]:
        """What members asked to be called, by their keys."""
        return {key: member.preferred for key, member in self._members.items() if member.preferred}

    def called_with(self, text: str) -> str | None:
        """What a text says to the bot by its name, without the name; None if it does not call it."""
        address = read_address(brief(text), self._known_names())
        return address.rest if address.calls_us else None

    def name_of(self, key: str) -> str:
        """The name a person is shown by; the key for somebody unknown."""
        member = self._members.get(key)
        return key if member is None else member.name

    def judge(self, message: GroupMessage) -> Verdict:
        """Whether the bot should answer this message, which is not yet seen.

        Changes nothing but that a new sender's name is known from here on.
        """
        read = self._read(message)
        message = read.message
        last = next((said for said in reversed(self._history) if said.sender == OURS), None)
        other = self._others.get(message.sender, OtherBot())
        answered = last is not None and last.to.get(message.sender, 0.0) >= 0.5
        return judge(
            Situation(
                bot=self.bot,
                mode=self.mode,
                settings=self.settings,
                message=message,
                address=read.address,
                shares=read.said.to,
                names={key: member.preferred or member.name for key, member in self._members.items()},
                since_s=self._since(message),
                answered_sender=answered,
                in_talk=self._in_talk(message.sender),
                answers=self._answers(message.sender),
                closeness=self._closeness(message.sender),
                taken_up=self._taken_up(message),
                bot_asked=last is not None and last.asks,
                echoes=last is not None and not read.said.subject.isdisjoint(last.subject),
                returns=not read.said.subject.isdisjoint(self._talked_about(message.sender)),
                calls_on=self._calls_on(message),
                uninterrupted=self._uninterrupted(message.sender),
                takes_up=self._takes_up(read.address.rest),
                quiet=self.quiet,
                bot_answers=sum(1 for t in other.answers if message.t - t < HOUR_S),
                repeated=other.last_text == _digest(message.text),
            )
        )

    def see(self, message: GroupMessage) -> None:
        """Take a message into account for those that follow."""
        read = self._read(message)
        message, self._last_read = read.message, None
        if message.ours:
            self._see_own(message, read)
        else:
            self._see_other(message, read)
        self._history.append(read.said)

    def forget_alias(self, alias: str) -> bool:
        """Forget a learned name of the bot; whether it was known."""
        self._roster = None
        return self._sightings.pop(alias.lower(), None) is not None

    def knows(self, key: str) -> bool:
        """Whether anything of a person is kept."""
        talked = any(key == said.sender or key in said.to for said in self._history)
        return talked or key in self._members or key in self._others or key == self._asker

    def forget_member(self, key: str) -> None:
        """Forget a person: their names and what they said."""
        self._members.pop(key, None)
        self._others.pop(key, None)
        self._history = deque((said for said in self._history if said.sender != key), maxlen=KEPT)
        for said in self._history:
            said.to.pop(key, None)
        if self._asker == key:
            self._asker, self._asked_t = "", None
        self._roster = self._last_read = None

    def learn_names(self, other: "GroupState") -> None:
        """Take over the names that another topic of the same chat knows."""
        for alias, seen in other.alias_sightings.items():
            self._sightings[alias] = max(seen, self._sightings.get(alias, 0))
        for key, theirs in other.members.items():
            mine = self._members.setdefault(key, Member(theirs.name, theirs.username))
            mine.preferred = theirs.preferred or mine.preferred
        self._roster = self._last_read = None

    def to_dict(self) -> dict[str, Any]:
        """The state as plain JSON values, without the bot's identity and the settings."""
        return {
            "version": VERSION,
            "quiet": self.quiet,
            "last_answer_t": self.last_answer_t,
            "asker": [self._asker, self._asked_t],
            "sightings": dict(self._sightings),
            "members": {key: [m.name, m.username, m.preferred] for key, m in self._members.items()},
            "others": {key: [list(o.answers), o.last_text] for key, o in self._others.items()},
            "history": [
                [s.sender, s.t, {k: round(v, 4) for k, v in s.to.items() if v >= 0.005}, s.named, s.asks,
                 sorted(s.subject), s.small, s.room]
                for s in self._history
            ],
        }  # fmt: skip

    @classmethod
    def from_dict(
        cls, kept: Mapping[str, Any], bot: Bot, mode: Mode = "smart", settings: GroupSettings | None = None
    ) -> "GroupState":
        """The state that `to_dict` gave; an empty one if it is of another version."""
        state = cls(bot, mode, settings)
        state.restore(kept)
        return state

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Take over what `to_dict` gave; nothing of another version."""
        if kept.get("version") != VERSION:
            return
        self.quiet = kept["quiet"]
        self.last_answer_t = kept["last_answer_t"]
        self._asker, self._asked_t = kept["asker"]
        self._sightings = dict(kept["sightings"])
        self._members = {key: Member(*parts) for key, parts in kept["members"].items()}
        self._others = {key: OtherBot(list(times), text) for key, (times, text) in kept["others"].items()}
        self._history.clear()
        for sender, t, to, named, asks, subject, small, room in kept["history"]:
            self._history.append(Said(sender, t, dict(to), named, asks, frozenset(subject), small, room))
        self._roster = self._last_read = None

    def _read(self, message: GroupMessage) -> _Read:
        """What the message says and whom it is for; kept, as `see` follows `judge`."""
        if self._last_read is not None and self._last_read.given is message:
            return self._last_read
        given, message = message, replace(message, text=brief(message.text))
        if message.sender not in self._members and not message.ours:
            self._meet(message)
        address = self._address(message)
        said = Said(
            message.sender,
            message.t,
            asks=leaves_open(message.text)
            if message.ours
            else is_question(address.rest, message.text) or proposes(address.rest),
            subject=subject_of(address.rest),
            small=is_small(address.rest),
            room=words.ROOM_QUESTION.search(address.rest) is not None,
        )
        to = tuple(key for key in address.to if key != message.sender)
        if message.ours:  # an answer's "Note:" or "Paris, ..." calls nobody
            to = tuple(key for key in to if not key.startswith("@"))
        if message.reply_to and (not to or message.ours):
            to = (message.reply_to,)
        if not to and message.ours and self._asker:
            to = (self._asker,)
        if to:
            said.to, said.named = dict.fromkeys(to, 1.0), True
        else:
            found = weigh(self._history, said, address.rest, address)
            said.to = shares(found, _WEIGHTS, {OURS: self._handicap(message, said, address.rest)})
        self._last_read = _Read(given, message, address, said)
        return self._last_read

    def _address(self, message: GroupMessage) -> Address:
        """Whom a message calls. What the bot asked for may be a name that nobody here bears."""
        address = read_address(message.text, self._known_names(), message.mentions)
        if address.by.partition(" '")[0] != UNKNOWN:
            return address
        last = self._last
        asked = last is not None and last.sender == OURS and last.asks
        told = not (is_question(address.rest, message.text) or words.SECOND_PERSON.search(message.text))
        listed = asked and self._uninterrupted(message.sender) and LISTED.match(message.text)
        if told and (message.reply_to == OURS or listed):
            return replace(address, to=(), by="")
        if last is None or not asked:
            return address
        named = subject_of(address.to[0].removeprefix("@"))
        return replace(address, to=(), by="") if named and named <= last.subject else address

    def _handicap(self, message: GroupMessage, said: Said, rest: str) -> float:
        """What is added to the log-odds of the bot, which people rarely speak to out of the blue."""
        if self._in_talk(message.sender):
            return 0.0
        last = self._last
        if last is not None and last.sender == OURS and last.asks:
            plain = words.ANSWERS.match(rest) is not None and not words.SECOND_PERSON.search(rest)
            most = SHORT_ANSWER * (2 if plain else 1)
            short = not said.asks and len(rest.encode()) <= most
            if short or last.room or words.GUESS.match(rest):
                return ANSWERED
        answer = next((said for said in reversed(self._history) if said.sender == OURS), None)
        same = (
            answer is not None
            and not answer.asks
            and is_question(rest, message.text)
            and not said.subject.isdisjoint(answer.subject)
        )
        factor = SAME_SUBJECT if same else 1.0
        if self._takes_up(rest):
            factor = TAKES_UP
        return -STRANGER * self._closeness(message.sender) * factor

    @property
    def _last(self) -> Said | None:
        """The last message of the chat."""
        return self._history[-1] if self._history else None

    def _takes_up(self, rest: str) -> bool:
        """Whether a text goes on with the bot's message just before it."""
        last = self._last
        if last is None or last.sender != OURS:
            return False
        said = (rest, FIRST_CLAUSE.sub("", rest))
        return any(takes_up(text) or wishes.CHANGES.match(text) for text in said)

    def _calls_on(self, message: GroupMessage) -> bool:
        """Whether the sender called the bot and goes on at once: many write a thought in several messages."""
        last = self._last
        if self._asker != message.sender or last is None or last.sender != message.sender:
            return False
        since = [said for said in self._history if self._asked_t is not None and said.t >= self._asked_t]
        return message.t - last.t <= BURST_S and all(said.sender == message.sender for said in since)

    def _uninterrupted(self, sender: str) -> bool:
        """Whether the last message was the bot's, to this person."""
        last = self._last
        return last is not None and last.sender == OURS and last.to.get(sender, 0.0) >= 0.5

    def _since(self, message: GroupMessage) -> float | None:
        """Seconds since the bot's last message, or since this sender called it and it is still silent."""
        times = [self.last_answer_t, self._asked_t if self._asker == message.sender else None]
        known = [message.t - t for t in times if t is not None]
        return min(known) if known else None

    def _in_talk(self, sender: str) -> bool:
        """Whether one of the last messages passed between this person and the bot."""
        return any(_passed_between(said, sender) for said in self._history)

    def _talked_about(self, sender: str) -> set[str]:
        """The words of what passed between this person and the bot."""
        return {word for said in self._history if _passed_between(said, sender) for word in said.subject}

    def _answers(self, sender: str) -> int:
        """How many of the last messages are the bot's to this person, those in a row as one."""
        count, row = 0, False
        for said in self._history:
            ours = said.sender == OURS and said.to.get(sender, 0.0) >= 0.5
            count += ours and not row
            row = ours or (row and said.sender != sender)
        return count

    def _closeness(self, sender: str) -> float:
        """How likely what others say has to do with it: 1 among few people, little in a busy channel."""
        people = {said.sender for said in self._history} - {OURS, sender}
        return CLOSENESS[min(len(people), len(CLOSENESS) - 1)]

    def _taken_up(self, message: GroupMessage) -> float:
        """How far others talked on with the sender since the bot's last message: 0 no, to 2, asked."""
        far, sender = 0.0, message.sender
        for said in reversed(self._history):
            if said.sender == OURS:
                break
            if said.sender != sender and not said.small:
                # A name nobody bears ("mom") may mean the sender.
                unknown = 1.0 if any(key.startswith("@") for key in said.to) else 0.0
                share = said.to.get(sender, 0.0) + said.to.get(ROOM, 0.0) + unknown
                just = said is self._history[-1] and message.t - said.t <= ANSWERED_WITHIN_S
                if just and said.asks and not said.named:
                    share = max(share, 0.5 * self._closeness(sender))  # the bot has not answered
                far = max(far, share * (2.0 if said.asks else 1.0))
        return far

    def _see_own(self, message: GroupMessage, read: _Read) -> None:
        self.last_answer_t = message.t
        self._asker = ""
        for key in read.said.to:
            if (other := self._others.get(key)) is not None:
                other.answers = [t for t in other.answers if message.t - t < HOUR_S] + [message.t]

    def _see_other(self, message: GroupMessage, read: _Read) -> None:
        member = self._members[message.sender]
        if message.is_bot:
            if message.sender not in self._others:
                self._others[message.sender], self._roster = OtherBot(), None
            self._others[message.sender].last_text = _digest(message.text)
            if self.settings.allow_bots and OURS in read.address.mentioned:
                self._asker, self._asked_t = message.sender, message.t
            return
        if message.name and message.name != member.name:
            member.name, self._roster = message.name, None
        calls_us = read.address.calls_us or (message.reply_to == OURS and not read.address.calls_others)
        if calls_us:
            self._asker, self._asked_t = message.sender, message.t
            self.quiet = asks_for_quiet(read.address.rest, called=True)
            self._learn_alias(message)
        elif asks_for_quiet(read.address.rest) and read.said.to.get(OURS, 0.0) >= 0.3:
            self.quiet = True
        if preferred := names.preferred_name(message.text):
            member.preferred, self._roster = preferred, None

    def _learn_alias(self, message: GroupMessage) -> None:
        given = names.given_alias(message.text)
        beside = names.alias_beside(message.text, self.bot.username, replied=message.reply_to == OURS)
        for alias, weight in ((given, names.SIGHTINGS), (beside, 1)):
            if not alias or self._is_taken(alias):
                continue
            self._sightings[alias] = self._sightings.get(alias, 0) + weight
            while len(self._sightings) > names.MAX_ALIASES:
                self._sightings.pop(min(self._sightings, key=lambda name: self._sightings[name]))
            self._roster = None

    def _is_taken(self, alias: str) -> bool:
        """It is somebody's name already: a person's, or one the bot has anyway."""
        roster = self._known_names()
        mine = alias in self._sightings
        return not mine and (alias in roster.latin or alias in roster.han or alias in roster.handles)

    def _meet(self, message: GroupMessage) -> None:
        while len(self._members) >= MAX_PEOPLE:
            self._members.pop(next(iter(self._members)))
        self._members[message.sender] = member = Member(message.shown_name, message.username)
        if self._roster is not None and not message.is_bot:
            _enter(self._roster, message.sender, member)
        else:
            self._roster = None

    def _known_names(self) -> Roster:
        if self._roster is None:
            roster = self._roster = Roster()
            roster.add_handle(self.bot.username, OURS)
            for name in (self.bot.name, *self.bot.aliases, *self.learned_aliases):
                roster.add(name, OURS)
                roster.add_slips(name)
            for key, member in self._members.items():
                _enter(roster, key, member)
            if not self._others:
                for name in words.GENERIC:
                    roster.add(name, OURS)
        return self._roster


def _passed_between(said: Said, sender: str) -> bool:
    """Whether it is the bot's to this person, or this person's to the bot."""
    return said.sender in {OURS, sender} and said.to.get(sender if said.sender == OURS else OURS, 0.0) >= 0.5


def _enter(roster: Roster, key: str, member: Member) -> None:
    roster.add_handle(member.username, key)
    roster.add(member.name, key)
    roster.add(member.preferred, key)


def _digest(text: str) -> str:
    return hashlib.blake2b(
        " ".join(text.lower().split()).encode("utf-8", "replace"), digest_size=8
    ).hexdigest()
