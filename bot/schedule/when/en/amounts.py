"""Lengths of time, as they are said in English: kind `I`."""

from bot.schedule.when.latin import amounts as say
from bot.schedule.when.latin.clocks import far_shifted, shifted
from bot.schedule.when.tokens import Rule, rule

AMOUNT_RULES: tuple[Rule, ...] = (
    rule(r"(?P<n>N) (?:& a?)? % (?P<u>U)", "I", say.half_unit),
    rule(r"(?P<n>[Na]) (?P<u>U) & a? (?P<half>%)", "I", say.units),
    rule(r"(?P<n>N) & a Y (?P<u>U)", "I", say.quarter_more),
    rule(r"(?P<n>[Na]) (?P<u>U) & a Y (?! o )", "I", say.quarter_more),
    rule(r"(?P<n>d) (?:a|o a) (?P<u>U)", "I", say.units),
    rule(r"a? % (?:a|o a)? (?P<u>U)", "I", say.half_unit),
    rule(r"(?P<n>[Na]) (?P<u>U) & (?P<m>N) (?= $ | [.,;9] )", "I", say.hours_and_bare_minutes),
    rule(r"(?P<n>N) -? Y o? a? (?P<u>U)", "I", say.quarter_units),
    rule(r"a? Y o a? (?P<u>U)", "I", say.quarter_units),
    rule(r"(?P<n>N) Y", "I", say.quarters),
    rule(r"(?P<n>[Ndg]) -? (?P<u>[Us])", "I", say.units),
    rule(r"(?P<n>[Nd]) (?P<u>u)", "I", say.glued_units),
    rule(r"(?P<n>[Nd]) (?P<u>u)", "I", say.spaced_hours),
    rule(r"a? (?P<n>(?P<m>m)) o? (?P<u>U)", "I", say.units),
    rule(r"(?P<n>a) (?P<u>[Us])", "I", say.units),
    rule(r"(?P<n>[Na])? (?P<h>H)", "I", say.fortnights),
    rule(r"(?P<h>5) (?=I)", "I", say.hours),
    rule(r"(?<=[iv1+-]) (?P<h>5)", "I", say.hours),
    rule(r"(?<=if) (?P<h>5)", "I", say.hours),
    rule(r"(?<=i) (?P<h>T)", "I", say.hours_and_minutes),
    rule(r"(?P<h>5) (?=[Gl])", "I", say.hours),
    rule(r"(?P<a>I) (?:,&|,|&)? (?P<b>I)", "I", say.summed),
    rule(r"(?P<h>5)", "T", say.same_clock),
    rule(r"(?P<c>I) (?:A|>|(?P<b>B)) (?P<x>T)", "T", shifted),
    rule(r"(?<![iv1+f?-]) (?P<c>I) (?:A|(?P<b>B)) (?P<x>T)", "T", far_shifted),
)
