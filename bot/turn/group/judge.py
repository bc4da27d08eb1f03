"""The judgement itself: rules for what is plain, weights for what is not, and reasons for both."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bot.text.lazy import Pattern
from bot.turn.group import remarks, wishes, words
from bot.turn.group.address import Address
from bot.turn.group.links import ROOM
from bot.turn.group.records import OURS, Bot, GroupMessage, GroupSettings, Mode, Verdict
from bot.turn.group.roster import HAN
from bot.turn.stop_words import says_enough

CALLED, NAMED = 100, 95
# The share at which the bot is as likely meant as not, for the price of a wrong answer.
EVEN_SHARE = (0.20, 0.40)  # in a busy channel, among few
MOST = 0.95  # a share says no more than this
TAKEN_UP = (1.0, 2.0, 3.5)  # for a following question, another one, a statement
OBSERVE_FLOOR = 30
SHORT_THANKS = 30  # characters
# What may follow a question that waits for an answer: little, or what to choose from.
MOST_AFTER = 24  # bytes
OPTIONS = Pattern(r"[(]?[aA1][).:、．]|[-*•]\s")
# A wish of the bot's waits for an answer as a question does; "let me know if you need more" does not.
TELL_ME = Pattern(
    r"\b(?:tell\s+me|let\s+me\s+know|say\s+so|shout)\s+(?:when|once)\s+(?:you(?:'re|\s+are|'ve|\s+have)?|it'?s|that'?s|they'?re)\s+"
    r"(?:done|ready|finished|there|through|dry|in|on|off|out)\b|[好完]了?(?:之?后|以后)?(?:就|再)?(?:告诉|叫)我|请接|你来接|接龙开始"
    r"|\b(?:your\s+turn|(?:take\s+a|your)\s+guess|what\s+am\s+i)\b|打一[^，。]{1,6}$|轮到你|该你|猜猜看?|"
    r"(?:(?:please|can\s+you|could\s+you)\s+)?(?:tell\s+me|send\s+me|give\s+me|let\s+me\s+know)\b(?!\s+(?:if|when|should)\b)"
    r"|please\s+(?:send|share|choose|pick|provide|name|specify|describe|enter|type|say)\b"
    r"|(?:^|[,!]\s*)(?:just\s+)?(?:paste|send|share|upload|post|drop|type)\s+(?:it|them|that|the|your|me)\b"
    r"|(?:请|麻烦你?)(?:先|再)?(?:告诉|发|提供|说|选|输入|上传|补充|描述|回复|把|给)|(?:告诉|发给)我[^，。]{2,}",
    re.IGNORECASE,
)
COURTESY = Pattern(r"\bif\s+you\b|\bany\s?time\b|需要|随时|如果|有问题", re.IGNORECASE)
SENTENCE_ENDS = ".!。！\n"
OFFERED = 1.0  # taken up further than that, others asked or offered something
MAYBE = Pattern(r"吧[。!！~～\s]*$")
SENTENCE_BEFORE = Pattern(
    r".*(?:[.!?。！？\U0001f300-\U0001faff]\s*|,\s+(?=(?:give|tell|show|send|make)\s+(?:me|us)\b))(?=\w)"
)
LAST_CLAUSE = Pattern(r".*[,，.。!！?？]\s*(?=\w)")
# Log-odds that a remark wants an answer, behind the bot's question: others talked on, it ends the talk, else.
ANSWERING = (1.0, 2.0, 3.0)
AMID_OTHERS = 1.5  # log-odds that a remark counts at most, once others talked on
EXCLAIMED = -4.5  # log-odds that who joins in with a feeling answers the bot's question
CONVERSING = 1.2  # log-odds for each answer but the first: they talk with each other
CALLING_ON = 3.0  # log-odds that the next words of who just called belong to the call
TRYING = 3  # follow-up windows: who tries what the bot advised comes back later than who asks on
OTHER_FORM = 2.5  # log-odds that who wants an answer in another form means who gave it
LEAST_ASKED = -1.0  # log-odds of a remark right behind the bot's question at the least
LONG = 45  # bytes
STEPPED = 1.0  # log-odds that who did what the bot said, and was to tell, wants the next step
WHICH = 2.5  # log-odds that who asks which of two, right behind an answer, asks the bot
RETURNING = 2.5  # log-odds that who comes back to the bot's answer means the bot
CLOSED = -20.0  # no share makes up for it


@dataclass(frozen=True, slots=True)
class Situation:
    """All that a judgement reads: the message, what its text says, and how the chat stands."""

    bot: Bot
    mode: Mode
    settings: GroupSettings
    message: GroupMessage
    address: Address
    shares: Mapping[str, float]
    names: Mapping[str, str]  # keys to shown names
    since_s: float | None  # since the bot's last message or an open call by the sender; None for never
    answered_sender: bool  # the bot's last message was for this sender
    in_talk: bool  # one of the last messages passed between the sender and the bot
    answers: int  # how many answers the sender had of the bot in the last messages
    closeness: float  # how likely what others say has to do with it: 1 among few, little in a busy channel
    taken_up: float  # how far others talked on with the sender since the bot's last message, 0 to 2
    bot_asked: bool  # ... and was a question
    echoes: bool  # ... and the message has words of it
    returns: bool  # the message has words of what the sender and the bot talked about
    calls_on: bool  # the sender called the bot a moment ago, and nobody spoke since
    uninterrupted: bool  # the bot's answer to the sender was the last message
    takes_up: bool  # it goes on with what the bot said just before, whoever asked for that
    quiet: bool
    bot_answers: int  # to this other bot within the last hour
    repeated: bool  # the other bot said just that before


def judge(situation: Situation) -> Verdict:
    """Respond, observe or ignore, with score and reasons. Pure."""
    message, address = situation.message, situation.address
    if message.ours:
        return Verdict("ignore", 0, ("the bot's own message",))
    if message.is_bot:
        return _to_a_bot(situation)
    if (explicit := _explicit(situation)) is not None:
        return explicit
    if situation.mode == "strict":
        return Verdict("ignore", 0, ("strict mode: neither mentioned nor answered",))
    if address.command in {"other", "open"}:
        return Verdict("ignore", 0, ("a command without the bot's name",))
    if address.calls_us and not (address.to[0] != OURS and address.by.startswith("@name")):
        if words.LAUGHTER.fullmatch(address.rest):
            return Verdict("observe", 50, ("laughs about the bot",))
        return _ordered(situation) or Verdict("respond", NAMED, (address.by,), called=True)
    if message.reply_to and message.reply_to != OURS and message.reply_to != message.sender:
        return Verdict("ignore", 0, (f"a reply to {_name(situation, message.reply_to)}",))
    if address.calls_others:
        others = ", ".join(_name(situation, key) for key in address.to)
        return Verdict("ignore", 0, (f"for {others}: {address.by}",))
    return _unaddressed(situation)


def _to_a_bot(situation: Situation) -> Verdict:
    settings, address = situation.settings, situation.address
    if not settings.allow_bots:
        return Verdict("ignore", 0, ("from a bot",))
    if OURS not in address.mentioned:
        return Verdict("ignore", 0, ("from a bot that did not mention this one",))
    if situation.repeated:
        return Verdict("ignore", 0, ("a bot said the same again",))
    if situation.bot_answers >= settings.bot_answers_per_hour:
        return Verdict("ignore", 0, (f"this bot had {situation.bot_answers} answers within the hour",))
    return Verdict("respond", CALLED, (f"mentioned by an allowed bot: {address.by}",), called=True)


def _explicit(situation: Situation) -> Verdict | None:
    """The verdict on a mention of the bot or a reply to it; None for neither."""
    message, address = situation.message, situation.address
    mentioned = OURS in address.mentioned or message.calls_bot or address.command == "ours"
    if not mentioned and message.reply_to != OURS:
        return None
    if not mentioned and address.calls_others and not address.calls_us:
        others = ", ".join(_name(situation, key) for key in address.to)
        return Verdict("ignore", 0, (f"quotes the bot, but is for {others}: {address.by}",))
    if not mentioned and address.command == "other":
        return Verdict("ignore", 0, ("a command for another bot",))
    evidence = "a reply to the bot"
    if mentioned:
        evidence = address.by if OURS in address.mentioned else "a command with the bot's name"
    return _ordered(situation) or Verdict("respond", CALLED, (evidence,), called=True)


def _ordered(situation: Situation) -> Verdict | None:
    """The verdict on a call that asks for silence; None for any other."""
    rest = situation.address.rest
    if asks_for_quiet(rest, called=True):
        return Verdict("observe", 50, ("was asked to be quiet",))
    if (denied := words.NOT_YOU.search(rest)) and not _turns_to_the_bot(
        situation.address, rest[denied.end() :]
    ):
        return Verdict("observe", 50, ("was told that it is not meant",))
    return None


def _turns_to_the_bot(address: Address, after: str) -> bool:
    """Whether it was another who is not meant: "not you, Siri. Donkey, what is ..."."""
    return address.calls_us and address.to[-1] == OURS and is_question(SENTENCE_BEFORE.sub("", after), after)


def asks_for_quiet(rest: str, *, called: bool = False) -> bool:
    """Whether a text, without the names in it, is an order to be quiet: a bare "stop" if it calls the bot."""
    if called and says_enough(rest):
        return True
    return words.QUIET.search(rest) is not None and len(rest) <= 60 and "?" not in rest and "？" not in rest


def _unaddressed(situation: Situation) -> Verdict:
    """The verdict where nobody is named: whose talk is this, and does it want an answer?"""
    since, settings = situation.since_s, situation.settings
    who = _leading(situation)
    if since is None:
        return Verdict("ignore", 0, ("the bot takes no part in this talk",))
    tried = situation.uninterrupted and wishes.TRIED.match(situation.address.rest)
    if since > settings.followup_window_s * (TRYING if tried else 1):
        late = f"the bot's last message is {since:.0f} s old, more than {settings.followup_window_s:.0f}"
        return Verdict("ignore", 0, (late,))
    if words.NOT_YOU.search(situation.address.rest):
        return Verdict("observe", 50, ("was told that it is not meant",))
    logit, evidence, remark = _wants_answer(situation)
    score = _score(situation, logit, remark=remark)
    reasons = (who, *evidence)
    if situation.quiet and score >= OBSERVE_FLOOR:
        return Verdict("observe", min(score, settings.min_score - 1), ("was asked to be quiet", *reasons))
    if score >= settings.min_score:
        if since < settings.cooldown_s and not (
            situation.in_talk or situation.bot_asked or situation.takes_up
        ):
            return Verdict("observe", settings.min_score - 1, (f"answered {since:.0f} s ago", *reasons))
        return Verdict("respond", score, reasons)
    if score >= max(OBSERVE_FLOOR, settings.min_score // 2):
        return Verdict("observe", score, reasons, unsure=True)
    return Verdict("ignore", score, reasons)


def _wants_answer(situation: Situation) -> tuple[float, tuple[str, ...], bool]:
    """What the text's own form adds to the log-odds, with the evidence, and whether it is a remark."""
    rest = situation.address.rest
    if words.DECLINED.match(rest):
        return CLOSED, ("declines",), False
    if is_small(rest):
        theirs = situation.taken_up > OFFERED  # others asked since
        if situation.bot_asked and words.ANSWERS.match(rest) and not theirs:
            return 0.5, ("answers the bot's question",), False
        return CLOSED, ("wants no answer: thanks, agreement or a reaction",), False
    if situation.bot_asked and situation.answered_sender and wishes.STEP_DONE.fullmatch(rest):
        return STEPPED, ("tells that the step is done",), False
    asks = is_question(rest, situation.message.text)
    if words.CONCLUDES.match(rest) and not (asks or situation.bot_asked):
        return CLOSED, (remarks.CONCLUDES,), False
    found = [*_speaks_against(situation), *_speaks_for(situation)]
    states = not (asks or _requests(rest))
    if states:
        found += _of_statement(situation)
    remark = states and situation.in_talk
    return sum(weight for weight, _ in found), tuple(reason for _, reason in found), remark


