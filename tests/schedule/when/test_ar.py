"""Reading Arabic times, in the common forms."""

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.schedule.when.read import read, task_of

NOW = datetime.fromisoformat("2026-12-02T15:30")  # a Wednesday


def _at(text: str) -> str:
    at = read(text, NOW, "ar").at
    if isinstance(at, datetime):
        return at.strftime("%m-%d %H:%M")
    return at.strftime("%Y-%m-%d") if isinstance(at, date) else "none"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ذكرني غدا الساعة 9 صباحا بالاجتماع", "12-03 09:00"),
        ("بعد نصف ساعة", "12-02 16:00"),
        ("بعد ساعة ونصف", "12-02 17:00"),
        ("بعد ساعتين", "12-02 17:30"),
        ("بعد ١٠ دقائق", "12-02 15:40"),
        ("بعد ثلاثة أيام", "2026-12-05"),
        ("يوم الجمعة", "2026-12-04"),
        ("يوم الجمعة القادم الساعة الثامنة مساءً", "12-11 20:00"),
        ("٢٥ ديسمبر", "2026-12-25"),
        ("في الحادي والعشرين من مايو", "2027-05-21"),
        ("في ٣ مارس ٢٠٢٧", "2027-03-03"),
        ("الساعة الثالثة والنصف عصرا", "12-02 15:30"),
        ("الساعة الثامنة وعشرين دقيقة", "12-03 08:20"),
        ("الساعة التاسعة إلا ربع", "12-03 08:45"),
        ("عشرين دقيقة بعد الخامسة", "12-02 17:20"),
        ("الليلة الساعة 10", "12-02 22:00"),
        ("بعد غد ظهرا", "12-04 12:00"),
        ("الأسبوع القادم الأحد", "2026-12-13"),
        ("أول يوم جمعة من يوليو", "2027-07-02"),
        ("آخر يوم في الشهر", "2026-12-31"),
        ("نهاية الشهر", "2026-12-31"),
        ("عيد الفطر", "2027-03-09"),
        ("30 فبراير", "none"),
    ],
)
def test_a_point_in_time_is_the_next_one(text: str, expected: str) -> None:
    assert _at(text) == expected


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("كل يوم الساعة 8 صباحا", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0"),
        ("كل يوم جمعة في الساعة 10", "FREQ=WEEKLY;BYDAY=FR;BYHOUR=10;BYMINUTE=0"),
        ("كل اثنين وخميس", "FREQ=WEEKLY;BYDAY=MO,TH"),
        ("أيام السبت والأحد", "FREQ=WEEKLY;BYDAY=SA,SU"),
        ("كل أسبوعين", "FREQ=WEEKLY;INTERVAL=2"),
        ("أول كل شهر", "FREQ=MONTHLY;BYMONTHDAY=1"),
        ("كل نصف ساعة", "FREQ=MINUTELY;INTERVAL=30"),
        ("كل 90 دقيقة", "FREQ=MINUTELY;INTERVAL=90"),
        ("كل ليلة في 9", "FREQ=DAILY;BYHOUR=21;BYMINUTE=0"),
        ("من الاثنين إلى الجمعة الساعة 9", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0"),
        ("مرتين في الأسبوع", "FREQ=WEEKLY;BYDAY=MO,TH"),
        ("سنويا", "FREQ=YEARLY"),
    ],
)
def test_what_comes_again_is_a_rule(text: str, rule: str) -> None:
    assert read(text, NOW, "ar").rrule == rule


@pytest.mark.parametrize(
    "text",
    [
        "لدي 3 أطفال",
        "السعر 50 دولار",
        "النسخة 3.5",
        "مرحبا كيف حالك",
        "اشتريت خمس تفاحات",
        "كل الناس",
        "ابحث",
        "الساعة 25",
    ],
)
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    assert read(text, NOW, "ar").kind == "none"


def test_the_task_is_what_is_left_beside_the_asking() -> None:
    text = "ذكّرني غدًا الساعة ٩ صباحًا بالاجتماع"

    assert task_of(text, read(text, NOW, "ar")) == "بالاجتماع"


_WORDS = (
    "بعد", "يوم", "الساعة", "والنصف", "ربع", "كل", "من", "في", "3", "١٠", "غدًا",
    "القادم", "شهر", "إلا", "الثانية", "5/4", ",", ".", "و",
)  # fmt: skip


@given(
    st.lists(
        st.sampled_from(_WORDS),
        max_size=9,
    )
)
def test_any_run_of_time_words_is_read_without_an_error(words: list[str]) -> None:
    text = " ".join(words)
    start, end = read(text, NOW, "ar").span

    assert 0 <= start <= end <= len(text)
