"""/skills: which there are and how they are used, for those who manage the bot. /skill: work with one."""

import asyncio
import shlex

from bot.commands.base import Call, Command, Context
from bot.errors import XiaomaolvError
from bot.i18n.catalogue import translate
from bot.turn import skills as of_turns
from skills.room import Skills

MOST_SHOWN = 40


async def skills(call: Call, context: Context) -> str:
    """ls, show, errors, enable, disable, approve, rm; without a word: ls."""
    room = context.skills
    if room is None:
        return translate("skills.off", call.locale)
    try:
        words = shlex.split(call.arguments) or ["ls"]
        return await _run(words, call, room)
    except ValueError:
        return translate("skills.usage", call.locale)
    except XiaomaolvError as error:
        return translate("skills.refused", call.locale, reason=str(error))


async def _run(words: list[str], call: Call, room: Skills) -> str:
    desk = await room.desk()
    match words:
        case ["ls"]:
            lines = [
                translate(
                    "skills.line",
                    call.locale,
                    name=item.name,
                    state=translate(f"skills.state_{item.state}", call.locale),
                    about="; ".join(item.against) or item.summary,
                )
                for item in desk.overview()[:MOST_SHOWN]
            ]
            return "\n".join(lines) or translate("skills.none", call.locale)
        case ["show", name]:
            return desk.told(name)
        case ["errors"]:
            return "\n".join(desk.errors()[:MOST_SHOWN]) or translate("skills.no_errors", call.locale)
        case ["enable" | "disable" | "approve" | "rm" as verb, name]:
            done = await asyncio.to_thread(desk.change, verb, name)
            await room.refresh()
            return translate(f"skills.done_{verb}", call.locale, name=done)
        case _:
            return translate("skills.usage", call.locale)


async def skill(call: Call, context: Context) -> str:
    """Without a text: what can be named. A name with a text is answered by the model, not here."""
    room = context.skills
    if room is None:
        return translate("skills.off", call.locale)
    desk = await room.desk()
    name = call.arguments.split(maxsplit=1)[0] if call.arguments else ""
    if name:
        try:
            return translate("skills.how", call.locale, name=name, about=desk.usable(name).description)
        except XiaomaolvError as error:
            return translate("skills.refused", call.locale, reason=str(error))
    usable = [item for item in desk.overview() if item.state == "ready"]
    lines = [f"/skill {item.name} – {item.summary}" for item in usable[:MOST_SHOWN]]
    return "\n".join(lines) or translate("skills.none", call.locale)


async def is_for_model(text: str, room: Skills | None) -> bool:
    """Whether a message names a skill that can be used, with something to do."""
    named = of_turns.named(text)
    if named is None or room is None:
        return False
    kept = (await room.desk()).find(named[0])
    return kept is not None and kept.is_usable


COMMANDS = (
    Command("skills", skills, admin=True, private=True),
    Command("skill", skill),
)
