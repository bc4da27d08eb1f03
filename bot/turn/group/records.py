"""The words of a group judgement: who the bot is, what was said, and what was decided."""

from dataclasses import dataclass
from typing import Literal

Mode = Literal["strict", "smart"]
Decision = Literal["respond", "observe", "ignore"]

OURS = "BOT"  # the key of the bot itself where the keys of people stand


@dataclass(frozen=True, slots=True)
class Bot:
    """What the bot is called. `aliases` are given by the operator; learned ones are in the state."""

    username: str = ""
    name: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GroupSettings:
    """How eager the bot is. Times in seconds, scores from 0 to 100."""

    followup_window_s: float = 180.0  # how long after its last answer it may go on unasked
    cooldown_s: float = 20.0  # how long after an answer it does not join other people's talk
    min_score: int = 70  # from here on it answers; from half of it, but 30 at least, it remembers
    allow_bots: bool = False
    bot_answers_per_hour: int = 3  # to one other bot, where `allow_bots` is on


@dataclass(frozen=True, slots=True)
class GroupMessage:
    """One message of the chat as the bot saw it.

    `sender` and the other keys are the channel's ids of people, `OURS` for the bot's own. `reply_to` is
    the key of whose message is answered, "" for none. `mentions` are keys that the channel marked
    in the text without an @name. A message that the channel took for a call of the bot by other means
    (a command with the bot's name) has `calls_bot`.
    """

    sender: str
    text: str
    t: float  # seconds; any start, never running backwards by much
    name: str = ""  # as people read it; the key where empty
    username: str = ""
    is_bot: bool = False
    reply_to: str = ""
    mentions: tuple[str, ...] = ()
    calls_bot: bool = False

    @property
    def ours(self) -> bool:
        return self.sender == OURS

    @property
    def shown_name(self) -> str:
        return self.name or self.sender


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision with its score (0 to 100) and the evidence, strongest first."""

    decision: Decision
    score: int
    reasons: tuple[str, ...]
    called: bool = False  # it was mentioned, answered or called by name
    unsure: bool = False  # between silence and an answer: what a model may be asked about
