"""Brings the final reply to the chat, going on from what is recorded of each message."""

from collections.abc import Awaitable, Callable

import structlog

from bot.delivery.outbox import Delivery, Outbox, SentPart, Unreachable
from bot.errors import Unavailable
from channels.telegram.client import Client, Refused, Unanswered
from channels.telegram.entities import Rendered
from channels.telegram.limits import Pace
from channels.telegram.parts import CHANNEL
from channels.telegram.render import messages_of
from channels.telegram.sink import GONE

log = structlog.get_logger(__name__)

MAX_PAUSE_S = 60.0
_NO_THREAD = ("message thread not found", "TOPIC_DELETED", "TOPIC_CLOSED")
_BAD_FORMAT = ("entit", "can't parse")


class Sender:
    """The Telegram end of the outbox. `end_preview` stops what still shows a turn's answer."""

    def __init__(
        self, client: Client, pace: Pace, outbox: Outbox, end_preview: Callable[[str], Awaitable[None]]
    ) -> None:
        self._client = client
        self._pace = pace
        self._outbox = outbox
        self._end_preview = end_preview
        self._failures: dict[str, int] = {}  # calls in a row without an answer, by turn
        self._moved: dict[str, str] = {}  # groups that became supergroups

    async def deliver(self, delivery: Delivery) -> None:
        """Send or edit each part and note it; see `bot.delivery.outbox.Sender`.

        A repeat goes on where the last one stopped: parts that are recorded are left alone.
        """
        await self._end_preview(delivery.turn_id)
        parts = await messages_of(delivery.text)
        sent = await self._outbox.sent(delivery.turn_id)
        try:
            for index, part in enumerate(parts):
                await self._bring(delivery, index, part, sent.get(index))
            for index in range(len(parts), max(sent, default=-1) + 1):
                await self._take_back(delivery, sent[index])
        except Refused as error:
            raise self._judge(delivery, error) from error
        except Unanswered as error:
            raise self._wait_and_see(delivery, error.reason) from error
        self._failures.pop(delivery.turn_id, None)

    async def _bring(self, delivery: Delivery, index: int, part: Rendered, known: SentPart | None) -> None:
        edited = known is not None
        if known is None:
            ref = await self._send(delivery, index, part)
        elif known.text_hash == part.hash:
            if known.final:
                return
            ref = known.message_ref
        else:
            ref = await self._edit(delivery, part, known)
        done = SentPart(index, ref, part.hash, final=True)
        await self._outbox.note(delivery.turn_id, done, channel=CHANNEL, edited=edited)

    async def _send(self, delivery: Delivery, index: int, part: Rendered) -> str:
        thread_id = delivery.conversation.thread_id
        reply_to = delivery.reply_ref if index == 0 else ""
        while True:
            await self._place(delivery)
            try:
                return await self._client.send(self._chat(delivery), thread_id, part, reply_to)
            except Refused as error:
                if error.migrated_to:
                    self._moved[delivery.conversation.chat_id] = str(error.migrated_to)
                    thread_id = reply_to = ""
                elif thread_id and error.says(*_NO_THREAD):
                    thread_id = ""  # better in the main view than nowhere
                elif part.entities and error.code == 400 and error.says(*_BAD_FORMAT):
                    log.warning("telegram.format.refused", reason=error.description)
                    part = Rendered(part.text)
                else:
                    raise

    async def _edit(self, delivery: Delivery, part: Rendered, known: SentPart) -> str:
        while True:
            await self._place(delivery)
            try:
                await self._client.edit(self._chat(delivery), known.message_ref, part)
            except Refused as error:
                if error.says(*GONE):
                    await self._outbox.forget(delivery.turn_id, known.part)
                    return await self._send(delivery, known.part, part)
                if part.entities and error.code == 400 and error.says(*_BAD_FORMAT):
                    log.warning("telegram.format.refused", reason=error.description)
                    part = Rendered(part.text)
                    continue
                if not error.says("message is not modified"):
                    raise
            return known.message_ref

    async def _take_back(self, delivery: Delivery, left: SentPart) -> None:
        """Delete a message of the preview that the final text has no use for."""
        await self._place(delivery)
        try:
            await self._client.call(
                "deleteMessage", chat_id=int(self._chat(delivery)), message_id=int(left.message_ref)
            )
        except Refused as error:
            if error.code != 400:
                raise
        await self._outbox.forget(delivery.turn_id, left.part)

    async def _place(self, delivery: Delivery) -> None:
        """Wait for a place among the calls; `Unavailable` while the API wants the chat left alone."""
        chat_id = self._chat(delivery)
        if not self._pace.held_s(chat_id):
            await self._pace.wait(chat_id, group=delivery.conversation.kind == "group")
        if held_s := self._pace.held_s(chat_id):
            raise Unavailable("Telegram asked to wait", retry_after_s=held_s)

    def _chat(self, delivery: Delivery) -> str:
        chat_id = delivery.conversation.chat_id
        return self._moved.get(chat_id, chat_id)

    def _judge(self, delivery: Delivery, error: Refused) -> Exception:
        """What a refusal means for the delivery: wait, or the chat is gone."""
        if error.code == 429:
            self._pace.hold(self._chat(delivery), error.retry_after_s)
            return Unavailable("Telegram asked to wait", retry_after_s=float(error.retry_after_s))
        if error.code in {400, 403}:
            self._failures.pop(delivery.turn_id, None)
            log.info("telegram.chat.unreachable", run_id=delivery.turn_id, reason=error.description)
            return Unreachable(error.description)
        return self._wait_and_see(delivery, f"{error.code} {error.description}")

    def _wait_and_see(self, delivery: Delivery, reason: str) -> Unavailable:
        failures = self._failures.get(delivery.turn_id, 0)
        self._failures[delivery.turn_id] = min(failures + 1, 16)
        pause_s = min(2.0**failures, MAX_PAUSE_S)
        log.warning("telegram.delivery.delayed", run_id=delivery.turn_id, reason=reason, after_s=pause_s)
        return Unavailable("Telegram can't be reached", retry_after_s=pause_s)
