"""The words of Arabic, and the kinds of token they are.

Words are written as `spelling.plain` leaves them: without vowel marks, one alef, ه for ة, ي for ى. The
article and the small words that are written together with the next one are taken off by the lexer.

| kind | what | value |
|---|---|---|
| `n` `t` `y` `k` | one to ten; ten in eleven to nineteen; tens; hundreds, thousands | int |
| `O` `o` | an ordinal; a feminine one, which may be an hour | int, negative from the end |
| `w` `W` `X` | a number or a weekday (اثنين); weekday; weekdays | int |
| `M` `U` `I` | month; unit; two units (يومين) | int; Unit; Amount |
| `q` `r` | this; current, next, last, after the noun | how many ahead |
| `s` | "second", which is a unit, too | int |
| `P` `S` `p` | as in the core; half of the day | |
| `@` `Y` `%` `<` | الساعة; quarter, third; half; less | int, minutes |
| `A` `B` `G` `l` | after; before; since; from now | str |
| `v` `J` `C` | every; daily and the like; weekend, workdays | |
| `e` | end, start, middle | str |
| `z` `[` `K` `E` | until; starting; times; twice | int |
| `m` | a few | int |
| `&` `f` | and; other glue | str |
| `Z` | a zone | ZoneInfo |
| `Q` | a holiday | Feast |
"""

from zoneinfo import ZoneInfo

from bot.schedule.when.amounts import Unit, amount
from bot.schedule.when.days import Period, Shifted
from bot.schedule.when.en.words import ZONES
from bot.schedule.when.holidays import feasts
from bot.schedule.when.recurrence import Recurrence
from bot.schedule.when.tokens import Entry, entries

_TODAY, _TOMORROW, _YESTERDAY = Period("day", 0), Period("day", 1), Period("day", -1)
_NOW = Shifted(amount(0, "second"), exact=True)

# Words with the values 1, 2, 3... (0, 1, 2... for weekdays); alternatives of one value by commas.
_COUNTED: tuple[tuple[str, int, str], ...] = (
    ("n", 1, "واحد,واحده,احدي|اثنان,اثنتان,اثنتين,اثنا,اثني,اثنتا,اثنتي|ثلاث,ثلاثه|اربع,اربعه|خمس"
             ",خمسه|ست,سته|سبع,سبعه|ثمان,ثماني,ثمانيه|تسع,تسعه"),
    ("y", 20, "عشرون,عشرين"),
    ("O", 1, "اول,حادي|ثان|ثالث|رابع|خامس|سادس|سابع|ثامن|تاسع|عاشر"),
    ("o", 1, "اولي,حاديه|ثانيه|ثالثه|رابعه|خامسه|سادسه|سابعه|ثامنه|تاسعه|عاشره"),
    ("M", 1, "يناير,كانون الثاني,جانفي|فبراير,شباط,فيفري|مارس,اذار|ابريل,نيسان,افريل|مايو,ايار"
             ",ماي|يونيو,حزيران,جوان,يونيه|يوليو,تموز,جويليه,يوليه|اغسطس,اب,اوت|سبتمبر,ايلول|اكتوبر"
             ",تشرين الاول|نوفمبر,تشرين الثاني|ديسمبر,كانون الاول"),
    ("W", 0, "الاثنين,الاتنين|الثلاثاء,ثلاثاء,الثلاثا,ثلاثا|الاربعاء,اربعاء,الاربعا,اربعا|الخميس"
             ",خميس|الجمعه,جمعه|السبت,سبت|الاحد"),
)  # fmt: skip

