"""What comes again, and what bounds it, as it is said in Chinese."""

from dataclasses import replace
from datetime import date, datetime

from bot.schedule.when.amounts import Amount, Unit
from bot.schedule.when.clocks import PART_HOURS, Clock, Part, Point
from bot.schedule.when.combine import on_days
from bot.schedule.when.days import Calendar, Feast, Weekday
from bot.schedule.when.recurrence import WEEKEND, WORKDAYS, Limit, Recurrence, several_times
from bot.schedule.when.tokens import Found, Rule, Token, rule
from bot.schedule.when.zh.amounts import unit_of
from bot.schedule.when.zh.clocks import halved
from bot.schedule.when.zh.lunar import LunarDay, NextLunarDay
from bot.schedule.when.zh.numbers import about

_MANY_DAYS = 3
_DAY_SECONDS = 24 * 60 * 60
_YEARS_SEEN = 12  # in which a holiday shows its rule
_SUBDAILY = frozenset({"hour", "minute", "second"})
_DAYS_OF: dict[str, tuple[tuple[int, ...], str]] = {
    "workday": (WORKDAYS, "P1WD"),
    "weekend": (WEEKEND, "P1WE"),
}


def _every(found: Found) -> Recurrence | None:
    """每两周; 隔天 is every second day, but 每隔两天 and 每隔五分钟 are every second and every fifth."""
    number = found.one("n") if found.has("n") else 1
    if not isinstance(number, int) or number > 10_000 or about(found.raw("n")) is not None:
        return None
    unit: Unit = unit_of(found.one("u"))
    if found.has("skip") and number == 1 and unit not in _SUBDAILY:
        number = 2
    return Recurrence(unit, number)


