"""The front desk: who may come in, what strangers are told, and the record of arrivals."""

from bot.delivery import outbox
from bot.domain.conversation import Conversation, Inbound
from bot.domain.ports import Clock
from bot.events.log import EventLog
from bot.events.types import MessageJudged, MessageReceived, RunCreated, SessionCreated
from bot.i18n.catalogue import translate
from bot.store.engine import Store
from bot.turn import gate
from bot.turn.gate import Rules, Verdict
from bot.turn.inbox import Accepted


class Reception:
    """Judges arrivals by the rules of `gate`."""

    def __init__(self, store: Store, events: EventLog, clock: Clock, rules: Rules) -> None:
        self._store = store
        self._events = events
        self._clock = clock
        self._rules = rules

    async def judge(self, inbound: Inbound) -> Verdict:
        """Whether to answer a message, with the reasons, which are recorded."""
        known = gate.judge_by_channel(inbound, self._rules)
        if known is not None:
            return known
        verdict = await self._store.read(gate.judge, inbound, self._rules)
        self._events.record(
            MessageJudged(
                channel=inbound.conversation.channel,
                decision=verdict.decision,
                reasons=list(verdict.reasons),
            )
        )
        return verdict

    async def offer_pairing(self, inbound: Inbound) -> None:
        """Tell a stranger, once, how to be let in."""
        code = await self._store.write(gate.request_pairing, inbound, self._clock.now())
        if code is not None:
            speaker = inbound.speaker
            text = translate("access.pairing", inbound.locale, id=speaker.user_id, code=code)
            await self.notify(inbound.conversation, text, key=f"pairing:{code}")

    async def notify(self, conversation: Conversation, text: str, *, key: str) -> None:
        """Say something that answers no message; once for each `key`."""
        await self._store.write(outbox.enqueue_notice, conversation, text, key, self._clock.now())

    def record(self, inbound: Inbound, accepted: Accepted) -> None:
        """Note that a message came in and what began with it."""
        where = None if inbound.conversation.kind == "stateless" else inbound.conversation.id
        if accepted.began:
            self._events.record(SessionCreated(conversation_id=where, session=1))
        received = MessageReceived(
            run_id=accepted.run_id,
            conversation_id=where,
            channel=inbound.conversation.channel,
            chars=len(inbound.text),
            attachments=len(inbound.attachments),
        )
        self._events.record(received)
        self._events.record(RunCreated(run_id=accepted.run_id, conversation_id=where, kind="turn"))
