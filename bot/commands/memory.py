"""/memory: what is remembered of the person who asks, and their rights over it.

Nothing is forgotten before it was shown: `forget` answers with what would go and a code, `yes` and the
code do it.
"""

import json
from collections.abc import Awaitable, Callable

from bot.commands.base import Answer, Call, Command, Context
from bot.commands.forget_words import EVERYTHING
from bot.delivery.buttons import Button, Rows
from bot.events.types import Event, MemoryDeleted, MemoryExported, MemoryRead, MemoryUpdated
from bot.i18n.catalogue import translate
from bot.turn import forgetting
from bot.turn.forgetting import Found, Selection
from memory import own
from memory.facts import correct as correct_fact
from memory.facts import history as history_of
from memory.own import Whose
from memory.people import is_paused, offer, pause, take, withdraw
from memory.record import Memory, MemoryId, RecallQuery, readable
from memory.store import exported

PAGE = 20
PREVIEWED = 10  # of what would be forgotten, the rest is counted
SNIPPET = 120
MOST_EXPORTED = 200  # records that fit a chat; the page and the command line give all

# What the verbs are called in the languages of the bot.
VERBS = {
    "list": ("list", "show", "列表", "查看", "lista", "ver", "सूची", "قائمة"),
    "search": ("search", "find", "搜索", "查找", "buscar", "खोज", "بحث"),
    "correct": ("correct", "edit", "更正", "修改", "corregir", "सुधार", "تصحيح"),
    "history": ("history", "历史", "historial", "इतिहास", "سجل"),
    "forget": ("forget", "delete", "忘记", "删除", "olvidar", "भूल", "انس", "حذف"),
    "yes": ("yes", "confirm", "是", "确认", "确定", "sí", "si", "हाँ", "نعم"),
    "no": ("no", "cancel", "keep", "否", "取消", "नहीं", "لا"),
    "pause": ("pause", "暂停", "pausar", "रोक", "إيقاف"),
    "resume": ("resume", "继续", "恢复", "reanudar", "जारी", "استئناف"),
    "export": ("export", "导出", "exportar", "निर्यात", "تصدير"),
}
_VERB_OF = {word: verb for verb, words in VERBS.items() for word in words}
_ALL_WORDS = {EVERYTHING, "all", "me", "全部", "所有", "一切", "todo", "सब", "كل", "الكل"}


async def memory(call: Call, context: Context) -> Answer | str:
    """Read the verb and do it."""
    if context.recall is None:
        return translate("memory.off", call.locale)
    word, _, rest = call.arguments.partition(" ")
    verb = _VERB_OF.get(word.lower(), "" if word else "list")
    if not verb:
        return translate("memory.usage", call.locale)
    return await _DOING[verb](call, context, rest.strip())


def _whose(call: Call) -> Whose:
    where = call.inbound.conversation
    return Whose.asking(where.kind, call.inbound.speaker.id, where.id)


async def _list(call: Call, context: Context, rest: str) -> Answer | str:
    before = int(rest) if rest.isascii() and rest.isdigit() and len(rest) < 18 else None
    whose, now = _whose(call), context.clock.now()
    found = await context.store.read(own.facts, whose, limit=PAGE + 1, before=before, now=now)
    counts = await context.store.read(own.counts, whose)
    paused = await context.store.read(is_paused, whose.person_id)
    await _read(call, context, len(found))
    lines = [_line(item) for item in found[:PAGE]]
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
    whose = _whose(call)
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
    return translate("memory.found", call.locale, found="\n".join(_line(item) for item in found))


async def _correct(call: Call, context: Context, rest: str) -> str:
    number, _, text = rest.partition(" ")
    item = await _one(call, context, number)
    if item is None or not text.strip():
        return translate("memory.unknown" if text.strip() else "memory.correct_usage", call.locale)
    new = await context.store.write(correct_fact, item, text.strip(), context.clock.now())
    _record(context, MemoryUpdated(person_id=call.inbound.speaker.id, count=1))
    if new is None:
        return translate("memory.rejected", call.locale)
    return translate("memory.corrected", call.locale, id=new)


async def _history(call: Call, context: Context, rest: str) -> str:
    item = await _one(call, context, rest)
    if item is None:
        return translate("memory.unknown", call.locale)
    versions = await context.store.read(history_of, item)
    await _read(call, context, len(versions))
    return translate("memory.history", call.locale, found="\n".join(_line(one) for one in versions))


