"""The Bot API, with its errors sorted by what a caller can do. The only user of python-telegram-bot."""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote

from pydantic import SecretStr
from telegram import Bot, InputFile, InputMediaDocument, InputMediaPhoto
from telegram.error import NetworkError, TelegramError
from telegram.request import HTTPXRequest, RequestData
from typing_extensions import override

from bot.config.channels import TelegramSettings
from bot.config.proxy import proxy_for
from channels.telegram.marks import Marks
from channels.telegram.rich import Rich
from channels.telegram.shown import Content, Shown

READ_TIMEOUT_S = 10.0
CONNECT_TIMEOUT_S = 5.0
DOWNLOAD_TIMEOUT_S = UPLOAD_TIMEOUT_S = 60.0
CONNECTIONS = 64
_LEEWAY_S = 10.0  # how much longer than asked for a long poll may take
# Refusals of a chat, or of a topic in it, rather than of a message. All of code 403 are of the chat, too.
NO_CHAT = (
    "chat not found",
    "user not found",
    "PEER_ID_INVALID",
    "CHAT_ID_INVALID",
    "deactivated",
    "CHAT_WRITE_FORBIDDEN",
    "CHAT_RESTRICTED",
    "CHAT_ADMIN_REQUIRED",
    "not enough rights",
    "have no rights",
    "need administrator rights",
    "not a member",
    "kicked",
)
# Of what is sent: words may still be written there.
NO_MEDIA = (
    "rights to send photos",
    "rights to send documents",
    "CHAT_SEND_PHOTOS_FORBIDDEN",
    "CHAT_SEND_DOCS_FORBIDDEN",
    "CHAT_SEND_MEDIA_FORBIDDEN",
)
NO_THREAD = ("message thread not found", "TOPIC_DELETED", "TOPIC_CLOSED")
# The request never left this machine.
_UNSENT = {"ConnectError", "ConnectTimeout", "PoolTimeout", "UnsupportedProtocol", "ProxyError"}


class Refused(TelegramError):
    """The API answered with an error. `description` is its text, without the leading kind."""

    def __init__(self, code: int, description: str, retry_after_s: int = 0, migrated_to: int = 0) -> None:
        kind, separator, rest = description.partition(": ")
        self.description = rest if separator else kind
        super().__init__(f"{code} {description}")
        self.code = code
        self.retry_after_s = retry_after_s
        self.migrated_to = migrated_to

    def says(self, *texts: str) -> bool:
        """Whether the description holds one of these texts, in any case."""
        lowered = self.description.lower()
        return any(text.lower() in lowered for text in texts)


