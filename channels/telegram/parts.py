"""An update, as the Bot API sends it, turned into an `Inbound`; nothing else happens here.

Updates are read as plain JSON objects: fields that nobody knows yet are simply not looked at.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bot.domain.conversation import Conversation, Inbound, Speaker
from bot.domain.message import File, Part, Quote, Text
from bot.text.clean import clean
from channels.telegram.utf16 import utf16_len, utf16_slice

Json = Mapping[str, Any]

CHANNEL = "telegram"
# What is asked of Telegram: other kinds of updates are not sent at all.
ALLOWED_UPDATES = ("message", "callback_query")
MAX_QUOTE = 500  # characters of a message that is answered
MAX_NAME = 80  # characters of a file's name
_ANONYMOUS = {1087968824, 136817688, 777000}  # the bots that stand for admins, channels and linked posts
_UNSAFE = re.compile(r"[\x00-\x1f\x7f<>:\"|?*]+")
# Kind of attachment, the name it gets where it has none, and its type.
_FILES = (
    ("document", "document", "application/octet-stream"),
    ("voice", "voice message.ogg", "audio/ogg"),
    ("audio", "audio.mp3", "audio/mpeg"),
    ("video", "video.mp4", "video/mp4"),
    ("video_note", "video message.mp4", "video/mp4"),
    ("animation", "animation.mp4", "video/mp4"),
    ("sticker", "sticker.webp", "image/webp"),
)
# What people send that has no words and cannot be fetched.
_UNREAD = ("story", "paid_media", "live_photo", "game", "checklist", "invoice", "giveaway", "rich_message")


@dataclass(frozen=True, slots=True)
class Me:
    """The bot itself; `username` without @."""

    id: int
    username: str
    reads_all: bool = False  # privacy mode is off, so that every group message arrives

    @classmethod
    def of(cls, user: Json) -> "Me":
        """From what `getMe` answers."""
        return cls(user["id"], user.get("username", ""), bool(user.get("can_read_all_group_messages")))


def read_update(update: Json, me: Me, now: datetime) -> Inbound | None:
    """The message that an update brings; None for what is no message to us.

    Raises `KeyError`, `TypeError` or `ValueError` for an update that is not of the documented form.
    """
    if "callback_query" in update:
        return _pressed(update["callback_query"], now)
    message = update.get("message")
    if message is None:
        return None
    spoken = _Spoken.of(message)
    text, addressed = _address(spoken, message, me)
    parts = tuple(_parts(message, text))
    if not parts:
        return None
    speaker = _speaker(message)
    private = message["chat"]["type"] == "private"
    return Inbound(
        external_id=f"{message['chat']['id']}:{message['message_id']}",
        conversation=_conversation(message),
        speaker=speaker,
        at=datetime.fromtimestamp(message["date"], UTC),
        parts=parts,
        addressed=private or addressed,
        reply_ref="" if private else str(message["message_id"]),
        locale=speaker.locale,
    )


@dataclass(frozen=True, slots=True)
class _Spoken:
    """The words of a message, be they its text or its caption, and the entities over them."""

    text: str
    entities: tuple[Json, ...]

    @classmethod
    def of(cls, message: Json) -> "_Spoken":
        key = "text" if "text" in message else "caption"
        entities = message.get("entities" if key == "text" else "caption_entities", ())
        return cls(message.get(key, ""), tuple(entities))

    def covered(self, entity: Json) -> str:
        return utf16_slice(self.text, entity["offset"], entity["length"])


def _conversation(message: Json) -> Conversation:
    chat = message["chat"]
    # Outside topics a thread id only marks a chain of replies.
    thread = message.get("message_thread_id") if message.get("is_topic_message") else None
    private = chat["type"] == "private"
    return Conversation(
        channel=CHANNEL,
        chat_id=str(chat["id"]),
        thread_id="" if thread is None else str(thread),
        kind="private" if private else "group",
        title="" if private else _line(chat.get("title", "")),
    )


def _speaker(message: Json) -> Speaker:
    """Who speaks: a person, or the chat in whose name an anonymous admin or a channel does."""
    user, chat = message.get("from"), message.get("sender_chat")
    if chat is not None and (user is None or user["id"] in _ANONYMOUS):
        return Speaker(CHANNEL, str(chat["id"]), _line(chat.get("title", "")))
    return _person(message["from"])


def _person(user: Json) -> Speaker:
    name = _line(f"{user.get('first_name', '')} {user.get('last_name', '')}")
    return Speaker(
        CHANNEL, str(user["id"]), name, user.get("language_code", ""), is_bot=bool(user.get("is_bot"))
    )


def _line(text: str) -> str:
    """A name as one line."""
    return " ".join(clean(text).split())


# -- is the bot meant?


def _address(spoken: _Spoken, message: Json, me: Me) -> tuple[str, bool]:
    """The text without the bot's own name, and whether it calls the bot."""
    command = _command(spoken, me)
    if command is not None:
        return command
    mine = [entity for entity in spoken.entities if _is_me(spoken, entity, me)]
    if mine:
        return _without(spoken, mine), True
    others = any(entity["type"] in {"mention", "text_mention"} for entity in spoken.entities)
    return spoken.text, _answers_me(message, me) and not others


