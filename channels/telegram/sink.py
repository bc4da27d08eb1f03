"""Shows an answer while it is written: a draft or a message that grows, and "typing…".

All of this is a courtesy: it may fail, be slow or be skipped. What counts is the final delivery, which
goes on from what is recorded here of each message. Drafts leave no record: the delivery takes their place.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from bot.delivery.buttons import Rows
from bot.delivery.outbox import Outbox, SentPart
from bot.domain.conversation import Conversation
from bot.domain.message import Reply, TextDelta
from bot.domain.ports import Clock
from channels.telegram.client import Client, Refused, Unanswered
from channels.telegram.contents import CHANNEL
from channels.telegram.drafts import Drafts
from channels.telegram.forms import RICH, Forms
from channels.telegram.fresh import Spot, send_new
from channels.telegram.limits import Pace
from channels.telegram.shown import Shown, anchor_for, with_buttons

log = structlog.get_logger(__name__)

# An answer that is written faster than this is not previewed: one message is better than one and an edit.
FIRST_AT_S = 0.5
FIRST_CHARS = 24  # what is shown first has to be worth reading,
FIRST_AFTER_S = 1.5  # unless the writing has gone on for so long
LOOK_AGAIN_S = 0.2
# When nothing is written for so long, a draft becomes a message: people can't write while a draft is
# shown, and a message has a button to stop.
STALL_S = 3.0
TYPING_EVERY_S = 4.5  # Telegram shows it for five seconds
TYPING_AT_MOST_S = 600.0
CLOSE_WITHIN_S = 12.0  # a call under way may take ten
MAX_INTERVAL_S = 10.0
_GONE = ("message to edit not found", "MESSAGE_ID_INVALID")


@dataclass(frozen=True, slots=True)
class Line:
    """What a preview needs of its channel."""

    client: Client
    pace: Pace
    outbox: Outbox
    forms: Forms
    clock: Clock
    interval_s: float
    streaming: bool = True
    drafts: bool = False


class Preview:
    """A `Sink`. `run` does the work beside the turn; `write`, `status` and `close` only tell it."""

    def __init__(
        self, turn_id: str, conversation: Conversation, reply_ref: str, line: Line, stop: Rows = ()
    ) -> None:
        """`stop` are the buttons of a message that still grows."""
        self._turn_id = turn_id
        self._where = conversation
        self._reply_ref = reply_ref
        self._line = line
        self._stop = stop
        self._interval_s = line.interval_s
        self._text = ""
        self._status = ""
        self._began_at: float | None = None
        self._changed = asyncio.Event()
        self._closing = asyncio.Event()
        self._ended = asyncio.Event()

    async def write(self, delta: TextDelta) -> None:
        """Take up more text. Never waits for Telegram."""
        if self._began_at is None:
            self._began_at = self._now()
        self._text += delta.text
        self._status = ""
        self._changed.set()

    async def status(self, line: str) -> None:
        """Show what is being done until more text comes. Never waits for Telegram."""
        self._status = line
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
        """Type and show until `close`."""
        try:
            async with asyncio.TaskGroup() as group:
                typing = group.create_task(self._type())
                if self._line.streaming:
                    with self._line.pace.streaming():
                        await self._show()
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
                await self._type_once()
            await self._line.clock.sleep(TYPING_EVERY_S)

    async def _type_once(self) -> None:
        with contextlib.suppress(Refused, Unanswered):
            await self._line.client.typing(self._where.chat_id, self._where.thread_id)

    # -- showing

    async def _show(self) -> None:
        sent = dict(await self._line.outbox.sent(self._turn_id))
        if self._line.drafts and not sent and await self._line.forms.takes_drafts(self._where):
            await self._draft()
            self._changed.set()  # what a draft has shown is still to become a message
        await self._edit(sent)

    async def _draft(self) -> None:
        """Show drafts until the end, or until it has to be a message."""
        drafts = Drafts(self._turn_id, self._where, self._line.client, self._line.forms)
        while not self._closing.is_set():
            changed = await self._await_change(STALL_S)
            if self._closing.is_set() or self._status or (not changed and drafts.shown):
                return
            if not self._is_worth_showing():
                await self._look_again(LOOK_AGAIN_S)
                continue
            content = await drafts.next(self._text)
            if drafts.is_over:
                return
            if content is None:
                continue
            if not self._line.pace.try_now(self._where.chat_id, group=False):
                await self._look_again(max(LOOK_AGAIN_S, self._line.pace.held_s(self._where.chat_id)))
                continue
            try:
                await drafts.show(content)
            except Refused as error:
                if error.code != 429:
                    log.info("telegram.preview.ended", run_id=self._turn_id, reason=error.description)
                    self._closing.set()
                    return
                self._slow_down()
            await self._pause(self._line.pace.edit_interval_s(self._interval_s))

    async def _edit(self, sent: dict[int, SentPart]) -> None:
        """Send a message and edit it, or several for a long text, until the end."""
        while not self._closing.is_set():
            await self._changed.wait()
            self._changed.clear()
            if not self._is_worth_showing():
                await self._look_again(LOOK_AGAIN_S)
                continue
            step = _first_difference(await self._parts(), sent)
            if step is None:
                continue
            if not self._line.pace.try_now(self._where.chat_id, group=self._where.kind == "group"):
                await self._look_again(max(LOOK_AGAIN_S, self._line.pace.held_s(self._where.chat_id)))
                continue
            if not await self._bring(*step, sent):
                return
            await self._look_again(self._line.pace.edit_interval_s(self._interval_s))

    async def _parts(self) -> Sequence[Shown]:
        text = self._text
        if self._status:
            text = f"{text.rstrip()}\n\n*{self._status}*" if text.strip() else f"*{self._status}*"
        return with_buttons(await self._line.forms.contents(self._where, text), self._stop)

    def _is_worth_showing(self) -> bool:
        if self._status:
            return True
        if self._began_at is None or not self._text.strip():
            return False
        waited_s = self._now() - self._began_at
        return waited_s >= FIRST_AFTER_S or (waited_s >= FIRST_AT_S and len(self._text) >= FIRST_CHARS)

    async def _await_change(self, within_s: float) -> bool:
        """Wait for more text; False when none came in time."""
        await self._first_of(within_s, self._changed)
        changed = self._changed.is_set()
        self._changed.clear()
        return changed

    async def _pause(self, seconds: float) -> None:
        """Wait, unless it is to close."""
        await self._first_of(seconds, self._closing)

    async def _look_again(self, after_s: float) -> None:
        """Wait, unless it is to close, and look at the text again also if it did not change."""
        await self._pause(after_s)
        self._changed.set()

    async def _first_of(self, seconds: float, event: asyncio.Event) -> None:
        sleeping = asyncio.ensure_future(self._line.clock.sleep(seconds))
        waiting = asyncio.ensure_future(event.wait())
        try:
            await asyncio.wait([sleeping, waiting], return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            waiting.cancel()

    async def _bring(self, index: int, part: Shown, sent: dict[int, SentPart]) -> bool:
        """Send or edit one message; False when nothing more should be shown."""
        client, known = self._line.client, sent.get(index)
        try:
            if known is None:
                part = anchor_for(part) if self._line.pace.is_careful else part  # see `Sender`
                reply_to = self._reply_ref if index == 0 else ""
                spot = Spot(self._turn_id, index, self._where.chat_id, self._where.thread_id, reply_to)
                ref = await send_new(client, self._line.outbox, spot, part)
            else:
                ref = known.message_ref
                await client.edit(self._where.chat_id, ref, part)
        except Refused as error:
            if known is None or not error.says("message is not modified"):
                return await self._refused(error, index, part)
            ref = known.message_ref
        except Unanswered as error:
            # A message that may be there already must not be sent again; an edit may.
            return known is not None or not error.sent
        sent[index] = SentPart(index, ref, part.hash, final=False)
        await self._line.outbox.note(self._turn_id, sent[index], channel=CHANNEL)
        return True

    async def _refused(self, error: Refused, index: int, part: Shown) -> bool:
        if error.code == 429 or error.code >= 500:
            self._slow_down()
            return True
        if is_gone(error, part):
            await self._line.outbox.forget(self._turn_id, index)
        elif part.is_rich and error.code != 403:
            await self._line.forms.refused(self._where, RICH, error)
            return not await self._line.forms.takes_rich(self._where, self._text)
        log.info("telegram.preview.ended", run_id=self._turn_id, reason=error.description)
        return False

    def _slow_down(self) -> None:
        self._interval_s = min(2 * self._interval_s, MAX_INTERVAL_S)

    def _now(self) -> float:
        return self._line.clock.now().timestamp()


def is_gone(error: Refused, part: Shown) -> bool:
    """Whether the message that was to be edited is no more; a classic one may not become a rich one."""
    return error.says(*_GONE) or (not part.is_rich and error.says("message can't be edited"))


def _first_difference(parts: Sequence[Shown], sent: dict[int, SentPart]) -> tuple[int, Shown] | None:
    for index, part in enumerate(parts):
        known = sent.get(index)
        if known is None or known.text_hash != part.hash:
            return index, part
    return None
