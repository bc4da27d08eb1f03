"""Feasts of other calendars as days of ours: Easter, Hebrew, Islamic, Chinese and Hindu."""

from datetime import MAXYEAR, MINYEAR, date, timedelta
from functools import lru_cache

from hijridate import Hijri

from bot.schedule.when.moon import (
    ayanamsha,
    date_of,
    julian_day,
    moon_longitude,
    new_moon,
    new_moon_before,
    phase,
    sun_longitude,
)

# --- Easter ---


def easter(year: int) -> date:
    """Easter Sunday of the Western churches (Meeus, Jones and Butcher)."""
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    el = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * el) // 451
    month, day = divmod(h + el - 7 * m + 114, 31)
    return date(year, month, day + 1)


def orthodox_easter(year: int) -> date:
    """Easter Sunday of the Orthodox churches, in our calendar."""
    d = (19 * (year % 19) + 15) % 30
    e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
    month, day = divmod(d + e + 114, 31)
    julian_to_gregorian = year // 100 - year // 400 - 2
    return date(year, month, day + 1) + timedelta(days=julian_to_gregorian)


# --- Hebrew ---

_HEBREW_EPOCH = -1373427  # ordinal of the day before 1 Tishri of year 1
NISAN, IYAR, SIVAN, TAMUZ, AV, ELUL, TISHRI, HESHVAN, KISLEV, TEVET, SHVAT, ADAR = range(1, 13)


def _hebrew_elapsed(year: int) -> int:
    months = (235 * year - 234) // 19
    parts = 12084 + 13753 * months
    day = 29 * months + parts // 25920
    return day + 1 if 3 * (day + 1) % 7 < 3 else day


def _hebrew_new_year(year: int) -> int:
    """The ordinal of 1 Tishri."""
    before, this, after = (_hebrew_elapsed(number) for number in (year - 1, year, year + 1))
    delay = 2 if after - this == 356 else 1 if this - before == 382 else 0
    return _HEBREW_EPOCH + this + delay


def _is_hebrew_leap(year: int) -> bool:
    return (7 * year + 1) % 19 < 7


def _hebrew_month_lengths(year: int) -> dict[int, int]:
    length = _hebrew_new_year(year + 1) - _hebrew_new_year(year)
    lengths = {TISHRI: 30, HESHVAN: 29, KISLEV: 30, TEVET: 29, SHVAT: 30}
    if length % 10 == 5:
        lengths[HESHVAN] = 30
    if length % 10 == 3:
        lengths[KISLEV] = 29
    if _is_hebrew_leap(year):
        lengths[0] = 30  # the first Adar
    return {**lengths, ADAR: 29, NISAN: 30, IYAR: 29, SIVAN: 30, TAMUZ: 29, AV: 30, ELUL: 29}


def hebrew(year: int, month: int, day: int) -> date:
    """The day of a Hebrew date that falls into our `year`; Adar is the second one of a leap year."""
    hebrew_year = year + (3761 if month in {TISHRI, HESHVAN, KISLEV} else 3760)
    if month == TEVET:
        hebrew_year = year + 3761 if _hebrew(year + 3761, month, day).year == year else year + 3760
    return _hebrew(hebrew_year, month, day)


def _hebrew(hebrew_year: int, month: int, day: int) -> date:
    ordinal = _hebrew_new_year(hebrew_year) + day - 1
    for number, length in _hebrew_month_lengths(hebrew_year).items():
        if number == month:
            break
        ordinal += length
    return date.fromordinal(ordinal)


# --- Chinese ---

_CHINA = 8.0  # hours east of Greenwich


@lru_cache(maxsize=256)
def _chinese_year(year: int) -> tuple[tuple[int, date], ...]:
    """Months of the Chinese year that begins in our `year`: number (negative for a leap one), first day."""
    start = _solstice_moon(year - 1)
    following = _solstice_moon(year)
    after_that = _solstice_moon(year + 1)
    months = [*_numbered(start, following), *_numbered(following, after_that)]
    first = next(i for i, (number, _) in enumerate(months) if number == 1)
    last = next(i for i, (number, _) in enumerate(months) if number == 1 and i > first)
    return tuple((number, date_of(new_moon(moon), _CHINA)) for number, moon in months[first:last])


def _solstice_moon(year: int) -> int:
    """The new moon that begins the month of the winter solstice (month eleven)."""
    jd = julian_day(date(year, 12, 21), 12)
    jd += ((270 - sun_longitude(jd) + 180) % 360 - 180) * 365.2422 / 360
    end_of_day = julian_day(date_of(jd, _CHINA), 24 - _CHINA - 1e-6)
    return new_moon_before(end_of_day)


def _numbered(first: int, last: int) -> list[tuple[int, int]]:
    leap_year = last - first == 13
    months: list[tuple[int, int]] = []
    number, seen_leap = 11, False
    for moon in range(first, last):
        if leap_year and not seen_leap and moon > first and not _has_major_term(moon):
            months.append((-months[-1][0], moon))
            seen_leap = True
            continue
        months.append((number, moon))
        number = number % 12 + 1
    return months


