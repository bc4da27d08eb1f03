"""Shows an answer while it is written: a message that is edited as the text grows, and "typing…".

All of this is a courtesy: it may fail, be slow or be skipped. What counts is the final delivery, which
goes on from what is recorded here of each message.
"""

import asyncio
import contextlib
from dataclasses import dataclass

import structlog

from bot.delivery.outbox import Outbox, SentPart
from bot.domain.conversation import Conversation
from bot.domain.message import Reply, TextDelta
from bot.domain.ports import Clock
from channels.telegram.client import Client, Refused, Unanswered
from channels.telegram.entities import Rendered
from channels.telegram.limits import Pace
from channels.telegram.parts import CHANNEL
from channels.telegram.render import messages_of

log = structlog.get_logger(__name__)

# An answer that is written faster than this is not previewed: one message is better than one and an edit.
FIRST_AT_S = 0.5
FIRST_CHARS = 24  # what is shown first has to be worth reading,
FIRST_AFTER_S = 1.5  # unless the writing has gone on for so long
LOOK_AGAIN_S = 0.2
TYPING_EVERY_S = 4.5  # Telegram shows it for five seconds
TYPING_AT_MOST_S = 600.0
CLOSE_WITHIN_S = 12.0  # a call under way may take ten
MAX_INTERVAL_S = 10.0
GONE = ("message to edit not found", "message can't be edited", "MESSAGE_ID_INVALID")


@dataclass(frozen=True, slots=True)
class Line:
    """What a preview needs of its channel."""

    client: Client
    pace: Pace
    outbox: Outbox
    clock: Clock
    interval_s: float
    streaming: bool = True


class Preview:
    """A `Sink`. `run` does the work beside the turn; `write` and `close` only tell it."""

    def __init__(self, turn_id: str, conversation: Conversation, reply_ref: str, line: Line) -> None:
        self._turn_id = turn_id
        self._where = conversation
        self._reply_ref = reply_ref
        self._line = line
        self._interval_s = line.interval_s
        self._text = ""
        self._began_at: float | None = None
        self._changed = asyncio.Event()
        self._closing = asyncio.Event()
        self._ended = asyncio.Event()

    @property
    def conversation(self) -> Conversation:
        """Where the answer is shown."""
        return self._where

    async def write(self, delta: TextDelta) -> None:
        """Take up more text. Never waits for Telegram."""
        if self._began_at is None:
            self._began_at = self._now()
        self._text += delta.text
        self._changed.set()

    async def close(self, reply: Reply) -> None:
        """Stop showing; returns when no call is under way any more, so that none overtakes the answer."""
        await self.end()

    async def end(self) -> None:
        """As `close`. May be called again, and before `run`."""
        self._closing.set()
        self._changed.set()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_WITHIN_S):
                await self._ended.wait()

    async def run(self) -> None:
        """Type and edit until `close`."""
        try:
            async with asyncio.TaskGroup() as group:
                typing = group.create_task(self._type())
                await self._edit()
                await self._closing.wait()
                typing.cancel()
        except* Exception:
            log.exception("telegram.preview.failed", run_id=self._turn_id)
        finally:
            self._ended.set()

    # -- typing

    async def _type(self) -> None:
        until = self._now() + TYPING_AT_MOST_S
        while not self._closing.is_set() and self._now() < until:
            if not self._line.pace.held_s(self._where.chat_id):
                with contextlib.suppress(Refused, Unanswered):
                    await self._line.client.typing(self._where.chat_id, self._where.thread_id)
            await self._line.clock.sleep(TYPING_EVERY_S)

    # -- editing

    async def _edit(self) -> None:
        if not self._line.streaming:
            return
        sent = dict(await self._line.outbox.sent(self._turn_id))
        while not self._closing.is_set():
            await self._changed.wait()
            self._changed.clear()
            if not self._is_worth_showing():
                await self._look_again(LOOK_AGAIN_S)
                continue
            step = _first_difference(await messages_of(self._text), sent)
            if step is None:
                continue
            if not self._line.pace.try_now(self._where.chat_id, group=self._where.kind == "group"):
                await self._look_again(LOOK_AGAIN_S)
                continue
            if not await self._show(*step, sent):
                return
            await self._look_again(self._interval_s)

    def _is_worth_showing(self) -> bool:
        if self._began_at is None or not self._text.strip():
            return False
        waited_s = self._now() - self._began_at
        return waited_s >= FIRST_AFTER_S or (waited_s >= FIRST_AT_S and len(self._text) >= FIRST_CHARS)

    async def _look_again(self, after_s: float) -> None:
        """Wait, unless it is to close, and look at the text again also if it did not change."""
        sleeping = asyncio.ensure_future(self._line.clock.sleep(after_s))
        closing = asyncio.ensure_future(self._closing.wait())
        try:
            await asyncio.wait([sleeping, closing], return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            closing.cancel()
        self._changed.set()

    async def _show(self, index: int, part: Rendered, sent: dict[int, SentPart]) -> bool:
        """Send or edit one message; False when nothing more should be shown."""
        client, known = self._line.client, sent.get(index)
        try:
            if known is None:
                reply_to = self._reply_ref if index == 0 else ""
                ref = await client.send(self._where.chat_id, self._where.thread_id, part, reply_to)
            else:
                ref = known.message_ref
                await client.edit(self._where.chat_id, ref, part)
        except Refused as error:
            if known is None or not error.says("message is not modified"):
                return await self._refused(error, index)
            ref = known.message_ref
        except Unanswered as error:
            # A message that may be there already must not be sent again; an edit may.
            return known is not None or not error.sent
        sent[index] = SentPart(index, ref, part.hash, final=False)
        await self._line.outbox.note(self._turn_id, sent[index], channel=CHANNEL)
        return True

    async def _refused(self, error: Refused, index: int) -> bool:
        if error.code == 429:
            self._line.pace.hold(self._where.chat_id, error.retry_after_s)
            self._interval_s = min(2 * self._interval_s, MAX_INTERVAL_S)
            return True
        if error.says(*GONE):
            await self._line.outbox.forget(self._turn_id, index)
        log.info("telegram.preview.ended", run_id=self._turn_id, reason=error.description)
        return False

    def _now(self) -> float:
        return self._line.clock.now().timestamp()


def _first_difference(parts: list[Rendered], sent: dict[int, SentPart]) -> tuple[int, Rendered] | None:
    for index, part in enumerate(parts):
        known = sent.get(index)
        if known is None or known.text_hash != part.hash:
            return index, part
    return None
