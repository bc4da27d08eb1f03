"""The world behind the fake Bot API: people, chats, messages, and updates that wait to be fetched."""

import asyncio
import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.bot_api_faults import ApiError, bad
from tests.fakes.bot_api_text import Entity, find_entities, fix_text, read_entities

Json = dict[str, Any]

BOT_ID = 7_000_000_001
_UNASKED = {"chat_member", "message_reaction", "message_reaction_count"}  # not sent unless asked for


@dataclass
class Message:
    """One message of a chat. `texts` holds every version of its text, the newest last."""

    body: Json
    by_bot: bool
    texts: list[str]
    deleted: bool = False
    reactions: list[Json] = field(default_factory=list)  # the bot's own

    @property
    def id(self) -> int:
        return int(self.body["message_id"])

    @property
    def text(self) -> str:
        return self.texts[-1]

    @property
    def buttons(self) -> list[str]:
        """The data of the inline buttons, row by row."""
        rows = self.body.get("reply_markup", {}).get("inline_keyboard", [])
        return [button["callback_data"] for row in rows for button in row]

    @property
    def entities(self) -> list[Json]:
        return list(self.body.get("entities") or self.body.get("caption_entities") or [])


@dataclass
class Chat:
    """A chat. `trouble` answers everything that is sent there, e.g. "bot was blocked by the user"."""

    id: int
    type: str
    info: Json
    topics: dict[int, str] = field(default_factory=dict)  # thread id to "open" or "closed"
    messages: dict[int, Message] = field(default_factory=dict)
    trouble: str = ""
    migrated_to: int | None = None
    drafts: dict[int, Json] = field(default_factory=dict)
    # A supergroup counts its messages by itself; private chats and basic groups share the bot's counter.
    ids: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    def as_json(self) -> Json:
        return {"id": self.id, "type": self.type, **self.info}


