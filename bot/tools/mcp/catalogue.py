"""The tools of all servers under names and with schemas that providers take."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import structlog

from bot.domain.tool import Effect, Tool
from bot.tools.mcp.effects import effect_of, retry_of
from bot.tools.mcp.server import LONGEST_CALL, Offered, Server
from bot.tools.names import Origin, named
from bot.tools.repair import Unfit, repair

log = structlog.get_logger(__name__)

Kind = Literal["tool", "resources", "prompts"]

DESCRIPTION_CHARS = 4_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A tool and the server that does it."""

    tool: Tool
    server: Server
    kind: Kind = "tool"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """By the name that a model calls. `unfit` are those set aside, by server and name, and why."""

    entries: Mapping[str, Entry] = field(default_factory=dict)
    unfit: Mapping[str, str] = field(default_factory=dict)


def catalogue_of(servers: Iterable[Server]) -> Catalogue:
    """What the servers that are there offer and what is approved of it."""
    found: dict[Origin, Entry] = {}
    unfit: dict[str, str] = {}
    for server in servers:
        if server.health.state != "ready":
            continue
        for offered in server.listing.tools:
            origin = (server.spec.name, offered.tool.name)
            if offered.status != "approved" or origin in found:
                continue
            try:
                found[origin] = Entry(_tool(server, offered), server)
            except Unfit as error:
                unfit[f"{server.spec.name}/{offered.tool.name}"] = str(error)
            except Exception:  # what one server says must not take the others' tools away
                log.exception("mcp.tool_unreadable", server=server.spec.name)
                unfit[f"{server.spec.name}/{offered.tool.name}"] = "it cannot be read; see the log"
        _add_extras(server, found)
    names = named(found)
    entries = {}
    for origin, entry in found.items():
        name = names[origin]
        entries[name] = Entry(replace(entry.tool, name=name), entry.server, entry.kind)
    return Catalogue(entries, unfit)


def _tool(server: Server, offered: Offered) -> Tool:
    remote, spec = offered.tool, server.spec
    effect = effect_of(spec, remote.name, remote.hints)
    return Tool(
        name="",
        description=remote.description[:DESCRIPTION_CHARS],
        parameters=repair(remote.schema).schema,
        effect=effect,
        toolset=spec.name,
        source="mcp",
        remote_name=remote.name,
        untrusted=True,
        time_limit_s=spec.timeout_s * LONGEST_CALL,
        retry=retry_of(spec, effect, remote.hints),
    )


_RESOURCES: Mapping[str, Any] = {
    "type": "object",
    "properties": {"uri": {"type": "string", "description": "What to read; without it, what there is."}},
}
_PROMPTS: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "The prompt to get; without it, which there are."},
        "arguments": {
            "type": "object",
            "properties": {},
            "additionalProperties": {"type": "string"},
            "description": "Its arguments.",
        },
    },
}


def _add_extras(server: Server, found: dict[Origin, Entry]) -> None:
    """Tools to look at resources and prompts with. Their descriptions are ours: nothing of the server's."""
    name = server.spec.name
    effect: Effect = server.spec.effect or ("read" if server.spec.is_local else "external")
    extras: tuple[tuple[Kind, bool, str, Mapping[str, Any]], ...] = (
        ("resources", bool(server.listing.resources), f"List or read the resources of {name}.", _RESOURCES),
        ("prompts", bool(server.listing.prompts), f"List or get the prepared prompts of {name}.", _PROMPTS),
    )
    for kind, there, about, parameters in extras:
        if there and (name, kind) not in found:
            tool = Tool(
                "", about, parameters, effect, name, "mcp", kind, untrusted=True, retry="safe",
                time_limit_s=server.spec.timeout_s * LONGEST_CALL,
            )  # fmt: skip
            found[name, kind] = Entry(tool, server, kind)
