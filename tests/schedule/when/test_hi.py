"""Reading Hindi times, in the common forms."""

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.schedule.when.read import read, task_of

NOW = datetime.fromisoformat("2026-12-02T15:30")  # a Wednesday


def _at(text: str) -> str:
    at = read(text, NOW, "hi").at
    if isinstance(at, datetime):
        return at.strftime("%m-%d %H:%M")
    return at.strftime("%Y-%m-%d") if isinstance(at, date) else "none"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("मुझे कल सुबह 9 बजे मीटिंग की याद दिलाना", "12-03 09:00"),
        ("मैं कल वापस गया था", "2026-12-01"),
        ("परसों दोपहर", "12-04 12:00"),
        ("आधे घंटे बाद", "12-02 16:00"),
        ("डेढ़ घंटे में", "12-02 17:00"),
        ("ढाई घंटे बाद", "12-02 18:00"),
        ("१० मिनट बाद", "12-02 15:40"),
        ("दो दिन बाद", "2026-12-04"),
        ("कल से दो दिन बाद", "2026-12-05"),
        ("अगले शुक्रवार शाम 5 बजे", "12-11 17:00"),
        ("२५ दिसंबर को", "2026-12-25"),
        ("3 मार्च 2027", "2027-03-03"),
        ("चौबीसवीं जनवरी", "2027-01-24"),
        ("15 तारीख को", "2026-12-15"),
        ("साढ़े तीन बजे", "12-02 15:30"),
        ("पौने आठ बजे", "12-03 07:45"),
        ("सवा नौ बजे", "12-03 09:15"),
        ("ढाई बजे दोपहर", "12-03 14:30"),
        ("शाम के आठ बजकर 20 मिनट", "12-02 20:20"),
        ("आज रात 10 बजे", "12-02 22:00"),
        ("रात 2 बजे", "12-03 02:00"),
        ("अगले महीने का दूसरा सोमवार", "2027-01-11"),
        ("महीने का आखिरी दिन", "2026-12-31"),
        ("दिवाली", "2027-10-29"),
        ("30 फरवरी", "none"),
    ],
)
def test_a_point_in_time_is_the_next_one(text: str, expected: str) -> None:
    assert _at(text) == expected


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("हर दिन सुबह 8 बजे", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0"),
        ("रोज रात 9 बजे", "FREQ=DAILY;BYHOUR=21;BYMINUTE=0"),
        ("हर सोमवार और गुरुवार सुबह 7 बजे", "FREQ=WEEKLY;BYDAY=MO,TH;BYHOUR=7;BYMINUTE=0"),
        ("सोमवार से शुक्रवार सुबह 9 बजे", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=0"),
        ("हर तीन हफ़्ते में", "FREQ=WEEKLY;INTERVAL=3"),
        ("हर दूसरे दिन", "FREQ=DAILY;INTERVAL=2"),
        ("हर महीने की 5 तारीख", "FREQ=MONTHLY;BYMONTHDAY=5"),
        ("हर महीने का पहला सोमवार", "FREQ=MONTHLY;BYDAY=1MO"),
        ("हर आधे घंटे", "FREQ=MINUTELY;INTERVAL=30"),
        ("हर साल 15 अगस्त को", "FREQ=YEARLY;BYMONTH=8;BYMONTHDAY=15"),
        ("दिन में तीन बार", "FREQ=DAILY;BYHOUR=9,15,21;BYMINUTE=0"),
    ],
)
def test_what_comes_again_is_a_rule(text: str, rule: str) -> None:
    assert read(text, NOW, "hi").rrule == rule


@pytest.mark.parametrize(
    "text",
    [
        "मेरे 3 बच्चे हैं",
        "कीमत 50 रुपये है",
        "संस्करण 3.5",
        "नमस्ते आप कैसे हैं",
        "10 तारे हैं।",
        "अच्छा दिन।",
        "25 बजे",
        "मैं घर पर हूं",
    ],
)
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    assert read(text, NOW, "hi").kind == "none"


def test_the_task_is_what_is_left_beside_the_asking() -> None:
    text = "10 मिनट बाद मुझे पानी पीने की याद दिलाना"

    assert task_of(text, read(text, NOW, "hi")) == "पानी पीने"


_WORDS = (
    "कल", "आज", "बाद", "पहले", "दो", "साढ़े", "बजे", "हर", "सोमवार", "महीने", "की",
    "तारीख", "को", "से", "में", "3", "१०", "5/4", "शाम", "अगले", "का",
)  # fmt: skip


@given(
    st.lists(
        st.sampled_from(_WORDS),
        max_size=9,
    )
)
def test_any_run_of_time_words_is_read_without_an_error(words: list[str]) -> None:
    text = " ".join(words)
    start, end = read(text, NOW, "hi").span

    assert 0 <= start <= end <= len(text)
