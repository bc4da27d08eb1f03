"""The words by which people ask for something later.

Latin patterns stand between word borders; those of the other scripts need none.
"""

import re

from bot.text.lazy import Pattern

_I = re.IGNORECASE

# What makes a noun of 提醒 that stands before it: "the reminders' sound".
_NOUN_ZH = (
    "功能|事项|收到|来得|响|错|早了|晚了|迟|准|及时|管用|有用|成功|失败|铃|音|声|词|服务|列表|软件|短信|邮件|方式|时间|设置|次数|内容|框|窗|栏|信息|消息|语|的|是|太|很"
    "|不|没|有"
    "|都|总|也|会|已|又|来了"
)
# Words before "me" that ask the bot for nothing: no verbs, verbs that are told of, or asked of people.
_NO_REQUEST = (
    r"(?:\w+(?:ed|ing|[^s]s)|about|above|after|around|at|before|behind|below|beside|between|by|for|from|in"
    r"|into|like"
    r"|near|of|off|on|onto|over|past|than|to|towards?|under|until|upon|via|with|without|and|or|but|as|not"
    r"|let|excuse"
    r"|believe|kill|sue|bite|judge|spare|blame|trust|help|forgive|pardon|meet|join|pick|drive|marry|love|miss|cost|took|take|gave|made"
    r"|make|kept|keep"
    r"|told|said|sent|got|left|put|saw|see|know|knew|hate|want|need|bless|save|fool|bother|suit|mind|woke"
    r"|hit|beat|told"
    r"|visit|follow|thank|treat|pay|invite|unlike|all|both|does|is|was|will)\s"
)
KINDS = "daily|weekly|monthly|hourly|quick|little|small|short|gentle|friendly|final"
_NUDGE = r"(?:shout|nudge|ping|poke|prod|heads[- ]?up|reminder|buzz|holler|yell|kick|jab|bell)"
# "Would you mind …ing", "how about …ing".
GERUND = r"(?:mind|fancy|chance\s+of|how\s+about|what\s+about)"
# What a thing that is offered or asked for politely is said to be: "a nudge at four would be great".
_WELCOME = r"(?:would|'d)\s+be\s+\w+"
_WHOM = (
    r"(?:me|us|them|everyone|everybody|(?:both|all)\s+of\s+us|all"
    r"|(?:the|our|my|this)\s+(?:group|team|channel|chat|family|class|others))"
)

