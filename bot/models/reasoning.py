"""Tells a model's reasoning in `<think>` tags from its answer, while it streams."""

import re
from typing import Literal

from bot.domain.message import ReasoningDelta, TextDelta

Piece = TextDelta | ReasoningDelta

_TAG = re.compile(r"</?think(?:ing)?>", re.IGNORECASE)
_OPENER = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_CLOSER = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_TAGS = ("<think>", "</think>", "<thinking>", "</thinking>")
_LONGEST = max(map(len, _TAGS))
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
# What follows a tag that is only spoken of: "the </think> tag", "closed by </think>."
_GOES_ON = re.compile(r"""[ \t\r]*[a-z.,;:!?)\]'"`’”]""")
_MOST_HELD = 20_000
_SPACE = " \t\r"
_QUOTES = "`'\"“‘("


class ThinkSplitter:
    """Splits the text of an answer, in pieces of any size, into what is shown and what is not.

    Reasoning is a block that opens the answer, follows another block, or opens on a line of its own
    outside code. A tag in code, in quotes or in the middle of a sentence is text. What precedes a
    closing tag without an opening one is reasoning too; what of it was already given as text is
    counted in `retracted` (characters at the start of the text given so far). With `opener_missing`
    the text is held back until that closing tag (20,000 characters at most): for models known to
    leave the opening one out.

    Nothing is held back but what may be the beginning of a tag, and white space before one.
    """

    def __init__(self, *, opener_missing: bool = False) -> None:
        self.retracted = 0
        self.opener_missing = False  # seen in this answer
        self.unclosed = False
        self._state: Literal["start", "text", "think", "hold"] = "hold" if opener_missing else "start"
        self._trim = False  # white space after a closed block is not part of the answer
        self._orphan_possible = True
        self._pending = ""
        self._given = ""  # the text given so far, while it may turn out to be reasoning
        self._thought = ""  # of the open block: shown after all if it never closes
        self._shown = False
        self._code = _CodeTracker()
        self._out: list[Piece] = []

    def told_apart(self) -> None:
        """The provider keeps reasoning apart itself: an orphan tag is then no reasoning."""
        self._orphan_possible = False
        if self._state == "hold":
            self._state = "start"

    def feed(self, text: str) -> list[Piece]:
        """What can be told of this piece."""
        if not text:
            return []
        if self._state == "text" and not self._pending and "<" not in text:
            self._emit(text)
        else:
            self._pending += text
            self._run(at_end=False)
        return self._taken()

    def end(self, *, show_unclosed: bool) -> list[Piece]:
        """The rest. A block that never closed is shown if it is all there is and `show_unclosed`."""
        if self._state == "hold":
            self._state = "start"
        self._run(at_end=True)
        if self._state == "think":
            self.unclosed = True
            if show_unclosed and not self._shown and self._thought.strip():
                self._out.append(TextDelta(self._thought.strip()))
        return self._taken()

    def _taken(self) -> list[Piece]:
        out, self._out = self._out, []
        return out

    def _run(self, *, at_end: bool) -> None:
        steps = {"start": self._start, "text": self._text, "think": self._think, "hold": self._hold}
        while self._pending and steps[self._state](at_end=at_end):
            pass

    # Each step takes something from `_pending` and says whether there may be more to take.

    def _start(self, *, at_end: bool) -> bool:
        """Before any visible word: a block may open here."""
        words = self._pending.lstrip()
        if match := _OPENER.match(words):
            self._open(words[match.end() :])
            return True
        if not at_end and (not words or _may_become_tag(words)):
            return False
        self._state = "text"
        self._pending = words if self._trim else self._pending
        return True

    def _hold(self, *, at_end: bool) -> bool:
        if _OPENER.match(self._pending.lstrip()):
            self._state = "start"
            return True
        if (match := _CLOSER.search(self._pending, 0, _MOST_HELD)) is None:
            if len(self._pending) < _MOST_HELD:
                return False
            self._state = "start"
            return True
        rest = self._pending[match.end() :]
        self.opener_missing = True
        self._give_thought(match.start())
        self._orphan_possible = False
        self._close(rest)
        return True

    def _open(self, rest: str) -> None:
        self._pending = rest
        self._thought = ""
        self._state = "think"
        self._orphan_possible = False

    def _close(self, rest: str) -> None:
        self._pending = rest
        self._state = "start"
        self._trim = True
        self._code = _CodeTracker()

    def _think(self, *, at_end: bool) -> bool:
        for match in _CLOSER.finditer(self._pending):
            before = self._pending[match.start() - 1 : match.start()] or self._thought[-1:]
            if before == "`":
                # Quoted in the reasoning, if a quote follows; that may be still to come.
                if match.end() == len(self._pending) and not at_end:
                    self._give_thought(match.start())
                    return False
                if self._pending[match.end() : match.end() + 1] == "`":
                    continue
            rest = self._pending[match.end() :]
            self._give_thought(match.start())
            self._close(rest)
            return True
        self._give_thought(len(self._pending) if at_end else _end_without_tag(self._pending))
        return False

    def _give_thought(self, end: int) -> None:
        if thought := self._pending[:end]:
            self._thought += thought
            self._out.append(ReasoningDelta(thought))
        self._pending = self._pending[end:]

    def _text(self, *, at_end: bool) -> bool:
        match = _TAG.search(self._pending)
        if match is None:
            end = len(self._pending) if at_end else _end_without_tag(self._pending)
            self._emit(self._pending[:end])
            self._pending = self._pending[end:]
            return False
        self._emit(self._pending[: match.start()])
        tag = match[0]
        rest = self._pending[match.end() :]
        self._pending = tag + rest
        if not rest.strip(_SPACE) and not at_end:
            return False  # what follows decides
        if tag[1] != "/" and self._opens(rest):
            self._open(rest)
        elif tag[1] == "/" and self._closes_orphan(rest):
            self._retract()
            self._close(rest)
        else:
            self._emit(tag)
            self._pending = rest
        return True

    def _opens(self, rest: str) -> bool:
        on_own_line = rest.lstrip(_SPACE).startswith("\n")
        return on_own_line and self._code.at_line_start and not self._code.inside

    def _closes_orphan(self, rest: str) -> bool:
        if not self._orphan_possible or self._code.inside:
            return False
        before = self._given[-1:]
        if before and before in _QUOTES:
            return False
        if before.isspace() and before != "\n":
            return bool(rest.strip(_SPACE)) and not _GOES_ON.match(rest)
        return True

    def _retract(self) -> None:
        """All text so far was reasoning; what was not handed out yet is silently taken back."""
        self.opener_missing = True
        handed_in = sum(len(piece.text) for piece in self._out if isinstance(piece, TextDelta))
        self._out = [piece for piece in self._out if not isinstance(piece, TextDelta)]
        self.retracted = len(self._given) - handed_in
        if self._given:
            self._out.append(ReasoningDelta(self._given))
        self._orphan_possible = False
        self._given = ""
        self._shown = False

    def _emit(self, text: str) -> None:
        if not text:
            return
        self._code.follow(text)
        self._shown = self._shown or not text.isspace()
        if self._orphan_possible:
            self._given += text
        self._out.append(TextDelta(text))


