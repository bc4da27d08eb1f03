"""What people set for a chat as a whole: when the bot speaks there, and in which language."""

import re
from dataclasses import dataclass
from datetime import datetime, time
from typing import Literal, cast

from sqlalchemy import Connection, delete, insert, select
from typing_extensions import override

from bot.domain.conversation import Conversation
from bot.store.tables import chat_settings
from bot.turn.group.records import Mode

Key = Literal["mode", "language", "quiet", "barred"]

_HOURS = re.compile(r"\s*([01]?\d|2[0-3])[:：]([0-5]\d)\s*[-–—~～]\s*([01]?\d|2[0-3])[:：]([0-5]\d)\s*")


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Hours of the day, which may go over midnight, in which the bot speaks only when it is called."""

    start: time
    end: time

    @classmethod
    def parse(cls, text: str) -> "QuietHours | None":
        """From "22:00-07:00"; None for anything else, and for hours that are none."""
        match = _HOURS.fullmatch(text)
        if match is None:
            return None
        start, end = time(int(match[1]), int(match[2])), time(int(match[3]), int(match[4]))
        return None if start == end else cls(start, end)

    def covers(self, at: time) -> bool:
        if self.start < self.end:
            return self.start <= at < self.end
        return at >= self.start or at < self.end

    @override
    def __str__(self) -> str:
        return f"{self.start:%H:%M}-{self.end:%H:%M}"


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """What was set; None and "" where it was left to the operator's configuration."""

    mode: Mode | None = None
    language: str = ""
    quiet: QuietHours | None = None
    barred: bool = False  # a stranger brought the bot here, and nobody who may use it spoke since


def settings_of(conn: Connection, where: Conversation) -> ChatSettings:
    """What is set for a chat; all its topics share it."""
    wanted = select(chat_settings.c.key, chat_settings.c.value).where(
        chat_settings.c.channel == where.channel, chat_settings.c.chat_id == where.chat_id
    )
    found = {row.key: row.value for row in conn.execute(wanted)}
    mode = found.get("mode")
    return ChatSettings(
        mode=cast(Mode, mode) if mode in {"strict", "smart"} else None,
        language=found.get("language", ""),
        quiet=QuietHours.parse(found.get("quiet", "")),
        barred="barred" in found,
    )


def put(conn: Connection, where: Conversation, key: Key, value: str, now: datetime) -> None:
    """Set one thing for a chat; "" leaves it to the configuration again."""
    place = {"channel": where.channel, "chat_id": where.chat_id, "key": key}
    conn.execute(delete(chat_settings).where(*(chat_settings.c[name] == is_ for name, is_ in place.items())))
    if value:
        conn.execute(insert(chat_settings).values(**place, value=value, updated_at=now))