# Asks for a reminder as such. What is asked may be said without a time ("remind me to buy milk").
_STRONG = {
    "en": (
        r"remind\s+(?!\w+sel(?:f|ves)\b)(?:me|us|him|her|them|everyone|everybody|(?:both|all)\s+of\s+us|all|the\s+(?:group|team)"
        r"|@?\w+)",
        r"(?:would|'d)\s+(?:really\s+)?(?:appreciate|love|like)\s+being\s+(?:reminded|woken|nudged|pinged"
        r"|told)",
        r"remind(?=\W*$)",
        rf"{GERUND}\s+(?:reminding|waking|pinging|nudging|poking|buzzing|nagging|bugging|prodding)\s+{_WHOM}",
        rf"{GERUND}\s+giving\s+(?:me|us)\s+(?:an?\s+)?(?:\w+\s+)?{_NUDGE}",
        rf"{GERUND}\s+setting\s+(?:up\s+)?(?:an?\s+)?(?:\w+\s+)?(?:reminder|alarm|timer)",
        r"(?:be|get)\s+reminded|(?:need|want|could\s+use)\s+(?:reminding|waking|nudging|poking|pinging)",
        r"^\W*(?!(?:the|my|our|your|no|this|that|his|her|any|got|get|another)\b)[\w-]+\s+reminder"
        r"(?=\s+(?:at|for|in|on|every|tomorrow|tonight)\b)",
        r"^\W*reminder(?=\s*[.;]\s)",
        r"(?!(?:do|have|use|like|love|one)\s+(?:reminders|alarms|timers)\b)"
        r"(?:set|add|create|make|schedule|put|need|want|have|get|new|another|start|do|pop|drop|appreciate"
        r"|leave"
        r"|send|shoot|throw|give|like|love|(?:could|can)\s+use|one|stick|whack|bung|chuck|book|arrange"
        r"|program|register|pencil|enter"
        r"|(?:any\s+)?chance\s+of|run|begin|activate|configure|organi[sz]e|(?:grateful|thankful)\s+for"
        r"|glad\s+of|(?:trouble"
        r"|bother|ask)\s+(?:you|u|ya)\s+for|put\s+(?:me|us)\s+down\s+for)"
        r"(?:\s+(?:up|in|on|down|out|off|me|us))*"
        rf"(?:\s+(?:an?|one|two|three|four|some|\d|the|my|another|new|recurring|{KINDS}|[\w-]+(?:\s|-)"
        r"(?:minute|min|hour|second|sec|hr)s?|\w+-minute))*"
        r"\s+(?:reminder|alarm|timer|countdown|nudge|prod|poke|ping|buzz|shout|kick|heads[- ]?up"
        r"|wake[- ]?up call|check-in)s?",
        rf"(?:^\W*|(?<=[,.;:!?]\s)(?=\S+\s+(?:for|at|in)\b|\d+[\s-]))(?:(?:an?"
        rf"|{KINDS})\s+)*(?:[\w.]+[\s-](?:minute|min|hour|second|sec|hr)s?\s+)?"
        r"(?:reminder|alarm|timer|countdown|wake[- ]?up\s+call)s?(?=\s*(?:$|[:,-]"
        r"|to\b(?!\s+self)|for\b|at\b|in\b|on\b|of\b|please\b|pls\b|plz\b"
        r"|about\b|every\b|tomorrow\b|tonight\b|today\b|\d))",
        r"(?<=\bif you )(?:reminded|woke|pinged|nudged|told|messaged|texted)\s+(?:me|us)",
        r"(?:set|put)\s+(?:something|one)(?:\s+up)?(?=\s+(?:for|so)\b)",
        r"add\s+(?:(?:this|it|that)\s+)?to\s+(?:my|our|the)\s+reminders",
        r"schedule\s+an?\s+(?:daily|nightly|weekly|monthly|hourly|recurring|regular)(?=\s+\w)",
        r"wake\s+(?:up\s+)?(?:me|us|(?:both|all)\s+of\s+us)(?:\s+up)?",
        r"appreciate\s+being\s+(?:reminded|woken|nudged|pinged|told)",
        r"(?:get|have|kick|drag|haul|throw|pull|roll)\s+(?:me|us)\s+(?:up|out\s+of\s+bed|awake)",
        rf"^\W*an?\s+(?:(?:{KINDS})\s+)*{_NUDGE}(?=\s+(?:at|in|around|about|when|before|on|tomorrow"
        rf"|tonight|every"
        r"|please|pls|plz)\b)",
        r"^\W*(?:nudge|poke|prod|ping|buzz)(?=\s+(?:at|in|around)\s)",
        rf"^\W*reminding\s+(?:me|us)(?=.*\b{_WELCOME})",
        # "Bins on Thursday, reminder please"; "8 minute egg timer"; "6am alarm tomorrow".
        r"(?<=[,.;:!?] )(?:reminder|alarm|timer|nudge)(?=\s+(?:please|pls|plz|thanks|thx)\W*$)",
        r"^\W*(?:please\s+)?[\w.]+[\s-](?:minute|min|hour|second|sec|hr)s?\s+\w+\s+(?:timer"
        r"|countdown)(?=\W*(?:$|please|pls|plz))",
        r"^\W*(?:please\s+)?[\w.]+[\s-]?(?:minute|min|hour|second|sec|hr)s?\s+(?:timer|countdown)(?=\W*(?:go|now|start|thanks"
        r"|thx)\W*$)",
        r"^\W*(?!(?:the|my|our|your|no|this|that|his|her)\b)\w+\s+(?:timer"
        r"|alarm)(?=[\s,:]+(?:for\s+)?[\w.]+\s*-?(?:minute|min|hour"
        r"|second|sec|hr)s?\W*(?:$|please|pls|plz))",
        r"(?<!\S)(?<=am |pm |00 |30 |15 |45 )(?:alarm|wake[- ]?up\s+call)(?=\W*(?:$|please|pls|plz"
        r"|tomorrow|tmrw|tmr|on|every|for)\b)",
        rf"(?:ping|poke|nudge|buzz|nag|bug|pester|badger|hassle|hound|prod)\s+{_WHOM}",
        rf"(?:yell|shout|holler|scream)\s+(?:at|to|for)\s+{_WHOM}",
        r"check\s+(?:(?:in|back|up)\s+)?(?:with|on)\s+(?:me|us)",
        rf"give\s+(?:me|us)\s+(?:an?\s+)?(?:(?:{KINDS})\s+)*{_NUDGE}",
        rf"(?:keep|start|begin|continue)\s+(?:reminding|waking|pinging|nudging|poking|nagging|bugging)\s+{_WHOM}",
        r"(?:don'?t|do not|never)\s+let\s+(?:me|us)\s+(?:forget|miss|oversleep|sleep\s+(?:in|past)|be\s+late"
        r"|leave\s+without|lose\s+track)",
        r"(?:don'?t|do not|never)\s+let\s+(?:it|this|that)\s+slip\s+(?:my|our)\s+minds?",
        r"(?:(?:make|be)\s+sure|see(?:\s+to\s+it)?|ensure)\s+(?:that\s+)?(?:i|we)\s+(?:(?:don'?t|do not)\s+"
        r"(?:forget|miss|oversleep)"
        r"|remember)",
        r"(?:stop|keep|prevent)\s+(?:me|us)\s+from\s+(?:forgetting|missing|oversleeping)",
        r"help\s+(?:me|us)\s+(?:to\s+)?remember|jog\s+(?:my|our)\s+memor(?:y|ies)",
        r"count\s*down(?=\s+[\w-]+[\s-](?:minute|min|hour|second|sec)s?\b)",
        r"time\s+(?:me|this)(?=\s+(?:for\s+)?[\w-]+[\s-](?:minute|min|hour|second|sec)s?\b)",
    ),
    "zh": (
        r"提醒(?:一下|下)?(?:我们?|咱们?|大家|所有人|全体|他们?|她们?|@\w+|小\w|老\w)",
        r"让(?:我们?|大家)(?:想起|记起|记得)",
        r"把(?:我们?|大家)(?:叫|喊|弄|吵|闹)(?:醒|起来)?|敲(?:一下)?我|闹我",
        r"(?:叫醒?|喊|唤醒|戳|吵醒|弄醒|喊醒|催醒|闹醒|戳戳|敲敲|拍拍)(?:一下|下)?(?:我们?|大家)(?:起床|起来|一声|一下)?",
        r"提(?:一|个|一个|下)醒(?!了|目)(?:一下|下)?|提示(?:一下|下)?(?:我们?|大家)",
        r"(?:设|定|订|加|建|创建|设置|设定|添加|新建|来|开(?=一?个)|(?<![早晚])上|弄|搞|安排|收到|(?<!不)要(?!不)"
        r"|需要)(?:置|上)?(?![了的好过])(?:一?个"
        r"|一下)?[^，。？！,?!]{0,14}?(?:提醒|闹钟|闹铃|倒计时|定时器|计时器?|番茄钟"
        r"|叫醒服务|叫早)(?!我|我们|大家|他|她|响|吵|没|怎|坏|了|太|把)",
        rf"^(?!倒计时\S{{0,4}}(?:天|个?月|周|年))(?:提醒|闹钟|闹铃|倒计时|定时(?!炸弹|发布|任务|器)|计时|番茄钟)(?!.{{0,8}}(?:把|响|吵|是"
        rf"|了))(?!{_NOUN_ZH})[:：]?",
        r"(?:别|不要|千万别|莫)(?:让我们?|叫我们?)(?:\S{0,4}(?:忘|错过|睡过|迟到|误了|漏))|^(?:倒计时|倒数)(?!\S{0,4}(?:天|个?月|周|年))|倒计时(?=$|[，。！])",
        r"(?<=帮我|给我|替我)(?:计时|计个时|倒计时|倒数)|^[\d一二两三四五六七八九十半]+个?(?:分钟|小时|秒)的?(?:番茄钟"
        r"|倒计时|计时|闹钟)(?!是|吗|够)",
        r"(?:发|推|弹)(?:我)?(?:一?个|条)(?:提醒|闹钟)|(?:叫早(?:服务)?|叫醒服务|morning\s*call)(?=$|[，,。！!])",
        r"(?<=\S\s)提醒(?=$|[。！!])",
        r"(?:remind|ping)\s?(?:一下|下)?(?:我们?|大家)",
        r"(?<=[点半分钟刻\d一二三四五六七八九十])(?:一个|来一?个)?(?:起床|叫醒|早起)?(?:闹钟|闹铃|倒计时)(?=$|[，,。！!])",
        rf"给我(?:一?个|来个)提醒|的(?:闹钟|闹铃|提醒)(?=$|[，,。！!]|(?:帮我|给我|麻烦你?)(?:定|设|安排))|提醒(?!{_NOUN_ZH})",
    ),
    "es": (
        r"recu[eé]rda(?:me|nos|le|les)|av[ií]sa(?:me|nos)|despi[eé]rta(?:me|nos)|recordarme"
        r"|avisarme|despertarme",
        r"(?:pon|ponme|programa|prog[rá]+mame|crea|cr[eé]ame|a[ñn]ade|configura|quiero|necesito|agrega)\s+"
        r"(?:un|una|otro|otra)\s+(?:\w+\s+)?(?:recordatorio|alarma|temporizador|aviso)",
        r"^\W*(?:recordatorio|alarma|temporizador)\s*:?",
        r"(?:que\s+)?no\s+(?:me|se me)\s+(?:dejes\s+)?olvid\w+|me\s+recuerdes|me\s+avises|me\s+despiertes",
        r"no\s+dejes\s+que\s+(?:se\s+)?(?:me\s+|nos\s+)?olvid\w+",
        r"(?:me|nos)\s+(?:puedes?|podr[ií]as?)\s+(?:recordar|avisar|despertar)",
    ),
    "ar": (
        r"(?:و)?(?:ذك[ّ]?رني|ذك[ّ]?رنا|فك[ّ]?رني|نب[ّ]?هني|أيقظني|ايقظني|صح[ّ]?يني|تذك[ّ]?رني"
        r"|تذكيري|ذك[ّ]?ريني)",
        r"(?:اضبط|أضف|اضف|ضع|أنشئ|انشئ|اعمل|شغل)\s+(?:لي\s+)?(?:تذكير|منب|مؤقت)\S*",
        r"(?:لا\s+تدعني|لا\s+تخليني|ما\s+تخليني)\s+(?:أنسى|انسى)",
    ),
    "hi": (
        r"याद\s+(?:दिला(?:ना|ओ|एं|एँ|इए|इएगा|\s*दो|\s*देना|\s*दीजिए|\s*दीजिएगा)?|करा(?:ना|ओ|\s*देना"
        r"|\s*दो)?)(?![ा-ौय])",
        r"जगा\s*(?:ना|ओ|देना|दो|दीजिए)|उठा\s*(?:देना|दो|दीजिए)",
        r"(?:रिमाइंडर|अलार्म|टाइमर|अनुस्मारक)\s+(?:लगा|सेट|बना|जोड़|रख)\S*",
        r"भूलने\s+(?:मत|न)\s+देना",
    ),
}  # fmt: skip

