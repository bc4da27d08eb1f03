"""Whether a text goes on with what the bot has just said, although another had asked for that.

Each form has a name and examples. Most are questions about a thing; words of somebody's own life or day
("you", "tonight", 我, 集合) make a question one to the others instead.
"""

from dataclasses import dataclass

from bot.text.lazy import Pattern


@dataclass(frozen=True, slots=True)
class Form:
    """A form of words: what it says, how it begins, and words with which it is another."""

    name: str
    begins: Pattern
    without: Pattern | None = None

    def fits(self, text: str) -> bool:
        """Whether a lower-case text has this form."""
        if self.without is not None and self.without.search(text):
            return False
        return self.begins.match(text) is not None


FORMS = (
    # shorter; and one for Tokyo; now in French
    Form(
        "the same in another measure",
        Pattern(
            r"(?:(?:(?:and|ok(?:ay)?)\s+)?now|and|then|or)?\s*(?:one(?=\s+(?:about|with|for)\s)"
            r"|in\s+\w+|shorter|longer|simpler|one\s+more|another(?:\s+one)?)(?:\s+(?:about|with"
            r"|for|in)\s+[^?]{1,30})?(?:\s+please)?[.!?]*$"
        ),
    ),
    # 3, 7, 12
    Form(
        "figures alone",
        Pattern(r"[\d.,，、;；\s]{3,}$"),
    ),
    # and 20%; what about tea?
    Form(
        "the same of another thing",
        Pattern(
            r"(?:and|what\s+about|how\s+about)\s+(?!(?:he|she|we|i|they|it)(?:['’]|\s+\w)|you\b"
            r"|u\b|who|when\s+(?:are|do)\s+you)[^?]{1,30}\??$"
        ),
    ),
    # are you sure, check again
    Form(
        "look again",
        Pattern(
            r"[^?]*[,.;!]\s*(?:(?:please|pls)\s+)?(?:check|look|try|count|search|read|calculate"
            r"|think)\s+(?:it\s+|that\s+)?again[.!]*$"
        ),
    ),
    # 你再算一遍吧
    Form(
        "look again, in Chinese",
        Pattern(
            r".*(?:你?再|重新)(?:[查算看数找想]|核对|确认)(?:一下|一遍|一次|[查算看数找想]|下)?吧?[。!！]*$"
        ),
    ),
    # when's garden waste?; who wrote it?
    Form(
        "a question of nobody's own life",
        Pattern(
            r"(?:(?:and|but|so|oh|wait|ok)[,\s]+)?(?:(?:what|when|where|which|why|how(?!\s+(?:was"
            r"|is|are|come)\b))\b|who\b(?=.*\b(?:it|that|this|them|those|these)\b)|(?:is|are"
            r"|does|do|did|was|were|can|will|has|would)\s+(?:it|they|that|this|there|those|these"
            r"|the\s+\w+\s+ones?)\b)[^?]{3,}\?$"
        ),
        Pattern(
            r"\b(?:you|u|ur|your|we|our|us|i|i'?m|my|mine|me|he|she|his|her|any(?:one|body)|some(?:one"
            r"|body)|every\w+|guys|all|tonight|dinner|lunch|mum|mom|dad|again)\b"
        ),
    ),
    # which flour is best; does it freeze well
    Form(
        "the same without its mark",
        Pattern(
            r"(?:(?:and|but|so|oh|ok|hm+)[,\s]+)?(?:(?:what(?:\s+(?:if|kind|size|type|colou?rs?"
            r"|temperature|sort|brand|version)|'?s\s+the)|which|why(?!\s+is\s+the)|how\s+(?:much"
            r"|many|long|do(?:es)?|can|(?!was|is|are|come)\w+\s+(?:is|are|does|do|can|should"
            r"|would|must))|where\s+(?:can|does|do)|when\s+(?:does|do|should|can|will)|(?:is"
            r"|are|does|do|can|could|would|should|will)\s+(?:it|there|one|an)|any)\s+[^?.!]{3,60}\?*"
            r"|(?:does|do|can|could|would|should)\s+[a-z-]{4,}\s+[^?.!]{3,60}\?+|(?:is|are)\s+(?:a"
            r"|an|\d+)\s+[^?.!]{3,60}\?*)$"
        ),
        Pattern(
            r"\b(?:you|u|ur|your|we|our|us|i|i'?m|my|mine|me|he|she|him|his|her|they|any(?:one"
            r"|body)|some(?:one|body)|nobody|every(?:one|body)|people|guys|all|to(?:night|day"
            r"|morrow)|yesterday|(?:last|other)\s+\w+|night|weekend|(?:mon|tues|wednes|thurs"
            r"|fri|satur|sun)day|dinner|lunch|breakfast|mum|mom|dad|grand\w+|kids?|boys?|girls?"
            r"|car|keys?|work(?:ing)?|school|office|home|trip|lights?|game|match|party|meeting"
            r"|raining|coming|joining|eating|going|doing|here|again|yet|still|up|left|did|can'?t"
            r"|volunteers|happened|wrong|funny|news|the\s+(?:time|matter|point|plan|score|hell"
            r"|fuck))\b"
        ),
    ),
    # is bread ok for them?
    Form(
        "a question that points to the answer",
        Pattern(r"(?:is|are|do|does|can|would|will)\s+\w+\s[^?]*\b(?:it|them|that|those|these)\b[^?]*\?$"),
        Pattern(r"\b(?:you|your|we|our|us|i|my|me|he|she|his|her)\b"),
    ),
    # when was she born?
    Form(
        "a question of who was told of",
        Pattern(r"(?:(?:when|where)\s+was|how\s+old\s+(?:was|is)|was)\s+(?:he|she)\s[^?]{3,30}\?$"),
    ),
    # does 5 GHz go further?
    Form(
        "a question that compares",
        Pattern(
            r"(?:is|are|does|do|was|were|would)\s+[\w-]+(?:\s[\w-]+){0,3}\s(?:more|less|(?!number"
            r"|water|summer|winter|computer|paper|river|server|router|printer|charger|teacher"
            r"|driver|power|tower|letter|offer|order|weather)\w{2,}er)(?:\s[\w-]+){0,4}\s?\?+$"
        ),
        Pattern(
            r"\b(?:you|your|we|our|us|i|my|me|he|she|his|her|dinner|lunch|weather|tonight|later"
            r"|ever|never|over|after|under|other|another|together|whether)\b"
        ),
    ),
    # would chicken work as well?
    Form(
        "what else would do",
        Pattern(
            r"(?:and\s+)?(?:would|could|can|does|do|will)\s+[\w-]+(?:\s[\w-]+){0,2}\s+(?:work"
            r"|do|help|fit|count|be\s+(?:ok|okay|fine|enough|better|safe))\b[^?]{0,30}\?*$"
        ),
        Pattern(r"\b(?:you|your|we|our|us|i|my|me|he|she|his|her)\b"),
    ),
    # 用高压锅要多久
    Form(
        "a question of a thing, in Chinese",
        Pattern(
            r"(?=.*[\u4e00-\u9fff])(?=.{4}).*(?:为什么|什么(?!情况)|怎么|多少|哪[个种家款些]"
            r"|几[个种次年分克斤勺度]|多[久大远长高贵快]|有没有|能不能(?![送来带])|可不可以|会不会"
            r"|需不需要|要不要(?:先|再|加|放|用)|[^，。]{1,6}还是[^，。]{1,6}|[能可要需会有][^，。]{1,8}吗"
            r"|[大小多快贵远近难准]吗|(?P<how>[大小多快贵远近难准高])不(?P=how)|哪[里儿]?(?:可以"
            r"|能)?(?:下载|买|看|办|查|报名|学)).{0,8}[?？]?$"
        ),
        Pattern(
            r"(?:[你您咱我他她谁]|大家|有人|今[天晚早]|明[天早晚]|后天|昨|周[一二三四五六日天末]"
            r"|晚上|下午|早上|中午|回家|[到来去走在好到]了?[吗没]|几点|(?<![能好])[吃喝](?!法)"
            r"|饿|困|真的|是吗|哈|啥时候|咋|干嘛|怎么[了回又还不]|什么时候|集合|开会|一起|要不"
            r"|下次|又|这么)"
        ),
    ),
    # 哪个送得快
    Form(
        "which of them, in Chinese",
        Pattern(r"(?:那|所以)?哪(?:一?[个家种款本部条只辆间台首])(?:更|最|比较)?.{1,7}[呢啊呀]?[?？]?$"),
        Pattern(r"(?:[你您咱我他她]|谁)"),
    ),
    # 没看懂; what does that mean
    Form(
        "not understood",
        Pattern(
            r"(?:没(?:太)?(?:看|听|读)?懂|[看听]不懂|(?:这|那)?(?:是)?[什啥]么?意思|i\s+don'?t\s+get\s+it"
            r"|what\s+does\s+(?:it|that|this)\s+mean)[啊呀呢.!?？。！]*$"
        ),
    ),
    # 是谁写的; 靠谱吗
    Form(
        "where that is from, in Chinese",
        Pattern(
            r".{0,10}(?:是哪(?:[天年里国]|一[天年])的?|是谁[写画唱演说]?的|准不准|准吗|靠谱吗"
            r"|是真的吗)[？?]?$"
        ),
        Pattern(r"(?:[你您咱]|我们)"),
    ),
    # 两个人的话要多少
    Form(
        "on a condition, in Chinese",
        Pattern(
            r".{1,20}的话[，,\s]*.{0,12}(?:哪[个种款]|什么|怎么|多少|几[个点天种]|行吗|可以吗"
            r"|[会能]不?[会能]?.{1,8}吗).{0,6}[？?]?$"
        ),
        Pattern(r"(?:[你您咱]|我们|今晚)"),
    ),
    # who discovered it?
    Form(
        "who did it",
        Pattern(
            r"who\s+(?:else\s+)?(?:scored|won|lost|wrote|invented|discovered|directed|starred"
            r"|stars|sang|composed|built|painted|founded|designed|created)\b[^?]*\??$"
        ),
    ),
    # no, try again
    Form(
        "once more",
        Pattern(r"(?:.*[,.;]\s*)?(?:again|redo(?:\s+it)?|try\s+again|start\s+over|do\s+it\s+again)[.!]*$"),
    ),
    # 不对，重来
    Form(
        "once more, in Chinese",
        Pattern(r"(?:.*[，,。]\s*)?(?:再来一[次遍]|重[新来抽写做算选画](?:一[次遍下个])?)[吧。!！]*$"),
    ),
    # 红豆怎么煮
    Form(
        "how it is done, in Chinese",
        Pattern(
            r"(?=.*[\u4e00-\u9fff]).{2,}(?:什么(?:区别|不同|意思|用|好处|坏处|影响|副作用|要求)"
            r"|怎么(?:做|用|弄|算|写|读|治|选|洗|存|修|调|炒|煮|蒸|炖|腌|换|拆|装|连|开|关|画"
            r"|练|养|种|操作|设置|申请|处理|计算|证明)|为什么|是什么|是谁|谁[写演唱导画建进赢发创][^，,。]{0,5}"
            r"|[是在]?哪[年国位]|多[高长远重深宽大]|多少(?:钱|度|克|毫升|卡|米|公里)|(?:要|能放"
            r"|保质)多久)[呢啊呀]?[?？]?$"
        ),
        Pattern(r"[你您咱我他她]"),
    ),
    # also list the prices
    Form(
        "and another task",
        Pattern(r"(?:also|and)\s+(?:check|list|show|find|look|count|add|give|tell)\b"),
    ),
    # same for Paris
    Form(
        "the same for another",
        Pattern(r"(?:and\s+)?(?:the\s+)?same\s+(?:for|with|in)\s"),
    ),
    # 上海也查一下
    Form(
        "that one too, in Chinese",
        Pattern(r"[^你您，,]{1,8}也(?:帮[我忙])?[查算看列写找说讲加翻译来](?:一下|下|一个|上)?[吧。!！]*$"),
    ),
    # can you also list them
    Form(
        "asked politely",
        Pattern(
            r"(?:can|could|would)\s+you\s+(?:also\s+)?(?:give|show|tell|list|explain|translate"
            r"|convert|repeat|make|write)\b"
        ),
    ),
    # 那乔戈里峰呢
    Form(
        "and this one, in Chinese",
        Pattern(r"(?:那|还有)?[^你您]{1,12}呢[?？]?$"),
        Pattern(r"(?:减肥|[上加下]班|开会|睡觉|吃饭|开车|上课|看书|排队|做饭|堵车|[着忙])呢"),
    ),
    # 再来一首
    Form(
        "another one, in Chinese",
        Pattern(r"(?:给我)?[也再]?来(?:一[首个份篇段条句]|个|首)"),
    ),
    # 换成英文
    Form(
        "another form, in Chinese",
        Pattern(r"(?:能不能|可不可以|可以|能|请|麻烦)?(?:帮忙)?(?:换|翻译|改)成"),
    ),
    # 这个可以冷冻吗
    Form(
        "any other question, in Chinese",
        Pattern(r"(?=.*[\u4e00-\u9fff]).{2,}(?:[吗？?]|行不行|可不可以|行得通不|[能会]不能?[^，,。]{1,8})$"),
        Pattern(r"(?:[今明后][天晚早]|周[一二三四五六日末]|[几哪]点|[你您咱我吃去来交]|完了)"),
    ),
)


def takes_up(text: str) -> bool:
    """Whether a lower-case text goes on with what was said just before it."""
    return any(form.fits(text) for form in FORMS)
