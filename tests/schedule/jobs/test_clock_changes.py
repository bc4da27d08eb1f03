"""Nights on which the clocks change are told before they come."""

from datetime import UTC, datetime

import pytest

from bot.schedule.clock_changes import Touched, touched
from bot.schedule.plan import Plan, by_cron, by_rule, once
from bot.store.engine import Store
from tests.fakes.clock import ManualClock
from tests.schedule.talk.talking import house, say

BERLIN = "Europe/Berlin"
DAILY = "FREQ=DAILY;BYHOUR=2;BYMINUTE=30"
BEGIN = datetime(2026, 3, 2, 12)  # noqa: DTZ001 - on the wall
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
SUMMER = datetime(2026, 6, 1, tzinfo=UTC)
SKIPPED = Touched("skipped", datetime(2026, 3, 29, 2, 30), datetime(2026, 3, 29, 1, tzinfo=UTC))  # noqa: DTZ001
DOUBLED = Touched("doubled", datetime(2026, 10, 25, 2, 30), datetime(2026, 10, 25, 0, 30, tzinfo=UTC))  # noqa: DTZ001


@pytest.mark.parametrize(
    ("plan", "now", "told"),
    [
        (by_rule(DAILY, BERLIN, BEGIN), NOW, SKIPPED),
        (by_rule(DAILY, BERLIN, BEGIN), SUMMER, DOUBLED),
        (by_cron("30 2 * * *", BERLIN), NOW, SKIPPED),
        (by_cron("30 2 * * *", BERLIN), SUMMER, DOUBLED),
        (by_rule(DAILY, "Asia/Shanghai", BEGIN), NOW, None),
        (by_rule("FREQ=DAILY;BYHOUR=9;BYMINUTE=0", BERLIN, BEGIN), NOW, None),
        (by_rule("FREQ=WEEKLY;BYDAY=MO;BYHOUR=2;BYMINUTE=30", BERLIN, BEGIN), NOW, None),
        (by_rule("FREQ=MINUTELY;INTERVAL=30", BERLIN, BEGIN), NOW, None),
        (by_cron("*/30 * * * *", BERLIN), NOW, None),
        (by_rule(f"{DAILY};COUNT=3", BERLIN, BEGIN), NOW, None),
        (once(datetime(2026, 10, 25, 2, 30), BERLIN), NOW, DOUBLED),  # noqa: DTZ001
        (once(datetime(2026, 10, 25, 4, 30), BERLIN), NOW, None),  # noqa: DTZ001
    ],
)
@pytest.mark.pain("29")
def test_the_hour_that_clocks_skip_or_double_is_found(
    plan: Plan, now: datetime, told: Touched | None
) -> None:
    assert touched(plan, now) == told


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("every day at 2:30am remind me to stretch", "The clocks skip 02:30 once"),
        ("remind me on 29 March 2026 at 2:30am to stretch", "The clocks skip the hour you said"),
        ("remind me on 25 October 2026 at 2:30am to stretch", "02:30 comes twice"),
    ],
)
@pytest.mark.pain("29")
async def test_the_draft_says_what_the_clocks_do(
    sqlite_store: Store, clock: ManualClock, wish: str, said: str
) -> None:
    async with house(sqlite_store, clock).running() as home:
        assert said in await say(home, wish)