_PLAIN: tuple[tuple[str, object, str], ...] = (
    ("w", 0, "اثنين,اتنين"),
    ("w", 6, "احد"),
    ("t", 10, "عشر,عشره"),
    ("n", 11, "الاحد عشر"),
    ("O", 2, "ثاني"),
    ("y", 30, "ثلاثون,ثلاثين"),
    ("y", 40, "اربعون,اربعين"),
    ("y", 50, "خمسون,خمسين"),
    ("y", 60, "ستون,ستين"),
    ("y", 70, "سبعون,سبعين"),
    ("y", 80, "ثمانون,ثمانين"),
    ("y", 90, "تسعون,تسعين"),
    ("k", 100, "مئه,مائه,ميه"),
    ("k", 200, "مئتان,مئتين,مائتين,مائتان"),
    ("k", 300, "ثلاثمئه,ثلاثمائه"),
    ("k", 900, "تسعمئه,تسعمائه"),
    ("k", 800, "ثمانمئه,ثمانمائه"),
    ("k", 1000, "الف"),
    ("k", 2000, "الفين,الفان"),
    ("O", -1, "اخر"),
    ("O", -1, "اخير,اخيره"),
    ("U", "second", "ثوان,ثواني"),
    ("s", 2, "ثانيه"),
    ("U", "minute", "دقيقه,دقائق,دقايق"),
    ("U", "hour", "ساعه,ساعات"),
    ("U", "day", "يوم,ايام,يوما"),
    ("U", "week", "اسبوع,اسابيع,اسبوعا"),
    ("U", "month", "شهر,اشهر,شهور,شهرا"),
    ("U", "year", "سنه,عام,سنوات,اعوام,سنين,عاما"),
    ("m", 3, "بضعه,بضع,عده,كم"),
    ("q", 0, "هذا,هذه,هاي"),
    ("r", 0, "حالي,حاليه,جاري"),
    ("r", 1, "قادم,قادمه,مقبل,مقبله,تالي,تاليه,جاي,جايه,اتي,اتيه"),
    ("r", -1, "ماضي,ماضيه,سابق,سابقه,فائت,فائته,منصرم,فايت"),
    ("P", "morning", "صباح,صباحا,صبح,الصباح الباكر"),
    ("P", "noon", "ظهر,ظهرا,ظهيره,منتصف النهار"),
    ("P", "afternoon", "عصر,عصرا,بعد الظهر,بعد ظهر,بعد العصر"),
    ("p", "am", "قبل الظهر,ص,am"),
    ("p", "pm", "م,pm"),
    ("P", "evening", "مساء,مسا,عشاء,مساءا,المغرب,مغرب"),
    ("P", "night", "ليل,ليلا,ليله"),
    ("P", "dawn", "فجر,فجرا"),
    ("P", "midnight", "منتصف الليل"),
    ("S", (_TODAY, "night"), "الليله,هذه الليله"),
    ("S", (_YESTERDAY, "night"), "ليله امس,الليله الماضيه"),
    ("D", _TODAY, "اليوم,هذا اليوم,نهار اليوم"),
    ("D", _TOMORROW, "غدا,غد,بكره,بكرا,باكر,يوم غد,اليوم التالي,اليوم القادم"),
    ("D", _YESTERDAY, "امس,البارحه,مبارح,امبارح,يوم امس,اليوم الماضي,اليوم السابق"),
    ("D", Period("day", 2), "بعد غد,بعد بكره,بعد الغد,يوم بعد غد,اليوم الي بعد بكره,اليوم اللي بعد بكره"),
    ("D", Period("day", -2), "قبل امس,اول امس,يوم قبل امس,اليوم القبل البارحه,اول البارحه,قبل البارحه"),
    ("D", _NOW, "الان,حالا,في هذه اللحظه,هذه اللحظه,هلا,دلوقتي,فورا,حالا الان,اقرب وقت ممكن"
                ",في اقرب وقت ممكن"),
    ("@", "", "الساعه,ساعه تمام"),
    ("Y", 15, "ربع,ربعا"),
    ("Y", 20, "ثلث,ثلثا"),
    ("%", 30, "نصف,نص"),
    ("<", "", "الا"),
    ("A", "after", "بعد,خلال"),
    ("B", "before", "قبل"),
    ("G", "since", "منذ"),
    ("l", "now", "من الان,من هذه اللحظه"),
    ("v", 1, "كل"),
    ("C", "workday", "يوم عمل,ايام العمل,ايام الاسبوع,ايام الدوام"),
    ("C", "weekend", "عطله نهايه الاسبوع,نهايه الاسبوع,عطله الاسبوع"),
    ("J", Recurrence("day"), "يوميا,يوميه"),
    ("J", Recurrence("week"), "اسبوعيا"),
    ("J", Recurrence("month"), "شهريا"),
    ("J", Recurrence("year"), "سنويا"),
    ("J", Recurrence("month", 3), "فصليا"),
    ("e", "end", "نهايه,اواخر"),
    ("e", "start", "بدايه,مطلع,اوائل"),
    ("e", "middle", "منتصف"),
    ("z", "until", "حتي,لغايه"),
    ("[", "start", "ابتداء من,بدءا من,اعتبارا من,ابتداء"),
    ("K", "", "مرات,مره"),
    ("E", 2, "مرتين,مرتان"),
    ("&", "", "و"),
    ("i", "", "في,ب,ل,علي,عند"),
    ("f", "", "توقيت,من,الي,موافق,تاريخ,حوالي,بحدود,حدود,تقريبا,تمام,تماما,نحو,لدي,نهار"),
    ("j", "", "نسخه,اصدار,رقم,غرفه,فصل,بند,بالمئه,بالمائه,دولار,دولارات,كيلو,كم,متر,درجه,شخص,اشخاص,نقطه"
              ",نقاط,صفحه,طالب,طلاب,نجوم,نجمه"),
)  # fmt: skip

