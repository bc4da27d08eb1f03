"""Who asks whom, and how: whether the words before a request let it be one that is made to the bot.

A verb in its base form is judged by the grammar of `intent_grammar`; what may be a past form or a noun, too
("set", "alarm"), a gerund or a passive stands only after words that are known to ask.

A request is an imperative, or is put into a frame ("could you …", "I'd like you to …", 能不能…).
Before it may stand a call ("hey", 麻烦你) and a circumstance ("when I get home", 下班以后). Any other
subject of the asking words (she, my phone, 我妈) makes them a report; a negation, a condition on
somebody's asking or a question word takes them back. The time has been taken out of what is looked at.
"""

import re

from bot.schedule.intent_asking import GERUND
from bot.schedule.intent_grammar import is_commanded
from bot.text.lazy import Pattern

_I = re.IGNORECASE

# ---- English
_LEAD = (
    r"please|pls|plz|kindly|hey+|heya|hi+|hello|a?yo+|ok+|okay|oi+|omg|oh|ah|u+m+|u+h+|erm?|hm+|well|so|and|then|also|just"
    r"|now|thanks|wait|hold on|hang on|like|basically|anyways?|first thing|man|dude|sharp|exactly|or so"
    r"|thank you|thx|sorry|actually|maybe|perhaps|alright|right|sure|yes|yeah|yep|no"
    r"|sir|madam|ma'am|bro|bruh|fam|boss|chief|love|hun|hon|darling|pal|sis|dude|google|robot|folks"
    r"|good (?:morning|evening|night|afternoon)|dear|bot|buddy|friend|mate|alexa|siri|assistant|xiaomaolv"
    r"|donkey|btw|by the way|quick one|one more(?: thing)?|again|later|still|there|guys|everyone|first|next"
    r"|cool|great|perfect|if possible|if you (?:can|could|would|don't mind|like)"
    r"|when you can|let's|go ahead"
    r"|(?:(?:at|on|in|by|from|for|until|till|every|each|this|next|starting|around"
    r"|about|to|and) )*#|as well|today|tonight|\w{2,}ly|someone|it's important"
)
_YOU = r"(?:you|u|ya)"
_ASKED_OF_YOU = (
    r"(?:can|could|would|will) (?:somebody|someone|anybody|anyone)(?: please)?"
    rf"|(?:can|could|would|will|won't|can't|couldn't|may|might) {_YOU}(?: to| be able to"
    rf"| be so kind(?: as)? to"
    r"| be kind enough to| try to| help (?:me|us)(?: to)?| have| make sure(?: to| you| that you)?"
    r"| remember to| like to)?"
    rf"|(?:(?:could|can|may|might) i|mind if i|(?:i'd|i would|i will|i'll|let me)(?: like to)?) "
    rf"(?:ask|trouble|bother) {_YOU} to|(?:do|would) {_YOU} mind|how about (?:if )?{_YOU}"
    rf"|(?:is|would) (?:it|that) (?:be )?(?:ok|okay|alright|all right|fine|cool"
    rf"|possible) if {_YOU}(?: could| can)?"
    rf"|(?:(?:is there )?any way|is there (?:a|some) way)(?: that)? {_YOU} (?:can|could)|are {_YOU} able to"
    rf"|(?:do )?(?:{_YOU} )?(?:think|reckon)(?: that)? {_YOU} (?:can|could)"
    rf"|(?:i(?:'m| am)? )?(?:hope|hoping|trusting|counting on)(?: that)?(?: {_YOU})?(?: to| can| could"
    rf"| will| would|'ll)?"
    rf"|{_YOU}(?: can"
    rf"| could| should| must| will| may| might| need to| have to| gotta)"
    rf"|any chance {_YOU} (?:can|could)|is it possible(?: for {_YOU})? to"
    rf"|would it be possible(?: for {_YOU})? to"
    rf"|(?:it(?:'d| would|'s| is)|would|'d)(?: be)? (?:great|good|nice|helpful|lovely|best"
    rf"|better) (?:if {_YOU}(?: could| would"
    rf"| can)?|for {_YOU} to|to(?: be)?)"
)
_SELF = r"(?:i|we)(?:'d|'ll| would| will| do| really| also| just| might| could| always| still)*"
_WISHED = (
    rf"(?:{_SELF} (?:want|need|like|love|prefer)|want)(?: for)?(?: (?:{_YOU}|it|the bot|someone|somebody))?"
    rf" (?:to|that {_YOU})"
    rf"(?: be| get| have)?|(?:want|need|like) {_YOU} to"
    r"|(?:make|put|add|take|write|leave|jot)(?: down)? (?:yourself |me )?a (?:little |quick )?note to"
    rf"|{_SELF} (?:appreciate it|be grateful|be glad|be happy|like it"
    rf"|love it) if {_YOU}(?: could| would| can)?"
    rf"|i (?:was|am|'m) (?:hoping|wondering)(?: that| if)? {_YOU} (?:could|can|would|might)"
    r"|i'm (?:hoping|wondering)(?: that| if)? you (?:could|can|would|might)"
    r"|(?:can|could|may|might) (?:i|we)(?: also| please| just)*(?: have| get| be)?"
    r"|(?:please )?(?:don't|do not|never)(?: you| u| ya)? forget to|remember to|(?:make|be) sure(?: to"
    r"| you| that you| that)?"
    rf"|try to|keep|let (?:me|us)|feel free to|don't hesitate to|{_YOU} have my \w+ to|to be|be"
)
_FRAME = Pattern(
    rf"^(?:(?:{_LEAD})(?!\S)\s*)*+"
    r"(?P<around>(?:before|after|when(?:ever)?|once|if|unless|as soon as|while|until"
    r"|till|since|because|by|at|in"
    r"|on|for|from|during|starting|beginning|every|each|this|next|around|about|within"
    r"|upon|whilst|given)(?!\S| #)"
    r"[^#]*?)?(?:^|(?<=\s)|$)"
    rf"(?P<frame>(?:(?:{_LEAD}|{_ASKED_OF_YOU}|{_WISHED})(?!\S)\s*)*)$",
    _I,
)
# A subject, an auxiliary or "to" before the asking words binds them: "when she told you to …".
_BINDS = Pattern(
    r"(?:^|\s)(?:to|you|u|he|she|it|they|we|i|who|which|that|will|would|could|can"
    r"|should|may|might|must|did|does|do|not"
    r"|don't|didn't|doesn't|won't|never|always|usually|often|sometimes|\w+'(?:ll|d|ve)"
    r"|had|has|have|was|were|been"
    r"|and|or|said|says|told|asked|asks|says)$",
    _I,
)
_REPORTS = Pattern(
    r"(?:^|\s)(?:said|says|told|asked|tells|asks|wrote|writes|texted|goes|replied|called out|was like)"
    r"(?:\s+(?:me|us|him|her|them|you))?$",
    _I,
)
_OTHERS = Pattern(
    r"(?:^|\s)(?:he|she|they|who|people|somebody|(?:my|the|our|his|her|their)\s+\w+s)(?=\s|$)", _I
)
_OWN_PLAN = Pattern(
    r"^(?:(?:so|and|hey|ok|well|sorry|today|tomorrow)\s+)*(?:(?:i|we|my|our|the|there|it"
    r"|got|gotta|need|dinner|lunch)"
    r"(?:'\w+)?\s.*\b(?:have|got|gotta|need|am|is|are|'?m|'?s|'?ve|'?ll|must|going"
    r"|leaving|keep|forget|starts?|fly|meet|go"
    r"|leaves?|will|should|parked|always|often|usually)\b"
    r"|(?:i|we|it|there)'(?:m|ve|ll|s|re)\s|(?:im|ive|theres)\s|gotta\s)",
    _I,
)
# What a sentence that runs on into a request may not be: a report, a question, a condition.
_NO_PLAN = Pattern(
    r"\b(?:that|when|why|how|what|if|because|whether|where|before|after|not|never|until)\b|n't\b", _I
)
_ASKS_YOU = Pattern(rf"^(?P<plan>.*?\S)\s+(?P<request>(?:{_ASKED_OF_YOU}|please|pls|plz)(?!\S).*)$", _I)
_MADE = Pattern(r"(?:set|put|let|read|add\w*|ma[dk]e)\b", _I)
_WANTED = Pattern(
    r"(?:need|want|have|get|appreciate"
    r"|would(?: really)? (?:appreciate|love|like) being|(?:could|can) use|like|love"
    r"|grateful|thankful|glad|(?:trouble"
    r"|bother|ask) (?:you|u|ya))\b",
    _I,
)
_HAS = Pattern(r"have\s", _I)
_OWNER = Pattern(r"^(?:i|we)(?: also| always| already| still)*$", _I)
_WANTS_NOTHING = Pattern(r"\b(?:not|never|don't|didn't|did|used|do|does|should|why|how|when|what|if)\b", _I)
# "Could I have set the alarm wrong?"
_HAVING = Pattern(r"\b(?:have|has|had|having|\w+'ve)(?: already| just| never)?$", _I)
_WANTER = Pattern(
    rf"^(?:.*\s)?(?:{_SELF}(?: like| love| be)?(?: to)?|would(?: really)?|(?:can|could|may|might) (?:i|we"
    rf"|you)(?: also| please| just)*"
    r"|let (?:me|us)|let's|please|you|just"
    r"|(?:it|that)(?:'d| would) be (?:great|nice|good|lovely|helpful|awesome|handy) to)?$",
    _I,
)
_POSSIBLE = Pattern(r"^(?:.*\s)?(?:is it|(?:would|could|might) it be) possible(?: for (?:me|us))? to$", _I)
_BORDER = Pattern(r"[,.;:!?()\n]|\s-\s|\b(?:and|but|so(?! (?:kind|good)\b)|then)\b", _I)
_JOINED = Pattern(r"\b(?:and|but|then)\s*$", _I)
# A verb in its base form that is no past form and no noun, too.
_BASE = Pattern(
    r"(?!(?:be|get) \w+(?:ed|en|ld)\b)(?!(?:set|put|let|read|an?|one|the|my|\w+ing|\w+[^s]s)\b)"
    r"(?=[a-z]+\b(?!$))",
    _I,
)
_PASSIVE = Pattern(r"(?:be|get) \w+(?:ed|en|ld)\b", _I)
_OBLIGED = Pattern(r"\b(i|we)(?:'ve)? (?:(?:have|got|ought) to|gotta|must|should)\b")
_UNREAL = Pattern(r"\b(?:if only|imagine|suppose|pretend|i wish)\b")
_GERUND = Pattern(rf"{GERUND}\s", _I)
_UNMARKED = Pattern(r"\b(do|wo|ca|could|would|did|does|is|was|should|have|has)nt\b")
_CONTRACTED = Pattern(r"\b(i|you|it|that)(ll|d|m|ve)\b")
_LETS = Pattern(r"(?:^|(?<=[,.;:!?] ))lets\b")
_MINDS = Pattern(
    rf"^(?:(?:{_LEAD})(?!\S)\s*)*(?:.*(?:(?:do|would) {_YOU}(?: please| at all| kindly)?|any))?$", _I
)
_NAMED_THING = Pattern(
    r"\W*(?:new|another|one|reminder|alarm|timer|countdown|nudge|daily|weekly|monthly)", _I
)
_DETERMINER = Pattern(r"\b(?:the|an?|my|another|new)$")


