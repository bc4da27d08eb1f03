"""Whether a skill can work on this machine: its system, and what it requires."""

import re
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from skills.manifest import Skill

_SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows", "cygwin": "windows"}
_CONDITION = re.compile(r"\s*(>=|<=|==|>|<|~=)?\s*(\d+(?:\.\d+)*)\s*\+?\s*")


@dataclass(frozen=True, slots=True)
class Machine:
    """What skills are checked against."""

    environ: Mapping[str, str] = field(default_factory=dict)
    platform: str = sys.platform
    python: tuple[int, ...] = sys.version_info[:3]
    has_program: Callable[[str], object] = shutil.which


def obstacles(skill: Skill, machine: Machine) -> list[str]:
    """Why a skill cannot work here, one reason each; nothing where it can."""
    found = []
    system = _SYSTEMS.get(machine.platform, machine.platform)
    if skill.os and system not in skill.os:
        found.append(f"it is for {', '.join(skill.os)}, and this is {system}")
    needs = skill.requires
    found += [f"the program {name} is not installed" for name in needs.bins if not machine.has_program(name)]
    missing = [name for name in (*needs.env, *needs.api_key) if not machine.environ.get(name)]
    found += [f"the environment variable {name} is not set" for name in missing]
    if needs.python and not _satisfied(needs.python, machine.python):
        have = ".".join(map(str, machine.python))
        found.append(f"it needs Python {needs.python}, and this is {have}")
    return found


def needed(skill: Skill, skills: Mapping[str, Skill]) -> list[str]:
    """The skills that one needs, directly or not, nearest first; its own name where they form a circle."""
    order: dict[str, None] = {}
    waiting = list(skill.dependencies)
    while waiting:
        nearest = [name for name in dict.fromkeys(waiting) if name not in order]
        order |= dict.fromkeys(nearest)
        waiting = [inner for name in nearest if name in skills for inner in skills[name].dependencies]
    return list(order)


def is_condition(text: str) -> bool:
    """Whether a text says which versions are meant, such as `>=3.11,<4`."""
    return all(_CONDITION.fullmatch(part) for part in text.split(","))


def _satisfied(condition: str, version: tuple[int, ...]) -> bool:
    """Whether a version fits conditions such as `>=3.11,<4`; what is no condition fits never."""
    for part in condition.split(","):
        match = _CONDITION.fullmatch(part)
        if match is None:
            return False
        wanted = tuple(int(number) for number in match[2].split("."))
        have = version[: len(wanted)]
        holds = {
            ">=": have >= wanted, "<=": have <= wanted, "==": have == wanted, ">": have > wanted,
            "<": have < wanted, "~=": have[: max(len(wanted) - 1, 1)] == wanted[:-1] and have >= wanted,
        }  # fmt: skip
        if not holds[match[1] or ">="]:
            return False
    return True
