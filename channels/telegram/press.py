"""Buttons under answers: what is pressed becomes a wish to the service."""

import structlog

from bot.domain.conversation import Inbound
from bot.domain.run import RunId
from bot.i18n.catalogue import translate
from bot.service import Service
from bot.turn import wishes
from channels.telegram.contents import Json, person_of
from channels.telegram.courtesies import Courtesies

log = structlog.get_logger(__name__)


class Press:
    """Takes pressed buttons."""

    def __init__(self, service: Service, courtesies: Courtesies) -> None:
        self._service = service
        self._courtesies = courtesies

    async def take(self, query: Json) -> bool:
        """Do what a button asks for; False where its data is none of ours.

        When it returns the wish is safe on disk. Pressed twice it is one wish.
        """
        data = query.get("data", "")
        found = wishes.read(data)
        if found is None:
            if self._is_answer(query, data):
                self._courtesies.spawn(self._take_off(query))
            return False
        wish, run_id = found[0], RunId(found[1])
        speaker = person_of(query["from"])
        inbound = await self._service.again.asked(run_id, speaker, wish)
        if inbound is None:
            self._answer(query, "")
            return True
        if wish == "stop":
            desk = self._service.desk
            stopped = self._service.stop_turn(run_id)
            stopped = stopped or (
                desk is not None and await desk.withdraw(inbound.conversation.id, run_id) > 0
            )
            self._answer(query, translate(f"button.{'stopped' if stopped else 'too_late'}", speaker.locale))
        elif wish == "continue":
            await self._go_on(query, inbound)
        else:
            revision = await self._service.regenerate(run_id)
            outdated = revision.fate == "late"
            self._answer(query, translate("button.outdated", speaker.locale) if outdated else "")
            if outdated:
                self._courtesies.spawn(self._take_off(query))
        return True

    async def _go_on(self, query: Json, inbound: Inbound) -> None:
        await self._service.receive(inbound)
        self._answer(query, "")
        self._courtesies.spawn(self._take_off(query))

    def _is_answer(self, query: Json, data: str) -> bool:
        """Whether a button about a task has served; in a group somebody else may have pressed it in vain."""
        message = query.get("message")
        private = message is not None and message["chat"]["type"] == "private"
        return private and data.startswith("/task ") and not data.startswith("/task change ")

    def _answer(self, query: Json, line: str) -> None:
        """Stop the little clock on the button, with a line that is shown for a moment."""
        self._courtesies.spawn(
            self._courtesies.call("answerCallbackQuery", callback_query_id=query["id"], text=line or None)
        )

    async def _take_off(self, query: Json) -> None:
        """Take away buttons that have served."""
        message = query.get("message")
        if message is not None:
            await self._courtesies.call(
                "editMessageReplyMarkup",
                chat_id=message["chat"]["id"],
                message_id=message["message_id"],
            )
