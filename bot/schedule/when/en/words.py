"""The words of English, and the kinds of token they are.

| kind | what | value |
|---|---|---|
| `n` `y` `h` `k` `0` | one to nineteen, tens, hundred, thousand and more, zero | int |
| `O` `s` | an ordinal; "second", which is a unit, too | int, negative from the end |
| `M` `W` `w` `X` | month; weekday; weekday that may be another word; weekdays | int |
| `U` `u` | unit; unit that stands right after a number | Unit |
| `q` `>` | this, next, last, previous, coming; past | str |
| `P` `b` `p` | part of the day; parts of days; half of the day | Part; Part; Half |
| `v` `V` | every; other | int |
| `J` `C` | daily and the like; weekday, weekend | (Unit, interval); days |
| `H` `Y` `%` `m` | fortnight; quarter; half; a few | int |
| `A` `B` `G` `l` | after; before; ago; from now | str |
| `E` `e` | the end or start; end of day, month, year | True for the end; Unit |
| `c` `K` | once, twice; times | int |
| `z` `[` `!` `{` `1` | until; starting; except; between; limit of length | str |
| `a` `t` `i` `o` `@` `r` `&` `f` `?` | a; the; in; of; at; on; and; other glue | str |
| `I` `5` `g` `Q` | made by rules and shapes: an amount, "15h", a year, a holiday | |
| `9` | a word of grammar: it counts nothing, so a number before it may be a time | |
| `4` | the time of day that it is now | |
| `2` | the early, middle or late part of a period | str |
| `3` | before or after a meal, work, bed | hour |
| `=` `j` | o'clock; a measure, before which a number is no time | str |
"""

from bot.schedule.when.amounts import amount
from bot.schedule.when.days import Period, Shifted
from bot.schedule.when.tokens import entries

_TODAY, _TOMORROW, _YESTERDAY = Period("day", 0), Period("day", 1), Period("day", -1)
_SAME_TIME = Shifted(amount(1, "day"), exact=True)
_NOW = Shifted(amount(0, "second"), exact=True)

# Words with the values 1, 2, 3... (0, 1, 2... for weekdays); alternatives of one value by commas.
_COUNTED: tuple[tuple[str, int, str], ...] = (
    ("n", 1, "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
             "|sixteen|seventeen|eighteen|nineteen"),
    ("O", 3, "third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth"
             "|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth"),
    ("M", 1, "january,jan|february,feb|march,mar|april,apr|may|june,jun|july,jul|august,aug"
             "|september,sep,sept|october,oct|november,nov|december,dec"),
    ("W", 0, "monday,monday's|tuesday,tues,tue,tuesday's|wednesday,wed,weds,wednesday's"
             "|thursday,thu,thur,thurs,thursday's|friday,fri,friday's|saturday,saturday's|sunday,sunday's"),
    ("X", 0, "mondays,mons|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays"),
)  # fmt: skip

