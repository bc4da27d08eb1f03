"""The word lists of group talk, English and Chinese. Words only: what they mean is decided elsewhere."""

import re

from bot.text.lazy import Pattern


def word_set(text: str) -> frozenset[str]:
    """The words of a text, as lists are written here."""
    return frozenset(text.split())


GENERIC = ("bot", "机器人")  # names by what it is, where it is the only one
# Before a name they leave it an address: "hi Donkey", "ok thanks Donkey".
OPENERS = word_set(
    "hi hey hello yo oi hiya heya hola ok okay k kk yes yeah yep yup ya no nope nah thanks thx"
    " thanx thank ty tysm cheers you please pls plz so well sorry good great nice cool perfect"
    " awesome right morning night evening afternoon bye welcome np lol haha hmm hm ah oh wow dear"
    " oops whoops omg and but um uh er hehe also now then again listen look wait quick question"
    " excuse me alright"
    " sure agreed true done got it my friend love luck job work one"
)
# After a name at the start, they talk about it: "Donkey is slow", "Donkey told me".
ABOUT = word_set(
    "is was has had isn't wasn't hasn't said says does doesn't didn't did will won't would"
    " wouldn't can can't could couldn't should may might must just really never always often still"
    " already finally probably also too sometimes usually actually apparently keeps kept got gets"
    " gave gives told tells knows knew thinks thought seems seemed looks looked sounds and or who"
    " which that went goes likes wants wanted needs needed made makes works worked answered answers"
    " replied replies broke breaks crashed isnt wasnt hasnt doesnt didnt wont cant couldnt wouldnt"
    " sucks rocks forgot forgets misunderstood found finds wrote writes came comes helped helps"
    " sent sends recommended recommends suggested suggests understood understands hates loves lies"
    " lied ate spams spammed ignored ignores responded responds vs versus again"
)
# ... but these pairs ask: "Donkey is it raining", "Donkey can you".
ASKING = Pattern(
    r"(?:can|could|would|will|do|did|are|have|should|shall|may|must)\s+(?:you|u|ya|i|we)\b"
    r"|(?:is|was|does|did|has|will|can|are|do)\s+(?:it|there|this|that|the|these|those|my|our|any\w*"
    r"|he|she|they)\b"
    r"|(?:and|or|who|which|also)\b[^.!]{2,}\?\s*$|(?:and|also|so)\s+(?:how|what|when|where|who|which|why)\b"
    r"|who\s+\S+\s+(?:(?!(?:is|was|are|has|did|told|said)\b)\S+\s*){1,4}$"
    r"|(?:is|are|was|were|does|do|did)\s+[\"“‘«]"
    # "is pluto a planet", not "is such a planet"
    r"|(?:is|was)\s+(?!\w+(?:ly|ing)\b|(?:such|quite|still|also|only|always|just|never|not|like|now|even|more|once|often|rather)\b)"
    r"[a-z]+\s+(?:(?:a|an|the)\s+\w+[?\s]*$|(?:\w+\s+){0,4}?(?:ok|okay|safe|good|bad|better|worse|allowed|open|closed|cheaper|healthy"
    r"|legal|possible|enough|normal|dangerous|far|worth|like|edible|poisonous|true)\b[^.!]*\?\s*$)"
)
# After a name behind a full stop, it is told to do something: "No way. Donkey settle this".
TOLD = Pattern(
    r"(?:help|explain|answer|go|say\s+something)[.!?\s]*$"
    # not "scout out the library", where the name is a verb or the sentence's subject
    r"|(?!(?:out|in|up|on|off|over|around|down|about|for|with|of|at|by|to|through|from|into|under|against)\b)"
    r"[a-z]+\s+(?:this|that|it|us|me|him|her|them|the|a|an|my|our|what|how|when|where|who|why)\b"
)
# What is to be done with the people of a list: "swap Ella and Ivy".
REARRANGES = Pattern(
    r"(?:(?:please|pls|then|and|now|ok(?:ay)?)[,\s]+)*(?:swap|switch|exchange|put|move|add|remove|replace|drop|include|exclude|assign|pair)\s+\w"
)
# Behind a name that is a word as well, these speak to its bearer all the same.
ORDERED = Pattern(r"(?:any\s|come\s+back|stop\b|wake\s+up|please\b|pls\b|help\b|be\s+quiet|shut\s+up)")
# Before a name at the end they govern it: "ask Donkey", "by the Donkey".
GOVERNORS = word_set(
    "ask asked asking tell told telling the a an our my your his her their this that with from to"
    " about by of for like likes love loves hate hates use used using and or is was than called"
    " named via on without against blame have has had got need needs want wants call know knows see"
    " saw meet ping pinged into what's who's whats whos where's where try tried add added kick"
    " kicked ban banned mute muted be replace replaced between both just even plus trust restart"
    " restarted remove removed vs not only as at let lets make makes made poor silly"
    " stupid dumb lazy clever funny crazy"
)
WH_QUESTION = Pattern(r"(?:what|where|when|why|who|whose|which|how)(?:'?s)?\b(?!\s*(?:$|[.!]))")
# Chinese characters that let a name before them be an address, if they follow it directly.
FOLLOW_CALL = Pattern(
    # 小驴九点提醒我开会, but not 小驴上周提醒我了
    r"(?=(?!上[周个次回])[今明后每下这周早晚上中半天\d一二两三四五六七八九十零百点分刻钟个小时年月日号星期礼拜前内之午夜里末底：:]{2,12}"
    r"(?:再|准时|记得)?(?:提醒|[叫喊催](?:我|他|她|大家|醒)|通知|告诉))(?!.*(?:了[，,。！!]|[了过]$|真[的好是准]|挺|不错))"
    r"|从[^，,。]{1,10}[里中间][^，,。]{0,3}[抽选挑找]|人呢[？?，,\s]*(?:问|叫|喊|找)你|(?:你|您|帮|给我|给大家|给咱|请|来|快|别|告诉(?!我?[的过了])|讲|说说|说个|说一|说下|聊聊|在吗|在么|在不|在嘛"
    r"|在线吗|在？|在\?|醒醒|出来|可以(?:出来|说话|讲话|回来|醒)了"
    r"|提醒|查|搜|算|写|画|推荐|翻译|解释|总结|记|设|定|放|念|读|介绍|列|看看|看下|看一|找|闭嘴|安静"
    r"|住口|加油|辛苦"
    r"|救命|救我|救救|早|晚安|午安|好呀|好啊|好久|先|停|继续|重新|再(?:来|说|讲|写|给|帮|查|算)|换(?:一?个|成|种)|改(?:成|一下|下)"
    r"|[也再](?:帮|给|替|教|告诉)我|觉得(?:呢|怎么样|哪|如何)|怎么[看想](?![到起见])|认为呢|说呢"
    r"|把|评评|评价一?下|猜|选|挑|教|陪|编(?:个|一)|起(?:个|草)|对比|比较一?下|分析|检查|纠正|说明|描述|整理"
    r"|润色|扩写|缩写|生成|预测|估算?|倒数|计时|回答(?!得|的|错|对|了)|(?:删|加|减|去掉|发|订|播|投|关|打开|调|排|出|建|报|数|下载|更新|修|做|搞|弄|买)(?![了过的得着错来完])(?![^，。]{1,4}(?:了|的)[^\\w]*$)|唱|举个?|用(?:中文|英文|英语|一句)|定义)"
)
FOLLOW_ASK = Pattern(
    r"(?:能|可以|可不|会|要|知道|今|明|后天|昨|现在|这|那|有|怎|咋|为|什|啥|哪|谁|几|多|下|上|周"
    r"|星期|刚|我|呢|吗|么|呀|啊|哈|吧|啦"
    r"|晚上|早上|中午|北京|上海|\d)"
)
# Before a Chinese name at the end of a clause they govern it: 问小驴, 跟小驴.
GOVERN_ZH = Pattern(
    r"(?:问|问问|问下|问一下|叫|用|让|找|跟|和|与|对|给|把|被|比|是|像|有|的|靠|等|喊|听|个|只|头|说"
    r"|加|踢|买|换|试试|去|到|为|关于|觉得"
    r"|喜欢|讨厌|相信|骂|夸|怪|看)$"
)
OPEN_ZH = Pattern(
    r"^(?:(?:hi|hello|hey|ok)[\s,，]*|好的?|嗯|哦|噢|哎|诶|欸|喂|嘿|嗨|哈喽|你好|您好|早安?|早上好|晚安|晚上好|中午好|下午好"
    r"|大家好|谢谢|多谢|感谢|麻烦(?:你|一下)?|有请|拜托|请问|对了|那个|话说|不好意思|抱歉|是的?|对|不|行|可以|辛苦了?|哈"
    r"|求[救助问教解]|救命|请教|呼叫|召唤|呼唤)+"
)
# ... and these tell what it has done: 小驴帮我写了半篇.
DONE_ZH = Pattern(
    r"(?:帮|给|替)(?:我们?|你|他|她|大家)?[^，,。？?]{1,2}(?:了(?!解)|过)(?![吧吗么没])(?=[^\W_])"
)
# After a Chinese name they make it what the sentence is about, also where that asks something.
TALKED_ABOUT_ZH = Pattern(
    r"[的说是把被和跟与同在不没很太又也都就才老总真那这哪昨前去今以已向对让比像当因所还最,，]"
    r"|从(?![^，,。]{1,8}[到去][^，,。]*(?:什么|怎么|多[久远少]|几|哪))"
)
RHETORICAL_ZH = Pattern("哪(?:会|知道|懂)")  # 机器人哪知道
TELLS_OF_ZH = Pattern(r"[的说是把被和跟与同没很太又也就老总真比]")  # ... also behind a space
WONDERS_ZH = Pattern(r"什么|怎么|怎样|为什么|为啥|多少|几[个点号度月天岁斤种米里分秒]|哪[里个些年儿]|谁")
# What may stand between a Chinese name and the pause after it.
HONORIFIC_ZH = Pattern(
    r"(?:啊|阿|呀|吖|哎|哟|老师|同学|大哥|大人|先生|小姐|宝宝?|哥哥?|姐姐?|兄|君|酱|总|师傅|大神)(?=[，,。！!？?：:~～\s]|$)|[啊呀](?=我)"
)
# A Chinese name that is the beginning of a longer word: 小白菜, 小红帽, 小龙虾.
LONGER_ZH = Pattern(r"车(?![票次程牌险位子祸])|菜(?![谱单名])|兔|帽|虾|粥|鸭|鼠|脸|鞋|裙|肉火烧")
# Asked of the others, about whom is named before: 小驴能干嘛啊，谁知道.
ASKED_OF_ALL_ZH = Pattern(r"[，,]?(?:谁|有人|大家|你们谁?)(?:知道|用过|懂|会用)(?:吗|么|啊|呢)?[？?]*$")
# Talk about how the bot behaves; with it a question with the bot's name is about the bot.
STATE_OF_BOT = Pattern(
    r"慢|卡|坏|挂|死机|宕|笨|傻|蠢|聪明|好用|难用|不说话|不回|没回|没反应|不理|掉线|断线|厉害|贵|吵"
    r"|烦|可爱|有病|疯|崩|失灵|靠谱|抽风|罢工|下班|人工智障|装的|谁做|谁写|谁弄|谁加|谁拉|名字|谁起"
    r"|谁取|咋了|怎么了[？?]*$|咋回事|多少钱一个?[月年]"
)