# Asks for something that makes a wish for later only together with a time.
_WEAK = {
    "en": (
        rf"(?:tell|notify|alert|message|text|dm|email|call|ring|phone|ask)\s+{_WHOM}(?!\s+no(?:thing)?\b)",
        r"(?:show|bring|read|write|quiz|test|greet|wish)\s+(?:me|us)(?!\s+(?:luck|well|no)\b)",
        r"make\s+(?:me|us)\s+(?!an?\b|the\b|some\b|my\b|one\b|two\b|feel\b|want\b|wonder\b|think\b)[a-z]{2,12}",
        r"have\s+(?:an?|my|the)\s+(?:\w+\s+){1,2}ready\s+for\s+(?:me|us)",
        r"have\s+(?:me|us)\s+(?!(?:to|at|on|in|by|for|here|there|all|be)\b)[a-z]{2,12}",
        r"be\s+(?:up|awake)(?=.*\b(?:can|could|will|would)\s+(?:you|u)\b)",
        r"(?:send|post|give|get|show|drop|shoot)\s+(?:me|us)|hit\s+(?:me|us)\s+up",
        r"let\s+(?:me|us)\s+know|say(?=\s+(?:[\"“']|to\s|that\s|hi|hey|hello|good|happy|it'?s\s+time))",
        r"schedule\s+(?:an?\s+)?(?:message|text|note|e-?mail|post)(?:\s+(?:to|for)\s+(?:me|us))?",
        r"(?:(?:make|be)\s+sure|see(?:\s+to\s+it)?|ensure)\s+(?:that\s+)?(?:i|we)(?:'?(?:m|re)|\s+(?:am"
        r"|are|get|go|leave|take|call|eat|drink"
        r"|start|stop|finish|bring|send|pay|do|wake|log|join|turn|move|see|say|have|buy|put|pick))",
        r"follow\s+up\s+with\s+(?:me|us)|keep\s+(?:me|us)\s+(?:posted|updated|informed|in\s+the\s+loop)",
        r"(?:don'?t|do not)\s+forget\s+(?:about\s+)?(?:me|us)"
        r"|check\s+back|circle\s+back|get\s+back\s+to\s+(?:me|us)",
        r"(?:bring|brought)\s+(?:this|it|that)\s+(?:back\s+)?up(?:\s+again)?"
        r"|(?:bring|brought)\s+up\s+(?:[\w-]+\s+){1,4}?(?:with\s+(?:me|us)\s+)?again",
        r"(?:show|send|bring|read)\s+(?:it|them|that|those)\s+to\s+(?:me|us)",
        r"(?:be|get)\s+(?:woken(?:\s+up)?|called|told|pinged|nudged|notified|alerted|messaged|texted|poked"
        r"|warned)",
        rf"(?!{_NO_REQUEST})[a-z]{{2,12}}\s+(?:me|us)(?=\s*(?:$|[,.;!]|(?:at|in|on|to|about|that|when|once"
        rf"|after|before"
        r"|if|again|up|every|each|tomorrow|tonight|today|next|later|this|by|around|so|because|from|an?"
        r"|half|ten|five|fifteen|twenty|\d+)\b))",
        r"(?:shout|holler|yell|beep|ping|buzz)(?=\s*(?:(?:\S+\s+){2,3}before\b|$|[.!]|when\b|once\b|at\s+\w+\s*$|in\s))",
        r"(?:notify|alert|inform|(?:(?<=pls )|(?<=please ))wake)(?=\s+(?:at|in|on|by)\s)",
        rf"{GERUND}\s+(?:telling|messaging|texting|calling|letting|sending|asking|alerting"
        rf"|notifying)\s+{_WHOM}",
        # Something that the bot is to keep from happening.
        r"(?:don'?t|do not|never)\s+let\s+(?:me|us)\s+(?!\w+\s+(?:you|u)\b|down\b|be\b|go\b(?!\s+\w)|in\b"
        r"|get\s+(?:started|going)\b"
        r"|start\b)[a-z]{2,12}",
    ),
    "zh": (
        r"(?:告诉|通知|问问?|赶|催催?|叫叫|喊喊|联系|打给|呼叫|告知|知会|监督|督促|盯着|考考?|艾特|@|圈|call|cue|呼|踢|拍拍?|滴滴?"
        r"|警告|抽查|鼓励|唠叨|念叨|祝|夸|短信|微信)"
        r"(?:一下|下)?(?:我们?|大家|一下)",
        r"(?:给|向|跟|和)(?:我们?|大家)(?:发|推送|推(?!荐)|讲|播报|看|说|汇报|念|报|播|打(?:个|一个|通)?电话|总结|送|提(?=一下|一嘴|起|$|[，。！]))",
        r"把[^，。？?]{1,20}(?:发|列|写|整理|汇总|总结|做|念|读)(?:好|出来|一下|成[^，。]{1,4})?给(?:我们?|大家)",
        r"发(?:一?[条个])?(?:消息|信息|微信|短信|通知)(?=[^，。]{1,4}我)",
        r"(?:希望|想)[^，。]{0,12}(?:看到|收到|听到)你",
        r"(?:带|陪|教|领)(?:着)?我们?(?:做|练|读|学|背|聊|复习|打卡|过)",
        r"给(?:我们?|大家)(?:出|列|整理|准备|查|找|挑|选|推荐|安排|布置|放)",
        r"(?:推|发|出|讲|念|列|挑)[^，。我]{1,8}给(?:我们?|大家)",
        r"播报|(?:说|吱|吭|叫|喊|告诉|通知|招呼|言语)一?声(?!就|都|也|不(?![？?]?$)|没)",
        r"(?:发|推送|汇报|报)(?:给)?(?:我们?|大家|一[条份个]|新闻|天气|消息)",
        r"(?:念|读|讲|说|唱|转|转发|推送|播)给(?:我们?|大家)",
        # What the bot is to make me do, do to me once, or do for me to hear.
        r"(?<!别)让(?:我们?|大家)(?!我|提醒|想|看看|试|猜|考虑|觉得|很|好|高兴|开心|难)(?=\S)",
        r"[\u4e00-\u9fff]{1,2}(?:我们?|大家)(?:一|两|几|三)(?:下|次|声|遍|回|句|嗓子)",
        r"(?:保证|确保)(?:我们?|大家)(?=\S)|给(?:我们?|大家)来[段个条点份首]",
        r"(?:念|讲|说|唱|放|读|播|发)(?:一?[个段首篇则条份])[^，。！？]{1,8}给(?:我们?|大家)(?:听|看)?",
        r"提前[半一二两三四五十\d]+个?(?:分钟|小时|钟头|刻钟|天)(?:说|叫|喊|告诉)(?=$|[，。！!])",
        r"(?:帮|替|给)我(?:记|想|惦记|留意)(?:着|得|住)点?(?!.*是)",
    ),
    "es": (
        r"d[ií](?:me|nos|game)|m[aá]nda(?:me|nos)|env[ií]a(?:me|nos)|preg[uú]nta(?:me|nos)"
        r"|ll[aá]ma(?:me|nos)|escr[ií]be(?:me|nos)|notif[ií]ca(?:me|nos)",
    ),
    "ar": (r"(?:أخبرني|اخبرني|أرسل\s+لي|ارسل\s+لي|قل\s+لي|أعلمني|اسألني|اتصل\s+بي|ابعث\s+لي)",),
    "hi": (r"(?:बता|भेज|पूछ|सूचित\s+कर|कॉल\s+कर|फ़ोन\s+कर)\s*(?:ना|ओ|ो|दो|देना|दीजिए|िए|एं)",),
}  # fmt: skip

