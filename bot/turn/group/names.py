"""Names learned from talk: what the bot is called here, and what members want to be called."""

import re

from bot.text.lazy import Pattern
from bot.text.stopwords import ENGLISH
from bot.turn.group import words
from bot.turn.group.address import WORDS_AS_NAMES
from bot.turn.group.roster import HAN

MAX_ALIASES = 24
SIGHTINGS = 2  # how often a name must stand beside a call of the bot before it counts
LONGEST_ALIAS, LONGEST_NAME = 16, 24

_NAME = r"[\"'“‘「《]?([\w·\-]{1,24})[\"'”’」》]?"
_LATIN = r"[\"'“‘]?([A-Za-z][\w'\-]{0,23})[\"'”’]?"
GIVEN = Pattern(
    rf"\b(?:(?:i(?:'ll|\s+will)|we(?:'ll|\s+will)|let'?s|can\s+(?:i|we)"
    rf"|may\s+i)\s+(?:just\s+)?(?:call|name)\s+(?:you|u)|you(?:'re|\s+are)\s+(?:called|named)"
    rf"|your\s+(?:new\s+)?(?:nick)?name\s+is|you\s+are\s+now)\s+{_LATIN}",
    re.IGNORECASE,
)
GIVEN_ZH = Pattern(
    rf"(?:(?:以后|就|我们?|大家)(?:就|都)?叫你|给你(?:起|取)个?名字?叫?|你(?:以后|的?名字"
    rf"|就)?(?:就)?(?:叫|是叫)|你的?名字是){_NAME}"
)
BESIDE = Pattern(r"^\s*([\w·\-]{1,16})\s*[，,：:！!]")
LEADING = Pattern(r"^\s*([\w·\-]{1,16})\s*[，,：:！!]?\s*$")
STRONG_EN = Pattern(
    rf"\b(?:please\s+|pls\s+|just\s+|you\s+can\s+|but\s+|so\s+)*call\s+me\s+{_LATIN}", re.IGNORECASE
)
WEAK_EN = Pattern(rf"\b(?:my\s+name(?:'s|\s+is)|i\s+am|i'm)\s+{_LATIN}", re.IGNORECASE)
STRONG_ZH = Pattern(rf"(?:请叫我|(?<![\u4e00-\u9fff])叫我|(?:可以|以后|就|都|大家)叫我){_NAME}")
WEAK_ZH = Pattern(rf"(?:我叫|我的名字是|我的名字叫|我是){_NAME}")
MAY_NAME = Pattern(r"\bcall\s+me\b|\bname|\bi'?\s?a?m\b|叫|我是|名字", re.IGNORECASE)
DENIES = Pattern(r"\bnot\b|\bdon'?t\s+call|called\s+(?:me\s+)?wrong|不是|别叫|叫错", re.IGNORECASE)
TAIL_ZH = Pattern(r"(?:就(?:好|行|可以)|吧|好了|啦|哦|喔|呀|啊|了|哈)+.*$")

STOP = words.word_set(
    "me myself bot robot assistant question reply answer sleep back later when if maybe crazy"
    " tomorrow today tonight a an the at on in not now asap once again old stupid lazy anytime up"
    " out by as your sure sorry here there so going just really happy fine ok okay good tired home"
    " late sick done ready trying using looking new hi hello hey 你好 您好 请问 请教 机器人 助手"
    " 我擦 卧槽 我去 wc woc 我 我们 你 你们 他 她 它 大家 群友 问题 一下 起床 看看 帮忙 分析 解释"
    " 回复 回答 处理 来问 问下 一声 干嘛 什么 怎么 啥 谁 谢谢 今天 明天 现在 好的 早上好 晚上好"
    " 早安 晚安 对了 不对 那个 这个 另外 还有 然后 但是 所以 如果 因为 麻烦 麻烦你 好 嗯 哦 行 对"
    " 是 不 没有 在吗 老板 老师"
)
FORBIDDEN_PARTS = Pattern(
    r"来问|请教|问题|帮忙|看看|分析|解释|回复|回答|处理|吃饭|起床|怎么|什么|回家|过去|出去|一起|去|说"
)


def is_common(name: str) -> bool:
    """A word of every-day language, which is nobody's name."""
    low = name.lower()
    return any(low in common for common in (STOP, words.NOT_NAMES, words.SMALL, ENGLISH))


def valid_alias(name: str, *, given: bool = False) -> bool:
    """Whether a word may be learned as a name of the bot; one that is `given` may be a word as well."""
    return (
        1 < len(name) <= LONGEST_ALIAS
        and any(char.isalpha() for char in name)
        and not is_common(name)
        and (given or name.lower() not in WORDS_AS_NAMES)
        and not (HAN.search(name) and FORBIDDEN_PARTS.search(name))
        and not (HAN.search(name) and len(name) > 6)
    )


def given_alias(text: str) -> str:
    """The name the bot is told to bear ("I'll call you Greenie", "以后叫你小绿"); "" for none."""
    if text.rstrip().endswith(("?", "？", "吗", "么")):
        return ""
    for pattern in (GIVEN, GIVEN_ZH):
        if match := pattern.search(text):
            name = TAIL_ZH.sub("", match[1]).strip()
            return name.lower() if valid_alias(name, given=True) else ""
    return ""


def alias_beside(text: str, username: str, *, replied: bool) -> str:
    """A name that stands like an address beside the call of the bot; "" for none."""
    parts = (
        re.split(rf"@{re.escape(username)}(?![A-Za-z0-9_])", text, maxsplit=1, flags=re.IGNORECASE)
        if username
        else [text]
    )
    found = ""
    if len(parts) == 2:
        match = LEADING.match(parts[0]) or BESIDE.match(parts[1])
        found = match[1] if match else ""
    elif replied and (match := BESIDE.match(text)):
        found = match[1]
    return found.lower() if found and valid_alias(found) else ""


def preferred_name(text: str) -> str:
    """What a person asks to be called ("call me Al", "请叫我阿强"); "" if this text does not say."""
    if not MAY_NAME.search(text):
        return ""
    best, at = "", -1
    weak = len(text) <= 20 or DENIES.search(text) is not None
    patterns = (STRONG_EN, STRONG_ZH, *((WEAK_EN, WEAK_ZH) if weak else ()))
    for pattern in patterns:
        for match in pattern.finditer(text):
            name = TAIL_ZH.sub("", match[1]) if HAN.search(match[1]) else match[1]
            if match.start() > at and _valid_name(name, strict=pattern in {WEAK_EN, WEAK_ZH}):
                best, at = name, match.start()
    return best


def _valid_name(name: str, *, strict: bool) -> bool:
    if not 1 <= len(name) <= LONGEST_NAME or is_common(name) or FORBIDDEN_PARTS.search(name):
        return False
    if HAN.search(name):
        return len(name) <= (4 if strict else 8)
    return name[0].isupper() or not strict