QUESTION_WORDS = Pattern(
    r"^(?:(?:and|but|so|ok(?:ay)?|then|hm+|oh+|wait|well|yeah|no|um+|uh+)[,.]*\s+)*+(?:what(?!\s+an?\b)|whats|what's|who|who's|whom"
    r"|whose|where|where's|when|why"
    r"|how|how's|which|is|are|am|was|were|do|does|did|can|could|would|will|should|shall|may|has|have"
    r"|had|any\s|isn't"
    r"|aren't|doesn't|don't|didn't|can't|won't)\b"
)
QUESTION_ZH = Pattern(
    r"(?:[吗么嘛]|(?<!没)(?<!没[^，])(?<!没[^，]{2})(?<!在[^，])(?<!在[^，]{2})呢)(?:[。.!！~～…\s]*)$|^那[^，,。]{1,10}呢\s|咧[。.!！~～?？]*$|[系做]咩|咩意思|乜嘢|点解|边[度个]|什么|怎么|怎样|咋|为什么|为啥|多少|几[点个号度月年天岁楼路次分种款块斤米站趟]"
    r"|(?:星期|周|礼拜)几|哪|谁|啥|多[长高大久远重快贵厚宽深]"
    r"|[会能行要想有去来懂](?![^，,。]*[了过])[^，,。]{0,6}不[?？。~～\s]*$|是不是|有没有|能不能|可不可以|会不会|要不要|行不行|对不对|好不好"
)
# A question that is none: 怎么才周三, "how cool is that", "who knew".
RHETORICAL = Pattern(
    r"(?:\w+[,，!！\s]+)?(?:how\s+(?:cool|cute|nice|sad|funny|awesome|crazy|great|lovely|sweet|weird)\b"
    r"|who\s+(?:knew|cares|would\s+have\s+(?:thought|guessed|known))|why\s+am\s+i\s+(?:like|so)\b"
    r"|(?:isn'?t|aren'?t)\s+(?:that|this|it|they)\s+\w+[!.]*$)"
    r"|.{0,3}怎么(?:才|又|这么|那么|老是|总是)(?!.*[吗呢？?办报])|谁知道(?:呢|啊)?$|谁说不是|何必|何苦|.{0,12}哪(?:有|来)(?:这|那|什么|时间|空|心|耐心|功夫|工夫|钱)(?!.*[？?吗呢])|哪有(?!.*[？?])|(?:这|那)?(?:都)?是?什么(?:破|鬼|玩意|垃圾)",
)
ANSWERS = Pattern(
    r"^(?:yes|yeah|yep|yup|ya|no|nope|nah|sure|maybe|both|neither|either|none|all\s+of"
    r"|the\s+(?:first|second|last|other|latter|former)|do\s+it"
    r"|go\s+ahead|please|pls|ok\s+do|confirm|correct|exactly|definitely|of\s+course|i\s+(?:think"
    r"|have|did|do|don'?t|use|want|need|tried)|it'?s|its|in|at|on|for"
    r"|about|around|from)\b|^(?:是|对|好|要|可以|行|没有?|有|不用|不要|都|第[一二三]|前者|后者|就"
    r"|确认|嗯|我[在要想用有])"
)
# Closing words: nothing is asked, an answer would only add noise.
_CLOSING = (
    r"(?:just\s+)?(?:one|a)\s+(?:sec|second|moment|minute)|(?:hold|hang)\s+on|(?:sorry,?\s+)?wrong\s+(?:chat|group|window)"
    r"|nothing|no,?\s+thanks?|nope,?\s+thanks?|just\s+(?:testing|checking|kidding|curious|wondering)|"
    r"thanks?(?:\s+(?:a\s+lot|so\s+much|very\s+much|much|again|all|everyone|guys|bro|man|mate|dude"
    r"|bud))?"
    r"|thank\s*(?:you|u|q)(?:\s+(?:so\s+much|very\s+much|all|everyone|again))?|thx+|thanx|tnx|tysm"
    r"|tyvm|ty|cheers|many\s+thanks|much\s+appreciated|appreciate\s+it"
    r"|ok+|okay+|okey|k+|kk|alright|all\s*right|got\s*it|gotcha|i\s+see|i\s+c|ic|noted|understood"
    r"|makes\s+sense|fair\s+enough"
    r"|great|nice(?:\s+one)?|cool+|perfect|awesome|excellent|wonderful|amazing|brilliant|neat|sweet"
    r"|good\s+(?:to\s+know|idea|point|one|job|bot|stuff)"
    r"|very\s+(?:good|nice|helpful)|wow+|whoa|lo+l+|lmao|rofl|(?:ha)+h?|(?:he)+h?|hah+a*|xd+|omg|wtf"
    r"|aww+|yay+|oh+|ah+|hmm+|right|true|agreed|same|indeed|exactly"
    r"|sounds\s+(?:good|great)|that\s+(?:works|helps|helped)|works|that'?s\s+(?:great|nice|cool"
    r"|awesome|perfect|all|it|good|helpful|funny|amazing)"
    r"|good\s*(?:night|morning|evening|luck|bye)|bye+|see\s+(?:you|ya)|cya|later|brb|gtg|afk|back|np"
    r"|no\s+problem|you'?re\s+welcome|yw|never\s*mind|nvm|forget\s+it"
    r"|will\s+do|i'?ll\s+(?:try(?:\s+(?:that|it|this))?|do\s+that|check(?:\s+(?:it"
    r"|that)(?:\s+out)?)?|give\s+it\s+a\s+(?:go|try))|love\s+it|so\s+(?:cool|good|nice|funny|cute)"
    r"|o{2,}h+|damn|dang|bravo|well\s+done|this|sure(?:\s+thing)?|yum(?:my)?|tasty|delicious|ha|phew|finally"
    r"|impressive|crazy|funny|cute|me\s+too|same\s+here|i\s+(?:agree|know(?:\s+right)?)|no\s+way"
    r"|for\s+real|interesting|good|fine|will\s+try|true\s+that|(?:it|that)\s+(?:works?|worked"
    r"|did\s+it)|(?:fixed|solved)(?:\s+it)?"
)
_CLOSING_ZH = (
    r"(?:先)?等(?:我|等|会)?(?:一下|一会儿?|会儿?)?|稍等(?:一下)?|(?:抱歉|不好意思)?[，,]?发错(?:群|人)?了|没什么|测试(?:一下)?|就?测试(?:一下|下)|随便问问|"
    r"谢谢(?:你|您|啦|了|哈|大家|各位)?|多谢|感谢|谢了|谢啦|谢谢谢谢|3q|辛苦(?:了|啦)?|好(?:的|吧|嘞"
    r"|滴|呀|啊|哒|了|耶|棒|厉害|评|家伙)?|嗯+|恩+|哦+|噢+|喔+|行(?:吧|了)?|可以(?:的|啊)?|知道(?:了"
    r"|啦)?|明白(?:了|啦)?"
    r"|懂了|了解(?:了)?|收到|原来如此|原来是这样|这样啊|是这样啊|是啊|对啊|确实|有道理|没错|哈+|呵+"
    r"|嘿+|嘻+|笑死(?:我了)?|厉害(?:了|啊)?|牛(?:逼|b|啊)?|太(?:好|棒|强|牛|厉害|可爱|搞笑|贵)(?:了"
    r"|啦)|不错(?:啊|哦)?|赞|真(?:棒|好|厉害|不错)|棒|完美"
    r"|晚安|早安?|早上好|拜拜|再见|回见|没事(?:了)?|不用了|算了|不客气|没关系|学到了|涨知识了"
    r"|[长涨](?:知识|见识)了|绝了|6+|ok+|好吃|好玩|可爱|唉+|哎+|啊+|呃+|额+|哇+|天哪|我去|卧槽|靠|无语|服了"
    r"|还(?:可以|行|不错)|我看行|就这么定(?:了)?|就它了|(?:收藏|记下|记住|码住|马住|存下?|先存|抄下来)了?|学习了|安排(?:上|了)?|冲"
    r"|我也(?:觉得|是|这么觉得)|真的(?:假的)?[!！?？]?|有意思|有点意思|挺好的?"
    r"|就这|好香|馋了|(?:搞定|解决|成功|修好|弄好)(?:了|啦)?|好[冷笑难累困饿美帅萌]|这么(?:贵|便宜"
    r"|快|多|远|高)"
)
_CLOSING_ES = (
    r"(?:muchas|muchísimas|mil)?\s*gracias(?:\s+(?:a\s+todos|igualmente|por\s+todo))?|te\s+lo\s+agradezco|vale+|de\s+acuerdo|ok(?:ey)?"
    r"|perfecto|genial|excelente|estupendo|buenísimo|qué\s+(?:bien|bueno|guay|rico|risa)|entendido|entiendo|ya\s+(?:veo|entiendo)"
    r"|claro|(?:ja)+j?|jeje+|de\s+nada|listo|hecho|tienes\s+razón|buenas\s+noches|hasta\s+(?:luego|mañana)|adiós|chao"
    r"|no\s+pasa\s+nada|no\s+importa|sin\s+problema|un\s+(?:momento|segundo)|espera"
)
_CLOSING_HI = (
    r"(?:बहुत\s+|बहुत\s+बहुत\s+)?(?:धन्यवाद|शुक्रिया|आभार)(?:\s+(?:भाई|सबको|आपका))?|(?:ठीक|अच्छा|सही)(?:\s+है)?|हाँ|हां|जी|समझ\s+(?:गया|गई|गए)"
    r"|बढ़िया|बहुत\s+(?:अच्छा|बढ़िया|खूब)|वाह|हाहा+|कोई\s+बात\s+नहीं|शुभ\s+रात्रि|एक\s+मिनट|रुको|thank\s?you\s+ji"
)
_CLOSING_AR = (
    r"(?:شكرا|شكراً|شكرًا)(?:\s+(?:جزيلا|جزيلاً|جزيلًا|لك|لكم|كثيرا|كثيراً))*|مشكور(?:ين|ة)?|تسلم|يسلمو|ممتاز|رائع|جميل|تمام|حسنا|حسناً|حسنًا|أوكي|اوكي"
    r"|طيب|فهمت|واضح|مفهوم|نعم|أجل|هه+|عفوا|عفواً|العفو|لا\s+مشكلة|لا\s+بأس|تصبح\s+على\s+خير|مع\s+السلامة|لحظة|دقيقة"
)
CLOSING = Pattern(
    rf"(?:(?>(?:{_CLOSING}|{_CLOSING_ZH}|{_CLOSING_ES}|{_CLOSING_HI}|{_CLOSING_AR})(?:[\W_]+|$|(?=[\u4e00-\u9fff]))))+",
    re.IGNORECASE,
)
# What ends a talk in more words: it is understood now, or decided.
CONCLUDES = Pattern(
    r"(?:a+h+|aha|o+h+|ooh)[,.!…]*\s+(?:of\s+course|right|i\s+see|that|yes|yeah|ok|makes|got|now|silly"
    r"|my|cool|nice|great|wow|true|good)\b(?!.*\b(?:but|still|not|wrong|\w+n't)\b)"
    r"|(?:(?:ok(?:ay)?|great|nice|cool|perfect|then|so|alright|right)[,.!]?\s+)*(?:i'?ll|i\s+will|gonna"
    r"|i'?m\s+(?:going\s+to|gonna))\s+(?:go|take|try|buy|use|get|order|book|do|make|stick|read|watch|check)\b"
    r"|(?:(?:ok(?:ay)?|so|and|oh)[,\s]+)?(?:i|we|he|she|they|(?:my|the|our)\s+\w+)(?:'ll|\s+will"
    r"|(?:'m|'re|'s|\s+am|\s+are|\s+is)?\s+(?:going\s+to|gonna))\b(?!.*\b(?:need|want|but|not|too|you|\w+n't)\b)"
    r"|(?:damn|dang|argh+|ugh+|oof|ouch|oh\s+no|bummer|too\s+bad|(?:what\s+a\s+)?shame|lo+l|lmao|(?:ha)+h?)[\s,.!]+(?!.*\b(?:another|more|again|one|tell|give|make|do|but|no|\w+n't)\b)"
    r"|(?:(?:(?:looks?|sounds?|seems)\s+)(?:good|great|fine|perfect|right|lovely|nice|delicious)|not\s+bad)\b"
    r"(?!.*\b(?:but|swap|change|add|make|can|could|please|too|also|instead|now|\w+n't)\b)"
    r"|(?:great|brilliant|awesome|perfect|nice|amazing|excellent|wow+|yay|phew|cool)[\s,.!]+"
    r"(?=(?:i|i'm|we|my|that|that's|it|it's|this|so|the|what)\b)(?!.*\b(?:but|too|also|instead|need|want|\w+n't)\b)"
    r"|i'?d\s+love\s+to\s+(?:go|see|visit|try|be|have)\b|(?:i\s+)?(?:wish|hope)\b|(?:i\s+)?guess\s+(?:i|we|it|that)|looks\s+like\s+(?:i|we)\b|can'?t\s+wait\b|fingers\s+crossed"
    r"|what\s+an?\s+\w+[\s!.]*$|(?:just\s+|i(?:'ve|\s+have)?\s+(?:just\s+)?)?(?:sent|booked|bought|ordered"
    r"|submitted|printed|posted)\s(?!.*\b(?:but|now|not)\b)"
    r"|(?:看着|看起来|听起来|感觉)?[挺很还]?(?:爽|漂亮|太好了|太棒了|真好|真棒|厉害|不错|完美|哈+|笑死)[了啊呀]?[，,！!。\s]+(?!.*(?:把|再|帮|换|改|加|也|但))"
    r"|(?:(?:得|行|成|好[的吧]?|唉|嗯+)[，,！!\s]+|那(?![家个里边款本部条座])|看来)(?!.*(?:把|再|帮|换|改|加|也|但|还|不对)).*(?:了|吧)[。!！~]*$"
    r"|(?:完了|糟了?|糟糕|惨了|可惜|天啊|唉+)[，,！!。\s]+(?!.*(?:把|再|帮|换|改|报错))"
    r"|[^但]*(?:肯定|一定|绝对)会?(?:很|特别|超)?(?:高兴|开心|喜欢|爱|满意|乐)"
    r"|(?:好想|真想|好期待|希望|我就说|看吧|瞧)|(?:我?已经?)?(?:发|买|订|下单|提交|打印|交|寄)(?:过去|出去|好|完)了(?!.*但)"
    r"|(?:o+h+|a+h+|aha)[,\s]+(?:the|that|so|in|on|it'?s|its)\b[^?]*!+$"
    r"|(?:got\s+it|i\s+see|makes\s+sense|understood|noted)[,.!]\s(?!.*\b(?:but|what|how|can|could|now|please|also|too|\w+n't)\b)"
    r"|(?:知道|明白|懂|了解|收到)了?[，,。!！](?!.*(?:但|可是|不过|还是|再|那|帮|给我|换|改|怎么|(?<!差)不))"
    r"|(?:哦+|噢+|啊+|哎+呀?|好的?|行|嗯+)?[，,！!\s]*(?:原来|怪不得|难怪|我说呢|那我就|我(?:去|先|这就|回头|待会)?试"
    r"|我(?:先|这就|回头|待会)(?:去|看|买|做|用))(?!.*(?:但|可是|还是|不对))"
)
# A "no" to what the bot offered.
DECLINED = Pattern(
    r"(?:no|nope|nah|not\s+(?:now|really|today))(?:[,\s]+(?:thanks?|thank\s+you|thx|ty|need|don'?t\s+bother|it'?s\s+fine"
    r"|i'?m\s+good|that'?s\s+(?:all|it|fine)))+[\W_]*$|i'?m\s+good[\W_]*$|maybe\s+later[\W_]*$"
    r"|(?:never\s*mind[,.\s]+)?(?:i(?:'ll|\s+will)?\s+(?:found|find|look|do|got|google|ask|check)\b.*(?:it|myself|out))[\W_]*$"
    r"|(?:算了|不用了)?[，,\s]*我自己.{1,4}$"
    r"|(?:不用|不必|不需要|不要|算)了?(?:[，,]?(?:谢谢|谢了|多谢|就这样))?了?[\W_]*$|下次吧[\W_]*$"
    r"|(?:no|ahora\s+no|todavía\s+no|mejor\s+no)(?:[,.\s]+(?:(?:muchas\s+)?gracias|(?:no\s+)?hace\s+falta|es\s+necesario|déjalo"
    r"|(?:así\s+)?está\s+bien|te\s+preocupes|por\s+ahora|quiero))+[\W_]*$"
    r"|(?:ahora\s+no|mejor\s+no|déjalo(?:\s+así)?|otro\s+día|(?:quizás?|tal\s+vez|a\s+lo\s+mejor)\s+(?:luego|más\s+tarde|otro\s+día))[\W_]*$"
    r"|(?:जी\s+)?(?:नहीं|नही|ना)(?:[,।\s]+(?:जी|धन्यवाद|शुक्रिया|चाहिए|ज़रूरत\s+नहीं|जरूरत\s+नहीं|रहने\s+(?:दो|दीजिए|दें)))+[।\W]*$"
    r"|(?:रहने\s+(?:दो|दीजिए|दें)|(?:(?:इसकी|कोई)\s+)?(?:ज़रूरत|जरूरत)\s+नहीं(?:\s+है)?|अभी\s+नहीं|बाद\s+में|फिर\s+कभी)[।\W]*$"
    r"|لا[،,\s]+(?:شكر|داعي|حاجة|يلزم|أريد|اريد|بأس)[\w\u064b-\u0652]*(?:[،,\s]+[\w\u064b-\u0652]+)?[\W_]*$"
    r"|(?:ليس\s+الآن|مش\s+الآن|(?:ربما|يمكن)\s+لاحق[\w\u064b-\u0652]*|فيما\s+بعد)[\W_]*$",
    re.IGNORECASE,
)
# Said with a name, laughter is about its bearer: "lol Donkey".
LAUGHTER = Pattern(r"(?:(?:lo+l|lmao|rofl|(?:ha){2,}(?!ha)(?:h|a+)?|xd+|[哈嘿嘻]|笑死(?:我了)?)[\W_]*+)+")
SYMBOLS_ONLY = Pattern(r"(?:(?>[:;=8xX][\-^o']?[DdPpOo3()/\\|]+)|[^\w])*+")
THANKS = Pattern(
    r"\b(?:thanks?|thx+|thanx|thank\s*(?:you|u)|ty|tysm|cheers|gracias)\b|谢|辛苦了|多谢|धन्यवाद|शुक्रिया|شكر|مشكور",
    re.IGNORECASE,
)