def asks_in_english(before: str, asking: str, *, after_time: bool) -> bool:
    """Whether `asking`, with `before` it in the text, asks the bot; a "#" stands there for the time.

    `after_time` tells that a time stands right before the asking words: where a sentence that tells of a plan
    runs on into the request without a comma, the border lies there.
    """
    plain = _UNMARKED.sub(r"\1n't", before.replace("’", "'").lower())
    plain = _LETS.sub("let's", _CONTRACTED.sub(r"\1'\2", plain))
    borders = list(_BORDER.finditer(plain))
    start = borders[-1].end() if borders else 0
    clause = " ".join(re.findall(r"[\w'@]+|#", plain[start:]))
    earlier = " ".join(re.findall(r"[\w'@]+|[.!?]", plain[: borders[-1].start()])) if borders else ""
    earlier = re.split(r"[.!?]", earlier)[-1].strip()
    if _REPORTS.search(earlier):
        return False
    joined = bool(borders) and bool(_JOINED.search(plain[:start]))
    if joined and (_OTHERS.search(earlier) or (_MADE.match(asking) and re.match(r"(?:i|we)\b", earlier))):
        return False
    if _HAS.match(asking) and _OWNER.search(clause):
        return False  # "I have a reminder set" tells
    if _WANTED.match(asking) and not _PASSIVE.match(asking):
        plain = clause.replace("#", "").strip()
        wants = bool(_WANTER.match(plain) or _POSSIBLE.match(plain))
        return wants and not _WANTS_NOTHING.search(clause)
    if _MADE.match(asking) and _HAVING.search(clause):
        return False
    if _is_framed(clause, asking) or _runs_on(clause, asking, after_time=after_time):
        return True
    if joined or not _BASE.match(asking) or _OTHERS.search(clause) or _UNREAL.search(clause):
        return False
    return is_commanded(clause.split())


