"""Days named from today or by their place in a period, as they are said in English."""

from bot.schedule.when.latin import days as say
from bot.schedule.when.latin.clocks import now_clock
from bot.schedule.when.tokens import Rule, rule

ORDINAL_RULES: tuple[Rule, ...] = (
    rule(r"(?P<o>O) (?:B t?)? (?P<q>q)", "O", say.from_the_end),
    rule(r"(?P<o>s) B t? (?P<q>q)", "O", say.from_the_end),
    rule(r"s (?= W | U [oi] | t? x [WQ] | [,&]+ t? O)", "O", say.second),
    rule(r"(?P<q>q) (?= W [oi] (?:[tqM]|D|R|v) | C [oi] | U [oi] | o [vR] | K o)", "O", say.last),
)

DAY_RULES: tuple[Rule, ...] = (
    rule(r"I i I", "x", say.no_time),
    rule(r"(?P<w>W) A t? (?P<q>q) (?P<u>U)", "D", say.weekday_of_week),
    rule(r"t? (?P<c>C) A (?P<q>q)", "D", say.weekend_after_next),
    rule(r"t? (?P<o>O) (?P<u>U) [oi] (?P<d>D) ,? r? (?P<w>W)", "D", say.weekday_in_week),
    rule(r"t? (?P<q>[q>]) (?P<f>Q)", "D", say.feast),
    rule(r"(?P<q>[q>]) (?P<c>C)", "D", say.weekend),
    rule(r"t? (?P<q>[q>]) (?P<c>I)", "D", say.upcoming),
    rule(r"(?P<n>N) (?P<q>q) (?P<u>U)", "D", say.upcoming),
    rule(r"t? (?P<q>[q>]) (?P<u>[UY])", "D", say.period),
    rule(r"(?P<q>[q>]) (?P<p>P)", "S", say.part_of_day),
    rule(r"t? (?P<o>O) (?P<w>W) [oiA] t? (?P<m>M)", "D", say.nth),
    rule(r"t? (?P<o>O) (?P<w>W) [oiA] (?:(?P<d>D)|t? (?P<u>U))", "D", say.nth),
    rule(r"t? (?P<o>O) (?P<w>W) [oi] (?P<y>[Ng])", "D", say.nth_in_year),
    rule(r"t? (?P<o>O) U [oi] t? (?P<m>M)", "D", say.nth),
    rule(r"t? (?P<o>[ON]) U [oi] (?:(?P<d>D)|t (?P<u>U))", "D", say.nth),
    rule(r"t? (?P<o>[ON]) U [oi] (?P<y>[Ng])", "D", say.nth_in_year),
    rule(r"t? (?P<o>[ON]) [oi] (?P<d>D)", "D", say.nth_in_period),
    rule(r"t? (?P<o>O) o t (?P<u>U)", "D", say.nth),
    rule(r"t? (?P<o>O)? (?P<x>x) (?:(?P<w>W)|(?P<f>Q)) B t? (?P<d>[DQ])", "D", say.closest),
    rule(r"(?P<o>O) (?P<w>W) (?:A|(?P<b>B)) (?P<d>[DQ])", "D", say.nth_after),
    rule(r"(?P<w>W) A q", "D", say.after_next),
    rule(r"t? (?P<u>U) A (?P<q>q)", "D", say.period_after_next),
    rule(r"(?P<n>D) t? (?P<d>[DQ])", "D", say.day_before),
    rule(r"(?P<n>D) A t? (?P<d>[DQ])", "D", say.day_after),
    rule(r"t (?P<u>U) (?:A|(?P<b>B)) t? (?P<d>[DQ])", "D", say.one_from),
    rule(r"r? t (?P<c>C) (?! [R] )", "D", say.the_weekend),
    rule(r"(?P<n>[Na]) (?P<w>[WX]) (?:(?P<g>G)|l)", "D", say.weekdays_away),
    rule(r"t? (?P<q>[q>]) (?P<w>W)", "D", say.weekday),
    rule(r"t? (?P<o>O) (?P<w>W)", "D", say.nth),
    rule(r"(?<![i?1fA]) (?P<c>I) r (?P<w>W)", "D", say.weeks_after),
    rule(r"(?<![i?1fA]) (?P<c>I) (?P<d>D)", "D", say.weeks_after),
    rule(r"(?P<w>W) (?P<u>U) (?![NU])", "D", say.week_after),
    rule(r"(?P<w>W) (?P<c>I)", "D", say.fortnight_after),
    rule(r"(?P<w>W)", "D", say.same),
    rule(r"t? (?P<f>Q)", "D", say.same),
    rule(r"t? (?P<e>E) [oi]? (?:t? (?P<d>D)|t? (?P<u>[UY]))", "D", say.edge),
    rule(r"t? (?P<e>E) [oi] (?P<m>M)", "D", say.month_edge),
    rule(r"t? (?P<part>2) -? [oi]? (?:t? (?P<d>D)|(?P<m>M))", "D", say.part_of_period),
    rule(r"t? (?P<e>e)", "D", say.short_edge),
    rule(r"(?P<c>I) (?:A|(?P<b>B)) (?P<d>D)", "D", say.shifted_from),
    rule(r"(?P<c>I) (?:(?P<g>G)|(?P<l>l))", "D", say.shifted),
    rule(r"i f? t? (?P<c>I) K?", "D", say.shifted),  # in two weeks time
    rule(r"^ A (?P<c>I)", "D", say.shifted),
    rule(r"(?P<s>[+-]) (?P<c>I)", "D", say.signed),
    rule(r"^ t? (?P<o>O) (?P<u>U) $", "D", say.day_of_year),
    rule(r"t? (?P<o>O) (?P<c>C) [oi] (?:(?P<d>D)|t? (?P<m>M) (?P<y>[Ng])?|t (?P<u>U))", "D", say.nth_workday),
    rule(r"4 (?P<d>D)", "D", say.same_time_in),
    rule(r"4 (?= r? D)", "T", now_clock),
    rule(r"(?<=D) 4", "T", now_clock),
)
