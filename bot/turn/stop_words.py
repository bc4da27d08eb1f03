"""Words that mean `/stop` when they are all that is said while an answer is being written."""

import re
from dataclasses import replace

from bot.domain.conversation import Inbound
from bot.domain.message import Text
from bot.text.lazy import Pattern

_WORDS = frozenset(
    re.split(
        ", ",
        "stop, stop it, stop that, please stop, stop please, stop now, cancel, cancel that, abort, halt, "
        "enough, that's enough, thats enough, "
        "停, 停止, 停下, 停下来, 停一下, 停吧, 快停, 别说了, 不要说了, 打住, 够了, 取消, 终止, 别写了, "
        "para, para ya, pará, parar, detente, deténte, alto, basta, basta ya, ya basta, cancela, cancelar, "
        "توقف, توقفي, قف, كفى, يكفي, أوقف, اوقف, إلغاء, الغاء, ألغ, خلاص, "
        "रुको, रुकिए, रुक जाओ, रुक जाइए, रुकें, बंद करो, बंद करें, बस, बस करो, बस करें, रोको, रोकें, रद्द करो",
    )
)
_EDGES = Pattern(r"^[\W_]+|[^\w\u0900-\u0963\u0966-\u097f]+$")


def asks_to_stop(text: str) -> bool:
    """Whether a text says nothing but that."""
    return len(text) <= 40 and _EDGES.sub("", " ".join(text.casefold().split())) in _WORDS


def as_command(inbound: Inbound) -> Inbound | None:
    """The message as the command that it stands for; None where it says something else.

    In a group it has to be said to the bot.
    """
    if inbound.conversation.kind == "group" and not inbound.addressed:
        return None
    return replace(inbound, parts=(Text("/stop"),)) if asks_to_stop(inbound.text) else None
