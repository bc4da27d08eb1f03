"""What comes again, and what bounds it, as it is said in English."""

from bot.schedule.when.latin import recurrences as say
from bot.schedule.when.latin.dates import month_alone
from bot.schedule.when.latin.days import workdays_away
from bot.schedule.when.tokens import Rule, rule

_SEP = r"[,&]{1,2}"
_ORDINALS = rf"(?P<o>O(?:{_SEP}t?O)*)"

# Before amounts and days take the numbers and the weekdays.
EVERY_RULES: tuple[Rule, ...] = (
    rule(r"v (?P<m>M) (?! [NO] | t O)", "R", say.every_month_named),
    rule(r"(?P<v>v) (?P<n>[NVO])? (?P<u>[UuY])", "R", say.every),
    rule(r"v (?P<n>d) (?P<u>U)", "R", say.every_decimal),
    rule(r"(?P<v>v) (?P<n>V|s)? (?P<u>s) (?! [WMwC] | U)", "R", say.every),
    rule(r"(?P<v>v) (?P<n>s) (?P<u>[UY])", "R", say.every),
    rule(r"(?P<v>v) a? (?P<n>m) o? (?P<u>U)", "R", say.every),
    rule(r"v a? % a? (?P<u>U)", "R", say.every_half),
    rule(r"(?:(?P<n>c)|(?P<k>N)K) (?P<j>J)", "R", say.times_adverb),
    rule(r"(?P<j>J)", "R", say.adverb),
    rule(r"(?:(?P<n>c)|(?P<k>N)K?) a (?P<u>U)", "R", say.times_a),
    rule(r"(?P<n>c) v (?P<u>U)", "R", say.times_a),
    rule(r"(?P<n>c) a (?P<h>H)", "R", say.once_a_fortnight),
    rule(r"(?:(?P<i>i) f?)? (?P<n>[Na]) (?P<c>C) (?:(?P<g>G)|(?P<l>l))?", "D", workdays_away),
    rule(r"(?P<v>v) (?P<n>[NVsO])? (?P<c>C)", "R", say.workdays),
    rule(r"(?P<c>C)", "R", say.workdays),
    rule(rf"v {_ORDINALS} o t (?P<u>U)", "R", say.month_days),
    rule(rf"t? {_ORDINALS} U? o (?P<r>R)", "R", say.month_days),
    rule(r"v (?P<q>q) (?P<w>W)", "R", say.every_last),
    rule(rf"v t? {_ORDINALS} (?P<w>W) (?:[oi] t (?P<u>U))?", "R", say.every_pair),
    rule(rf"(?P<r>R) r? t? {_ORDINALS} (?P<w>W)", "R", say.every_pair),
    rule(rf"t? {_ORDINALS} (?P<c>C) [oi] (?P<r>R)", "R", say.nth_workdays),
    rule(rf"(?P<r>R) r? t? {_ORDINALS} K o (?P<w>W(?:{_SEP}W)*)", "R", say.positions),
    rule(r"(?P<r>R) r? t? (?P<o>O) U?(?![WM]|[oi]t?M)", "R", say.month_days),
    rule(r"(?P<n>c) (?P<r>R)", "R", say.once_every),
    rule(r"(?P<r>R) r? t? (?P<q>q) (?:(?P<u>U)|(?P<w>W))", "R", say.on_the_last),
    rule(r"(?P<r>R) r? (?:t? U|D) (?P<o>N)", "R", say.month_days),
    rule(rf"t? {_ORDINALS} (?P<w>W) (?= o R | {_SEP} t? O)", "7", say.pairs),
    rule(rf"(?<=7{_SEP[:5]}) t? {_ORDINALS} (?P<w>W)", "7", say.pairs),
    rule(rf"(?P<a>7) {_SEP} (?P<b>7)", "7", say.joined_pairs),
    rule(r"(?P<p>7) o (?P<r>R)", "R", say.pairs_of),
    rule(r"(?P<e>E) o? (?P<r>R)", "R", say.edge_of),
    rule(r"(?P<r>R) -? (?P<e>E) (?! [oiDUN] )", "R", say.month_end),
    rule(rf"v {_ORDINALS} (?= $ | [.,;@TrfzLS?1] )", "R", say.month_days),
)

