"""The groups that the bot is in: what it keeps of each to judge their messages.

A `Room` is one chat, or one topic of it. It lives in memory and is written with the transaction that
keeps the message; its version tells when another process has changed it meanwhile. Topics have their
own exchanges, but share the names that people go by.
"""

from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from typing import Any

from sqlalchemy import Connection, insert, select, update

from bot.domain.conversation import Conversation, ConversationId, Heard, Inbound
from bot.store.tables import conversations, group_states
from bot.turn.chat_settings import ChatSettings
from bot.turn.group import OURS, Bot, GroupMessage, GroupSettings, GroupState, Verdict
from bot.turn.group.records import Decision, Mode

KEPT_DECISIONS = 12
KEPT_IDS = 48  # of messages that were judged: one that comes again is judged the same
MAX_ROOMS = 512  # in memory
OVERTAKES = 1_000  # versions: newer than any that a process has in memory and has not written yet


async def _nobody(inbound: Inbound) -> bool | None:
    return False


@dataclass(frozen=True, slots=True)
class Presence:
    """What a channel tells of the bot there. `speaker_id` is what its own messages are from.

    `hears_all` is false where the channel brings it only the messages that call it. `is_chat_admin`
    asks whether the speaker of a message manages the group it is in; None where that can't be found out now.
    """

    bot: Bot = field(default_factory=Bot)
    speaker_id: str = ""
    hears_all: bool = True
    is_chat_admin: Callable[[Inbound], Awaitable[bool | None]] = _nobody


@dataclass(frozen=True, slots=True)
class RoomRules:
    """What the operator set for groups.

    `allowed` are ids as `channel:chat`; with none, every group is. `zone` is what quiet hours are read
    in, None the machine's. `ask_model` lets a model judge where the rules are unsure.
    """

    mode: Mode = "smart"
    settings: GroupSettings = field(default_factory=GroupSettings)
    allowed: frozenset[str] = frozenset()
    zone: tzinfo | None = None
    ask_model: bool = False

    def allows(self, where: Conversation) -> bool:
        return not self.allowed or f"{where.channel}:{where.chat_id}" in self.allowed