ROOM = Pattern(
    r"\b(?:any(?:one|body)|every(?:one|body)|some(?:one|body)|guys|folks|y'?all|you\s+all|all|people"
    r"|team|peeps|hi|hello|hey)\b|大家|各位|有人|谁|诸位|你们|家人们|群里|咱们|我们",
    re.IGNORECASE,
)
# Plans and talk of people among themselves.
AMONG_PEOPLE = Pattern(
    r"\b(?:can|could)\s+you\s+(?:come|drive|bring|get\s+(?:leave|off|there|time))\b|"
    r"\blet'?s\b(?!\s+(?:say|make\s+it))|\bcount\s+me\s+in\b|\bi\s+can'?t\s+(?:make\s+it|come|tonight|today|tomorrow)\b"
    r"|\bwhen\s+(?:you|u)\s+see\s+(?:him|her|them)\b|算我一个|带上?我|群里有?谁|(?<!都)有谁(?!能帮)|我[^，,]{0,4}(?:去不了|来不了)|我今?[晚天]不行|谁(?:跟|和|陪)[我咱]"
    r"|\b(?:and|if|when|as|are|do|did|can|will)\s+you\s+all\b|\bsend\s+me\s+your\b|\bhave\s+you\s+(?:ever\s+)?(?:been|stayed|tried|flown)\b|你[去吃住玩坐爬试穿][过了][吗没]|[这个点]都不(?:知道|会|懂)[？?]|[听写做吃洗睡喂锁]了[吗没]"
    r"|\b(?:you\s+guys|u\s+guys|you\s+two|you\s+both|both\s+of\s+you|see\s+(?:you|u|ya)"
    r"|told\s+(?:you|ya))\b"
    r"|\bmeet\s+(?:me|us|you|up|at)\b|[点门口站楼下里场](?:[^，,。]{0,4})见(?:吧|啊|呗)?[？?。!！~～]*$"
    r"|(?:老婆|老公|媳妇|老妈|老爸|老板|领导|[我你]妈|[我你]爸)(?:大人|那边)?(?:批准|同意|知道|答应|允许|让)"
    r"|\btell\s+(?:mom|mum|dad|him|her|them|grandma|grandpa)\b|\bwho(?:\s+else)?\s+(?:wants?|needs?"
    r"|has(?!\s+[\w-]*\d)|ate|took)\b"
    r"|\bwho(?:'?s|\s+is|\s+else\s+is|\s+else)\s+(?:coming|in|up|bringing|hungry|free|joining|ready"
    r"|driving|cooking|paying|going|home|there)\b"
    r"|\b(?:should|shall)\s+we\b|\bwe\s+should\b|\bwe(?:'re|'ll|\s+are|\s+will)\b|\b(?:every(?:one"
    r"|body)|guys|folks|y'all|all\s+of\s+you)\b|^[a-z]+\s+people[!.]*$"
    r"|\b(?:are|r)\s+(?:you|u)\s+(?:coming|home|there|ok|free|going|busy|in|joining|bringing"
    r"|up\s+for|still\s+(?:at|in|on))\b"
    r"|\b(?:did|have)\s+(?:you|u)\s+(?:eat|eaten|watch|buy|bought|call|lock|feed|bring|pick|send"
    r"|finish|sleep|slept)\b"
    r"|\byou\s+(?:owe|still\s+owe)\b|\bi'?m\s+(?:home|here|late|leaving|coming|on\s+my\s+way|hungry"
    r"|in(?!\s+\w))\b|\bon\s+my\s+way\b"
    r"|\bany(?:one|body)\b|(?<![也会])有(?:没有)?人.{0,12}[吗么?？没]|谁(?:有|会|能|在|看到|看见|带|拿|还|先|负责|知道|请客)"
    r"|\bremember\s*\?|记得[吗不]"
    r"|^走[，,！!]|咱|大家|各位|诸位|哪位|(?:家人|姐妹|兄弟|同学|宝)们|你们|^都来|我们.{0,12}吧|一起|你吃|吃了吗|(?<![帮给])你(?:想|要|爱|喜欢|打算|准备)(?:吃|喝|穿|坐|睡|住|带|买)|你来吗|来不来|去不去|谁去|谁来|谁要|谁想|回家"
    r"|到家|下班了|在家吗|你到哪|到哪了|走吧|出发",
    re.IGNORECASE,
)
NOT_NAMES = OPENERS | word_set(
    "can could would should will did do does are were was is am have has had must may might shall"
    " thank see tell if when love miss bet told hope think believe find once until unless guess"
    " trust whatever error note info warning ps btw fyi edit update question answer first second"
    " also maybe actually anyway however because while after before today tomorrow yesterday"
    " tonight monday tuesday wednesday thursday friday saturday sunday sometimes usually ideally"
    " honestly basically interesting correct exactly indeed nevermind damn dang omg wtf it this"
    " that here there he she they we i in on at for to from with the a an what why how where who"
    " which oops ouch yikes never always not try seriously wrong obviously apparently hopefully"
    " brilliant excellent amazing lovely weird ugh umm hmmm erm huh aha roughly dude fine"
    " luckily sadly finally instead otherwise still just nice terrible same http https"
)

