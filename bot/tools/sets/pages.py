"""A web page as text: headings, paragraphs and lists as lines, what is hidden left out, links at the end."""

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

MAX_LINKS = 40
_MAX_STEPS_UP = 40  # from a word to its paragraph; deeper is an attack or a broken page

_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "dd", "div", "dl", "dt", "fieldset", "figcaption",
    "figure", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre",
    "section", "table", "tbody", "td", "th", "thead", "tr", "ul",
})  # fmt: skip
_LEFT_OUT = (
    "script, style, noscript, template, svg, iframe, object, embed, canvas, head, nav, footer, dialog, "
    "[hidden], [aria-hidden=true], input, button, select, textarea"
)
_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?![.\d])"
)
_MARKS = {"h1": "# ", "h2": "## ", "h3": "### ", "h4": "#### ", "h5": "##### ", "h6": "###### ", "li": "- "}
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([a-zA-Z0-9_\-]{2,30})""", re.IGNORECASE)
_INVISIBLE = re.compile(
    "[\u00ad\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)
# The parser's time grows with the square of the depth; real pages stay below fifty.
_MAX_DEPTH = 1_000
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_NEVER_DEEP = frozenset({
    "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta", "option",
    "p", "param", "source", "td", "th", "tr", "track", "wbr",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    text: str
    links: tuple[tuple[str, str], ...]  # words, address

    @property
    def told(self) -> str:
        """The page in one text."""
        parts = [f"Title: {self.title}"] if self.title else []
        parts.append(self.text or "(The page has no text.)")
        if self.links:
            parts.append("Links:\n" + "\n".join(f"- {words}: {address}" for words, address in self.links))
        return "\n\n".join(parts)


def decoded(body: bytes, content_type: str) -> str:
    """The body as text: by what its header says, else what it says itself, else UTF-8."""
    named = re.search(r"charset\s*=\s*\"?([\w-]+)", content_type, re.IGNORECASE)
    declared = named[1] if named else None
    if declared is None and (found := _CHARSET.search(body[:2048])):
        declared = found[1].decode("ascii")
    try:
        return body.decode(declared or "utf-8", "replace")
    except (LookupError, UnicodeError):
        return body.decode("utf-8", "replace")


def read_page(html: str, url: str = "") -> Page:
    """The text of a page. Nothing of it runs, nothing is loaded."""
    if _is_too_deep(html):
        return Page("", _plain(re.sub(r"<[^<>]*>", " ", html)), ())
    tree = importlib.import_module("selectolax.lexbor").LexborHTMLParser(html)
    found = tree.css_first("head > title")
    title = _plain(found.text() if found is not None else "")[:300]
    for node in tree.css(_LEFT_OUT):
        node.decompose()
    for node in tree.css("[style]"):
        if _HIDDEN_STYLE.search((node.attributes.get("style") or "").lower()):
            node.decompose()
    body = tree.css_first("main, article") or tree.body
    if body is not None and tree.body is not None and len(body.text()) < 200:
        body = tree.body
    if body is None:
        return Page(title, "", ())
    return Page(title, "\n".join(_lines(body)), tuple(_links(body, url)))


def visible(text: str) -> str:
    """Text without characters that nobody sees: orders hide in them."""
    return _INVISIBLE.sub("", text)


def _is_too_deep(html: str) -> bool:
    depth = 0
    for tag in _TAG.finditer(html):
        if tag[2].lower() not in _NEVER_DEEP:
            depth += -1 if tag[1] else 1
            if depth > _MAX_DEPTH:
                return True
    return False


def _lines(body: Any) -> Iterator[str]:
    """The lines of a page; what stands in one block is one line."""
    line: list[str] = []
    block, mark = None, ""
    for node in body.traverse(include_text=True):
        if node.tag == "br":
            yield from _ended(line, mark)
            mark = ""
        if node.tag != "-text":
            continue
        here = _block_of(node)
        place = None if here is None else here.mem_id
        if place != block:
            yield from _ended(line, mark)
            block, mark = place, _MARKS.get(here.tag if here is not None else "", "")
        line.append(node.text_content or "")
    yield from _ended(line, mark)


def _ended(line: list[str], mark: str) -> Iterator[str]:
    text = _plain("".join(line))
    line.clear()
    if text:
        yield mark + text


def _block_of(node: Any) -> Any:
    parent = node.parent
    for _ in range(_MAX_STEPS_UP):
        if parent is None or parent.tag in _BLOCKS:
            break
        parent = parent.parent
    return parent


def _links(body: Any, url: str) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for node in body.css("a[href]"):
        words = _plain(node.text())[:80]
        address = urljoin(url, (node.attributes.get("href") or "").strip())
        if words and address.startswith(("http://", "https://")) and address not in seen:
            seen.add(address)
            yield words, address[:500]
        if len(seen) == MAX_LINKS:
            return


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", visible(text)).strip()