def _every_amount(found: Found) -> Recurrence | None:
    """每90分钟, 每半年, 每一个半小时."""
    by: Amount = found.one("c")
    skips = 2 if found.has("skip") else 1
    if by.seconds and not by.months:  # 每1.5天, too
        return _every_seconds(int(by.seconds + by.days * _DAY_SECONDS))
    if by.days and by.days == int(by.days) and not by.months:
        days = int(by.days)
        if by.weeks and days % 7 == 0:
            return Recurrence("week", skips if days == 7 else days // 7)
        return Recurrence("day", skips if days == 1 else days)
    if not by.months or by.days:
        return None
    if by.months % 12 == 0:
        return Recurrence("year", skips if by.months == 12 else by.months // 12)
    if by.months == 6 and "年" in found.raw("c"):
        return Recurrence("month", 6, timex="P0.5Y")
    return Recurrence("month", skips if by.months == 1 else by.months)


def _every_seconds(seconds: int) -> Recurrence:
    if seconds % 3600 == 0:
        return Recurrence("hour", seconds // 3600)
    return Recurrence("minute", seconds // 60) if seconds % 60 == 0 else Recurrence("second", seconds)


def _ready(found: Found) -> Recurrence:
    said: Recurrence = found.one("j")
    return said


def _days_of(found: Found) -> Recurrence | None:
    which = found.one("c")
    days, timex = _DAYS_OF[which]
    if not found.has("v") and which == "weekend":
        return None
    return Recurrence(weekdays=days, timex=timex)


def _on_weekdays(found: Found) -> Recurrence | None:
    """每周一三五, 每隔一周的周五, 每两周周一."""
    said: Recurrence = found.one("r") or Recurrence()
    return _on_weekdays_of(found, said)


def _on_weekdays_of(found: Found, said: Recurrence) -> Recurrence | None:
    days = [day for token in found.all("w") if token.kind == "W" for day in token.value]
    if said.unit not in {None, "week", "day"} or said.weekdays:
        return None
    unit: Unit | None = None if said.unit == "day" or said.interval == 1 else said.unit
    return replace(said, unit=unit, weekdays=tuple(sorted(set(days))))


def _more_weekdays(found: Found) -> Recurrence | None:
    """每周一、三、五: bare numbers after a weekday."""
    said: Recurrence = found.one("r")
    numbers = [token.value for token in found.all("n") if token.kind == "N"]
    if not said.weekdays or said.clocks or not all(1 <= number <= 7 for number in numbers):
        return None
    return replace(said, weekdays=tuple(sorted({*said.weekdays, *(number - 1 for number in numbers)})))


def _skip_weekday(found: Found) -> Recurrence | None:
    """每隔一个周五."""
    days = found.one("w")
    number = found.one("n") or 1
    return Recurrence(interval=max(2, number), weekdays=days)


def _nth_weekday_ahead(found: Found) -> Recurrence:
    """每两个星期五."""
    return Recurrence(interval=found.one("n"), weekdays=found.one("w"))


def _weekdays_listed(found: Found) -> Recurrence | None:
    """周一、周三、周五早上8点: three or more are no single days."""
    said = _on_weekdays_of(found, Recurrence())
    return said if said is not None and len(said.weekdays) >= _MANY_DAYS else None


def _two_weekdays(found: Found) -> Recurrence | None:
    """周二、周四晚上八点: with an hour, two are no single days either."""
    said = _on_weekdays_of(found, Recurrence())
    return said if said is not None and len(said.weekdays) > 1 else None


def _weekday_range(found: Found) -> Recurrence | None:
    """每周一到周五, 周一至五."""
    first, last = found.one("a"), found.one("b")
    if isinstance(last, int):
        if not 1 <= last <= 7:
            return None
        last = (last - 1,)
    if len(first) != 1 or len(last) != 1:
        return None
    days = tuple((first[0] + n) % 7 for n in range((last[0] - first[0]) % 7 + 1))
    said: Recurrence = found.one("r") or Recurrence()
    return replace(said, unit=None, weekdays=days)


def _month_days(found: Found) -> Recurrence | None:
    """每月15号, 每个月的1号和15号."""
    said: Recurrence = found.one("r")
    numbers = tuple(token.value for token in found.all("n") if token.kind == "N")
    if said.unit not in {"month", "quarter"} or said.nth_weekdays:
        return None
    if not all(1 <= number <= 31 for number in numbers):
        return None
    return replace(said, month_days=(*said.month_days, *numbers))


def _day_of_each_month(found: Found) -> Recurrence | None:
    """逢5号."""
    day: int = found.one("n")
    return Recurrence("month", month_days=(day,)) if 1 <= day <= 31 else None


def _month_day_range(found: Found) -> Recurrence | None:
    """每月1日到5日."""
    said: Recurrence = found.one("r")
    first, last = found.one("a"), found.one("b")
    if said.unit != "month" or said.month_days or not 1 <= first < last <= 31:
        return None
    return replace(said, month_days=tuple(range(first, last + 1)))


def _lunar_days(found: Found) -> NextLunarDay | None:
    """每月初一十五."""
    days = tuple(token.value for token in found.all("d") if token.kind in "aN")
    return NextLunarDay(days) if all(1 <= day <= 30 for day in days) else None


def _lunar_year_day(found: Found) -> NextLunarDay | None:
    """每年农历八月十五."""
    said: Recurrence = found.one("r")
    day = found.one("d")
    if said != Recurrence("year") or not isinstance(day, LunarDay) or day.year is not None:
        return None
    return NextLunarDay((day.day,), (day.month,))


def _year_days(found: Found) -> Recurrence | None:
    said: Recurrence = found.one("r")
    return on_days(said, found.one("d")) if said.unit == "year" else None


def _feast_days(found: Found) -> Recurrence | None:
    """每年母亲节: where a holiday has a rule of its own."""
    feast: Feast = found.one("f")
    now = found.asked.now
    days = [day for year in range(now.year, now.year + _YEARS_SEEN) for day in feast.in_year(year)[:1]]
    if len({(day.month, day.day) for day in days}) == 1:
        return Recurrence("year", months=(days[0].month,), month_days=(days[0].day,))
    nth = {(day.month, (day.day + 6) // 7, day.weekday()) for day in days}
    if len(nth) != 1:
        return None
    month, n, weekday = nth.pop()
    return Recurrence("year", months=(month,), nth_weekdays=((n, weekday),))


def _next_feast(found: Found) -> Feast:
    """每年春节: no rule says it, so the next one is what can be promised."""
    feast: Feast = found.one("f")
    return feast


def _from_the_end(found: Found) -> int:
    """最后一个, 倒数第二个."""
    counted: int | None = found.one("k") if found.has("k") and found.one("X") == "倒数" else None
    return -(counted or 1)


def _nth_weekday(found: Found) -> Recurrence | None:
    """每月第一个周一, 每个月最后一个周五."""
    said: Recurrence = found.one("r")
    n = _from_the_end(found) if found.has("X") else found.one("n")
    days = found.one("w")
    if said.unit not in {"month", "year", "quarter"} or len(days) != 1 or not 1 <= abs(n) <= 53:
        return None
    return replace(said, nth_weekdays=(*said.nth_weekdays, (n, days[0])))


def _nth_day(found: Found) -> Recurrence | None:
    said: Recurrence = found.one("r")
    n: int = _from_the_end(found) if found.has("X") else found.one("n")
    match said.unit:
        case "month" | "quarter" if 1 <= abs(n) <= 31:
            return replace(said, month_days=(n,))
        case "week" if 1 <= n <= 7 or n == -1:
            return replace(said, unit=None, weekdays=((n - 1) % 7 if n > 0 else 6,))
        case "year" if n in {1, -1}:
            return replace(said, months=(1 if n == 1 else 12,), month_days=(n,))
    return None


def _last_workday(found: Found) -> Recurrence | None:
    said: Recurrence = found.one("r")
    n: int = _from_the_end(found) if found.has("X") else found.one("n")
    if said.unit != "month" or found.one("c") != "workday":
        return None
    return replace(said, weekdays=WORKDAYS, positions=(n,))


def _edge_days(found: Found) -> Recurrence | None:
    """每月底, 每年年底, 每个月初."""
    said: Recurrence = found.one("r")
    day = {"end": -1, "start": 1, "middle": 15}[found.one("e")]
    if said.unit == "month":
        return replace(said, month_days=(day,))
    if said.unit == "quarter" and day != 15:
        months = (3, 6, 9, 12) if day == -1 else (1, 4, 7, 10)
        return replace(said, unit="month", months=months, month_days=(day,))
    if said.unit == "year" and day != 15:
        return replace(said, months=(12 if day == -1 else 1,), month_days=(day,))
    return None


def _times_a(found: Found) -> Recurrence | None:
    """每天三次, 一周两次."""
    if found.has("r"):
        said: Recurrence = found.one("r")
        unit, interval = said.unit, said.interval
        if said.weekdays or said.month_days or unit is None:
            return None
    else:
        unit, interval = unit_of(found.one("u")), found.one("k")
    times: int = found.one("n")
    if times == 1:
        return Recurrence(unit, interval)
    return several_times(times, unit) if interval == 1 else None


def _every_part(found: Found) -> Recurrence:
    return Recurrence(part=found.one("p"))


def _in_both_parts(found: Found) -> Recurrence:
    """每天早、晚8点."""
    said: Recurrence = found.one("r")
    clock: Clock = found.one("t")
    dial = Clock(clock.hour % 12 or 12, clock.minute)
    return said.at(halved(dial, found.one("p")), clock)


def _in_each_part(found: Found) -> Recurrence | None:
    """每天早晚, 每天早中晚: at the hours that stand for them."""
    said: Recurrence = found.one("r")
    parts: list[Part] = [found.one("p"), *(t.value for t in found.all("q") if t.kind == "P")]
    if said.clocks or len(set(parts)) < len(parts):
        return None
    clocks = (Clock(PART_HOURS[part] % 24, fixed=True) for part in parts)
    return replace(said.at(*clocks), assumed=(*said.assumed, "part-hour"))


def _in_every_second_week(found: Found) -> Recurrence | None:
    """双周五."""
    said: Recurrence = found.one("r")
    number: int = found.one("n")
    if said.unit != "week" or said.weekdays or not 1 <= number <= 6:
        return None
    return replace(said, unit=None, weekdays=(number - 1,))


def _hours(found: Found) -> Recurrence | None:
    """从9点到18点, beside something that comes several times a day."""
    if not any(token.kind == "R" and token.value.unit in _SUBDAILY for token in found.tokens):
        return None
    first, last = found.one("a"), found.one("b")
    begin, end = (moment.hour * 60 + moment.minute for moment in (first.on(date.min), last.on(date.min)))
    if last.is_open and end < begin:
        end += 12 * 60
    return Recurrence(between=(begin, end % (24 * 60)))


def _daily_beside_hourly(found: Found) -> str | None:
    """每天9点到18点每小时: every day says nothing more."""
    said: Recurrence = found.one("r")
    hourly = any(token.kind == "R" and token.value.unit in _SUBDAILY for token in found.tokens)
    return "" if hourly and said == Recurrence("day") else None


def _several_clocks(found: Found) -> Clock | None:
    """每天8点和20点 keeps both: the second stands as a time of its own."""
    clock: Clock = found.one("b")
    return clock


def _count(found: Found) -> Limit:
    return Limit(count=found.one("n"))


def _for_amount(found: Found) -> Limit:
    return Limit(until=found.one("c"))


def _end(found: Found, name: str, time: str) -> Point:
    return Point(found.one(name), found.one(time))


def _until(found: Found) -> Limit:
    return Limit(until=_end(found, "d", "t"))


def _until_year(found: Found) -> Limit | None:
    """直到2400年, which is no day where no end is said."""
    year: int = found.one("y")
    return Limit(until=Point(Calendar(year))) if year >= 1000 else None


def _until_hour(found: Found) -> Limit | None:
    """直到下午六点, 到六点为止."""
    if found.has("f") and found.raw("f") not in {"为止", "止"}:
        return None
    return Limit(until=Point(None, found.one("t")))


def _starting(found: Found) -> Limit:
    return Limit(start=_end(found, "d", "t"))


def _from_to(found: Found) -> Limit:
    return Limit(start=_end(found, "d", "t"), until=found.one("e"))


def _exceptions(found: Found) -> Recurrence | None:
    """除了周三, 周末除外."""
    weekdays: set[int] = set()
    excluded: list[date | datetime | tuple[int, int]] = []
    for token in found.all("rest"):
        if token.kind in "WC" or isinstance(token.value, Weekday):
            weekdays.update(_weekdays_of(token))
        elif token.kind == "D":
            reading = Point(token.value).read(found.asked)
            if reading is not None and reading.at is not None:
                excluded.append(reading.at)
    if weekdays and any(token.kind == "R" and token.value.weekdays for token in found.tokens):
        days = Recurrence(weekdays=tuple(sorted(weekdays)))  # 工作日除周五外
        return Recurrence(excluded=tuple(excluded), exrule=days.read(found.asked).rrule)
    if weekdays:
        kept = tuple(day for day in range(7) if day not in weekdays)
        return Recurrence(weekdays=kept)
    return Recurrence(excluded=tuple(excluded)) if excluded else None


def _weekdays_of(token: Token) -> tuple[int, ...]:
    if isinstance(token.value, Weekday):
        return (token.value.weekday,)
    if token.kind == "C":
        return _DAYS_OF[token.value][0]
    days: tuple[int, ...] = token.value
    return days


_SEP = r"[,&f]{1,2}"

# Before amounts, days and weekdays are read.
EVERY_RULES: tuple[Rule, ...] = (
    rule(r"(?P<r>J) (?P<n>N) (?![OHGugtwM#:mjK])", "R", _in_every_second_week),
    rule(r"(?P<j>J) f?", "R", _ready),
    rule(r"v? (?P<skip>V) (?P<n>N)? g? (?P<w>W)", "R", _skip_weekday),
    rule(r"v (?P<n>N) g? (?P<w>W)", "R", _nth_weekday_ahead),
    rule(r"v (?P<n>N) #", "R", _day_of_each_month),
    rule(r"n? f? (?:J|v g? M) f? (?P<d>a [,&]* (?: a | N)?)", "D", _lunar_days),
    rule(r"v? (?P<k>N) g? (?P<u>[tGwMuy]) (?P<n>N) K", "R", _times_a),
    rule(r"v? (?P<skip>V) (?P<n>N)? g? (?P<u>[yMwtGu])(?!%)", "R", _every),
    rule(r"v (?P<n>N)? g? (?P<u>[yMwtGum])(?!%)", "R", _every),
    rule(r"v (?P<n>N) (?P<u>[sH])", "R", _every),
    rule(r"(?P<v>v) g? (?P<c>C) f?", "R", _days_of),
    rule(r"(?<![EX]) (?<!Xg) (?<!oNg) (?<!oN) (?P<c>C) (?![1l]|E(?![WCD])|$)", "R", _days_of),
    rule(r"(?P<r>R) f? (?P<c>C)", "R", lambda found: _days_of_in(found)),
    rule(r"v g? (?P<a>W) [B-] (?P<b>[WN]) (?![OHu])", "R", _weekday_range),
    rule(r"v g? w? (?P<w>W(?: [,&]* W)*)", "R", _on_weekdays),
    rule(r"(?<![RAEv]) (?P<w>W (?: [,&]{1,2} W )*) (?!E)", "R", _weekdays_listed),
    rule(r"(?<![RAEvq]) (?P<w>W (?: [,&]{1,2} W)?) (?= f? (?:P|N[OH]|T))", "R", _two_weekdays),
    rule(r"(?P<r>R) f? (?P<a>W) [B-] (?P<b>[WN]) (?![OHu])", "R", _weekday_range),
    rule(r"(?P<a>W) [B-] (?P<b>[WN]) (?= f? (?:P|N[OH]|T|v|R))(?![N][OH])", "R", _weekday_range),
    rule(r"(?P<r>R) f? (?:o (?P<n>N)|(?P<X>X) (?P<k>N)?) g? (?P<w>W)", "R", _nth_weekday),
    rule(r"(?P<r>R) f? (?:o (?P<n>N)|(?P<X>X) (?P<k>N)?) g? [tG]", "R", _nth_day),
    rule(r"(?P<r>R) f? (?:o (?P<n>N)|(?P<X>X) (?P<k>N)?) g? (?P<c>C)", "R", _last_workday),
    rule(r"(?P<r>R) f? [,]? (?P<w>W (?:[,&]* W)*)", "R", _on_weekdays),
    rule(r"(?P<r>R) (?P<n>(?:[,&] N)+) (?![OHGugtwM#:])", "R", _more_weekdays),
    rule(r"(?P<r>R) f? (?P<a>N) [G#]? [B-] (?P<b>N) [G#]", "R", _month_day_range),
    rule(rf"(?P<r>R) f? (?P<n>N [G#]? (?:{_SEP} N [G#]?)* (?<=[G#]))", "R", _month_days),
    rule(r"(?P<r>R) [fy]? M? (?P<e>e)", "R", _edge_days),
    rule(r"(?P<r>R) f? ,? (?P<n>N) K", "R", _times_a),
    rule(r"v g? (?P<p>P)", "R", _every_part),
)

# After days are read.
RECURRENCE_RULES: tuple[Rule, ...] = (
    rule(r"(?P<r>R) f? (?P<d>D)", "D", _lunar_year_day),
    rule(r"v (?P<skip>V)? (?P<c>I)", "R", _every_amount),
    rule(r"(?P<skip>V) (?P<c>I)", "R", _every_amount),
    rule(r"(?P<r>R) f? (?P<p>P) [&,]? (?P<t>T)", "R", _in_both_parts),
    rule(r"(?P<r>R) f? (?P<p>P) [&,]? (?P<q>P(?:[&,]?P)?) (?!T)", "R", _in_each_part),
    rule(r"(?P<r>R) f? (?P<d>D)", "R", _year_days),
    rule(r"v g? (?P<d>D)", "R", lambda found: on_days(Recurrence("year"), found.one("d"))),
)
FEAST_RULES: tuple[Rule, ...] = (
    rule(r"v g? y? (?P<f>Q)", "R", _feast_days),
    rule(r"v g? y? (?P<f>Q)", "Q", _next_feast),
)

LIMIT_RULES: tuple[Rule, ...] = (
    rule(r"(?P<r>R)", "f", _daily_beside_hourly),
    rule(r"E (?P<rest>(?:[WCD] f? [,&]*)+) E?", "R", _exceptions),
    rule(r"(?<=[RT,P]) (?P<rest>(?:[WCD] [,&]*)+) E", "R", _exceptions),
    rule(r"A (?P<d>D) (?P<t>T)? 1? ,? [Bz-] (?P<e>D) 1?", "L", _from_to),
    rule(r"[Bz] (?P<d>D) (?P<t>T)?", "L", _until),
    rule(r"[Bz] (?P<y>N) y", "L", _until_year),
    rule(r"z (?P<t>T)", "L", _until_hour),
    rule(r"B (?P<t>T) (?P<f>f)", "L", _until_hour),
    rule(r"A (?P<d>D) (?P<t>T)? 1?", "L", _starting),
    rule(r"(?P<d>D) (?P<t>T)? 1", "L", _starting),
    rule(r"U (?P<n>N) K", "L", _count),
    rule(r"(?<=[,RTP]) (?P<n>N) K", "L", _count),
    rule(r"[U2] (?P<c>I)", "L", _for_amount),
    rule(r"A? (?P<a>T) [B-] (?P<b>T)", "R", _hours),
    rule(r"& (?P<b>T)", "T", _several_clocks),
)


def _days_of_in(found: Found) -> Recurrence | None:
    """每周末, 每周工作日."""
    said: Recurrence = found.one("r")
    days, timex = _DAYS_OF[found.one("c")]
    if said.unit != "week" or said.weekdays:
        return None
    return Recurrence(weekdays=days, interval=said.interval, timex=timex if said.interval == 1 else None)
