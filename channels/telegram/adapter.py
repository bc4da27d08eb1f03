"""The Telegram channel: updates become messages to the service, replies go back through the outbox."""

import asyncio
import contextlib
from collections.abc import Mapping

import structlog

from bot.config.channels import TelegramSettings
from bot.delivery.outbox import Outbox
from bot.domain.conversation import Inbound
from bot.domain.ports import Clock, Sink
from bot.domain.run import Run
from bot.service import Service
from bot.turn import wishes
from bot.turn.work import PreviewFor
from channels.telegram import menu
from channels.telegram.client import Client, Refused, Unanswered
from channels.telegram.courtesies import Courtesies, courtesy
from channels.telegram.forms import Forms
from channels.telegram.intake import Intake
from channels.telegram.limits import Pace
from channels.telegram.media import Media
from channels.telegram.parts import CHANNEL
from channels.telegram.poll import MAX_PAUSE_S, Poller
from channels.telegram.presence import presence_of
from channels.telegram.press import Press
from channels.telegram.sender import Sender
from channels.telegram.sink import Line, Preview
from channels.telegram.webhook import PATH, Answer, Read, Webhook, secret_of

log = structlog.get_logger(__name__)

STOP_WITHIN_S = 2.0
# Told in the diagnostics also while they are zero; they count since the start.
COUNTERS = (
    "updates_total",
    "group_messages_total",
    "group_decision_respond_total",
    "group_decision_observe_total",
    "group_decision_ignore_total",
)


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
        self._settings = settings
        self._service = service
        self._clock = clock
        self._client = Client(settings, environ)
        pace = Pace(clock, settings.limits)
        self._client.on_lost, self._client.on_flood = pace.note_lost, pace.hold
        self._courtesies = Courtesies(self._client, pace, clock)
        forms = Forms(outbox.abilities, settings.rich_messages)
        self._line = Line(
            self._client,
            pace,
            outbox,
            forms,
            clock,
            interval_s=settings.streaming_edit_interval_ms / 1000,
            streaming=settings.streaming_enabled,
            drafts=settings.streaming_prefer_draft,
        )
        self._poller = Poller(self._client, clock, settings.polling_timeout_secs)
        self._webhook = Webhook(settings)
        press = Press(service, self._courtesies)
        self._intake = Intake(settings, service, self._client.marks, self._courtesies, press, clock)
        self._live: dict[str, Preview] = {}
        self._group: asyncio.TaskGroup | None = None
        self._stopping = asyncio.Event()
        self._main: asyncio.Task[None] | None = None
        sender = Sender(self._client, pace, outbox, forms, self._end_preview, settings.buttons)
        outbox.register(CHANNEL, sender)
        previews[CHANNEL] = self._preview
        service.attachments.fetchers[CHANNEL] = Media(self._client, clock).fetch

    @property
    def trouble(self) -> str:
        """Why no messages come in just now; "" while they do."""
        return self._poller.trouble

    @property
    def mode(self) -> str:
        """How updates come in: polling or webhook."""
        return self._settings.mode

    async def inbound(self, path_secret: str | None, headers: Mapping[str, str], read: Read) -> Answer:
        """Answer a request that the web channel got for this one."""
        if self.mode != "webhook":
            return 404, {"error": {"code": "not_found", "message": "the channel is not in webhook mode"}}
        return await self._webhook.receive(path_secret, headers, read)

    def diag(self) -> Mapping[str, object]:
        """Counters since the start."""
        return dict.fromkeys(COUNTERS, 0) | dict(self._intake.counters) | {"trouble": self.trouble}

    async def start(self) -> None:
        """Begin to take updates. Returns at once: a Telegram that can't be reached is waited for."""
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
        """Let the connections go. What Telegram has for us waits there."""
        if self.mode == "webhook" and self._main is not None:
            with contextlib.suppress(Refused, Unanswered):
                await self._client.call("deleteWebhook", read_timeout_s=STOP_WITHIN_S)
        await self._client.close()

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as group:
            self._group = group
            self._courtesies.open(group)
            polling = group.create_task(self._poll(group), name="telegram-poll")
            await self._stopping.wait()
            self._group = None
            self._courtesies.close()
            polling.cancel()
            self._webhook.take = None
            await asyncio.gather(*(preview.end() for preview in list(self._live.values())))

    async def _poll(self, group: asyncio.TaskGroup) -> None:
        while True:
            try:
                await self._serve(group)
            except Exception:
                log.exception("telegram.polling.broke")
                await self._clock.sleep(MAX_PAUSE_S)

    async def _serve(self, group: asyncio.TaskGroup) -> None:
        url = self._settings.webhook_url
        if self.mode == "webhook" and url is not None:
            me = await self._poller.prepare_webhook(f"{url}{PATH}", secret_of(self._settings))
        else:
            me = await self._poller.prepare()
        self._service.rooms.introduce(CHANNEL, presence_of(me, self._courtesies))
        log.info("telegram.started", username=me.username, reads_all=me.reads_all, mode=self.mode)
        group.create_task(courtesy(self._introduce()), name="telegram-menu")
        if self.mode == "webhook":
            self._webhook.take = lambda update: self._intake.take(update, me)
            await self._stopping.wait()
        else:
            await self._poller.run(lambda update: self._intake.take(update, me))

    async def _introduce(self) -> None:
        settings = self._settings
        if settings.commands_auto_register:
            await menu.publish(self._courtesies, settings.admin_user_ids, managing=settings.commands_enabled)
        if settings.startup_online_enabled:
            with contextlib.suppress(Refused, Unanswered):
                await self._courtesies.call(
                    "setMyShortDescription", short_description=settings.startup_online_text
                )

    def _preview(self, run: Run, inbound: Inbound) -> Sink | None:
        if self._group is None:
            return None
        stop = ((wishes.button("stop", run.id, inbound.locale),),) if "stop" in self._settings.buttons else ()
        preview = Preview(run.id, inbound.conversation, inbound.reply_ref, self._line, stop)
        self._live[run.id] = preview
        task = self._group.create_task(preview.run(), name=f"preview {run.id}")
        task.add_done_callback(lambda _: self._live.pop(run.id, None))
        return preview

    async def _end_preview(self, turn_id: str) -> None:
        if preview := self._live.get(turn_id):
            await preview.end()
