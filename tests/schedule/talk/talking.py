"""A house in which reminders can be talked about."""

import re

from sqlalchemy import select

from bot.domain.conversation import SpeakerId
from bot.schedule.jobs import Job, job_of
from bot.schedule.talk.hand import TalkSettings
from bot.store.engine import Store
from bot.store.tables import jobs
from bot.turn.gate import Rules
from tests.fakes.clock import ManualClock
from tests.fakes.models import ScriptedModel
from tests.turn.house import House

BERLIN = TalkSettings(zone="Europe/Berlin", asks_zone=False)
MEMBERS = Rules({SpeakerId("push:ann"): "owner", SpeakerId("push:ben"): "member"})


def house(
    store: Store, clock: ManualClock, settings: TalkSettings = BERLIN, model: ScriptedModel | None = None
) -> House:
    return House(store, clock, model, rules=MEMBERS, talk=settings)


def kept(house: House) -> list[Job]:
    """All jobs that there are."""
    rows = house.store.read_now(lambda conn: conn.execute(select(jobs).order_by(jobs.c.created_at)).all())
    return [job_of(row) for row in rows]


async def say(house: House, text: str, user: str = "ann", **changes: object) -> str:
    """Say something where buttons can be pressed; what the bot shows there."""
    before = len(house.chat.shown)
    received = await house.receive(text, channel="push", chat="ann", user=user, **changes)
    await house.reply(received)
    await house.until(lambda: len(house.chat.shown) > before and not house.open_runs())
    return house.chat.shown[-1][1]


async def press(house: House, button: str, user: str = "ann", **changes: object) -> str:
    """Press the first button whose data matches."""
    data = next(data for data in house.chat.buttons["ann"] if re.search(button, data))
    return await say(house, data, user, **changes)
