"""The set `time`: zones with their real rules, and moments that are read as meant."""

from datetime import UTC, datetime

import pytest

from bot.tools.sets.clocks import time_tools
from tests.fakes.clock import ManualClock
from tests.tools.sets.calling import answer, context, fault

NOW = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)


async def told(**arguments: str) -> str:
    return await answer(time_tools(ManualClock(NOW)), "time_datetime", dict(arguments))


async def test_now_is_told_in_the_zone_asked_for_with_summer_time() -> None:
    assert await told(timezone="America/New_York") == "2026-07-01 08:00:00 EDT (UTC-0400)"
    assert await told(timezone="Asia/Kolkata", format="%H:%M") == "17:30 IST (UTC+0530)"
    assert (await told(timezone="+05:45")).startswith("2026-07-01 17:45:00")
    assert (await told(timezone="tokyo")).startswith("2026-07-01 21:00:00 JST")


async def test_now_is_told_in_the_persons_own_zone_where_none_is_asked_for() -> None:
    here = context(zone="Europe/Berlin")
    assert (await answer(time_tools(ManualClock(NOW)), "time_datetime", {}, here)).startswith(
        "2026-07-01 14:00:00"
    )


async def test_utc_and_the_time_stamp() -> None:
    assert await told(operation="utc") == "2026-07-01 12:00:00 UTC (UTC+0000)"
    assert await told(operation="timestamp") == str(int(NOW.timestamp()))
    assert await told(operation="timestamp", time="1970-01-02") == "86400"


async def test_a_moment_is_converted_between_zones_on_both_sides_of_the_change() -> None:
    winter = await told(
        operation="convert", time="2026-01-01T12:00", from_timezone="UTC", timezone="Australia/Sydney"
    )
    summer = await told(
        operation="convert", time="2026-07-01T12:00", from_timezone="UTC", timezone="Australia/Sydney"
    )
    assert (winter[11:13], summer[11:13]) == ("23", "22")


@pytest.mark.parametrize(
    "arguments",
    [
        {"timezone": "Mars/Olympus"},
        {"timezone": "../../etc/passwd"},
        {"timezone": "+99:00"},
        {"operation": "convert"},
        {"operation": "convert", "time": "yesterday-ish"},
        {"operation": "tomorrow"},
    ],
)
async def test_what_is_no_zone_or_no_time_is_an_error(arguments: dict[str, str]) -> None:
    await fault(time_tools(ManualClock(NOW)), "time_datetime", arguments)


async def test_the_way_between_two_moments() -> None:
    tools = time_tools(ManualClock(NOW))
    assert await answer(tools, "time_difference", {"start": "now", "end": "2026-12-24T18:30"}) == (
        "176 days 6 h 30 min (15229800 seconds; 176 calendar days)"
    )
    assert (await answer(tools, "time_difference", {"start": "now", "end": "2026-06-30T12:00"})).startswith(
        "-1 days"
    )
