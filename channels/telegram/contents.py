"""What is in a message: where it stands, who speaks, its words, and everything that is not words."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bot.domain.conversation import Conversation, Speaker
from bot.domain.message import File, Part, Quote, Text
from bot.errors import InputError
from bot.text.clean import clean
from channels.telegram.parts_rich import words_of
from channels.telegram.utf16 import utf16_slice

Json = Mapping[str, Any]

CHANNEL = "telegram"
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
    ("live_photo", "live photo.mp4", "video/mp4"),
)
# What people send that has no words and cannot be fetched.
_UNREAD = ("story", "paid_media", "game", "invoice", "giveaway")


@dataclass(frozen=True, slots=True)
class Spoken:
    """The words of a message, be they its text or its caption, and the entities over them."""

    text: str
    entities: tuple[Json, ...]

    @classmethod
    def of(cls, message: Json) -> "Spoken":
        """Of a rich message, too: the mentions in it have no entities."""
        if "rich_message" in message and "text" not in message:
            return cls(words_of(message["rich_message"]), ())
        key = "text" if "text" in message else "caption"
        entities = message.get("entities" if key == "text" else "caption_entities", ())
        return cls(message.get(key, ""), tuple(entities))

    def covered(self, entity: Json) -> str:
        """The words under an entity."""
        return utf16_slice(self.text, entity["offset"], entity["length"])


def number_of(value: Any) -> str:
    """One of Telegram's numbers, as the house keeps it. Raises `InputError` for anything else."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"a number was expected of Telegram, not {type(value).__name__}")
    return str(value)


def text_of(value: Any) -> str:
    """A text of Telegram's that is kept as it is. Raises `InputError` for anything else."""
    if not isinstance(value, str):
        raise InputError(f"a text was expected of Telegram, not {type(value).__name__}")
    return value


def conversation_of(message: Json) -> Conversation:
    """Where a message stands; also of anything else that has a `chat`."""
    chat = message["chat"]
    # Outside topics a thread id only marks a chain of replies.
    thread = message.get("message_thread_id") if message.get("is_topic_message") else None
    private = chat["type"] == "private"
    return Conversation(
        channel=CHANNEL,
        chat_id=number_of(chat["id"]),
        thread_id="" if thread is None else number_of(thread),
        kind="private" if private else "group",
        title="" if private else _line(chat.get("title", "")),
    )


def speaker_of(message: Json) -> Speaker:
    """Who speaks: a person, or the chat in whose name an anonymous admin or a channel does."""
    user, chat = message.get("from"), message.get("sender_chat")
    if chat is not None and (user is None or user["id"] in _ANONYMOUS):
        return Speaker(CHANNEL, number_of(chat["id"]), _line(chat.get("title", "")))
    return person_of(message["from"])


def person_of(user: Json) -> Speaker:
    """A user of Telegram."""
    name = _line(f"{user.get('first_name', '')} {user.get('last_name', '')}")
    language = text_of(user.get("language_code", ""))
    return Speaker(CHANNEL, number_of(user["id"]), name, language, is_bot=bool(user.get("is_bot")))


def _line(text: str) -> str:
    """A name as one line."""
    return " ".join(clean(text).split())


def replied_of(message: Json) -> Json | None:
    """The message that is answered; in a topic the one that opened it does not count."""
    replied: Json | None = message.get("reply_to_message")
    if replied is None or "forum_topic_created" in replied:
        return None
    return replied


def parts_of(message: Json, text: str) -> Iterator[Part]:
    """Everything a message brings; `text` are its words, without the bot's name."""
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
    files = tuple(_files(message))
    replied = replied_of(message)
    if not files and replied is not None and words:  # "what is this?", in answer to a picture
        files = tuple(_files(replied))
    yield from files


def _quote(message: Json) -> Quote | None:
    """The answered words: the part that was marked, else the beginning of the message."""
    replied = replied_of(message)
    marked = message.get("quote", {}).get("text", "")
    if replied is None:
        external = message.get("external_reply")
        return None if external is None or not marked else Quote(_origin(external["origin"]), clean(marked))
    words = clean(marked or Spoken.of(replied).text or _note(replied) or "")[:MAX_QUOTE]
    if not words.strip():
        return None
    return Quote(speaker_of(replied).name, words)


def _origin(origin: Json) -> str:
    """The name of whom a forwarded message is from."""
    if "sender_user" in origin:
        return person_of(origin["sender_user"]).name
    chat = origin.get("sender_chat") or origin.get("chat") or {}
    return _line(origin.get("sender_user_name") or chat.get("title") or "unknown")


def _note(message: Json) -> str | None:
    """In words what is neither text nor a file."""
    if "venue" in message:
        return f"[place: {message['venue']['title']}, {message['venue']['address']}]"
    for name, told in _NOTES:
        if name in message:
            return f"[{told(message[name])}]"
    return None


def _contact(contact: Json) -> str:
    return f"contact: {person_of({'id': 0, **contact}).name}, {contact['phone_number']}"


def _poll(poll: Json) -> str:
    return f"poll: {poll['question']} {'; '.join(option['text'] for option in poll['options'])}"


def _checklist(checklist: Json) -> str:
    return f"checklist: {checklist['title']} {'; '.join(task['text'] for task in checklist['tasks'])}"


def _sticker(sticker: Json) -> str:
    return f"sticker {sticker['emoji']}" if sticker.get("emoji") else "sticker"


_NOTES: tuple[tuple[str, Callable[[Json], str]], ...] = (
    ("location", lambda place: f"location: {place['latitude']}, {place['longitude']}"),
    ("contact", _contact),
    ("poll", _poll),
    ("dice", lambda dice: f"dice {dice['emoji']}: {dice['value']}"),
    ("sticker", _sticker),
    ("checklist", _checklist),
)


def _files(message: Json) -> Iterator[File]:
    if message.get("photo"):
        largest = message["photo"][-1]
        yield _file("photo.jpg", largest, "image/jpeg", "photo")
    for key, name, mime in _FILES:
        item = message.get(key)
        if item is None or (key == "document" and "animation" in message):
            continue
        shown = shown_name(item.get("file_name", name)) or name
        yield _file(shown, item, item.get("mime_type", mime), key)
    for key in _UNREAD:
        if key in message:
            yield File(key.replace("_", " "), "", kind=key)


def _file(shown: str, item: Json, mime: Any, kind: str) -> File:
    size = item.get("file_size")
    return File(shown, text_of(item["file_id"]), text_of(mime), None if size is None else int(size), kind)


def shown_name(name: str) -> str:
    """A file's name as sent, fit to be shown: no path, no control characters, not too long."""
    last = re.split(r"[/\\]", name)[-1]
    cleaned = _UNSAFE.sub("", clean(last)).strip(" .")
    if len(cleaned) <= MAX_NAME:
        return cleaned
    stem, dot, ending = cleaned.rpartition(".")
    kept = f".{ending}" if dot and len(ending) <= 8 else ""
    return (stem if kept else cleaned)[: MAX_NAME - len(kept)] + kept
