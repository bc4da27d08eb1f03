"""Who a text calls by name: an @name, "Ann: ...", "hi Ann", "..., Ann?", "小驴，...", "小驴帮我...".

A name that is only talked about ("Donkey is slow", "ask Donkey", "小驴说得不对") calls nobody. Latin
names are whole words; Chinese ones count at the edge of a clause, with what follows showing a call.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bot.text.lazy import Pattern
from bot.turn.group import people, wishes, words
from bot.turn.group.records import OURS
from bot.turn.group.roster import DRAWN, HAN, LATIN_WORD, LETTER, Roster

HANDLE = Pattern(r"(?<![A-Za-z0-9_@./])@([A-Za-z0-9_]{2,}|[\u3400-\u9fff]{2,})")
COMMAND = Pattern(r"/([a-z][a-z0-9_]*)(?:@([a-z0-9_]+))?(?=\s|$)")
OTHER_COMMAND = Pattern(r"![a-z][a-z0-9_-]+")  # how other bots are called in many groups
CLAUSE = Pattern(r"[^，,。．.！!？?；;：:、~～…\n\s]+")
STRONG_AFTER = Pattern(r"\s*(?:[:,>!?：，！？。…~～]|-+\s|\.|$)")
END = Pattern(r"[\s.!?~,:;()^)❤\u2190-\u2bff\ufe0f\U0001f000-\U0001faff！？。，～…D]*$")
# "Donkey? It's ok": the name is repeated, then talked about.
ASKED_ABOUT = Pattern(r"\?+\s*(?:it'?s|it|he|she|they|that|yes|yeah|no|nah|never|not|lol|i)\b")
# Of a name that is a word as well: "sage, obviously".
NAMED_AS_ANSWER = Pattern(
    r"[,\s]+(?:obviously|definitely|clearly|of\s+course|for\s+sure|probably|maybe|i\s+(?:think|guess|believe)|always|any\s+day"
    r"|hands\s+down|i'?d\s+say|duh|100\s?%)[.!\s]*$"
)
# "Donkey Kong is out": the name of another.
COMPOUND = Pattern(r"\s(?!I\b)[A-Z][a-z]+\s+(\w+)")
LAST_TELL = Pattern(r"\b(?:tell|show|give|help|remind|explain|teach|answer|send|bring)\s+(?:me|us)$")
# "Ben and Donkey, who wants to guess?"
ONE_OF_TWO = Pattern(r"\s*(?:and|&|,)\s*@?[\w-]+\s?[,:]\s")
ASKED_YOU = Pattern(
    r"\b(?:do|did|would|can|could|are|will|have)\s+(?:you|u)\s+(?:think|say|know|reckon|suggest|recommend)$"
)
# "that answer you gave me was rubbish donkey, what else can I try"
ASKS_LATER = Pattern(r"\b(?:what|how|which|where|when|why|who|can|could)\b|\?")
# "write me a poem kiko pls pls"
PLEASE_LAST = Pattern(r"(?:\s+(?:please|pl[sz]+|thanks|thx|asap))+[.!?\s]*$")
SENTENCE_BEFORE = Pattern(r".*[.!?]\s+")
OTHER_OF_TWO = Pattern(r"@?[\w-]+\s*(?:and|&)$")
# "Donkey did Ben win?"
ASKS_OF = Pattern(r"\s*(?:[Dd]id|[Dd]oes|[Ii]s|[Ww]as|[Hh]as|[Ww]ill|[Cc]an)\s+[A-Z][a-z]+\s[^?]+\?\s*$")
PAUSE = Pattern(r"[^\w\s\"'“‘&+/=@#*<(\[{-]")  # marks, closed brackets, smileys
COMES_FROM = Pattern(r"from\s+(?!now|today|this|wh\w+)")  # "Gus from number 12 got a new mower"
# "Donkey tonight was great", but not "Donkey tonight at 9 remind us"
THEN_TOLD = Pattern(
    r"(?:yesterday|last\s+(?:night|week|month|year|time)|earlier)\b(?!,?\s+(?:you|i|we)\b)"
    r"|(?:tonight|today|tomorrow|(?:on|this|next)\s+\w+)\s+(?:was|is|were|are|will|won'?t|has|had|got|gave|told|said)\b(?!.*[?,])"
)
BETTER_THAN = Pattern(r"\s>\s\w+[.!\s]*$")  # Donkey > Siri
# A name nobody in the chat bears, called at the start: "Dave, ...", "dave_1: ...", "妈，...".
UNKNOWN_LATIN = Pattern(
    r"(?:(?:Mr|Mrs|Ms|Dr|Miss|Uncle|Aunt|Auntie)\.?\s)?([A-Za-z][\w\-\[\]|^`]{1,20})\s?([:,])\s+\S"
)
# "Don't hold back Donkey, ..."
HOLDS_ON = Pattern(r"(?:(?:don'?t|do\s+not)\s+\w+(?:\s+\w+)?|come\s+on|go\s+(?:on|ahead)|be\s+\w+)")
# Behind the bot's name that is a word as well: "star u pick for us", "star does wifi 7 need a new router".
YOU_DO = Pattern(r"(?:u|you)\s+\w")
DOES_IT = Pattern(
    r"(?:do|does|did|can|will|should|could|would)\s+(?:[\w-]+\s+){1,4}?(?:need|work|have|mean|cost|make|help|take|go|use|cause|support"
    r"|run|come|get|contain|count|require|fit|matter|hurt|exist|know|eat|drink|live|grow|keep|last|start|end|open|close|be)\b"
)
# Openers that no noun follows: "yo star", not "quick star".
CALLS = Pattern(
    r"(?:(?:hi|hey+|hello|yo|oi|ok(?:ay)?|so|um+|uh+|er|oops|sorry|please|pls|thanks|thx|yes|no|and|but|well)[\s,.!~]*)+"
)
PAUSED_ZH = Pattern(r"[\s，,。！!]+")
FAILURE = Pattern(r"\w*(?:Error|Exception|Warning|Failure)")  # as programs print it: "KeyError: 'name'"
# ... behind a full stop: "makes sense. Jun, gym at six?"
UNKNOWN_AFTER = Pattern(r"[^?]*[.!]\s+([A-Z][a-z]{1,15}),\s[^.!]*\?$")
# ... or at the end: "you owe me 12, Ben", "thanks Ben!", "几点到，老王？"
UNKNOWN_LAST = Pattern(
    r"[^,]{3,}(?:,\s([A-Z][a-z]{1,15})[.!?\s]*|(?<!Mr)(?<!Mrs)(?<!Ms)(?<!Dr)(?<!St)[.!]\s([A-Z][a-z]{1,15})\?)$"
)
UNKNOWN_THANKED = Pattern(
    r"(?:[Tt]hanks?|[Tt]hank [Yy]ou|[Tt]hx|[Hh]i|[Hh]ey|[Hh]ello|[Cc]ongrats|[Ss]orry|[Ww]elcome"
    r"|[Bb]ye|[Nn]ice one|[Gg]ood (?:job|luck|morning|night))"
    r"(?:,| so much)?\s([A-Z][a-z]{1,15})(?:[.!?,]|\s*$)"
)
# "Sara you can pay me", "Wei你记得带钥匙", "阿杰你想去哪".
UNKNOWN_YOU = Pattern(
    r"(?:[^?]*[.!]\s+)?([A-Z][a-z]{1,15})(?:\s+(?:(?:do|did|can|should|shall|are|have)\s+(?:we|i)|you|u|can\s+you|could\s+you|did\s+you|do\s+you|are\s+you|have\s+you|(?:is|are|does|did|do|can|will)\s+your|(?:which|what|when|where|why|how)(?=\s[^.!]*\?\s*$)"
    r"|(?:please|pls|plz)\s+(?:review|check|look|send|bring|call|take|come|don'?t|make|do|be|get|pick|help|fix|add|merge|answer|reply|stop)"
    r"|(?:does|do|is|are|was|would|will)\s+(?:it|that|this|these|those|\w+day|\d\w*)(?=\s[^.!?]*\b(?:you|your|u)\b[^.!?]*\?\s*$)"
    r"|will\s+you|wanna|want\s+to|fancy|(?:wh\w+|how)(?:\s+\w+){1,2}\s+(?:you|we))\b|(?=[你您]))"
)
# "dave do we have milk"
UNKNOWN_WE = Pattern(r"([a-z]{2,15})\s+(?:do|did|have|should|shall|can|are)\s+we\b")
UNKNOWN_SO = Pattern(r"([A-Z][a-z]{1,15})\s+so\s+(?:we|you)\b")  # "Gina so we could go after dinner?"
UNKNOWN_YOU_ZH = Pattern(
    r"([\u4e00-\u9fff]{1,3}?)(?=[你您]|我们|咱|听见|听到|看到|请客|帮我|在[吗不]|[来去]不[来去]|(?<!州)(?:今|明|后天|周|晚上|下午|快|记得|别)[^，,。]{0,6}[我呗])"
)
# 李工方案今天能出吗
TITLED_ZH = Pattern(
    rf"([{people.SURNAMES}](?:工|哥|姐|叔|姨|老师|总(?!是)))(?=[\u4e00-\u9fff].*(?:[吗么呢]|[?？])[?？~～。]*$)"
)
PARTICLES = "吧啊呀啦了哦嘛哈"
UNKNOWN_LAST_ZH = Pattern(r".*[，,]\s*([\u4e00-\u9fff]{1,4})[？?!！。~～]*$")
UNKNOWN_ZH = Pattern(r"([\u4e00-\u9fff]{1,4})[，,：:！!]")
KIN_FIRST = Pattern(
    r"(?:(?:ok|hey|hi|thanks|no|yes|sorry)\s+)?([a-z]+)(?:[,!?:]"
    r"|(?<!man)(?<!dude)(?<!mate)(?<!bro)(?<!bros)\s+(?:you|don'?t|do\s+you|can\s+(?:you|i|we)|could\s+you|are\s+you|did\s+you|will\s+you|please|come"
    r"|what|when|where|how|stop|look)\b)"
)
# "ok kids dinner in ten", but not "ok guys are loud"
ALL_FIRST = Pattern(
    r"(?:ok|okay|alright|all\s+right|right|hey|hi|hello|listen|sorry)\s+(kids|guys|folks|everyone|everybody|team|boys|girls|gang)\b"
    r"(?!'|\s+(?:are|is|were|was|have|has|had|who|that|think|in|of|on|at|from|with)\b)"
)
# "carries that movie", "speaks all languages"
DOES = Pattern(
    r"(?!(?:what|how|where|who|when|let|pl|thank|thi|new|alway|ye|perhap|sometime|afterward|doe|i|wa|ha|u|hi|it|plu)s\b)"
    r"[a-z]{2,}(?<!s)s\s+(?:the|that|this|these|those|an?|my|your|our|his|her|their|it|them|all|every\w*|so|too|like|more|better|really)\b"
)
DID = Pattern(
    r"(?:threw|fell|ran|sat|slept|bit|stole|tore|woke|hid|won|lost|drank)\b|[a-z]{2,}ed\s+(?:us|me|him|her|it|them|the|my|our|a|an|that|this|out|up|in|by)\b"
)  # carried us
# "Mona is on leave, so just you Raj"
UNKNOWN_YOU_LAST = Pattern(r".*\b(?:just|love|thank|miss|only)\syou\s([A-Z][a-z]{1,15})[.!?\s]*$")
# "What do you have Ann?"
UNKNOWN_ASKED = Pattern(
    r".*\b(?:[Yy]ou|u)\b.*\b(?:have|think|say|doing|going|today|tonight|tomorrow|now|it|that|one|there)"
    r"\s([A-Z][a-z]{1,15})\?$"
)
# A sentence about a third one: a name at its end is in it, not called.
TOLD_OF = Pattern(r"(?:the|an?|my|our|his|her|their|he|she|they)\s")
# First names that are words as well: they call somebody only with a mark after them.
WORDS_AS_NAMES = words.word_set(
    "will page may mark rob art bill grace hope joy rose sue pat jack drew chase faith dawn june"
    " april august summer autumn sky star max ben guy dick frank gene grant miles wade ward dean"
    " earl duke king prince angel bob bot robot assistant do so no go he she it you we they me what"
    " who how why when where is are sage dash cookie pepper ginger scout chip echo buddy rover"
    " patch olive ruby pearl amber ivy basil jade pixel spark rocket hunter clay forest river storm"
    " pilot biscuit peanut nugget mocha bean sprout lucky sunny"
)

UNKNOWN = "unknown name"  # how somebody is called who is not known here
BEGINNING, ENDING, HANDLES = 700, 300, 20  # characters of a text that are read, and handles between them


@dataclass(frozen=True, slots=True)
class Address:
    """What one text says about whom it is for.

    `to` are the keys of those called, in order; a handle or name nobody here bears is in it as "@x".
    `named` are keys of those only talked about. `rest` is the lower-case text without the calls.
    """

    to: tuple[str, ...] = ()
    by: str = ""  # how the first was called, for the reasons
    named: tuple[str, ...] = ()
    mentioned: tuple[str, ...] = ()
    rest: str = ""
    command: str = ""  # "other" for another bot's, "ours" with the bot's name, "open" for a bare /word

    @property
    def calls_us(self) -> bool:
        return OURS in self.to

    @property
    def calls_others(self) -> bool:
        return any(key != OURS for key in self.to)


def brief(text: str) -> str:
    """What is read of a text: all of a usual one; of a long one the two ends and the handles between.

    Who is called and what is wanted stands there, and the time for a hostile text stays small.
    """
    if len(text) <= BEGINNING + ENDING:
        return text
    handles = [match[0] for match in HANDLE.finditer(text, BEGINNING, len(text) - ENDING)][:HANDLES]
    return " ".join([text[:BEGINNING], *dict.fromkeys(handles), text[-ENDING:]])


def _without_slip(text: str, roster: Roster) -> str:
    """The text with the bot's name in the place of a slip that can only be meant as a call."""
    first = next((m for m in LATIN_WORD.finditer(text) if m[0].lower() not in words.OPENERS), None)
    if first is None or first[0].lower() in roster.latin or not roster.slips:
        return text
    after = text[first.end() :]
    drawn = DRAWN.sub(r"\1", first[0].lower())  # "picooo"
    if drawn != first[0].lower() and any(key == OURS for _, key in roster.latin.get(drawn, ())):
        return f"{text[: first.start()]}{drawn}{after}"
    meant = roster.slips.get(first[0].lower())
    if meant is None or not _asks_straight(after.lower().lstrip(" ,:")):
        return text
    return f"{text[: first.start()]}{meant}{after}"