@dataclass(frozen=True, slots=True)
class Judged:
    """One decision as it is told to who asks why. No words of people stand in it."""

    message: str
    at: datetime
    sender: str
    name: str
    decision: str
    score: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """A room as the store has it. `state` is None where no other than the known version was found.

    `other` is the newest other topic of the chat, for the names in it.
    """

    version: int = 0
    state: Mapping[str, Any] | None = None
    other: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A room as it is to be written."""

    conversation_id: ConversationId
    version: int
    state: Mapping[str, Any]


@dataclass(slots=True)
class Room:
    """One chat or topic in memory."""

    state: GroupState
    version: int = 0
    seen: OrderedDict[str, Decision] = field(default_factory=OrderedDict)
    decisions: deque[Judged] = field(default_factory=lambda: deque(maxlen=KEPT_DECISIONS))


class Rooms:
    """Judges the messages of groups, and keeps in mind what was said and answered there."""

    def __init__(self, rules: RoomRules | None = None) -> None:
        self.rules = rules or RoomRules()
        self._presences: dict[str, Presence] = {}
        self._strangers: dict[str, GroupState] = {}  # a channel's chat of which nothing is known
        self._rooms: OrderedDict[ConversationId, Room] = OrderedDict()

    def introduce(self, channel: str, presence: Presence) -> None:
        """Learn who the bot is in a channel; rooms are read anew then."""
        self._presences[channel] = presence
        self._strangers.pop(channel, None)
        self._rooms.clear()

    def presence(self, channel: str) -> Presence:
        """Who the bot is in a channel."""
        return self._presences.get(channel) or Presence()

    def version(self, where: Conversation) -> int:
        """The version of a room that is known here; 0 for none. For `look`."""
        room = self._rooms.get(where.id)
        return 0 if room is None else room.version

    def called_with(self, inbound: Inbound) -> str | None:
        """What a message says to the bot by its name, without the name; None if it does not call it."""
        where = inbound.conversation
        room = self._rooms.get(where.id)
        state = self._stranger(where.channel) if room is None else room.state
        return state.called_with(inbound.text)

    def _stranger(self, channel: str) -> GroupState:
        if channel not in self._strangers:
            self._strangers[channel] = GroupState(self.presence(channel).bot)
        return self._strangers[channel]

    def judge(
        self, inbound: Inbound, kept: Kept, chat: ChatSettings, now: datetime, *, command: bool = False
    ) -> tuple[Verdict, Page]:
        """Decide about a message and keep it in mind; `command`: it is one of the bot's own commands.

        A message that comes again is decided as before and changes nothing, unless it was edited and
        calls the bot now.
        """
        where = inbound.conversation
        room = self._room(where, kept)
        before = room.seen.get(inbound.external_id)
        if before is not None and (before == "respond" or not inbound.addressed):
            return Verdict(before, 0, ("it came again",)), self._page(where, room)
        room.state.mode = chat.mode or self.rules.mode
        message = self._heard(inbound, now, command=command)
        verdict = room.state.judge(message)
        if command and not message.is_bot:
            verdict = Verdict("respond", 100, ("one of the bot's own commands",), called=True)
        hour = message_time(inbound, now).astimezone(self.rules.zone).time()
        if verdict.decision == "respond" and not verdict.called and chat.quiet and chat.quiet.covers(hour):
            verdict = Verdict("observe", verdict.score, ("quiet hours", *verdict.reasons))
        self._see(where, room, message)
        room.seen[inbound.external_id] = verdict.decision
        while len(room.seen) > KEPT_IDS:
            room.seen.popitem(last=False)
        room.decisions.append(
            Judged(
                message=inbound.external_id,
                at=message_time(inbound, now),
                sender=inbound.speaker.id,
                name=inbound.speaker.name,
                decision=verdict.decision,
                score=verdict.score,
                reasons=verdict.reasons,
            )
        )
        room.version += 1
        return verdict, self._page(where, room)

    def settled(self, inbound: Inbound, kept: Kept, decision: Decision, reason: str) -> Page:
        """Note what a model decided where the rules were unsure."""
        where = inbound.conversation
        room = self._room(where, kept)
        for place, judged in enumerate(room.decisions):
            if judged.message == inbound.external_id:
                room.decisions[place] = replace(judged, decision=decision, reasons=(reason, *judged.reasons))
        room.version += 1
        return self._page(where, room)

    def answered(self, inbound: Inbound, kept: Kept, text: str, now: datetime) -> Page:
        """Keep in mind what the bot said in answer to a message; once for each message."""
        where = inbound.conversation
        room = self._room(where, kept)
        key = f"answer:{inbound.external_id}"
        if key not in room.seen:
            own = GroupMessage(OURS, text, now.timestamp(), reply_to=inbound.speaker.id)
            self._see(where, room, own)
            room.seen[key] = "respond"
            room.version += 1
        return self._page(where, room)

    def called(self, where: Conversation, kept: Kept) -> list[tuple[str, str, str]]:
        """What members asked to be called: their id, the name they are shown by, and the wanted one."""
        state = self._room(where, kept).state
        return [(key, state.name_of(key), wanted) for key, wanted in state.preferred_names.items()]

    def _see(self, where: Conversation, room: Room, message: GroupMessage) -> None:
        before = (room.state.learned_aliases, room.state.preferred_names)
        room.state.see(message)
        if (room.state.learned_aliases, room.state.preferred_names) != before:
            chat = Conversation(where.channel, where.chat_id).id
            for other_id, other in self._rooms.items():
                if other is not room and other_id.partition("#")[0] == chat:
                    other.state.learn_names(room.state)

    def _heard(self, inbound: Inbound, now: datetime, *, command: bool) -> GroupMessage:
        mine = self.presence(inbound.conversation.channel).speaker_id
        heard = inbound.heard or Heard(inbound.text)
        return GroupMessage(
            sender=inbound.speaker.id,
            text=heard.text.split(maxsplit=1)[0] if command and heard.text else heard.text,  # is no talk
            t=message_time(inbound, now).timestamp(),
            name=inbound.speaker.name,
            username=heard.username,
            is_bot=inbound.speaker.is_bot,
            reply_to=OURS if heard.reply_to and heard.reply_to == mine else heard.reply_to,
            mentions=tuple(OURS if key == mine else key for key in heard.mentions),
            calls_bot=command or (inbound.heard is None and inbound.addressed),
        )

    def _room(self, where: Conversation, kept: Kept) -> Room:
        room = self._rooms.get(where.id)
        if room is None or kept.version > room.version:
            room = self._rooms[where.id] = self._load(where, kept)
            while len(self._rooms) > MAX_ROOMS:
                self._rooms.popitem(last=False)
        self._rooms.move_to_end(where.id)
        return room

    def _load(self, where: Conversation, kept: Kept) -> Room:
        bot, rules = self.presence(where.channel).bot, self.rules
        stored = kept.state or {}
        state = GroupState.from_dict(stored.get("talk", {}), bot, rules.mode, rules.settings)
        room = Room(state, kept.version)
        room.seen.update(stored.get("seen", ()))
        room.decisions.extend(_decisions(stored))
        if kept.other is not None:
            room.state.learn_names(GroupState.from_dict(kept.other.get("talk", {}), bot))
        return room

    def _page(self, where: Conversation, room: Room) -> Page:
        state = {
            "talk": room.state.to_dict(),
            "seen": list(room.seen.items()),
            "decisions": [
                [judged.message, judged.at.timestamp(), judged.sender, judged.name, judged.decision,
                 judged.score, list(judged.reasons)]
                for judged in room.decisions
            ],
        }  # fmt: skip
        return Page(where.id, room.version, state)


def message_time(inbound: Inbound, now: datetime) -> datetime:
    """When a message was written; a sender's clock that is ahead counts as now."""
    return min(inbound.at, now)


