"""The words around those that ask for something later: what lets them be a wish, and what takes it back."""

import re

from bot.schedule.intent_asking import KINDS
from bot.text.lazy import Pattern

_I = re.IGNORECASE

# What may stand before the asking words in their clause, besides the time.
_OPENERS = {
    "es": r"por|favor|oye|hola|puedes|podr[ií]as|puede|quiero|quisiera|que|necesito|me|y|tambi[eé]n"
    r"|a|al|el|la|en|no"
    r"|te|olvides|de|acu[eé]rdate|para|los|las|desde|cada|todos|todas",
}  # fmt: skip
# Not said to the bot as a wish, wherever it stands: reported, asked about, quoted, over.
AGAINST = Pattern(
    r"^\W*(?:(?:please|can|could|would|you|help|me)\s+)*(?:translate|explain)\b"
    r"|\b(?:translation of|how (?:do|would|can) (?:i|you|we) say|what does|what do"
    r"|meaning"
    r"|mean(?:s|t)? by"
    r"|in (?:french|spanish|german|chinese|english|arabic|hindi)"
    r"|(?:write|compose|draft)\b.{0,30}\b(?:poem|lyrics|essay|story|song|letter))\b"
    r"|\b(?:is there (?:an? |any )?(?:such )?(?:feature|function|app|way(?! (?:that )?(?:you|u) (?:can"
    r"|could)))|do you have (?:an? |any |that )?"
    r"(?:feature|function))\b|(?:有没有|有|支持|带)(?:这个|这种|这样的|提醒|定时|此)+功能"
    r"|[,\"”-]\s*(?:(?:my|the|our)\s+)?\w+\s+(?:said|says|told|asked|goes|yelled|wrote)(?=\W*(?:$|lol|haha))"
    r"|^\W*(?:just\s+)?(?:an?\s+)?(?:friendly|gentle|kind|polite)\s+reminder\b(?!\s+(?:at|in|on|for|every"
    r"|to\s+me)\b)"
    r"|^\W*(?:just\s+)?a\s+reminder\s+(?:that|to\s+(?:all|every\w+))\b|^(?:友情|温馨)?提醒(?:一下|下)?(?:各位|大家"
    r"|诸位)[，,：:]"
    r"|\bis\s+(?:(?:such|like)\s+)?(?:an?|my|the)\s+(?:\w+\s+)?(?:song|film|movie|book|album|track|lyric"
    r"|title|quote)"
    r"|remind\s+(?:me|us)\s+never\s+(?:to|again)\b"
    r"|(?:lyrics?|quote|title|歌词|台词|标题|歌名|书名|诗句|原文|引用)\s*[:：]"
    r"|(?:拟|起草|编写?)(?:一)?[段份条封个则]|(?:就|快)要[^，。]{1,8}了[^，。]{0,6}[，,。！!]\s*(?:快|赶紧|马上)"
    r"|再.{0,12}(?:提醒|叫|喊).{0,14}就|翻译|译成|怎么说|怎么写|什么意思|一词|这个词|写(?:一)?[首封篇段条]|写.{0,8}诗"
    r"|traduce|c[oó]mo se dice"
    r"|qu[eé] significa"
    r"|ترجم|ما معنى|अनुवाद|का मतलब",
    _I,
)
QUOTED = Pattern(
    r"[\"“”«»「」『』《》](?:[^\"“”«»「」『』《》]{3,})[\"“”«»「」『』《》]|(?<!\w)'[^']{4,}'(?!\w)"
)
ZH_PAST = Pattern(
    r"提醒[了过]|叫[了过]|(?:没|没有|曾|曾经|已经)(?:有)?(?:提醒|叫)|提醒.{0,6}了(?:吗|么|没|嘛)"
    r"|什么时候提醒"
)
# 叫我 is a name that is told, unless a time is.
ZH_CALL = Pattern(r"叫|喊|戳|闹我|把")
# "Remind me what her name was": asked about, not for later, unless a time to come is said.
ABOUT = Pattern(
    r"^\s*when\s+(?:the|my|our|your)\s+\w+(?:\s+\w+)?\s+(?:is|was|are)\b(?!\s+\w+ing\b)"
    r"|^\s*(?:again\s*)?,?\s*(?:did|do|does|is|are|was|were|have|has|had|of(?!\s+[\w-]+\s+(?:minute|min"
    r"|hour|second"
    r"|sec))|what|who|whom|whose|how|why|where|which|when(?!\s+(?:it'?s|it\s+(?:hits|gets|strikes|turns|reaches|is)|i|we"
    r"|the|\d|[\w-]+\s+(?:minute|min|hour|second|sec)))|whether)\b"
    r"|^.{0,12}(?:什么|怎么|哪|谁|为何|为什么|是不是|多少|几[个岁]|来着|上次|上回|是.{1,12}还是)|^\s*(?:qu[eé]|qui[eé]n"
    r"|c[oó]mo|cu[aá]l|d[oó]nde|por qu[eé])\b",
    _I,
)
# "Remind me of the board meeting tomorrow at ten" names what it is for; "of what she said" asks.
OF_A_THING = Pattern(
    r"^\s*of\s+(?:the|my|our|his|her|their|this|that|an?)\s+(?!(?:name|word|time|day|date)\b)\w+", _I
)
# A thing at the start is asked for, unless something is told of it: "an alarm at three woke us all".
THING = Pattern(
    rf"\W*(?:(?:an?|{KINDS})\s+)*(?:[\w-]+\s+(?=reminder))?(?:[\w.]+[\s-](?:minute|min|hour|second|sec|hr)s?\s+)?"
    r"(?:reminder|alarm|timer|countdown|wake[- ]?up\s+call|nudge|shout|heads[- ]?up|ping|poke|prod|buzz)s?$",
    _I,
)
TOLD_OF_IT = Pattern(
    r"^(?:(?!\b(?:to|about|for|that|because|so|when|if|would)\b|[:;,.-]).)*?\b(?:is|was|were|are|has|had"
    r"|did|does|isn'?t|didn'?t|wasn'?t"
    r"|\w{2,}ed|woke|went|rang|got|made|sucks|hurts|keeps|broke)\b",
    _I,
)
# "Monday mornings remind me of school": a time that comes again is who reminds.
AS_SUBJECT = Pattern(r"\W*(?:[a-z]+\s+)?[a-z]+s\s+remind\s+\w+\s+of\b", _I)
# Whom nobody in particular is, when no time is said: "can you remind people".
NOBODY = Pattern(
    r"remind\s+(?:people|persons|users?|some(?:one|body)|any(?:one|body)|others|folks)\b|提醒(?:别|他)?人(?!民"
    r"|家)|提醒用户",
    _I,
)
# A time that is none: asked about in a question on what the bot can do.
ANY_TIME = Pattern(
    r"\b(?:at|on|for)\s+(?:an?\s+)?(?:certain|specific|particular|given|fixed|set|different|any|various)\s+"
    r"(?:times?|dates?|days?|hours?|moments?)\b|(?:指定|特定|固定|某个?|任意|任何|具体)(?:的)?(?:时间|日期|时候|时刻)",
    _I,
)
# Work that is done at a time, while what is looked up or told may be of one: "run the backup at one".
ACTS = Pattern(
    r"(?:re-?run|redo|run|post|publish|back\s+up|restart|archive|start|launch|execute|trigger|prepare|generate|compile)\b"
)
# Done before, so that a day is enough: 周五再帮我查一次, "look up flights again on Friday".
AGAIN = Pattern(r"\bagain\b|再")
# Looks something up at once: a time behind it is of what is looked up.
LOOKS = Pattern(
    r"\W*(?:(?:please|pls|plz|can|could|would|you|u|hey|ok)\s+)*(?:compare|check|find|look\s+(?:up|for)|search|list|calculate|translate|work\s+out)\s",
    _I,
)
AT_THE_START = Pattern(r"\W*(?:(?:at|on|by|in|around|from)\s+)?", _I)
BEFORE_WORK = Pattern(r"[\s,，]*(?:左右|前后|的时候)?(?:请|再|重新|自动|到时候?|please\s)?\s*", _I)
# A lead before the asking words makes a day as good as an hour: 提前一天跟我说, and so does 记得跟我说.
AHEAD = Pattern(r"提前[^，。]{1,5}$|(?:记得|别忘了?|务必|千万)(?:要)?$")
# Asked to ask, a day that was said first is enough: 周二问我包裹到了没.
ASKS_BACK = Pattern(r"ask\s|问|[跟和]我提|br(?:ing|ought)\s", _I)
# Told to keep it in mind: what is to be told then is for later.
REMEMBERS = Pattern(r"\b(?:remember|(?:don'?t|do not|never)\s+forget|(?:make|be)\s+sure)(?:\s+to)?\s*$", _I)
OF_WHICH_ZH = Pattern(r"[^，。,.]{0,3}的(?!时候|话)")
WHAT_FOLLOWS = Pattern(r"\s*[:：]")  # what the reminder is of, with a time of its own
# Urged, a day is enough: 周五催我交作业.
ZH_URGES = Pattern(r"再?(?:通知|催|督促|监督|唠叨|念叨|盯着)")
# A question before the asking words is what is asked about: 周六都有谁来着，提醒我下.
ZH_ASKED = Pattern(r"来着|谁|什么|哪|几[点号个]|多少|吗[，,？?\s]")
# What is told has a time of its own: it is about something, or a clause tells it.
TOLD = Pattern(
    r"\b(?:that|who|which|why|how|what|where|whether|if|because|since|between|than|but|is|are)\b"
    r"|\b(?:for|of|from|about|until)\s*$|什么|怎么|为什么|哪|多少|几",
    _I,
)
# "Tell me when it hits eleven", "schedule a message for eight": the time is when to do it.
IS_WHEN = Pattern(
    r"schedule\b|.*\b(?:when|once|as\s+soon\s+as)\s+(?:it|the\s+clock)(?:'s|\s+\w+)(?:\s+to)?\s*$", _I
)
# 让我九点睡 lets me sleep, 九点让我去睡 makes me go.
LETS_ZH = Pattern("让")
# "Show me flights on Friday at nine": what is shown is of that time.
SHOWS = Pattern(r"show\s", _I)
# "Tell me to go at five", "send me a joke at noon": what is told has no time of its own.
TO_TELL = Pattern(
    r"(?:tell|ask|remind|warn|text|message)\s+(?:me|us)\s+(?:not\s+)?to\s(?!my\b|your\b|the\b)"
    r"|(?:send|tell|post|read|text|message)\s+(?:me|us)\s+(?:an?|some|one"
    r"|another)(?:\s+[\w'-]+){1,2}\s+(?:at|in|on|by|around|#)?\s*$",
    _I,
)
MAKES = Pattern(
    r"(?:write|give|show|read|get|tell|bring|send|post|drop)\b(?!\s+(?:me|us)\s+(?:an?"
    r"|the|my)\s+(?:\w+\s+)?"
    r"(?:message|note|line|text|shout|call|ring|bell|poke|nudge|reminder|warning|sign|signal|ping|update"
    r"|e?-?mail|notification|heads-up)\b)",
    _I,
)
# A circumstance of the reminder, after which comes what to do: "… after lunch to return the book".
TO_DO_THEN = Pattern(
    r"^\s*(?:again\s+)?(?:(?:\w+\s+){0,2}?(?:after|before|when|once|as soon as|if|at|in|on|by|while|until)"
    r"\s(?=.*\w).*)",
    _I,
)
QUESTION_MARK = Pattern(r"^[^。.!！\n]*[?？]")
QUESTION = Pattern(
    r"[?？]|^\s*(?:what|who|when|where|why|how|which|is|are|was|were|do|does|did|will|has|have|should)\b"
    r"|吗|呢|什么|怎么|几点|哪|谁|^\s*[¿]|^\s*(?:qu[eé]|cu[aá]ndo|d[oó]nde|c[oó]mo|هل|متى|ما|क्या|कब)\b",
    _I,
)  # fmt: skip
# Said of something that is to come: the bot may offer to remind.
NO_PLAN = Pattern(
    r"\b(?:cancel\w*|did(?:n'?t| not)|forgot|was|were|had|said|told)\b|取消|没忘|忘了|说过|改期|昨"
    r"|cancelad|olvidé",
    _I,
)
PLAN = Pattern(
    r"\b(?:appointment|meeting|flight|deadline|due|exam|interview|dentist|doctor|need to|have to"
    r"|has to|must|gotta"
    r"|should|call|pay|pick up|buy|submit|finish|cita|reuni[oó]n|vuelo|examen|entrevista|tengo que"
    r"|hay que)\b"
    r"|开会|会议|有个会|考试|面试|航班|飞机|火车|截止|要交|交作业|必须|需要|得去|要去|看牙|看医生"
    r"|还款|打电话"
    r"|موعد|اجتماع|رحلة|يجب|मीटिंग|परीक्षा|अपॉइंटमेंट|उड़ान",
    _I,
)


