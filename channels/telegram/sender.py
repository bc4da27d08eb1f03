"""Brings the final reply to the chat, going on from what is recorded of each message."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace

import structlog

from bot.delivery.buttons import Rows
from bot.delivery.outbox import Delivery, Outbox, SentPart, Undeliverable, Unreachable
from bot.errors import Unavailable
from bot.i18n.catalogue import translate
from bot.turn import wishes
from channels.telegram.albums import FIRST_PART, Albums, Target
from channels.telegram.client import NO_CHAT, NO_THREAD, Client, Refused, Unanswered
from channels.telegram.contents import CHANNEL
from channels.telegram.entities import Rendered, plain
from channels.telegram.forms import RICH, Forms
from channels.telegram.fresh import Spot, send_new
from channels.telegram.limits import Pace
from channels.telegram.render import messages_of
from channels.telegram.shown import Shown, anchor_for, with_buttons
from channels.telegram.sink import is_gone

log = structlog.get_logger(__name__)

MAX_PAUSE_S = 60.0
_BAD_BUTTONS = ("BUTTON_", "inline keyboard", "reply markup")


class _RichRefused(Exception):
    """This chat or server does not take this rich message."""

    def __init__(self, refusal: Refused) -> None:
        super().__init__(refusal.description)
        self.refusal = refusal


class Sender:
    """The Telegram end of the outbox. `end_preview` stops what still shows a turn's answer."""

    def __init__(
        self,
        client: Client,
        pace: Pace,
        outbox: Outbox,
        forms: Forms,
        end_preview: Callable[[str], Awaitable[None]],
        wanted: Collection[str] = (),
    ) -> None:
        """`wanted` are the wishes that get a button; buttons of another kind always do."""
        self._client = client
        self._pace = pace
        self._outbox = outbox
        self._forms = forms
        self._end_preview = end_preview
        self._wanted = frozenset(wanted)
        self._albums = Albums(client, outbox)
        self._failures: dict[str, int] = {}  # calls in a row without an answer, by turn
        self._moved: dict[str, str] = {}  # groups that became supergroups

    async def deliver(self, delivery: Delivery) -> None:
        """Send or edit each part and note it; see `bot.delivery.outbox.Sender`.

        A repeat goes on where the last one stopped: parts that are recorded are left alone.
        """
        await self._end_preview(delivery.turn_id)
        try:
            try:
                await self._bring_all(delivery)
            except Refused as error:
                if not error.migrated_to:
                    raise
                self._moved[delivery.conversation.chat_id] = str(error.migrated_to)
                await self._bring_all(delivery)
        except Refused as error:
            raise self._judge(delivery, error) from error
        except Unanswered as error:
            raise self._wait_and_see(delivery, error.reason) from error
        self._failures.pop(delivery.turn_id, None)

    async def _bring_all(self, delivery: Delivery) -> None:
        buttons = self._buttons(delivery.buttons)
        try:
            contents = await self._forms.contents(delivery.conversation, delivery.text)
            await self._deliver(delivery, with_buttons(contents, buttons))
        except _RichRefused as error:
            await self._forms.refused(delivery.conversation, RICH, error.refusal)
            await self._deliver(delivery, with_buttons(await messages_of(delivery.text), buttons))
        if delivery.files:
            thread_id = "" if self._has_moved(delivery) else delivery.conversation.thread_id
            target = Target(delivery, self._chat(delivery), thread_id, lambda: self._place(delivery))
            if not await self._albums.bring(target):
                await self._tell(delivery, translate("telegram.no_pictures", delivery.locale))

    def _buttons(self, rows: Rows) -> Rows:
        kept = (tuple(one for one in row if self._is_wanted(one.data)) for row in rows)
        return tuple(row for row in kept if row)

    def _is_wanted(self, data: str) -> bool:
        wish = wishes.read(data)
        return wish is None or wish[0] in self._wanted

    async def _deliver(self, delivery: Delivery, parts: Sequence[Shown]) -> None:
        sent = await self._outbox.sent(delivery.turn_id)
        if self._has_moved(delivery):  # what was a preview in the old chat can't be edited any more
            sent = {index: known for index, known in sent.items() if known.final}
        for index, part in enumerate(parts):
            await self._bring(delivery, index, part, sent.get(index))
        for index in sorted(sent):
            if len(parts) <= index < FIRST_PART:
                await self._take_back(delivery, sent[index])

    async def _tell(self, delivery: Delivery, line: str) -> None:
        """Say something after the pictures; once, however often the delivery is repeated."""
        part = FIRST_PART + len(delivery.files)
        sent = await self._outbox.sent(delivery.turn_id)
        await self._bring(delivery, part, Shown(plain(line)), sent.get(part))

    async def _bring(self, delivery: Delivery, index: int, part: Shown, known: SentPart | None) -> None:
        edited = known is not None
        if known is None:
            known = await self._found(delivery, index, part)
        if known is None and self._pace.is_careful:
            known = await self._anchor(delivery, index, part)
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

    async def _found(self, delivery: Delivery, index: int, part: Shown) -> SentPart | None:
        """The message of a part whose confirmation was lost or that a kill cut off, if it is there.

        It is looked for by an edit of what it may be: the API says that nothing is changed, or changes what
        was the beginning of it. Messages that are known to be others are left alone.
        """
        after_ref = self._outbox.doubt(delivery.turn_id, index)
        if after_ref is None:
            return None
        here = [] if self._has_moved(delivery) else self._client.marks.after(self._chat(delivery), after_ref)
        taken = await self._outbox.recorded(here)
        for ref in here:
            if ref not in taken and await self._is_there(delivery, ref, part):
                log.info("telegram.message.found", run_id=delivery.turn_id)
                return SentPart(index, ref, part.hash, final=False)
        self._outbox.clear(delivery.turn_id, index)
        return None

    async def _is_there(self, delivery: Delivery, ref: str, part: Shown) -> bool:
        await self._place(delivery)
        try:
            await self._client.edit(self._chat(delivery), ref, part)
        except Refused as error:
            if error.says("message is not modified"):
                return True
            if error.code != 400:
                raise
            return False
        return True

    async def _anchor(self, delivery: Delivery, index: int, part: Shown) -> SentPart:
        """Send a message that says nothing yet, to be edited.

        Where the API's answer to a new message is lost, nobody can know whether it is there, and it has to
        be sent again. An edit can be repeated without harm. So what may be there twice in bad weather is
        only this, never the text.
        """
        anchor = anchor_for(part)
        ref = await self._send(delivery, index, anchor)
        known = SentPart(index, ref, anchor.hash, final=False)
        await self._outbox.note(delivery.turn_id, known, channel=CHANNEL)
        return known

    async def _send(self, delivery: Delivery, index: int, part: Shown) -> str:
        thread_id, reply_to = delivery.conversation.thread_id, delivery.reply_ref if index == 0 else ""
        if self._has_moved(delivery):  # numbers of the old chat mean nothing in the new one
            thread_id = reply_to = ""
        while True:
            await self._place(delivery)
            try:
                spot = Spot(delivery.turn_id, index, self._chat(delivery), thread_id, reply_to)
                return await send_new(self._client, self._outbox, spot, part)
            except Refused as error:
                if thread_id and error.says(*NO_THREAD):
                    thread_id = ""  # better in the main view than nowhere
                else:
                    part = _simpler(part, error)

    async def _edit(self, delivery: Delivery, part: Shown, known: SentPart) -> str:
        while True:
            await self._place(delivery)
            try:
                await self._client.edit(self._chat(delivery), known.message_ref, part)
            except Refused as error:
                if error.says("message is not modified"):
                    return known.message_ref
                if is_gone(error, part):
                    await self._outbox.forget(delivery.turn_id, known.part)
                    return await self._send(delivery, known.part, part)
                part = _simpler(part, error)
            else:
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

    def _has_moved(self, delivery: Delivery) -> bool:
        return delivery.conversation.chat_id in self._moved

    def _chat(self, delivery: Delivery) -> str:
        chat_id = delivery.conversation.chat_id
        return self._moved.get(chat_id, chat_id)

    def _judge(self, delivery: Delivery, error: Refused) -> Exception:
        """What a refusal means for the delivery: wait, or the chat or the message is hopeless."""
        if error.code == 429:
            return Unavailable("Telegram asked to wait", retry_after_s=float(error.retry_after_s))
        if error.code == 403 or (error.code == 400 and error.says(*NO_CHAT)):
            self._failures.pop(delivery.turn_id, None)
            log.info("telegram.chat.unreachable", run_id=delivery.turn_id, reason=error.description)
            return Unreachable(error.description)
        if error.code == 400:
            self._failures.pop(delivery.turn_id, None)
            log.error("telegram.message.refused", run_id=delivery.turn_id, reason=error.description)
            return Undeliverable(error.description)
        return self._wait_and_see(delivery, f"{error.code} {error.description}")

    def _wait_and_see(self, delivery: Delivery, reason: str) -> Unavailable:
        failures = self._failures.get(delivery.turn_id, 0)
        self._failures[delivery.turn_id] = min(failures + 1, 16)
        pause_s = min(2.0**failures, MAX_PAUSE_S)
        log.warning("telegram.delivery.delayed", run_id=delivery.turn_id, reason=reason, after_s=pause_s)
        return Unavailable("Telegram can't be reached", retry_after_s=pause_s)


def _simpler(part: Shown, error: Refused) -> Shown:
    """The message with less of what was refused; raises what means another thing, or can't be helped."""
    if error.migrated_to:
        raise error
    if part.is_rich and (error.code in {404, 501} or (error.code == 400 and not error.says(*NO_CHAT))):
        raise _RichRefused(error)
    if error.code != 400 or error.says(*NO_CHAT) or not isinstance(part.content, Rendered):
        raise error
    if part.buttons and (error.says(*_BAD_BUTTONS) or not part.content.entities):
        log.error("telegram.buttons.refused", reason=error.description)
        return replace(part, buttons=())
    if part.content.entities:
        log.warning("telegram.format.refused", reason=error.description)
        return replace(part, content=Rendered(part.content.text))
    raise error