class Unanswered(TelegramError):
    """No answer came. Not `sent`: then nothing happened; else nobody knows whether it did."""

    def __init__(self, reason: str, *, sent: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.sent = sent


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that goes out, as a picture or as it is. `caption` has no markup."""

    kind: Literal["photo", "document"]
    name: str
    data: bytes = field(repr=False)
    caption: str = ""


class _Requests(HTTPXRequest):
    """Raises our errors, which keep the API's own texts and never hold the address with the token."""

    @override
    async def do_request(
        self, url: str, method: str, request_data: RequestData | None = None, *args: Any, **kwargs: Any
    ) -> tuple[int, bytes]:
        try:
            code, payload = await super().do_request(url, method, request_data, *args, **kwargs)
        except NetworkError as error:
            reason = type(error.__cause__ or error).__name__
            raise Unanswered(reason, sent=reason not in _UNSENT) from None
        if code >= 400:
            raise _refusal(code, payload)
        return code, payload


def _refusal(code: int, payload: bytes) -> Refused:
    try:
        body = json.loads(payload)
        description, parameters = str(body["description"]), body.get("parameters", {})
    except (ValueError, KeyError, TypeError):
        return Refused(code, "no readable answer")
    return Refused(
        code, description, parameters.get("retry_after", 0), parameters.get("migrate_to_chat_id", 0)
    )


class _RawBot(Bot):
    """The library's transport without its objects: an update of a new form must not stop the others."""

    async def call(self, method: str, parameters: dict[str, Any], read_timeout_s: float) -> Any:
        return await self._post(method, parameters, read_timeout=read_timeout_s)


class Client:
    """Calls of the Bot API. Every method raises `Refused` or `Unanswered`, and nothing else."""

    def __init__(self, settings: TelegramSettings, environ: Mapping[str, str] | None = None) -> None:
        """`environ` is where a proxy is looked for that the settings don't name.

        Raises `ConfigError` for a proxy that can't be used.
        """
        self.marks = Marks()
        self.on_lost: Callable[[], None] = lambda: None  # told of a call whose answer did not come
        # Told of a chat that wants to be left alone, and for how many seconds.
        self.on_flood: Callable[[str, float], None] = lambda chat_id, seconds: None
        token = settings.bot_token or SecretStr("")
        base = settings.api_base_url.rstrip("/")
        # These log addresses with the token, and people's texts.
        for name in ("httpx", "httpcore", "telegram"):
            logging.getLogger(name).setLevel(logging.WARNING)
        proxy = proxy_for(settings.api_base_url, settings.proxy, environ or {})
        self._requests = tuple(_requests(proxy, size) for size in (2, CONNECTIONS))
        self._files = f"{base}/file/bot{token.get_secret_value()}"
        self._bot = _RawBot(
            token.get_secret_value(),
            base_url=f"{base}/bot",
            base_file_url=f"{base}/file/bot",
            get_updates_request=self._requests[0],
            request=self._requests[1],
        )

    async def call(self, method: str, *, read_timeout_s: float = READ_TIMEOUT_S, **parameters: Any) -> Any:
        """Call any method; the result as plain JSON. Parameters that are None are left out."""
        try:
            return await self._bot.call(method, parameters, read_timeout_s)
        except Unanswered as error:
            if error.sent and method != "getUpdates":  # long polls end without an answer in fine weather, too
                self.on_lost()
            raise
        except Refused as error:
            if error.code == 429 and "chat_id" in parameters:
                self.on_flood(str(parameters["chat_id"]), error.retry_after_s)
            raise
        except (TelegramError, LookupError, TypeError) as error:  # an answer that is none of the API's
            raise Unanswered(type(error).__name__, sent=True) from None

    async def get_updates(self, offset: int, wait_s: int, allowed: tuple[str, ...]) -> list[Any]:
        """Wait for updates from `offset` on, which confirms all before it."""
        updates: list[Any] = await self.call(
            "getUpdates",
            read_timeout_s=wait_s + _LEEWAY_S,
            offset=offset or None,
            timeout=wait_s,
            allowed_updates=list(allowed),
        )
        return updates

    async def download(self, file_id: str) -> bytes:
        """The bytes of a file that somebody sent."""
        found = await self.call("getFile", file_id=file_id)
        try:
            url = f"{self._files}/{quote(found['file_path'])}"
            return await self._requests[1].retrieve(url, read_timeout=DOWNLOAD_TIMEOUT_S)
        except (Refused, Unanswered):
            raise
        except (TelegramError, LookupError, TypeError) as error:
            raise Unanswered(type(error).__name__, sent=True) from None

    async def send(self, chat_id: str, thread_id: str, shown: Shown, reply_to: str = "") -> str:
        """Send a message; its id. It is sent also when the message it answers is gone."""
        reply = {"message_id": int(reply_to), "allow_sending_without_reply": True} if reply_to else None
        message = await self.call(
            "sendRichMessage" if shown.is_rich else "sendMessage",
            chat_id=_number(chat_id),
            message_thread_id=int(thread_id) if thread_id else None,
            reply_parameters=reply,
            reply_markup=shown.markup,
            **_content(shown.content),
        )
        self.marks.note(chat_id, int(message["message_id"]), by_bot=True)
        return str(message["message_id"])

    async def upload(self, chat_id: str, thread_id: str, files: Sequence[Upload]) -> list[str]:
        """Send one file, or several of one kind as an album; the ids of the messages."""
        where = {"chat_id": _number(chat_id), "message_thread_id": int(thread_id) if thread_id else None}
        if len(files) == 1:
            (file,) = files
            content = {file.kind: InputFile(file.data, file.name), "caption": file.caption or None}
            method = "sendPhoto" if file.kind == "photo" else "sendDocument"
            sent = [await self.call(method, read_timeout_s=UPLOAD_TIMEOUT_S, **where, **content)]
        else:
            media = [_medium(file) for file in files]
            sent = await self.call("sendMediaGroup", read_timeout_s=UPLOAD_TIMEOUT_S, **where, media=media)
        for message in sent:
            self.marks.note(chat_id, int(message["message_id"]), by_bot=True)
        return [str(message["message_id"]) for message in sent]

    async def edit_caption(self, chat_id: str, message_id: str, caption: str) -> None:
        """Give a picture or file another caption."""
        await self.call(
            "editMessageCaption", chat_id=_number(chat_id), message_id=int(message_id), caption=caption
        )

    async def edit(self, chat_id: str, message_id: str, shown: Shown) -> None:
        """Give a message another content; without buttons it loses those it had."""
        await self.call(
            "editMessageText",
            chat_id=_number(chat_id),
            message_id=int(message_id),
            reply_markup=shown.markup,
            **_content(shown.content),
        )

    async def draft(self, chat_id: str, thread_id: str, draft_id: int, content: Content) -> None:
        """Show a text that is still being written; it goes by itself after half a minute."""
        fields = _content(content)
        fields.pop("link_preview_options", None)
        await self.call(
            "sendRichMessageDraft" if isinstance(content, Rich) else "sendMessageDraft",
            chat_id=_number(chat_id),
            message_thread_id=int(thread_id) if thread_id else None,
            draft_id=draft_id,
            **fields,
        )

    async def typing(self, chat_id: str, thread_id: str) -> None:
        """Show for five seconds that the bot is writing."""
        await self.call(
            "sendChatAction",
            chat_id=_number(chat_id),
            message_thread_id=int(thread_id) if thread_id else None,
            action="typing",
        )

    async def close(self) -> None:
        """Let the connections go."""
        for requests in self._requests:
            await requests.shutdown()


def _requests(proxy: str | None, size: int) -> _Requests:
    return _Requests(
        connection_pool_size=size,
        read_timeout=READ_TIMEOUT_S,
        write_timeout=READ_TIMEOUT_S,
        connect_timeout=CONNECT_TIMEOUT_S,
        pool_timeout=READ_TIMEOUT_S,
        proxy=proxy,
        httpx_kwargs={"trust_env": False},  # the proxy was chosen above
    )


def _medium(file: Upload) -> InputMediaPhoto | InputMediaDocument:
    made = InputMediaPhoto if file.kind == "photo" else InputMediaDocument
    return made(InputFile(file.data, file.name, attach=True), caption=file.caption or None)


def _number(chat_id: str) -> int | str:
    return int(chat_id) if chat_id.lstrip("-").isdigit() else chat_id


def _content(content: Content) -> dict[str, Any]:
    if isinstance(content, Rich):
        return {"rich_message": {"markdown": content.markdown}}
    return {
        "text": content.text,
        "entities": content.as_json() or None,
        # Telegram fetches previewed pages by itself: a link made up by a model could carry data away.
        "link_preview_options": {"is_disabled": True},
    }