def _command(spoken: _Spoken, me: Me) -> tuple[str, bool] | None:
    """`/cmd@bot rest` as `/cmd rest`; a command for another bot does not call us."""
    first = next((entity for entity in spoken.entities if entity["type"] == "bot_command"), None)
    if first is None or first["offset"] != 0:
        return None
    name, _, target = spoken.covered(first).partition("@")
    if target and target.lower() != me.username.lower():
        return spoken.text, False
    return name + utf16_slice(spoken.text, first["length"], utf16_len(spoken.text)), True


def _is_me(spoken: _Spoken, entity: Json, me: Me) -> bool:
    if entity["type"] == "mention":
        return spoken.covered(entity).lower() == f"@{me.username}".lower()
    return entity["type"] == "text_mention" and bool(entity["user"]["id"] == me.id)


def _without(spoken: _Spoken, mentions: list[Json]) -> str:
    text = spoken.text
    for entity in reversed(mentions):
        before = utf16_slice(text, 0, entity["offset"]).rstrip(" ")
        after = utf16_slice(text, entity["offset"] + entity["length"], utf16_len(text)).lstrip(" ,:")
        text = f"{before} {after}" if before and after[:1] not in {"", "\n"} else before + after
    return text


def _answers_me(message: Json, me: Me) -> bool:
    replied = _replied(message)
    return replied is not None and bool(replied.get("from", {}).get("id") == me.id)


def _replied(message: Json) -> Json | None:
    """The message that is answered; in a topic the one that opened it does not count."""
    replied: Json | None = message.get("reply_to_message")
    if replied is None or "forum_topic_created" in replied:
        return None
    return replied


# -- what is in the message


def _parts(message: Json, text: str) -> Iterator[Part]:
    quote = _quote(message)
    if quote is not None:
        yield quote
    words = clean(text)
    forwarded = message.get("forward_origin")
    if forwarded is not None and words:
        yield Quote(_origin(forwarded), words, forwarded=True)
    elif words:
        yield Text(words)
    if (note := _note(message)) is not None:
        yield Text(clean(note))
    yield from _files(message)


def _quote(message: Json) -> Quote | None:
    """The answered words: the part that was marked, else the beginning of the message."""
    replied = _replied(message)
    marked = message.get("quote", {}).get("text", "")
    if replied is None:
        external = message.get("external_reply")
        return None if external is None or not marked else Quote(_origin(external["origin"]), clean(marked))
    words = clean(marked or _Spoken.of(replied).text)[:MAX_QUOTE]
    if not words.strip():
        return None
    return Quote(_speaker(replied).name, words)


def _origin(origin: Json) -> str:
    """The name of whom a forwarded message is from."""
    if "sender_user" in origin:
        return _person(origin["sender_user"]).name
    chat = origin.get("sender_chat") or origin.get("chat") or {}
    return _line(origin.get("sender_user_name") or chat.get("title") or "unknown")


def _note(message: Json) -> str | None:
    """In words what is neither text nor a file."""
    if "venue" in message:
        return f"[place: {message['venue']['title']}, {message['venue']['address']}]"
    if "location" in message:
        return f"[location: {message['location']['latitude']}, {message['location']['longitude']}]"
    if "contact" in message:
        contact = message["contact"]
        return f"[contact: {_person({'id': 0, **contact}).name}, {contact['phone_number']}]"
    if "poll" in message:
        options = "; ".join(option["text"] for option in message["poll"]["options"])
        return f"[poll: {message['poll']['question']} {options}]"
    if "dice" in message:
        return f"[dice {message['dice']['emoji']}: {message['dice']['value']}]"
    return None


def _files(message: Json) -> Iterator[File]:
    if message.get("photo"):
        largest = message["photo"][-1]
        yield File("photo.jpg", largest["file_id"], "image/jpeg", largest.get("file_size"))
    for key, name, mime in _FILES:
        item = message.get(key)
        if item is None or (key == "document" and "animation" in message):
            continue
        shown = f"sticker {item['emoji']}" if item.get("emoji") else item.get("file_name", name)
        yield File(
            shown_name(shown) or name, item["file_id"], item.get("mime_type", mime), item.get("file_size")
        )
    for key in _UNREAD:
        if key in message:
            yield File(key.replace("_", " "), "")


def shown_name(name: str) -> str:
    """A file's name as sent, fit to be shown: no path, no control characters, not too long."""
    last = re.split(r"[/\\]", name)[-1]
    cleaned = _UNSAFE.sub("", clean(last)).strip(" .")
    if len(cleaned) <= MAX_NAME:
        return cleaned
    stem, dot, ending = cleaned.rpartition(".")
    kept = f".{ending}" if dot and len(ending) <= 8 else ""
    return (stem if kept else cleaned)[: MAX_NAME - len(kept)] + kept


def _pressed(query: Json, now: datetime) -> Inbound | None:
    """A pressed button whose data is a command counts as that command, said by who pressed."""
    message, data = query.get("message"), query.get("data", "")
    if message is None or not data.startswith("/"):
        return None
    speaker = _person(query["from"])
    return Inbound(
        external_id=f"callback:{query['id']}",
        conversation=_conversation(message),
        speaker=speaker,
        at=now,
        parts=(Text(clean(data)),),
        locale=speaker.locale,
    )
