"""What a person may ask of an answer that is there: another one, or the rest of it."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, select, update

from bot.domain.conversation import Inbound, Speaker
from bot.domain.message import Text
from bot.domain.ports import Clock
from bot.domain.run import RunId
from bot.i18n.catalogue import translate
from bot.runs.states import ENDED
from bot.store.engine import Store
from bot.store.tables import deliveries, runs
from bot.turn import codec, gate
from bot.turn.editing import Revision, anew, is_latest
from bot.turn.finish import find_turn
from bot.turn.gate import Rules
from bot.turn.wishes import Wish


class Again:
    """Takes the wishes of people who may talk to the bot."""

    def __init__(self, store: Store, clock: Clock, holder: str, rules: Rules) -> None:
        self._store = store
        self._clock = clock
        self._holder = holder
        self._rules = rules

    async def asked(self, run_id: RunId, speaker: Speaker, wish: Wish) -> Inbound | None:
        """The message that a turn answers, as if `speaker` said it now.

        None without such a turn, or where the person may not ask anything there. For "continue" it is
        the words "go on". It is the same message however often it is asked for.
        """
        run = await self._store.read(find_turn, run_id)
        if run is None:
            return None
        inbound = replace(
            codec.load(run.payload["inbound"]),
            external_id=f"{wish}:{run_id}",
            speaker=speaker,
            at=self._clock.now(),
            addressed=True,
        )
        if not await self._store.read(_may_ask, inbound, self._rules):
            return None
        if wish == "continue":
            words = (Text(translate("turn.go_on", inbound.locale)),)
            return replace(inbound, parts=words, reply_ref="", locale=speaker.locale or inbound.locale)
        return inbound

    async def regenerate(self, run_id: RunId) -> Revision:
        """Begin a new turn with the same question; its answer takes the place of the old one.

        The fate is `answered`; `late` when something was said since; `working` while the first answer
        is being written.
        """
        return await self._store.write(regenerate, run_id, self._clock.now(), self._holder)


def _may_ask(conn: Connection, inbound: Inbound, rules: Rules) -> bool:
    if inbound.conversation.kind == "group":  # whoever is there may call the bot
        return not inbound.speaker.is_bot
    return gate.role_in(conn, inbound, rules) != "stranger"


def regenerate(conn: Connection, run_id: RunId, now: datetime, holder: str) -> Revision:
    """As `Again.regenerate`. The messages of the old answer become those of the new one."""
    row = conn.execute(select(runs).where(runs.c.id == run_id).with_for_update()).one_or_none()
    if row is None or row.kind != "turn":
        return Revision("unknown")
    if row.status not in ENDED:
        return Revision("working", run_id)
    if not is_latest(conn, row):
        return Revision("late", run_id)
    revision = anew(conn, row, dict(row.payload), now, holder)
    conn.execute(
        update(deliveries).where(deliveries.c.turn_id == run_id).values(turn_id=revision.run_id, final=False)
    )
    return replace(revision, outdated=())
