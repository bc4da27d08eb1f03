"""New messages, which a lost answer or a kill leaves in doubt: begun on record before they are sent."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.delivery.outbox import Outbox
from channels.telegram.client import Client, Refused, Unanswered
from channels.telegram.shown import Shown


@dataclass(frozen=True, slots=True)
class Spot:
    """Which part of which reply a message is, and where it goes."""

    turn_id: str
    part: int
    chat_id: str
    thread_id: str = ""
    reply_to: str = ""


async def send_new(client: Client, outbox: Outbox, spot: Spot, shown: Shown) -> str:
    """Send a message; its id. `Outbox.note` is to follow at once.

    Where it may be there without our knowing, the outbox knows of the doubt afterwards. Raises as the
    client does.
    """
    async with on_record(client, outbox, spot):
        return await client.send(spot.chat_id, spot.thread_id, shown, spot.reply_to)


@asynccontextmanager
async def on_record(client: Client, outbox: Outbox, spot: Spot) -> AsyncIterator[None]:
    """While a new message is sent: it is begun on record, and in doubt where it may be there."""
    after_ref = client.marks.newest(spot.chat_id)
    outbox.begin(spot.turn_id, spot.part, after_ref)
    try:
        yield
    except Unanswered as error:
        if error.sent:
            outbox.leave_in_doubt(spot.turn_id, spot.part, after_ref)
        else:
            outbox.clear(spot.turn_id, spot.part)
        raise
    except Refused:
        outbox.clear(spot.turn_id, spot.part)
        raise
    except asyncio.CancelledError:
        outbox.leave_in_doubt(spot.turn_id, spot.part, after_ref)
        raise