def _of_statement(situation: Situation) -> Iterator[tuple[float, str]]:
    """What a text says for or against an answer that neither asks nor wants something done."""
    rest = situation.address.rest
    # A guess at an answer ends with the word that ends a talk: 每天半小时吧.
    weight, reason = remarks.wants_answer(MAYBE.sub("", rest) if situation.bot_asked else rest)
    if situation.calls_on:
        yield CALLING_ON, "goes on with a call"
    elif situation.in_talk:
        if situation.taken_up:  # what it goes on with may be theirs
            weight = min(weight, AMID_OTHERS)
        if situation.bot_asked:
            if (
                situation.uninterrupted and len(rest.encode()) >= LONG
            ):  # what was asked for may read as anything: a text to be mended
                weight = max(weight, LEAST_ASKED)
            weight += _answering(situation, reason)
        weight += CONVERSING * max(min(situation.answers - 1, 2), 0)
        yield weight * situation.closeness, reason
    elif situation.bot_asked:
        if remarks.is_felt(rest.rstrip("!！~～")) and not words.ANSWERS.match(rest):
            yield EXCLAIMED, remarks.FEELS
    elif not situation.takes_up:
        # That no answer is wanted counts for who joins in as well; an objection may be to anybody's words.
        yield min(weight, 0.0) * situation.closeness, reason


