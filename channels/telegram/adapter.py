"""The Telegram channel: updates become messages to the service, replies go back through the outbox."""

import asyncio
import contextlib
from collections.abc import Awaitable, Mapping
from typing import Any

import structlog

from bot.config.channels import TelegramSettings
from bot.delivery.outbox import Outbox
from bot.domain.conversation import Inbound
from bot.domain.ports import Clock, Sink
from bot.domain.run import Run
from bot.errors import ConfigError
from bot.service import Service
from bot.turn.work import PreviewFor
from channels.telegram import menu
from channels.telegram.client import Client, Refused, Unanswered
from channels.telegram.limits import Pace
from channels.telegram.parts import CHANNEL, Me, read_update
from channels.telegram.poll import MAX_PAUSE_S, Poller
from channels.telegram.sender import Sender
from channels.telegram.sink import Line, Preview

log = structlog.get_logger(__name__)

STOP_WITHIN_S = 2.0
SEEN = "👀"


class TelegramChannel:
    """A door: `start` opens it, `stop` takes in nothing more, `aclose` lets the connections go.

    Between the last two, answers that are still being written can be delivered.
    """

    name = CHANNEL

    def __init__(
        self,
        settings: TelegramSettings,
        service: Service,
        outbox: Outbox,
        previews: dict[str, PreviewFor],
        clock: Clock,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        """`environ` is where a proxy is looked for that the settings don't name."""
        if settings.mode != "polling":
            raise ConfigError(
                f"channels.telegram.mode {settings.mode} is not available", hint='set mode = "polling"'
            )
        self._settings = settings
        self._service = service
        self._clock = clock
        self._client = Client(settings, environ)
        pace = Pace(clock)
        interval_s = settings.streaming_edit_interval_ms / 1000
        self._line = Line(self._client, pace, outbox, clock, interval_s, settings.streaming_enabled)
        self._poller = Poller(self._client, clock, settings.polling_timeout_secs)
        self._live: dict[str, Preview] = {}
        self._group: asyncio.TaskGroup | None = None
        self._stopping = asyncio.Event()
        self._main: asyncio.Task[None] | None = None
        outbox.register(CHANNEL, Sender(self._client, pace, outbox, self._end_preview))
        previews[CHANNEL] = self._preview

    @property
    def trouble(self) -> str:
        """Why no messages come in just now; "" while they do."""
        return self._poller.trouble

    async def start(self) -> None:
        """Begin to poll. Returns at once: a Telegram that can't be reached is waited for."""
        self._main = asyncio.ensure_future(self._run())

    async def stop(self) -> None:
        """Take in nothing more and end the previews; within `STOP_WITHIN_S` and a little."""
        self._stopping.set()
        if self._main is None:
            return
        _, pending = await asyncio.wait([self._main], timeout=STOP_WITHIN_S)
        if pending:
            self._main.cancel()
            await asyncio.wait([self._main], timeout=1)

    async def aclose(self) -> None:
        """Let the connections go."""
        await self._client.close()

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as group:
            self._group = group
            polling = group.create_task(self._poll(group), name="telegram-poll")
            await self._stopping.wait()
            self._group = None
            polling.cancel()
            await asyncio.gather(*(preview.end() for preview in list(self._live.values())))

    async def _poll(self, group: asyncio.TaskGroup) -> None:
        while True:
            try:
                await self._serve(group)
            except Exception:
                log.exception("telegram.polling.broke")
                await self._clock.sleep(MAX_PAUSE_S)

    async def _serve(self, group: asyncio.TaskGroup) -> None:
        me = await self._poller.prepare()
        log.info("telegram.started", username=me.username, reads_all=me.reads_all)
        group.create_task(_courtesy(self._introduce()), name="telegram-menu")
        await self._poller.run(lambda update: self._take_in(update, me, group))

    async def _introduce(self) -> None:
        settings = self._settings
        if settings.commands_auto_register:
            await menu.publish(self._client, settings.admin_user_ids)
        if settings.startup_online_enabled:
            with contextlib.suppress(Refused, Unanswered):
                await self._client.call(
                    "setMyShortDescription", short_description=settings.startup_online_text
                )

    async def _take_in(self, update: dict[str, Any], me: Me, group: asyncio.TaskGroup) -> None:
        if "callback_query" in update:
            group.create_task(_courtesy(self._answer_press(update["callback_query"]["id"])))
        inbound = read_update(update, me, self._clock.now())
        if inbound is None or not self._is_admitted(inbound):
            return
        busy = any(preview.conversation.id == inbound.conversation.id for preview in self._live.values())
        received = await self._service.receive(inbound)
        if busy and received.run_id is not None and not received.repeated and "message" in update:
            group.create_task(_courtesy(self._mark_seen(update["message"])))

    def _is_admitted(self, inbound: Inbound) -> bool:
        chats = self._settings.allowed_chat_ids
        return (
            inbound.conversation.kind == "private" or not chats or int(inbound.conversation.chat_id) in chats
        )

    async def _mark_seen(self, message: dict[str, Any]) -> None:
        """Show who must wait for another answer that the message came in."""
        with contextlib.suppress(Refused, Unanswered):
            await self._client.call(
                "setMessageReaction",
                chat_id=message["chat"]["id"],
                message_id=message["message_id"],
                reaction=[{"type": "emoji", "emoji": SEEN}],
            )

    async def _answer_press(self, query_id: str) -> None:
        """Stop the little clock on the button that was pressed."""
        with contextlib.suppress(Refused, Unanswered):
            await self._client.call("answerCallbackQuery", callback_query_id=query_id)

    def _preview(self, run: Run, inbound: Inbound) -> Sink | None:
        if self._group is None:
            return None
        preview = Preview(run.id, inbound.conversation, inbound.reply_ref, self._line)
        self._live[run.id] = preview
        task = self._group.create_task(preview.run(), name=f"preview {run.id}")
        task.add_done_callback(lambda _: self._live.pop(run.id, None))
        return preview

    async def _end_preview(self, turn_id: str) -> None:
        if preview := self._live.get(turn_id):
            await preview.end()


async def _courtesy(work: Awaitable[None]) -> None:
    """Do what may fail without harm to the rest."""
    try:
        await work
    except Exception:
        log.exception("telegram.courtesy.failed")
