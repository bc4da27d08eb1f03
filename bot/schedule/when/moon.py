"""Where the sun and the moon stand: what lunar calendars are made of.

Shortened series of Meeus, "Astronomical Algorithms" (chapters 25 and 47): good to some minutes of time,
which is what the choice of a day needs. Days are Julian days in universal time.
"""

from datetime import date
from functools import lru_cache
from math import floor, radians, sin

_J2000 = 2451545.0
_UNIX_EPOCH = 2440587.5
_SYNODIC_MONTH = 29.530588861
_FIRST_NEW_MOON = 2451550.09766  # 6 January 2000

# The moon's longitude: coefficients in millionths of a degree, multiples of D, M, M', F.
_MOON_TERMS = (
    (6288774, 0, 0, 1, 0), (1274027, 2, 0, -1, 0), (658314, 2, 0, 0, 0), (213618, 0, 0, 2, 0),
    (-185116, 0, 1, 0, 0), (-114332, 0, 0, 0, 2), (58793, 2, 0, -2, 0), (57066, 2, -1, -1, 0),
    (53322, 2, 0, 1, 0), (45758, 2, -1, 0, 0), (-40923, 0, 1, -1, 0), (-34720, 1, 0, 0, 0),
    (-30383, 0, 1, 1, 0), (15327, 2, 0, 0, -2), (-12528, 0, 0, 1, 2), (10980, 0, 0, 1, -2),
    (10675, 4, 0, -1, 0), (10034, 0, 0, 3, 0), (8548, 4, 0, -2, 0), (-7888, 2, 1, -1, 0),
    (-6766, 2, 1, 0, 0), (-5163, 1, 0, -1, 0), (4987, 1, 1, 0, 0), (4036, 2, -1, 1, 0),
    (3994, 2, 0, 2, 0), (3861, 4, 0, 0, 0), (3665, 2, 0, -3, 0),
)  # fmt: skip


def julian_day(day: date, hour_ut: float = 0.0) -> float:
    """The Julian day of an hour of a date in universal time."""
    return (day - date(1970, 1, 1)).days + _UNIX_EPOCH + hour_ut / 24


def date_of(jd: float, zone_hours: float = 0.0) -> date:
    """The calendar day of a moment, in a zone so many hours east of Greenwich."""
    return date.fromordinal(floor(jd + zone_hours / 24 - _UNIX_EPOCH) + date(1970, 1, 1).toordinal())


def _centuries(jd: float) -> float:
    year = 2000 + (jd - _J2000) / 365.25
    delta_t = 62.92 + 0.32217 * (year - 2000) + 0.005589 * (year - 2000) ** 2 if year > 1950 else 29.0
    return (jd + delta_t / 86400 - _J2000) / 36525


def sun_longitude(jd: float) -> float:
    """The apparent longitude of the sun in degrees."""
    t = _centuries(jd)
    anomaly = radians(357.52911 + 35999.05029 * t)
    centre = (
        (1.914602 - 0.004817 * t) * sin(anomaly) + 0.019993 * sin(2 * anomaly) + 0.000289 * sin(3 * anomaly)
    )
    node = radians(125.04 - 1934.136 * t)
    return (280.46646 + 36000.76983 * t + centre - 0.00569 - 0.00478 * sin(node)) % 360


def moon_longitude(jd: float) -> float:
    """The longitude of the moon in degrees."""
    t = _centuries(jd)
    elongation = radians((297.8501921 + 445267.1114034 * t) % 360)
    sun = radians((357.5291092 + 35999.0502909 * t) % 360)
    moon = radians((134.9633964 + 477198.8675055 * t) % 360)
    latitude = radians((93.2720950 + 483202.0175233 * t) % 360)
    eccentricity = 1 - 0.002516 * t
    total = 0.0
    for size, d, m, mm, f in _MOON_TERMS:
        scale = eccentricity if m in {1, -1} else 1.0
        total += size * scale * sin(d * elongation + m * sun + mm * moon + f * latitude)
    node = radians(125.04 - 1934.136 * t)
    return (218.3164477 + 481267.88123421 * t + total / 1e6 - 0.00478 * sin(node)) % 360


def phase(jd: float) -> float:
    """How far the moon is ahead of the sun, in degrees from 0 (new) to 360."""
    return (moon_longitude(jd) - sun_longitude(jd)) % 360


@lru_cache(maxsize=512)
def new_moon(number: int) -> float:
    """The moment of the `number`-th new moon after the one of 6 January 2000."""
    jd = _FIRST_NEW_MOON + _SYNODIC_MONTH * number
    for _ in range(6):
        offset = (phase(jd) + 180) % 360 - 180
        if abs(offset) < 1e-4:
            break
        jd -= offset / 360 * _SYNODIC_MONTH
    return jd


def new_moon_before(jd: float) -> int:
    """The number of the last new moon at or before a moment."""
    number = floor((jd - _FIRST_NEW_MOON) / _SYNODIC_MONTH) + 1
    while new_moon(number) > jd:
        number -= 1
    return number


def ayanamsha(jd: float) -> float:
    """How far the Indian (sidereal) zodiac lies behind the tropical one, in degrees (Lahiri)."""
    return 23.85 + 50.29 / 3600 * (jd - _J2000) / 365.25