def read_address(text: str, roster: Roster, mentions: Iterable[str] = ()) -> Address:
    """Whom a text calls, among those of the roster; `mentions` are keys the channel marked in it."""
    text = _without_slip(text, roster)
    low = text.strip().lower()
    command = _command(low, roster)
    called: list[tuple[int, int, str, str]] = []
    named: list[str] = []
    for start, end, key, how in _occurrences(text.strip(), low, roster):
        if how:
            called.append((start, end, key, how))
        else:
            named.append(key)
    called.extend((len(low), len(low), key, "marked in the text") for key in mentions)
    called.sort()
    if not called and (unknown := _unknown(text.strip(), low)):
        called.insert(0, unknown)
    keys = tuple(dict.fromkeys(key for _, _, key, _ in called))
    mentioned = (*(key for _, _, key, how in called if how in {"@name", "marked in the text"}),)
    by = f"{called[0][3]} {low[called[0][0] : called[0][1]]!r}" if called else ""
    return Address(keys, by, tuple(dict.fromkeys(named)), mentioned, _without(low, called), command)


def _command(low: str, roster: Roster) -> str:
    if match := COMMAND.match(low):
        if match[2] is None:
            return "open"
        return "ours" if roster.handles.get(match[2]) == OURS else "other"
    return "other" if OTHER_COMMAND.match(low) else ""


