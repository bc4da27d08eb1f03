"""The clear forms in Chinese. Only first person, only statements; what is unsure is left alone."""

import re
from collections.abc import Callable, Iterator

from bot.text.lazy import Pattern
from bot.text.tokens import fold
from memory.learning.statement import Statement, fits

RELATIONS = (
    "妈妈|爸爸|母亲|父亲|老婆|老公|妻子|丈夫|太太|先生|女朋友|男朋友|女友|男友|姐姐|妹妹|哥哥|弟弟|儿子|女儿|孩子|爷爷"
    "|奶奶|外公|外婆|叔叔|阿姨|老板|经理|同事|老师|医生|邻居|室友|朋友|狗狗|狗|猫咪|猫|公司|学校|宠物"
)
_SOFT = "(?:真的|非常|特别|超级|超|最|很|挺|比较|也|还|一直|从小就|现在|最近|其实|就)*"
_LEAD = "(?:对了|哦|嗯|你好|您好|大家好|其实|另外|还有|那|好的)?[，, ！!]*"
_QUESTION = Pattern(r"[?？]\s*$|[吗么呢吧嘛]$|什么|怎么|哪里|哪儿|多少|为何|谁|是不是|能不能|几")
_UNSURE = Pattern(r"^(?:如果|假如|要是|假设|比如|请翻译|翻译|他|她|他们|有人|听说)")
_REMEMBER = Pattern(
    r"^(?:请|麻烦|帮我|你要|你|请你|一定要|要)*(?:记住|记得|记一下|记下来|记下|别忘了|不要忘记|记着)"
    r"[：:，, ]*(?P<rest>.+)$",
    re.DOTALL,
)
_NO_NOTE = Pattern(r"^(?:了|提醒|叫我|带|买|去|明天|后天|今晚|到时候|上次|我吗)")
_END = Pattern(r"(?:了|的|啦|哦|喔|呀|啊|呢|哈|噢|～|~|。|！|!)+$")

_Slot = Callable[[re.Match[str], str, str], Iterator[Statement]]


def statements(sentence: str) -> Iterator[Statement]:
    """What one clause says of the speaker."""
    sentence = sentence.strip()
    wished = _REMEMBER.match(sentence)
    if wished is not None:
        yield from _noted(wished["rest"].strip())
    elif not _UNSURE.match(sentence) and not _QUESTION.search(sentence):
        yield from _plain(sentence)


def asks_to_remember(sentence: str) -> bool:
    """Whether a sentence is a wish that something be kept; that may go over several clauses."""
    return _REMEMBER.match(sentence.strip()) is not None


def _noted(rest: str) -> Iterator[Statement]:
    if _NO_NOTE.match(rest) or _QUESTION.search(rest):
        return
    found = list(_plain(rest))
    if found:
        yield from found
    elif 2 <= len(rest) <= 200:
        yield Statement(f"note:{fold(rest)[:80]}", fold(rest), rest, third="我" not in rest, confidence=1.0)


def _plain(sentence: str) -> Iterator[Statement]:
    for pattern, slot in _FORMS:
        match = pattern.match(sentence)
        if match is None:
            continue
        value = _END.sub("", match["value"].strip())
        if fits(value) and not _QUESTION.search(value):
            yield from slot(match, value, sentence)
            return


def _as(name: str) -> _Slot:
    def found(match: re.Match[str], value: str, sentence: str) -> Iterator[Statement]:
        yield Statement(name, value, sentence)

    return found


def _about(name: str) -> _Slot:
    def found(match: re.Match[str], value: str, sentence: str) -> Iterator[Statement]:
        yield Statement(f"{name}:{fold(match['what'])}", value, sentence)

    return found


def _taste(polarity: str) -> _Slot:
    def found(match: re.Match[str], value: str, sentence: str) -> Iterator[Statement]:
        if len(value) <= 12 and value[0] not in "你他她它这那的上":
            yield Statement(f"taste:{fold(value)}", polarity, sentence)

    return found


def _allergy(match: re.Match[str], value: str, sentence: str) -> Iterator[Statement]:
    yield Statement(f"allergy:{fold(value)}", value, sentence)


def _form(pattern: str, slot: _Slot) -> tuple[Pattern, _Slot]:
    return Pattern(f"{_LEAD}{pattern}$"), slot


_DAY = r"(?:(?:农历|阴历|阳历|公历)?[\d一二三四五六七八九十正腊〇零]+[年月./-].*)"
_FORMS: tuple[tuple[Pattern, _Slot], ...] = (
    _form(r"(?:我的(?:名字|昵称)(?:是|叫)|我(?:现在|改名)?叫(?:做)?|(?:请|以后|你可以|大家可以)+叫我|叫我)"
          r"(?P<value>[^\s，,。的了]{1,12})(?:[，, ].*)?", _as("name")),
    _form(rf"我(?:的)?生日(?:是|在)?(?P<value>{_DAY})", _as("birthday")),
    _form(rf"我(?:是)?(?P<value>{_DAY})(?:出生|生日)的?", _as("birthday")),
    _form(rf"我(?:的)?(?P<what>{RELATIONS})(?:的)?生日(?:是|在)?(?P<value>{_DAY})", _about("birthday")),
    _form(rf"我(?:的|家)?(?P<what>{RELATIONS})(?:的名字)?(?:叫|名叫|的名字是)(?P<value>[^\s，,。]{{1,12}})",
          _about("relation")),
    _form(r"我(?:的老家在|老家在|来自|是从|出生在|出生于)(?P<value>[^\s，,。]{2,20}?)(?:来的)?", _as("from")),
    _form(r"我是(?P<value>[^\s，,。的个一]{2,6})人", _as("from")),
    _form(r"我(?:现在|目前|一直)*(?:住在|家住|家在|定居在|搬到了?|搬去了?)"
          r"(?P<value>[^\s，,。]{2,20})", _as("home")),
    _form(r"我(?:现在|目前)*在(?P<value>[^\s，,。]{2,20}?)(?:工作|上班|任职)", _as("job")),
    _form(r"我(?:的(?:工作|职业)是|是(?:一名|一个|一位|个|名|做)|的职业是)"
          r"(?P<value>[^\s，,。]{2,16})", _as("job")),
    _form(r"我最(?:喜欢|爱)的(?P<what>[^\s，,。]{1,8}?)(?:是|就是)"
          r"(?P<value>[^\s，,。]{1,20})", _about("favourite")),
    _form(r"我(?:对)(?P<value>[^\s，,。]{1,16}?)(?:严重)?过敏", _allergy),
    _form(r"我(?:是)?(?P<value>吃素|素食者|素食主义者|不吃[^\s，,。]{1,6}|纯素)", _as("diet")),
    _form(rf"我{_SOFT}(?:讨厌|不喜欢|不爱|恨|受不了){_SOFT}(?:吃|喝|看|玩|听)?(?P<value>[^\s，,。]{{1,16}})",
          _taste("dislike")),
    _form(rf"我{_SOFT}(?:喜欢|爱|热爱|钟爱)(?:上)?(?:吃|喝|看|玩|听)?"
          r"(?P<value>[^\s，,。]{1,16})", _taste("like")),
)  # fmt: skip
