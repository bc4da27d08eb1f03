"""The drafts of one answer: what to show next, and whether the chat takes them."""

import hashlib

from bot.domain.conversation import Conversation
from channels.telegram.client import Client, Refused, Unanswered
from channels.telegram.forms import DRAFTS, RICH, Forms
from channels.telegram.render import messages_of
from channels.telegram.rich import Rich, rich_messages_of
from channels.telegram.shown import Content


class Drafts:
    """`is_over` when the answer has to be shown in another way: a chat without drafts, a long text."""

    def __init__(self, turn_id: str, where: Conversation, client: Client, forms: Forms) -> None:
        self._id = int.from_bytes(hashlib.sha256(turn_id.encode()).digest()[:4]) >> 2 | 1
        self._where = where
        self._client = client
        self._forms = forms
        self._plain = False  # rich drafts of this answer were refused
        self._hash = ""
        self.is_over = False

    @property
    def shown(self) -> bool:
        """Whether a draft may be in the chat."""
        return bool(self._hash)

    async def next(self, text: str) -> Content | None:
        """What to show of the text; None while there is nothing new."""
        contents: list[Content]
        if not self._plain and await self._forms.takes_rich(self._where, text):
            contents = [*await rich_messages_of(text)]
        else:
            contents = [*await messages_of(text)]
        if len(contents) > 1:  # the first of them will not change any more: messages, then
            self.is_over = True
        if len(contents) != 1 or contents[0].hash == self._hash:
            return None
        return contents[0]

    async def show(self, content: Content) -> None:
        """Show it. Raises `Refused` where no draft could help: asked to wait, or the chat is gone."""
        try:
            await self._client.draft(self._where.chat_id, self._where.thread_id, self._id, content)
        except Refused as error:
            if error.code in {403, 429}:
                raise
            if error.code >= 500:  # the next one may be taken
                return
            await self._refused(error, isinstance(content, Rich))
            return
        except Unanswered:  # the next one says more anyway
            pass
        self._hash = content.hash

    async def _refused(self, error: Refused, rich: bool) -> None:
        """Go on without rich drafts, or without any."""
        if rich and not self._plain:
            self._plain = True
            await self._forms.refused(self._where, RICH, error)
        else:
            self.is_over = True
            await self._forms.refused(self._where, DRAFTS, error)
