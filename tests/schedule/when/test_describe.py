import pytest

from bot.i18n.catalogue import texts
from bot.schedule.when.describe import describe
from tests.schedule.when.reading_at import reading


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("next friday at noon", "Friday, 11 December 2026, 12:00"),
        ("tomorrow", "Wednesday, 2 December 2026"),
        ("every other friday at 9", "every 2 weeks on Friday at 09:00"),
        ("the last day of every month", "every month on the last day"),
        ("every day for 3 times", "every day (3 times)"),
        ("every 45 minutes from 9 to 12:30", "every 45 minutes from 09:00 to 12:00"),
        ("every hour from 9 to 5", "every hour from 09:00 to 17:00"),
        ("every day at 8, 12 and 18", "every day at 08:00, 12:00, 18:00"),
        ("every weekday at 9", "Monday to Friday at 09:00"),
        ("every other week on weekdays", "every 2 weeks on Monday, Tuesday, Wednesday, Thursday, Friday"),
        ("every day at 9 except sundays", "every day at 09:00 except Sunday"),
        ("daily except in may and june", "every day except May 2027, June 2027"),
        ("every day except 25 december", "every day except Friday, 25 December 2026"),
        ("every 8 hours except daily at 12am", "every 8 hours except every day at 00:00"),
        ("hello", "I see no time in this."),
        ("30 feb", "There is no such time."),
    ],
)
def test_a_reading_is_told_in_words_with_the_month_as_a_word(text: str, words: str) -> None:
    assert describe(reading(text), "en") == words


def test_days_of_the_week_are_listed_as_the_language_lists_them() -> None:
    assert describe(reading("mondays and fridays at 9"), "zh") == "每周，星期一、星期五，09:00"
    assert describe(reading("every weekday at 9"), "zh") == "周一到周五，09:00"


def test_a_reading_is_told_in_chinese() -> None:
    assert describe(reading("next friday at noon"), "zh") == "2026年12月11日 星期五 12:00"


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_all_words_of_readings_stand_in_each_language(locale: str) -> None:
    assert {key for key in texts("en") if key.startswith("when.")} <= set(texts(locale))
