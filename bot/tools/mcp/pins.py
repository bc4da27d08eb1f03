"""Which tools of which server may be used: each is pinned to what it said of itself when it was approved."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, delete, func, insert, select, update

from bot.errors import NotFound
from bot.store.tables import mcp_servers, mcp_tools
from bot.tools.mcp.remote import RemoteTool
from bot.tools.mcp.spec import ServerSpec, Trust

Status = Literal["approved", "new", "changed", "blocked", "removed"]
"""`new` and `changed` tools are hidden until somebody approves them."""

WAITING: frozenset[Status] = frozenset({"new", "changed"})


@dataclass(frozen=True, slots=True)
class Pin:
    """What is known of a tool. `definition` is its newest one, `approved` the one that was approved."""

    server: str
    tool: str
    status: Status
    definition: dict[str, Any]
    approved: dict[str, Any] | None
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class Seen:
    """How a server was when it was last heard of."""

    name: str
    state: str
    error: str
    tools: int
    at: datetime


def definition_of(tool: RemoteTool) -> dict[str, Any]:
    """What a pin stands for: all that reaches a model of a tool."""
    return {"name": tool.name, "description": tool.description, "schema": tool.schema}


def digest_of(definition: dict[str, Any]) -> str:
    """The hash of a definition; the order of keys makes no difference."""
    plain = json.dumps(definition, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()


def record(
    conn: Connection, spec: ServerSpec, tools: Sequence[RemoteTool], now: datetime
) -> dict[str, Status]:
    """Note what a server lists; the status of each of its tools.

    At first sight its tools are approved where the operator trusts it so far. What is new or other than
    approved afterwards waits, and what is not listed any more is noted as removed.
    """
    known = {row.tool: row for row in conn.execute(select(mcp_tools).where(mcp_tools.c.server == spec.name))}
    first = not _was_listed(conn, spec.name, now) and not known
    statuses: dict[str, Status] = {}
    for tool in tools:
        definition = definition_of(tool)
        digest = digest_of(definition)
        row = known.pop(tool.name, None)
        if row is None:
            if tool.name not in statuses:
                statuses[tool.name] = _first_status(spec.trust, first=first)
                _add(conn, spec.name, definition, statuses[tool.name], now)
            continue
        statuses[tool.name] = _status_of(row, digest)
        if row.digest != digest or row.status != statuses[tool.name]:
            conn.execute(
                update(mcp_tools)
                .where(mcp_tools.c.server == spec.name, mcp_tools.c.tool == tool.name)
                .values(digest=digest, definition=definition, status=statuses[tool.name], changed_at=now)
            )
    for name, row in known.items():
        if row.status not in {"removed", "blocked"}:
            conn.execute(
                update(mcp_tools)
                .where(mcp_tools.c.server == spec.name, mcp_tools.c.tool == name)
                .values(status="removed", changed_at=now)
            )
    return statuses


def approve(conn: Connection, server: str, tools: Sequence[str] | None, now: datetime) -> list[str]:
    """Approve tools as they are now, or all that wait; their names. `NotFound` for one never listed."""
    found = {row.tool: row for row in conn.execute(select(mcp_tools).where(mcp_tools.c.server == server))}
    waiting = sorted(name for name, row in found.items() if row.status in WAITING)
    names = waiting if tools is None else list(tools)
    _check_known(server, names, found)
    for name in names:
        row = found[name]
        conn.execute(
            update(mcp_tools)
            .where(mcp_tools.c.server == server, mcp_tools.c.tool == name)
            .values(status="approved", approved_digest=row.digest, approved=row.definition, changed_at=now)
        )
    return names


def block(conn: Connection, server: str, tools: Sequence[str], now: datetime) -> list[str]:
    """Hide tools until they are approved again, whatever they say of themselves."""
    found = {row.tool for row in conn.execute(select(mcp_tools.c.tool).where(mcp_tools.c.server == server))}
    _check_known(server, tools, found)
    conn.execute(
        update(mcp_tools)
        .where(mcp_tools.c.server == server, mcp_tools.c.tool.in_(tools))
        .values(status="blocked", changed_at=now)
    )
    return list(tools)


def pins(conn: Connection, server: str = "") -> list[Pin]:
    """What is known, by server and tool."""
    wanted = select(mcp_tools).order_by(mcp_tools.c.server, mcp_tools.c.tool)
    if server:
        wanted = wanted.where(mcp_tools.c.server == server)
    return [
        Pin(row.server, row.tool, row.status, row.definition, row.approved, row.changed_at)
        for row in conn.execute(wanted)
    ]


def newest_change(conn: Connection) -> datetime | None:
    """When anything of this was changed last."""
    changed: datetime | None = conn.scalar(select(func.max(mcp_tools.c.changed_at)))
    return changed


def forget(conn: Connection, server: str) -> None:
    """Know nothing of a server any more: the next one of its name is seen for the first time."""
    conn.execute(delete(mcp_tools).where(mcp_tools.c.server == server))
    conn.execute(delete(mcp_servers).where(mcp_servers.c.name == server))


def note(conn: Connection, seen: Seen) -> None:
    """Keep how a server is, for who asks from another process."""
    values = {"state": seen.state, "error": seen.error, "tools": seen.tools, "at": seen.at}
    changed = conn.execute(update(mcp_servers).where(mcp_servers.c.name == seen.name).values(values))
    if changed.rowcount == 0:
        conn.execute(insert(mcp_servers).values(name=seen.name, listed=False, **values))


def seen(conn: Connection) -> dict[str, Seen]:
    """How each server was when it was last heard of."""
    return {
        row.name: Seen(row.name, row.state, row.error, row.tools, row.at)
        for row in conn.execute(select(mcp_servers))
    }


def _was_listed(conn: Connection, server: str, now: datetime) -> bool:
    """Whether its tools were ever read; notes that they are now."""
    row = conn.execute(select(mcp_servers.c.listed).where(mcp_servers.c.name == server)).one_or_none()
    if row is None:
        conn.execute(insert(mcp_servers).values(name=server, state="starting", listed=True, at=now))
        return False
    conn.execute(update(mcp_servers).where(mcp_servers.c.name == server).values(listed=True))
    return bool(row.listed)


def _first_status(trust: Trust, *, first: bool) -> Status:
    return "approved" if first and trust != "ask" else "new"


def _status_of(row: Any, digest: str) -> Status:
    if row.status == "blocked":
        return "blocked"
    if row.approved_digest is None:
        return "new"
    return "approved" if row.approved_digest == digest else "changed"


def _add(conn: Connection, server: str, definition: dict[str, Any], status: Status, now: datetime) -> None:
    approved = status == "approved"
    digest = digest_of(definition)
    conn.execute(
        insert(mcp_tools).values(
            server=server,
            tool=definition["name"],
            status=status,
            digest=digest,
            definition=definition,
            approved_digest=digest if approved else None,
            approved=definition if approved else None,
            changed_at=now,
        )
    )


def _check_known(server: str, names: Sequence[str], found: Any) -> None:
    for name in names:
        if name not in found:
            raise NotFound(f"{server} has never listed a tool {name}")
