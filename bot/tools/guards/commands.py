"""The command guard: may a command line run without a person having seen it?

The answer is yes only for one plain program of a short list with options and files that are known to
look and not to touch. A line that can't be read fully, or that a shell would read further, is asked
about, whole; one that would not be shown as it is, is refused. There is no list of bad commands:
such lists are passed by in a hundred ways.
"""

import re
import shlex
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.tools.guards.paths import judge_path
from bot.tools.guards.verdict import ALLOW, Verdict, ask, deny

MAX_COMMAND = 4096  # characters that a person can still read before saying yes

# Whatever a shell might expand, join, redirect, quote or read on.
_SHELL_MARKS = re.compile(r"[;&|<>()$`\\*?\[\]{}!#~^%'\"=]")
_WORD = re.compile(r"[\w.,/@:+ -]+")


@dataclass(frozen=True, slots=True)
class _Program:
    """`options`: single options it may be given; `numbers`: those followed by a number; `files`: whether
    plain words are files (of the workspace) or just words (`None`: no words at all)."""

    options: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    words: Callable[[str], bool] | None = None


def _is_file(word: str) -> bool:
    return word == "." or judge_path(word).allowed


def _is_plain(word: str) -> bool:
    return _WORD.fullmatch(word) is not None


def _letters(text: str) -> frozenset[str]:
    return frozenset(f"-{letter}" for letter in text)


# Each of these only prints, whatever its allowed options. `cat` of a file of the workspace is one;
# grep, sort, find, sed, awk, tar and the like are not: options of theirs read, write or run others.
_PROGRAMS = {
    "cat": _Program(_letters("nbs"), words=_is_file),
    "date": _Program(_letters("uR")),
    "echo": _Program(words=_is_plain),
    "head": _Program(_letters("qv"), _letters("nc"), _is_file),
    "ls": _Program(_letters("alhrtS1FRd"), words=_is_file),
    "pwd": _Program(),
    "tail": _Program(_letters("qv"), _letters("nc"), _is_file),
    "wc": _Program(_letters("lwmcL"), words=_is_file),
}


def judge_command(command: str) -> Verdict:
    """`allow` for a plain harmless line, `ask` for what a person may allow, `deny` for what deceives."""
    if not command.strip():
        return deny("there is no command")
    if len(command) > MAX_COMMAND:
        return deny(f"longer than {MAX_COMMAND} characters: nobody can read that before saying yes")
    if any(_deceives(mark) for mark in command):
        return deny("holds characters that hide a part of it on the screen")
    if "\n" in command or "\t" in command:
        return ask("it has several lines")
    if found := _SHELL_MARKS.search(command):
        return ask(f"it holds {found[0]!r}, which a shell may take further")
    if _SHELL_MARKS.search(unicodedata.normalize("NFKC", command)):
        return ask("it holds a sign that is taken for one of a shell")
    try:
        words = shlex.split(command)
    except ValueError:
        return ask("its quotes are not closed")
    return judge_argv(words)


def judge_argv(argv: Sequence[str]) -> Verdict:
    """The same for a command that is words already and goes to no shell."""
    if not argv:
        return deny("there is no command")
    if any(_deceives(mark) for word in argv for mark in word):
        return deny("holds characters that hide a part of it on the screen")
    program = _PROGRAMS.get(argv[0])
    if program is None:
        return ask(f"{argv[0][:80]} is not one of the programs that only look")
    words = iter(argv[1:])
    for word in words:
        if word in program.numbers:
            if not next(words, "").isdecimal():
                return ask(f"{word} wants a number")
        elif word.startswith("-"):
            if not _are_options(word, program):
                return ask(f"the option {word[:80]} of {argv[0]} is not one that only looks")
        elif program.words is None or not program.words(word):
            return ask(f"{word[:80]} is not a plain file of the workspace")
    return ALLOW


def _are_options(word: str, program: _Program) -> bool:
    """`-la` is `-l` and `-a`; long options may be shortened, so none is taken."""
    letters = word[1:]
    return bool(letters) and all(f"-{letter}" in program.options for letter in letters)


def _deceives(mark: str) -> bool:
    """Whether a character is not shown as itself: controls, direction marks, look-alike blanks."""
    if mark in " \n\t":
        return False
    return unicodedata.category(mark) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"}
