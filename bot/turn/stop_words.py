"""Words that mean `/stop` when they are all that is said while an answer is being written."""

import re
from dataclasses import replace

from bot.domain.conversation import Inbound
from bot.domain.message import Text
from bot.text.lazy import Pattern

_ENOUGH = frozenset(
    re.split(
        ", ",
        "stop, stop it, stop that, please stop, stop please, stop now, abort, halt, "
        "enough, that's enough, thats enough, "
        "停, 停止, 停下, 停下来, 停一下, 停吧, 快停, 别说了, 不要说了, 打住, 够了, 终止, 别写了, "
        "para, para ya, pará, parar, detente, deténte, alto, basta, basta ya, ya basta, "
        "توقف, توقفي, قف, كفى, يكفي, أوقف, اوقف, خلاص, "
        "रुको, रुकिए, रुक जाओ, रुक जाइए, रुकें, बंद करो, बंद करें, बस, बस करो, बस करें, रोको, रोकें",
    )
)
# Where nothing is being written, these may mean something else that the bot does.
_CANCEL = frozenset(
    re.split(", ", "cancel, cancel that, 取消, cancela, cancelar, إلغاء, الغاء, ألغ, रद्द करो")
)
LONGEST = 40  # characters
_EDGES = Pattern(r"^[\W_]+|[^\w\u0900-\u0963\u0966-\u097f]+$")


def asks_to_stop(text: str) -> bool:
    """Whether a text says nothing but that."""
    return _bare(text) in _ENOUGH | _CANCEL


def says_enough(text: str) -> bool:
    """Whether a text asks for an end even where nothing is being written: to "cancel" may be a wish."""
    return _bare(text) in _ENOUGH


def _bare(text: str) -> str:
    return _EDGES.sub("", " ".join(text.casefold().split())) if len(text) <= LONGEST else ""


def as_command(inbound: Inbound, called_with: str | None = None) -> Inbound | None:
    """The message as the command that it stands for; None where it says something else.

    `called_with` is what is said to the bot where it is called by its name, without the name. In a group
    the word has to be said to the bot.
    """
    told = called_with is not None and asks_to_stop(called_with)
    if told or (inbound.is_for_the_bot and asks_to_stop(inbound.text)):
        return replace(inbound, parts=(Text("/stop"),))
    return None