RECURRENCE_RULES: tuple[Rule, ...] = (
    rule(r"v (?P<a>D) (?:z|-|B) (?P<b>D)", "R", say.weekday_range),
    rule(r"(?P<a>X) (?:z|-|B) (?P<b>X)", "R", say.weekday_range),
    rule(rf"(?P<d>D(?:{_SEP}D)*) (?P<r>R)", "R", say.weekdays_again),
    rule(rf"(?P<d>D(?:(?:{_SEP}|/)?D){{2,}})", "R", say.weekdays_again),
    rule(r"(?P<r>R) r? (?P<a>D) (?:z|-|B) (?P<b>D)", "R", say.weekday_range),
    rule(r"A? (?P<a>D) (?:z|-|B) (?P<b>D)", "R", say.timed_weekday_range),
    rule(r"v (?P<n>N) (?P<x>X)", "R", say.plural_weekday),
    rule(r"v? (?P<x>X)", "R", say.plural_weekday),
    rule(rf"v (?P<o>O(?:{_SEP}O)*) {_SEP} (?P<d>D)", "R", say.days_of_month_named),
    rule(r"(?P<v>v) (?P<n>V)? (?P<d>D)", "R", say.every_day_named),
    rule(r"(?P<v>v) (?P<p>P) & (?P<q>P)", "R", say.every_two_parts),
    rule(r"(?P<v>v) (?P<p>P)", "R", say.every_part),
    rule(r"(?P<p>b)", "R", say.every_part),
    rule(r"(?P<r>R) r? (?P<d>D)", "R", say.on_named_day),
    rule(rf"(?P<r>R) {_SEP} (?P<n>[NO]) (?![pTUIK=])", "R", say.more_days),
    rule(r"[ir] (?P<u>U) (?P<n>N)", "R", say.in_week),
    rule(r"(?P<a>T) [,&] @? (?P<b>[TN]) @? (?P<r>R)", "R", say.at_both),
)

# Where nothing else says that it comes again.
DAYS_AHEAD_RULES: tuple[Rule, ...] = (rule(r"1 (?P<c>I)", "R", say.days_ahead),)

LIMIT_RULES: tuple[Rule, ...] = (
    rule(r"(?<=R) (?P<b>9) (?= r? [DR] )", "!", say.but),
    rule(r"(?P<m>M) (?!x)", "D", month_alone),
    rule(r"! (?P<rest>(?: (?! [B?9]* x ) . )+)", "R", say.exceptions),
    rule(r"\?? (?P<n>N) K", "L", say.count),
    rule(r"(?<=[RT]) (?P<n>c)", "L", say.count),
    rule(r"[?1] f? t? (?P<c>I)", "L", say.for_amount),
    rule(r"1 (?P<u>U)", "L", say.for_one),
    rule(r"(?:\[|A) (?P<d>D) (?:@? (?P<t>T))? (?:B|z|-) (?P<e>D)", "L", say.from_to),
    rule(r"(?:z|B) i? (?P<d>D) (?:@? (?P<t>T))?", "L", say.until),
    rule(r"(?<=z) (?P<x>N) (?= $ | [.,;!?9] )", "T", say.another_clock),
    rule(r"z t? (?P<u>U)? (?P<y>[Ng]) (?= $ | [.,;?!@T)&B] )", "L", say.until_year),
    rule(r"z (?P<t>T)", "L", say.until),
    rule(r"(?:\[|A) r? (?P<d>D) (?:@? (?P<t>T))?", "L", say.starting),
    rule(r"\{ (?P<a>[TN]) [&-] (?P<b>[TN])", "R", say.hours),
    rule(r"A (?P<a>[TN]) (?:B|z|-) (?P<b>[TN])", "R", say.hours),
    rule(r"(?<=T[,&]) (?P<x>N) (?![UIK])", "T", say.another_clock),
)
