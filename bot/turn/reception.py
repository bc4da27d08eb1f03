"""The front desk: who may come in, what strangers are told, and the record of arrivals."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import Connection

from bot.delivery import outbox
from bot.delivery.buttons import Button
from bot.domain.conversation import Conversation, Inbound, Speaker
from bot.domain.run import RunId
from bot.events.types import MessageJudged, MessageReceived, RunCreated, SessionCreated
from bot.i18n.catalogue import translate
from bot.policy.limits import RateLimits
from bot.turn import gate, gathering, history, inbox, rooms
from bot.turn.begun import Begun
from bot.turn.chat_settings import ChatSettings, put, settings_of
from bot.turn.gate import Role, Rules, Verdict
from bot.turn.gathering import Gather
from bot.turn.inbox import Accepted, Arrival
from bot.turn.rooms import Kept, Page
from bot.turn.work import Context, Tools, read_context

# Talk of others that is older than this is only read: the bot was away.
STALE = timedelta(minutes=10)
COMMANDS = ("command", "control")


@dataclass(frozen=True, slots=True)
class Received:
    """A message is safe. `run_id` is its turn; None where none is due (observed, ignored, a stranger's)."""

    run_id: RunId | None
    verdict: Verdict
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Arrived:
    """A message that was judged.

    `inbound` has the language it is answered in; `wanted` is what it is to the inbox if it is answered;
    `page` is the group that it was said in, as it is to be kept.
    """

    inbound: Inbound
    wanted: Arrival
    verdict: Verdict
    page: Page | None = None


class Reception:
    """Judges arrivals: people by the rules of `gate`, talk in groups by `rooms`."""

    def __init__(self, tools: Tools, rules: Rules) -> None:
        self._store = tools.store
        self._events = tools.events
        self._clock = tools.clock
        # What is read for turns that begin at once, for them to take.
        self.begun = Begun(partial(read_context, settings=tools.settings))
        self._rules = rules
        self._limits = RateLimits(rules.limits)
        self.rooms = tools.rooms

    async def judge(self, inbound: Inbound, wanted: Arrival) -> Arrived:
        """Whether to answer a message, with the reasons, which are recorded.

        Who is not answered is told so where that is due, once.
        """
        known = gate.judge_by_channel(inbound, self._rules)
        if known is not None:
            return Arrived(self._in_language(inbound), wanted, known)
        where = inbound.conversation
        group = where.kind == "group"
        if group and not self.rooms.rules.allows(where):
            arrived = self._not_served(inbound, wanted, "the group is not allowed")
        else:
            arrived = await self._judge(inbound, wanted, group=group)
        judged = MessageJudged(
            channel=where.channel,
            decision=arrived.verdict.decision,
            reasons=list(arrived.verdict.reasons),
            group=group,
            score=arrived.verdict.score,
        )
        self._events.record(judged)
        if arrived.verdict.decision in {"pair", "refuse"}:
            tell = _offer_pairing if arrived.verdict.decision == "pair" else _refuse
            await self._store.write(tell, arrived.inbound, self._rules, self._clock.now())
        return arrived

    async def _judge(self, inbound: Inbound, wanted: Arrival, *, group: bool) -> Arrived:
        where, now = inbound.conversation, self._clock.now()
        known = self.rooms.version(where) if group else None
        role, chat, kept = await self._store.read(_look, inbound, self._rules, known)
        inbound = self._in_language(inbound, chat.language)
        if chat.barred and role == "stranger":
            return self._not_served(inbound, wanted, "a stranger brought the bot into this group")
        if chat.barred:
            await self._store.write(put, where, "barred", "", now)
        page = None
        if kept is None:
            verdict = gate.judge_private(role)
        else:
            found, page = self.rooms.judge(inbound, kept, chat, now, command=wanted in COMMANDS)
            verdict = Verdict(found.decision, found.reasons, role, found.score, found.unsure)
        if verdict.decision == "respond" and role != "owner" and wanted != "control":
            verdict = await self._limited(inbound, verdict)
        return Arrived(inbound, wanted, verdict, page)

    def _not_served(self, inbound: Inbound, wanted: Arrival, reason: str) -> Arrived:
        """The group is told so when it calls the bot."""
        called = inbound.addressed and not inbound.speaker.is_bot
        verdict = Verdict("refuse" if called else "ignore", (reason,), "stranger")
        return Arrived(self._in_language(inbound), wanted, verdict)

    async def entered(self, where: Conversation, speaker: Speaker) -> None:
        """Somebody brought the bot into a group; it works there if they may use it, or the group is named."""
        if not self.rooms.rules.allowed:
            await self._store.write(_entered, where, speaker, self._rules, self._clock.now())

    async def _limited(self, inbound: Inbound, verdict: Verdict) -> Verdict:
        """The verdict, unless the person or the chat asks too much."""
        where = inbound.conversation
        standing = self._limits.standing(inbound.speaker.id, where.id, inbound.at.timestamp())
        if standing == "free":
            return verdict
        if standing == "first":
            line = translate("access.slow_down", inbound.locale)
            key = f"slow_down:{where.id}:{inbound.external_id}"
            await self._store.write(outbox.enqueue_notice, where, line, key, self._clock.now())
        return Verdict("ignore", ("too many messages within a minute",), verdict.role)

    def _in_language(self, inbound: Inbound, chosen: str = "") -> Inbound:
        locale = chosen or inbound.locale or self._rules.locale
        return inbound if locale == inbound.locale else replace(inbound, locale=locale)

    async def arrival(self, arrived: Arrived, gather: Gather | None) -> tuple[Arrival | None, Gather | None]:
        """How a judged message is kept (None: not at all), and with what it is gathered."""
        inbound, verdict = arrived.inbound, arrived.verdict
        if verdict.decision == "respond":
            stale = not inbound.addressed and self._clock.now() - inbound.at > STALE
            return ("observe", None) if stale else (arrived.wanted, gather)
        if arrived.wanted == "turn" and verdict.unsure and self.rooms.rules.ask_model:
            return "turn", replace(gather or Gather(), undecided="ask")
        if gather is not None and arrived.wanted == "turn" and await self._may_grow(inbound, verdict, gather):
            return "turn", replace(gather, undecided=verdict.decision)
        if verdict.decision == "observe":
            return "observe", None
        if arrived.page is not None:
            await self._store.write(_keep_room, inbound, arrived.page, self._clock.now())
        return None, None

    async def _may_grow(self, inbound: Inbound, verdict: Verdict, gather: Gather) -> bool:
        """Whether a message that is not answered by itself may belong to one that is."""
        if verdict.decision in {"pair", "refuse"} or inbound.speaker.is_bot:
            return False
        if gather.album:
            return True
        now = self._clock.now()
        return gather.joins and await self._store.read(gathering.is_awaited, inbound, gather, now)

    def _accept(
        self,
        conn: Connection,
        inbound: Inbound,
        now: datetime,
        holder: str,
        arrival: Arrival,
        gather: Gather | None,
    ) -> tuple[Accepted, Context | None]:
        """In the transaction of a message that no group's page goes with; what its turn reads first."""
        accepted = inbox.accept(conn, inbound, now, holder, arrival, gather)
        run = accepted.run
        if run is None or not run.alone or arrival != "turn":
            return accepted, None
        return accepted, None if run.conversation_id is None else self.begun.read(conn, run, accepted.kind)

    async def accept(
        self, arrived: Arrived, arrival: Arrival, holder: str, gather: Gather | None = None
    ) -> Accepted:
        """Keep a message and claim its turn, once; see `inbox.accept`."""
        inbound, now = arrived.inbound, self._clock.now()
        if arrived.page is None:
            accepted, context = await self._store.write(self._accept, inbound, now, holder, arrival, gather)
            if context is not None:
                self.begun.keep(accepted.run_id, context)
        else:
            accepted = await self._store.write(_accept_in_room, arrived, now, holder, arrival, gather)
        if not accepted.repeated:
            self.record(inbound, accepted)
            if arrived.verdict.decision == "respond" and not accepted.joined and arrival != "observe":
                self._limits.take(inbound.speaker.id, inbound.conversation.id, inbound.at.timestamp())
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


def _look(
    conn: Connection, inbound: Inbound, rules: Rules, known: int | None
) -> tuple[Role, ChatSettings, Kept | None]:
    """What a judgement reads. `known` is the version of the group that is known here; None in private."""
    where = inbound.conversation
    kept = None if known is None else rooms.look(conn, where, known)
    return gate.role_of(conn, inbound.speaker.id, rules), settings_of(conn, where), kept


def _entered(conn: Connection, where: Conversation, speaker: Speaker, rules: Rules, now: datetime) -> None:
    stranger = gate.role_of(conn, speaker.id, rules) == "stranger"
    put(conn, where, "barred", "yes" if stranger else "", now)


def _accept_in_room(
    conn: Connection, arrived: Arrived, now: datetime, holder: str, arrival: Arrival, gather: Gather | None
) -> Accepted:
    accepted = inbox.accept(conn, arrived.inbound, now, holder, arrival, gather)
    if arrived.page is not None:
        rooms.save(conn, arrived.page, now)
    if arrival == "observe":
        history.prune_observed(conn, arrived.inbound.conversation.id)
    return accepted


def _keep_room(conn: Connection, inbound: Inbound, page: Page, now: datetime) -> None:
    """Keep what a message changed that is itself not kept."""
    inbox.ensure_conversation(conn, inbound, inbound.conversation.title, now)
    rooms.save(conn, page, now)


def _refuse(conn: Connection, inbound: Inbound, rules: Rules, now: datetime) -> None:
    """Tell a group, once, that the bot does not work there."""
    where = inbound.conversation
    line = translate("access.group_refused", inbound.locale, id=where.chat_id)
    outbox.enqueue_notice(conn, where, line, f"refused:{where.channel}:{where.chat_id}", now)


def _offer_pairing(conn: Connection, inbound: Inbound, rules: Rules, now: datetime) -> None:
    """Tell a stranger, once, how to be let in, and those who may do it that somebody asks."""
    speaker, where = inbound.speaker, inbound.conversation
    if not rules.pairing:
        line = translate("access.closed", inbound.locale, id=speaker.user_id)
        outbox.enqueue_notice(conn, where, line, f"closed:{speaker.id}", now)
        return
    code = gate.request_pairing(conn, inbound, now)
    if code is None:
        return
    line = translate("access.pairing", inbound.locale, id=speaker.user_id, code=code)
    outbox.enqueue_notice(conn, where, line, f"pairing:{code}", now)
    for chat, locale in gate.managers(conn, where.channel, rules):
        name = speaker.name or speaker.user_id
        asks = translate("access.asks", locale, name=name, id=speaker.user_id, code=code)
        allow = Button(translate("access.allow", locale), f"/allow {code}")
        ignore = Button(translate("access.ignore", locale), f"/deny {code}")
        outbox.enqueue_notice(conn, chat, asks, f"asks:{code}:{chat.chat_id}", now, ((allow, ignore),))