def _answering(situation: Situation, reason: str) -> float:
    """What a question of the bot's adds for a remark behind it."""
    if situation.taken_up and not situation.echoes:
        return ANSWERING[0]
    thanks = words.THANKS.search(situation.address.rest) is not None
    return ANSWERING[1 if thanks or reason in {remarks.CONCLUDES, remarks.TELLS} else 2]


def _requests(rest: str) -> bool:
    """Whether a text wants something done; what stands before its last sentence may say something else."""
    forms = (wishes.REQUESTS, wishes.REQUEST_ZH, wishes.REQUEST_MORE, wishes.CHANGES)
    last = SENTENCE_BEFORE.sub("", rest)
    return any(form.match(rest) or form.match(last) for form in forms)


def _speaks_against(situation: Situation) -> Iterator[tuple[float, str]]:
    rest, address = situation.address.rest, situation.address
    if OURS in address.named:
        yield -4.5, "talks about the bot, not to it"
    others = any(key != OURS and not key.startswith("@") for key in address.named)
    wanted = situation.in_talk and words.REARRANGES.match(rest) is not None
    if others and not (wanted or is_question(rest, situation.message.text)):
        yield -4.5, "talks about somebody here"
    means_you = (
        not situation.takes_up and words.SECOND_PERSON.search(rest) and not wishes.REQUESTS.match(rest)
    )
    changes = situation.takes_up and (wishes.CHANGES.match(rest) or wishes.REQUESTS.match(rest))
    theirs = means_you or words.OUR_LIFE.search(rest)
    if theirs and not (situation.in_talk or changes):
        yield -2.0 * situation.closeness, "joins in and may mean whoever had asked"
    if not situation.in_talk and words.OFFERS.search(rest):
        yield -4.5, "offers somebody here to do something"
    doubts = situation.uninterrupted and wishes.ARE_YOU_SURE.match(rest)
    if words.AMONG_PEOPLE.search(rest) and not doubts:
        yield -4.5, "words of people among themselves"
    if situation.taken_up and not (situation.bot_asked and situation.echoes) and not _returns(situation):
        said = "others talked on" if situation.taken_up < 1 else "others asked meanwhile"
        yield -_taken_up(situation) * situation.closeness, said
        if words.ANSWERS.match(rest) and not wishes.CORRECTION.match(rest):
            yield -1.5, "begins as an answer to them"


