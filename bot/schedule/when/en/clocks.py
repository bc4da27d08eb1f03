"""Numbers in words and times of day, as they are said in English."""

from bot.schedule.when.latin import clocks as say
from bot.schedule.when.latin.recurrences import recurring_hours
from bot.schedule.when.tokens import Rule, rule

# What may follow a bare number that is an hour: nothing, a sign, or something about time.
END = r"(?=$|[][,.;()?!DSWwPZTMXvVJCQREqi>+&ztfr19-])"

# What makes a number after "at" no hour: it counts something, or belongs to the next figure.
_NO_COUNT = r"(?![jUuOKHm%YpN=~/s]|:[Nd])"

NUMBER_RULES: tuple[Rule, ...] = (
    rule(r"(?P<y>y) -? (?P<o>[Os])", "O", say.ordinal),
    rule(r"(?P<y>y) -? (?P<n>n)", "y", say.tens),
    rule(r"(?P<a>[nNad]) (?P<k>k) (?:(?P<c>n)(?P<h>h))? &? (?P<b>[ny])?", "g", say.thousands),
    rule(r"(?P<a>n) h &? (?P<b>[ny])?", "g", say.hundreds),
    rule(r"(?<=@) (?P<h>[ny]) -? (?P<m>[ny])", "T", say.word_time_of_24),
    rule(r"(?P<a>[ny]) -? (?P<z>0 -?)? (?P<b>[ny])", "g", say.paired_year),
    rule(r"(?P<h>n) -? (?P<z>0 -?)? (?P<m>[ny])", "T", say.word_time),
    rule(r"a h", "N", lambda found: 100),
    rule(r"(?P<x>[ny])", "N", lambda found: found.one("x")),
)

CLOCK_RULES: tuple[Rule, ...] = (
    rule(r"(?P<x>[NTd]) (?:[~f] | = | it)* (?P<p>p)", "T", say.with_half),
    rule(r"(?P<x>d) (?P<p>p)", "T", say.range_with_half),
    rule(r"(?P<x>N) ~", "T", say.bare),
    rule(r"(?P<x>N) =", "T", say.oclock),
    rule(r"(?<!M) (?P<x>N) (?:i|@)? t? (?P<p>P)", "T", say.hour_in_part),
    rule(r"(?P<x>N) (?P<u>U)", "T", say.military),
    rule(r"(?P<x>T) (?P<u>U)", "T", say.with_unit),
    rule(r"(?P<h>(?<=@)N) (?P<m>N)" + _NO_COUNT, "T", say.split_minutes),
    rule(r"a? % > (?P<x>[TNP5])", "T", say.half_past),
    rule(r"(?P<a>(?<=A)N) (?:-|B|z) (?P<b>T)", "T", say.first_number),
    rule(r"(?<=@) % -? (?P<x>N)" + END, "T", say.half_past),
    rule(r"% (?P<x>N) (?= r? [DS] )", "T", say.half_past),
    rule(r"(?<=@) % -? (?P<x>N) (?= B (?![NTDa]))", "T", say.half_past),
    rule(r"a? (?P<y>(?P<m>Y)) (?P<d>[>ABo]) (?P<x>[TNP5]) (?![jUO])", "T", say.minutes_around),
    rule(r"(?P<s>(?<=@)(?P<m>N)) (?P<d>[>AB]) (?P<x>[TNP5]) (?![jUO])", "T", say.minutes_around),
    rule(r"(?P<m>N) (?P<u>U)? (?P<d>[>AB]) (?P<x>[TNP5]) (?![xjUO])", "T", say.minutes_around),
    rule(r"(?P<x>T) (?:=|~)", "T", say.oclock),
    rule(r"(?P<x>(?<=@)N)" + _NO_COUNT, "T", say.bare),
    rule(r"(?P<x>(?<=@f)N)" + END, "T", say.bare),
    rule(r"(?P<x>(?<=@)d)(?![jxU])", "T", say.figures),
    rule(r"(?P<x>(?<=f)N) (?=$|[],.;?!DSWf9)])", "T", say.around),
    rule(r"(?P<x>(?<=[fBz])N) (?=r?[DS]|r?W(?!U))", "T", say.near_day),
    rule(r"(?P<x>N) (?=S)", "T", say.beside_tonight),
    rule(r"(?P<x>(?<=S)N)" + END, "T", say.beside_tonight),
    rule(r"(?P<x>(?<=Sf)N)" + END, "T", say.beside_tonight),
    rule(r"(?<=D) (?P<x>N) (?=$|[,.?;9])", "T", say.beside_day),
    rule(r"(?<=[wW]) (?P<x>N) (?=$|[,.?;9])", "T", say.beside_weekday),
    rule(
        r"(?<=[wW]) (?P<x>N) (?![U=:/-])",
        "T",
        lambda found: say.padded(found) if found.raw("x")[0] == "0" else None,
    ),
    rule(r"^ (?P<x>N) $", "T", say.bare),
    rule(r"(?<=^f) (?P<x>N) $", "T", say.bare),
    rule(r"(?P<p>P)", "T", say.named_hour),
    rule(r"A (?P<a>[TN]) (?:-|B|z) (?P<b>[TN])", "R", recurring_hours),
    rule(r"\{ (?P<a>[TN]) [&-] (?P<b>[TN])", "R", recurring_hours),
    rule(r"\{ (?P<a>[TN]) [&-] (?P<b>T)", "T", say.between),
    rule(r"\{ (?P<a>[TN]) [&-] (?P<b>[TN])" + END, "T", say.between),
    rule(r"(?P<a>T) (?:-|B|z) (?P<b>T)", "T", say.first),
)

# Only where no time of day is said: "after lunch", but not "an hour before lunch".
MEAL_RULES: tuple[Rule, ...] = (rule(r"(?<![ING]) (?P<h>3)", "T", say.meal_hour),)

# Only where nothing else says a time.
PART_RULES: tuple[Rule, ...] = (rule(r"i t? (?P<p>P)", "T", say.part_hour),)
