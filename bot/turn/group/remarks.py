"""Whether a remark after an answer wants another one: no question and no order, but perhaps an objection.

Who got an answer mostly remarks on it ("poor guy", "so no picnic", 难怪) and wants nothing more. Some remarks
do: they object ("it still crashes"), say what is needed ("I don't eat meat") or go on in half a sentence
("without onions"). Each sign counts for or against, in log-odds; a remark without any wants no answer.
"""

import re
from collections import Counter
from dataclasses import dataclass

from bot.text.lazy import Pattern
from bot.turn.group.weights import REMARKS

OBJECTS, NEEDS, GOES_ON = "objects to the answer", "says what is needed", "goes on with the answer"
FEELS, CONCLUDES, TELLS = "feels or judges", "concludes the talk", "tells of people's own doings"
SIGNLESS = "a remark, which mostly wants no answer"
WITHOUT_OPENING = frozenset({"judges", "exclaims"})
PRICE = 0.3  # log-odds: a wrong answer is worse than a missing one


@dataclass(frozen=True, slots=True)
class Sign:
    """A form of words, and the reason that it gives."""

    reason: str
    pattern: Pattern


def _sign(reason: str, pattern: str) -> Sign:
    return Sign(reason, Pattern(pattern, re.IGNORECASE))


# What may stand before the first word that says something.
_LEAD = (
    r"^(?:(?:and|but|so|ok(?:ay)?|well|hm+|wait|oh|then|no|yes|yeah|sorry|great|nice|cool|lol|haha|"
    r"wow|oof|lovely|perfect|brilliant|awesome|excellent|amazing|super|thanks)\b[,.!\s]+)*+"
)
SIGNS = {
    "negated": _sign(
        OBJECTS,
        r"\b(?:not|no|none|nothing|nobody|without|cannot|cant|dont|doesnt|didnt|isnt|wont|"
        r"\w+n['’]t)\b(?!\s+(?:wait|believe|bad|more|longer|errors?|problems?|way|idea|again|even|funny|"
        r"my|stop|argue|complain\w*|surpris\w*|thanks|wonder|beats|agree|have\s+said|laughed|been|me)\b)|"
        r"(?<![好也都再关])不(?!错|知道|信了|关|起|出|下来|意外|奇怪)|^不(?!错)|没(?!问题|想到|报错|事|白|"
        r"什么|人|法|戏|这么)|无法|别的",
    ),
    "contrast": _sign(
        OBJECTS,
        r"^(?:but|except|actually|however|though)\b|\b(?:but|though|instead|rather|otherwise|except|"
        r"other)\b|但|可是|不过|其实|^可我|而是|明明|另",
    ),
    "corrects": _sign(
        OBJECTS,
        r"^(?:no+(?!\s+\w+\s+(?:here|there)|\s+(?:surprise|complaint|thanks|more|errors?|wonder|way))|"
        r"nope|wrong|sorry|wait|not(?!\s+(?:again|bad|even|my|funny|me\b))|i\s+(?:meant?|said|asked))\b|"
        r"\bi\s+(?:meant?|said|asked)\b|\bwrong\b|\bi\s+mean\b|不对|不是(?!我一|我想)|错(?!过)|我(?:说|问|"
        r"要|指)的是|我的意思|打错|等等|^(?:no[,.]\s|no\s+es|eso\s+no|me\s+refería|quise\s+decir|está\s+mal|te\s+equivocas)|"
        r"^(?:नहीं[,\s]|गलत|मेरा\s+मतलब|असल\s+में)|^(?:لا[،,]|ليس|خطأ|قصدت|أقصد)",
    ),
    "source": _sign(
        OBJECTS,
        r"\bi\s+thought\b|\b(?:says?|said|told\s+me|writes|claims?|counts?)\s+(?:it|that|\d|the|otherwise|"
        r"is)|(?:wiki|wikipedia|google|website|site|docs?|manual|book|teacher|key|app|forecast|"
        r"map)\b.*\b(?:says?|said|has|have|shows?|told)\b|(?:[网官]上|官网|地图|文档|手册|书上)[^，]{0,2}[说写]|写的|显示|说的?是|说是|上[面]?(?:写|说|是)|"
        r"(?:看到|看见|听说|见过)(?:过|有人|别人|说)|记得是|应该是|正好相反|说.{0,3}(?:能|可以|[\d一二三四五六七八九十])|(?:neighbou?r|mom|mum|dad|"
        r"friend|doctor|teacher|boss|it|he|she)\s+says\b|\bshould\s+be\b",
    ),
    "trouble": _sign(
        OBJECTS,
        r"\byou(?:'ve)?\s+(?:just\s+)?(?:forgot|missed|left|skipped|said|didn|misunder|mixed|ignored|"
        r"repeat)|你(?:[没漏忘少弄搞]|刚才说|说过|[看记算查听读数]错|这(?:是|个|数据|答案|说法)|[说给写]的)|^it\s+says|^(?:s?he|it|they)\s+(?:just\s+|still\s+|only\s+)?(?:ignores?|refuses?|rejects?|hates?|spits?|won'?t)\b|^(?:(?:it|that|this|mine)(?:['’]s|\s+is)?\s+)?still\s+(?:says?|shows?|gives?|doesn|won|not?\b|nothing|the\s+same|\w+(?:ing|ed)\b)|\w+error\b|\b(?:error|exception|fails?|"
        r"failed|crash\w*|broken|dead|stuck(?!\s+in\s+my\s+head)|denied|missing|timed?\s*out|"
        r"doesn'?t\s+work|wrong|warning|undefined|traceback|refused|closed|sold\s+out|expired|no\s+luck|"
        r"too\s+late|forgot|unclear|misspell\w*|typos?|off\s+by|different|\b(?:is|are|seems?|"
        r"looks)\s+off)\b|`|\b[45]\d\d\b|(?<!没)报错|报\s?\d|失败|打不开|崩|没用|没反应|不行|漏|找不到|"
        r"no\s+(?:funciona|sirve|abre)|sin\s+funcionar|cerrado|काम\s+नहीं|बंद\s+है|لا\s+يعمل|مغلق|"
        r"卡住|卖完|关门|就关了|没开门?$|不开门|过期|下架|倒闭|停业|约满|售罄|搬走了|去年关|没货|(?<!太)少了|差一|不一样|没说",
    ),
    "still": _sign(
        OBJECTS,
        r"\b(?:still|already|again|yet|sigue|todavía|aún)\b|(?:अब|अभी)\s+भी|(?:ما|لا)\s+(?:زال|يزال)|^same\b|还是|依然|试过|看过|去过|已经.*了.{2}|[都早].{1,3}过",
    ),
    "lost": _sign(
        OBJECTS,
        r"\b(?:don'?t|didn'?t|not)\s+(?:get|understand|follow|see)\b|\b(?:you\s+)?lost\s+me\b|over\s+my\s+head|\bconfus\w+|\bmakes?\s+no\s+sense|"
        r"\bgive\s+up\b|\bno\s+idea\s+what|\b(?:doubt|not\s+sure|disagree)\b|不懂|不明白|不太?(?:清楚|会|"
        r"理解|对)|[没看]懂(?!了)|懵|放弃|说不通",
    ),
    "need": _sign(
        NEEDS,
        r"\b(?:i|we|he|she|they)(?:'d|\s+would)?\s+(?:only\s+|just\s+|really\s+|also\s+|don'?t\s+|"
        r"do\s+not\s+)*(?:need|want|prefer|like\s+(?:to|a|it|some)|use|have|eat|drink|speak|live)\b|"
        r"\bi'?d\s+(?:prefer|rather|like)\b|\bha[sv]e?\s+to\s+be\b|\b(?:budget|deadline|limit|allergic|"
        r"vegan|vegetarian|beginner|maybe|preferably|ideally|formal)\b|\bit'?s\s+for\b|\b(?:i'?m|we'?re|"
        r"she'?s|he'?s)\s+(?:on|using|an?|from|in|only|\d+|two|three|four|five|six|allergic|looking)\b|"
        r"\bmy\s+\w+\s+(?:is|has|only|can't|doesn't|won't)\b|我(?:想|需)?要|我想|我?需要|想要|我们?(?:只|"
        r"家)?(?:没?有|带|是|用)|我们.{1,3}个|我用|我吃|我们?(?:住|在)|给.{1,5}(?:用|吃|看|的)$|^(?:我|他|她|它|孩子|我[家妈爸])(?:今年|才|是|有|身高|体重)?\s?[\d一二两三四五六七八九十]+\s?(?:多)?(?:岁|公斤|斤|kg|cm|厘米|米|个月)|预算|过敏|"
        r"吃素|新手|我[^，]{0,3}不(?!错|知道)|^[他她它我](?:家)?才[\d一二两三四五六七八九十半]|最好(?!玩|吃)|至少|以内|以上|截止|不能|就要$|^要",
    ),
    "degree": _sign(
        NEEDS,
        r"^\w{3,}ier\b|^(?!never|later|bummer|whatever|winner|loser|dinner|forever|killer)\w+er[.!]*$|"
        r"有点(?!意思|可|惨|想|累)|\b(?:too\s+\w+\s+for|(?:is|are|was|were)\s+(?:all\s+)?too|^too)\b|"
        r"\b(?:fewer|enough|less|least|most|under|over|within|around|max|min|just|optional|both)\b|"
        r"\bonly\s+(?!two|three|\d)|\b(?:short|long|cheap|fast|slow|easi|hard|simpl|bigg|small|near|clos|"
        r"quiet|low|high|warm|old|young|larg|bright|dark|strong|weak|clear|light|heavi|loud)er\b|"
        r"\bmore\s+(?!days|than)|太(?!好|棒|强|牛|厉害|可爱|贵|难|离谱|有用|菜|搞笑|洗脑|简单|惨|可怜|[^，,。]{1,2}了[吧啊])|更|"
        r"(?:一|有)?点(?:的|吧)?$|一些$|左右|只(?!能)|至少|以内|简短|类似|附近|保留",
    ),
    "fragment": _sign(
        GOES_ON,
        _LEAD
        + r"(?:now\s+)?(?:with|without|in|for|from|by|near|at|under|over|around|within|plus|minus|times|"
        r"divided|or|also|only(?!\s+(?:two|three|\d))|just|less|more|something|somewhere|someone|somebody|"
        r"one(?!\s+(?:of|day))|two|three|four|five|six|ten|another|next|(?:the\s+)?same|all|both|as\s+(?!(?:if|"
        r"expected|usual|always))|the\s+(?:other|second|third|last|next)|best\s+of|a\s+(?:bit|little)|"
        r"\d+(?!/\d))\b(?!\s+it\s+is|\s+then)|^(?:and|n|&)\s+|^(?:还有(?!\d|两|几|三)|或者|乘|减|除以|从|坐|用|"
        r"在)|[^了吧啊呀哈找]的$|^[^，。]{1,8}也(?:要|说|算|行|来|加|写)|在.{1,5}[里上]$|^[^，,。]{1,3}(?<![晚早马路床网心手身天楼])[里上]$|^\d+(?!/\d|分)|"
        r"呢$|^(?:具体|详细|完整)?的?(?:地址|电话|链接|价格|位置|路线|步骤|做法|配方|原文|出处|来源|代码|例子|名单|号码)(?:发我|发一下|呢)?$|"
        r"^(?:the\s+|a\s+)?(?:link|address|source|price|recipe|steps|phone\s+number|location|details|code|example)s?(?:\s+please)?$|"
        r"^[\d一二两三四五六七八九十百半]+[个岁分米斤块天人瓶本件份杯张条只次级盒包位页字倍克度号月楼折家段句首篇点]$",
    ),
    "order": _sign(
        GOES_ON,
        _LEAD
        + r"(?:now\s+|please\s+|just\s+|also\s+|only\s+|maybe\s+)*(?!(?:six|five|four|three|two|one|ten|"
        r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|big|easy|off|same|grandma|grandpa|"
        r"everyone|everybody|nobody|ready|all|one|some|on|at|in|for|with|from|by|near|and|or|but|as|if|"
        r"when|while|because|time|guess|i|you|he|she|it|we|they|love|got|sent|found|thought|knew|was|had|"
        r"told|made|made|did|made|went|saw|took|copied|glad|guess|wish|hope|bought|built|lost|won|hate|"
        r"miss|like|need|want|can|see|let|looks?|sounds?|seems?|feels?|makes|reminds|saves?|beats|meet|"
        r"call|called|good|thank|thanks|dibs|so|such|what|that|this|these|those|there|my|our|your|his|her|"
        r"their|not|no|never|still|then|now|even|science|case|big|dream|poor|mind|love|almost|only|same|"
        r"enough|ordered|booked)\b)[a-z]+(?<!ing)(?<!ed)(?<!ly)(?<!ous)(?<!ful)\s+(?:it|this|that|them|me|"
        r"us|the|a|an|in|out|up|off|over|to|at|again|\d+|by)\b|\b(?:please|pl[sz])\b|\bpor\s+favor\b|कृपया|प्लीज|من\s+فضلك|لو\s+سمحت|(?:^|,\s)(?:\w+,?\s)?(?:add|"
        r"make|cancel|skip|drop|swap|use|round|start|turn|remove|keep|shorten|change|try|double|split|"
        r"leave|next\s+(?:one|question)|hint|your\s+turn|start\s+over|go\s+on)\b|再[来说写讲给查算改试换]|"
        r"换|改|改成|删|去掉|加[上一个]|重[来写新]|下一[题个]|取消|跳过|提示(?!文)|公布|翻译|也写上|该你|"
        r"发挥|接着|继续|列出|做成|写成|翻成|写上|说一下|分点|详细|提醒|[把将].{1,12}[上成掉改换加写去]|"
        r"截止|给点|来点|^来|^[打按算分减凑排标记存][^了过，。着到]{1,5}$",
    ),
    "you": _sign(
        OBJECTS,
        r"\b(?:you|u|your|you're|youre)\b|你|您",
    ),
    "exclaims": _sign(
        FEELS,
        r"[!！]|~|～|\b(?:ha(?:ha)+|lo+l|lmao|omg|wow+|ugh+|argh+|damn|dang|crap|oof|yikes|yay|whoa|ooh+|"
        r"oh+|aw+|ah+|rip|fr|ez|gg)\b|哈哈|哇|呜|唉|耶|嘿嘿|呵呵|😂|🤣|😭|😍|😎|❤|🎉|👍|🙏|🔥|救命|天哪",
    ),
    "judges": _sign(
        FEELS,
        r"正是|\b(?:good|great|nice|love[sd]?|perfect\w*|amazing|awesome|gorgeous|exactly|finally|sweet|"
        r"cool|best(?!\s+of\s)|lucky|crazy|insane|terrible|typical|classic|genius|brilliant|impressive|smart|clever|"
        r"useful|useless|helpful|handy|funny|cute|sad|poor|scary|wild|legend\w*|beautiful|lovely|"
        r"delicious|yummy|tasty|fun|easy|simple|fast|quick|expensive|ridiculous|awful|weird|interesting|"
        r"neat|gold|jealous|glad|happy|hilarious)\b|(?<![最更正])好(?!的|像|几)|棒|赞|厉害|牛|爽|漂亮|"
        r"可爱|期待|完美|清楚|离谱|太(?:好|棒|强|牛|厉害|可爱|贵|难|离谱|有用)|有用|神了|经典|聪明|"
        r"真(?!的)|不错|难怪|怪不得|居然|竟然|这么",
    ),
    "plans": _sign(
        TELLS,
        _LEAD + r"(?:i|we)(?:'ll|\s+will|\s+should|\s+could|\s+might|'m\s+(?:going|gonna|so|dying|bringing|"
        r"starving|not\s+going|taking|getting|off|glad|too)|\s+call\b|'re\s+(?:going|walking|doing))|"
        r"\blet\s+me\b|\b(?:gonna|going\s+to|will)\b|(?<!by\s)(?<!for\s)(?<!at\s)\b(?:tonight|tomorrow)$|"
        r"\b(?:some\s?day|one\s+day|maybe\s+next)\b|我(?:先|去|这就|回头|待会|等下|明天|晚上|今晚|研究|"
        r"看看|试试|问问|自己|带|请|选)|那我|那就|试试|到时候|再说吧?$|有机会|转给|发给",
    ),
    "tells": _sign(
        TELLS,
        r"\bi\s+(?:always|never|knew|love|loved|hate|miss|remember|forgot|used|feel|felt|could|should|"
        r"wish|guess|bet|was|did|owe)\b|\b(?:we|he|she|they)\s+(?:did|was|were|used|went|will|would)\b|"
        r"\b(?:it|that|this)\s+(?:reminds?|makes?|saved|fixed|worked|works)\b|\bmy\s+\w+\s+(?:does|did|"
        r"used|always|will|would)\b|\bmine\b|\b(?:owes?|dibs|bagsy|shotgun)\b|^(?:he|she|kids|the\s+(?:kids|boss))\b|"
        r"我(?:就|都(?!没|不)|一直|总|老|从来|家|奶奶|妈|也|太|差|知道|请客|爸)|每次|老是|总是|肯定|想起|"
        r"怀念|欠我|请客|羡慕|收藏|记下",
    ),
    "started": _sign(
        CONCLUDES,
        _LEAD
        + r"(?!(?:something|nothing|anything|divided|based|during|bring|using|need)\b)(?:\w{2,}ing|\w{2,}ed|"
        r"found|sent|bought|got|made|done|went|told|knew|saw|did|on\s+it|off\s+to|will|might|time)\b|^已|"
        r"正在|^(?:买|抄|记|存|转|发|订|约|收|搞|解|出|上|吃|该)[^，]{0,4}了",
    ),
    "settled": _sign(
        CONCLUDES,
        r"\bthen\s*[.!]*$|\bit\s+is\b[.!\s]*$|\b(?:works?|worked|fixed|solved|decided|settled|closed|"
        r"figures|expected|done|sorted|done)\b[\s.!]*(?:now|then)?$|\b(?:all\s+good|so\s+(?:we|no|i|that|"
        r"it|tuesday)|then\s+(?:it|we|i))\b|^so\b(?!\s+no\s)|^guess\b|那(?:就|只能|不|我)|只能|就这么|"
        r"^(?!可是|但|不过|其实).*(?<!太)(?<!太[正复详])[^过完错光经懵反门业架坏闭倒关]了[。!！~]*$|原来|果然|所以|^(?!你|不(?:止|是|对|会|可能)|没(?:有|那么)|好像不).*(?<!错了)(?<!可能)(?<!消)吧$",
    ),
    "feeling": _sign(
        FEELS,
        r"\b(?:tired|hungry|starving|old|dumb|dying|dead\s+inside|sick|coffee|bed|sleep|mondays|jealous|"
        r"dream|kill\s+me|beer|pizza)\b|烦|累|气死|惨|哭|怜|饿|困(?!难)|老了|菜|放假|加班|讨厌|终于|睡|"
        r"心脏|流口水|嘴|吓|开心|高兴",
    ),
    "admires": _sign(
        FEELS,
        r"^(?:what\s+an?|such|so|that'?s\s+(?:so|a|the|my|all|what|exactly|just)|that\s+was|this\s+is|how|"
        r"sounds|looks|even)\b|好.{0,3}啊|真是|就是|也太|[啊呀哦哈]$",
    ),
    "resolved": _sign(
        CONCLUDES,
        r"\bno\s+(?:more|longer|errors?|problems?)\b|\banymore\b|\bgot\s+it\b|没问题|没报错|没事|"
        r"[可能成]以?[用了]了?$",
    ),
    "astonished": _sign(
        FEELS,
        r"\bno\s+(?:idea(?!\s+what)|way|wonder)\b|\bnever\s+(?:would|knew|thought|have)|"
        r"\bcan'?t\s+(?:believe|wait)|\brefuse\b|没想到|不知道|居然|竟然|真的假的|不敢相信|果然|不得了",
    ),
    "fact": _sign(
        OBJECTS,
        r"^(?:oh\s+|wait\s+|oh\s+wait,?\s+|but\s+|and\s+)*(?:(?:these|those|there|they)\s*(?:'re|\s+are|"
        r"'s|\s+is)|(?:it|he|she)(?:'s|\s+is|\s+has))\b(?!\s+(?:been|always|a\s+small|so|such|the))|"
        r"^(?:that|this|it)\s+(?:runs|gives|prints|returns|shows|starts|ends|counts|includes|skips|only|also|would)\b|"
        r"^(?:这|那)(?:个|些|家|周)?(?:是|不|都)|[是叫]\d|^[^我你，。]{1,6}[是按算][\d一二两三四五六七八九十半][^，。]{0,3}$|^(?:第[一二三]|上面)",
    ),
    "number": _sign(
        NEEDS,
        r"(?<!/)\b\d+(?!/\d)|"
        r"[一二两三四五六七八九十百]\s?(?:[个岁分米斤块天人瓶本件份杯张条只次级盒包位页字倍克度号月楼折家段句首篇]|"
        r"点(?!都|也)|小时|公里)",
    ),
    "opens": _sign(
        TELLS,
        r"^(?:great|nice|cool|ok(?:ay)?|oh|wow|lol|ha(?:ha)+|hm+|ah|good|perfect|lovely|brilliant|awesome|excellent|amazing|super|thanks|好的?|不错|挺好|哈+|嗯+|"
        r"哦+)[,，.!！\s]+(?=\S)",
    ),
    "had": _sign(
        OBJECTS,
        r"\b(?:seen|tried|read|done|had|have|know|own|watched|played|ate)\s+(?:it|that|this|them|those|"
        r"both|all|one)\b|^already\b|[^想没]过了?$|都有了?$|已经有了",
    ),
    "group": _sign(
        TELLS,
        r"\b(?:everyone|everybody|guys|all\s+of\s+us|y'?all|you\s+all|there\s+(?:at|by)|people|us)\b|"
        r"\b(?:see|meet)\s+(?:you|at|there)\b|大家|你们|见$|集合|请客|咱",
    ),
}


def signs_of(rest: str) -> list[str]:
    """The names of the signs in a text, which is without the calls in it."""
    core = SIGNS["opens"].pattern.sub("", rest)  # "nice, swap them" judges nothing
    return [
        name for name, sign in SIGNS.items() if sign.pattern.search(core if name in WITHOUT_OPENING else rest)
    ]


def wants_answer(rest: str) -> tuple[float, str]:
    """The log-odds that a remark wants an answer, and what speaks most for that side."""
    found = signs_of(rest)
    logit = REMARKS["bias"] - PRICE + sum(REMARKS[name] for name in found)
    sides: Counter[str] = Counter()
    for name in found:
        if (REMARKS[name] > 0) == (logit > 0):
            sides[SIGNS[name].reason] += round(100 * abs(REMARKS[name]))
    return logit, sides.most_common(1)[0][0] if sides else SIGNLESS


def is_felt(rest: str) -> bool:
    """Whether a text cries out or judges, whatever else it says."""
    return any(SIGNS[name].pattern.search(rest) for name in ("exclaims", "judges"))
