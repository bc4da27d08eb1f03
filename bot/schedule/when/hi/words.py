"""The words of Hindi, and the kinds of token they are.

Words are written as `reader` leaves them: without dots below letters, ं for \u0901.

| kind | what | value |
|---|---|---|
| `N` `k` | a number; hundred, thousand | int |
| `O` `o` `b` | an ordinal; the ending of one; पहले, which is "first" or "before" | int |
| `h` `s` | one and a half, two and a half; half past, quarter past, quarter to | float; int minutes |
| `M` `W` `U` | month; weekday; unit | int; int; Unit |
| `c` | कल and परसों, which look both ways | int, how many days |
| `q` | this, next, last | int, how many ahead |
| `P` `p` | part of the day; half of the day | |
| `=` | बजे | |
| `t` `r` | तारीख; को | |
| `i` `l` `A` `z` | in; after; from; until | |
| `v` `J` `C` `V` | every; daily and the like; weekend, workdays; every other | |
| `e` | end, start | str |
| `%` | half | |
| `m` | a few | int |
| `&` `f` | and; other glue | |
| `Z` | a zone | ZoneInfo |
| `Q` | a holiday | Feast |
"""

from zoneinfo import ZoneInfo

from bot.schedule.when.amounts import amount
from bot.schedule.when.days import Feast, Period, Shifted
from bot.schedule.when.en.words import ZONES
from bot.schedule.when.holidays import HOLIDAYS, Dates, fixed
from bot.schedule.when.recurrence import Recurrence
from bot.schedule.when.tokens import Entry

_NOW = Shifted(amount(0, "second"), exact=True)

# Words with the values 1, 2, 3... (0, 1, 2... where that is said); alternatives of one value by commas.
_COUNTED: tuple[tuple[str, int, str], ...] = (
    ("N", 0, "शून्य|एक|दो|तीन|चार|पांच|छह,छः,छे,छै|सात|आठ|नौ|दस|ग्यारह|बारह|तेरह|चौदह|पंद्रह"
             ",पन्द्रह|सोलह|सत्रह|अठारह,अट्ठारह|उन्नीस|बीस|इक्कीस|बाईस,बाइस|तेईस"
             ",तेइस|चौबीस|पच्चीस|छब्बीस|सत्ताईस,सत्ताइस|अट्ठाईस,अठ्ठाईस,अट्ठाइस|उनतीस,उन्तीस|तीस|इकतीस"
             ",इकत्तीस|बत्तीस|तैंतीस|चौंतीस|पैंतीस|छत्तीस|सैंतीस|अडतीस"
             ",अडतीस|उनतालीस|चालीस|इकतालीस|बयालीस|तैंतालीस|चौवालीस"
             ",चवालीस|पैंतालीस|छियालीस|सैंतालीस|अडतालीस"
             ",अडतालीस|उनचास|पचास|इक्यावन|बावन|तिरपन|चौवन|पचपन|छप्पन|सत्तावन|अट्ठावन|उनसठ|साठ"),
    ("O", 1, "पहला,पहली|दूसरा,दूसरे,दूसरी|तीसरा,तीसरे,तीसरी|चौथा,चौथे,चौथी|पांचवां,पांचवें,पांचवीं|छठा"
             ",छठे,छठी,छठवां|सातवां,सातवें,सातवीं|आठवां,आठवें,आठवीं|नौवां,नौवें,नौवीं|दसवां,दसवें,दसवीं"),
    ("M", 1, "जनवरी,जन|फरवरी,फर|मार्च|अप्रैल,अप्रेल,अप्रै|मई|जून|जुलाई,जुल|अगस्त,अग|सितंबर,सितम्बर"
             ",सित|अक्टूबर,अक्तूबर,अक्टू|नवंबर,नवम्बर,नव|दिसंबर,दिसम्बर,दिस"),
    ("W", 0, "सोमवार,सोम|मंगलवार|बुधवार|गुरुवार,गुरूवार,बृहस्पतिवार,वीरवार|शुक्रवार,जुमा|शनिवार"
             ",शनिचर|रविवार,इतवार"),
)  # fmt: skip

