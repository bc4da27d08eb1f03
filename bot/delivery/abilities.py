"""What a chat has turned out not to take, so that it is not tried there again and again."""

from datetime import datetime, timedelta

import structlog
from sqlalchemy import Connection, delete, insert, select

from bot.domain.conversation import Conversation
from bot.domain.ports import Clock
from bot.store.engine import Store
from bot.store.tables import chat_abilities

log = structlog.get_logger(__name__)

# Clients and servers are brought up to date: after so long it is tried again.
AGAIN_AFTER = timedelta(days=7)
_REMEMBERED = 4096  # chats


class Abilities:
    """By chat, the abilities that were refused. An ability is the channel's own word, such as "drafts"."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._known: dict[tuple[str, str], dict[str, datetime]] = {}

    async def lacks(self, where: Conversation, ability: str) -> bool:
        """Whether the chat refused this lately."""
        chat = (where.channel, where.chat_id)
        if chat not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[chat] = await self._store.read(_refused, *chat)
        at = self._known[chat].get(ability)
        return at is not None and self._clock.now() - at < AGAIN_AFTER

    async def refuse(self, where: Conversation, ability: str, reason: str) -> None:
        """Remember that the chat refused this, with the channel's reason."""
        if await self.lacks(where, ability):
            return
        now = self._clock.now()
        self._known[where.channel, where.chat_id][ability] = now
        log.info("chat.ability.refused", channel=where.channel, ability=ability, reason=reason)
        await self._store.write(_refuse, where, ability, reason, now)


def _refused(conn: Connection, channel: str, chat_id: str) -> dict[str, datetime]:
    mine = (chat_abilities.c.channel == channel) & (chat_abilities.c.chat_id == chat_id)
    rows = conn.execute(select(chat_abilities.c.ability, chat_abilities.c.at).where(mine))
    return {row.ability: row.at for row in rows}


def _refuse(conn: Connection, where: Conversation, ability: str, reason: str, now: datetime) -> None:
    key = {"channel": where.channel, "chat_id": where.chat_id, "ability": ability}
    conn.execute(delete(chat_abilities).filter_by(**key))
    conn.execute(insert(chat_abilities).values(**key, reason=reason[:200], at=now))
