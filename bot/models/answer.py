"""Reads a provider's answer, chunk by chunk or whole, into model events."""

import re
from collections.abc import Mapping
from typing import Any

from bot.domain.message import (
    Finished,
    FinishReason,
    ModelEvent,
    ReasoningDelta,
    TextDelta,
    Usage,
)
from bot.models.reasoning import ThinkSplitter
from bot.models.tool_calls import ToolCallAssembler

# Nobody sees them, a terminal obeys them, and PostgreSQL takes no NUL.
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_MOST_TOKENS = 10**12  # no answer has so many, and sums of them are kept in columns
_FINISH: Mapping[str, FinishReason] = {
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "tool_calls": "tool_calls",
    "tool_use": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
    "safety": "content_filter",
    "recitation": "content_filter",
    "refusal": "content_filter",
    "sensitive": "content_filter",
}


class AnswerReader:
    """Takes chunks (parsed JSON of any shape, nothing is trusted) and gives events.

    `progress` counts chunks that brought content of any kind: keep-alives and empty chunks do not.
    `has_finished` says that the provider told why it ended; `shown` that visible words were given.
    """

    def __init__(self, *, opener_missing: bool = False) -> None:
        self.progress = 0
        self.has_finished = False
        self.shown = False
        self.model = ""
        self.usage: Usage | None = None
        self.splitter = ThinkSplitter(opener_missing=opener_missing)
        self._reason: FinishReason = "stop"
        self._calls = ToolCallAssembler()
        self._half = ""

    def read(self, chunk: Any) -> list[ModelEvent]:
        """The events that this chunk brings; [] for anything that is no chunk."""
        if not isinstance(chunk, dict):
            return []
        self._read_head(chunk)
        choices = chunk.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return []
        delta = choice["delta"] if "delta" in choice else choice.get("message")
        events = self._read_delta(delta) if isinstance(delta, dict) else []
        if isinstance(reason := choice.get("finish_reason"), str) and reason:
            self.has_finished = True
            self._reason = _FINISH.get(reason.lower(), "stop")
        return events

    def end(self, provider: str) -> list[ModelEvent]:
        """The last events of an answer that ended as it should, `Finished` among them."""
        calls = self._calls.calls()
        reason = self._reason
        if calls and reason == "stop":
            reason = "tool_calls"
        elif not calls and reason == "tool_calls":
            reason = "stop"
        show = not calls and reason == "stop"
        events = self._seen(
            self.splitter.feed("\ufffd" if self._half else "") + self.splitter.end(show_unclosed=show)
        )
        events += calls
        return [*events, *self._last(reason, provider)]

    def broken(self, provider: str) -> list[ModelEvent]:
        """The last events of an answer that broke off after words were shown."""
        events = self._seen(self.splitter.end(show_unclosed=False))
        return [*events, *self._last("broken", provider)]

    def _last(self, reason: FinishReason, provider: str) -> list[ModelEvent]:
        usage: list[ModelEvent] = [self.usage] if self.usage is not None else []
        return [*usage, Finished(reason, self.model, provider, self.splitter.retracted)]

    def _read_head(self, chunk: Mapping[str, Any]) -> None:
        if isinstance(model := chunk.get("model"), str) and model:
            self.model = model
        if isinstance(usage := chunk.get("usage"), dict):
            self.usage = Usage(_count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))

    def _read_delta(self, delta: Mapping[str, Any]) -> list[ModelEvent]:
        events: list[ModelEvent] = []
        thought, said = _words(delta.get("content"))
        hidden = _text(delta.get("reasoning_content")) or _text(delta.get("reasoning"))
        if hidden := hidden + thought:
            self.splitter.told_apart()
            events.append(ReasoningDelta(hidden))
        said = _CONTROLS.sub("", said + _text(delta.get("refusal")))
        if said and (said := self._take_half(said)):
            events += self._seen(self.splitter.feed(said))
        if self._calls.add(delta.get("tool_calls")) or hidden or said:
            self.progress += 1
        return events

    def _seen(self, events: list[TextDelta | ReasoningDelta]) -> list[ModelEvent]:
        if not self.shown:
            self.shown = any(isinstance(event, TextDelta) and event.text.strip() for event in events)
        return list(events)

    def _take_half(self, text: str) -> str:
        """Join an emoji whose two halves (surrogates) came in two chunks; lone ones are replaced."""
        if text.isascii() and not self._half:
            return text
        text, self._half = self._half + text, ""
        if text and "\ud800" <= text[-1] <= "\udbff" and len(text) < 1_000_000:
            text, self._half = text[:-1], text[-1]
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _count(value: Any) -> int:
    is_count = isinstance(value, int) and not isinstance(value, bool)
    return value if is_count and 0 < value <= _MOST_TOKENS else 0


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _words(content: Any) -> tuple[str, str]:
    """Reasoning and visible words of a content that is a string or a list of parts."""
    if not isinstance(content, list):
        return "", _text(content)
    thought, said = "", ""
    for part in content:
        if isinstance(part, str):
            said += part
        elif isinstance(part, dict) and part.get("type") in {"thinking", "reasoning"}:
            inner = part.get("thinking") or part.get("reasoning") or part.get("text")
            thought += "".join(_words(inner))
        elif isinstance(part, dict):
            said += _text(part.get("text"))
    return thought, said
