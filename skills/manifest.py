"""What a SKILL.md file says of its skill: the open Agent Skills standard and the fields of this house.

A fault names file and line. A fatal one makes the skill unusable, so that a skill never loses a limit by
being half read; the others are told by `skills check` and the skill works.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from typing_extensions import override

TriggerKind = Literal["always", "keyword", "regex", "intent", "manual"]
Trust = Literal["trusted", "reviewed", "untrusted"]
System = Literal["linux", "macos", "windows"]
Mode = Literal["semantic", "always", "manual", "off"]

MAX_DESCRIPTION = 1024


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a file, and where."""

    path: str
    line: int
    text: str
    hint: str = ""
    fatal: bool = True

    @override
    def __str__(self) -> str:
        told = f"{self.path}:{self.line}: {self.text}" + (f"; {self.hint}" if self.hint else "")
        # One line, whatever a file or its name holds.
        return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in told)


@dataclass(frozen=True, slots=True)
class Trigger:
    """A deterministic reason to choose a skill; `pattern` is empty for `always` and `manual`."""

    kind: TriggerKind
    pattern: str = ""
    case_sensitive: bool = False


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value that a skill's text refers to as `{{name}}`."""

    name: str
    type: str = "string"
    description: str = ""
    required: bool = False
    default: object = None
    has_default: bool = False
    example: object = None
    choices: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class Requires:
    """What must be there for a skill to work: programs, environment variables, a Python, a key."""

    bins: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    python: str = ""
    api_key: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill, as its file says it.

    `allowed_tools` is None where the file names none: then only tools that look are left to it. `body` are
    its instructions; `digest` is the SHA-256 of its whole folder. `context_chars` is what it may take of
    the prompt, 0 where it does not say.
    """

    name: str
    description: str
    body: str
    folder: Path
    line: int = 1  # of its name in its file
    digest: str = ""
    license: str = ""
    version: str = ""
    author: str = ""
    compatibility: str = ""
    mode: Mode = "semantic"
    trust: Trust = "reviewed"
    priority: int = 0
    triggers: tuple[Trigger, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    allowed_tools: tuple[str, ...] | None = None
    dependencies: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    os: tuple[System, ...] = ()
    requires: Requires = Requires()
    context_chars: int = 0
    metadata: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_always(self) -> bool:
        return self.mode == "always" or any(trigger.kind == "always" for trigger in self.triggers)

    @property
    def is_manual(self) -> bool:
        """Whether it is used only when a person names it."""
        kinds = {trigger.kind for trigger in self.triggers}
        return self.mode == "manual" or kinds == {"manual"}
