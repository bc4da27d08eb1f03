"""/memory: what is remembered of the person who asks, and their rights over it.

Nothing is forgotten before it was shown: `forget` answers with what would go and a code, `yes` and the
code do it.
"""

import json
from collections.abc import Awaitable, Callable

from bot.commands.base import Answer, Call, Command, Context
from bot.commands.memory_forget import forget, no, yes
from bot.commands.memory_words import VERB_OF, ids_in, line_of, record, whose_of
from bot.delivery.buttons import Button
from bot.events.types import MemoryExported, MemoryRead, MemoryUpdated
from bot.i18n.catalogue import translate
from memory import own
from memory.facts import correct as correct_fact
from memory.facts import history as history_of
from memory.people import is_paused, pause
from memory.record import Memory, RecallQuery, readable
from memory.store import exported

PAGE = 20
EXPORTED = 100  # records in one answer; a button gives the next


async def memory(call: Call, context: Context) -> Answer | str:
    """Read the verb and do it."""
    if context.recall is None:
        return translate("memory.off", call.locale)
    word, _, rest = call.arguments.partition(" ")
    verb = VERB_OF.get(word.lower(), "" if word else "list")
    if not verb:
        return translate("memory.usage", call.locale)
    return await _DOING[verb](call, context, rest.strip())


async def _list(call: Call, context: Context, rest: str) -> Answer | str:
    before = int(rest) if rest.isascii() and rest.isdigit() and len(rest) < 18 else None
    whose, now = whose_of(call), context.clock.now()
    found = await context.store.read(own.facts, whose, limit=PAGE + 1, before=before, now=now)
    counts = await context.store.read(own.counts, whose)
    paused = await context.store.read(is_paused, whose.person_id)
    await _read(call, context, len(found))
    lines = [line_of(item) for item in found[:PAGE]]
    text = translate("memory.list", call.locale, facts="\n".join(lines)) if lines else ""
    text = text or translate("memory.nothing", call.locale)
    text += "\n\n" + translate("memory.said", call.locale, count=counts.said)
    if paused:
        text += "\n" + translate("memory.is_paused", call.locale)
    text += "\n\n" + translate("memory.usage", call.locale)
    buttons: list[tuple[Button, ...]] = []
    if len(found) > PAGE:
        more = Button(translate("memory.button_more", call.locale), f"/memory list {found[PAGE - 1].id}")
        buttons.append((more,))
    toggle = "resume" if paused else "pause"
    buttons.append((
        Button(translate(f"memory.button_{toggle}", call.locale), f"/memory {toggle}"),
        Button(translate("memory.button_export", call.locale), "/memory export"),
    ))
    return Answer(text, tuple(buttons))


async def _search(call: Call, context: Context, rest: str) -> str:
    if not rest:
        return translate("memory.usage", call.locale)
    whose = whose_of(call)
    found = (await context.store.read(own.matching, whose, own.Phrase(rest)))[:PAGE]
    if len(found) < PAGE and context.recall is not None:
        where = call.inbound.conversation
        scopes = readable(where.kind, whose.person_id, where.id)
        hits = await context.recall.recall(RecallQuery(rest, scopes, context.clock.now(), limit=PAGE))
        known = {item.id for item in found}
        ids = [hit.id for hit in hits if hit.id not in known]
        found += (await context.store.read(own.of_ids, whose, ids))[: PAGE - len(found)]
    await _read(call, context, len(found))
    if not found:
        return translate("memory.not_found", call.locale)
    return translate("memory.found", call.locale, found="\n".join(line_of(item) for item in found))


async def _correct(call: Call, context: Context, rest: str) -> str:
    number, _, text = rest.partition(" ")
    item = await _one(call, context, number)
    if item is None or not text.strip():
        return translate("memory.unknown" if text.strip() else "memory.correct_usage", call.locale)
    new = await context.store.write(correct_fact, item, text.strip(), context.clock.now())
    record(context, MemoryUpdated(person_id=call.inbound.speaker.id, count=1))
    if new is None:
        return translate("memory.rejected", call.locale)
    return translate("memory.corrected", call.locale, id=new)


async def _history(call: Call, context: Context, rest: str) -> str:
    item = await _one(call, context, rest)
    if item is None:
        return translate("memory.unknown", call.locale)
    versions = await context.store.read(history_of, item)
    await _read(call, context, len(versions))
    return translate("memory.history", call.locale, found="\n".join(line_of(one) for one in versions))


async def _pause(call: Call, context: Context, rest: str) -> str:
    return await _set_paused(call, context, paused=True)


async def _resume(call: Call, context: Context, rest: str) -> str:
    return await _set_paused(call, context, paused=False)


async def _set_paused(call: Call, context: Context, *, paused: bool) -> str:
    person = call.inbound.speaker.id
    await context.store.write(pause, person, context.clock.now(), paused=paused)
    record(context, MemoryUpdated(person_id=person, paused=paused))
    return translate("memory.paused" if paused else "memory.resumed", call.locale)


async def _export(call: Call, context: Context, rest: str) -> Answer | str:
    after = int(rest) if rest.isascii() and rest.isdigit() and len(rest) < 18 else 0
    found = await context.store.read(own.page_after, whose_of(call), limit=EXPORTED + 1, after=after)
    records = found[:EXPORTED]
    record(context, MemoryExported(person_id=call.inbound.speaker.id, count=len(records)))
    lines = "\n".join(json.dumps(exported(item), ensure_ascii=False) for item in records)
    if not lines:
        return translate("memory.nothing", call.locale)
    if len(found) == len(records):
        return translate("memory.export", call.locale, count=len(records)) + f"\n\n```json\n{lines}\n```"
    following = f"/memory export {records[-1].id}"
    text = translate("memory.export_part", call.locale, count=len(records), command=following)
    more = Button(translate("memory.button_more", call.locale), following)
    return Answer(f"{text}\n\n```json\n{lines}\n```", ((more,),))


async def _one(call: Call, context: Context, number: str) -> Memory | None:
    ids = ids_in(number)
    found = await context.store.read(own.of_ids, whose_of(call), ids) if len(ids) == 1 else []
    return found[0] if found else None


async def _read(call: Call, context: Context, hits: int) -> None:
    record(context, MemoryRead(person_id=call.inbound.speaker.id, hits=hits, mode="own", ms=0.0))


_DOING: dict[str, Callable[[Call, Context, str], Awaitable[Answer | str]]] = {
    "list": _list,
    "search": _search,
    "correct": _correct,
    "history": _history,
    "forget": forget,
    "yes": yes,
    "no": no,
    "pause": _pause,
    "resume": _resume,
    "export": _export,
}

COMMANDS = (Command("memory", memory),)
