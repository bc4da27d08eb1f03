"""The words of /memory: its verbs in five languages, and how memories are named and shown."""

from bot.commands.base import Call, Context
from bot.commands.forget_words import EVERYTHING
from bot.events.types import Event
from memory.own import Whose
from memory.record import Memory, MemoryId

SNIPPET = 120

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
VERB_OF = {word: verb for verb, words in VERBS.items() for word in words}
ALL_WORDS = {EVERYTHING, "all", "me", "全部", "所有", "一切", "todo", "सब", "كل", "الكل"}


def whose_of(call: Call) -> Whose:
    """Of whom a command may tell, where it was given."""
    where = call.inbound.conversation
    return Whose.asking(where.kind, call.inbound.speaker.id, where.id)


def ids_in(words: str) -> list[MemoryId]:
    """The numbers in "12, #15"; none where anything else is said."""
    parts = words.replace(",", " ").replace("，", " ").split()
    numbers = [part.removeprefix("#") for part in parts]
    if not all(number.isascii() and number.isdigit() and len(number) < 18 for number in numbers):
        return []
    return [MemoryId(int(number)) for number in numbers]


def line_of(item: Memory) -> str:
    """A memory as it is listed."""
    return f"#{item.id} {item.at:%Y-%m-%d} {short(item.text)}"


def short(text: str) -> str:
    """A text in one short line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= SNIPPET else flat[: SNIPPET - 1].rstrip() + "…"


def record(context: Context, event: Event) -> None:
    """Note what was done."""
    if context.events is not None:
        context.events.record(event)
