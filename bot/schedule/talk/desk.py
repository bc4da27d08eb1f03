"""The desk at which wishes for later are talked about: in words before a turn, and by commands."""

import re

from sqlalchemy import Connection

from bot.delivery.buttons import Rows
from bot.domain.conversation import Inbound
from bot.domain.message import File
from bot.domain.ports import Clock
from bot.errors import InputError
from bot.schedule import plan as plans
from bot.schedule.intent import Asking, Intent, judge
from bot.schedule.intent_hints import hinted, is_timed
from bot.schedule.plan import Plan
from bot.schedule.room import Jobs
from bot.schedule.talk import drafts, journeys, making, orders, places, replies, tending, wording
from bot.schedule.talk import wish as wishes
from bot.schedule.talk.drafts import Asked, Draft
from bot.schedule.talk.hand import Hand, TalkSettings
from bot.schedule.talk.model import ModelReader
from bot.schedule.talk.orders import Act, Order
from bot.schedule.talk.quiet import Quiet
from bot.schedule.talk.state import Look, look
from bot.schedule.talk.wish import Wish
from bot.schedule.talk.wording import Said, Voice
from bot.schedule.zones import zone_of
from bot.store.engine import Store
from bot.text.lazy import Pattern

# Where nothing can be pressed; the others tell no zone.
WITHOUT_BUTTONS = frozenset({"http", "terminal"})
_MAX_CHARS = 2000
_MAX_ANSWER_CHARS = 160
_CRON = Pattern(
    r"\s*([\d*?][\d*/,\-?]*\s+(?:[\d*/,\-LlA-Za-z#?]+\s+){3}[\d*/,\-LlA-Za-z#?]+)\s+(\S.*)", re.DOTALL
)
_ACTS: dict[str, Act] = {
    "pause": "pause",
    "resume": "resume",
    "del": "delete",
    "delete": "delete",
    "run": "run",
    "done": "done",
    "snooze": "snooze",
    "10m": "snooze",
    "1h": "snooze",
    "tomorrow": "snooze",
    "change": "change",
}


