"""The set `memory`: what is remembered of the person who asks, where they ask."""

from datetime import datetime
from typing import Protocol

from pydantic import Field

from bot.domain.conversation import ConversationKind
from bot.domain.functions import Arguments, FunctionToolset, Traits, function_tool
from bot.domain.ports import Clock
from bot.domain.tool import RunContext
from bot.errors import Denied, InputError
from bot.store.engine import Store
from bot.text.tokens import words
from memory import own
from memory.facts import state
from memory.own import Whose
from memory.people import is_paused
from memory.privacy import hide_secrets
from memory.record import Hit, Memory, MemoryDraft, RecallQuery, Scope, readable, scope_of

_SNIPPET = 400


class Recalling(Protocol):
    """See `memory.recall.Recall.recall`."""

    async def recall(self, query: RecallQuery) -> tuple[Hit, ...]: ...


class Search(Arguments):
    query: str = Field(min_length=1, max_length=500, description="What to look for, in any words.")
    limit: int = Field(5, ge=1, le=20, description="Memories at most.")


class Listing(Arguments):
    limit: int = Field(20, ge=1, le=50, description="Facts at most, the latest first.")


class Remember(Arguments):
    text: str = Field(min_length=1, max_length=1000, description="One statement, in the person's language.")


def memory_tools(store: Store, clock: Clock, recall: Recalling) -> FunctionToolset:
    """Tools over the memory. Each sees what a turn of this person in this place may be told, no more."""

    async def search(arguments: Search, context: RunContext) -> str:
        scopes = readable(_kind(context), context.person_id, context.conversation_id)
        query = RecallQuery(arguments.query, scopes, clock.now(), limit=arguments.limit)
        hits = await recall.recall(query)
        return "\n".join(_line(hit) for hit in hits) or "Nothing was found."

    async def listing(arguments: Listing, context: RunContext) -> str:
        whose = Whose.asking(_kind(context), context.person_id, context.conversation_id)
        facts = await store.read(own.facts, whose, limit=arguments.limit, before=None, now=clock.now())
        return "\n".join(_line(fact) for fact in facts) or "Nothing is remembered."

    async def remember(arguments: Remember, context: RunContext) -> str:
        if await store.read(is_paused, context.person_id):
            raise Denied("the person has paused their memory", hint="/memory resume")
        scope = scope_of(_kind(context), context.person_id, context.conversation_id)
        if scope is None:
            raise Denied("nothing is remembered here")
        draft = _draft(hide_secrets(arguments.text), scope, context, clock.now())
        stated = await store.write(state, draft, clock.now())
        if stated.id is None:
            raise InputError("this is not remembered", field="text", hint="it is empty, or not allowed")
        done = "Known already" if stated.outcome == "repeated" else "Remembered"
        return f"{done} as #{stated.id}."

    # What is remembered may be others' words, and is private: after it was read, nothing goes out unasked.
    brings_words = Traits(untrusted=True)
    return FunctionToolset(
        "memory",
        [
            function_tool(
                "memory_search",
                "Look for what the person said or told before.",
                "read",
                Search,
                search,
                brings_words,
            ),
            function_tool(
                "memory_list", "The facts remembered of the person.", "read", Listing, listing, brings_words
            ),
            function_tool(
                "memory_remember",
                "Remember one statement of the person for later, when they ask for that.",
                "write",
                Remember,
                remember,
            ),
        ],
    )


def _draft(text: str, scope: Scope, context: RunContext, now: datetime) -> MemoryDraft:
    """A statement that the person wants to be remembered."""
    return MemoryDraft(
        scope=scope,
        role="user",
        text=text,
        at=now,
        conversation_id=context.conversation_id,
        person_id=context.person_id,
        source="tool",
        kind="semantic",
        provenance=(f"run:{context.run_id}",),
        slot=f"note:{' '.join(words(text))[:60]}",
        value=text,
    )


def _kind(context: RunContext) -> ConversationKind:
    return "private" if context.is_private else "group"


def _line(memory: Memory | Hit) -> str:
    return f"#{memory.id} {memory.at:%Y-%m-%d} {_short(memory.text)}"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _SNIPPET else flat[: _SNIPPET - 1] + "…"