class _CodeTracker:
    """Knows whether the end of a Markdown text stands inside code."""

    def __init__(self) -> None:
        self._fence = ""
        self._head = ""  # the first characters of the line
        self._inline = False

    @property
    def inside(self) -> bool:
        return bool(self._fence) or self._inline or _FENCE.match(self._head) is not None

    @property
    def at_line_start(self) -> bool:
        return not self._head.strip()

    def follow(self, text: str) -> None:
        *lines, last = text.split("\n")
        for line in lines:
            self._add(line)
            self._end_line()
        self._add(last)

    def _add(self, text: str) -> None:
        if len(self._head) < 12:
            self._head += text[: 12 - len(self._head)]
        if text.count("`") % 2:
            self._inline = not self._inline

    def _end_line(self) -> None:
        if match := _FENCE.match(self._head):
            if not self._fence:
                self._fence = match[1]
            elif match[1].startswith(self._fence[:3]):
                self._fence = ""
        self._head = ""
        self._inline = False


def _may_become_tag(text: str) -> bool:
    start = text.lower()
    return any(tag.startswith(start) for tag in _TAGS)


def _end_without_tag(text: str) -> int:
    """Where the longest ending that may become a tag begins."""
    at = text.rfind("<", max(0, len(text) - _LONGEST))
    return at if at >= 0 and _may_become_tag(text[at:]) else len(text)