class Talk:
    """Understands what people say about later, by itself; `model` only reads times that it can't."""

    def __init__(
        self, store: Store, clock: Clock, settings: TalkSettings, model: ModelReader | None = None
    ) -> None:
        self._store = store
        self._clock = clock
        self.settings = settings
        self._model = model
        self._jobs: Jobs | None = None
        self._quiet = Quiet()

    def employ(self, jobs: Jobs) -> None:
        """The room that keeps the jobs (it is made after the service, which talks)."""
        self._jobs = jobs

    async def take(self, inbound: Inbound, run_id: str) -> Said | None:
        """Answer a message that is about later; None for any other, which most are and costs little."""
        text = inbound.text.strip()
        if not self._may_concern(inbound, text) or self._is_quiet(inbound, text):
            return None
        order = orders.read(text)
        hand = await self._hand(inbound, run_id, pointing=order is not None)
        if hand is None:
            return None
        said = await self._taken(text, order, hand)
        if said is None and hand.look.draft is None and hand.look.fired is None:
            self._quiet.note(inbound.conversation.id, inbound.speaker.id, self._clock.now())
        return said

    async def _taken(self, text: str, order: Order | None, hand: Hand) -> Said | None:
        answer = await self._answered(text, order, hand)
        if answer is not None:
            return answer
        if order is not None and (done := await tending.obey(order, hand)) is not None:
            return done
        journey = journeys.read_journey(text)
        if journey is not None and (said := await journeys.arrived(journey, hand)) is not None:
            return said
        intent = judge(text, hand.asking)
        if intent.verdict == "wish" and intent.score >= self.settings.min_confidence:
            return await making.wished(intent, hand)
        return None

    def _may_concern(self, inbound: Inbound, text: str) -> bool:
        if not self.settings.enabled or not self.settings.words or inbound.conversation.kind == "stateless":
            return False
        if not text or len(text) > _MAX_CHARS or not all(map(_is_heard, inbound.attachments)):
            return False
        return hinted(text) or (len(text) <= _MAX_ANSWER_CHARS and may_answer(text))

    def _is_quiet(self, inbound: Inbound, text: str) -> bool:
        """Whether a message could only be the answer to a question, and there was none just now."""
        if not self._quiet.holds(inbound.conversation.id, inbound.speaker.id, self._clock.now()):
            return False
        return not (self._is_wish(inbound, text) or orders.read(text) or journeys.read_journey(text))

    def _is_wish(self, inbound: Inbound, text: str) -> bool:
        """Whether a message reads as a wish, before it is looked up in which zone its speaker is."""
        if not hinted(text):
            return False
        zone = _known(inbound.zone) or self.settings.zone
        here = wishes.here(self._clock.now(), zone, self.settings.default_hour)
        return judge(text, Asking(here.wall, inbound.locale or None, here.tz)).verdict == "wish"

    async def _hand(self, inbound: Inbound, run_id: str, *, pointing: bool = False) -> Hand | None:
        if self._jobs is None:
            return None
        self._quiet.end(inbound.conversation.id, inbound.speaker.id)
        now = self._clock.now()
        asked = Asked(inbound.conversation, inbound.speaker.id, run_id)
        seen: Look = await self._store.read(look, asked, now, pointing=pointing)
        zone = seen.at.zone or _known(inbound.zone) or self.settings.zone
        here = wishes.here(now, zone, self.settings.default_hour)
        voice = Voice(inbound.locale, inbound.conversation.channel not in WITHOUT_BUTTONS)
        rooms = (self._jobs, self._store, self._clock, self.settings, self._model)
        return Hand(inbound, asked, voice, here, seen, *rooms)

    async def _answered(self, text: str, order: Order | None, hand: Hand) -> Said | None:
        """What a message is to the question that is open, if that was the last thing between them."""
        draft = hand.look.draft
        if draft is not None and draft.state != "open":
            return await making.done_before(draft, hand)
        if draft is None or not draft.current:
            return None
        answer = replies.plain_answer(text)
        if answer == "no":
            return await making.decline(draft, hand)
        if draft.kind in {"zone", "when", "pick"}:
            return await self._told(draft, text, hand)
        if answer == "change":
            return await self._ask_what(draft, hand)
        if answer == "yes" or (answer == 1 and draft.data.get("others")):
            return await making.confirm(draft, hand)
        if isinstance(answer, int) and (chosen := await making.choose(draft, answer - 1, hand)) is not None:
            return chosen
        if judge(text, hand.asking).verdict == "wish" or draft.kind == "delete":
            return None
        said = await making.amend(draft, text, hand)
        if said is None and order is not None and making.is_about(draft, order):
            said = await making.amend(draft, order.time, hand)
        return said

    async def _told(self, draft: Draft, text: str, hand: Hand) -> Said | None:
        """What a message is to the question where somebody is, when it shall be, or which task is meant."""
        if draft.kind == "zone":
            zone = places.zone_named(text) or places.zone_by_clock(text, hand.now, self.settings.zone)
            return None if zone is None else await making.zone_chosen(draft, zone, hand)
        if draft.kind == "when":
            asks = judge(text, hand.asking).asking != (0, 0)
            return None if asks else await making.when_said(draft, text, hand)
        number = replies.plain_answer(text)
        return await tending.picked(draft, number, hand) if isinstance(number, int) else None

    async def offer(self, inbound: Inbound, run_id: str) -> Rows:
        """The button that offers a reminder under the answer to a message which may have wished for one.

        It is not asked for where nothing can be pressed, see `WITHOUT_BUTTONS`.
        """
        text = inbound.text.strip()
        if (
            not self._may_concern(inbound, text)
            or not hinted(text)
            or (hand := await self._hand(inbound, run_id)) is None
        ):
            return ()
        intent = judge(text, hand.asking)
        if intent.verdict != "offer" or intent.reading.kind == "none":
            return ()
        try:
            wish = wishes.wish_of(intent, hand.here)
        except InputError:
            return ()
        draft = await making.put(hand, "create", wish.dump(), state="offered")
        when = wording.said_plan(wish.plan, hand.voice.locale)
        return ((hand.voice.button("offer", f"offer {draft.code}", time=when),),)

    # -- commands

    async def command(self, inbound: Inbound, run_id: str, arguments: str) -> Said:
        """`/task …`."""
        voice = Voice(inbound.locale, inbound.conversation.channel not in WITHOUT_BUTTONS)
        hand = await self._hand(inbound, run_id) if self.settings.enabled else None
        if hand is None:
            return Said(voice.say("off"))
        name, _, rest = arguments.strip().partition(" ")
        rest = rest.strip()
        if name in {"", "list", "ls"}:
            return wording.listed(await hand.jobs.page(hand.scope), voice)
        if name in {"add", "new"} or (name == "every" and _CRON.fullmatch(rest)):
            return await self._add(rest, hand)
        if name == "tz":
            return await self.zone(inbound, run_id, rest)
        if name in _ACTS and rest.startswith("task-"):
            job_id, _, more = rest.partition(" ")
            return await tending.act_on_id(Order(_ACTS[name], job_id=job_id, time=more or name), hand)
        if (pressed := await self._pressed(name, rest, hand)) is not None:
            return pressed
        is_wish = is_timed(arguments) or _CRON.fullmatch(arguments) is not None
        return await self._add(arguments.strip(), hand) if is_wish else Said(voice.say("usage"))

    async def zone(self, inbound: Inbound, run_id: str, place: str) -> Said:
        """`/tz …`: shows the person's zone, or sets it."""
        voice = Voice(inbound.locale, inbound.conversation.channel not in WITHOUT_BUTTONS)
        hand = await self._hand(inbound, run_id)
        if hand is None:
            return Said(voice.say("off"))
        if not place:
            if hand.zone_is_known:
                return journeys.told(hand.here.zone, hand)
            shown = wording.said_clock(hand.here.zone, hand.now)
            return Said(voice.say("zone_default", zone=places.label(hand.here.zone, hand.now), time=shown))
        zone = places.zone_named(place) or places.zone_by_clock(place, hand.now, self.settings.zone)
        if zone is None:
            return Said(voice.say("zone_unknown"))
        return await journeys.arrived(journeys.Journey(zone, ""), hand) or Said(voice.say("zone_unknown"))

    async def _add(self, text: str, hand: Hand) -> Said:
        cron = _CRON.fullmatch(text)
        if cron is not None and (plan := _by_cron(cron[1], hand.here.zone)) is not None:
            return await making.show(Wish(cron[2].strip(), plan, said=text), hand)
        intent: Intent = making.as_wish(text, hand)
        if intent.reading.kind == "none" and intent.reading.refused is None:
            return Said(hand.voice.say("not_read" if text else "usage"))
        return await making.wished(intent, hand)

    async def _pressed(self, name: str, rest: str, hand: Hand) -> Said | None:
        """A button under a question, or the command that it stands for."""
        code, _, more = rest.partition(" ")
        if name not in {"yes", "no", "change", "alt", "pick", "zone", "offer"} or not code:
            return None
        draft = await self._store.read(drafts.find, hand.asked, code)
        if draft is None:
            return Said(hand.voice.say("not_yours"))
        if not draft.is_open(hand.now):
            late = draft.state in {"open", "offered", "replaced"}
            return Said(hand.voice.say("expired" if late else "settled"))
        number = int(more) if more.isdecimal() else 0
        if name == "offer":
            return await self._take_offer(draft, hand)
        if name == "zone" and draft.kind == "zone":
            return await making.zone_chosen(draft, _known(more) or hand.here.zone, hand)
        if name == "yes":
            return await making.confirm(draft, hand)
        if name == "no":
            return await making.decline(draft, hand)
        if name == "alt":
            return await making.choose(draft, number, hand)
        if name == "pick" and draft.kind == "pick":
            return await tending.picked(draft, number, hand)
        return await self._ask_what(draft, hand)

    async def _ask_what(self, draft: Draft, hand: Hand) -> Said:
        """What of a draft is to be changed?"""
        await self._store.write(drafts.rewrite, draft, draft.data, hand.asked, hand.now)
        return Said(hand.voice.say("say_change"))

    async def _take_offer(self, draft: Draft, hand: Hand) -> Said:
        await self._store.write(_replace_open, hand, draft)
        return wording.ask(wishes.load(draft.data), draft.code, hand.voice, hand.now)