QUIET = Pattern(
    r"\b(?:(?:be|stay|keep)\s+(?:quiet|silent)|shut\s+(?:up|it)|stop\s+(?:talking|replying|answering|responding|it|spamming"
    r"|posting)|quiet|silence|hush|shush|shh+|don'?t\s+(?:talk|reply|answer|respond|speak)"
    r"|stay\s+out|"
    r"go\s+away|mute\s+yourself|zip\s+it|no\s+more\s+(?:answers|replies|messages))\b"
    r"|安静|闭嘴|住口|别说话|别说了|不要说话|不要说了|别吵|(?:别|不要)(?:插[嘴话]|多嘴|打岔|接话|搭话|捣乱|刷屏)|别回复|不要回复|别回了"
    r"|别再说|消停|一边去|别出声|不要出声",
    re.IGNORECASE,
)
NOT_YOU = Pattern(
    r"\b(?:not\s+you|wasn'?t\s+(?:talking|asking)|not\s+(?:talking|asking)\s+(?:to\s+)?you"
    r"|no\s+one\s+asked|nobody\s+asked)\b"
    r"|没问你|不是[问叫]你|没和你|没跟你|不是跟你|不是和你|没叫你|不关你",
    re.IGNORECASE,
)
# Who joins in offers whoever had asked to do something: "do you want me to call them?", 需要我联系物流吗.
OFFERS = Pattern(
    r"\b(?:want|need|like)\s+me\s+to\b|\bshall\s+i\b|\bif\s+you(?:'d)?\s+(?:want|like|need),?\s+i\b"
    r"|\bi\s+(?:can|could)\b.*\bif\s+you(?:'d)?\s+(?:want|like|need)\b"
    r"|(?:需要|用得着|要不要|用不用|需不需要|^要)我(?!们)|(?:我|让我)来吧|交给我",
    re.IGNORECASE,
)
# What stands in one's own day: 快递到了吗, 奶奶身体好吗.
OUR_LIFE = Pattern(
    r"\b(?:we|our|us)\b|我们|咱|家里|我家"
    r"|(?:妈|爸|奶奶|爷爷|外婆|外公|姥姥|孩子|宝宝|儿子|女儿|老婆|老公|老板)(?!.*(?:能|可以|适合|应该|几岁|要不要|需要))"
    r"|快递|冰箱里|钥匙|车停|停车|作业|[到好完学班锁喂买订修写做交收洗带报关倒扔](?:[\u4e00-\u9fff]?)了[吗没]",
    re.IGNORECASE,
)
SECOND_PERSON = Pattern(r"\b(?:you|u|your|you're|ur|youre|yours|yourself)\b|你|您", re.IGNORECASE)