def _is_framed(clause: str, asking: str) -> bool:
    if _GERUND.match(asking):
        return bool(_MINDS.search(clause))
    if _NAMED_THING.match(asking):
        clause = _DETERMINER.sub("", clause)
    if _PASSIVE.match(asking):
        clause = _OBLIGED.sub(r"\1 want to", clause)
    found = _FRAME.match(clause)
    if found is None:
        return False
    around = (found["around"] or "").strip()
    if _UNREAL.search(clause):
        return False
    return not (around and (_BINDS.search(around) or _REPORTS.search(around)))


def _runs_on(clause: str, asking: str, *, after_time: bool) -> bool:
    """Whether a sentence that tells of a plan runs on into the request without a border.

    The border is a time right before the asking words, or words of asking ("… at two please ping me"), or it
    is seen by the plan's own beginning with its time ("I'm leaving at six wake me at five").
    """
    split = _ASKS_YOU.match(clause)
    if split is not None and _is_framed(split["request"], asking):
        return _is_plan(split["plan"])
    return (after_time or "#" in clause) and _is_plan(clause)


def _is_plan(clause: str) -> bool:
    plain = clause.replace("#", "").strip()
    return (
        bool(_OWN_PLAN.search(f"{plain} "))
        and not _NO_PLAN.search(plain)
        and not _BINDS.search(plain)
        and not _OTHERS.search(plain)
    )