_PLAIN: tuple[tuple[str, object, str], ...] = (
    ("N", 70, "सत्तर"),
    ("N", 80, "अस्सी"),
    ("N", 90, "नब्बे"),
    ("k", 100, "सौ"),
    ("k", 1000, "हजार"),
    ("O", -1, "आखिरी,अंतिम,आखरी"),
    ("b", 1, "पहले,पूर्व"),
    ("o", "", "वां,वीं,वें,वी,वे,वा"),
    ("h", 1.5, "डेढ"),
    ("h", 2.5, "ढाई"),
    ("s", 30, "साढे"),
    ("s", 15, "सवा"),
    ("s", -15, "पौने"),
    ("U", "second", "सेकंड,सेकेंड,सेकंडों,सेकण्ड"),
    ("U", "minute", "मिनट,मिनटों,मिनिट,मि"),
    ("U", "hour", "घंटा,घंटे,घंटों,घण्टे,घण्टा"),
    ("U", "day", "दिन,दिनों,दिवस"),
    ("U", "week", "हफ्ता,हफ्ते,हफ्तों,सप्ताह,सप्ताहों"),
    ("U", "month", "महीना,महीने,महीनों,माह,मास"),
    ("U", "year", "साल,वर्ष,सालों,वर्षों,बरस"),
    ("U", "quarter", "तिमाही"),
    ("m", 3, "कुछ,कुछेक,कुछ ही,चंद"),
    ("%", 30, "आधा,आधे,आधी"),
    ("c", 1, "कल"),
    ("c", 2, "परसों"),
    ("c", 3, "नरसों,तरसों"),
    ("D", Period("day", 0), "आज"),
    ("D", Period("day", 1), "आने वाला कल,अगले दिन"),
    ("D", Period("day", -1), "बीता हुआ कल,बीते कल"),
    ("D", _NOW, "अब,अभी,फौरन,तुरंत,जल्द से जल्द,इस समय,इसी समय,इस क्षण,अभी अभी"),
    ("q", 0, "इस,इसी,उस,यह,वर्तमान"),
    ("q", 1, "अगला,अगले,अगली,आगामी,इस आगामी,आने वाले,आने वाली,आनेवाले"),
    ("q", -1, "पिछला,पिछले,पिछली,गत,इस पिछला,बीते"),
    ("P", "morning", "सुबह,सवेरे,सुबह सवेरे,प्रातः,प्रातःकाल,सुबह सुबह"),
    ("P", "dawn", "भोर,तडके"),
    ("P", "noon", "दोपहर"),
    ("P", "afternoon", "दोपहर बाद,दोपहर के बाद,तीसरे पहर"),
    ("P", "evening", "शाम,सांझ,संध्या"),
    ("P", "night", "रात,रात्रि"),
    ("P", "midnight", "आधी रात,मध्यरात्रि,अर्धरात्रि"),
    ("p", "pm", "अपराह्न,pm,p.m,पीएम"),
    ("p", "am", "पूर्वाह्न,am,a.m,एएम"),
    ("=", "", "बजे,बजकर,बज,बजके,बजते"),
    ("t", "", "तारीख,तिथि,तारिख"),
    ("r", "", "को"),
    ("i", "", "में,मे,के अंदर,के भीतर"),
    ("l", "", "बाद,उपरांत,पश्चात,के बाद"),
    ("A", "", "से"),
    ("z", "", "तक"),
    ("v", "", "हर,प्रत्येक,हरेक,प्रति,हर एक"),
    ("V", 2, "हर दूसरे,हर दूसरा,एक छोड एक"),
    ("J", Recurrence("day"), "रोज,रोजाना,प्रतिदिन,डेली,हर रोज,नित्य,दैनिक,हर दिन"),
    ("J", Recurrence("week"), "साप्ताहिक,प्रति सप्ताह"),
    ("J", Recurrence("month"), "मासिक,प्रति माह,माहवार"),
    ("J", Recurrence("year"), "सालाना,वार्षिक,प्रति वर्ष"),
    ("J", Recurrence("month", 3), "त्रैमासिक"),
    ("C", "weekend", "सप्ताहांत,वीकेंड"),
    ("C", "workday", "कार्यदिवस,कार्य दिवस,कामकाजी दिन"),
    ("e", "end", "अंत,आखिर,समाप्ति"),
    ("e", "start", "शुरुआत,शुरू,आरंभ"),
    ("K", "", "बार"),
    ("&", "", "और,व,तथा,एवं"),
    ("f", "", "समयक्षेत्र,टाइम,के,की,का,पर,करीब,लगभग,ठीक,आसपास,के आसपास,दिनांक,सन,लिए,के लिए,@,ही,तकरीबन,वाले,वाली"),
    ("j", "", "संस्करण,वर्जन,अध्याय,कमरा,नंबर,लोग,लोगों,छात्र,तारे,रुपये,रुपए,किलो,किमी,प्रतिशत,डिग्री"
              ",बच्चे,आदमी,औरतें,पन्ने,अंक"),
    ("x", "", "दिन भर,अच्छा दिन,शुभ दिन,शुभ रात्रि,शुभ प्रभात,दिन का"),
)  # fmt: skip

