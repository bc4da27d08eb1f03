"""A server of MCP over stdio in plain Python: it starts in no time, and misbehaves as it is told.

Run as a program: `python mcp_server.py STATE_FILE`. The file holds JSON: `tools` (as on the wire) and
any of the oddities that `Behaviour` names. It is read anew for each request, so that a test changes it.
"""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any, TypedDict

PROTOCOL = "2025-11-25"


class Behaviour(TypedDict, total=False):
    tools: list[Any]
    results: dict[str, Any]  # by the tool's name: its result on the wire
    noise: list[str]  # lines on stdout before each answer that are no messages
    says: list[str]  # lines on stderr at start
    silent: bool  # answers nothing at all
    dies_on_call: bool
    hangs_on_call: bool
    blocks_on_call: bool  # does nothing else until its gate is opened
    notify: list[str]  # notifications sent after each call
    notify_on_list: list[str]  # and after each listing


def send(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def answer(method: str, params: dict[str, Any], state: Behaviour) -> Any:
    match method:
        case "initialize":
            return {
                "protocolVersion": PROTOCOL,
                "capabilities": {"tools": {"listChanged": True}},
                "serverInfo": {"name": "fake", "version": "1"},
            }
        case "ping":
            return {}
        case "tools/list":
            return {"tools": state.get("tools", [])}
        case "tools/call":
            return called(params, state)
        case _:
            return None


def called(params: dict[str, Any], state: Behaviour) -> Any:
    if state.get("dies_on_call"):
        os.kill(os.getpid(), signal.SIGKILL)
    token = (params.get("_meta") or {}).get("progressToken")
    if token is not None:
        report = {"progressToken": token, "progress": 1, "total": 2, "message": "half"}
        send({"method": "notifications/progress", "params": report})
    name = params["name"]
    if name == "pid":
        return {"content": [{"type": "text", "text": str(os.getpid())}]}
    found = state.get("results", {}).get(name)
    return found or {"content": [{"type": "text", "text": json.dumps(params.get("arguments"))}]}


def note(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as log:
        log.write(text)


def respond(message: dict[str, Any], method: str, state: Behaviour) -> None:
    result = answer(method, message.get("params") or {}, state)
    if result is None:
        send({"id": message["id"], "error": {"code": -32601, "message": "no such method"}})
    else:
        send({"id": message["id"], "result": result})
    after = {"tools/call": state.get("notify", []), "tools/list": state.get("notify_on_list", [])}
    for name in after.get(method, []):
        send({"method": name})


def main(path: Path) -> None:
    start: Behaviour = json.loads(path.read_text(encoding="utf-8"))
    for line in start.get("says", []):
        sys.stderr.write(line + "\n")
    sys.stderr.flush()
    for raw in sys.stdin:
        state: Behaviour = json.loads(path.read_text(encoding="utf-8"))
        message = json.loads(raw)
        method = message.get("method", "")
        if method == "notifications/cancelled":
            note(path.with_suffix(".cancelled"), f"{message['params'].get('requestId')}\n")
        if method == "tools/call":
            path.with_suffix(".called").touch()
            if state.get("blocks_on_call"):
                path.with_suffix(".gate").read_bytes()  # a pipe: until somebody opens its other end
        if "id" not in message or state.get("silent"):
            continue
        for line in state.get("noise", []):
            sys.stdout.write(line + "\n")
        if method == "tools/call" and state.get("hangs_on_call"):
            continue
        if method == "tools/list":
            note(path.with_suffix(".listed"), "x")
        respond(message, method, state)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
