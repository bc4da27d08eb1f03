"""Logging in at remote servers by OAuth, and keeping what that brought, for its owner's eyes only."""

import hashlib
import json
import os
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from pydantic import AnyUrl, ValidationError

from bot.tools.mcp.remote import Hooks, Login, Refused
from bot.tools.mcp.spec import ServerSpec

CLIENT_NAME = "xiaomaolv"
# Registered where nobody is at hand to log in; a login brings its own.
_NOWHERE = "http://127.0.0.1:8976/callback"


def auth_of(spec: ServerSpec, hooks: Hooks) -> OAuthClientProvider | None:
    """What puts tokens on the requests to a server; None where it has its own header, or no login was made.

    Without a person at hand tokens are refreshed; where that is not enough, the server stays shut.
    """
    kept = TokenFile.of(spec, hooks.tokens)
    if any(name.lower() == "authorization" for name in spec.headers):
        return None
    if hooks.login is None and not kept.exists():
        return None
    login = hooks.login or Login(_NOWHERE, _nobody_there, _no_answer)
    metadata = OAuthClientMetadata(
        client_name=CLIENT_NAME,
        redirect_uris=[AnyUrl(login.redirect_uri)],
        grant_types=["authorization_code", "refresh_token"],
        response_types=["code"],
    )
    return OAuthClientProvider(
        spec.url,
        metadata,
        kept,
        login.show,
        _code_from(login),
        client_metadata_url=spec.oauth_client_url or None,
    )


def _code_from(login: Login) -> Callable[[], Awaitable[AuthorizationCodeResult]]:
    async def wait() -> AuthorizationCodeResult:
        query = await login.wait()
        if "code" not in query:
            reason = query.get("error_description") or query.get("error") or "no code came back"
            raise Refused(f"the login was refused: {reason}")
        return AuthorizationCodeResult(code=query["code"], state=query.get("state"), iss=query.get("iss"))

    return wait


async def _nobody_there(address: str) -> None:
    raise Refused("it wants a new login")


async def _no_answer() -> dict[str, str]:
    raise Refused("it wants a new login")


class TokenFile:
    """The tokens of one server, and how this client is registered there. A broken file counts as none."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def of(cls, spec: ServerSpec, folder: Path) -> "TokenFile":
        """That of a server: of its address, too, so that tokens never go to another one of its name."""
        digest = hashlib.sha256(spec.url.encode()).hexdigest()[:12]
        return cls(folder / f"{spec.name}-{digest}.json")

    def exists(self) -> bool:
        return "tokens" in self._read()

    def remove(self) -> bool:
        """Forget the login; whether there was one."""
        there = self._path.exists()
        self._path.unlink(missing_ok=True)
        return there

    async def get_tokens(self) -> OAuthToken | None:
        try:
            return OAuthToken.model_validate(self._read().get("tokens"))
        except ValidationError:
            return None

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self._write({**self._read(), "tokens": tokens.model_dump(mode="json", exclude_none=True)})

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        try:
            return OAuthClientInformationFull.model_validate(self._read().get("client"))
        except ValidationError:
            return None

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self._write({**self._read(), "client": client_info.model_dump(mode="json", exclude_none=True)})

    def _read(self) -> dict[str, Any]:
        try:
            read = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return read if isinstance(read, dict) else {}

    def _write(self, data: dict[str, Any]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=stat.S_IRWXU)
        fresh = self._path.with_name(f"{self._path.name}.{os.getpid()}.new")
        fresh.touch(mode=stat.S_IRUSR | stat.S_IWUSR)
        fresh.write_text(json.dumps(data), encoding="utf-8")
        fresh.replace(self._path)
