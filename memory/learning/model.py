"""What a model reads out of a message: strict JSON, each fact proved by the person's own words.

A fact whose quotation does not stand in the message is dropped: nothing that the model made up, and
nothing that it says about itself, gets into memory.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from bot.domain.completion import complete, in_form
from bot.domain.message import Message, ModelRequest
from bot.domain.ports import ChatModel
from bot.text.tokens import fold
from memory.learning.statement import MAX_VALUE_CHARS, Statement
from memory.privacy import holds_secret

MAX_ANSWER_CHARS = 4_000
_CONFIDENCE = 0.7

_TASK = """You take notes for an assistant. Read one message of a person and list what it states about \
that person and is worth remembering for months: name, birthday, origin, home, job, tastes, diet, allergies, \
relations, languages, lasting wishes about how to be answered. Leave out moods, plans of a day, questions, \
guesses, jokes, quotations and every secret. Most messages state nothing.
Answer with JSON only: {"facts": [{"about": ABOUT, "what": WHAT, "value": VALUE, "quote": QUOTE}]}
ABOUT is one of name birthday from home job taste favourite diet allergy relation languages wish. WHAT says \
of what (taste and favourite: the thing; relation: who), else "". VALUE is short. QUOTE is copied from \
the message."""


class _Fact(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    about: Literal[
        "name",
        "birthday",
        "from",
        "home",
        "job",
        "taste",
        "favourite",
        "diet",
        "allergy",
        "relation",
        "languages",
        "wish",
    ]
    what: Annotated[str, StringConstraints(strip_whitespace=True, max_length=60)] = ""
    value: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_VALUE_CHARS)]
    quote: Annotated[str, StringConstraints(strip_whitespace=True, min_length=2, max_length=400)]


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    facts: list[_Fact] = Field(max_length=8)


async def ask(model: ChatModel, alias: str, text: str, run_id: str) -> list[Statement]:
    """The facts in a message of a private conversation. An answer that is no such JSON is none.

    Raises `ModelError` where the model cannot be asked.
    """
    messages = (Message.of("system", _TASK), Message.of("user", f"<message>\n{text}\n</message>"))
    answer = await complete(model, ModelRequest(alias=alias, messages=messages, run_id=run_id))
    return read(answer, text)


def read(answer: str, text: str) -> list[Statement]:
    """The facts in a model's answer that the message `text` bears out."""
    given = in_form(answer[:MAX_ANSWER_CHARS], _Answer)
    if given is None:
        return []
    said = " ".join(fold(text).split())
    found: dict[str, Statement] = {}
    for fact in given.facts:
        if " ".join(fold(fact.quote).split()) in said and not holds_secret(fact.quote):
            slot = f"{fact.about}:{fold(fact.what)}" if fact.what else fact.about
            found.setdefault(slot, Statement(slot, fact.value, fact.quote, confidence=_CONFIDENCE))
    return list(found.values())
