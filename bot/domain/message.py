"""One item of a conversation with a model, and what a model answers with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Image:
    """A picture: `url` may be an https address or a data: address."""

    url: str
    caption: str = ""


@dataclass(frozen=True, slots=True)
class File:
    """A file that came in; `ref` is the channel's own handle, `name` is cleaned for display.

    `kind` is how it was sent: document, photo, voice, audio, video, or another word for people. Without
    a `ref` it cannot be fetched.
    """

    name: str
    ref: str
    mime: str = "application/octet-stream"
    size: int | None = None  # bytes
    kind: str = "document"

    @property
    def is_sound(self) -> bool:
        """Whether it is something to hear."""
        return self.kind in {"voice", "audio"} or self.mime.startswith("audio/")

    @property
    def is_heard(self) -> bool:
        """Whether it is a sound whose words stand before it: it is not fetched again."""
        return self.is_sound and not self.ref


@dataclass(frozen=True, slots=True)
class Document:
    """What a file says, read out of it: data, not the speaker's own words. `cut`: it says more."""

    name: str
    text: str
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Quote:
    """What a message answers or passes on: somebody's words, as data, not the speaker's own.

    `author` is a name for display; `forwarded` says that the words were passed on, not answered.
    """

    author: str
    text: str
    forwarded: bool = False


@dataclass(frozen=True, slots=True)
class Reasoning:
    text: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's wish to call a tool. `arguments` is None when `raw` could not be read as an object."""

    id: str
    name: str
    arguments: Mapping[str, Any] | None
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that a tool brought. `caption` is one line, "" for none."""

    mime: str
    data: bytes = field(repr=False)
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Attached:
    """A file of the conversation, by its path there, that goes out with a reply."""

    path: str
    mime: str
    caption: str = ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call brought. `foreign`: others may have written it, whatever is true of its tool elsewise.

    `pictures` are taken out of it by the gate, which has them kept.
    """

    call_id: str
    name: str
    text: str
    is_error: bool = False
    foreign: bool = False
    pictures: tuple[Picture, ...] = ()


Part = Text | Image | File | Document | Quote | Reasoning | ToolCall | ToolResult


@dataclass(frozen=True, slots=True)
class Message:
    """One message as a model sees it. `name` tells speakers apart in groups."""

    role: Role
    parts: tuple[Part, ...]
    name: str | None = None

    @classmethod
    def of(cls, role: Role, text: str, name: str | None = None) -> "Message":
        return cls(role, (Text(text),), name)

    @property
    def text(self) -> str:
        """The visible words: the text parts, joined as they stand."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """What a model is told of a tool; `parameters` is a JSON Schema object."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    toolset: str = ""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What is asked of a model.

    `alias` is the stable name that routing maps to a provider. `max_tokens` bounds the answer.
    `answered` is text that was already shown of this answer: the model goes on from its end.
    `run_id` names the run it is for, in the record. `tool_choice` none: the tools are known, but must not be
    called any more. `form` is a JSON Schema that the answer is held to.
    """

    alias: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    tool_choice: Literal["auto", "none"] = "auto"
    temperature: float | None = None
    max_tokens: int | None = None
    answered: str = ""
    run_id: str = ""
    form: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them."""

    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(self.input_tokens + other.input_tokens, self.output_tokens + other.output_tokens)


FinishReason = Literal["stop", "length", "tool_calls", "content_filter", "broken"]


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of a model's answer. `broken`: the stream ended early after text was shown.

    `retracted`: so many characters at the start of the text given turned out to be reasoning (its
    closing tag came without an opening one); the final reply is the text after them.
    `used`: the tools that were at work for this answer.
    """

    reason: FinishReason
    model: str = ""
    provider: str = ""
    retracted: int = 0
    used: tuple[str, ...] = ()


ModelEvent = TextDelta | ReasoningDelta | ToolCall | Usage | Finished

ReplyStatus = Literal["complete", "stopped", "cut", "filtered", "empty", "failed", "waiting"]


@dataclass(frozen=True, slots=True)
class Choice:
    """Something a person may answer with one press: what is shown, and what it says."""

    label: str
    says: str


@dataclass(frozen=True, slots=True)
class Reply:
    """The final answer of a turn, as it is stored and delivered.

    `status` other than `complete` says why `text` may be short: stopped by the person, cut by the
    token limit or a broken stream, filtered by the provider, empty, or failed with `error_code`.
    `waiting`: it is not the end; a person is asked something first, and then the answer goes on.
    `choices` are for readers that can show them; the text says them, too. `pictures` were brought by
    tools and are shown with it.
    """

    text: str
    status: ReplyStatus = "complete"
    usage: Usage = field(default_factory=Usage)
    error_code: str | None = None
    choices: tuple[Choice, ...] = ()
    pictures: tuple[Attached, ...] = ()
