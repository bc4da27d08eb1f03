"""/task and /tz, and what is wished for later in plain words."""

import re
from dataclasses import replace

from bot.commands.base import Answer, Call, Command, Context
from bot.domain.conversation import Inbound
from bot.domain.message import Text
from bot.i18n.catalogue import translate
from bot.schedule.talk.desk import WITHOUT_BUTTONS
from bot.schedule.talk.wording import Said
from bot.turn.finish import Written
from bot.turn.rooms import Rooms

# A model that says so has set no reminder: only jobs remind.
_PROMISE = re.compile(
    r"\bI(?:'ll| will| am going to)\s+(?:be sure to\s+)?(?:remind|wake|ping|alert|notify)\s+you\b"
    r"|\b(?:reminder|alarm) (?:is|has been) (?:set|created)\b|\bI(?:'ve| have) set (?:a|an|the"
    r"|your) (?:reminder|alarm|timer)\b"
    r"|我(?:会|将|到时候?会)(?:在.{0,12})?(?:提醒|叫)你|到时候?(?:我会)?提醒你|(?:提醒"
    r"|闹钟)已(?:经)?(?:设|定)|已(?:经)?(?:为你|帮你)?设(?:置|定)?(?:好)?(?:了)?提醒"
    r"|\bte (?:lo )?recordar[eé]\b|he puesto (?:un recordatorio|una alarma)|سأذك[ّ]?رك"
    r"|मैं (?:आपको )?याद दिला(?:ऊँगा|ऊंगा|ऊँगी|ऊंगी|\s*दूँगा)",
    re.IGNORECASE,
)


async def task(call: Call, context: Context) -> str | Answer:
    """Tasks: shown, made, changed."""
    if context.talk is None:
        return translate("task.off", call.locale)
    return answer_of(await context.talk.command(call.inbound, call.run_id, call.arguments))


async def tz(call: Call, context: Context) -> str | Answer:
    """The time zone of who asks."""
    if context.talk is None:
        return translate("task.off", call.locale)
    return answer_of(await context.talk.zone(call.inbound, call.run_id, call.arguments))


async def in_words(inbound: Inbound, run_id: str, context: Context) -> Answer | None:
    """Answer what is wished for later; None for anything else."""
    if context.talk is None:
        return None
    said = await context.talk.take(_without_name(inbound, context.rooms), run_id)
    return None if said is None else replace(answer_of(said), keep=True)


async def afterwards(written: Written, run_id: str, context: Context) -> Written:
    """Offer a reminder where one may be wished for, and correct a model that promises one."""
    if context.talk is None or written.reply.status == "failed":
        return written
    if _PROMISE.search(written.reply.text):
        line = translate("task.no_promise", written.inbound.locale)
        written = replace(written, reply=replace(written.reply, text=f"{written.reply.text}\n\n{line}"))
    if written.inbound.conversation.channel in WITHOUT_BUTTONS:
        return written
    said = _without_name(written.inbound, context.rooms)
    return replace(written, buttons=await context.talk.offer(said, run_id))


def _without_name(inbound: Inbound, rooms: Rooms) -> Inbound:
    """A message without the name that the bot is called by in it: "Nova remind me at five"."""
    rest = rooms.called_with(inbound)
    found = rest and re.search(r"\s+".join(map(re.escape, rest.split())), inbound.text, re.IGNORECASE)
    return replace(inbound, parts=(Text(found.group()), *inbound.attachments)) if found else inbound


def answer_of(said: Said) -> Answer:
    """What the desk says, as a command's answer."""
    return Answer(said.text, said.buttons)


COMMANDS = (Command("task", task), Command("tz", tz))
