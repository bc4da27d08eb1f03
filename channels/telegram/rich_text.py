"""Words as Rich Markdown that reads back as the same words."""

import re

BREAK = "  \n"  # a line break within a paragraph
# What begins formatting anywhere; an underscore only at the border of a word, "=" only in company.
_MARKS = re.compile(
    r"[\\`*\[\]<$|~]"
    r"|(?<![^\W_])_|_(?![^\W_])"
    r"|=(?==)|(?<==)="
    r"|!$"
    r"|&(?=#?\w+;)"
)
# What begins a block where it stands first in a line.
_FIRST = re.compile(r"^(?:#{1,6}(?=\s|$)|>|[-+=:](?!\w)|\d{1,9}(?=[.)](?:\s|$)))", re.MULTILINE)
_URL = re.compile(r"https?://[^\s<>]+[^\s<>.,;:!?)\"'\]}*_~|]")
_ODD = re.compile(r"[()\s&]")
_TICKS = re.compile(r"`+")


def escape(text: str) -> str:
    """The text so that nothing in it is formatting. Addresses stay whole, for Telegram finds them."""
    out = []
    seen = 0
    for match in _URL.finditer(text):
        url = match.group()
        if (escaped := _escape(url)) != url:
            out += [_escape(text[seen : match.start()]), link(escaped, url)]
            seen = match.end()
    return "".join([*out, _escape(text[seen:])])


def _escape(text: str) -> str:
    return _MARKS.sub(r"\\\g<0>", text)


def escape_lines(text: str) -> str:
    """A paragraph of which no line begins another block."""
    return _FIRST.sub(_escape_first, text)


def _escape_first(match: re.Match[str]) -> str:
    mark = match.group()
    return f"{mark}\\" if mark.isdigit() else f"\\{mark}"


def link(label: str, url: str) -> str:
    """A link; `label` is Markdown already. An address that is its own label needs no more."""
    if label == url:
        return url
    target = url.replace("\\", "%5C").replace("<", "%3C").replace(">", "%3E")
    return f"[{label}](<{target}>)" if _ODD.search(target) else f"[{label}]({target})"


def code_span(content: str) -> str:
    """Words in fixed width."""
    ticks = "`" * (max((len(run) for run in _TICKS.findall(content)), default=0) + 1)
    pad = " " if content[:1] in {"`", " "} or content[-1:] in {"`", " "} else ""
    if not content.strip():
        pad = ""
    return f"{ticks}{pad}{content}{pad}{ticks}"


def fenced(content: str, language: str = "") -> str:
    """A code block."""
    fence = "`" * max(3, max((len(run) for run in _TICKS.findall(content)), default=0) + 1)
    return f"{fence}{language}\n{content}\n{fence}"
