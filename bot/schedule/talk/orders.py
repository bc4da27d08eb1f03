"""What people want done with the tasks they have, in words: show, stop, pause, move, snooze."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from bot.schedule.intent_hints import is_timed
from bot.schedule.jobs import Job
from bot.text.lazy import Pattern
from bot.text.tokens import is_stop_word, words

Act = Literal["list", "delete", "pause", "resume", "run", "snooze", "done", "change"]
MAX_CHARS = 120

_ID = Pattern(r"\btask-[0-9a-f]{8}\b")
_POLITE = (
    r"^\s*(?:(?:please|pls|hey|ok|okay|can you|could you|would you|will you|i want to|i'd like to"
    r"|let'?s|just|now"
    r"|请|麻烦|帮我|给我|你|把|能不能|可以|por favor|puedes|من فضلك|कृपया)[\s,，]*)*"
)
_NOUN = (
    r"(?:reminders?|tasks?|alarms?|timers?|scheduled (?:tasks?|jobs?|messages?)|提醒|任务|闹钟|闹铃"
    r"|定时|日程提醒"
    r"|recordatorios?|tareas?|alarmas?|تذكيرات?|التذكيرات?|مهام|المهام|مهمة|المهمة|रिमाइंडर|काम|अलार्म)"
)
_IT = r"(?:this one|that one|this|that|it|这个|那个|这条|那条|它|este|esta|eso|esa|هذا|هذه|इसे|यह)"
_VERBS: dict[Act, str] = {
    "delete": r"delete|remove|cancel|stop|drop|clear|turn off|switch off|disable|kill|删除|删掉"
    r"|删了|取消|停掉|停止|关掉|不要再?"
    r"|borra|elimina|cancela|quita|det[eé]n|احذف|ألغ|الغ|أوقف|اوقف|हटाओ|हटा दो|रद्द|बंद कर",
    "pause": r"pause|suspend|暂停|暂时停|pausa|suspende|علّق|علق|रोको|रोक दो",
    "resume": r"resume|unpause|restart|reactivate|continue|turn on|恢复|继续|重新开始|reanuda"
    r"|reactiva|استأنف|फिर शुरू",
    "run": r"run|execute|运行|执行|立即执行|ejecuta|نفّذ|نفذ|चलाओ",
}
_SHOW = Pattern(
    _POLITE + r"(?:(?:list|show|see|display|give)(?: me| us)?(?: all)?(?: of)?(?: my| our| the)?"
    r" (?:open |active |pending )?(?:reminders?|tasks|alarms|timers)(?! of\b)[^.!]{0,30}"
    r"|(?:what|which)(?: \w+)? ?(?:reminders?|tasks|alarms|timers) (?:do|have|did) (?:i|we)\b[^.!]{0,30}"
    r"|what(?: are|'s|s)? (?:my|our) [^.!]{0,20}(?:reminders?|tasks|alarms|timers)[^.!]{0,30}"
    r"|(?:what|which) (?:reminders|alarms|timers) are (?:there|set|active|open|pending|due"
    r"|scheduled)[^.!]{0,20}"
    r"|(?:do (?:i|we) have|have (?:i|we)(?: got)?|are there) [^.!]{0,20}(?:reminders?|alarms?"
    r"|timers?)[^.!]{0,30}"
    r"|(?:all |all of )?my (?:open )?(?:reminders|tasks|alarms|timers)"
    r"|(?:我|列出|查看|显示|看看|看一下|有|都|现在|今天|明天|还|的|全部|所有|一下|哪些|什么"
    r"|几个){1,10}(?:提醒|任务|闹钟)(?:有哪些|列表|吗|呢|都有什么|是什么)?"
    r"|(?:提醒|任务|闹钟)(?:列表|清单|有哪些)"
    r"|(?:qu[eé]|cu[aá]les|mu[eé]stra(?:me)?|lista|mis)\b[^.!]*\b(?:recordatorios|tareas"
    r"|alarmas)\b[^.!]{0,30}"
    r"|(?:ما(?: هي)?|اعرض|أرني|عندي)\s+(?:تذكيراتي|التذكيرات|مهامي|المهام)"
    r"|(?:मेरे|कौन से|सभी)\s+(?:रिमाइंडर|काम|अलार्म)[^.!]{0,30})\s*[?？.!。؟।]*\s*$",
    re.IGNORECASE,
)
_NOT_SHOW = Pattern(
    r"\b(?:set|add|create|new|make|remind me|delete|cancel|stop|remove|pause)\b"
    r"|提醒我|设|新建|添加|取消|删",
    re.I,
)
_SNOOZE = Pattern(
    _POLITE + r"(?:snooze\b|remind me again\b|again\b|later\b|推迟|延后|延迟|晚点再|稍后再|再提醒"
    r"|等.{1,8}再提醒|过.{1,8}再提醒"
    r"|pospon\w*|recu[eé]rdamelo de nuevo|أجّل|أجل(?=\s)|ذكّرني مجددا|बाद में फिर|फिर याद)(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_DONE = Pattern(
    r"^\s*(?:done|i did it|did it|finished|it'?s done|完成了?|做完了|搞定了?|已完成|办好了|hecho"
    r"|listo|ya est[aá]|تم|انتهيت|हो गया|कर लिया)\s*[.!。！]*\s*$",
    re.IGNORECASE,
)
_MOVE = Pattern(
    _POLITE + r"(?:(?:move|change|reschedule|shift|postpone|delay|push)\s+(?P<what>.+?)"
    r"\s+(?:to|until|till|for)\s+(?P<when>.+)"
    r"|(?P<what_zh>.{0,30}?)(?:改到|改成|改为|推迟到|挪到|换到|提前到)(?P<when_zh>.+)"
    r"|(?:mueve|cambia|pasa)\s+(?P<what_es>.+?)\s+(?:a|para)\s+(?P<when_es>.+))$",
    re.IGNORECASE | re.DOTALL,
)

_NO_MORE = Pattern(
    _POLITE + r"(?:(?:stop|quit|no need to keep) reminding (?:me|us)(?: (?:about|of|to))? (?P<what>.+?)"
    r"|(?:以后)?(?:别|不用|不要|不需要)再?提醒(?:我们|我)(?P<what_zh>.+?)(?:了|啦)?"
    r"|(?:deja|para) de recordar(?:me|nos) (?P<what_es>.+?))\s*[.!。！]*\s*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Order:
    """`job_id` or `about` says which task; `pointing`: the one that was just spoken of. `time` is "
    "in words."""

    act: Act
    job_id: str = ""
    about: str = ""
    pointing: bool = False
    time: str = ""
    noun: bool = True  # a word for tasks was said: "that reminder", not just "it" or "the dentist"