# ---- Chinese
_LEAD_ZH = (
    r"在(?:这个?|咱们?|我们?)?群里?|(?:今天|明天|后天)?(?:早上|上午|中午|下午|傍晚|晚上)|提?前[一二两三几\d]+(?:天|晚|周|小时|分钟)(?:晚上|早上|上午|下午)?"
    r"|请(?:你|您)?"
    r"|烦请|麻烦(?:你|您|一下|了)?|劳驾|拜托(?:你|您|了)?|求(?:你|您)了?|辛苦(?:你"
    r"|您)?|你好|您好|嗨|哈喽|[啊哎呀哇呜哈嘿喂嗯哦噢唉诶呃额欸]+"
    r"|好(?:的|吧|了)?|行|对了|求|就是说?|那个|那么|那就|那(?![天周个会])|然后|所以|另外|还有"
    r"|快点?|赶紧|赶快|顺便|顺带|快点?|赶紧|赶快|麻溜|也|都|就|再|先|又|还是|一到|(?:要|一定要)?记得|一定(?:要)?"
    r"|务必|千万|可(?=$)|(?:可)?(?:别|不要|不能)忘(?:了|记)?(?:要)?|到(?:了|点了?|时间了?|时候?)?|届时"
    r"|(?:等|待|过)?一?会儿?|等(?:到|下)?|待会儿?"
    r"|回头|晚点|稍后|准时|按时|定时|及时|早点|大概|大约|差不多|左右|快|今后|以后"
    r"|的时候|时候?|之前|前|之后|后|那天|当天|的|在|于|从|起|开始"
    r"|(?:上|下)(?:班|课)|放学|(?:睡|饭|出门|起床)前|饭后|一早|找个?时间|抽空|有空|嘛|呗"
    r"|为止|和|、|机器人|小毛驴|小驴|@\S+|改成|改为|换成|这件?事(?:儿|情)?|每次|那会儿|那(?:个)?时候?|往后|重新|继续|额外|再次|单独|各|分别|要"
)
_FRAME_ZH = (
    r"(?:你|您)?(?:能不能|能否|可不可以|可否|可以|能|会不会|会|得|应该|必须|帮我|帮忙|帮|给我|替我|要)"
    r"|(?:我|我们|咱们?)?(?:想|要|想要|需要|希望|想请|想让|要让|得让|想麻烦|打算)(?:让"
    r"|请)?(?:你|您)?|让你|你|您|给|来"
)
_FRAMED_ZH = Pattern(
    rf"^(?:(?:{_LEAD_ZH})\s*)*+(?P<around>\S{{1,10}}(?:的|那|这)(?:件)?事(?:情|儿)?|我(?:如果|要是|万一)\S{{1,12}}?(?=就)|(?:如果|要是|万一)我\S{{1,12}}?(?=你|您)|(?:(?:如果|要是|万一|等|当|只要|只有|提前"
    rf"|每当|每次|在|到|下|离|赶在)\S{{0,18}}?"
    r"|\S{1,12}?)(?:的时候|时候|(?<![准及按定随同小])时|之前|以前|前|之后|以后|后|的话"
    r"|就|那天|当天|那周|起|开始|为止|点|分钟?|小时|天|周|(?<=提前).{1,4}))?"
    rf"\s*(?:(?:{_LEAD_ZH}|{_FRAME_ZH})\s*)*$"
)
_OTHER_ZH = Pattern(
    r"[他她它谁]|别人|有人|老[师板公婆]|领导|医生|同事|同学|[我你]?[妈爸]|客服|学校"
    r"|公司|手机|软件|闹钟|手表|邻居|房东|室友|保安|司机|快递|外卖"
)
_BACK_ZH = Pattern(
    r"要不要|该不该|用不用|需不需要|是否|不用|不必|不需要|不想|不该|(?<!能)不要(?!忘)|别(?!忘|让|人|的)|甭|没有|没(?=让"
    r"|叫|提|要|说)|未曾|停止|取消|不再|上次|上回|刚(?!好)|刚才"
    r"|昨|上周|上个?月|上个?星期|去年|前天|本来|曾|已经|总是|老是|一直|向来|从来|有时"
    r"|习惯|假如|幸好|幸亏|多亏|什么|怎么|为何|几点|哪|是不是|有没有|会不会(?!忘)"
    r"|(?:对|跟|向|和)我(?:说|讲)$|(?<!我)(?:说|问|讲|表示|写道?|喊道?)$"
)
_AFTER_ZH = Pattern(
    r"^(?:收到|看到|听到|一起|也|玩)|^(?:要|该|应该|得|是)?怎么|够不够|够[吗么]|好还是"
    r"|^(?:了|过|得(?!去|把|要)|的(?:[？?。！!]|$)|来着|自己|你|您)|来着|(?<!太)就好了|该多好"
    r"|是不是|会不会|^一次是|了(?:吗|没|么|嘛)[？?]?$|我了|几点|^什么"
    r"|^.{0,12}(?<!好)(?<!行)"
    r"(?<!可以)(?<!没)吗[？?]?$"
)
_ABLE_ZH = Pattern(r"能|可以|可否|可不可以")
_SELF_ZH = Pattern(
    r"我们?(?:要|得|有|在|去|怕|老|今|明|先|还|下|这|马上|一会|待|需|准备|约|预约|忙"
    r"|打算|走|出|开|睡)(?:(?!让|叫|请|说|告诉|被|自己|提醒).){0,18}$"
)
# Who may ask: people and animals, bodies of people by how their names end, programs.
_ACTOR_ZH = Pattern(
    r"小(?!时)|老\S|[人歌猫狗鸡鸟娃宝院校司局店行站社部厅所台]|[姐哥弟妹叔姨总爷奶你您]|会$|[都就才还让使把被]|系统|日历|程序|app|群|^我"
)
# 叫我起床的是闹钟: told of whom or what does it.
_RELATIVE_ZH = Pattern(r"^\S{0,8}的(?:不?是|人|那|小哥|同事|朋友|声音|家伙)")
# What is to be done, right before the asking: 三点开会提醒我. 周六打球叫我 is asked of a friend.
_DOING_ZH = Pattern(
    r"^(?:(?:我|我们)(?:要|得)?)?(?!上[司级头]|下[属级]|发小|接待|交警|看[门护]|出纳|回头客)"
    r"(?:开|有(?![一几]?[人的些首位本部句种])|要|得|去|吃|上|下|接|送|交|考|面试|体检|打|出|取|拿|看|做|关|买|还|付|缴|写|发|回|睡|洗|喝|跑"
    r"|健身|锻炼|值班|约|退|搬|收|浇|喂|遛|充)[^他她它谁你您的]{0,7}?(?:记得|记着|别忘(?:了|记)?|一定要?|务必|千万)?$"
)
_DUTY_ZH = Pattern(r"^(?:我们?)?(?:开|有|要|得|考|面试|体检|值班)|(?:记得|别忘了?)$")
# A plan that runs on into what is asked: 五点要接孩子你叫我.
_PLAN_ZH = Pattern(
    r"^(?:我们?)?(?:要|得|有|需要|准备|打算|还要)[^你您他她谁]{1,12}[你您](?:能|可以|帮我|记得|就)*$"
)
_OBJECT_ZH = Pattern(r"把\S{1,12}$")
_CONDITION_ZH = Pattern(r"如果|要是|万一|等|当|只要|每当")
_TO_ME = Pattern(r"我|^提醒|大家|咱|设|定|订|弄|来|加|建")
# 应该提醒大家: what somebody ought to do; 你应该 is asked of the bot.
_MUST_ZH = Pattern(r"(?:^|[^你您])(?:应该|应当|得|必须|有必要|最好)$")
_TO_ME_ALONE = Pattern(r"我|咱")
_NAMED_BACK = Pattern(r"^提醒(?:一下|下)?(?:你|您|自己)")
# What follows these is a question that the bot is to put.
_WHAT_IS_ASKED = ("问", "考")
# What the bot is to keep from happening: 别让我漏了.
_KEPT_FROM = ("别", "不要", "千万别", "莫")
# 你要是能提醒我就太好了 asks, 你要是提醒我 alone is a condition.
_IF_YOU_ZH = Pattern(r"(?:[你您](?:要是|如果|若)|(?:要是|如果|若)[你您])(?:能|可以|肯|愿意|到时候?)*$")
_WELCOME_ZH = Pattern(r"就(?:(?:太|再|更|最)(?:好|棒|完美|方便)|感谢|谢谢)")
# How it is to be done, right before the asking: 发个消息叫我, 冒个泡提醒我.
_BY_MEANS_ZH = Pattern(r"(?:发|冒|打|吱)(?:一?[个条声])?(?:消息|信息|短信|微信|通知|泡|电话|声)$")
_TO_SOMEBODY_ZH = Pattern(r"[给跟向和]")
_ON_AND_ON_ZH = Pattern(r"(?:一直|不停地?|反复|天天)$")
# Particles that end a sentence, where no comma was written.
# Where no sign was written a space ends a sentence of some length.
_SPACED_ZH = Pattern(r"^.*[^\x00-\x7f][^\x00-\x7f\s]{2,}\s+")
_PARTICLES_ZH = Pattern(r"^.*[呢啦哦哈呀喽]")
# 叫我儿子 is to call my son.
_MY_PEOPLE_ZH = Pattern(r"^(?:的|儿子|女儿|老公|老婆|孩子|[爸妈哥姐弟妹爷奶]|朋友|同事|室友|家)")
_WANTED_ZH = Pattern(r"需要|要")
_CALLS_ZH = Pattern(r"[叫喊].*我$")
_NOUN_AFTER_ZH = Pattern(r"^(?:提醒|闹钟|闹铃|倒计时|定时|计时)$")


