"""What each method of the fake Bot API does."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any

from tests.fakes.bot_api_faults import ApiError, FloodLimits, bad
from tests.fakes.bot_api_files import read_album, read_caption, read_file
from tests.fakes.bot_api_rich import read_rich
from tests.fakes.bot_api_text import EntityError, FixedText, find_entities, fix_text, read_entities, utf16_len
from tests.fakes.bot_api_world import Chat, Json, Message, World

_ACTIONS = {
    "typing",
    "upload_photo",
    "record_video",
    "upload_video",
    "record_voice",
    "upload_voice",
    "upload_document",
    "choose_sticker",
    "find_location",
    "record_video_note",
    "upload_video_note",
}
_REACTIONS = {"👍", "👎", "❤", "🔥", "🎉", "🤔", "👀", "👌", "🙏", "✍", "🤝", "🫡"}  # some of those allowed
_MAX_FILE = 20 * 1024 * 1024
_NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same "
    "as a current content and reply markup of the message"
)


class Methods:
    """The behaviour of the methods that a chat bot uses; `call` runs one with checked parameters."""

    def __init__(self, world: World, flood: FloodLimits) -> None:
        self.world = world
        self.flood = flood
        self.altered: list[Json] = []  # texts whose entities the server had to cut: a bot's mistake
        self.commands: dict[tuple[str, str], list[Json]] = {}
        self.profile: dict[tuple[str, str], str] = {}
        self.webhook: Json = {}
        self.uploads: dict[str, bytes] = {}  # of the call under way
        self.webhook_needs_https = True
        self._poll: asyncio.Future[None] | None = None
        self._table: dict[str, Callable[[Json], Any]] = {
            "getMe": lambda _: self.world.me,
            "getUpdates": self._get_updates,
            "setWebhook": self._set_webhook,
            "deleteWebhook": self._delete_webhook,
            "getWebhookInfo": self._webhook_info,
            "sendMessage": self._send_message,
            "editMessageText": self._edit_text,
            "editMessageReplyMarkup": self._edit_markup,
            "deleteMessage": self._delete,
            "sendMessageDraft": self._draft,
            "sendRichMessage": self._send_message,
            "sendPhoto": lambda params: self._send_file(params, "photo"),
            "sendDocument": lambda params: self._send_file(params, "document"),
            "sendMediaGroup": self._send_album,
            "editMessageCaption": self._edit_caption,
            "sendRichMessageDraft": self._draft,
            "sendChatAction": self._action,
            "setMessageReaction": self._react,
            "answerCallbackQuery": self._answer_callback,
            "getFile": self._get_file,
            "getChat": lambda params: self.world.chat_for(params["chat_id"]).as_json() | _CHAT_FULL,
            "setMyCommands": self._set_commands,
            "deleteMyCommands": self._delete_commands,
            "getChatMember": self._get_member,
            "getMyCommands": lambda params: self.commands.get(_scope_key(params), []),
            "setMyShortDescription": self._set_profile("short_description", 120),
            "setMyDescription": self._set_profile("description", 512),
            "setMyName": self._set_profile("name", 64),
        }

    async def call(self, method: str, params: Json) -> Any:
        behaviour = self._table.get(method)
        if behaviour is None:
            raise ApiError(501, f"Not Implemented: the fake has no behaviour for {method}")
        if isinstance(params.get("chat_id"), int):
            self.flood.respect(params["chat_id"])
        result = behaviour(params)
        return await result if isinstance(result, Awaitable) else result

    # -- coming in

    async def _get_updates(self, params: Json) -> list[Json]:
        if self.webhook.get("url"):
            raise ApiError(
                409,
                "Conflict: can't use getUpdates method while webhook is active; "
                "use deleteWebhook to delete the webhook first",
            )
        self._end_poll()
        if "allowed_updates" in params:
            self.world.allowed = set(params["allowed_updates"]) or None
        if offset := params.get("offset"):
            self.world.confirm(offset)
        if not self.world.updates and (seconds := params.get("timeout", 0)) > 0:
            await self._wait(seconds)
        limit = min(100, max(1, params.get("limit", 100)))
        return self.world.updates[:limit]

    def _end_poll(self) -> None:
        if self._poll is not None and not self._poll.done():
            self._poll.set_exception(
                ApiError(
                    409,
                    "Conflict: terminated by other getUpdates request; "
                    "make sure that only one bot instance is running",
                )
            )

    async def _wait(self, seconds: float) -> None:
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._poll = mine
        self.world.arrived.clear()
        arrival: asyncio.Future[Any] = asyncio.ensure_future(self.world.arrived.wait())
        try:
            await asyncio.wait([mine, arrival], timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if mine.done():
                mine.result()
        finally:
            arrival.cancel()
            mine.cancel()
            if self._poll is mine:
                self._poll = None

    def _set_webhook(self, params: Json) -> bool:
        url = params["url"]
        if self.webhook_needs_https and not url.startswith("https://"):
            raise bad("bad webhook: An HTTPS URL must be provided for webhook")
        secret = params.get("secret_token", "")
        if len(secret) > 256:
            raise bad("secret token is too long")
        if not re.fullmatch(r"[A-Za-z0-9_-]*", secret):
            raise bad("secret token contains unallowed characters")
        self._end_poll()
        if params.get("drop_pending_updates"):
            self.world.updates.clear()
        self.webhook = {"url": url, "secret_token": secret}
        return True

    def _delete_webhook(self, params: Json) -> bool:
        if params.get("drop_pending_updates"):
            self.world.updates.clear()
        self.webhook = {}
        return True

    def _webhook_info(self, _: Json) -> Json:
        return {
            "url": self.webhook.get("url", ""),
            "has_custom_certificate": False,
            "pending_update_count": len(self.world.updates),
        } | {key: value for key, value in self.webhook.items() if key == "last_error_message"}

    def _get_file(self, params: Json) -> Json:
        entry = self.world.files.get(params["file_id"])
        if entry is None:
            raise bad("wrong file_id or the file is temporarily unavailable")
        if entry["file_size"] > _MAX_FILE:
            raise bad("file is too big")
        return entry

    def _answer_callback(self, params: Json) -> bool:
        query = params["callback_query_id"]
        if query not in self.world.callbacks or self.world.callbacks[query] is not None:
            raise bad("query is too old and response timeout expired or query ID is invalid")
        if len(params.get("text", "")) > 200:
            raise bad("MESSAGE_TOO_LONG")
        self.world.callbacks[query] = params
        return True

    # -- going out

    def _send_message(self, params: Json) -> Json:
        chat = self._open_chat(params)
        content = self._content(params, "text")
        if "reply_parameters" in params:
            content |= self._reply(chat, params["reply_parameters"])
        if "reply_markup" in params:
            content["reply_markup"] = _checked_markup(params["reply_markup"])
        self.flood.admit(chat.id)
        return self.world.add_bot_message(chat, content, params.get("message_thread_id")).body

    def _send_file(self, params: Json, kind: str) -> Json:
        chat = self._open_chat(params)
        content = read_file(kind, params[kind], params.get("caption", ""), self.uploads)
        self.flood.admit(chat.id)
        return self.world.add_bot_message(chat, content, params.get("message_thread_id")).body

    def _send_album(self, params: Json) -> list[Json]:
        chat = self._open_chat(params)
        contents = read_album(params["media"], self.uploads)
        self.flood.admit(chat.id)
        thread_id, album = params.get("message_thread_id"), {"media_group_id": str(len(chat.messages) + 1)}
        return [self.world.add_bot_message(chat, one | album, thread_id).body for one in contents]

    def _edit_caption(self, params: Json) -> Json:
        chat, message = self._edited(params, missing="message to edit not found")
        if not message.by_bot:
            raise bad("message can't be edited")
        if not message.body.keys() & {"photo", "document"}:
            raise bad("there is no caption in the message to edit")
        caption = read_caption(params.get("caption", ""))
        self.flood.admit(chat.id)
        if message.body.get("caption", "") == caption:
            raise bad(_NOT_MODIFIED)
        message.body["caption"] = caption
        message.texts.append(caption)
        return message.body

    def _open_chat(self, params: Json) -> Chat:
        chat = self.world.chat_for(params["chat_id"])
        self.world.thread(chat, params.get("message_thread_id"))
        return chat

    def _reply(self, chat: Chat, wish: Json) -> Json:
        target = chat.messages.get(wish["message_id"])
        if target is not None and not target.deleted:
            return {"reply_to_message": self.world.quoted(chat, target.id)}
        if wish.get("allow_sending_without_reply"):
            return {}
        raise bad("message to be replied not found")

    def _content(self, params: Json, key: str) -> Json:
        if "rich_message" in params:
            return self._rich(params["rich_message"])
        fixed = self._formatted(params, trim=True)
        if not fixed.text:
            raise bad("message text is empty")
        if utf16_len(fixed.text) > 4096:
            raise bad("message is too long")
        found = [*fixed.entities, *find_entities(fixed.text, fixed.entities)]
        ordered = sorted(found, key=lambda item: (item.offset, -item.length))
        return {key: fixed.text} | ({"entities": [item.as_json() for item in ordered]} if ordered else {})

    @staticmethod
    def _rich(rich: Json) -> Json:
        """A rich message; its words also as a text, which the real API does not tell."""
        if "html" in rich or "markdown" not in rich:
            raise ApiError(501, "Not Implemented: the fake reads Rich Markdown only")
        try:
            words = read_rich(rich["markdown"])
        except EntityError as error:
            raise bad(str(error)) from None
        return {"rich_message": {"blocks": [], "markdown": rich["markdown"]}, "rich_text": words}

    def _formatted(self, params: Json, *, trim: bool) -> FixedText:
        if params.get("parse_mode"):
            raise ApiError(501, "Not Implemented: the fake reads entities, not parse_mode")
        try:
            fixed = fix_text(params.get("text", ""), read_entities(params.get("entities", ())), trim=trim)
        except EntityError as error:
            raise bad(str(error)) from None
        if fixed.altered:
            self.altered.append({"text": params.get("text", ""), "entities": params.get("entities")})
        return fixed

    def _edited(self, params: Json, *, missing: str) -> tuple[Chat, Message]:
        chat = self.world.chat_for(params.get("chat_id"))
        message = chat.messages.get(params.get("message_id", 0))
        if message is None or message.deleted:
            raise bad(missing)
        return chat, message

    def _edit_text(self, params: Json) -> Json:
        chat, message = self._edited(params, missing="message to edit not found")
        if not message.by_bot or not message.body.keys() & {"text", "rich_message"}:
            raise bad("message can't be edited")
        content = self._content(params, "text")
        markup = _checked_markup(params["reply_markup"]) if "reply_markup" in params else None
        self.flood.admit(chat.id)
        same = all(message.body.get(key) == content.get(key) for key in ("text", "entities", "rich_message"))
        if same and message.body.get("reply_markup") == markup:
            raise bad(_NOT_MODIFIED)
        for key in ("text", "entities", "rich_message", "rich_text", "reply_markup"):
            message.body.pop(key, None)
        message.body |= content | ({"reply_markup": markup} if markup else {})
        message.texts.append(content["text"] if "text" in content else content["rich_message"]["markdown"])
        return message.body

    def _edit_markup(self, params: Json) -> Json:
        chat, message = self._edited(params, missing="message to edit not found")
        markup = _checked_markup(params["reply_markup"]) if "reply_markup" in params else None
        self.flood.admit(chat.id)
        if message.body.get("reply_markup") == markup:
            raise bad(_NOT_MODIFIED)
        message.body.pop("reply_markup", None)
        message.body |= {"reply_markup": markup} if markup else {}
        return message.body

    def _delete(self, params: Json) -> bool:
        _, message = self._edited(params, missing="message to delete not found")
        if not message.by_bot:
            raise bad("message can't be deleted")
        message.deleted = True
        return True

    def _draft(self, params: Json) -> bool:
        chat = self._open_chat(params)
        if chat.type != "private":
            raise bad("TEXTDRAFT_PEER_INVALID")
        if not params["draft_id"]:
            raise bad("RANDOM_ID_INVALID")
        if "rich_message" in params:
            draft = self._rich(params["rich_message"])
        else:
            draft = {"text": self._formatted(params, trim=False).text}
            if utf16_len(draft["text"]) > 4096:
                raise bad("message is too long")
        self.flood.admit(chat.id)
        chat.drafts[params["draft_id"]] = draft
        return True

    def _action(self, params: Json) -> bool:
        self._open_chat(params)
        if params["action"] not in _ACTIONS:
            raise bad("wrong parameter action in request")
        return True

    def _react(self, params: Json) -> bool:
        _, message = self._edited(params, missing="message to react not found")
        reactions = params.get("reaction", [])
        if len(reactions) > 1:
            raise bad("REACTIONS_TOO_MANY")
        if any(one["type"] == "emoji" and one["emoji"] not in _REACTIONS for one in reactions):
            raise bad("REACTION_INVALID")
        message.reactions = reactions
        return True

    # -- the bot's own settings

    def _get_member(self, params: Json) -> Json:
        person = self.world.users.get(params["user_id"])
        if person is None:
            raise bad("user not found")
        manages = (int(params["chat_id"]), params["user_id"]) in self.world.admins
        return (
            {"status": "creator", "user": person, "is_anonymous": False}
            if manages
            else {
                "status": "member",
                "user": person,
            }
        )

    def _set_commands(self, params: Json) -> bool:
        commands = params["commands"]
        if len(commands) > 100:
            raise bad("BOT_COMMANDS_TOO_MUCH")
        for command in commands:
            if not re.fullmatch(r"[a-z0-9_]{1,32}", command["command"]):
                raise bad("BOT_COMMAND_INVALID")
            if not 1 <= len(command["description"]) <= 256:
                raise bad("BOT_COMMAND_DESCRIPTION_INVALID")
        if len(params.get("language_code", "")) not in {0, 2}:
            raise bad("invalid language code specified")
        self.commands[_scope_key(params)] = commands
        return True

    def _delete_commands(self, params: Json) -> bool:
        self.commands.pop(_scope_key(params), None)
        return True

    def _set_profile(self, name: str, limit: int) -> Callable[[Json], bool]:
        def change(params: Json) -> bool:
            if len(params.get(name, "")) > limit:
                raise bad(f"{name} is too long")
            self.profile[name, params.get("language_code", "")] = params.get(name, "")
            return True

        return change


def _scope_key(params: Json) -> tuple[str, str]:
    scope = params.get("scope", {"type": "default"})
    place = ":".join(str(value) for value in scope.values())
    return place, params.get("language_code", "")


def _checked_markup(markup: Json) -> Json:
    for row in markup.get("inline_keyboard", []):
        for button in row:
            if not button["text"]:
                raise bad("inline keyboard button text is empty")
            actions = button.keys() - {"text", "icon_custom_emoji_id", "style"}
            if len(actions) != 1:
                raise bad("inline keyboard button must have exactly one action")
            if "callback_data" in button and not 1 <= len(button["callback_data"].encode()) <= 64:
                raise bad("BUTTON_DATA_INVALID")
    return markup


_CHAT_FULL: Json = {"accent_color_id": 0, "max_reaction_count": 11, "accepted_gift_types": {}}