_TWO: tuple[tuple[Unit, str], ...] = (
    ("second", "ثانيتين,ثانيتان"),
    ("minute", "دقيقتين,دقيقتان"),
    ("hour", "ساعتين,ساعتان"),
    ("day", "يومين,يومان"),
    ("week", "اسبوعين,اسبوعان"),
    ("month", "شهرين,شهران"),
    ("year", "سنتين,سنتان,عامين,عامان"),
)  # fmt: skip

_FEASTS: dict[str, str] = {
    "easter": "عيد الفصح,الفصح,احد الفصح",
    "good friday": "الجمعه العظيمه,جمعه الالام",
    "orthodox easter": "عيد الفصح الارثوذكسي",
    "eid al-fitr": "عيد الفطر,العيد الصغير,عيد الفطر السعيد",
    "eid al-adha": "عيد الاضحي,العيد الكبير,عيد الاضحي المبارك",
    "islamic new year": "راس السنه الهجريه,السنه الهجريه",
    "mawlid": "المولد النبوي,عيد المولد النبوي,المولد النبوي الشريف",
    "ramadan": "رمضان,شهر رمضان,بدايه رمضان",
    "ashura": "عاشوراء,يوم عاشوراء",
    "day of arafah": "يوم عرفه,وقفه عرفه",
    "laylat al-qadr": "ليله القدر",
    "isra and mi'raj": "الاسراء والمعراج,ليله الاسراء والمعراج",
    "shab-e-barat": "ليله النصف من شعبان",
    "thanksgiving": "عيد الشكر,يوم الشكر",
    "palm sunday": "احد الشعانين",
    "ascension": "عيد الصعود",
    "pentecost": "عيد العنصره",
}  # fmt: skip
_FIXED: tuple[tuple[int, int, str], ...] = (
    (1, 1, "راس السنه,راس السنه الميلاديه,عيد راس السنه,السنه الجديده"),
    (2, 14, "عيد الحب,الفالنتاين,عيد العشاق"),
    (3, 8, "يوم المراه العالمي,يوم المراه"),
    (3, 21, "عيد الام,يوم الام"),
    (4, 1, "كذبه نيسان,كذبه ابريل"),
    (5, 1, "عيد العمال,يوم العمال"),
    (6, 21, "عيد الاب,يوم الاب"),
    (7, 4, "يوم الاستقلال"),
    (9, 23, "اليوم الوطني السعودي"),
    (10, 31, "الهالوين,هالوين,عيد الهالوين"),
    (12, 2, "اليوم الوطني الاماراتي"),
    (12, 24, "ليله عيد الميلاد,عشيه عيد الميلاد"),
    (12, 25, "عيد الميلاد,كريسماس,الكريسماس,عيد الميلاد المجيد"),
    (12, 31, "ليله راس السنه"),
)  # fmt: skip


def _words() -> dict[str, Entry]:
    twice = {form: ("I", amount(2, unit)) for unit, text in _TWO for form in text.split(",")}
    return entries(_PLAIN, _COUNTED) | twice | feasts(_FEASTS, _FIXED)


# Zones are written in Latin letters.
_ZONES: dict[str, Entry] = {
    name: ("Z", ZoneInfo(zone)) for name, zone in ZONES.items() if zone and len(name) > 2
}
WORDS = {**_ZONES, **_words()}
