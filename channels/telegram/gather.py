"""How long a message waits for others that belong to it."""

from datetime import datetime, timedelta

from bot.domain.conversation import Inbound
from bot.turn.gathering import Gather
from channels.telegram.contents import Json, Spoken
from channels.telegram.parts import Me, names_others
from channels.telegram.utf16 import utf16_len

# A message by itself waits no longer than a person notices.
FIRST_S = 0.29
# A client cuts a long text into messages of this many units and sends them over some seconds.
FULL_LENGTH = 4096
NEARLY_FULL = 4000
LONG_PASTE_S = 2.0
ALBUM_S = 0.8
# What was said this long ago comes out of a backlog, a hundred messages in a moment.
BACKLOG = timedelta(minutes=2)
BACKLOG_S = 1.5
# Calls from a group this old are answered together, whoever called.
OLD = timedelta(minutes=10)


def gather_of(message: Json, inbound: Inbound, me: Me, window_s: float, now: datetime) -> Gather | None:
    """With what a message is gathered; None for what is by itself. `window_s` of 0 is off."""
    album = str(message.get("media_group_id", ""))
    if window_s <= 0 and not album:
        return None
    if inbound.text.startswith("/"):
        return Gather(alone=True)
    group = inbound.conversation.kind == "group"
    length = utf16_len(Spoken.of(message).text)
    first_s, more_s = min(FIRST_S, window_s), window_s
    if album:
        first_s = more_s = max(window_s, ALBUM_S)
    elif length >= NEARLY_FULL:
        first_s = more_s = max(window_s, LONG_PASTE_S)
    age = now - inbound.at
    if age > BACKLOG:
        first_s = more_s = BACKLOG_S
    return Gather(
        first_s=first_s,
        more_s=more_s,
        cut=length >= FULL_LENGTH,
        joins=not group or not names_others(message, me),
        anyone=group and inbound.addressed and age > OLD,
        album=album,
        place=int(message["message_id"]),
    )