_PLAIN: tuple[tuple[str, object, str], ...] = (
    ("w", 0, "mon"), ("w", 5, "sat"), ("w", 6, "sun"),
    ("y", 20, "twenty"), ("y", 30, "thirty"), ("y", 40, "forty,fourty"), ("y", 50, "fifty"),
    ("y", 60, "sixty"), ("y", 70, "seventy"), ("y", 80, "eighty"), ("y", 90, "ninety"),
    ("h", 100, "hundred"), ("k", 1000, "thousand"), ("k", 10**6, "million"), ("k", 10**9, "billion"),
    ("0", 0, "zero,oh,ou"),
    ("O", 1, "first"), ("s", 2, "second"), ("O", 30, "thirtieth"), ("O", -1, "final"),
    ("O", -2, "penultimate"),
    ("U", "second", "seconds,sec,secs"), ("U", "minute", "minute,minutes,min,mins"),
    ("U", "hour", "hour,hours,hr,hrs"), ("U", "day", "day,days"),
    ("U", "week", "week,weeks,weeks',wk,wks,week's"), ("U", "month", "month,months,months',mth,mths,month's"),
    ("U", "year", "year,years,yr,yrs,year's"), ("Y", 15, "quarters,qtr,qtrs"),
    ("u", "second", "s"), ("u", "minute", "m"), ("u", "hour", "h"), ("u", "day", "d"), ("u", "week", "w"),
    ("u", "month", "mo"), ("u", "year", "y"), ("u", "minute", "'"), ("u", "second", '"'),
    ("Y", 15, "quarter"), ("%", 30, "half,½"), ("H", 14, "fortnight,fortnights"),
    ("m", 2, "couple,pair"), ("m", 3, "few,some"), ("m", 5, "several"), ("m", 12, "dozen"),
    ("q", "this", "this,current"), ("q", "next", "next,following,upcoming,this next"),
    ("q", "coming", "coming,this coming,this upcoming"), ("q", "previous", "previous,prior,preceding"),
    ("q", "last", "last"), (">", "past", "past,this past"),
    ("P", "morning", "morning,early morning,late morning,mornin"),
    ("P", "noon", "noon,noonish,midday,mid day,mid - day,lunchtime,lunch time,noontime,at lunch"
        ",over lunch,around lunch,at lunchtime"),
    ("P", "afternoon", "afternoon,after noon,early afternoon,late afternoon,arvo"),
    ("P", "evening", "evening,early evening,late evening,dusk,sunset,dinnertime"),
    ("P", "night", "night,late night,bedtime,nighttime"),
    ("P", "midnight", "midnight,mid night,mid - night,mid-night"), ("P", "dawn", "dawn,sunrise,daybreak"),
    ("b", "morning", "mornings"), ("b", "afternoon", "afternoons"), ("b", "evening", "evenings"),
    ("b", "night", "nights,nightly"),
    ("S", (_TODAY, "night"), "tonight,tonite,overnight,tonight's"),
    ("S", (_YESTERDAY, "night"),
    "last night"),
    ("S", (_TOMORROW, "night"),
    "tomorrow night,tomorrow's night"),
    ("D", _TODAY, "today,todays,today's,the day,otd,this day"),
    ("D", _TOMORROW, "tomorrow,tomorrows,tomorrow's,tmrw,tmr,tmw,tomo,2morrow"
                     ",tommorow,tommorrow,tomorow"),
    ("D", _YESTERDAY, "yesterday,yesterdays,yesterday's,the day before"),
    ("D", Period("day", 2), "day after tomorrow,the day after tomorrow,day after tmrw,the day after tmrw"
                            ",day after tmr,the day after tmr,overmorrow"),
    ("D", Period("day", -2), "day before yesterday,the day before yesterday"),
    ("D", _NOW, "now,right now,just now,at the moment,atm,at this moment,at present,at the minute,immediately"
                ",asap,as soon as possible,as soon as we can,at this time,right away,straight away"
                    ",this minute"
                ",at the present time,this moment,this instant,at the present moment,at this minute"
                ",at this very moment,presently"),
    ("e", "day", "eod,cob,close of business,end of business,close of play"),
    ("e", "month", "eom"), ("e", "year", "eoy"), ("e", "week", "eow"),
    ("2", "early", "early"), ("2", "middle", "mid,middle"), ("2", "late", "late"),
    ("3", 7, "before breakfast,before school"), ("3", 8, "at breakfast,before work"),
    ("3", 9, "after breakfast"), ("3", 11, "before lunch"), ("3", 13, "after lunch"),
    ("3", 16, "after school"),
    ("3", 18, "before dinner,before supper,after work"), ("3", 19, "at dinner"),
    ("3", 20, "after dinner,after supper"),
    ("3", 22, "before bed,before bedtime,before sleep,before sleeping"),
    ("E", True, "end,close"), ("E", False, "start,beginning,begin"),
    ("a", 1, "a,an,per"),
    ("t", "the", "the"),
    ("i", "in", "in"),
    ("i", "within", "within,timer for,wait for,alarm for,timer of"),
    ("o", "of", "of"), ("@", "at", "at,@,when it's,once it's,it gets to,it hits,clock strikes,clock hits"),
    ("r", "on", "on"), ("&", "and", "and,&"), ("B", "to", "to"),
    ("B", "before", "before"), ("B", "till", "till,til,til'"),
    ("z", "until", "until,up to,up until,ending,ending on,ends,till the,to the end of"),
    ("z", "through", "through,thru"),
    ("A", "after", "after"), ("A", "from", "from"), ("A", "since", "since"),
    ("G", "ago", "ago,earlier,back"),
    ("l", "later", "later,hence,from now,from right now,from this moment,from today,out,from the present"),
    ("~", "ish", "ish"),
    ("4", "", "same time,the same time,at the same time,this time,at this time"),
    ("D", _SAME_TIME, "same time tomorrow,this time tomorrow,at this time tomorrow"
        ",at the same time tomorrow"),
    ("f", "about", "around,about,approximately,approx,circa,roughly,ca,nearly,by"),
    ("f", "sharp", "exactly,sometime,some time,during,say,maybe,how about,preferably,precisely,sharp"
                   ",on the dot,promptly,starting at,just"),
    ("?", "for", "for,or"),
    ("v", 1, "every,each,every single"), ("v", 0, "any"), ("V", 2, "other,alternate,alternating"),
    ("K", 1, "times,time,x,occurrences,occurrence,instances,instance,occasions,repetitions"),
    ("c", 1, "once"), ("c", 2, "twice"), ("c", 3, "thrice"),
    ("J", ("hour", 1), "hourly"), ("J", ("day", 1), "daily,everyday"), ("J", ("week", 1), "weekly"),
    ("J", ("week", 2), "biweekly,bi - weekly,bi weekly,fortnightly,every fortnight,each fortnight"),
    ("J", ("month", 1), "monthly"), ("J", ("month", 2), "bimonthly,bi - monthly"),
    ("J", ("quarter", 1), "quarterly,every quarter,each quarter"),
    ("J", ("year", 1), "yearly,annual,annually"), ("J", ("year", 2), "biennial,biennially"),
    ("J", ("year", 0.5), "semiannual,semiannually,semi - annual,semi - annually,biannual,biannually"
                         ",bi - annual,bi - annually,semi annual,semi annually,half - yearly,half yearly"),
    ("C", "workday", "weekday,workday,work day,working day,business day,week day,school day,schoolday"),
    ("C", "workdays", "weekdays,workdays,work days,working days,business days,week days,school days"),
    ("C", "weekend", "weekend"), ("C", "weekends", "weekends"),
    ("{", "between", "between"),
    ("!", "except", "except,except for,excluding,but not,not counting,excepting"),
    ("[", "start", "starting,starts,starting on,starting from,starting in,beginning on,commencing,as of"
                   ",beginning in,beginning from,starting with,effective"),
    ("1", "for", "for up to,for the next,for next,for the following,over the next"),
    ("=", "", "o'clock,oclock,o' clock"),
    ("9", "", "with,please,if,when,while,because,so,then,but,that,which,who,where,we,i,you,he,she,they,it"
        ",my,your"
              ",his,her,our,their,thanks,thank,ok,okay,i'll,i'm,we'll,you'll,will,would,is,was,are,were"
                  ",can,could"
              ",should,must,let's,do,does,don't,not,as,has,have,had,go,come,call,tell,remind,ping"),
    ("x", "", "good morning,good night,good evening,good afternoon,good day,morning all,day by day"),
    ("j", "", "percent,percentage,kg,kilograms,kilogram,kilos,km,kilometers,miles,meters,dollars,euros,pounds"
              ",bucks,cents,points,degrees,people,adults,adult,items,mph,gb,mb,kb,inches,feet,liters,litres"
              ",grams,yuan,usd,eur,gbp,students,stars,street,avenue,ave,floor,grade,century,place,edition"
                  ",anniversary,pieces,coins,persons,guests,pages,copies"),
)  # fmt: skip


