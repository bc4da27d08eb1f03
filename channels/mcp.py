"""The bot as an MCP server: what other agents may ask of it, for one person."""

import hmac
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from importlib import metadata
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from bot.delivery.outbox import enqueue_notice
from bot.domain.conversation import Conversation, SpeakerId
from bot.errors import InputError, XiaomaolvError
from bot.schedule.jobs import JobDraft, Scope
from bot.schedule.room import Jobs
from bot.schedule.told import told_job
from bot.schedule.wish import understand
from bot.store.engine import Store
from bot.text.clean import clean
from bot.turn.rights import OfPerson, Rights

MOST_FOUND = 50
MOST_CHARS = 20_000
PATH = "/mcp"
_INSTRUCTIONS = (
    "The assistant xiaomaolv of one person: search what it remembers of them, send them a message, and "
    "list, make and delete their reminders."
)
_PERSON = re.compile(r"[a-z]+:\S+")

Asgi = Callable[[Any, Any, Any], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Desk:
    """The rooms behind the tools, and for whom they are used.

    `person` is `CHANNEL:ID`; their private chat in that channel is where messages and reminders arrive,
    which is possible where `pushes` has the channel.
    """

    store: Store
    rights: Rights
    jobs: Jobs
    person: SpeakerId
    pushes: frozenset[str]
    locale: str

    @property
    def chat(self) -> Conversation:
        channel, _, chat_id = self.person.partition(":")
        return Conversation(channel, chat_id)

    @property
    def scope(self) -> Scope:
        return Scope(person_id=self.person)

    async def search_memory(self, query: str, limit: int = 8) -> list[dict[str, Any]]:
        """Search what is remembered of the person, the best first: text, when it was said, and its id."""
        kept = await self.rights.search(
            OfPerson(self.person), _text(query, "query"), limit=max(1, min(limit, MOST_FOUND))
        )
        return [{"id": found.id, "text": found.text, "at": found.at.isoformat()} for found in kept.memories]

    async def send_message(self, text: str, key: str = "") -> dict[str, Any]:
        """Send the person a message in their private chat. A repeat with the same key is sent once."""
        self._reachable()
        now = self.jobs.now()
        once = f"mcp:{self.person}:{key or now.isoformat()}"
        await self.store.write(enqueue_notice, self.chat, _text(text, "text"), once, now)
        await self.store.durable()
        return {"accepted": True}

    async def list_reminders(self) -> list[dict[str, Any]]:
        """The person's reminders and tasks that are still to come, by when they are due."""
        return [self._told(job) for job in await self.jobs.page(self.scope)]

    async def make_reminder(self, text: str, zone: str = "") -> dict[str, Any]:
        """Make a reminder from a wish in words, such as "remind me tomorrow at 9 to water the plants".

        `zone` is an IANA time zone; without it the bot's own is meant.
        """
        self._reachable()
        wanted = _text(text, "text")
        wish = understand(wanted, self.jobs.now(), zone or self.jobs.settings.zone, self.locale)
        draft = JobDraft(self.chat, self.person, "reminder", wish.task, wish.plan, self.locale)
        return {**self._told(await self.jobs.create(draft)), "assumed": list(wish.assumed)}

    async def delete_reminder(self, id: str) -> dict[str, Any]:
        """Delete a reminder or task by its id, as in task-1a2b3c4d."""
        return {"deleted": (await self.jobs.remove(self.scope, id)).id}

    def _told(self, job: Any) -> dict[str, Any]:
        told = told_job(job, self.jobs.next_firings(job))
        return {name: told[name] for name in ("id", "kind", "text", "when", "tz", "state", "next_due")}

    def _reachable(self) -> None:
        if self.chat.channel not in self.pushes:
            raise InputError(
                f"{self.person} has no chat that messages can be sent to",
                hint="start with --person telegram:ID of somebody who talks to the bot there",
            )


def check_person(person: str) -> SpeakerId:
    """Raises `InputError` for what is no person's id."""
    if not _PERSON.fullmatch(person):
        raise InputError(f'"{person}" is no person', hint="it is CHANNEL:ID, as in telegram:42")
    return SpeakerId(person)


def server_of(desk: Desk) -> MCPServer[Any]:
    """The server with its tools, not yet serving."""
    server: MCPServer[Any] = MCPServer(
        "xiaomaolv", instructions=_INSTRUCTIONS, version=metadata.version("xiaomaolv"), log_level="WARNING"
    )
    reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    sends = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=True)
    makes = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
    removes = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True)
    tools = (
        (desk.search_memory, reads),
        (desk.send_message, sends),
        (desk.list_reminders, reads),
        (desk.make_reminder, makes),
        (desk.delete_reminder, removes),
    )
    for call, annotations in tools:
        server.tool(annotations=annotations)(_told_errors(call))
    return server


async def serve_stdio(desk: Desk) -> None:
    """Serve whoever started this process, until it closes our input."""
    await server_of(desk).run_stdio_async()


async def serve_http(desk: Desk, host: str, port: int, tokens: Sequence[str]) -> None:
    """Serve streamable HTTP at `PATH` to whoever has one of the tokens, until told to stop."""
    app = guarded(server_of(desk).streamable_http_app(host=host), tokens)
    config = uvicorn.Config(app, host=host, port=port, log_config=None, access_log=False, lifespan="on")
    await uvicorn.Server(config).serve()


def guarded(app: Asgi, tokens: Sequence[str]) -> Asgi:
    """The application behind its tokens: without one of them a request is 401."""
    known = [f"Bearer {token}".encode() for token in tokens]

    async def guard(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            given = dict(scope["headers"]).get(b"authorization", b"")
            if not any(hmac.compare_digest(given, token) for token in known):
                headers = [(b"www-authenticate", b"Bearer"), (b"content-length", b"0")]
                await send({"type": "http.response.start", "status": 401, "headers": headers})
                await send({"type": "http.response.body", "body": b""})
                return
        await app(scope, receive, send)

    return guard


def _told_errors(call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """The tool, with what the caller can mend told in words; the rest stays in our log."""

    @wraps(call)
    async def called(*args: Any, **kwargs: Any) -> Any:
        try:
            return await call(*args, **kwargs)
        except XiaomaolvError as error:
            raise ToolError(str(error)) from None

    return called


def _text(value: str, name: str) -> str:
    text = clean(value).strip()
    if not text:
        raise InputError(f"{name} is empty", field=name)
    if len(text) > MOST_CHARS:
        raise InputError(f"{name} is longer than {MOST_CHARS} characters", field=name)
    return text