async def _forget(call: Call, context: Context, rest: str) -> Answer | str:
    """Show what would go."""
    if not rest:
        return translate("memory.forget_usage", call.locale)
    whose, everything = _whose(call), rest.lower() in _ALL_WORDS
    ids = _ids(rest)
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
    lines = [_line(item) for item in found.memories]
    lines += [f"– {line.at:%Y-%m-%d} {_short(line.text)}" for line in found.messages]
    more = len(lines) - PREVIEWED
    if more > 0:
        lines = [*lines[:PREVIEWED], translate("memory.more", locale, count=more)]
    return "\n".join(lines)


async def _yes(call: Call, context: Context, rest: str) -> str:
    """Do what was shown."""
    whose, now = _whose(call), context.clock.now()
    wish = await context.store.write(take, whose.person_id, rest, now)
    if wish is None or wish["group"] != whose.group:
        return translate("memory.too_late", call.locale)
    selection = Selection(tuple(wish["memories"]), tuple(wish["messages"]), wish["everything"])
    gone = await context.store.write(forgetting.forget, whose, selection, now)
    await context.store.scrub()
    everything = selection.everything
    _record(context, MemoryDeleted(memories=gone.memories, messages=gone.messages, everything=everything))
    return translate("memory.forgotten", call.locale, memories=gone.memories, messages=gone.messages)


async def _no(call: Call, context: Context, rest: str) -> str:
    await context.store.write(withdraw, call.inbound.speaker.id)
    return translate("memory.kept", call.locale)


async def _pause(call: Call, context: Context, rest: str) -> str:
    return await _set_paused(call, context, paused=True)


async def _resume(call: Call, context: Context, rest: str) -> str:
    return await _set_paused(call, context, paused=False)


async def _set_paused(call: Call, context: Context, *, paused: bool) -> str:
    person = call.inbound.speaker.id
    await context.store.write(pause, person, context.clock.now(), paused=paused)
    _record(context, MemoryUpdated(person_id=person, paused=paused))
    return translate("memory.paused" if paused else "memory.resumed", call.locale)


async def _export(call: Call, context: Context, rest: str) -> str:
    found = await context.store.read(own.page, _whose(call), limit=MOST_EXPORTED + 1)
    records = found[:MOST_EXPORTED]
    _record(context, MemoryExported(person_id=call.inbound.speaker.id, count=len(records)))
    lines = "\n".join(json.dumps(exported(item), ensure_ascii=False) for item in reversed(records))
    if not lines:
        return translate("memory.nothing", call.locale)
    key = "memory.export_part" if len(found) > MOST_EXPORTED else "memory.export"
    return translate(key, call.locale, count=len(records)) + f"\n\n```json\n{lines}\n```"


async def _one(call: Call, context: Context, number: str) -> Memory | None:
    ids = _ids(number)
    found = await context.store.read(own.of_ids, _whose(call), ids) if len(ids) == 1 else []
    return found[0] if found else None


def _ids(words: str) -> list[MemoryId]:
    """The numbers in "12, #15"; none where anything else is said."""
    parts = words.replace(",", " ").replace("，", " ").split()
    numbers = [part.removeprefix("#") for part in parts]
    if not all(number.isascii() and number.isdigit() and len(number) < 18 for number in numbers):
        return []
    return [MemoryId(int(number)) for number in numbers]


def _line(item: Memory) -> str:
    return f"#{item.id} {item.at:%Y-%m-%d} {_short(item.text)}"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= SNIPPET else flat[: SNIPPET - 1].rstrip() + "…"


async def _read(call: Call, context: Context, hits: int) -> None:
    _record(context, MemoryRead(person_id=call.inbound.speaker.id, hits=hits, mode="own", ms=0.0))


def _record(context: Context, event: Event) -> None:
    if context.events is not None:
        context.events.record(event)


_DOING: dict[str, Callable[[Call, Context, str], Awaitable[Answer | str]]] = {
    "list": _list,
    "search": _search,
    "correct": _correct,
    "history": _history,
    "forget": _forget,
    "yes": _yes,
    "no": _no,
    "pause": _pause,
    "resume": _resume,
    "export": _export,
}

COMMANDS = (Command("memory", memory),)
