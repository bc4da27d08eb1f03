"""One open connection to a server, on the official SDK. This package is loaded when the first one opens."""

import asyncio
import logging
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib import metadata
from typing import Any, TypeVar

import anyio
from mcp import Client, types
from mcp.client.session import MessageHandlerFnT
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from mcp.shared.exceptions import MCPError
from mcp.types import CONNECTION_CLOSED, METHOD_NOT_FOUND, REQUEST_TIMEOUT
from mcp.types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from bot.tools.mcp.remote import (
    About,
    Hints,
    Hooks,
    Lost,
    Outcome,
    Progress,
    Refused,
    RemotePrompt,
    RemoteResource,
    RemoteTool,
    Traffic,
)
from bot.tools.mcp.sdk import contents
from bot.tools.mcp.sdk.transport import streams_of
from bot.tools.mcp.sdk.wire import RAW_SCHEMA
from bot.tools.mcp.spec import ServerSpec

# What the SDK logs are servers' words and tracebacks of their faults; both are told here in our own way.
for _name in ("mcp", "client"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)

T = TypeVar("T")

MOST_PAGES = 100
_LISTEN_AGAIN_S = 5.0
# How servers say that a session is no more: by 404, as the protocol has it, or in words of their own.
_SESSION_GONE = re.compile(r"session (terminated|not found|expired)|(no valid|invalid|unknown) session", re.I)
_ABILITIES = ("tools", "resources", "prompts", "completions", "logging")


@asynccontextmanager
async def open_session(spec: ServerSpec, hooks: Hooks) -> AsyncGenerator["SdkSession", None]:
    """Connect and agree on a protocol. Raises `Lost` with the reason; the caller bounds the time.

    It is opened and closed in one task. That lists changed is heard until it is closed.
    """
    session = SdkSession(spec)
    client: Client | None = None
    try:
        client = Client(
            streams_of(spec, hooks, session.traffic, session.end),
            message_handler=_heard(hooks),
            client_info=types.Implementation(name="xiaomaolv", version=metadata.version("xiaomaolv")),
            cache=None,
        )
        async with client, asyncio.TaskGroup() as group:
            session.begin(client)
            listening = group.create_task(_listen(client, hooks))
            try:
                yield session
            finally:
                listening.cancel()
    except (GeneratorExit, Lost, asyncio.CancelledError):
        raise
    except Exception as error:
        raise Lost(_reason(error, session)) from error


def _reason(error: BaseException, session: "SdkSession") -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if session.traffic.unauthorized and not isinstance(error, Refused):
        return "it wants a login"
    if session.ended:
        return session.ended
    match error:
        case MCPError():
            return error.message or "the handshake failed"
        case FileNotFoundError():
            return f"there is no program or folder {error.filename}"
        case OSError():
            return error.strerror or str(error)
        case ValidationError():
            return "its answers are no MCP"
        case _:
            return str(error) or type(error).__name__


