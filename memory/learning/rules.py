"""From a message to what it says of its speaker, by rules alone: no guess, no model."""

import re

from bot.text.lazy import Pattern
from memory.learning import chinese, english
from memory.learning.statement import Statement
from memory.privacy import holds_secret

MAX_CHARS = 1_200  # a longer message is something pasted
MAX_STATEMENTS = 6

_HAN = Pattern(r"[\u4e00-\u9fff]")
_CODE_OR_QUOTE = Pattern(r"```.*?(?:```|\Z)|`[^`\n]*`|^\s*>.*$", re.DOTALL | re.MULTILINE)
_SENTENCES = Pattern(r"(?<=[.!?。！？；;])(?:\s+|(?<=[。！？；]))|\n+")
_CLAUSES = Pattern(r"[，,、]|(?<=[。！？；])")
# Without one of these no rule can match: most messages are done with here.
_TELLING = Pattern(r"(?i)\b(?:i|i['’]m|my|me|remember|forget|note|mind)\b|我|记|忘")


def may_state(text: str) -> bool:
    """Whether it is worth looking: cheap, and wrong in one direction only."""
    return len(text) <= MAX_CHARS and _TELLING.search(text) is not None


def statements(text: str, *, group: bool = False) -> list[Statement]:
    """What a message says of its speaker, each thing once.

    In a group what is said of others is kept only where the speaker asked to remember it; it is then
    theirs, and less sure.
    """
    if not may_state(text):
        return []
    found: dict[str, Statement] = {}
    for sentence in _SENTENCES.split(_CODE_OR_QUOTE.sub(" ", text)):
        for statement in _of_sentence(sentence):
            if not holds_secret(statement.text):
                found.setdefault(statement.slot, _in_group(statement) if group else statement)
    return list(found.values())[:MAX_STATEMENTS]


def _of_sentence(sentence: str) -> list[Statement]:
    if not _HAN.search(sentence):
        return list(english.statements(sentence))
    if chinese.asks_to_remember(sentence):
        return list(chinese.statements(sentence.strip().rstrip("。！!")))
    clauses = (clause for clause in _CLAUSES.split(sentence) if clause.strip())
    return [statement for clause in clauses for statement in chinese.statements(clause.rstrip("。！!"))]


def _in_group(statement: Statement) -> Statement:
    if not statement.third:
        return statement
    return Statement(statement.slot, statement.value, statement.text, third=True, confidence=0.5)