def _occurrences(text: str, low: str, roster: Roster) -> Iterator[tuple[int, int, str, str]]:
    """Each name found: where, whose, and how it calls ("" if it is only talked about)."""
    taken: list[tuple[int, int]] = []
    for match in HANDLE.finditer(low):
        name, key = roster.bearer(match[1])
        taken.append((match.start(), match.start() + 1 + len(name)))
        yield *taken[-1], key, "@name"
    lead = max((end for start, end in taken if not low[:start].strip(" <(@:,")), default=0)
    for match in LATIN_WORD.finditer(low):
        bearers = roster.latin.get(match[0]) or roster.latin.get(match[0].removesuffix("'s"))
        if not bearers or any(start <= match.start() < end for start, end in taken):
            continue
        for form, key in bearers:
            end = match.start() + len(form)
            if low.startswith(form, match.start()) and not LETTER.match(low, end):
                how = _latin_call(text, (match.start(), end), lead, key)
                if how and not low[lead : match.start()].strip(" <(@:,-"):
                    lead = end
                yield match.start(), end, key, how
                break
    for name, key in roster.han.items():
        if name in low:
            yield from _han_calls(low, name, key)


def _latin_call(text: str, span: tuple[int, int], lead: int, key: str) -> str:
    """How a Latin name at `span` calls its bearer; "" when it is only talked about.

    `lead` is where the addresses at the start of the text end: "Ann: Donkey: ..." calls both.
    """
    low, (start, end) = text.lower(), span
    before, after, name = low[lead:start].strip(" <(@:,-"), low[end:], low[start:end]
    if after.startswith(("'s", "’s")) or low[:start].endswith("#") or _is_another(text[end:]):
        return ""
    plain = name in WORDS_AS_NAMES and not (key == OURS and _asks_straight(after))
    if not before:
        return _latin_call_first(text, span, plain=plain)
    marked = STRONG_AFTER.match(after) is not None
    head = SENTENCE_BEFORE.sub("", before.rstrip())
    openers = head != "" and all(word.strip(",.!~") in words.OPENERS for word in head.split())
    if openers and len(head.split()) <= 4:
        plain = plain and not (key == OURS and name not in words.GENERIC and CALLS.fullmatch(head))
        return "" if plain and not marked else ("greeted" if marked or not _talks_about(after) else "")
    plain = plain and not (key == OURS and words.SECOND_PERSON.search(before))
    return _latin_call_later(low, span, before.rstrip(), plain=plain)