def _speaks_for(situation: Situation) -> Iterator[tuple[float, str]]:
    rest = situation.address.rest
    if situation.bot_asked and situation.answered_sender:
        yield 0.8, "after a question of the bot"
    if wishes.CORRECTION.match(rest):
        yield 0.5, "corrects"
    if situation.uninterrupted and wishes.TRIED.match(rest):
        yield 1.2, "tried what the bot said"
    if _returns(situation):
        yield RETURNING, "comes back to what the bot answered"
    if situation.uninterrupted and wishes.WHICH.match(rest):
        yield WHICH, "asks which of two"
    if situation.in_talk and wishes.OTHER_FORM.match(rest):
        yield OTHER_FORM, "wants the answer in another form"
    if _requests(rest):
        yield 0.5, "asks for something to be done"
    elif is_question(rest, situation.message.text):
        yield 0.3, "asks"


def _returns(situation: Situation) -> bool:
    """Whether the sender comes back to what the bot answered, over the others' talk since."""
    rest = situation.address.rest
    if not (situation.answered_sender and situation.taken_up):
        return False
    if words.SECOND_PERSON.search(rest) or words.OUR_LIFE.search(rest):
        return False
    if wishes.RETURNS.match(rest):
        return True
    wants = is_question(rest, situation.message.text) or _requests(rest) or wishes.CORRECTION.match(rest)
    return situation.returns and (bool(wants) or remarks.wants_answer(rest)[1] == remarks.OBJECTS)