WORDS = entries(_PLAIN, _COUNTED)

ZONES: dict[str, str] = {
    "utc": "UTC",
    "gmt": "UTC",
    "z": "UTC",
    "bst": "Europe/London",
    "cet": "Europe/Berlin",
    "cest": "Europe/Berlin",
    "eet": "Europe/Helsinki", "est": "America/New_York", "edt": "America/New_York", "et": "America/New_York",
    "cst": "America/Chicago", "cdt": "America/Chicago", "mst": "America/Denver", "mdt": "America/Denver",
    "pst": "America/Los_Angeles", "pdt": "America/Los_Angeles", "pt": "America/Los_Angeles",
    "ist": "Asia/Kolkata", "jst": "Asia/Tokyo", "aest": "Australia/Sydney", "msk": "Europe/Moscow",
    "beijing time": "Asia/Shanghai",
    "pacific time": "America/Los_Angeles",
    "eastern time": "America/New_York",
    "mountain time": "America/Denver", "central time": "America/Chicago", "london time": "Europe/London",
    "pacific timezone": "America/Los_Angeles", "eastern timezone": "America/New_York",
    "mountain timezone": "America/Denver", "central timezone": "America/Chicago", "tokyo time": "Asia/Tokyo",
    "new york time": "America/New_York", "berlin time": "Europe/Berlin", "paris time": "Europe/Paris",
    "moscow time": "Europe/Moscow", "china time": "Asia/Shanghai", "india time": "Asia/Kolkata",
    "japan time": "Asia/Tokyo", "montreal time": "America/Toronto", "toronto time": "America/Toronto",
    "sydney time": "Australia/Sydney", "local time": "", "uk time": "Europe/London",
}  # fmt: skip
