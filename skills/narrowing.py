"""What a skill leaves of the tools: it can narrow what a person may do, never widen it."""

from skills.manifest import Skill
from skills.tool_names import ALIASES

# With these a skill looks at itself; it always may.
OWN = frozenset({"load_skill", "read_skill_file"})
LOOKING = frozenset({"effect:pure", "effect:read"})

# Of these only what looks is meant, though the toolset can do more.
_ONLY_LOOKING = frozenset({"read", "grep", "glob", "fs.read"})


def permitted(skill: Skill) -> frozenset[str]:
    """Names of tools and toolsets, and `effect:…` for all tools of an effect.

    A file that names no tools leaves what only looks; an empty list leaves nothing. What stands in
    brackets behind a name belongs to another product and is not understood, so that entry gives nothing.
    """
    if skill.allowed_tools is None:
        return OWN | LOOKING
    found: set[str] = set(OWN)
    for entry in skill.allowed_tools:
        alias = entry.lower()
        if alias in _ONLY_LOOKING:
            found |= LOOKING
        elif alias in ALIASES:
            found |= ALIASES[alias]
        found.add(entry)
    return frozenset(found)
