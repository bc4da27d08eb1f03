"""Dates and relative days, as they are said in Spanish."""

from dataclasses import replace

from bot.schedule.when.amounts import amount
from bot.schedule.when.days import Calendar, Day, Period, Shifted, Weekday
from bot.schedule.when.latin import dates, days
from bot.schedule.when.tokens import Found, Rule, rule

_ALONE = r"(?! [N.]* [pU=:jIuKxWM%] )"


def _numbers(found: Found) -> Calendar | None:
    """El 9 de 8 de 1971, el 17 del 11."""
    day, month, year = found.one("d"), found.one("m"), found.one("y")
    if not (1 <= day <= 31 and 1 <= month <= 12) or (year is not None and year < 1000):
        return None
    return Calendar(year, month, day)


def _past_weekday(found: Found) -> Weekday:
    return Weekday(found.one("w"), nth=-1)


def _one_of_month(found: Found) -> Calendar:
    return Calendar(None, found.one("m"), 1)


def _of_week(found: Found) -> Day | None:
    week: Day = found.one("d")
    return Weekday(found.one("w"), week.ahead) if isinstance(week, Period) and week.unit == "week" else None


def _this_date(found: Found) -> Calendar | None:
    said: Day = found.one("d")
    return replace(said, current=True) if isinstance(said, Calendar) and found.one("q") == "this" else None


def _before_yesterday(found: Found) -> Shifted | None:
    """Dos días antes de ayer: "antes de ayer" alone is a day of its own."""
    return Shifted(-found.one("c"), Period("day", -1)) if found.raw("d") == "antes de ayer" else None


def _day_beside(found: Found) -> Shifted | None:
    """El día antes de Navidad: "el día" alone is today."""
    if found.raw("n") not in {"el dia", "en el dia"}:
        return None
    return Shifted(amount(-1 if found.has("b") else 1, "day"), found.one("d"))


def _named_day(found: Found) -> Calendar | None:
    """Día nueve."""
    return dates.day_alone(found) if found.raw("u") == "dia" else None


def _day_number(found: Found) -> Calendar | None:
    """El día 25: "el día" alone is today."""
    if found.text[found.whole[0].start : found.whole[0].end] not in {"el dia", "en el dia"}:
        return None
    return dates.day_alone(found)


def _this_past(found: Found) -> Weekday | None:
    values = [token.value for token in found.whole if token.kind == "q"]
    return Weekday(found.one("w"), nth=-1) if values in (["this", "last"], ["this", "previous"]) else None


WEEKDAY_RULES: tuple[Rule, ...] = (rule(r"(?P<x>w) (?= $ | \. | ,? N [o/-] | ,N )", "W", dates.same),)

ORDINAL_RULES: tuple[Rule, ...] = (
    rule(r"s (?= W | o M | U o)", "O", days.second),
    rule(r"(?P<q>q) (?= W o (?:[tM@U]|D|v) | U o | o v)", "O", days.last),
)

DATE_RULES: tuple[Rule, ...] = (
    rule(r"(?P<x>F)", "D", dates.full_figures),
    rule(r"(?P<d>N) [-/] (?P<m>M) (?:[-/] (?P<y>N))?", "D", dates.month_day),
    rule(r"(?P<m>M) - (?P<d>N) - (?P<y>N)", "D", dates.month_day),
    rule(r"(?P<x>d) - (?P<m>M)", "D", dates.month_and_figures),
    rule(r"(?P<m>M) - (?P<x>d)", "D", dates.month_and_figures),
    rule(r"(?:t? U)? t? (?P<d>[NO]) o? (?P<m>M)", "D", dates.month_day),
    rule(r"(?:i? )(?P<m>M) ,? (?P<d>N) (?![pU=:/])", "D", dates.month_day),
    rule(r"t? a o (?P<m>M)", "D", _one_of_month),
    rule(r"t? (?P<d>N) o (?P<m>N) o (?P<y>[Ng])", "D", _numbers),
    rule(r"t (?P<d>N) o (?P<m>N) (?![pUj:=x])", "D", _numbers),
    rule(r"(?P<x>d) , (?P<y>N) (?![pU=])", "D", dates.figures_and_year),
    rule(r"(?P<q>q) (?P<x>d) (?![Upj%])", "D", dates.figures),
    rule(r"(?P<x>d) (?![Upj%=])", "D", dates.slashed),
    rule(r"(?<=[tW]) ,? (?P<x>d) (?![Upj=])", "D", dates.figures),
    rule(r"^ (?P<x>d) $", "D", dates.alone),
    rule(r"(?P<f>Q) (?:[,oi] | o t)? (?P<y>[Ng]) (?![Up=:])", "Q", dates.feast_of_year),
    rule(r"(?<=[DTQ]) (?:,|o|i|o t)? (?P<y>[Ng]) (?![Up=:])", "D", dates.four_digits),
    rule(r"(?P<f>Q) (?:[,oi] | o t)? (?P<y>N)" + dates.NOTHING_COUNTED, "Q", dates.feast_of_far_year),
    rule(r"(?<=[DQ]) [,oi]? (?P<y>N)" + dates.NOTHING_COUNTED, "D", dates.far_year),
    rule(r"(?<=T) i (?P<y>N)" + dates.NOTHING_COUNTED, "D", dates.far_year),
    rule(r"(?<=[DTQ]) [,oi]? t? (?P<u>U) (?P<y>[Ng])", "D", dates.named_year),
    rule(r"(?<=[D]) (?: ,? (?P<o>o)? ) (?P<y>N) (?![Up=:IT@])", "D", dates.old_year),
    rule(r"(?P<a>D) (?P<b>D)", "D", dates.dated),
    rule(r"(?P<m>M) o? (?P<y>[Ng])", "D", dates.month_alone),
    rule(r"(?P<q>q) (?P<m>M)", "D", dates.month_alone),
    rule(r"(?<=[izoA[v]) (?P<m>M) (?!x)", "D", dates.month_alone),
    rule(r"(?P<w>W) ,? (?P<t>(?:t? U|t|D))? (?P<d>[NO])" + _ALONE, "D", dates.weekday_and_day),
    rule(r"t? (?P<u>U) (?P<d>[NO])" + _ALONE, "D", _named_day),
    rule(r"t (?P<d>[NO])" + _ALONE, "D", dates.day_alone),
    rule(r"D (?P<d>N)" + _ALONE, "D", _day_number),
    rule(r"(?<=To) (?P<d>N)" + _ALONE, "D", dates.day_alone),
)

