"""The front desk: who may come in, what strangers are told, and the record of arrivals."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import Connection

from bot.delivery import outbox
from bot.domain.conversation import Inbound
from bot.domain.ports import Clock
from bot.domain.run import RunId
from bot.events.log import EventLog
from bot.events.types import MessageJudged, MessageReceived, RunCreated, SessionCreated
from bot.i18n.catalogue import translate
from bot.store.engine import Store
from bot.turn import gate, gathering, inbox
from bot.turn.gate import Rules, Verdict
from bot.turn.gathering import Gather
from bot.turn.inbox import Accepted, Arrival

# Talk of others that is older than this is only read: the bot was away.
STALE = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Received:
    """A message is safe. `run_id` is its turn; None where none is due (observed, ignored, a stranger's)."""

    run_id: RunId | None
    verdict: Verdict
    repeated: bool = False


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
        await self._store.write(_offer_pairing, inbound, self._clock.now())

    async def arrival(
        self, inbound: Inbound, verdict: Verdict, wanted: Arrival, gather: Gather | None
    ) -> tuple[Arrival | None, Gather | None]:
        """How a judged message is kept (None: not at all), and with what it is gathered.

        `wanted` is what it is to the inbox if it is answered.
        """
        if verdict.decision == "respond":
            stale = not inbound.addressed and self._clock.now() - inbound.at > STALE
            return ("observe", None) if stale else (wanted, gather)
        if gather is not None and wanted == "turn" and await self._may_grow(inbound, verdict, gather):
            return "turn", replace(gather, undecided=verdict.decision)
        return ("observe" if verdict.decision == "observe" else None), None

    async def _may_grow(self, inbound: Inbound, verdict: Verdict, gather: Gather) -> bool:
        """Whether a message that is not answered by itself may belong to one that is."""
        if verdict.decision == "pair" or inbound.speaker.is_bot:
            return False
        if gather.album:
            return True
        now = self._clock.now()
        return gather.joins and await self._store.read(gathering.is_awaited, inbound, gather, now)

    async def accept(
        self, inbound: Inbound, arrival: Arrival, holder: str, gather: Gather | None = None
    ) -> Accepted:
        """Keep a message and claim its turn, once; see `inbox.accept`."""
        accepted = await self._store.write(inbox.accept, inbound, self._clock.now(), holder, arrival, gather)
        if not accepted.repeated:
            self.record(inbound, accepted)
        return accepted

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
        if not accepted.joined:
            self._events.record(RunCreated(run_id=accepted.run_id, conversation_id=where, kind="turn"))


def _offer_pairing(conn: Connection, inbound: Inbound, now: datetime) -> None:
    code = gate.request_pairing(conn, inbound, now)
    if code is not None:
        text = translate("access.pairing", inbound.locale, id=inbound.speaker.user_id, code=code)
        outbox.enqueue_notice(conn, inbound.conversation, text, f"pairing:{code}", now)