def _taken_up(situation: Situation) -> float:
    """What the others' talk since the bot's answer takes off: this may well go on with theirs."""
    rest = situation.address.rest
    if situation.in_talk and wishes.OTHER_FORM.match(rest):
        return 0.0
    asks = is_question(rest, situation.message.text)
    if asks and words.SECOND_PERSON.search(rest) and not _requests(rest):  # "are you blind?"
        return TAKEN_UP[2] * situation.taken_up
    to_them = words.SECOND_PERSON.search(rest) and words.ACKNOWLEDGES.match(rest)
    if asks and (to_them or words.STARTLED.match(rest)):
        return TAKEN_UP[2] * situation.taken_up
    if words.BARE_QUESTION.match(LAST_CLAUSE.sub("", rest)):  # "great, when?"
        return TAKEN_UP[2] * situation.taken_up
    if asks and words.FOLLOW_UP.match(rest) and situation.taken_up <= OFFERED:
        return TAKEN_UP[0] * situation.taken_up
    return TAKEN_UP[1 if asks else 2] * situation.taken_up


def is_question(rest: str, text: str) -> bool:
    """Whether a text asks, by its mark or its words."""
    if words.RHETORICAL.match(rest):
        return False
    if "?" in text or "？" in text or "؟" in text or words.QUESTION_WORDS.match(rest):
        return True
    return HAN.search(rest) is not None and words.QUESTION_ZH.search(rest) is not None


def leaves_open(text: str) -> bool:
    """Whether the bot's own text ends with a question or a wish that waits for an answer."""
    said = text.rstrip(f"{SENTENCE_ENDS} \t\r\u3000")
    last = said[max(map(said.rfind, SENTENCE_ENDS)) + 1 :]
    if TELL_ME.search(last) and not COURTESY.search(last):
        return True
    asked = max(text.rfind("?"), text.rfind("？"))
    after = text[asked + 1 :].strip()
    return asked >= 0 and (len(after.encode()) <= MOST_AFTER or OPTIONS.match(after) is not None)


def proposes(rest: str) -> bool:
    """Whether a text puts something to the others without asking: "let's go", 我们走吧."""
    return words.PROPOSAL.search(rest) is not None


def is_small(rest: str) -> bool:
    """Whether a text says nothing more than thanks, agreement or a reaction."""
    if words.CLOSING.fullmatch(rest) or words.SYMBOLS_ONLY.fullmatch(rest):
        return True
    return words.THANKS.match(rest) is not None and len(rest) <= SHORT_THANKS and not is_question(rest, rest)


def _score(situation: Situation, logit: float = 0.0, *, remark: bool = False) -> int:
    """A share and log-odds as a score: 70 where the bot is as likely meant as not.

    That a `remark` is for the bot does not tell that it wants an answer: it counts no more than even.
    """
    share = min(max(situation.shares.get(OURS, 0.0), 1e-4), MOST)
    busy, few = EVEN_SHARE
    even = busy + (few - busy) * situation.closeness
    meant = math.log(share / (1 - share)) - math.log(even / (1 - even))
    if remark and meant > 0:
        meant *= 1 - situation.closeness
    odds = meant + logit
    return round(100 / (1 + math.exp(-(odds + math.log(0.7 / 0.3)))))


def _leading(situation: Situation) -> str:
    """Whom the exchange points to, as a reason: the two likeliest and the bot."""
    ranked = sorted(situation.shares.items(), key=lambda item: -item[1])[:2]
    if OURS in situation.shares and all(key != OURS for key, _ in ranked):
        ranked.append((OURS, situation.shares[OURS]))
    return "likely for " + ", ".join(f"{_name(situation, key)} {share:.2f}" for key, share in ranked)


def _name(situation: Situation, key: str) -> str:
    if key == OURS:
        return "the bot"
    if key == ROOM:
        return "the room"
    return situation.names.get(key, key)