def _latin_call_first(text: str, span: tuple[int, int], *, plain: bool) -> str:
    """How a Latin name calls with which a text begins; a `plain` one is a word as well."""
    after = text[span[1] :]
    if plain and NAMED_AS_ANSWER.match(after.lower()):
        return ""
    if STRONG_AFTER.match(after):
        return "" if ASKED_ABOUT.match(after.lower()) else "named at the start"
    asks = ONE_OF_TWO.match(after) or ASKS_OF.match(after) or DOES_IT.match(after.lower().strip())
    talks_about = not asks and _talks_about(after.lower())
    return "" if plain or talks_about else "named at the start"


def _latin_call_later(low: str, span: tuple[int, int], head: str, *, plain: bool) -> str:
    """How a Latin name calls behind other words, `head`."""
    start, after = span[0], low[span[1] :]
    marked = STRONG_AFTER.match(after) is not None
    pause = PAUSE.match(head[-1]) is not None or low[:start].rstrip()[-1:] in {",", "，"}
    if END.match(after) or PLEASE_LAST.match(after):
        about = TOLD_OF.match(head) and "?" not in after and not words.SECOND_PERSON.search(head)
        return "named at the end" if pause or not (plain or about or _governed(head)) else ""
    you_asked = words.SECOND_PERSON.search(head) and ASKS_LATER.search(after) and not _governed(head)
    told = (
        you_asked
        or LAST_TELL.search(head)
        or OTHER_OF_TWO.fullmatch(head)
        or _orders(head)
        or ASKED_YOU.search(head)
        or (not _governed(head) and (HOLDS_ON.fullmatch(head) or wishes.REQUESTS.match(after.lstrip(", "))))
    )
    if after[:1] in {",", ":"} and told:
        return "named between words"
    if marked and after.lstrip()[:1] in {".", "!"} and words.SECOND_PERSON.search(head):
        return "named at the end"  # I can't do it without you Donkey. What's ...
    if pause and marked:
        return "named between commas"
    if pause and head[-1] not in ",:，" and _is_told(after) and not plain and not _talks_about(after):
        return "named after a pause"
    return ""


