"""An `Inbound` as JSON and back, so that a turn taken up after a crash is the same turn."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, cast

from bot.domain.conversation import Conversation, Inbound, Speaker
from bot.domain.message import Document, File, Image, Message, Part, Quote, Role, Text


def dump(inbound: Inbound) -> dict[str, Any]:
    """Everything of an inbound message, as JSON."""
    conversation, speaker = inbound.conversation, inbound.speaker
    return {
        "external_id": inbound.external_id,
        "conversation": {
            "channel": conversation.channel,
            "chat_id": conversation.chat_id,
            "thread_id": conversation.thread_id,
            "kind": conversation.kind,
            "title": conversation.title,
        },
        "speaker": {
            "channel": speaker.channel,
            "user_id": speaker.user_id,
            "name": speaker.name,
            "locale": speaker.locale,
            "is_bot": speaker.is_bot,
        },
        "at": inbound.at.isoformat(),
        "parts": dump_parts(inbound.parts),
        "addressed": inbound.addressed,
        "reply_ref": inbound.reply_ref,
        "locale": inbound.locale,
        "zone": inbound.zone,
        "pressed": inbound.pressed,
        "context": _dump_messages(inbound.context),
        "following": _dump_messages(inbound.following),
    }


def load(data: Mapping[str, Any]) -> Inbound:
    """The inbound message that `dump` wrote."""
    return Inbound(
        external_id=data["external_id"],
        conversation=Conversation(**data["conversation"]),
        speaker=Speaker(**data["speaker"]),
        at=datetime.fromisoformat(data["at"]),
        parts=load_parts(data["parts"]),
        addressed=data["addressed"],
        reply_ref=data["reply_ref"],
        locale=data["locale"],
        zone=data.get("zone", ""),  # rows of an earlier version have none, nor the next two
        pressed=data.get("pressed", ""),
        context=_load_messages(data["context"]),
        following=_load_messages(data.get("following", ())),
    )


def _dump_messages(messages: Iterable[Message]) -> list[dict[str, Any]]:
    return [
        {"role": message.role, "parts": dump_parts(message.parts), "name": message.name}
        for message in messages
    ]


def _load_messages(data: Iterable[Mapping[str, Any]]) -> tuple[Message, ...]:
    return tuple(Message(cast(Role, item["role"]), load_parts(item["parts"]), item["name"]) for item in data)


def dump_parts(parts: tuple[Part, ...]) -> list[dict[str, Any]]:
    """The parts of a message that come from people, as JSON."""
    out: list[dict[str, Any]] = []
    for part in parts:
        match part:
            case Text(text):
                out.append({"text": text})
            case Image(url, caption):
                out.append({"image": url, "caption": caption})
            case File(name, ref, mime, size, kind):
                out.append({"file": name, "ref": ref, "mime": mime, "size": size, "kind": kind})
            case Document(name, text, cut):
                out.append({"document": name, "says": text, "cut": cut})
            case Quote(author, text, forwarded):
                out.append({"quote": text, "author": author, "forwarded": forwarded})
            case _:
                raise TypeError(f"{type(part).__name__} does not come from people")
    return out


def load_parts(data: list[dict[str, Any]]) -> tuple[Part, ...]:
    """The parts that `dump_parts` wrote."""
    return tuple(_load_part(item) for item in data)


def _load_part(item: dict[str, Any]) -> Part:
    if "text" in item:
        return Text(item["text"])
    if "image" in item:
        return Image(item["image"], item["caption"])
    if "quote" in item:
        return Quote(item["author"], item["quote"], item["forwarded"])
    if "document" in item:
        return Document(item["document"], item["says"], item["cut"])
    # Rows of an earlier version tell no kind.
    return File(item["file"], item["ref"], item["mime"], item["size"], item.get("kind", "document"))
