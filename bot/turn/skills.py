"""Which skills a turn works with: those its message chooses, or the one it names with `/skill NAME …`."""

import re
from dataclasses import replace

from bot.domain.conversation import Inbound
from bot.domain.message import Text
from bot.domain.ports import Clock
from bot.domain.run import Run
from bot.events.log import EventLog
from bot.events.types import SkillsChosen
from skills.room import NONE, Chosen, Skills

_NAMED = re.compile(r"\s*/skill(?:@\w+)?\s+(?P<name>\S+)\s+(?P<text>\S.*)", re.DOTALL | re.IGNORECASE)


def named(text: str) -> tuple[str, str] | None:
    """The skill that a message names, and the rest of it; None where it is no `/skill NAME text`."""
    match = _NAMED.fullmatch(text)
    return None if match is None else (match["name"].strip("`'\"").lower(), match["text"])


def without_name(inbound: Inbound) -> Inbound:
    """The message as the model gets it: without the command in front."""
    found = named(inbound.text)
    if found is None:
        return inbound
    others = tuple(part for part in inbound.parts if not isinstance(part, Text))
    return replace(inbound, parts=(Text(found[1]), *others))


async def choose(run: Run, inbound: Inbound, skills: Skills | None, events: EventLog, clock: Clock) -> Chosen:
    """The skills for a message; none for a request that brings its own context."""
    if skills is None or inbound.conversation.kind == "stateless":
        return NONE
    began = clock.now()
    found = named(inbound.text)
    name, text = found or ("", inbound.text)
    chosen = await skills.chosen(text, named=name, listed=True, run_id=run.id)
    if chosen.names:
        ms = (clock.now() - began).total_seconds() * 1000
        events.record(
            SkillsChosen(
                run_id=run.id,
                conversation_id=run.conversation_id,
                skills=chosen.names,
                named=bool(name),
                ms=round(ms, 2),
            )
        )
    return chosen