# Work that is a wish for later where it comes again and again.
_WORK = {
    "en": (
        r"(?:check|watch|monitor|look\s+(?:up|at)|summari[sz]e|fetch|report|post|publish|run"
        r"|collect|compile|gather|scan|search|generate|prepare|announce|pull|grab|download|back\s+up"
        r"|restart|archive|start|launch|execute|trigger|find\s+out|draft|re-?run|redo)",
    ),
    "zh": (
        r"(?:帮|替)我(?:再|重新|自动)?(?!记|想|留意|忙|个)(?=[\u4e00-\u9fff])"
        r"|检查|查(?:一下|看)?|总结|监控|看一下|汇总|生成|整理|统计|搜(?:一下|索)|抓取|列(?:出|一[份个])|搜(?:一[遍次下搜])|备份",
    ),
    "es": (r"revisa|comprueba|resume",),
    "ar": (r"(?:افحص|راقب|لخص)",),
    "hi": (r"(?:जाँच|चेक|देख)\s*(?:ना|ो|कर)",),
}


def _joined(patterns: tuple[str, ...], *, latin: bool) -> Pattern:
    alternatives = "|".join(f"(?:{pattern})" for pattern in patterns)
    return Pattern(rf"(?<!\w)(?:{alternatives})(?!\w)" if latin else alternatives, _I)


LATIN = ("en", "es")
STRONG = {lang: _joined(found, latin=lang in LATIN) for lang, found in _STRONG.items()}
WEAK = {lang: _joined(found, latin=lang in LATIN) for lang, found in _WEAK.items()}
WORK = {lang: _joined(found, latin=lang in LATIN) for lang, found in _WORK.items()}
