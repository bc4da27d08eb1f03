"""The clear forms in English. Only first person, only statements; what is unsure is left alone."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from bot.text.lazy import Pattern
from bot.text.tokens import fold
from memory.learning.statement import Statement, fits

RELATIONS: Final = (
    "wife|husband|partner|girlfriend|boyfriend|fiancée|fiance|mother|mom|mum|father|dad|sister|brother|son"
    "|daughter|grandmother|grandma|grandfather|grandpa|aunt|uncle|cousin|niece|nephew|boss|manager|colleague"
    "|coworker|teacher|doctor|dentist|neighbour|neighbor|roommate|flatmate|best friend|friend|dog|cat|pet"
    "|horse|parrot|hamster|rabbit|company|school|team"
)
_I = r"(?:i|I)"
_AM = rf"{_I}(?:['’]m| am)"
_NAME = r"(?P<value>[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*){0,3})"
_SOFT = r"(?:really |absolutely |also |just |still |truly |totally |quite |actually |kind of |simply )*"
_END = r"(?: now| these days| too| as well| a lot| very much| so much| by the way|,? (?:please|thanks))*"
# What comes after the value and does not belong to it.
_TAIL = Pattern(
    r"(?i)\s+(?:because|since|but|and (?:i|my|we|he|she|they|it|that)|so (?:i|that|please)|when|while"
    r"|although|though|which|who|where)\b.*$|\s*[,;(–—].*$"
)
_NO_VALUE = Pattern(
    r"(?i)^(?:it|that|this|them|him|her|you|to|how|what|when|if|the (?:idea|way|sound|look|fact)|your|one"
    r"|some|not|no|nothing|everything|something|someone|so|a lot|very|too|more|less|sure)\b"
)
_QUESTION = Pattern(r"\?\s*$")
_UNSURE = Pattern(
    r"(?i)^(?:if|suppose|imagine|say|when|assuming|let['’]?s say|pretend|what|who|how|why|where|do|does"
    r"|did|is|are|can|could|would|should|translate|write|correct|fix|she|he|they)\b"
)
_REMEMBER = Pattern(
    r"(?i)^(?:hey |ok |okay |and |also )*(?:please |pls |could you (?:please )?|can you (?:please )?)?"
    r"(?:remember|don['’]?t forget|do not forget|keep in mind|note|take note|make a note|bear in mind)"
    r"(?: down)?(?P<sign>,? that |\s*[:,]\s*| )(?P<rest>.+)$",
    re.DOTALL,
)
# "Remember to buy milk" is a wish for later, "remember me" and "note: …" of nothing are none.
_NO_NOTE = Pattern(r"(?i)^(?:to|when|how|what|who|why|where|me|him|her|them|us|the time|this|it|last|if)\b")


def statements(sentence: str) -> Iterator[Statement]:
    """What one sentence says of the speaker."""
    sentence = sentence.strip().rstrip(".!")
    wished = _REMEMBER.match(sentence)
    if wished is not None:
        yield from _noted(wished["rest"].strip(), sentence, said=wished["sign"].strip(" ,") != "")
        return
    if not _UNSURE.match(sentence) and not _QUESTION.search(sentence):
        yield from _plain(sentence)


def _noted(rest: str, sentence: str, *, said: bool) -> Iterator[Statement]:
    """What somebody asked to remember: by its form, else as it is."""
    if _QUESTION.search(sentence) or (not said and _NO_NOTE.match(rest)):
        return
    found = list(_plain(rest))
    if found:
        yield from found
    elif fits(rest) or len(rest) <= 400:
        third = not re.search(r"(?i)\b(?:i|me|my|mine|we|our|us)\b", rest)
        yield Statement(f"note:{fold(rest)[:80]}", fold(rest), rest, third=third, confidence=1.0)


def _plain(sentence: str) -> Iterator[Statement]:
    for pattern, slot in _FORMS:
        match = pattern.match(sentence)
        if match is None:
            continue
        value = _TAIL.sub("", match["value"]).strip(" .!\"'“”")
        if fits(value) and not _NO_VALUE.match(value):
            yield from slot(match, value, sentence)
            return


_Slot = Callable[[re.Match[str], str, str], Iterator[Statement]]


def _as(name: str) -> _Slot:
    def found(match: re.Match[str], value: str, sentence: str) -> Iterator[Statement]:
        yield Statement(name, value, sentence)

    return found


def _taste(polarity: str) -> _Slot:
    def found(match: re.Match[str], value: str, sentence: str) -> Iterator[Statement]:
        value = re.sub(r"(?i)^(?:eating|drinking|playing|watching|reading|listening to|the|my) ", "", value)
        if len(value.split()) <= 6:
            yield Statement(f"taste:{fold(value)}", polarity, sentence)

    return found


def _about(name: str) -> _Slot:
    def found(match: re.Match[str], value: str, sentence: str) -> Iterator[Statement]:
        yield Statement(f"{name}:{fold(match['what'])}", value, sentence)

    return found


def _allergy(match: re.Match[str], value: str, sentence: str) -> Iterator[Statement]:
    yield Statement(f"allergy:{fold(value)}", value, sentence)


_FILLERS = r"(?:(?:hi|hello|hey|well|so|by the way|btw|and|also|oh|yes|actually|no)[,!. ]+)*"


def _form(pattern: str, slot: _Slot) -> tuple[Pattern, _Slot]:
    return Pattern(rf"{_FILLERS}{pattern}$", re.IGNORECASE), slot


def _cased(pattern: str, slot: _Slot) -> tuple[Pattern, _Slot]:
    """A form in which a capital tells a name."""
    return Pattern(f"{pattern}$"), slot


_GREETING = r"(?:(?:[Hh]i|[Hh]ello|[Hh]ey|[Bb]tw|[Bb]y the way|[Ss]o|[Aa]ctually)[,!. ]+)*"
_CALLED = r"(?:[Mm]y name(?:['’]s| is)(?: now)?|(?:[Pp]lease |[Yy]ou can |[Jj]ust )?[Cc]all me"
_CALLED += rf"|{_I} go by|{_AM} (?:called|named)|{_I} (?:now )?prefer to be called)"
_MONTH = "january|february|march|april|may|june|july|august|september|october|november|december"
_BORN = rf"(?:my birthday(?:['’]s| is)(?: on)?|{_I} was born (?:on|in)(?= [\w ,]*(?:\d|{_MONTH})))"
_DWELL = rf"(?:{_I} {_SOFT}live|{_AM} (?:now )?(?:living|based)"
_DWELL += rf"|{_I}(?:['’]ve| have)? (?:just |recently )?moved) (?:in|to|near)"
_WORK = rf"(?:{_I} {_SOFT}work (?:as|at|for|in)|my job is"
_WORK += rf"|{_I}(?:['’]ve| have)? (?:just )?started (?:working )?(?:at|as))"
_DIETS = "vegetarian|vegan|pescatarian|gluten[- ]free|lactose intolerant|diabetic|teetotal(?:ler)?"
_HATE = (
    r"(?:hate|dislike|can['’]?t stand|cannot stand|detest|(?:do ?n['’]?t|do not) (?:really )?(?:like|enjoy))"
)
_FORMS: tuple[tuple[Pattern, _Slot], ...] = (
    _cased(rf"{_GREETING}{_CALLED} {_NAME}{_END}(?:[,;]? .*)?", _as("name")),
    _cased(rf"(?:[Hh]i|[Hh]ello|[Hh]ey)[^\w]+(?:{_AM}|[Tt]his is) {_NAME}", _as("name")),
    _form(rf"{_BORN} (?P<value>.+?){_END}", _as("birthday")),
    _form(rf"{_I} was born in (?P<value>.+)", _as("from")),
    _form(rf"(?:{_AM}|{_I} come|{_AM} originally) from (?P<value>.+?){_END}", _as("from")),
    _form(rf"{_DWELL} (?P<value>.+?){_END}", _as("home")),
    _form(rf"{_WORK} (?:an? )?(?P<value>.+?){_END}", _as("job")),
    _form(
        rf"my favou?rite (?P<what>\w+(?: \w+)?) (?:is|are|was) (?:now )?(?P<value>.+?){_END}",
        _about("favourite"),
    ),
    _form(rf"{_AM} allergic to (?P<value>.+?){_END}", _allergy),
    _form(rf"{_AM} (?:an? )?(?:now |strict |strictly )*(?P<value>{_DIETS}){_END}", _as("diet")),
    _form(rf"my (?P<what>{RELATIONS})['’]s birthday is (?:on )?(?P<value>.+?){_END}", _about("birthday")),
    _cased(
        rf"(?:[Aa]nd |[Bb]tw,? )?[Mm]y (?P<what>{RELATIONS})(?:(?:['’]s)? name)?(?:['’]s| is)"
        rf"(?: called| named)? {_NAME}{_END}",
        _about("relation"),
    ),
    _form(rf"{_I} {_SOFT}{_HATE} (?P<value>.+?){_END}", _taste("dislike")),
    _form(rf"{_I} {_SOFT}(?:love|like|enjoy|adore|prefer) (?P<value>.+?){_END}", _taste("like")),
    _form(rf"{_AM} (?:an? )?(?:big |huge )?fan of (?P<value>.+?){_END}", _taste("like")),
    _form(rf"(?P<value>{_I} speak .+?){_END}", _as("languages")),
)
