"""Whether a verb in its base form is asked of the listener, by what governs it in its clause.

"Remind me" is an imperative unless something before it binds it: a subject ("they", "the kids"), an auxiliary
that isn't asked of the listener ("will he"), a negation, "to" after somebody else's wish, a question word.
Those are closed classes of words. What is none of them (a name, a greeting, a sigh, an adverb) needs no list:
a singular noun is no subject of a base form ("my phone reminds me").
"""

from bot.text.lazy import Pattern


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_YOU = _words("you u ya")
_ASKING_MODAL = _words("can could would will won't can't couldn't wouldn't may might should must")
_AUXILIARY = _ASKING_MODAL | _words(
    "do does did is isn't are aren't was wasn't were weren't am has hasn't have haven't had hadn't been "
    "being ain't shouldn't mustn't shall gonna gotta better"
)
_NEGATION = _words(
    "not never no don't doesn't didn't won't can't cannot couldn't wouldn't nobody nothing without"
)
_SUBJECT = _words(
    "i we he she it they who that which those these people folks men women children everybody everyone "
    "somebody someone anybody anyone one both them all some many most others this"
)
_CONDITION = _words(
    "if when whenever because whether how why what where than like as unless while until till"
)
_ASKED = _words("if how why what whether")
_REPORT = _words(
    "said says say told tells asked asks wrote writes texted called replied heard hear hears yelled promised "
    "promises forgot used tried wanted needed made makes had lets"
)
# "Make the app …": somebody else is to do it.
_CAUSE = _words("make makes let have has had watch see hear saw")
_ADVERB = Pattern(
    r"^(?:please|pls|plz|just|also|then|now|later|again|today|tonight|tomorrow|tmrw|tmr|maybe|perhaps|soon"
    r"|really|still|even|too|instead|first|once|twice|do|so|always|\w{2,}ly)$"
)
# What stands before a time and belongs to it.
_OF_TIME = _words(
    "at on in by from for until till every each this next around about starting to and before after"
)
_NO_PLURAL = Pattern(
    r"^(?:.*(?:ss|us|is)|thanks|yes|always|sometimes|guys|pls|ps|bless|alas|besides|hours|minutes|mins|days"
    r"|weeks|perhaps|cheers|congrats|anyways)$"
)
# "To" after these is what the listener is to do: "I want you to …", "remember to …", "it'd be great to …".
_WILLING = _words(
    "want need like love remember sure try forget hesitate mind please able possible kind enough willing "
    "free great good nice lovely helpful cool awesome amazing handy"
)


def is_commanded(words: list[str]) -> bool:
    """Whether a base form after `words` of its clause, with "#" for a time, asks the listener."""
    left = _without_adverbs(words)
    if not left:
        return True
    if _is_of_others(left):
        return False
    *before, last = left
    if last == "to":
        return _is_wished(before)
    if (last in _YOU and before and before[-1] in _ASKING_MODAL) or (
        last in _ASKING_MODAL and before and before[-1] in _YOU
    ):
        return _is_free(before[:-1])
    binds = "'" in last or last in _NEGATION | _SUBJECT | _YOU | _AUXILIARY | _CONDITION | _CAUSE
    return not binds and not _may_be_plural(last) and _is_free(left)


def _without_adverbs(words: list[str]) -> list[str]:
    """The words up to the last one that is no adverb, no time and no preposition of a time."""
    left = list(words)
    while left:
        if left[-1] == "#":
            left.pop()
            while left and left[-1] in _OF_TIME:
                left.pop()
        elif _ADVERB.match(left[-1]):
            left.pop()
        else:
            break
    return left


def _is_of_others(words: list[str]) -> bool:
    """Whether it is reported, or asked of or done by somebody else."""
    first, *rest = words
    asked_of_others = first in _AUXILIARY and bool(rest) and rest[0] not in _YOU | {"i", "we"}
    return asked_of_others or first in _CAUSE or not _REPORT.isdisjoint(words)


def _is_wished(left: list[str]) -> bool:
    """Whether the speaker wants the listener to do it, or tells them to keep it in mind."""
    while left and left[-1] in _YOU:
        left = left[:-1]
    if not left or left[-1] not in _WILLING or not _is_free(left[:-1]):
        return False
    return left[0] not in _SUBJECT - {"i", "we", "it"}


def _is_free(words: list[str]) -> bool:
    """Whether no negation and no question before it takes the request back."""
    return _NEGATION.isdisjoint(words) and _ASKED.isdisjoint(words)


def _may_be_plural(word: str) -> bool:
    return word.endswith("s") and len(word) > 2 and not _NO_PLURAL.match(word)