def _plain_clause(clause: str, asking: str) -> str:
    """The clause without what stands before its own part, and without how it is to be done."""
    bare = _BY_MEANS_ZH.sub("", clause.rstrip())
    if not _TO_SOMEBODY_ZH.search(bare):
        clause = bare
    if asking.startswith("催"):
        clause = _ON_AND_ON_ZH.sub("", clause)
    return _PARTICLES_ZH.sub("", _OBJECT_ZH.sub("", "".join(_SPACED_ZH.sub("", clause).split())))


def asks_in_chinese(clause: str, asking: str, after: str, *, after_time: bool = False) -> bool:
    """Whether `asking`, with `clause` before it and `after` behind, asks the bot.

    `after_time` tells that a time stands right before the asking words: what was said before it is a topic
    (中场休息八点四十五提醒咱们点外卖), unless it may be somebody who asks.
    """
    before, clause = clause, _plain_clause(clause, asking)
    if _CALLS_ZH.match(asking) and _MY_PEOPLE_ZH.match(after):
        return False
    if (wanted := _WANTED_ZH.match(asking)) is not None:
        clause += wanted.group()
    if _BACK_ZH.search(clause) or _NAMED_BACK.match(asking + after[:2]):
        return False
    rest = after.strip()
    if "我" in asking and _RELATIVE_ZH.match(rest):
        return False
    if _IF_YOU_ZH.search(clause):
        return bool(_WELCOME_ZH.search(rest))
    found = (
        None
        if asking.startswith(_KEPT_FROM) or asking.endswith("忘") or asking.startswith(_WHAT_IS_ASKED)
        else _AFTER_ZH.search(rest)
    )
    if found and not (found.group().rstrip("？?").endswith("吗") and _ABLE_ZH.search(clause)):
        return False
    if _MUST_ZH.search(clause) and not _TO_ME_ALONE.search(asking):
        return False
    if _NOUN_AFTER_ZH.match(asking) and clause and clause[-1] in "个的条这那次":
        return False
    framed = _FRAMED_ZH.match(clause)
    if framed is not None:
        return not _OTHER_ZH.search(_subject(framed["around"] or ""))
    does = _DOING_ZH.match(clause) and (not _CALLS_ZH.match(asking) or _DUTY_ZH.search(clause))
    plans = does or _SELF_ZH.match(clause) or _PLAN_ZH.match(clause)
    noted = not rest and asking.startswith("提醒") and before[-1:].isspace()  # 周六十点 理发 提醒我
    topic = (after_time or noted) and not _ACTOR_ZH.search(clause)
    return bool(_TO_ME.search(asking)) and bool(plans or topic) and not _OTHER_ZH.search(clause)


def _subject(around: str) -> str:
    """A circumstance may tell of others; what ends in nothing but a number of minutes may not."""
    return (
        ""
        if re.match(r"如果|要是|万一|等|当|只要|每当", around) or around.endswith(("后", "前", "时"))
        else around
    )
