"""From a request to a turn and back, for every format the interface speaks."""

import hashlib
import uuid
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass

from aiohttp import web

from bot.domain.conversation import Conversation, ConversationKind, Inbound, Speaker
from bot.domain.message import Attached, Message, Part, Reply, Usage
from bot.domain.ports import Clock
from bot.domain.run import RunId
from bot.errors import NotFound
from bot.i18n.catalogue import language
from bot.service import Service
from bot.turn.streams import TurnEvent
from channels.web.errors import of_reply
from channels.web.limits import RateLimit, caller_of
from channels.web.stream import Connections

CHANNEL = "http"


@dataclass(frozen=True, slots=True)
class Said:
    """One message as a client sent it. `context` and `following`: around one of no session."""

    session_id: str
    user_id: str
    parts: tuple[Part, ...]
    key: str | None = None  # of the client's own, for a repeat
    kind: ConversationKind = "private"
    name: str = ""
    context: tuple[Message, ...] = ()
    following: tuple[Message, ...] = ()
    zone: str = ""  # of the person's device


class Chat:
    """Hands messages to the service, and waits for what comes of them."""

    def __init__(
        self, service: Service, connections: Connections, clock: Clock, limit: RateLimit, locale: str
    ) -> None:
        """`locale` is the language of the bot's own texts where a client tells none."""
        self._service = service
        self._connections = connections
        self._clock = clock
        self._limit = limit
        self._locale = locale

    async def say(self, request: web.Request, said: Said) -> RunId:
        """Take the message in; its turn, which goes on whatever becomes of this request."""
        self._connections.admit()
        self._limit.take(caller_of(request))
        received = await self._service.receive(self._inbound(said, self.locale_of(request)))
        if received.run_id is None:
            raise NotFound("this message is not answered here")
        return received.run_id

    async def reply(self, turn_id: RunId) -> Reply:
        """The reply, once it is there; an `ApiError` if the turn failed."""
        with self._connections.waiting():
            reply = await self._service.wait(turn_id)
        if reply.status == "failed":
            raise of_reply(reply)
        return reply

    @asynccontextmanager
    async def events(
        self, turn_id: RunId, after: str = ""
    ) -> AsyncGenerator[tuple[TurnEvent | None, AsyncGenerator[TurnEvent, None]]]:
        """The first event of a turn, and the generator of the others. 404 while it can still be told."""
        async with aclosing(self._service.watch(turn_id, after=after)) as events:
            with self._connections.waiting():
                first = await anext(events, None)
            yield first, events

    def locale_of(self, request: web.Request) -> str:
        """The language a client wishes for, among ours."""
        return language(request.headers.get("Accept-Language", self._locale))

    def _inbound(self, said: Said, locale: str) -> Inbound:
        return Inbound(
            external_id=_external_id(said),
            conversation=Conversation(CHANNEL, said.session_id, kind=said.kind),
            speaker=Speaker(CHANNEL, said.user_id, name=said.name, locale=locale),
            at=self._clock.now(),
            parts=said.parts,
            locale=locale,
            context=said.context,
            following=said.following,
            zone=said.zone,
        )


def _external_id(said: Said) -> str:
    """The same for a repeat of the same message by the same person in the same session, else fresh."""
    if said.key is None:
        return uuid.uuid4().hex
    named = "\0".join((said.session_id, said.user_id, said.key))
    return hashlib.sha256(named.encode()).hexdigest()


def choices_of(reply: Reply) -> dict[str, list[dict[str, str]]]:
    """What may be pressed below an answer; nothing where there is none."""
    told = [{"label": choice.label, "says": choice.says} for choice in reply.choices]
    return {"choices": told} if told else {}


def pictures_of(turn_id: str, pictures: Iterable[Attached]) -> dict[str, list[dict[str, str]]]:
    """Where the pictures of an answer are; nothing where there are none."""
    folder = f"/v1/turns/{turn_id}/pictures"
    told = [
        {"url": f"{folder}/{number}", "type": one.mime, "caption": one.caption}
        for number, one in enumerate(pictures)
    ]
    return {"pictures": told} if told else {}


def usage_of(usage: Usage) -> dict[str, int]:
    """Tokens, in the words of this interface."""
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "total_tokens": usage.input_tokens + usage.output_tokens,
    }