def read(text: str) -> Order | None:
    """What is wanted; None where a text wants nothing of that kind."""
    if len(text) > MAX_CHARS or not text.strip():
        return None
    if _DONE.match(text):
        return Order("done", pointing=True, noun=False)
    snooze = _SNOOZE.match(text)
    if snooze and len(snooze["rest"]) < 40:
        return Order("snooze", pointing=True, time=text, noun=False)
    if _SHOW.match(text) and not _NOT_SHOW.search(text):
        return Order("list")
    return _moved(text) or _ended(text) or _named(text)


def _ended(text: str) -> Order | None:
    """Stop reminding me about the report; 别再提醒我吃药了."""
    match = _NO_MORE.fullmatch(text)
    return None if match is None else _thing("delete", match["what"] or match["what_zh"] or match["what_es"])


def _moved(text: str) -> Order | None:
    match = _MOVE.match(text)
    if match is None:
        return None
    what = next(match[name] for name in ("what", "what_zh", "what_es") if match[name] is not None)
    when = next(match[name] for name in ("when", "when_zh", "when_es") if match[name] is not None)
    order = _about("change", what) or (_thing("change", what) if is_timed(when) else None)
    return None if order is None else replace(order, time=when)


def _named(text: str) -> Order | None:
    """A verb, and a task named by its id, by what it is about, or by pointing."""
    for act, verbs in _VERBS.items():
        latin_or_zh = re.match(
            rf"{_POLITE}(?:{verbs})(?![a-z])(?P<rest>.*)$", text, re.IGNORECASE | re.DOTALL
        )
        if latin_or_zh is None:  # 把喝水的提醒删掉
            latin_or_zh = re.match(
                rf"{_POLITE}(?P<rest>.+?)(?:{verbs})(?:吧|了|一下|दो|दीजिए)?\s*[。.!]*$", text, re.I
            )
            if latin_or_zh is None or text.isascii():
                continue
        order = _about(act, latin_or_zh["rest"])
        if order is not None:
            return order
    return None


def _about(act: Act, rest: str) -> Order | None:
    found = _ID.search(rest)
    if found:
        return Order(act, job_id=found.group())
    rest = rest.strip(" .!?。！？,，")
    pointing = re.fullmatch(
        rf"(?:the |my |that |this |那个|这个|那条|这条|este |esa |هذا )?(?:last |上一个)?(?:{_NOUN}|{_IT})",
        rest,
        re.I,
    )
    if pointing:
        return Order(act, pointing=True, noun=re.search(_NOUN, rest, re.IGNORECASE) is not None)
    noun = re.search(rf"(?<![a-z]){_NOUN}(?![a-z])", rest, re.IGNORECASE)
    if noun is None:
        one = re.fullmatch(r"(?:the|my|that) (.+) (?:one|thing)", rest, re.IGNORECASE)
        return None if one is None else _thing(act, one[1])
    about = (rest[: noun.start()] + " " + rest[noun.end() :]).strip()
    return Order(act, about=about, pointing=not _content(about))


def _thing(act: Act, about: str) -> Order | None:
    """A thing that may be a task: "the stand-up one", "move the dentist to ten"."""
    return Order(act, about=about, noun=False) if _content(about) else None


def _content(text: str) -> set[str]:
    small = {
        "the",
        "my",
        "that",
        "this",
        "about",
        "for",
        "of",
        "to",
        "all",
        "的",
        "那个",
        "这个",
        "me",
        "我",
        "了",
        "我了",
        "el",
        "la",
        "del",
    }
    return {word for word in words(text) if not is_stop_word(word) and word not in small}


def meant(order: Order, jobs: Sequence[Job]) -> list[Job]:
    """The jobs whose words fit best; all that fit equally well."""
    if not _content(order.about):
        return list(jobs)
    scores = [(shared(order.about, job.text), job) for job in jobs]
    best = max((score for score, _ in scores), default=0)
    return [job for score, job in scores if score == best] if best else []


def shared(about: str, text: str) -> int:
    """How many words of what a task is called stand in its text."""
    return len(_content(about) & set(words(text)))