def _replace_open(conn: Connection, hand: Hand, draft: Draft) -> None:
    if hand.look.draft is not None:
        drafts.settle(conn, hand.look.draft, "replaced")
    drafts.rewrite(conn, draft, draft.data, hand.asked, hand.now)


_CORRECTS = Pattern(
    r"^\W*(?:no\b|not\b|make\b|change\b|move\b|actually|rather|instead|sorry|call it|text:|不|改|换"
    r"|应该|错|内容|mejor|cambia"
    r"|el texto|لا\b|بل\b|नहीं)",
    re.IGNORECASE,
)


def may_answer(text: str) -> bool:
    """Whether a short text may answer a question, say where somebody is, or want something of a task."""
    if is_timed(text) or _CORRECTS.search(text) or replies.plain_answer(text) is not None:
        return True
    return bool(orders.read(text) or journeys.read_journey(text) or places.zone_named(text))


def _by_cron(expression: str, zone: str) -> Plan | None:
    """The plan of an expression; None for five words that are none, such as "8 pm every day run"."""
    try:
        return plans.by_cron(expression, zone)
    except InputError:
        return None


def _is_heard(part: object) -> bool:
    return isinstance(part, File) and part.is_heard


def _known(zone: str) -> str:
    """A zone that a client told, if there is one of that name."""
    try:
        return zone if zone and zone_of(zone) else ""
    except InputError:
        return ""
