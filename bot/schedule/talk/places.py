"""Cities and zones as people call them."""

import re
from datetime import datetime, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from bot.errors import InputError
from bot.i18n.catalogue import language
from bot.schedule.zones import wall_of, zone_of
from bot.text.lazy import Pattern
from bot.text.tokens import fold

# What the zone database does not name, and what other languages call it.
_NAMES = {
    "Asia/Shanghai": "beijing shenzhen guangzhou hangzhou chengdu nanjing wuhan xian tianjin china "
    "上海 北京 深圳 广州 杭州 "
    "成都 南京 武汉 西安 天津 中国 国内 重庆 苏州 shanghái pekín شنغهاي بكين الصين शंघाई बीजिंग",
    "Asia/Hong_Kong": "香港 هونغ_كونغ",
    "Asia/Taipei": "台北 台湾 taiwan",
    "Asia/Tokyo": "osaka kyoto japan 东京 大阪 京都 日本 tokio طوكيو اليابان टोक्यो जापान",
    "Asia/Seoul": "korea 首尔 韩国 seúl سيول सियोल",
    "Asia/Singapore": "新加坡 singapur سنغافورة सिंगापुर",
    "Asia/Bangkok": "thailand 曼谷 泰国 بانكوك बैंकॉक",
    "Asia/Kolkata": "mumbai delhi new_delhi bangalore bengaluru chennai hyderabad pune india 孟买 "
    "新德里 印度 bombay calcuta "
    "मुंबई दिल्ली नई_दिल्ली कोलकाता बेंगलुरु चेन्नई भारत نيودلهي مومباي الهند",
    "Asia/Dubai": "abu_dhabi 迪拜 دبي أبوظبي الإمارات दुबई",
    "Asia/Riyadh": "jeddah mecca الرياض جدة مكة السعودية 利雅得 riad रियाद",
    "Asia/Baghdad": "بغداد العراق",
    "Asia/Amman": "عمان الأردن",
    "Asia/Beirut": "بيروت لبنان",
    "Asia/Jerusalem": "tel_aviv israel القدس 特拉维夫",
    "Africa/Cairo": "القاهرة مصر 开罗 el_cairo काहिरा",
    "Africa/Casablanca": "الدار_البيضاء الرباط المغرب",
    "Africa/Tunis": "تونس",
    "Africa/Algiers": "الجزائر argel",
    "Europe/London": "england uk 伦敦 英国 londres لندن लंदन",
    "Europe/Paris": "france 巴黎 法国 parís باريس पेरिस",
    "Europe/Berlin": "munich hamburg frankfurt cologne germany 柏林 慕尼黑 德国 berlín برلين ألمانيا बर्लिन",
    "Europe/Madrid": "barcelona spain 马德里 巴塞罗那 西班牙 valencia sevilla españa مدريد मैड्रिड",
    "Europe/Rome": "milan italy 罗马 米兰 roma روما रोम",
    "Europe/Moscow": "moscow russia 莫斯科 moscú موسكو मॉस्को",
    "Europe/Istanbul": "ankara turkey 伊斯坦布尔 estambul إسطنبول",
    "Europe/Zurich": "geneva 苏黎世 zúrich",
    "America/New_York": "boston miami washington atlanta nyc philadelphia 纽约 波士顿 华盛顿 "
    "nueva_york نيويورك न्यूयॉर्क",
    "America/Chicago": "dallas houston austin 芝加哥 休斯顿 شيكاغو शिकागो",
    "America/Denver": "丹佛",
    "America/Los_Angeles": "san_francisco seattle san_diego la las_vegas portland 洛杉矶 旧金山 "
    "西雅图 los_ángeles لوس_أنجلوس "
    "लॉस_एंजिल्स",
    "America/Toronto": "montreal ottawa 多伦多",
    "America/Vancouver": "温哥华",
    "America/Mexico_City": "mexico ciudad_de_méxico méxico cdmx 墨西哥城",
    "America/Bogota": "bogotá colombia",
    "America/Lima": "perú 利马",
    "America/Santiago": "chile",
    "America/Argentina/Buenos_Aires": "argentina 布宜诺斯艾利斯",
    "America/Sao_Paulo": "são_paulo brasilia brazil 圣保罗",
    "Australia/Sydney": "canberra 悉尼 sídney سيدني सिडनी",
    "Australia/Melbourne": "墨尔本",
    "Pacific/Auckland": "new_zealand wellington 奥克兰 新西兰",
    "UTC": "utc gmt zulu",
}
# The zones that are asked for by language, likeliest first.
_LIKELY = {
    "zh": ("Asia/Shanghai", "Asia/Taipei", "America/Los_Angeles"),
    "hi": ("Asia/Kolkata", "Asia/Dubai", "Europe/London"),
    "es": ("Europe/Madrid", "America/Mexico_City", "America/Argentina/Buenos_Aires"),
    "ar": ("Asia/Riyadh", "Africa/Cairo", "Asia/Dubai"),
    "en": ("Europe/London", "America/New_York", "America/Los_Angeles", "Asia/Kolkata"),
}
_CLOCK = Pattern(
    r"(?:it'?s |现在是?)?\s*(\d{1,2})\s*(?:[:：点.h]\s*(\d{2})?分?)?\s*(am|pm"
    r"|a\.m\.|p\.m\.)?\s*[.。!]?",
    re.I,
)
_QUARTER = timedelta(minutes=15)


