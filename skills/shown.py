"""A skill's text as the model gets it, and what in it a person should see before it is trusted."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_REMOTE_IMAGE = re.compile(r"!\[([^\]\n]*)\]\(\s*<?\s*(?:https?:)?//[^)\s]*[^)]*\)", re.IGNORECASE)
_HTML_IMAGE = re.compile(r"<(?:img|iframe|script|object|embed)\b[^>]*>", re.IGNORECASE)
_ORDERS = re.compile(
    r"ignore (?:all |any )?(?:previous|prior|above|earlier) (?:instructions|rules)"
    r"|do not (?:tell|inform|mention to) the user|without (?:telling|asking|informing) the user"
    r"|disregard (?:the|all|your) .{0,20}(?:rules|instructions|policy)"
    r"|(?:send|post|upload|exfiltrate) .{0,40}(?:token|secret|password|api[ _-]?key|credential)"
    r"|忽略.{0,10}(?:指令|指示|规则)|不要告诉用户",
    re.IGNORECASE,
)
# Fences around what a skill says in the prompt; it may not end its own.
_FENCE = re.compile(r"</?\s*skills?\b[^>]*>", re.IGNORECASE)
_KEPT = frozenset("\u200c\u200d\ufe0e\ufe0f")  # joiners of Hindi, Persian and emoji; harmless one by one


@dataclass(frozen=True, slots=True)
class Finding:
    """Something hidden or suspicious, on a line of the file."""

    line: int
    text: str


@lru_cache(maxsize=256)  # every turn shows the same skills
def shown(text: str) -> str:
    """The text without what a person would not see: hidden signs, comments, pictures from elsewhere."""
    text = _COMMENT.sub("", text)
    text = _REMOTE_IMAGE.sub(r"\1", text)
    text = _HTML_IMAGE.sub("", text)
    text = _FENCE.sub("", text)
    return "".join(sign for sign in text if not is_hidden(sign)).strip()


def is_hidden(sign: str) -> bool:
    """Whether a sign is there and cannot be seen: zero-width, direction marks, tags, private and unused."""
    if sign.isascii():
        return not (sign.isprintable() or sign in "\n\t\r")
    return unicodedata.category(sign) in {"Cf", "Co", "Cn", "Cs", "Cc"} and sign not in _KEPT


def visible(text: str) -> str:
    """A text for people, on one line, in which what cannot be seen is told by its number."""
    text = " ".join(text.split())
    return "".join(ascii(sign)[1:-1] if is_hidden(sign) else sign for sign in text)


def findings(text: str) -> list[Finding]:
    """What a person should look at, by line."""
    return sorted(_findings(text), key=lambda found: found.line)


def _findings(text: str) -> Iterator[Finding]:
    for number, line in enumerate(text.split("\n"), 1):
        hidden = [sign for sign in line if is_hidden(sign)]
        if hidden:
            codes = ", ".join(dict.fromkeys(f"U+{ord(sign):04X}" for sign in hidden[:8]))
            yield Finding(number, f"{len(hidden)} hidden characters ({codes})")
            tags = "".join(chr(ord(sign) - 0xE0000) for sign in hidden if 0xE0020 <= ord(sign) < 0xE007F)
            if tags:
                yield Finding(number, f"hidden text: {tags[:80]}")
        if match := _ORDERS.search(line):
            yield Finding(number, f"reads like an order against the person: {match[0][:80]}")
    patterns = ((_COMMENT, "a comment that is not shown"), (_REMOTE_IMAGE, "a picture from elsewhere"))
    for pattern, told in (*patterns, (_HTML_IMAGE, "an element that loads something")):
        for match in pattern.finditer(text):
            excerpt = " ".join(match[0].split())[:80]
            yield Finding(text.count("\n", 0, match.start()) + 1, f"{told}: {excerpt}")
