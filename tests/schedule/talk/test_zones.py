"""In whose zone a time is meant: asked once, told by the browser, said in words."""

from datetime import UTC, datetime

import pytest

from bot.schedule.talk import places
from bot.schedule.talk.hand import TalkSettings
from bot.schedule.talk.journeys import read_journey
from bot.store.engine import Store
from tests.fakes.clock import START, ManualClock
from tests.schedule.talk.talking import house, kept, press, say

UTC_MACHINE = TalkSettings(zone="UTC")


@pytest.mark.pain("30")
async def test_the_zone_is_asked_once_and_remembered(store: Store, clock: ManualClock) -> None:
    async with house(store, clock, UTC_MACHINE).running() as home:
        assert "你在哪里" in await say(home, "明天早上八点提醒我吃药", locale="zh")
        assert "08:00 (Asia/Shanghai, UTC+8)" in await press(home, "/task zone .* Asia/Shanghai", locale="zh")
        await press(home, "/task yes", locale="zh")
        (job,) = kept(home)
        assert job.next_due == datetime(2026, 3, 3, 0, 0, tzinfo=UTC)
        assert "Asia/Shanghai" in await say(home, "后天早上八点提醒我吃药", locale="zh")


@pytest.mark.pain("30")
@pytest.mark.parametrize(
    ("answer", "zone"), [("Tokyo", "Asia/Tokyo"), ("我在上海", None), ("20:00", "Asia/Shanghai")]
)
async def test_the_zone_is_told_in_words(
    sqlite_store: Store, clock: ManualClock, answer: str, zone: str | None
) -> None:
    async with house(sqlite_store, clock, UTC_MACHINE).running() as home:
        await say(home, "remind me tomorrow at 8am to eat")
        said = await say(home, answer)
        assert (f"({zone}" in said) is (zone is not None)


@pytest.mark.pain("30")
async def test_who_does_not_answer_is_not_asked_again(sqlite_store: Store, clock: ManualClock) -> None:
    async with house(sqlite_store, clock, UTC_MACHINE).running() as home:
        assert "Where are you" in await say(home, "remind me tomorrow at 8am to eat")
        said = await say(home, "remind me tomorrow at 9am to eat")
        assert "Shall I remind you?" in said
        assert "I take UTC for your time zone" in said


