from zoneinfo import ZoneInfo

import pytest

from bot.schedule.when.read import read
from tests.schedule.when.reading_at import moment

NOW = moment("2026-12-01 19:53")


@pytest.mark.pain("P113")
def test_the_order_of_day_and_month_is_the_persons_and_else_said_to_be_assumed() -> None:
    assert read("04/07 at 2pm", NOW, "en", day_first=False).at == moment("2027-04-07 14:00")
    assert read("04/07 at 2pm", NOW, "en", day_first=True).at == moment("2027-07-04 14:00")
    unknown = read("04/07 at 2pm", NOW, "en")
    assert "day-order" in unknown.assumed
    assert [other.at for other in unknown.alternatives] == [moment("2027-07-04 14:00")]


def test_a_named_zone_is_turned_into_the_persons() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    assert read("tomorrow at 9am PST", NOW, "en", berlin).at == moment("2026-12-02 18:00")
    assert read("thursdays at 9", NOW, "en", berlin).rrule == "FREQ=WEEKLY;BYDAY=TH;BYHOUR=9;BYMINUTE=0"


def test_a_named_zone_that_cant_be_applied_is_an_assumption() -> None:
    found = read("tomorrow at 9am PST", NOW, "en")
    assert (found.at, "zone" in found.assumed) == (moment("2026-12-02 09:00"), True)


def test_a_time_with_a_zone_is_no_local_time() -> None:
    with pytest.raises(ValueError, match="local"):
        read("tomorrow", NOW.replace(tzinfo=ZoneInfo("UTC")))


@pytest.mark.pain("P113")
def test_the_region_of_a_language_tells_how_dates_are_written() -> None:
    assert read("04/07 at 2pm", NOW, "en-GB").at == moment("2027-07-04 14:00")
    assert read("04/07 at 2pm", NOW, "en_US").assumed == ("year",)
    assert read("04/07 a las 14", NOW, "es-ES").at == moment("2027-07-04 14:00")


def test_a_hint_gives_way_to_words_of_another_language() -> None:
    assert read("recuérdame el lunes que viene a las 10", NOW, "en").at == moment("2026-12-07 10:00")
    assert read("remind me at noon on the 5th of May", NOW, "es").at == moment("2027-05-05 12:00")
    assert read("tomorrow at noon", NOW, "zh").at == moment("2026-12-02 12:00")
