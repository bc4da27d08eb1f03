"""What becomes of an update, however it came in: each kind is understood or left alone, none is lost."""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping

import structlog

from bot.config.channels import TelegramSettings
from bot.domain.conversation import Inbound
from bot.domain.ports import Clock
from bot.i18n.catalogue import translate
from bot.service import Service
from bot.turn.reception import Received
from channels.telegram.contents import CHANNEL, Json, conversation_of, number_of, person_of
from channels.telegram.courtesies import Courtesies
from channels.telegram.gather import OLD, gather_of
from channels.telegram.marks import Marks
from channels.telegram.parts import Me, read_edit, read_message, read_press
from channels.telegram.press import Press

log = structlog.get_logger(__name__)

SEEN = "👀"
SEEN_WITHIN_S = 3.0  # later it would say nothing
_GONE = {"left", "kicked"}


class Intake:
    """Takes updates one by one. `take` returns when what it brought is safe on disk.

    It raises only where our own store fails: the update is to be given again then.
    """

    def __init__(
        self,
        settings: TelegramSettings,
        service: Service,
        marks: Marks,
        courtesies: Courtesies,
        press: Press,
        clock: Clock,
    ) -> None:
        self._settings = settings
        self._service = service
        self._marks = marks
        self._courtesies = courtesies
        self._press = press
        self._clock = clock
        self._kinds: Mapping[str, Callable[[Json, Me], Awaitable[None]]] = {
            "message": self._message,
            "edited_message": self._edit,
            "callback_query": self._pressed,
            "message_reaction": self._reaction,
            "my_chat_member": self._membership,
        }
        self.counters: Counter[str] = Counter()

    async def take(self, update: Json, me: Me) -> None:
        """Do what an update asks for; one that can't be understood is set aside with a line in the log."""
        for kind, handle in self._kinds.items():
            if kind in update:
                self.counters["updates_total"] += 1
                await handle(update[kind], me)
                return
        self.counters["updates_ignored_total"] += 1
        log.debug("telegram.update.ignored", kinds=sorted(set(update) - {"update_id"}))

    # -- messages

    async def _message(self, message: Json, me: Me) -> None:
        chat_id = number_of(message["chat"]["id"])
        self._marks.note(chat_id, int(message["message_id"]), by_bot=False)
        if "migrate_to_chat_id" in message:
            await self._service.chats.move(CHANNEL, chat_id, number_of(message["migrate_to_chat_id"]))
            return
        inbound = read_message(message, me)
        if inbound is not None:
            await self._receive(message, inbound, me)

    async def _receive(self, message: Json, inbound: Inbound, me: Me) -> None:
        busy = self._service.is_writing(inbound.conversation)
        window_s = self._settings.gather_window_ms / 1000
        gather = gather_of(message, inbound, me, window_s, self._clock.now())
        received = await self._service.receive(inbound, gather)
        self._count(inbound, received)
        if busy and received.run_id is not None and not received.repeated:
            self._courtesies.spawn(self._mark_seen(message))
            self._courtesies.spawn(self._service.heed(inbound))

    async def _edit(self, message: Json, me: Me) -> None:
        inbound = read_edit(message, me)
        if inbound is None:
            return
        revision = await self._service.revise(inbound)
        young = self._clock.now() - inbound.at < OLD
        if revision.fate == "unknown" and inbound.addressed and young:  # the bot's name was put in, say
            await self._receive(message, inbound, me)
        for ref in revision.outdated:
            self._courtesies.spawn(self._take_back(message["chat"]["id"], ref))

    def _count(self, inbound: Inbound, received: Received) -> None:
        if inbound.conversation.kind != "group" or received.repeated:
            return
        self.counters["group_messages_total"] += 1
        decision = received.verdict.decision
        if decision in {"respond", "observe", "ignore"}:
            self.counters[f"group_decision_{decision}_total"] += 1

    # -- everything else

    async def _pressed(self, query: Json, me: Me) -> None:
        if await self._press.take(query):
            return
        self._courtesies.spawn(self._answer_press(query["id"]))
        inbound = read_press(query, self._clock.now())
        if inbound is not None:
            await self._service.receive(inbound)

    async def _reaction(self, reaction: Json, me: Me) -> None:
        if "user" not in reaction:  # of somebody anonymous
            return
        before = [one.get("emoji") for one in reaction["old_reaction"]]
        added = [one["emoji"] for one in reaction["new_reaction"] if one.get("emoji") not in {None, *before}]
        where, speaker = conversation_of(reaction), person_of(reaction["user"])
        if await self._service.chats.react(where, speaker, number_of(reaction["message_id"]), added):
            self.counters["feedback_total"] += 1

    async def _membership(self, change: Json, me: Me) -> None:
        before, now = change["old_chat_member"], change["new_chat_member"]
        where = conversation_of(change)
        chats = self._service.chats
        if _is_out(now):
            reason = "blocked by the person" if where.kind == "private" else "the bot is not in the group"
            await chats.close(CHANNEL, where.chat_id, reason)
            return
        if now.get("can_send_messages") is False:
            await chats.close(CHANNEL, where.chat_id, "the bot may not write in the group")
        else:
            await chats.open(CHANNEL, where.chat_id)
        entered = _is_out(before) and where.kind == "group"
        if entered:
            await self._service.reception.entered(where, person_of(change["from"]))
        if (
            entered
            and now["status"] != "administrator"
            and not me.reads_all
            and self._service.rooms.rules.allows(where)
        ):
            text = translate("telegram.privacy", person_of(change["from"]).locale, username=me.username)
            await chats.tell(where, text, f"privacy:{where.chat_id}:{change['date']}")

    # -- courtesies

    async def _mark_seen(self, message: Json) -> None:
        """Show who must wait for another answer that the message came in."""
        await self._courtesies.call(
            "setMessageReaction",
            patience_s=SEEN_WITHIN_S,
            chat_id=message["chat"]["id"],
            message_id=message["message_id"],
            reaction=[{"type": "emoji", "emoji": SEEN}],
        )

    async def _answer_press(self, query_id: str) -> None:
        """Stop the little clock on the button that was pressed."""
        await self._courtesies.call("answerCallbackQuery", callback_query_id=query_id)

    async def _take_back(self, chat_id: int, ref: str) -> None:
        """Delete the answer to a text that was edited since."""
        await self._courtesies.call("deleteMessage", chat_id=chat_id, message_id=int(ref))


def _is_out(member: Json) -> bool:
    """Whether somebody is not in a chat, as its `ChatMember` says; who is restricted may be or not."""
    return member["status"] in _GONE or member.get("is_member") is False