async def test_a_time_that_is_the_same_everywhere_asks_for_no_zone(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with house(sqlite_store, clock, UTC_MACHINE).running() as home:
        assert "Shall I remind you?" in await say(home, "remind me in 10 minutes to eat")


@pytest.mark.pain("P094")
@pytest.mark.parametrize(
    ("wish", "due"),
    [("2分钟后提醒我", "2026-03-02T12:02"), ("今晚8点07分提醒我关火", "2026-03-02T12:07")],
)
async def test_the_browser_tells_the_zone(
    sqlite_store: Store, clock: ManualClock, wish: str, due: str
) -> None:
    async with house(sqlite_store, clock, UTC_MACHINE).running() as home:
        await home.ask(wish, zone="Asia/Shanghai", locale="zh")
        await home.ask("好", zone="Asia/Shanghai", locale="zh")
        (job,) = kept(home)
        assert job.next_due is not None
        assert job.next_due.isoformat()[:16] == due
        assert job.plan.zone == "Asia/Shanghai"


async def test_a_correction_without_a_zone_stays_in_that_of_the_wish(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with house(sqlite_store, clock, UTC_MACHINE).running() as home:
        await home.ask("remind me tomorrow at 9am to call mum", zone="Asia/Tokyo")
        assert "10:00 (Asia/Tokyo" in await home.ask("make it 10 instead")
        await home.ask("yes")
        assert "11:00 (Asia/Tokyo" in await home.ask("move the mum reminder to 11am")
        assert "12:00 (Asia/Tokyo" in await home.ask("noon")
        await home.ask("yes")
        (job,) = kept(home)
        assert (job.plan.zone, job.next_due) == ("Asia/Tokyo", datetime(2026, 3, 3, 3, 0, tzinfo=UTC))
        assert "Europe/Berlin" in await home.ask("move the mum reminder to 11am", zone="Europe/Berlin")


async def test_a_journey_ends_by_itself(sqlite_store: Store, clock: ManualClock) -> None:
    async with house(sqlite_store, clock).running() as home:
        await home.ask("/tz Berlin")
        said = await home.ask("I'm in Tokyo this week")
        assert "Until Monday, 9 March 2026, 00:00" in said
        assert "Asia/Tokyo" in await home.ask("/tz")
        clock.set_forward(7 * 24 * 3600)
        assert "Europe/Berlin" in await home.ask("/tz")


async def test_who_comes_back_early_is_at_home_again_also_after_two_journeys(
    sqlite_store: Store, clock: ManualClock
) -> None:
    async with house(sqlite_store, clock).running() as home:
        await home.ask("/tz Lisbon")
        await home.ask("I'm in Tokyo this week")
        assert "Asia/Shanghai" in await home.ask("我这周在上海")
        assert "Europe/Lisbon" in await home.ask("I'm back home")
        home.model.script("Welcome back!")
        assert await home.ask("I'm back home") == "Welcome back!"  # nothing new
        await home.ask("I'm in Tokyo this week")
        await home.ask("I'm in New York this week")
        clock.set_forward(7 * 24 * 3600)
        assert "Europe/Lisbon" in await home.ask("/tz")


async def test_a_zone_that_is_not_known_is_said_to_be_so(sqlite_store: Store, clock: ManualClock) -> None:
    async with house(sqlite_store, clock).running() as home:
        assert "I don't know where that is" in await home.ask("/tz Atlantis")


@pytest.mark.parametrize(
    ("said", "zone"),
    [
        ("Tokyo", "Asia/Tokyo"),
        ("new york", "America/New_York"),
        ("上海", "Asia/Shanghai"),
        ("القاهرة", "Africa/Cairo"),
        ("दिल्ली", "Asia/Kolkata"),
        ("Europe/Berlin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        ("america/new york", "America/New_York"),
        ("UTC+8", "+08:00"),
        ("+05:30", "+05:30"),
        ("Atlantis", None),
        ("hello", None),
        ("", None),
    ],
)
def test_places_are_known_by_the_names_that_people_use(said: str, zone: str | None) -> None:
    assert places.zone_named(said) == zone


@pytest.mark.parametrize(
    ("said", "zone"),
    [("13:00", "Europe/Berlin"), ("8pm", "Asia/Shanghai"), ("17:30", "Asia/Kolkata"), ("x", None)],
)
def test_a_clock_tells_the_zone(said: str, zone: str | None) -> None:
    assert places.zone_by_clock(said, START, "Europe/Berlin") == zone


@pytest.mark.parametrize(
    ("said", "zone"),
    [
        ("I'm in Tokyo this week", "Asia/Tokyo"),
        ("I'll be in New York until Friday", "America/New_York"),
        ("my time zone is Europe/Madrid", "Europe/Madrid"),
        ("我这周在东京", "Asia/Tokyo"),
        ("estoy en Madrid esta semana", "Europe/Madrid"),
        ("I'm back in Berlin", "Europe/Berlin"),
        ("我回到北京了", "Asia/Shanghai"),
        ("ya estoy de vuelta en Madrid", "Europe/Madrid"),
        ("I'm back home!", ""),
        ("我出差回来了", ""),
        ("I'm back in business", None),
        ("I'm in love this week", None),
        ("I'm in Paris", None),
        ("I was in Tokyo last week", None),
    ],
)
def test_journeys_are_told_from_other_talk(said: str, zone: str | None) -> None:
    journey = read_journey(said)
    assert (journey and journey.zone) == zone