# Words that carry no subject, for comparing what two messages are about.
SMALL = word_set(
    "the a an and or but if so to of in on at for from with by is are was were be been am i you he"
    " she it we they me him her us them my your his its our their this that these those there here"
    " what which who how why when where do does did done can could will would should have has had"
    " not no yes ok okay yeah just then than as also too very get got go like dont don't im i'm"
    " it's thats that's u ur one some any all more need want know think well now try use using out"
    " up about thanks lol hi hey please"
)

# Something is put to the others without a question mark.
PROPOSAL = Pattern(
    r"\blet'?s\b|\b(?:we\s+(?:should|could)|how\s+about\s+we)\b|^(?!是|应该|可能|大概|估计|不[会是]).*吧[。!！~～…\s]*$|(?:我们"
    r"|咱们?).{0,10}[去吃看玩走聚约]"
    # ... or offered: "I have some left", "I can bring one", 我还剩点
    r"|^(?:\w+[,\s]+)?i(?:'ve|\s+have|\s+got)\s+(?:still\s+|got\s+)?(?:some|an?|one|two|three|plenty|extra|spare|the)\b"
    r"|^(?:\w+[,\s]+)?i(?:\s+can|\s+could|'ll|\s+will)\s+(?:bring|get|pick|lend|give|drive|do|send|show|make|help|take|go|call|come|ask)\b"
    r"|^(?:\w+[,\s]+)?(?:i'?d\s+(?:rather|prefer|say)|why\s+don'?t\s+we|we\s+can|we'?ve\s+got)\b"
    r"|^(?:but\s+)?i(?:'ve)?\s+(?:just|already)\s+\w+"
    r"|^(?:but\s+)?i(?:'ve|\s+have)?\s+(?:just\s+|already\s+)?\w+(?:ed|t|n)\b.*\b(?:yesterday|last\s+(?:week|night|year)|this\s+morning|already)\b"
    r"|我[家们妈爸]?(?:上次|之前|以前|当时|那会儿?|小时候)"
    r"|^(?:my|our)\s+\w+\s+(?:had|did|was|got|used)\b|^(?:mine|ours|we)\s+(?:had|did|was|got|used)\b"
    r"|我(?:昨|前天|刚|已经?|上周|早上)[^，,。]{0,8}[过了]"
    r"|我(?:这|那|家)?[里儿]?(?:还|也|正好)?(?:有|剩|多出?)[一两几点些个份张]|(?:借|送|分|陪|载|捎|教|接|请)你|我(?:可以|能|来|去|顺便|顺路)[带拿借送帮开买做弄接载问]"
)

