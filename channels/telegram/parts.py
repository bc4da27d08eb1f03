"""An update, as the Bot API sends it, turned into an `Inbound`; nothing else happens here.

Updates are read as plain JSON objects: fields that nobody knows yet are simply not looked at.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from bot.domain.conversation import Heard, Inbound
from bot.domain.message import Text
from bot.text.clean import clean
from channels.telegram import contents
from channels.telegram.contents import (
    CHANNEL,
    Json,
    Spoken,
    conversation_of,
    number_of,
    person_of,
    replied_of,
    speaker_of,
    text_of,
)
from channels.telegram.utf16 import utf16_len, utf16_slice

__all__ = ["ALLOWED_UPDATES", "CHANNEL", "Me", "names_others", "read_edit", "read_message", "read_press"]

# What is asked of Telegram: other kinds of updates are not sent at all.
ALLOWED_UPDATES = ("message", "edited_message", "callback_query", "message_reaction", "my_chat_member")


@dataclass(frozen=True, slots=True)
class Me:
    """The bot itself; `username` without @."""

    id: int
    username: str
    reads_all: bool = False  # privacy mode is off, so that every group message arrives
    name: str = ""  # as people see it

    @classmethod
    def of(cls, user: Json) -> "Me":
        """From what `getMe` answers."""
        reads_all = bool(user.get("can_read_all_group_messages"))
        return cls(user["id"], user.get("username", ""), reads_all, user.get("first_name", ""))


def read_message(message: Json, me: Me) -> Inbound | None:
    """One message; None for one that says nothing, such as that somebody came into the group.

    This and the others raise `InputError`, `LookupError`, `TypeError`, `ValueError` or the like for what is
    not of the documented form.
    """
    spoken = Spoken.of(message)
    text, addressed = _address(spoken, message, me)
    parts = tuple(contents.parts_of(message, text))
    if not parts:
        return None
    speaker = speaker_of(message)
    private = message["chat"]["type"] == "private"
    return Inbound(
        external_id=f"{number_of(message['chat']['id'])}:{number_of(message['message_id'])}",
        conversation=conversation_of(message),
        speaker=speaker,
        at=datetime.fromtimestamp(message["date"], UTC),
        parts=parts,
        addressed=private or addressed,
        reply_ref="" if private else number_of(message["message_id"]),
        locale=speaker.locale,
        heard=None if private else _heard(message, spoken),
    )


def _heard(message: Json, spoken: Spoken) -> Heard:
    """How a message of a group was said, for its judgement."""
    replied = replied_of(message)
    named = [entity["user"] for entity in spoken.entities if entity["type"] == "text_mention"]
    return Heard(
        text=clean(spoken.text),
        username=text_of(message.get("from", {}).get("username", "")),
        reply_to="" if replied is None else speaker_of(replied).id,
        mentions=tuple(person_of(user).id for user in named),
    )


def read_edit(message: Json, me: Me) -> Inbound | None:
    """A message in its new form; None where it moves on by itself, as a live location does."""
    moving = "location" in message or "game" in message or "checklist" in message
    return None if moving else read_message(message, me)


def names_others(message: Json, me: Me) -> bool:
    """Whether a message of a group is for somebody else: it mentions them, or answers them."""
    spoken = Spoken.of(message)
    mentions = [entity for entity in spoken.entities if entity["type"] in {"mention", "text_mention"}]
    replied = replied_of(message)
    answered = None if replied is None else replied.get("from", {}).get("id")
    own = {me.id, message.get("from", {}).get("id")}
    return any(not _is_me(spoken, entity, me) for entity in mentions) or answered not in {None, *own}


# -- is the bot meant?


def _address(spoken: Spoken, message: Json, me: Me) -> tuple[str, bool]:
    """The text without the bot's own name, and whether it calls the bot."""
    command = _command(spoken, me)
    if command is not None:
        return command
    mine = [entity for entity in spoken.entities if _is_me(spoken, entity, me)]
    if mine:
        return _without(spoken, mine), True
    others = any(entity["type"] in {"mention", "text_mention"} for entity in spoken.entities)
    return spoken.text, _answers_me(message, me) and not others


def _command(spoken: Spoken, me: Me) -> tuple[str, bool] | None:
    """`/cmd@bot rest` as `/cmd rest`; a command for another bot does not call us."""
    first = next((entity for entity in spoken.entities if entity["type"] == "bot_command"), None)
    if first is None or first["offset"] != 0:
        return None
    name, _, target = spoken.covered(first).partition("@")
    if target and target.lower() != me.username.lower():
        return spoken.text, False
    return name + utf16_slice(spoken.text, first["length"], utf16_len(spoken.text)), True


def _is_me(spoken: Spoken, entity: Json, me: Me) -> bool:
    if entity["type"] == "mention":
        return spoken.covered(entity).lower() == f"@{me.username}".lower()
    return entity["type"] == "text_mention" and bool(entity["user"]["id"] == me.id)


def _without(spoken: Spoken, mentions: list[Json]) -> str:
    text = spoken.text
    for entity in reversed(mentions):
        before = utf16_slice(text, 0, entity["offset"]).rstrip(" ")
        after = utf16_slice(text, entity["offset"] + entity["length"], utf16_len(text)).lstrip(" ,:")
        text = f"{before} {after}" if before and after[:1] not in {"", "\n"} else before + after
    return text


def _answers_me(message: Json, me: Me) -> bool:
    replied = replied_of(message)
    return replied is not None and bool(replied.get("from", {}).get("id") == me.id)


def read_press(query: Json, now: datetime) -> Inbound | None:
    """A pressed button whose data is a command counts as that command, said by who pressed."""
    message, data = query.get("message"), query.get("data", "")
    if message is None or not data.startswith("/"):
        return None
    speaker = person_of(query["from"])
    return Inbound(
        external_id=f"callback:{text_of(query['id'])}",
        conversation=conversation_of(message),
        speaker=speaker,
        at=now,
        parts=(Text(clean(data)),),
        locale=speaker.locale,
        pressed=number_of(message["message_id"]),
    )
