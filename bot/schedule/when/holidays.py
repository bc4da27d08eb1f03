"""Holidays by their keys: on which days of a year each falls. Languages give them names."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, timedelta
from functools import partial

from bot.schedule.when import calendars as cal
from bot.schedule.when.amounts import nth_weekday
from bot.schedule.when.days import Feast, valid_date
from bot.schedule.when.tokens import Entry

Dates = Callable[[int], tuple[date, ...]]
MON, TUE, WED, THU, FRI, SAT, SUN = range(7)


def _days(days: list[date | None]) -> tuple[date, ...]:
    return tuple(day for day in days if day is not None)


def fixed(month: int, day: int) -> Dates:
    """The same date every year."""
    return lambda year: _days([valid_date(year, month, day)])


def feasts(
    named: Mapping[str, str],
    fixed_dates: Iterable[tuple[int, int, str]],
    forms: Callable[[str], Iterable[str]] = lambda name: [name],
) -> dict[str, Entry]:
    """The names of holidays as words: of those in `HOLIDAYS` by key, and of those with a month and a day;
    each name in the `forms` that it takes in a sentence."""
    dated: list[tuple[Dates, str]] = [(HOLIDAYS[key], names) for key, names in named.items()]
    dated += [(fixed(month, day), names) for month, day, names in fixed_dates]
    names = ((dates, name) for dates, names in dated for name in names.split(","))
    return {form: ("Q", Feast(dates)) for dates, name in names for form in forms(name)}


def nth(n: int, weekday: int, month: int, days: int = 0) -> Dates:
    """So many days after the n-th weekday of a month."""

    def dates(year: int) -> tuple[date, ...]:
        day = nth_weekday(year, month, weekday, n)
        return () if day is None else (day + timedelta(days=days),)

    return dates


def _from_easter(days: int) -> Dates:
    return lambda year: (cal.easter(year) + timedelta(days=days),)


def _from_orthodox_easter(days: int) -> Dates:
    return lambda year: (cal.orthodox_easter(year) + timedelta(days=days),)


def _hebrew_eve(month: int, day: int) -> Dates:
    """Hebrew days begin at the sunset before."""
    return lambda year: (cal.hebrew(year, month, day) - timedelta(days=1),)


def _independence_day_of_israel(year: int) -> tuple[date, ...]:
    day = cal.hebrew(year, cal.IYAR, 5)
    moved = {FRI: -1, SAT: -2, MON: 1}.get(day.weekday(), 0)
    return (day + timedelta(days=moved - 1),)


def _holocaust_day(year: int) -> tuple[date, ...]:
    day = cal.hebrew(year, cal.NISAN, 27)
    moved = {FRI: -1, SUN: 1}.get(day.weekday(), 0)
    return (day + timedelta(days=moved - 1),)


def _ninth_of_av(year: int) -> tuple[date, ...]:
    day = cal.hebrew(year, cal.AV, 9)
    return (day if day.weekday() == SAT else day - timedelta(days=1),)


def _islamic(month: int, day: int) -> Dates:
    return lambda year: cal.islamic(year, month, day)


def _last_friday_of_ramadan(year: int) -> tuple[date, ...]:
    ends = (*cal.islamic(year, 10, 1), *cal.islamic(year + 1, 10, 1))
    lasts = [end - timedelta(days=1) for end in ends]
    fridays = [last - timedelta(days=(last.weekday() - FRI) % 7) for last in lasts]
    return tuple(day for day in fridays if day.year == year)


def _chinese(month: int, day: int) -> Dates:
    return lambda year: _days([cal.chinese(year, month, day)])


def _chinese_eve(year: int) -> tuple[date, ...]:
    new_year = cal.chinese(year, 1, 1)
    return () if new_year is None else (new_year - timedelta(days=1),)


def _laba(year: int) -> tuple[date, ...]:
    """The eighth of the last Chinese month; it mostly falls into January."""
    both = (cal.chinese(year - 1, 12, 8), cal.chinese(year, 12, 8))
    return _days([day for day in both if day is not None and day.year == year])


def _solar_term(longitude: int) -> Dates:
    return lambda year: (cal.solar_term(year, longitude),)


def _hindu(month: int, number: int, hour: float = cal.SUNRISE, days: int = 0) -> Dates:
    return lambda year: tuple(day + timedelta(days=days) for day in cal.tithi(year, month, number, hour))


def _sankranti(sign: int, days: int = 0) -> Dates:
    return lambda year: (cal.sankranti(year, sign) + timedelta(days=days),)


def _nearest_workday(month: int, day: int, year: int) -> tuple[date, ...]:
    found = date(year, month, day)
    return (found + timedelta(days={SAT: -1, SUN: 1}.get(found.weekday(), 0)),)


def _emancipation_day(year: int) -> tuple[date, ...]:
    return _nearest_workday(4, 16, year)


def _tax_day(year: int) -> tuple[date, ...]:
    day = date(year, 4, 15)
    while day.weekday() >= SAT or day in _emancipation_day(year):
        day += timedelta(days=1)
    return (day,)


def _administrative_professionals(year: int) -> tuple[date, ...]:
    """Wednesday of the last full week of April."""
    saturday = nth_weekday(year, 4, SAT, -1) or date(year, 4, 24)
    return (saturday - timedelta(days=3),)


def _emergency_services_for_children(year: int) -> tuple[date, ...]:
    """Wednesday of the third full week of May."""
    sunday = nth_weekday(year, 5, SUN, 3) or date(year, 5, 15)
    return (sunday + timedelta(days=3),)


def _election_day(year: int) -> tuple[date, ...]:
    return (date(year, 11, 2) + timedelta(days=(TUE - date(year, 11, 2).weekday()) % 7),)


def _victoria_day(year: int) -> tuple[date, ...]:
    day = date(year, 5, 24)
    return (day - timedelta(days=day.weekday()),)


_SUPER_TUESDAYS = {1984: (3, 13), 1988: (3, 8), 1992: (3, 10), 1996: (3, 12), 2000: (3, 7), 2004: (3, 2),
                   2008: (2, 5), 2012: (3, 6), 2016: (3, 1), 2020: (3, 3), 2024: (3, 5)}  # fmt: skip


def _super_tuesday(year: int) -> tuple[date, ...]:
    return (date(year, *_SUPER_TUESDAYS[year]),) if year in _SUPER_TUESDAYS else ()


def _mini_tuesday(year: int) -> tuple[date, ...]:
    return (date(2004, 2, 3),) if year == 2004 else ()


def _parsi_new_year(year: int) -> tuple[date, ...]:
    return (date(2018, 8, 17) + timedelta(days=365 * (year - 2018)),)


def _dutch_kings_day(year: int) -> tuple[date, ...]:
    day = date(year, 4, 27)
    return (day - timedelta(days=1) if day.weekday() == SUN else day,)


def _advent(sunday: int) -> Dates:
    def dates(year: int) -> tuple[date, ...]:
        eve = date(year, 12, 24)
        fourth = eve - timedelta(days=(eve.weekday() - SUN) % 7)
        return (fourth - timedelta(weeks=4 - sunday),)

    return dates


HOLIDAYS: dict[str, Dates] = {
    "easter": _from_easter(0), "easter monday": _from_easter(1), "good friday": _from_easter(-2),
    "maundy thursday": _from_easter(-3), "holy saturday": _from_easter(-1), "palm sunday": _from_easter(-7),
    "ash wednesday": _from_easter(-46),
    "shrove tuesday": _from_easter(-47),
    "shrove monday": _from_easter(-48),
    "ascension": _from_easter(39), "pentecost": _from_easter(49), "whit monday": _from_easter(50),
    "trinity sunday": _from_easter(56), "corpus christi": _from_easter(60), "laetare": _from_easter(-21),
    "orthodox easter": _from_orthodox_easter(0), "orthodox easter monday": _from_orthodox_easter(1),
    "orthodox good friday": _from_orthodox_easter(-2), "orthodox holy saturday": _from_orthodox_easter(-1),
    "orthodox maundy thursday": _from_orthodox_easter(-3), "clean monday": _from_orthodox_easter(-48),
    "lazarus saturday": _from_orthodox_easter(-8), "orthodox palm sunday": _from_orthodox_easter(-7),
    "orthodox pentecost": _from_orthodox_easter(49), "orthodox whit monday": _from_orthodox_easter(50),
    "orthodox ascension": _from_orthodox_easter(39), "orthodox trinity sunday": _from_orthodox_easter(49),
    "advent 1": _advent(1), "advent 2": _advent(2), "advent 3": _advent(3), "advent 4": _advent(4),
    # Hebrew
    "rosh hashanah": _hebrew_eve(cal.TISHRI, 1), "yom kippur": _hebrew_eve(cal.TISHRI, 10),
    "sukkot": _hebrew_eve(cal.TISHRI, 15), "hoshana rabbah": _hebrew_eve(cal.TISHRI, 21),
    "shemini atzeret": _hebrew_eve(cal.TISHRI, 22), "simchat torah": _hebrew_eve(cal.TISHRI, 23),
    "hanukkah": _hebrew_eve(cal.KISLEV, 25), "tu bishvat": _hebrew_eve(cal.SHVAT, 15),
    "purim": _hebrew_eve(cal.ADAR, 14), "shushan purim": _hebrew_eve(cal.ADAR, 15),
    "passover": _hebrew_eve(cal.NISAN, 15), "lag baomer": _hebrew_eve(cal.IYAR, 18),
    "shavuot": _hebrew_eve(cal.SIVAN, 6), "tisha b'av": _ninth_of_av, "tu b'av": _hebrew_eve(cal.AV, 15),
    "yom haatzmaut": _independence_day_of_israel, "yom hashoah": _holocaust_day,
    # Islamic
    "islamic new year": _islamic(1, 1), "ashura": _islamic(1, 10), "mawlid": _islamic(3, 12),
    "isra and mi'raj": _islamic(7, 27), "ramadan": _islamic(9, 1), "laylat al-qadr": _islamic(9, 27),
    "eid al-fitr": _islamic(10, 1), "day of arafah": _islamic(12, 9), "eid al-adha": _islamic(12, 10),
    "shab-e-barat": _islamic(8, 15), "jumu'atul-wida": _last_friday_of_ramadan,
    # Chinese
    "chinese new year": _chinese(1, 1),
    "chinese new year's eve": _chinese_eve, "lantern festival": _chinese(1, 15),
    "dragon boat festival": _chinese(5, 5), "qixi": _chinese(7, 7), "ghost festival": _chinese(7, 15),
    "mid-autumn festival": _chinese(8, 15), "double ninth festival": _chinese(9, 9), "laba": _laba,
    "qingming": _solar_term(15), "winter solstice": _solar_term(270), "summer solstice": _solar_term(90),
    # Indian
    "ugadi": _hindu(cal.CHAITRA, 1), "rama navami": _hindu(cal.CHAITRA, 9, cal.NOON),
    "mahavir jayanti": _hindu(cal.CHAITRA, 13), "hanuman jayanti": _hindu(cal.CHAITRA, 15),
    "akshaya tritiya": _hindu(cal.VAISHAKHA, 3), "vesak": _hindu(cal.VAISHAKHA, 15, cal.EVENING),
    "ratha yatra": _hindu(cal.ASHADHA, 2), "guru purnima": _hindu(cal.ASHADHA, 15),
    "raksha bandhan": _hindu(cal.SHRAVANA, 15), "nag panchami": _hindu(cal.SHRAVANA, 5),
    "janmashtami": _hindu(cal.SHRAVANA, 23, cal.MIDNIGHT),
    "ganesh chaturthi": _hindu(cal.BHADRAPADA, 4, cal.NOON),
    "navaratri": _hindu(cal.ASHVINA, 1), "maha saptami": _hindu(cal.ASHVINA, 7),
    "durga ashtami": _hindu(cal.ASHVINA, 8), "maha navami": _hindu(cal.ASHVINA, 9),
    "dussehra": _hindu(cal.ASHVINA, 10, cal.AFTERNOON), "valmiki jayanti": _hindu(cal.ASHVINA, 15),
    "karva chauth": _hindu(cal.ASHVINA, 19, 20.0), "dhanteras": _hindu(cal.ASHVINA, 28, 20.0),
    "naraka chaturdashi": _hindu(cal.ASHVINA, 29, cal.EVENING),
    "diwali": _hindu(cal.ASHVINA, 30, cal.EVENING),
    "govardhan puja": _hindu(cal.KARTIKA, 1, cal.NOON), "bhai dooj": _hindu(cal.KARTIKA, 2, cal.NOON),
    "chhath": _hindu(cal.KARTIKA, 6), "guru nanak jayanti": _hindu(cal.KARTIKA, 15),
    "guru gobind singh jayanti": _hindu(cal.PAUSHA, 7), "guru ravidass jayanti": _hindu(cal.MAGHA, 15),
    "vasant panchami": _hindu(cal.MAGHA, 5), "saraswati jayanti": _hindu(cal.MAGHA, 25),
    "maha shivaratri": _hindu(cal.MAGHA, 29, cal.MIDNIGHT),
    "holika dahan": _hindu(cal.PHALGUNA, 15, cal.EVENING), "holi": _hindu(cal.PHALGUNA, 15, cal.EVENING, 1),
    "bhogi": _sankranti(9, -1), "pongal": _sankranti(9), "mattu pongal": _sankranti(9, 1),
    "kaanum pongal": _sankranti(9, 2), "vaisakhi": _sankranti(0), "onam": lambda year: (cal.onam(year),),
    "lohri": _sankranti(9, -1), "rabindra jayanti": lambda year: (date(year, 5, 8 if year % 4 == 0 else 9),),
    "parsi new year": _parsi_new_year,
    # moved in their country
    "mlk day": nth(3, MON, 1), "presidents day": nth(3, MON, 2), "memorial day": nth(-1, MON, 5),
    "labor day": nth(1, MON, 9), "columbus day": nth(2, MON, 10), "thanksgiving": nth(4, THU, 11),
    "black friday": nth(4, THU, 11, 1), "small business saturday": nth(4, THU, 11, 2),
    "cyber monday": nth(4, THU, 11, 4), "giving tuesday": nth(4, THU, 11, 5),
    "canadian thanksgiving": nth(2, MON, 10), "mother's day": nth(2, SUN, 5),
    "mothering sunday": _from_easter(-21), "father's day": nth(3, SUN, 6), "parents' day": nth(4, SUN, 7),
    "grandparents' day": nth(1, MON, 9, 6), "super bowl": nth(1, SUN, 2), "patriots' day": nth(3, MON, 4),
    "arbor day": nth(-1, FRI, 4), "day of prayer": nth(1, THU, 5), "armed forces day": nth(3, SAT, 5),
    "military spouse day": nth(2, SUN, 5, -2),
    "children's day us": nth(2, SUN, 6),
    "sweetest day": nth(3, SAT, 10),
    "friendship day": nth(1, SUN, 8),
    "daylight saving start": nth(2, SUN, 3),
    "daylight saving end": nth(1, SUN, 11),
    "boss's day": partial(_nearest_workday, 10, 16),
    "emancipation day": _emancipation_day, "tax day": _tax_day,
    "administrative professionals' day": _administrative_professionals,
        "ems for children day": _emergency_services_for_children,
    "election day": _election_day, "super tuesday": _super_tuesday, "mini-tuesday": _mini_tuesday,
    "casimir pulaski day": nth(1, MON, 3),
    "seward's day": nth(-1, MON, 3),
    "confederate memorial day": nth(4, MON, 4),
    "jefferson davis birthday": nth(1, MON, 6),
    "victory day us": nth(2, MON, 8),
    "nevada day": nth(-1, FRI, 10),
    "statehood day hawaii": nth(3, FRI, 8),
    "town meeting day": nth(1, TUE, 3),
    "take your child to work day": nth(4, THU, 4),
    "victoria day": _victoria_day, "family day": nth(3, MON, 2), "civic holiday": nth(1, MON, 8),
    "early may bank holiday": nth(1, MON, 5), "spring bank holiday": nth(-1, MON, 5),
    "summer bank holiday": nth(-1, MON, 8),
    "melbourne cup": nth(1, TUE, 11),
    "queen's birthday au": nth(2, MON, 6),
    "king's day nl": _dutch_kings_day, "day of cooperatives": nth(1, SAT, 7),
    "world youth service day": nth(3, FRI, 4),
    "earth hour": nth(-1, SAT, 3), "international labour day": fixed(5, 1),
    "teachers appreciation day": nth(1, TUE, 5),
    "philosophy day": nth(3, THU, 11),
    "world kidney day": nth(2, THU, 3),
    "mother's day first sunday": nth(1, SUN, 5),
    "programmers' day": lambda year: (date(year, 1, 1) + timedelta(days=255),),
}  # fmt: skip