_FEASTS: dict[str, str] = {
    "diwali": "दिवाली,दीपावली,दीवाली",
    "holi": "होली",
    "holika dahan": "होलिका दहन",
    "dussehra": "दशहरा,दशहरे,विजयादशमी",
    "eid al-fitr": "ईद,ईद उल फितर,ईद-उल-फितर,मीठी ईद",
    "eid al-adha": "बकरीद,ईद उल अजहा,ईद-उल-अजहा,बकरा ईद",
    "islamic new year": "मुहर्रम",
    "ramadan": "रमजान",
    "raksha bandhan": "रक्षाबंधन,रक्षा बंधन,राखी",
    "janmashtami": "जन्माष्टमी,कृष्ण जन्माष्टमी",
    "ganesh chaturthi": "गणेश चतुर्थी",
    "maha shivaratri": "महाशिवरात्रि,शिवरात्रि",
    "rama navami": "राम नवमी,रामनवमी",
    "navaratri": "नवरात्रि,नवरात्र",
    "chhath": "छठ,छठ पूजा",
    "karva chauth": "करवा चौथ",
    "dhanteras": "धनतेरस",
    "bhai dooj": "भाई दूज",
    "govardhan puja": "गोवर्धन पूजा",
    "guru nanak jayanti": "गुरु नानक जयंती",
    "pongal": "मकर संक्रांति,पोंगल",
    "lohri": "लोहडी",
    "vaisakhi": "बैसाखी,वैसाखी",
    "onam": "ओणम",
    "vesak": "बुद्ध पूर्णिमा",
    "guru purnima": "गुरु पूर्णिमा",
    "mahavir jayanti": "महावीर जयंती",
    "vasant panchami": "बसंत पंचमी",
    "good friday": "गुड फ्राइडे",
    "easter": "ईस्टर",
    "mother's day": "मातृ दिवस,मदर्स डे",
    "father's day": "पितृ दिवस,फादर्स डे",
}  # fmt: skip
_FIXED: tuple[tuple[int, int, str], ...] = (
    (1, 1, "नया साल,नए साल,नववर्ष"),
    (1, 26, "गणतंत्र दिवस"),
    (2, 14, "वैलेंटाइन डे"),
    (3, 8, "महिला दिवस"),
    (5, 1, "मजदूर दिवस"),
    (8, 15, "स्वतंत्रता दिवस"),
    (9, 5, "शिक्षक दिवस"),
    (10, 2, "गांधी जयंती"),
    (11, 14, "बाल दिवस"),
    (12, 25, "क्रिसमस,बडा दिन"),
    (12, 31, "नए साल की पूर्व संध्या"),
)  # fmt: skip


def _words() -> dict[str, Entry]:
    table: dict[str, Entry] = {}
    for kind, first, text in _COUNTED:
        for value, forms in enumerate(text.split("|"), first):
            table.update((form, (kind, value)) for form in forms.split(","))
    for kind, plain, text in _PLAIN:
        table.update((form, (kind, plain)) for form in text.split(","))
    named: list[tuple[Dates, str]] = [(HOLIDAYS[key], names) for key, names in _FEASTS.items()]
    named += [(fixed(month, day), names) for month, day, names in _FIXED]
    for dates, text in named:
        table.update((form, ("Q", Feast(dates))) for form in text.split(","))
    return table


# Zones are written in Latin letters.
_ZONES: dict[str, Entry] = {
    name: ("Z", ZoneInfo(zone)) for name, zone in ZONES.items() if zone and len(name) > 2
}
WORDS = {**_ZONES, **_words()}
