"""What a text wants: requests and corrections by the words they begin with, and what follows an answer."""

from bot.text.lazy import Pattern

REQUESTS = Pattern(
    r"^(?:and\s+|but\s+|ok(?:ay)?[,\s]+|then\s+|now\s+|so\s+|also\s+|cool[,\s]+"
    r"|great[,\s]+)?(?:please|pls|plz|can\s+you|could\s+you|would\s+you|tell|show|give"
    r"|explain|remind|set|make|write|translate|list|find|search|look\s+up|summari[sz]e|convert"
    r"|calculate|draw"
    r"|send|try|add|remove|change|shorten|rewrite|repeat|continue|go\s+on|describe|compare|recommend"
    r"|suggest|sort|rank|group|filter|count|format|expand|elaborate|simplify|rephrase|reword|cite|solve|redo|undo"
    r"|check|help\s+(?:me|us)|play|do\s+(?:it|that|this|the\s+same|one|another)|read|cancel|delete|schedule|shorter|longer|again|more|in\s+(?:(?:simpler?|plain|other|your\s+own|fewer|(?:a\s+)?few|short|one|two|three)\s+(?:words?|terms|english|sentences?|lines?)|english|chinese"
    r"|german|french|spanish)"
    r"|what\s+about|how\s+about|another)\b"
)
REQUEST_ZH = Pattern(
    r"^(?:那|再|也|还|然后|顺便|请|麻烦|好[，,]?\s*)*(?:帮|教教?我|救救?我|给我|告诉|提醒|查|搜|翻译|写|讲|说说|说一|[出考]一?[道个题]|考考|来考"
    r"|算|列|推荐|解释|总结|举个?例|举几个|打个比方|展开[说讲]|按[^，,。]{1,8}[排分列]|再[^，,。你我他她]{1,2}[一两几][次遍个下张首条份段](?!吧)|排个?序|汇总|统计|整理|继续|换|改|发我|给一?[个下]|[^，。你他她]{1,4}发(?:我|一下|下)|来一?[个份首篇段条句]|来点|给[^，。你您我]{1,4}(?:写|画|讲|编|来|唱|做)一|画|设|取消|删|短一?点|长一?点|简单一?点"
    r"|再[^，,。你我他她]{1,3}一?点(?![击开])|加(?:点|个|上)|详细一?点|具体一?点|用(?:英文|中文|英语)|接着|重(?:新|[写讲说做算译画])|再来|[说讲]人话|[说讲]?大白话|[说讲]?通俗)"
)
# What the bot advised was tried: "plugged in but it doesn't show up", 装好了，但是搜不到.
TRIED = Pattern(
    r"^(?:i(?:'ve)?\s+|we\s+|ok(?:ay)?[,\s]+|just\s+|already\s+)*(?:tried|did|\w{2,}ed)\b.*\b(?:but|still|no|not|nothing|nope|\w+n['’]?t)\b"
    r"|^(?:(?:it|that|this)\s+)?(?:still|didn'?t|doesn'?t|won'?t|does\s+not|did\s+not)\b"
    r"|^(?:我?试[了过]|没有(?:这个|那个|你说的)|还是[不没]|没用|不行)|^[^，,。？?]{1,8}[了过]，?(?:但是?|可是?|还是|也|都)[^？?]*[不没]"
)
# Another form of what was said, which only who said it can give: "could you put that in a table", 列个表格.
OTHER_FORM = Pattern(
    r"^(?:and\s+|ok(?:ay)?[,\s]+|now\s+|please\s+|(?:can|could|would)\s+you\s+)*(?:put|turn|make|write|rewrite|give|show|sum|format|list)"
    r"\s+(?:that|it|this|them|me|us|those|these)(?:\s+(?:that|it|this|them|those|these))?\s+(?:up\s+)?(?:in|into|as)\s+(?:an?\s+|one\s+|two\s+|three\s+|few\s+)?"
    r"(?:table|list|bullets?|bullet\s+points?|sentence|sentences|paragraph|steps?|code|markdown|json|csv|english|chinese|spanish|french|german)\b"
    r"|^(?:那|再|也|请|麻烦你?|帮我?|能不能|能|可以|可不可以|给我?|把[这它他]个?)*(?:列|做|弄|整理|画|写|改|缩|压|翻)(?:成|个|一?下|一个|到)*(?:对比|中文|英文)?"
    r"(?:表格?|清单|列表|要点|一句话|三句话|几句话|步骤|思维导图|中文|英文)"
)
# ... in Spanish, Hindi and Arabic.
REQUEST_MORE = Pattern(
    r"(?:y\s+|ahora\s+|pues\s+)?(?:dime|dame|muéstra(?:me|nos)|expl[ií]ca(?:me)?|busca|traduce|escribe|haz|repite|resume|cuéntame"
    r"|recomiéndame|recuérdame|más\s+(?:corto|largo|barato|cerca|despacio)|otra\s+vez"
    r"|en\s+(?:español|inglés|francés|alemán|chino))(?!\w)"
    r"|.*(?:बताओ|बताइए|बता\s+दो|दिखाओ|लिखो|लिखिए|समझाओ|समझाइए|ढूंढो|सुनाओ|भेजो)[।.!\s]*$"
    r"|(?:أخبرني|اخبرني|قل\s+لي|اشرح|اكتب|ترجم|ابحث|أعطني|اعطني|أعد|كرر|لخص|اقترح|ذكرني|بال(?:عربية|إنجليزية|انجليزية|فرنسية|صينية))(?!\w)",
)
CORRECTION = Pattern(
    r"^(?:no+|nope|nah|wrong|incorrect|not\s+(?:right|true|quite|correct|that|what)|that'?s\s+(?:not"
    r"|wrong|incorrect)|thats\s+(?:not|wrong)"
    r"|i\s+(?:meant?|said|asked|didn'?t)|actually|sorry,?\s+i\s+meant?|you'?re\s+wrong|wait,?\s+no"
    r"|but\s+you)\b"
    r"|^(?:不对|不是|错了|不|我说的是|我是说|我问的是|我的意思|你搞错|你弄错|你说错|说错|算错|搞错"
    r"|等等|其实)"
)
# What was given is to be another: "swap the museum for something outdoors", 我们十月去，重列.
CHANGES = Pattern(
    r"(?:(?:and|ok(?:ay)?|but|please|pls|maybe|can\s+you|could\s+you)[,\s]+)*(?:swap|replace|switch|exchange|change)\s+[^.?!]{2,60}\s(?:for|with|to|by)\s+\w"
    r"|[^？?]{0,30}(?:[，,。]|^)(?:请|麻烦|帮忙)?(?:重新?[列写做算排查画译来]|再[列写做算排查画]一|查一?[下个]|换[成个一])[^，,？?了]{0,8}[。!！~～]*$"
)
# What was to be told: the step is done.
STEP_DONE = Pattern(
    r"(?:(?:ok(?:ay)?|yes|yep|all|alright|it'?s|that'?s|i'?m)[,\s]+)*(?:done|ready|finished|did\s+(?:it|that)|next(?:\s+(?:step|one|please))?)[.!\s]*"
    r"|(?:嗯|好|我|都|已经)*[^，。\s]{0,3}[好完](?:了|啦|咯|喽)[，。!！~～\s]*(?:然后呢|下一步|继续|接着说?)?[。!！~～]*"
)
# Which of two it is: "forward or back, I always forget".
WHICH = Pattern(
    r"(?:so\s+|is\s+(?:it|that)\s+|the\s+|like\s+)?(?!yes\b|sooner\b|more\b|one\b|two\b|now\b|once\b|either\b|whether\b|\d)[a-z-]{2,}"
    r"\s+or\s+(?:the\s+)?(?!so\b|something\b|whatever\b|not\b|later\b|less\b|two\b|what\b|we\b|i\b|you\b|else\b|die\b)[a-z-]{2,}(?:\s*[,?]|$)"
)
# Who comes back to a subject says so: "ok back to that tram", 说回刚才那个.
RETURNS = Pattern(
    r"(?:(?:ok(?:ay)?|so|anyway|anyways|right|well|now|but)[,.\s]+)*(?:back\s+to|going\s+back\s+to|to\s+come\s+back\s+to|returning\s+to)\s+(?:that|the|my|what|this)\b"
    r"|(?:好了?|那|嗯|行了?)?[，,]?(?:我们?)?(?:说回|回到|言归正传|话说回来|扯远了|还是说)|那?(?:再)?[下上]一[句题步首段章联](?!.*谁)|(?:不是|不对)[^，。]{0,5}[，,]\s*我?(?:是?想问|问的?是|要的?是|说的?是)"
)
ARE_YOU_SURE = Pattern(
    r"(?:(?:really|wait|hm+|um+|huh)[,?!.\s]+)?(?:are\s+)?(?:you|u)\s+(?:really\s+)?sure\b|你?(?:真的?)?确定[吗么？?]|真的吗"
)