@cache
def _places() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in sorted(available_timezones()):
        if "/" in name and not name.startswith(("Etc/", "SystemV/", "US/", "posix", "right")):
            found.setdefault(fold(name.rsplit("/", 1)[1].replace("_", " ")), name)
    for zone, words in _NAMES.items():
        for word in words.split():
            found[fold(word.replace("_", " "))] = zone
    return found


@cache
def _as_written() -> dict[str, str]:
    """The names of the zone database by their small letters: people write europe/berlin."""
    return {name.casefold(): name for name in available_timezones() if "/" in name}


def zone_named(said: str) -> str | None:
    """The zone of a city, a country with one zone, an IANA name or an offset; None for anything else."""
    wanted = said.strip().strip(".!。！")
    for item in (wanted, wanted.replace(" ", "_")):
        if "/" in item or item[:1] in {"+", "-"}:
            name = _as_written().get(item.casefold(), item)
            try:
                zone_of(name)
            except InputError:
                continue
            return name
    if re.fullmatch(r"(?:UTC|GMT)[+-]\d{1,2}(?::?\d{2})?", wanted, re.IGNORECASE):
        sign, hours = wanted[3], wanted[4:].replace(":", "")
        return f"{sign}{hours[:2].zfill(2) if len(hours) < 3 else hours[:-2].zfill(2)}:{hours[2:4] or '00'}"
    return _places().get(fold(wanted))


def zone_by_clock(said: str, now: datetime, near: str = "") -> str | None:
    """The offset at which clocks show what a person says they show; None for what is no time."""
    match = _CLOCK.fullmatch(said.strip())
    if match is None or int(match[1]) > 23 or int(match[2] or 0) > 59:
        return None
    hour = int(match[1])
    if match[3]:
        hour = hour % 12 + (12 if match[3][0].lower() == "p" else 0)
    shown = timedelta(hours=hour, minutes=int(match[2] or 0))
    utc = timedelta(hours=now.hour, minutes=now.minute)
    ahead = round((shown - utc) / _QUARTER) * _QUARTER
    while ahead > timedelta(hours=14):
        ahead -= timedelta(days=1)
    while ahead < timedelta(hours=-12):
        ahead += timedelta(days=1)
    for zone in (near, *(zone for zones in _LIKELY.values() for zone in zones)):
        if zone and now.astimezone(zone_of(zone)).utcoffset() == ahead:
            return zone
    minutes = int(ahead.total_seconds()) // 60
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def likely(locale: str, default: str) -> tuple[str, ...]:
    """Zones to offer somebody who speaks a language, that of the machine first."""
    found = (*((default,) if default != "UTC" else ()), *_LIKELY[language(locale)])
    return tuple(dict.fromkeys(found))[:4]


def label(zone: str, now: datetime) -> str:
    """A zone with its offset, such as "Europe/Berlin, UTC+1"."""
    offset = offset_of(zone_of(zone), now)
    return offset if zone[:1] in {"+", "-"} or zone == "UTC" else f"{zone}, {offset}"


def offset_of(zone: tzinfo, now: datetime) -> str:
    """The offset at a moment, as in UTC+5:30."""
    minutes = round((wall_of(now, zone) - wall_of(now, ZoneInfo("UTC"))).total_seconds() / 60)
    if not minutes:
        return "UTC"
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'-' if minutes < 0 else '+'}{hours}" + (f":{rest:02}" if rest else "")