class World:
    """Everything that outlives one request. Methods that bring an update return its id."""

    def __init__(self, username: str = "donkey_bot", name: str = "Donkey") -> None:
        self.me: Json = {
            "id": BOT_ID,
            "is_bot": True,
            "first_name": name,
            "username": username,
            "can_join_groups": True,
            "can_read_all_group_messages": False,
            "supports_inline_queries": False,
            "can_connect_to_business": False,
            "has_main_web_app": False,
            "has_topics_enabled": False,
            "allows_users_to_create_topics": False,
            "can_manage_bots": False,
            "supports_guest_queries": False,
        }
        self.chats: dict[int, Chat] = {}
        self.users: dict[int, Json] = {}
        self.admins: set[tuple[int, int]] = set()  # chat and person
        self.updates: list[Json] = []
        self.confirmed: list[int] = []
        self.allowed: set[str] | None = None
        self.files: dict[str, Json] = {}
        self.contents: dict[str, bytes] = {}
        self.callbacks: dict[str, Json | None] = {}
        self.arrived = asyncio.Event()
        self._update_ids = itertools.count(700_000_001)
        self._numbers = itertools.count(1)
        self._message_ids = itertools.count(1)

    # -- people and places

    def user(self, user_id: int, first_name: str = "", **info: Any) -> Json:
        """A person; the first call makes the person and the private chat with the bot."""
        if user_id not in self.users:
            person = {"id": user_id, "is_bot": False, "first_name": first_name or f"User{user_id}"}
            self.users[user_id] = {**person, "language_code": "en", **info}
            names: Json = {
                key: self.users[user_id][key]
                for key in ("first_name", "username")
                if key in self.users[user_id]
            }
            self.chats[user_id] = Chat(user_id, "private", names, ids=self._message_ids)
        return self.users[user_id]

    def group(
        self, chat_id: int, title: str = "Group", *, forum: bool = False, kind: str = "supergroup"
    ) -> Chat:
        """A group (negative id). A forum has the General topic, which has no thread id."""
        info = {"title": title} | ({"is_forum": True} if forum else {})
        ids = itertools.count(1) if kind == "supergroup" else self._message_ids
        self.chats[chat_id] = Chat(chat_id, kind, info, ids=ids)
        return self.chats[chat_id]

    def topic(self, chat_id: int, thread_id: int, *, closed: bool = False) -> None:
        self.chats[chat_id].topics[thread_id] = "closed" if closed else "open"

    def file(self, content: bytes, name: str = "file.bin") -> str:
        """Put a file on the server; returns its file_id."""
        file_id = f"file{next(self._numbers)}"
        path = f"documents/{name}"
        self.files[file_id] = {
            "file_id": file_id,
            "file_unique_id": f"u{file_id}",
            "file_size": len(content),
            "file_path": path,
        }
        self.contents[path] = content
        return file_id

    # -- what people do

    def say(
        self,
        user_id: int,
        text: str | None = None,
        *,
        chat_id: int | None = None,
        entities: Sequence[Json] = (),
        thread_id: int | None = None,
        reply_to: int | None = None,
        **fields: Any,
    ) -> int:
        """A person writes, in private or in `chat_id`. Mentions, commands and links are found as in Telegram.

        `fields` are further fields of the message, such as `photo`, `caption`, `quote` or `voice`.
        """
        chat = self.chats[self.user(user_id)["id"] if chat_id is None else chat_id]
        body = {**self._head(chat, thread_id), "from": self.user(user_id), **fields}
        if reply_to is not None:
            body["reply_to_message"] = self.quoted(chat, reply_to)
        if text is not None:
            self._put_text(body, "text", text, entities)
        if "caption" in body:
            self._put_text(body, "caption", body["caption"], body.get("caption_entities", ()))
        words = str(body.get("text", body.get("caption", "")))
        chat.messages[body["message_id"]] = Message(body, by_bot=False, texts=[words])
        return self.push("message", body)

    def edit(self, chat_id: int, message_id: int, text: str) -> int:
        """A person edits a message of theirs."""
        message = self.chats[chat_id].messages[message_id]
        message.body = {**message.body, "edit_date": int(time.time())}
        self._put_text(message.body, "text", text, ())
        message.texts.append(message.body["text"])
        return self.push("edited_message", message.body)

    def press(self, user_id: int, chat_id: int, message_id: int, data: str) -> int:
        """A person presses an inline button."""
        query_id = str(10_000 + next(self._numbers))
        self.callbacks[query_id] = None
        return self.push(
            "callback_query",
            {
                "id": query_id,
                "from": self.user(user_id),
                "message": self.chats[chat_id].messages[message_id].body,
                "chat_instance": str(chat_id),
                "data": data,
            },
        )

    def member_status(self, chat_id: int, by: int, old: str, new: str, **rights: bool) -> int:
        """Somebody adds, removes, blocks or restricts the bot; `kicked` and `left` close the chat for it.

        `rights` are those of a bot that is `restricted` now, with `is_member`.
        """
        chat = self.chats[chat_id]
        trouble = (
            "bot was blocked by the user"
            if chat.type == "private"
            else f"bot was kicked from the {chat.type} chat"
        )
        chat.trouble = trouble if new in {"kicked", "left"} else ""
        until = {"until_date": 0}
        member = {
            "chat": chat.as_json(),
            "from": self.user(by),
            "date": int(time.time()),
            "old_chat_member": {"user": self.me, "status": old} | (until if old == "kicked" else {}),
            "new_chat_member": {"user": self.me, "status": new, **rights}
            | (until if new in {"kicked", "restricted"} else {}),
        }
        return self.push("my_chat_member", member)

    def migrate(self, chat_id: int, new_id: int) -> None:
        """A group becomes a supergroup, with the two service messages."""
        old = self.chats[chat_id]
        new = self.group(new_id, old.info["title"])
        old.migrated_to = new_id
        service = {"from": next(iter(self.users.values()))}
        self.push("message", {**self._head(old, None), **service, "migrate_to_chat_id": new_id})
        self.push("message", {**self._head(new, None), **service, "migrate_from_chat_id": chat_id})

    def push(self, kind: str, body: Any) -> int:
        """Queue any update; wakes a waiting long poll."""
        update_id = next(self._update_ids)
        if kind in (self.allowed if self.allowed is not None else {kind} - _UNASKED):
            self.updates.append({"update_id": update_id, kind: body})
            self.arrived.set()
        return update_id

    # -- reading

    def visible(self, chat_id: int) -> list[Message]:
        """What the chat shows now, in order."""
        return [message for message in self.chats[chat_id].messages.values() if not message.deleted]

    def answers(self, chat_id: int) -> list[str]:
        """The visible texts of the bot, in order."""
        return [message.text for message in self.visible(chat_id) if message.by_bot]

    # -- used by the methods

    def confirm(self, offset: int) -> None:
        """Forget what was fetched before; a negative offset keeps only so many of the newest."""
        kept = (
            [update for update in self.updates if update["update_id"] >= offset]
            if offset >= 0
            else self.updates[offset:]
        )
        self.confirmed += [update["update_id"] for update in self.updates if update not in kept]
        self.updates = kept
        if not kept:
            self.arrived.clear()

    def chat_for(self, chat_id: Any) -> Chat:
        """The chat to send to, or the API's error."""
        if isinstance(chat_id, str):
            raise bad("chat not found")
        chat = self.chats.get(chat_id)
        if chat is None:
            raise bad("chat not found")
        if chat.migrated_to is not None:
            raise ApiError(
                400,
                "Bad Request: group chat was upgraded to a supergroup chat",
                migrate_to_chat_id=chat.migrated_to,
            )
        if chat.trouble:
            raise ApiError(403, f"Forbidden: {chat.trouble}")
        return chat

    def thread(self, chat: Chat, thread_id: int | None) -> None:
        """Refuse a topic that isn't there or is closed."""
        if thread_id is None:
            return
        state = chat.topics.get(thread_id)
        if state is None:
            raise bad("message thread not found")
        if state == "closed":
            raise bad("TOPIC_CLOSED")

    def add_bot_message(self, chat: Chat, fields: Json, thread_id: int | None) -> Message:
        body = {**self._head(chat, thread_id), "from": self.me, **fields}
        rich = body.get("rich_message", {}).get("markdown", "")
        words = str(body.get("text", body.get("caption", rich)))
        message = Message(body, by_bot=True, texts=[words])
        chat.messages[message.id] = message
        return message

    def quoted(self, chat: Chat, message_id: int) -> Json:
        """A message as it stands inside a reply: without its own reply."""
        body = chat.messages[message_id].body
        return {key: value for key, value in body.items() if key != "reply_to_message"}

    def _head(self, chat: Chat, thread_id: int | None) -> Json:
        head: Json = {"message_id": next(chat.ids), "date": int(time.time()), "chat": chat.as_json()}
        if thread_id is not None:
            head |= {"message_thread_id": thread_id, "is_topic_message": True}
        return head

    @staticmethod
    def _put_text(body: Json, key: str, text: str, entities: Sequence[Json]) -> None:
        given: list[Entity] = read_entities(entities)
        fixed = fix_text(text, given)
        found = [*fixed.entities, *find_entities(fixed.text, fixed.entities)]
        body[key] = fixed.text
        name = "entities" if key == "text" else "caption_entities"
        body.pop(name, None)
        if found:
            body[name] = [
                item.as_json() for item in sorted(found, key=lambda item: (item.offset, -item.length))
            ]