def _orders(head: str) -> bool:
    """The last sentence of what stands before a name wants something done: "help me out here Donkey, ..."."""
    return wishes.REQUESTS.match(SENTENCE_BEFORE.sub("", head)) is not None and not _governed(head)


def _is_another(after: str) -> bool:
    """What follows a name makes another's of it, or compares its bearer with another."""
    compound = COMPOUND.match(after)
    return (compound is not None and compound[1] in words.ABOUT) or BETTER_THAN.match(after) is not None


def _asks_straight(after: str) -> bool:
    """What follows a name that is a word as well asks at once: "star what's the time"."""
    if HAN.match(after.strip()) and not _subject_zh(after.strip()):
        return True
    forms = (words.WH_QUESTION, words.ASKING, wishes.REQUESTS, words.TOLD, words.ORDERED, YOU_DO, DOES_IT)
    return any(form.match(after.strip()) for form in forms)


def _is_told(after: str) -> bool:
    """What follows a name behind a full stop asks its bearer, or tells them to do something."""
    tail = after.strip()
    return any(form.match(tail) for form in (words.TOLD, words.QUESTION_WORDS, wishes.REQUESTS))


def _talks_about(after: str) -> bool:
    """What follows a name at the start makes it the subject of the sentence."""
    tail = after.strip()
    if not tail:
        return False
    if HAN.match(tail):
        return _subject_zh(tail)
    if words.ASKING.match(tail):
        return False
    if COMES_FROM.match(tail) or THEN_TOLD.match(tail):
        return True
    word = (LATIN_WORD.match(tail) or [""])[0]
    return word in words.ABOUT or any(form.match(tail) for form in (DID, DOES))


