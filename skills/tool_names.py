"""Names in `allowed-tools`: the tools of the product, and what a name that is none of them was meant for."""

from difflib import get_close_matches

_SETS: dict[str, str] = {
    "time": "time_datetime time_difference",
    "math": "math_calculator math_power math_statistics math_unit_converter",
    "text": "text_diff text_sort text_deduplicate text_filter"
    " regex_match regex_find regex_replace regex_extract",
    "net": "read_url net_httprequest",
    "web": "web_search",
    "files": "file_read file_list file_write file_copy file_delete",
    "memory": "memory_search memory_list memory_remember",
    "schedule": "schedule_create schedule_list schedule_pause schedule_resume schedule_delete",
    "skills": "load_skill read_skill_file run_skill_script",
}
TOOLSETS = frozenset(_SETS)
TOOLS = frozenset(" ".join(_SETS.values()).split())
_EFFECTS = frozenset(f"effect:{name}" for name in ("pure", "read", "write", "external", "destructive"))
KNOWN = TOOLSETS | TOOLS | _EFFECTS

# Names that skills written for other products use, and the words here that come closest.
ALIASES: dict[str, frozenset[str]] = {
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
_CLOSE = 0.8
_LONG = 6  # in shorter words one other letter makes another word: a server may well be called "timer"


def is_known(entry: str) -> bool:
    """Whether an entry means something here whatever MCP servers there are."""
    return entry in KNOWN or entry.lower() in ALIASES


def is_strange(entry: str) -> bool:
    """Whether an entry can mean no more than an MCP server's name, and may well mean nothing."""
    return not is_known(entry) and "__" not in entry and not meant(entry)


def meant(entry: str) -> str:
    """What a name that is none was meant for; "" where it may be that of a server, or of its tool."""
    if is_known(entry) or "__" in entry or "(" in entry:
        return ""
    plain = entry.lower().replace("-", "_")
    for name in sorted(KNOWN):
        if plain in {name, f"{name}s"} or f"{plain}s" == name or sorted(plain) == sorted(name):
            return name
    near = get_close_matches(plain, sorted(KNOWN), n=1, cutoff=_CLOSE) if len(plain) >= _LONG else []
    return near[0] if near else ""