# What takes up what somebody else has just said: "great, can you do it today?", 好的，那你去吧.
ACKNOWLEDGES = Pattern(
    r"(?:great|nice|cool|ok(?:ay)?|perfect|awesome|good|sure|thanks|thank\s+you|thx|yes|yeah|yep|alright|deal)[,.!]+\s"
    r"|(?:好[的吧啊呀]?|行|可以|嗯+|对|太好了|谢谢|不错|成)[，,。!！]"
)
# Taken aback by what a person told: "ugh really? did they ...".
STARTLED = Pattern(
    r"(?:(?:oh|ugh+|wow|omg|wait|damn|what|oh\s+no)[,.!?]*\s+)*(?:really|seriously|no\s+way|for\s+real|oh\s+no|what)\s*[?!]+\s+\S"
    r"|(?:啊|天哪|天啊|不会吧|真的假的|真的吗|真的)[,，?？!！]+\s*\S"
)
# The form of somebody who goes on with what was just answered.
FOLLOW_UP = Pattern(
    r"(?:and|but|so|also|then|ok(?:ay)?\s+(?:and|but)|what\s+(?:about|if|else)|how\s+about|why"
    r"|in\s+\w+\?|or|since|which|is\s+(?:that|it|this)|are\s+(?:those|these|they|you\s+sure)"
    r"|does\s+(?:that|it)|can\s+(?:it|that|i)|how\s+(?:do|can|much|many|long|far|old|big|high"
    r"|often))\b"
    r"|^(?:那|还有|如果|要是|为什么|为啥|怎么|那么|不过|但|可是|要|不).*|.*呢[?？]?$"
)

