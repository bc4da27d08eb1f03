"""`/v1/ui/state`: what the page has to know before it can begin."""

from typing import Protocol

from aiohttp import web

from bot.i18n.catalogue import translate
from channels.web.chat import Chat
from channels.web.errors import json_response

# The person at the page: the one the bot belongs to.
PAGE_USER = "owner"


class ModelInfo(Protocol):
    """What answers people by default."""

    @property
    def notice(self) -> str | None:
        """What people should know of it first: "missing", "demo", or nothing."""
        ...


class Ui:
    def __init__(self, chat: Chat, model: ModelInfo, version: str, *, auth_required: bool) -> None:
        self._chat = chat
        self._model = model
        self._version = version
        self._auth_required = auth_required

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/v1/ui/state", self.state)]

    async def state(self, request: web.Request) -> web.Response:
        locale = self._chat.locale_of(request)
        kind = self._model.notice
        return json_response({
            "version": self._version,
            "locale": locale,
            "notice": {"kind": kind, "text": translate(f"model.{kind}", locale)} if kind else None,
            "auth_required": self._auth_required,
            "user_id": PAGE_USER,
        })
