"""/memory forget, yes and no: nothing is forgotten before it was shown."""

from bot.commands.base import Answer, Call, Context
from bot.commands.memory_words import ALL_WORDS, ids_in, line_of, record, short, whose_of
from bot.delivery.buttons import Button, Rows
from bot.events.types import MemoryDeleted
from bot.i18n.catalogue import translate
from bot.schedule.privacy import erase as erase_tasks
from bot.turn import forgetting
from bot.turn.forgetting import Found, Selection
from memory.people import offer, take, withdraw

PREVIEWED = 10  # of what would be forgotten, the rest is counted


async def forget(call: Call, context: Context, rest: str) -> Answer | str:
    """Show what would go."""
    if not rest:
        return translate("memory.forget_usage", call.locale)
    whose, everything = whose_of(call), rest.lower() in ALL_WORDS
    ids = ids_in(rest)
    if everything:
        found = await context.store.read(forgetting.find_everything, whose)
    elif ids:
        found = await context.store.read(forgetting.find_ids, whose, ids)
    else:
        found = await context.store.read(forgetting.find, whose, rest)
    if not len(found) and not everything:
        return translate("memory.not_found", call.locale)
    wish = {
        "memories": [] if everything else list(found.selection.memories),
        "messages": [] if everything else list(found.selection.messages),
        "everything": everything,
        "group": whose.group,
    }
    code = await context.store.write(offer, whose.person_id, wish, context.clock.now())
    key = "memory.preview_all" if everything else "memory.preview"
    text = translate(key, call.locale, count=len(found), found=_preview(found, call.locale), code=code)
    return Answer(text, _confirmation(code, call.locale))


def _confirmation(code: str, locale: str) -> Rows:
    return (
        (
            Button(translate("memory.button_yes", locale), f"/memory yes {code}"),
            Button(translate("memory.button_no", locale), "/memory no"),
        ),
    )


def _preview(found: Found, locale: str) -> str:
    lines = [line_of(item) for item in found.memories]
    lines += [f"– {line.at:%Y-%m-%d} {short(line.text)}" for line in found.messages]
    more = len(lines) - PREVIEWED
    if more > 0:
        lines = [*lines[:PREVIEWED], translate("memory.more", locale, count=more)]
    return "\n".join(lines)


async def yes(call: Call, context: Context, rest: str) -> str:
    """Do what was shown."""
    whose, now = whose_of(call), context.clock.now()
    wish = await context.store.write(take, whose.person_id, rest, now)
    if wish is None or wish["group"] != whose.group:
        return translate("memory.too_late", call.locale)
    selection = Selection(tuple(wish["memories"]), tuple(wish["messages"]), wish["everything"])
    if selection.everything and whose.group is None:
        await context.store.write(erase_tasks, whose.person_id, now)
    gone = await forgetting.forget_for_good(context.store, context.shelf, whose, selection, now)
    everything = selection.everything
    record(context, MemoryDeleted(memories=gone.memories, messages=gone.messages, everything=everything))
    return translate("memory.forgotten", call.locale, memories=gone.memories, messages=gone.messages)


async def no(call: Call, context: Context, rest: str) -> str:
    """Leave everything as it is."""
    await context.store.write(withdraw, call.inbound.speaker.id)
    return translate("memory.kept", call.locale)
