"""What comes again, and what bounds it, as it is said in Spanish."""

from bot.schedule.when.clocks import Point
from bot.schedule.when.latin import recurrences as say
from bot.schedule.when.latin.dates import NOTHING_COUNTED, month_alone
from bot.schedule.when.recurrence import WEEKEND, WORKDAYS, Limit, Recurrence
from bot.schedule.when.tokens import Found, Rule, rule

_SEP = r"[,&]{1,2}"


def _adverb(found: Found) -> Recurrence | None:
    """ "Diario" after "el" or "del" is a newspaper."""
    named = found.raw("j") == "diario" and found.before in {"el", "de"}
    return None if named else say.adverb(found)


def _the_weekdays(found: Found) -> Recurrence:
    return Recurrence(weekdays=(found.one("w"),))


def _workdays(found: Found) -> Recurrence | None:
    which, interval = found.one("c"), found.one("n") or 1
    if which in {"workday", "weekend"} and found.whole[0].kind not in "4v":
        return None
    if which.startswith("workday"):
        return Recurrence(weekdays=WORKDAYS, timex="P1WD")
    return Recurrence(weekdays=WEEKEND, interval=interval, timex=f"P{interval}WE")


EVERY_RULES: tuple[Rule, ...] = (
    rule(r"v (?P<m>M) (?!N)", "R", say.every_month_named),
    rule(r"(?P<v>v) (?P<n>[NOV])? (?P<u>[Uu])", "R", say.every),
    rule(r"v (?P<o>[NO]) o (?P<u>U)", "R", say.month_days),
    rule(r"v (?P<n>d) (?P<u>U)", "R", say.every_decimal),
    rule(r"(?P<v>v) (?P<u>s)", "R", say.every),
    rule(r"v % (?P<u>U)", "R", say.every_half),
    rule(r"(?P<j>J)", "R", _adverb),
    rule(r"(?:(?P<n>c)|(?P<k>N)K) [@v?o]{1,2} (?P<u>U)", "R", say.times_a),
    rule(r"(?:4|v)? (?P<n>N)? (?P<c>C)", "R", _workdays),
    rule(r"(?P<r>R) (?:t? U|t|D)? (?P<o>N) (?! [pUI=:M/] | o M )", "R", say.month_days),
    rule(r"(?:t? U|t|D)? (?P<o>[NO]) o (?P<r>R)", "R", say.month_days),
    rule(rf"(?:t|@)? (?P<o>O (?:{_SEP} O)*) (?P<w>W) (?= o R )", "7", say.pairs),
    rule(r"(?P<p>7) o (?P<r>R)", "R", say.pairs_of),
    rule(r"t? (?P<o>O) U o (?P<r>R)", "R", say.month_days),
    rule(r"(?P<e>E) o? (?P<r>R)", "R", say.edge_of),
    rule(r"4 (?P<w>W)", "R", _the_weekdays),
)

RECURRENCE_RULES: tuple[Rule, ...] = (
    rule(r"(?:v|o) (?P<a>D) (?:z|-|@) (?P<b>D)", "R", say.weekday_range),
    rule(r"(?P<r>R) o? (?P<a>D) (?:z|-|@) (?P<b>D)", "R", say.weekday_range),
    rule(r"(?:4|v)? (?P<n>N)? (?P<x>X)", "R", say.plural_weekday),
    rule(r"(?P<v>v) (?P<n>N)? t? (?P<d>D)", "R", say.every_day_named),
    rule(r"(?P<v>v) (?P<p>[bP])", "R", say.every_part),
    rule(r"(?:[?oi]? @)? (?P<p>b)", "R", say.every_part),
    rule(r"(?P<r>R) t? (?P<d>D)", "R", say.on_named_day),
    rule(rf"(?P<d>D(?:(?:{_SEP})?D){{2,}})", "R", say.weekdays_again),
    rule(rf"(?P<r>R) {_SEP} (?P<n>N) (?![pUIK=:])", "R", say.more_days),
)


def _until_hour(found: Found) -> Limit | None:
    """Hasta las seis."""
    return Limit(until=Point(None, found.one("t"))) if found.raw("at").startswith("hasta") else None


LIMIT_RULES: tuple[Rule, ...] = (
    rule(r"(?P<m>M) (?!x)", "D", month_alone),
    rule(r"[!<] (?P<rest>(?: (?! [B?9]* x ) . )+)", "R", say.exceptions),
    rule(r"(?:\?|1)? (?P<n>N) K", "L", say.count),
    rule(r"(?<=[RT]) (?P<n>c)", "L", say.count),
    rule(r"[?1f] (?P<c>I)", "L", say.for_amount),
    rule(r"(?:\[|A) t? (?P<d>D) (?:@? (?P<t>T))? (?:z|@|-) t? (?P<e>D)", "L", say.from_to),
    rule(r"z t? (?P<d>D) (?:@? (?P<t>T))?", "L", say.until),
    rule(r"z (?:t|@)? (?P<u>U)? (?P<y>[Ng])" + NOTHING_COUNTED, "L", say.until_year),
    rule(r"z (?P<t>T)", "L", say.until),
    rule(r"(?P<at>@) (?P<t>T)", "L", _until_hour),
    rule(r"(?:\[|A) t? (?P<d>D) (?:@? (?P<t>T))?", "L", say.starting),
    rule(r"\{ @? (?P<a>[TN]) [&-] @? (?P<b>[TN])", "R", say.hours),
    rule(r"(?:A|o) @? (?P<a>[TN]) (?:@|z|-) @? (?P<b>[TN])", "R", say.hours),
    rule(r"(?<=T[,&]) (?:@)? (?P<x>N) (?![UIK])", "T", say.another_clock),
)
