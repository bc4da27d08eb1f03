import pytest

from tests.schedule.when.reading_at import once, reading, rule


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("mañana", "2026-12-02"),
        ("pasado mañana a las tres de la tarde", "2026-12-03 15:00"),
        ("mañana por la mañana", "2026-12-02 09:00"),
        ("el viernes que viene a mediodía", "2026-12-04 12:00"),
        ("el próximo viernes", "2026-12-11"),
        ("el lunes de la semana que viene", "2026-12-07"),
        ("el cinco de mayo de dos mil treinta", "2030-05-05"),
        ("3/4/2027", "2027-04-03"),
        ("el 16", "2026-12-16"),
        ("jueves 29/03", "2027-03-29"),
        ("el último día de febrero", "2027-02-28"),
        ("fin de mes", "2026-12-31"),
        ("a las siete menos cuarto de la mañana", "2026-12-02 06:45"),
        ("las seis cero dos pm", "2026-12-02 18:02"),
        ("a las tres y media de la tarde", "2026-12-02 15:30"),
        ("a las 17.45", "2026-12-02 17:45"),
        ("dentro de una hora y media", "2026-12-01 21:23"),
        ("en media hora", "2026-12-01 20:23"),
        ("hace tres semanas", "2026-11-10"),
        ("dos días antes de ayer", "2026-11-28"),
        ("esta noche a las 9", "2026-12-01 21:00"),
        ("Nochebuena", "2026-12-24"),
    ],
)
def test_points_are_read(text: str, at: str) -> None:
    assert once(text, lang="es") == at


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("todos los días a las 8", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0"),
        ("los lunes y miércoles a las 9", "FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=9;BYMINUTE=0"),
        ("de lunes a viernes a las 7:30", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=7;BYMINUTE=30"),
        ("cada dos viernes", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
        ("el primer lunes de cada mes", "FREQ=MONTHLY;BYDAY=1MO"),
        ("el último día de cada mes", "FREQ=MONTHLY;BYMONTHDAY=-1"),
        ("cada mes el día 4", "FREQ=MONTHLY;BYMONTHDAY=4"),
        ("cada 15/4", "FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=15"),
        ("cada hora entre las 9 y las 12", "FREQ=HOURLY;BYHOUR=9,10,11,12;BYMINUTE=0"),
        ("trimestralmente", "FREQ=MONTHLY;INTERVAL=3"),
        ("cada hora levantarme hasta las 23:00", "FREQ=HOURLY;UNTIL=20261201T230000"),
        ("todos los días hasta junio", "FREQ=DAILY;UNTIL=20270601"),
    ],
)
def test_rhythms_become_rules(text: str, expected: str) -> None:
    assert rule(text, lang="es") == expected


@pytest.mark.parametrize(
    "text",
    [
        "tengo 2 perros",
        "es tarde",
        "cuesta 20 euros",
        "de vez en cuando",
        "buenas noches",
        "Tel: 000111 82-2100",
    ],
)
def test_what_holds_no_time_is_not_read(text: str) -> None:
    assert reading(text, lang="es").kind == "none"


def test_spanish_is_seen_without_a_hint() -> None:
    assert once("recuérdame el lunes a las 10 llamar", lang="") == "2026-12-07 10:00"


def test_an_hour_and_a_half_and_a_day_of_each_year() -> None:
    assert once("dentro de hora y media", lang="es") == "2026-12-01 21:23"
    assert rule("cada año el 1 de mayo", lang="es") == "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=1"
