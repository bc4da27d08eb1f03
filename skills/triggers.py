"""Deterministic reasons to choose a skill: phrases, patterns, a named intent."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from bot.text.tokens import fold
from skills.manifest import Skill, Trigger
from skills.patterns import compiled

MAX_MESSAGE = 4000  # characters that patterns are tried on
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\u0e00-\u0e7f]")


@dataclass(frozen=True, slots=True)
class Fired:
    """What fired for one skill; `longest` is its longest pattern."""

    name: str
    patterns: tuple[str, ...]

    @property
    def longest(self) -> int:
        return max(map(len, self.patterns))


def fired(skills: Iterable[Skill], message: str, intent: str = "") -> list[Fired]:
    """The skills whose triggers fire, the winner first: longest pattern, more patterns, then name."""
    text = message[:MAX_MESSAGE]
    folded = fold(text)
    found = []
    for skill in skills:
        patterns = tuple(t.pattern for t in skill.triggers if t.pattern and _fires(t, text, folded, intent))
        if patterns:
            found.append(Fired(skill.name, patterns))
    return sorted(found, key=lambda hit: (-hit.longest, -len(hit.patterns), hit.name))


def fires(trigger: Trigger, message: str, intent: str = "") -> bool:
    """Whether a trigger fires. A phrase fires as whole words ("rm" not in "farm"), in scripts without
    spaces anywhere; an intent when it is exactly the one that was found."""
    return _fires(trigger, message, fold(message), intent)


def _fires(trigger: Trigger, message: str, folded: str, intent: str) -> bool:
    match trigger.kind:
        case "keyword":
            pattern = _phrase(trigger.pattern, trigger.case_sensitive)
            return pattern.search(message if trigger.case_sensitive else folded) is not None
        case "regex":
            found = compiled(trigger.pattern, exact=trigger.case_sensitive).search(message)
            return found is not None
        case "intent":
            return bool(intent) and fold(trigger.pattern) == fold(intent)
        case _:
            return False


@lru_cache(maxsize=1024)
def _phrase(pattern: str, exact: bool) -> re.Pattern[str]:
    wanted = pattern if exact else fold(pattern)
    inner = r"\s+".join(re.escape(word) for word in wanted.split())
    before = r"(?<!\w)" if _is_letter(wanted[0]) else ""
    after = r"(?!\w)" if _is_letter(wanted[-1]) else ""
    return re.compile(before + inner + after)


def _is_letter(sign: str) -> bool:
    return (sign.isalnum() or sign == "_") and not _CJK.match(sign)