OPENERS = {lang: Pattern(rf"^(?:(?:{words})?[\s,:;!.'-]*)*$", _I) for lang, words in _OPENERS.items()}

# Between the asking words and their time.
BESIDE = Pattern(
    r"\s*(?:up|again|back)?\s*(?:at|in|on|by|around|about|for|from|a las?|el|下|一下|在|于)?\s*", _I
)
# A length of time with a timer: from now on.
TIMER = Pattern(
    r"timer|count\s*down|alarm|time\s+(?:me|this)|(?:have|has|are|is)\s+(?:passed|up|over|gone|elapsed)"
    r"|\bnap\b|到点|到时间|时间到|眯|小睡|午睡|睡(?=[\d一二两三半])|闹|倒计时|定时|计时|计个时|倒数|番茄钟|temporizador|alarma|مؤقت|منبه|टाइमर"
    r"|अलार्म",
    _I,
)
# "Tell me to flip it in 20", "up by 6", "at5": where nothing else was said of time.
BARE_LENGTHS = (
    (
        Pattern(
            r"(?<=\bgive me )(?:\d+|an?|half an|five|ten|fifteen|twenty|thirty|forty)"
            r"\s*-?(?:hour|minute|min|hr)s?"
            r"(?=\s*,?\s*(?:then|and|before)\b)",
            _I,
        ),
        "in {}",
    ),
    (
        Pattern(
            r"\bin\s+(?:[1-9]\d?|five|ten|fifteen|twenty|thirty|forty|forty[- ]five|fifty)(?=\s*(?:$|[.,;!?]"
            r"|(?:to|that|so|please|pls|plz|about|tell|ping|remind|wake|ok|thanks)\b))",
            _I,
        ),
        "{} minutes",
    ),
    (
        Pattern(
            r"(?<=\bby )(?:1[0-2]|[1-9])(?=\s*(?:$|[.,;!?]|(?:to|or|please|pls|plz|tell|ping|remind|wake"
            r"|ok|thanks)\b))",
            _I,
        ),
        "at {}",
    ),
    (
        Pattern(
            r"(?:^|(?<=[,.;:!?-]\s))(?:\d+|an?|half an|five|ten|fifteen|twenty|thirty|forty)"
            r"\s*-?(?:hour|minute|min|hr)s?"
            r"(?=\s*(?:$|[,.;:!?]))",
            _I,
        ),
        "in {}",
    ),
    (
        Pattern(
            r"(?:^|(?<=[，。！,.!])|(?<=给我))[\d一二两三四五六七八九十半]+个?半?(?:小时|分钟|刻钟|钟头)(?=$|[，。！,.!]|到(?:了|点)?|一到)"
        ),
        "{}后",
    ),
    (Pattern(r"(?<=\bat)(?:1[0-2]|[1-9])(?:[ap]m)?\b", _I), "at {}"),
)
LENGTHS = (
    (
        Pattern(
            r"(?:\d+(?:[.,]\d+)?[\s-]*(?:(?:hour|minute|min|second|sec|hr)s?|[hms])"
            r"|(?:half an|\w+)[\s-]+(?:hour|minute|min|second|sec|hr)s?)\b"
            r"(?:\s*(?:and\s+)?\d+\s*(?:minute|min|second|sec)s?\b)?",
            _I,
        ),
        "in {}",
    ),
    (Pattern(r"(?<![\d.])\d{1,2}\.[0-5]\d(?![\d.])"), "at {}"),
    (
        Pattern(
            r"(?:\d+|[一二两三四五六七八九十半百]+)个?半?(?:小时|分钟|分|秒钟?|刻钟"
            r"|钟头)(?:\d+(?:分钟?|秒))?"
        ),
        "{}后",
    ),
    (Pattern(r"(?:\d+|una?|media)\s*(?:hora|minuto|segundo)s?\b", _I), "en {}"),
    (Pattern(r"\d+\s*(?:दिन|घंटे|घंटा|मिनट|सेकंड)"), "{} बाद"),
    (Pattern(r"\d+\s*(?:دقيقة|دقائق|ساعات|ساعة|ثانية|ثوان)"), "بعد {}"),
)

SCRIPTS = (
    ("zh", Pattern(r"[\u3400-\u9fff]")),
    ("ar", Pattern(r"[\u0600-\u06ff]")),
    ("hi", Pattern(r"[\u0900-\u097f]")),
)