# A guess at what the bot asked: "is it Jupiter?", 是不是月亮.
GUESS = Pattern(
    r"(?!.*\b(?:you|your|we|our|me|my)\b)(?:oh\s+|hm+\s+|maybe\s+)?(?:is|was|could|would|might)\s+(?:it|that)(?:\s+be)?\s+[^?]{2,30}\??$"
    r"|(?!.*(?:[你您咱]|我们))(?:难道|会不会|是不是|该不会)是?.{1,10}[吗吧]?[？?]?$"
)

# A question that can only mean what was said last.
BARE_QUESTION = Pattern(
    r"(?:how|why|where|what|when|who|which(?:\s+one)?|huh|really|right|since\s+when|how\s+so"
    r"|know\s+what|what\s+else|seriously|(?:you\s+mean\s+)?(?:the|that|those)\s+(?:\w+\s+)*?ones?(?:\s+(?:with|from|about|in|on|at|by|for)\s+[\w\s]+)?|(?:who|what|where|when|how|which)\s+\w+\?)\s*[?!]*$"
    r"|(?:为什么|为啥|怎么|怎么说|什么|啥|真的|真的吗|是吗|哪个|谁|几点|什么时候|在哪|怎么了"
    r"|怎么办|[\u4e00-\u9fff]{2,3}[吗没]|几点(?:来|去|到|走|出发|集合|回来))[啊呀呢]?\s*[?？!！]*$"
)

# A question put to all.
ROOM_QUESTION = Pattern(
    r"\bwho\s+(?:starts?|wants?|is\s+(?:next|first)|goes|knows?|can)\b|\bany(?:one|body)\b"
    r"|\byou\s+all\b|\bnext\s+question\b|谁先|谁来|谁知道|谁想|大家|你们|有人"
)