def _has_major_term(moon: int) -> bool:
    def term(number: int) -> int:
        midnight = julian_day(date_of(new_moon(number), _CHINA), -_CHINA)
        return int(sun_longitude(midnight) // 30)

    return term(moon) != term(moon + 1)


def solar_term(year: int, longitude: int) -> date:
    """The day in `year`, in China, on which the sun comes to a longitude in degrees."""
    jd = julian_day(date(year, 3, 20)) + longitude / 360 * 365.2422
    for _ in range(5):
        jd += ((longitude - sun_longitude(jd) + 180) % 360 - 180) * 365.2422 / 360
    return date_of(jd, _CHINA)


def chinese(year: int, month: int, day: int) -> date | None:
    """The day of a date of the Chinese year that begins in our `year`; None where there is none.

    Nor is there one where that year reaches over an end of our calendar.
    """
    if not MINYEAR < year < MAXYEAR:
        return None
    for number, first in _chinese_year(year):
        if number == month:
            return first + timedelta(days=day - 1)
    return None


# --- Islamic (the Umm al-Qura calendar) ---


def islamic(year: int, month: int, day: int) -> tuple[date, ...]:
    """The days of an Islamic date that fall into our `year`: mostly one, sometimes two or none."""
    found = []
    first = int((year - 622) * 33 / 32)
    for hijri_year in range(first - 1, first + 3):
        try:
            at = Hijri(hijri_year, month, day).to_gregorian()
        except (ValueError, OverflowError):  # beyond the calendar's tables (1924 to 2077)
            continue
        if at.year == year:
            found.append(date(at.year, at.month, at.day))
    return tuple(found)


# --- Hindu (lunar months from new moon to new moon, seen from India) ---

_INDIA = 5.5
(CHAITRA, VAISHAKHA, JYESHTHA, ASHADHA, SHRAVANA, BHADRAPADA, ASHVINA, KARTIKA, MARGASHIRSHA, PAUSHA, MAGHA,
 PHALGUNA) = range(1, 13)  # fmt: skip
SUNRISE, NOON, AFTERNOON, EVENING, MIDNIGHT = 6.0, 12.0, 16.0, 18.5, 24.0


def _sign(jd: float) -> int:
    """The sign of the Indian zodiac that the sun is in, Aries as 0."""
    return int((sun_longitude(jd) - ayanamsha(jd)) % 360 // 30)


@lru_cache(maxsize=512)
def _hindu_month(year: int, month: int) -> int | None:
    """The number of the new moon that begins a month in our `year` (or just before it)."""
    first = new_moon_before(julian_day(date(year, 1, 1)))
    wanted = (month - 2) % 12
    for number in range(first, first + 14):
        if _sign(new_moon(number)) == wanted and _sign(new_moon(number + 1)) != wanted:
            return number
    return None


def tithi(year: int, month: int, number: int, hour: float = SUNRISE) -> tuple[date, ...]:
    """The day in `year` on which the lunar day `number` (1 to 30) runs at an hour of India."""
    moon = _hindu_month(year, month)
    if moon is None:
        return ()
    for start in (moon, moon - 12, moon - 13):
        day = _tithi_day(start, number, hour)
        if day.year == year and (start == moon or _sign(new_moon(start)) == (month - 2) % 12):
            return (day,)
    return ()


def _tithi_day(moon: int, number: int, hour: float) -> date:
    start = new_moon(moon)
    day = date_of(start + (number - 1) * 0.984 - 1.5, _INDIA)
    for _ in range(5):
        angle = phase(julian_day(day, hour - _INDIA))
        distance = (angle - (number - 1) * 12 + 180) % 360 - 180
        if distance >= 0:
            return day
        day += timedelta(days=1)
    return day


def sankranti(year: int, sign: int, latest_hour: float = 18.0) -> date:
    """The day in `year` on which the sun comes into a sign; the next where it comes after `latest_hour`."""
    jd = julian_day(date(year, 1, 14) + timedelta(days=round(((sign - 9) % 12) * 30.44)))
    for _ in range(5):
        longitude = (sun_longitude(jd) - ayanamsha(jd)) % 360
        jd += ((sign * 30 - longitude + 180) % 360 - 180) * 365.2422 / 360
    day = date_of(jd, _INDIA)
    return day if jd <= julian_day(day, latest_hour - _INDIA) else day + timedelta(days=1)


def onam(year: int) -> date:
    """Thiruvonam: the moon in the star Shravana while the sun is in Leo."""
    day = sankranti(year, 4)
    best = day
    for ahead in range(32):
        jd = julian_day(day + timedelta(days=ahead), SUNRISE - _INDIA)
        if _sign(jd) == 4 and int((moon_longitude(jd) - ayanamsha(jd)) % 360 / (360 / 27)) == 21:
            best = day + timedelta(days=ahead)
    return best