def _governed(head: str) -> bool:
    """The word before a name at the end takes it as its object: "ask Donkey"."""
    if HAN.search(head[-1]):
        return words.GOVERN_ZH.search(head) is not None
    return head.split()[-1].strip("'\"") in words.GOVERNORS


def _tells_of_zh(tail: str) -> bool:
    """What follows a Chinese name tells of what its bearer does, is or has done."""
    forms = (words.DONE_ZH, words.TELLS_OF_ZH)
    return any(form.match(tail) for form in forms) or words.STATE_OF_BOT.search(tail) is not None


def _subject_zh(tail: str) -> bool:
    """What follows a Chinese name directly talks about its bearer instead of calling it."""
    if words.DONE_ZH.match(tail):
        return True
    if words.FOLLOW_CALL.match(tail):
        return False
    if words.LONGER_ZH.match(tail) or words.ASKED_OF_ALL_ZH.search(tail) or words.RHETORICAL_ZH.match(tail):
        return True
    if words.FOLLOW_ASK.match(tail):
        asks = "？" in tail or "?" in tail or words.QUESTION_ZH.search(tail) is not None
        return not asks or words.STATE_OF_BOT.search(tail) is not None
    state = words.STATE_OF_BOT.search(tail)
    if words.TALKED_ABOUT_ZH.match(tail) or (state and state[0][0] != "谁"):  # 小驴德古拉是谁写的
        return True
    return words.WONDERS_ZH.search(tail) is None


def _han_calls(low: str, name: str, key: str) -> Iterator[tuple[int, int, str, str]]:
    for clause in CLAUSE.finditer(low):
        at = clause[0].find(name)
        if at < 0:
            continue
        start, end = clause.start() + at, clause.start() + at + len(name)
        yield start, end, key, _han_call(low, clause, at, end)


