"""What a skill leaves of the tools: it can narrow what a person may do, never widen it."""

from skills.manifest import Skill

# With these a skill looks at itself; it always may.
OWN = frozenset({"load_skill", "read_skill_file"})
LOOKING = frozenset({"effect:pure", "effect:read"})

# Names that skills written for other products use, and the words here that come closest.
_ALIASES: dict[str, frozenset[str]] = {
    "read": frozenset({"files", "effect:read"}),
    "grep": frozenset({"files"}),
    "glob": frozenset({"files"}),
    "write": frozenset({"files"}),
    "edit": frozenset({"files"}),
    "webfetch": frozenset({"web", "net"}),
    "websearch": frozenset({"web"}),
    "fs.read": frozenset({"files"}),
    "fs.write": frozenset({"files"}),
    "net_httprequest": frozenset({"net"}),
    "http": frozenset({"net"}),
}
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
        elif alias in _ALIASES:
            found |= _ALIASES[alias]
        found.add(entry)
    return frozenset(found)
