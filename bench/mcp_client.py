"""The client of the conformance suite: our own connection, driven through one scenario.

The suite runs `python -m bench.mcp_client URL` with the scenario in MCP_CONFORMANCE_SCENARIO and what it
gives beforehand (such as registered credentials) as JSON in MCP_CONFORMANCE_CONTEXT.
"""

import asyncio
import json
import os
import sys
import tempfile
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from bot.clock import SystemClock
from bot.store.open import open_store
from bot.tools.mcp.callback import query_of
from bot.tools.mcp.registry import Registry
from bot.tools.mcp.remote import Login
from bot.tools.mcp.servers import TOKENS_FOLDER, Servers
from bot.tools.mcp.spec import parse_spec

REDIRECT = "http://127.0.0.1:8976/callback"
# The document that the suite's login server expects of a client without registration.
CLIENT_URL = "https://conformance-test.local/client-metadata.json"
OPEN_S = 60.0


class Browser:
    """Follows the address of a login to where it is sent back to, as a browser would."""

    def __init__(self) -> None:
        self._back: dict[str, str] = {}

    async def show(self, address: str) -> None:
        self._back = query_of(await asyncio.to_thread(_location, address))

    async def wait(self) -> dict[str, str]:
        return self._back


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def _location(address: str) -> str:
    try:
        urllib.request.build_opener(_Stay).open(address)
    except urllib.error.HTTPError as error:
        return str(error.headers.get("Location", ""))
    return ""


async def main(url: str) -> int:
    scenario = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
    given = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environ = {
            "XIAOMAOLV_MCP_USER_CONFIG": str(folder / "user.toml"),
            "XIAOMAOLV_MCP_PROJECT_CONFIG": str(folder / "project.toml"),
        }
        registry = Registry(environ)
        client = {"oauth_client_url": CLIENT_URL} if scenario == "auth/basic-cimd" else {}
        registry.add("suite", {"url": url, **client}, "user")
        if "client_id" in given and "private_key_pem" not in given:
            await _registered(folder, url, given)
        store = await open_store("sqlite://", SystemClock())
        browser = Browser()
        servers = Servers(registry, store, SystemClock(), login=Login(REDIRECT, browser.show, browser.wait))
        servers.begin()
        task = asyncio.get_running_loop().create_task(servers.run())
        try:
            return await _drive(servers, scenario)
        finally:
            task.cancel()
            await asyncio.wait({task})
            await store.close()


async def _registered(folder: Path, url: str, given: dict[str, Any]) -> None:
    """Credentials that were registered beforehand stand in the token file, as a person may put them there."""
    oauth = __import__("bot.tools.mcp.sdk.oauth", fromlist=["TokenFile"])
    kept = oauth.TokenFile.of(parse_spec("suite", {"url": url}, "user"), folder / TOKENS_FOLDER)
    client = {
        "client_id": given["client_id"],
        "client_secret": given.get("client_secret"),
        "redirect_uris": [REDIRECT],
        "token_endpoint_auth_method": "client_secret_basic" if given.get("client_secret") else "none",
    }
    await kept.set_client_info(oauth.OAuthClientInformationFull.model_validate(client))


async def _drive(servers: Servers, scenario: str) -> int:
    server = None
    async with asyncio.timeout(OPEN_S):
        while server is None or (server.health.state == "starting" and not server.health.failures):
            await asyncio.sleep(0.02)
            overviews = await servers.overviews()
            server = overviews[0].server
    if server.health.state != "ready":
        print(f"{scenario}: {server.health.error}", file=sys.stderr)
        return 1
    for offered in server.listing.tools:
        outcome = await server.call(offered.tool.name, _arguments(offered.tool.schema))
        print(f"{scenario}: {offered.tool.name}: {outcome.text}", file=sys.stderr)
    return 0


def _arguments(schema: Any) -> dict[str, Any]:
    values = {"number": 2, "integer": 2, "string": "x", "boolean": True}
    return {name: values.get(inner.get("type")) for name, inner in schema.get("properties", {}).items()}


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1])))
