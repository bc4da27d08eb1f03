"""Whether an answer goes out as rich or as classic messages; what a chat refused is not tried again."""

from collections.abc import Sequence
from typing import Literal

from bot.delivery.abilities import Abilities
from bot.domain.conversation import Conversation
from channels.telegram.client import NO_CHAT, NO_THREAD, Refused
from channels.telegram.render import messages_of
from channels.telegram.rich import gains, rich_messages_of
from channels.telegram.shown import Content

RICH, DRAFTS = "rich", "drafts"
# Refusals of one text: the chat may take the next one.
_OF_THE_TEXT = (
    "can't parse",
    "entit",
    "too long",
    "TOO_LONG",
    "TOO_MUCH",
    "TOO_BIG",
    "empty",
    "CONTENT_REQUIRED",
    "_INVALID",
    "can't be edited",
)
_LASTING = {400, 404, 501}  # others pass, such as a server in trouble
_OF_THE_CHAT = ("PEER_INVALID", "RANDOM_ID_INVALID")


class Forms:
    """Chooses the form of answers. `mode` is the setting `rich_messages`."""

    def __init__(self, abilities: Abilities, mode: Literal["auto", "on", "off"]) -> None:
        self._abilities = abilities
        self._mode = mode

    async def takes_rich(self, where: Conversation, text: str) -> bool:
        """Whether to try a rich message for this text in this chat."""
        if self._mode == "off" or (self._mode == "auto" and not gains(text)):
            return False
        return not await self._abilities.lacks(where, RICH)

    async def takes_drafts(self, where: Conversation) -> bool:
        """Whether drafts may be tried in this chat: only people's own chats have them."""
        return where.kind == "private" and not await self._abilities.lacks(where, DRAFTS)

    async def contents(self, where: Conversation, text: str) -> Sequence[Content]:
        """The messages of a text in the form this chat takes."""
        if await self.takes_rich(where, text):
            return await rich_messages_of(text)
        return await messages_of(text)

    async def refused(self, where: Conversation, ability: str, error: Refused) -> None:
        """Learn from a refusal, unless the text, the chat or the moment was to blame."""
        if error.code not in _LASTING or error.migrated_to or error.says(*NO_CHAT, *NO_THREAD):
            return
        if error.says(*_OF_THE_CHAT) or not error.says(*_OF_THE_TEXT):
            await self._abilities.refuse(where, ability, error.description)