def look(conn: Connection, where: Conversation, version: int) -> Kept:
    """A room as the store has it, if that is newer than `version`."""
    mine = group_states.c.conversation_id == where.id
    found = conn.scalar(select(group_states.c.version).where(mine))
    if version and (found is None or found <= version):
        return Kept(found or 0)
    state = conn.scalar(select(group_states.c.state).where(mine))
    other = conn.scalar(
        select(group_states.c.state)
        .join(conversations, conversations.c.id == group_states.c.conversation_id)
        .where(
            conversations.c.channel == where.channel,
            conversations.c.chat_id == where.chat_id,
            conversations.c.id != where.id,
        )
        .order_by(group_states.c.updated_at.desc())
        .limit(1)
    )
    return Kept(found or 0, state, other)


def save(conn: Connection, page: Page, now: datetime) -> None:
    """Write a room, unless a newer version of it is there. Its conversation is there already."""
    mine = group_states.c.conversation_id == page.conversation_id
    values = {"version": page.version, "state": page.state, "updated_at": now}
    older = update(group_states).where(mine, group_states.c.version < page.version)
    if conn.execute(older.values(**values)).rowcount:
        return
    if conn.scalar(select(group_states.c.version).where(mine)) is None:
        conn.execute(insert(group_states).values(conversation_id=page.conversation_id, **values))


def forget_person(conn: Connection, person: str, now: datetime) -> int:
    """Take a person, by the id of a `Speaker`, out of what is kept of every group; of how many.

    Processes that have a group in memory read it anew before they judge there again.
    """
    changed = 0
    for row in conn.execute(select(group_states)).all():
        talk = GroupState.from_dict(row.state.get("talk", {}), Bot())
        kept = [judged for judged in row.state.get("decisions", ()) if judged[2] != person]
        if not talk.knows(person) and len(kept) == len(row.state.get("decisions", ())):
            continue
        talk.forget_member(person)
        state = {**row.state, "talk": talk.to_dict(), "decisions": kept}
        conn.execute(
            update(group_states)
            .where(group_states.c.conversation_id == row.conversation_id)
            .values(version=row.version + OVERTAKES, state=state, updated_at=now)
        )
        changed += 1
    return changed


def decisions_of(conn: Connection, where: Conversation) -> list[Judged]:
    """The last decisions in a group, oldest first."""
    mine = group_states.c.conversation_id == where.id
    return _decisions(conn.scalar(select(group_states.c.state).where(mine)) or {})


def latest_decisions(conn: Connection, groups: int) -> list[tuple[str, list[Judged]]]:
    """The titles of the groups in which something was said last, with what was decided there."""
    found = conn.execute(
        select(conversations.c.title, conversations.c.id, group_states.c.state)
        .join(group_states, group_states.c.conversation_id == conversations.c.id)
        .order_by(group_states.c.updated_at.desc())
        .limit(groups)
    ).all()
    return [(row.title or row.id, _decisions(row.state)) for row in found]


def _decisions(state: Mapping[str, Any]) -> list[Judged]:
    return [
        Judged(message, datetime.fromtimestamp(at, UTC), sender, name, decision, score, tuple(reasons))
        for message, at, sender, name, decision, score, reasons in state.get("decisions", ())
    ]
