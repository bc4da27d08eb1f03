"""`xiaomaolv mcp ls` and `test`."""

import argparse
import asyncio
import json
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

from bot.cli import FAILED, OK, lazy
from bot.cli.mcp.opening import registry_of, spec_of, store_of, tokens_of
from bot.errors import InputError

if TYPE_CHECKING:
    from bot.tools.mcp.probe import Report
    from bot.tools.mcp.registry import Registered
    from bot.tools.mcp.spec import ServerSpec

_DESCRIPTION_CHARS = 90
_STDERR_SHOWN = 12


def run(args: argparse.Namespace) -> int:
    if args.verb == "ls":
        return asyncio.run(_list(args))
    return asyncio.run(_test(args))


async def _list(args: argparse.Namespace) -> int:
    scopes = () if args.scope == "merged" else (args.scope,)
    registered: Registered = registry_of(args).read(*scopes)
    pins: Any = lazy("bot.tools.mcp.pins")
    async with store_of(args) as store:
        seen = await store.read(pins.seen)
        known = await store.read(pins.pins)
    waiting = Counter(pin.server for pin in known if pin.status in {"new", "changed"})
    told = [_told(spec, seen.get(name), waiting[name]) for name, spec in sorted(registered.servers.items())]
    if args.json:
        faults = [{"name": f.name, "scope": f.scope, "message": f.message} for f in registered.faults]
        print(json.dumps({"servers": told, "faults": faults}, ensure_ascii=False, indent=2))
    else:
        for server in told:
            print(_line(server))
        if not told and not registered.faults:
            print("There are no MCP servers. Add one: xiaomaolv mcp add NAME -- CMD ARGS …")
        for fault in registered.faults:
            print(f"{fault.name or fault.scope}: not usable: {fault.message}", file=sys.stderr)
    return FAILED if registered.faults else OK


def _told(spec: "ServerSpec", seen: Any, waiting: int) -> dict[str, Any]:
    state = "disabled" if not spec.enabled else "not seen yet" if seen is None else seen.state
    return {
        "name": spec.name,
        "source": spec.scope,
        "enabled": spec.enabled,
        "transport": spec.transport,
        "target": spec.target,
        "trust": spec.trust,
        "state": state,
        "error": seen.error if seen is not None and spec.enabled else "",
        "tools": seen.tools if seen is not None else None,
        "waiting": waiting,
        "seen_at": seen.at.isoformat() if seen is not None else None,
    }


def _line(server: dict[str, Any]) -> str:
    parts = [f"{server['name']}  {server['source']}  {server['transport']}  {server['target']}"]
    state = server["state"]
    if server["tools"] is not None and state == "ready":
        state += f", {server['tools']} tools"
    if server["waiting"]:
        state += f", {server['waiting']} wait for approval (xiaomaolv mcp review {server['name']})"
    if server["seen_at"]:
        state += f" (as of {server['seen_at'][:19]} UTC)"
    parts.append(f"  {state}{': ' + server['error'] if server['error'] else ''}")
    return "\n".join(parts)


async def _test(args: argparse.Namespace) -> int:
    spec = spec_of(args)
    if not spec.enabled:
        raise InputError(f"{spec.name} is disabled", hint="set enabled = true in its registry")
    probe: Any = lazy("bot.tools.mcp.probe").probe
    report = await probe(spec, lazy("bot.tools.mcp.servers").load_sdk, tokens_of(args))
    if args.json:
        print(json.dumps(_report(spec, report), ensure_ascii=False, indent=2))
    else:
        for line in _lines(spec, report):
            print(line)
    return FAILED if report.error else OK


def _lines(spec: "ServerSpec", report: "Report") -> list[str]:
    about = report.about
    lines = [f"{spec.name}: {spec.transport} {spec.target}"]
    if report.error:
        lines.append(f"  failed: {report.error}")
        if report.error == "it wants a login":
            lines.append(f"  log in: xiaomaolv mcp login {spec.name}")
    else:
        lines.append(
            f"  {about.name} {about.version}, protocol {about.protocol}, connected in "
            f"{report.connect_ms:.0f} ms, listed in {report.list_ms:.0f} ms"
        )
        lines.append(
            f"  {len(report.tools)} tools, {len(report.resources)} resources, {len(report.prompts)} prompts"
        )
    tools = _tools(spec, report)
    lines += [f"  - {tool['name']}  {tool['description'][:_DESCRIPTION_CHARS]}" for tool in tools]
    lines += [f"  set aside: {tool['name']}: {tool['unfit']}" for tool in tools if tool["unfit"]]
    lines += [f"  set aside: {name}" for name in report.traffic.dropped]
    if report.traffic.skipped_lines:
        lines.append(f"  {report.traffic.skipped_lines} lines on stdout were no messages and were skipped")
    if report.stderr:
        lines.append("  on stderr:")
        lines += [f"    {line}" for line in report.stderr[-_STDERR_SHOWN:]]
    return lines


def _tools(spec: "ServerSpec", report: "Report") -> list[dict[str, str]]:
    repairs: Any = lazy("bot.tools.repair")
    effects: Any = lazy("bot.tools.mcp.effects")
    told = []
    for tool in report.tools:
        unfit = ""
        try:
            repairs.repair(tool.schema)
        except repairs.Unfit as error:
            unfit = str(error)
        told.append({
            "name": tool.name,
            "description": " ".join(tool.description.split()),
            "effect": effects.effect_of(spec, tool.name, tool.hints),
            "unfit": unfit,
        })
    return told


def _report(spec: "ServerSpec", report: "Report") -> dict[str, Any]:
    return {
        "name": spec.name,
        "ok": not report.error,
        "error": report.error,
        "server": {"name": report.about.name, "version": report.about.version},
        "protocol": report.about.protocol,
        "connect_ms": round(report.connect_ms, 1),
        "list_ms": round(report.list_ms, 1),
        "tools": _tools(spec, report),
        "resources": [item.uri for item in report.resources],
        "prompts": [item.name for item in report.prompts],
        "dropped": report.traffic.dropped,
        "skipped_lines": report.traffic.skipped_lines,
        "stderr": report.stderr,
    }