class SdkSession:
    """See `remote.Session`."""

    def __init__(self, spec: ServerSpec) -> None:
        self._local = spec.is_local
        self.traffic = Traffic()
        self.about = About()
        self.ended = ""
        self._ending = asyncio.Event()
        self._client: Client | None = None

    def begin(self, client: Client) -> None:
        """The handshake is done."""
        self._client = client
        info = client.server_info
        capabilities = client.server_capabilities
        self.about = About(
            name=info.name if info else "",
            version=info.version if info else "",
            protocol=client.protocol_version,
            instructions=client.instructions or "",
            abilities=frozenset(name for name in _ABILITIES if getattr(capabilities, name) is not None),
        )

    def end(self, reason: str) -> None:
        """The connection is known to be gone."""
        self.ended = self.ended or reason
        self._ending.set()

    async def lost(self) -> str:
        await self._ending.wait()
        return self.ended

    async def tools(self) -> Sequence[RemoteTool]:
        if "tools" not in self.about.abilities:
            return []
        self.traffic.dropped.clear()
        pages = await self._pages(lambda cursor: self._open.list_tools(cursor=cursor))
        return [_tool(tool) for page in pages for tool in page.tools]

    async def resources(self) -> Sequence[RemoteResource]:
        if "resources" not in self.about.abilities:
            return []
        pages = await self._pages(lambda cursor: self._open.list_resources(cursor=cursor))
        found = [_resource(item, str(item.uri)) for page in pages for item in page.resources]
        try:
            templates = await self._pages(lambda cursor: self._open.list_resource_templates(cursor=cursor))
        except Refused:  # servers without templates may not know the question
            return found
        return found + [
            _resource(item, item.uri_template, is_template=True)
            for page in templates
            for item in page.resource_templates
        ]

    async def prompts(self) -> Sequence[RemotePrompt]:
        if "prompts" not in self.about.abilities:
            return []
        pages = await self._pages(lambda cursor: self._open.list_prompts(cursor=cursor))
        return [
            RemotePrompt(item.name, item.description or "", contents.named(item.arguments))
            for page in pages
            for item in page.prompts
        ]

    async def call(self, name: str, arguments: Mapping[str, Any], tell: Progress | None = None) -> Outcome:
        async def told(progress: float, total: float | None, message: str | None) -> None:
            if tell is not None:
                tell(progress, total, message or "")

        asked = self._open.call_tool(name, dict(arguments), progress_callback=told)
        return contents.of_call(await self._ask(asked))

    async def read(self, uri: str) -> Outcome:
        return contents.of_resource(await self._ask(self._open.read_resource(uri)))

    async def prompt(self, name: str, arguments: Mapping[str, str]) -> Outcome:
        return contents.of_prompt(await self._ask(self._open.get_prompt(name, dict(arguments))))

    async def ping(self) -> None:
        """Ask for a sign of life; a refusal is one, too."""
        try:
            if self.about.protocol in MODERN_PROTOCOL_VERSIONS:
                await self._ask(self._open.session.discover())
            else:
                await self._ask(self._open.session.send_ping())
        except Refused:
            return

    @property
    def _open(self) -> Client:
        if self._client is None or self.ended:
            raise Lost(self.ended or "the connection is not open", unsent=True)
        return self._client

    async def _pages(self, page: Callable[[str | None], Awaitable[T]]) -> list[T]:
        pages: list[T] = []
        cursor: str | None = None
        while len(pages) < MOST_PAGES:
            pages.append(await self._ask(page(cursor)))
            following = getattr(pages[-1], "next_cursor", None)
            if not following or following == cursor:
                break
            cursor = following
        return pages

    async def _ask(self, asked: Awaitable[T]) -> T:
        """Await an answer; what the SDK raises becomes one of ours."""
        try:
            return await asked
        except MCPError as error:
            raise self._ours(error) from None
        except ValidationError:
            raise Refused("its answer is no MCP") from None
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            raise Lost(self.ended or "the connection was closed") from None
        except RuntimeError as error:  # how the SDK says that content does not fit the tool's own schema
            raise Refused(str(error)) from None

    def _ours(self, error: MCPError) -> Exception:
        if not self._local and _SESSION_GONE.search(error.message):
            self.end("the server ended the session")
            return Lost(self.ended, unsent=True)
        if error.code == CONNECTION_CLOSED:
            return Lost(self.ended or error.message)
        if error.code == REQUEST_TIMEOUT:
            return TimeoutError(error.message)
        if error.code == METHOD_NOT_FOUND:
            return Refused(error.message or "it does not know the method")
        return Refused("it wants a login" if self.traffic.unauthorized else error.message)


def _tool(tool: types.Tool) -> RemoteTool:
    claims = tool.annotations
    hints = Hints()
    if claims is not None:
        hints = Hints(
            claims.read_only_hint, claims.destructive_hint, claims.idempotent_hint, claims.open_world_hint
        )
    schema: Any = tool.input_schema
    if tool.meta and RAW_SCHEMA in tool.meta:
        schema = tool.meta[RAW_SCHEMA]
    return RemoteTool(tool.name, tool.description or tool.title or "", schema, hints)


def _resource(
    item: types.Resource | types.ResourceTemplate, uri: str, *, is_template: bool = False
) -> RemoteResource:
    return RemoteResource(
        uri, item.title or item.name, item.description or "", item.mime_type or "", is_template
    )


_CHANGES: Mapping[type[Any], str] = {
    types.ToolListChangedNotification: "tools",
    types.ResourceListChangedNotification: "resources",
    types.PromptListChangedNotification: "prompts",
}


def _heard(hooks: Hooks) -> MessageHandlerFnT:
    """What takes the notifications of a server."""

    async def hear(message: Any) -> None:
        if what := _CHANGES.get(type(message)):
            hooks.changed(what)

    return hear


async def _listen(client: Client, hooks: Hooks) -> None:
    """Hear of changed lists where the protocol wants that asked for."""
    if client.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return
    while True:
        try:
            async with client.listen(
                tools_list_changed=True, prompts_list_changed=True, resources_list_changed=True
            ) as changes:
                async for change in changes:
                    hooks.changed(type(change).__name__.removesuffix("ListChanged").lower())
        except (ListenNotSupportedError, MCPError):
            return
        except SubscriptionLost:
            pass
        await asyncio.sleep(_LISTEN_AGAIN_S)