DAY_RULES: tuple[Rule, ...] = (
    rule(r"(?P<q>q) (?P<f>Q)", "D", days.feast),
    rule(r"(?P<f>Q) (?P<q>q)", "D", days.feast),
    rule(r"(?P<q>[q>]) (?P<c>C)", "D", days.weekend),
    rule(r"(?:t|4|@)? (?P<q>q) (?P<c>I)", "D", days.upcoming),
    rule(r"(?:t|4|@) (?P<n>N) (?P<q>q) (?P<u>U)", "D", days.upcoming),
    rule(r"(?:t|@)? (?P<q>[q>]) (?P<u>U)", "D", days.period),
    rule(r"(?:t|@)? (?P<u>U) (?P<q>q)", "D", days.period),
    rule(r"q (?P<w>W) q(?<=q)", "D", _this_past),
    rule(r"q q (?P<w>W)", "D", _this_past),
    rule(r"(?:t|@)? (?P<o>O) (?P<w>W) [oi] t? (?P<m>M)", "D", days.nth),
    rule(r"(?:t|@)? (?P<o>O) (?P<w>W) [oi] (?:(?P<d>D)|[t@]? (?P<u>U))", "D", days.nth),
    rule(r"t? (?P<o>O) U [oi] t? (?P<m>M)", "D", days.nth),
    rule(r"t? (?P<o>[ON]) U [oi] (?:(?P<d>D)|[t@]? (?P<u>U))", "D", days.nth),
    rule(r"t (?P<o>[ON]) [oi] (?P<d>D)", "D", days.nth_in_period),
    rule(r"(?P<n>[Na]) (?P<w>[WX]) (?:(?P<g>G)|l)", "D", days.weekdays_away),
    rule(r"t? (?P<w>W) (?:o|o@|-)? (?P<d>D)", "D", _of_week),
    rule(r"t? (?P<w>W) (?P<q>q)", "D", days.weekday),
    rule(r"t? (?P<q>[q>]) (?P<w>W)", "D", days.weekday),
    rule(r"t? (?P<o>O) (?P<w>W)", "D", days.nth),
    rule(r"(?P<w>W)", "D", days.same),
    rule(r"(?P<f>Q)", "D", days.same),
    rule(r"(?:t|@)? (?P<e>E) o? (?:[t@]? (?P<d>D)|[t@]? (?P<u>U))", "D", days.edge),
    rule(r"(?P<e>E) o (?P<m>M)", "D", days.month_edge),
    rule(r"(?P<n>D) (?:A|(?P<b>B)) [t@]? (?P<d>D)", "D", _day_beside),
    rule(r"(?:i f?)? (?P<c>I) (?:A|(?P<b>B)) (?P<d>D)", "D", days.shifted_from),
    rule(r"(?P<c>I) (?P<d>D)", "D", _before_yesterday),
    rule(r"(?P<g>6) f? (?P<c>I)", "D", days.shifted),
    rule(r"(?P<c>I) (?:(?P<g>G)|(?P<l>l))", "D", days.shifted),
    rule(r"i f? (?P<c>I)", "D", days.shifted),
    rule(r"(?P<s>[+-]) (?P<c>I)", "D", days.signed),
)