def _han_call(low: str, clause: re.Match[str], at: int, end: int) -> str:
    name = clause[0][at : at + end - clause.start() - at]
    while low.startswith(name, end):
        end += len(name)  # 小驴小驴，...
    if honorific := words.HONORIFIC_ZH.match(low, end):
        end = honorific.end()  # 小驴老师，...
    before, tail = clause[0][:at], low[end:]
    opened = not before or words.OPEN_ZH.fullmatch(before) is not None
    alone = END.fullmatch(low[end : clause.end()]) is not None  # but for a smiley
    if opened and alone:
        marked = not tail.strip() or tail[0] in "，,：:！!？?。.~～…"
        apart = tail[:1].isspace() and not _tells_of_zh(tail.strip())  # 小驴 今天天气
        if marked or apart or not _subject_zh(tail.strip()) or not HAN.match(tail.strip()):
            return "named at the start" if clause.start() == 0 else "named at a pause"
        return ""
    if opened:
        wanted = PAUSED_ZH.split(tail, maxsplit=1)[1:]  # 小驴不公平 也给他写一首
        told = wanted and words.TALKED_ABOUT_ZH.match(tail) and wishes.REQUEST_ZH.match(wanted[0].lstrip())
        return "" if _subject_zh(tail) and not told else "named at the start"
    if words.GOVERN_ZH.search(before.rstrip("了过")):
        return ""
    brief = len(before) <= 3 and before[-1:] in PARTICLES  # 行吧小驴，...
    goes_on = tail[:1] in {"，", ","} and (brief or words.QUESTION_ZH.search(before) is not None)
    if alone and (END.match(tail) or goes_on) and _closes_zh(before):
        return "named at the end"
    return "told what to do" if tail.startswith(("你", "您")) else ""  # 这个问题小驴你来回答


def _closes_zh(before: str) -> bool:
    """A name may follow: the clause asks, thanks, greets or has its particle. 收获满满 calls nobody."""
    forms = (words.QUESTION_ZH, wishes.REQUEST_ZH, words.THANKS, words.SECOND_PERSON, words.OPEN_ZH)
    return (
        not HAN.search(before[-1:]) or before[-1] in PARTICLES or any(form.search(before) for form in forms)
    )


def _unknown(text: str, low: str) -> tuple[int, int, str, str] | None:
    """A call of somebody who is not known here, at the start of the text."""
    if (kin := KIN_FIRST.match(low)) and kin[1] in people.KIN:
        return kin.start(1), kin.end(1), f"@{kin[1]}", UNKNOWN
    if match := UNKNOWN_LATIN.match(text):
        name, mark = match[1].lower(), match[2]
        proper = (match[1][0].isupper() or mark == ":") and not FAILURE.fullmatch(match[1])
        if proper and name not in words.NOT_NAMES and name not in words.ABOUT:
            return 0, match.end(1), f"@{name}", UNKNOWN
    if (match := UNKNOWN_ZH.match(text)) and people.calls_a_person(match[1]):
        return 0, match.end(1), f"@{match[1]}", UNKNOWN
    if (match := UNKNOWN_YOU_ZH.match(text)) and people.calls_a_person(match[1]):
        return 0, match.end(1), f"@{match[1]}", UNKNOWN
    if match := TITLED_ZH.match(text) or ALL_FIRST.match(low):
        return match.start(1), match.end(1), f"@{match[1]}", UNKNOWN
    for pattern in (
        UNKNOWN_YOU,
        UNKNOWN_WE,
        UNKNOWN_SO,
        UNKNOWN_AFTER,
        UNKNOWN_YOU_LAST,
        UNKNOWN_THANKED,
        UNKNOWN_LAST,
        UNKNOWN_ASKED,
    ):
        if (match := pattern.match(text)) and match[match.lastindex or 1].lower() not in words.NOT_NAMES:
            start, end = match.span(match.lastindex or 1)
            return start, end, f"@{text[start:end].lower()}", UNKNOWN
    if (match := UNKNOWN_LAST_ZH.match(text)) and people.calls_a_person(match[1]):
        return match.start(1), match.end(1), f"@{match[1]}", UNKNOWN
    return None


def _without(low: str, called: list[tuple[int, int, str, str]]) -> str:
    parts, at = [], 0
    for start, end, _, _ in called:
        if start >= at:
            parts.append(low[at:start])
            at = end
    parts.append(low[at:])
    return " ".join("".join(parts).strip(" <>@:,，：、-").split())
