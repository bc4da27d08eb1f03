"""Dates of the calendar, as they are written in English."""

from bot.schedule.when.latin import dates as say
from bot.schedule.when.latin.clocks import figures
from bot.schedule.when.tokens import Rule, rule

# What must not follow a number that is the day of a month: it is a time, an amount, or counts things.
_ALONE = r"(?! [pUW=:~jIuKx%] )"

WEEKDAY_RULES: tuple[Rule, ...] = (
    # "sun", "sat" and "mon" are days only where something about time stands beside them
    rule(r"(?<=[rvVq>&,(T@DOsN/-]) (?P<x>w)", "W", say.same),
    rule(r"(?P<x>w) (?= $ | [.,/-] | t?[NO] | [MDTPSWwdFr@)>&ZABGlz!1?[] )", "W", say.same),
)

DATE_RULES: tuple[Rule, ...] = (
    rule(r"(?P<x>F)", "D", say.full_figures),
    rule(r"(?<=M) t? (?P<x>s) (?!U)", "O", say.same),
    rule(r"(?P<x>s) (?= o?M )", "O", say.same),
    rule(r"(?P<y>N) [-/]? (?P<m>M) [-/]? (?P<d>[NO]) (?![pU=:T])", "D", say.big_year_first),
    rule(r"(?P<y>N) / (?P<d>N) / (?P<m>M)", "D", say.big_year_first),
    rule(r"(?P<m>M) - (?P<x>d)", "D", say.month_and_figures),
    rule(r"(?P<m>M) (?P<x>d)", "D", say.first_of_days),
    rule(r"(?P<x>d) o? (?P<m>M)", "D", say.first_of_days),
    rule(r"(?P<x>d) / (?P<m>M)", "D", say.month_and_figures),
    rule(r"(?P<d>[NO]) [-/] (?P<m>M) [-/] (?P<y>N)", "D", say.month_day),
    rule(r"(?P<m>M) - (?P<d>[NO]) - (?P<y>N)", "D", say.month_day),
    rule(r"t? (?P<d>O) (?:(?P<u>U)? [oi])? [-/]? (?P<m>M)", "D", say.month_day),
    rule(r"t? (?P<d>N) (?:(?P<u>U)? [oi])? [-/.]? (?P<m>M)", "D", say.month_day),
    rule(r"(?P<m>M) (?:[,/-] | r)? t? (?P<d>O)", "D", say.month_day),
    rule(r"(?P<m>M) [,/-]? (?P<d>N) (?![pU=/])", "D", say.month_day),
    rule(r"t? (?P<x>x) o (?P<m>M)", "D", say.ides),
    rule(r"(?P<x>d) , (?P<y>N) (?![pU=])", "D", say.figures_and_year),
    rule(r"(?P<q>q) (?P<x>d) (?![UpjN%])", "D", say.figures),
    rule(r"(?P<x>d) (?![Upj%=]) ", "D", say.slashed),
    rule(r"(?<=r) (?P<x>d) (?![Upj=])", "D", say.figures),
    rule(r"(?<=W) ,? (?P<x>d) (?![Upj=])", "D", say.figures),
    rule(r"(?<=D) (?P<x>d) (?![Upj%=])", "T", figures),
    rule(r"^ (?P<x>d) $", "D", say.alone),
    rule(r"^ (?P<a>N) - (?P<b>N) $", "D", say.spaced_pair),
    rule(r"(?<![N-]) (?P<a>N) (?P<b>N) (?P<c>N) (?![N-])", "D", say.spaced),
    # a year belongs to the date before it
    rule(r"(?P<f>Q) (?:[,oi] | o t)? (?P<y>[Ng]) (?![Up=:])", "Q", say.feast_of_year),
    rule(r"(?<=[DTQ]) (?:,|o|i|o t)? (?P<y>[Ng]) (?![Up=:])", "D", say.four_digits),
    rule(r"(?P<f>Q) (?:[,oi] | o t)? (?P<y>N)" + say.NOTHING_COUNTED, "Q", say.feast_of_far_year),
    rule(r"(?<=[DQ]) [,oi]? (?P<y>N)" + say.NOTHING_COUNTED, "D", say.far_year),
    rule(r"(?<=T) i (?P<y>N)" + say.NOTHING_COUNTED, "D", say.far_year),
    rule(r"(?<=[DTQ]) [,oi]? t? (?P<u>U) (?P<y>[Ng])", "D", say.named_year),
    rule(r"(?<=[D]) (?: ,? (?P<o>o)? ) (?P<y>N) (?![Up=:IT])", "D", say.old_year),
    rule(r"(?P<a>D) (?P<b>D)", "D", say.dated),
    rule(r"(?P<m>M) [,o]? (?P<y>[Ng])", "D", say.month_alone),
    rule(r"t? (?P<q>q) (?P<m>M)", "D", say.month_alone),
    rule(r"(?<=[izo[A]) (?P<m>M) (?![x])", "D", say.month_alone),
    rule(r"(?P<w>W) ,? (?:r? (?P<t>t))? (?P<d>[NO])" + _ALONE, "D", say.weekday_and_day),
)

DAY_NUMBER_RULES: tuple[Rule, ...] = (
    rule(r"(?<=[r?]) t? (?P<d>[NO])" + _ALONE, "D", say.day_alone),
    rule(r"(?<=@) (?P<d>O)" + _ALONE, "D", say.day_alone),
    rule(r"t (?P<d>O) (?= $ | [.,?@TRSDf] | o R )", "D", say.day_alone),
    rule(r"^ (?P<d>O) (?= $ | o R | f T )", "D", say.day_alone),
)
