"""/skills: which there are and how they are used, for those who manage the bot. /skill: work with one."""

import asyncio
import shlex

from bot.commands.base import Answer, Call, Command, Context
from bot.delivery.buttons import Button
from bot.errors import XiaomaolvError
from bot.i18n.catalogue import translate
from bot.turn import skills as of_turns
from skills.offers import Wanted
from skills.room import Skills
from skills.shown import is_hidden

MOST_SHOWN = 40


async def skills(call: Call, context: Context) -> str | Answer:
    """ls, show, errors, install, accept, decline, enable, disable, approve, rm; without a word: ls."""
    room = context.skills
    if room is None:
        return translate("skills.off", call.locale)
    try:
        words = shlex.split(call.arguments) or ["ls"]
        return await _run(words, call, context, room)
    except ValueError:
        return translate("skills.usage", call.locale)
    except XiaomaolvError as error:
        return translate("skills.refused", call.locale, reason=str(error))


async def _run(words: list[str], call: Call, context: Context, room: Skills) -> str | Answer:
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
        case ["install" | "accept" | "decline", *_] if call.role != "owner":
            # What a skill says is said to the model in every chat, and a path may be any of this machine.
            return translate("skills.owner_only", call.locale)
        case ["install", source]:
            return await _offer(Wanted(source), call, room)
        case ["install", source, "--name", name]:
            return await _offer(Wanted(source, name), call, room)
        case ["accept", code]:
            done = await asyncio.to_thread(desk.offers.take, code, context.clock.now())
            await room.refresh()
            return translate("skills.installed", call.locale, name=done)
        case ["decline", code]:
            desk.offers.drop(code)
            return translate("skills.declined", call.locale)
        case ["enable" | "disable" | "approve" | "rm" as verb, name]:
            done = await asyncio.to_thread(desk.change, verb, name)
            await room.refresh()
            return translate(f"skills.done_{verb}", call.locale, name=done)
        case _:
            return translate("skills.usage", call.locale)


async def _offer(wanted: Wanted, call: Call, room: Skills) -> str | Answer:
    """What a skill is and may do, with buttons: installed is what was shown, and only then."""
    desk = await room.desk()
    offer = await asyncio.to_thread(desk.offers.show, wanted)
    if offer.is_installed:
        return translate("skills.is_installed", call.locale, name=offer.name)
    told = "\n".join(offer.lines).replace("```", "'''")
    lines = "".join(sign for sign in told if not is_hidden(sign))
    accept = f"/skills accept {offer.code}"
    text = translate("skills.offer", call.locale, lines=f"```\n{lines}\n```", command=accept)
    yes = Button(translate("skills.button_yes", call.locale), accept)
    no = Button(translate("skills.button_no", call.locale), f"/skills decline {offer.code}")
    return Answer(text, ((yes, no),))


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
