"""The words of Chinese, and the kinds of token they are.

| kind | what | value |
|---|---|---|
| `N` `h` | a number; a few | int |
| `y` `M` `w` `t` `G` `#` | 年 月 周 天 日 号 | the character |
| `H` `O` `m` `s` `k` `%` | 时 点 分 秒 刻 半 | the character |
| `u` | a unit that is nothing else (小时, 分钟) | Unit |
| `g` `o` `K` | 个; 第; 次 | the word |
| `q` `Y` | this, next, last; a year from this one | int, how many ahead |
| `W` | days of the week (周一, 周一三五) | tuple of ints |
| `P` `S` `D` `T` `Q` | as in the core; a holiday | Part; (Day, Part); Day; Clock; Feast |
| `C` | 工作日, 周末 | days of the week |
| `v` `V` `J` | 每; 隔; 天天 and the like | the word; Recurrence |
| `A` `B` `z` `1` `U` `E` | 从; 到; 直到; 起; 共; 除了 | the word |
| `l` `b` `i` `2` | 后; 前; 内; 过 | the word |
| `c` | 差 (to the hour) | the word |
| `e` `X` | 底, 初, 中; 最后 | start, middle, end |
| `n` `r` `a` | 农历; 正月 and the like; 初一 and the like | int |
| `p` `Z` `d` `F` | half of the day; zone; figures of the shapes | |
| `j` | what makes of 三点 three points | |
| `I` | made by rules: an amount | |
"""

from bot.schedule.when.amounts import amount
from bot.schedule.when.clocks import Clock
from bot.schedule.when.days import Period, Shifted
from bot.schedule.when.recurrence import WEEKEND, WORKDAYS, Recurrence
from bot.schedule.when.tokens import UNKNOWN, Entry

_NOW = Shifted(amount(0, "second"), exact=True)
_DAY = [Period("day", ahead) for ahead in (0, 1, 2, 3, -3, -2, -1)]  # by index, negative from the end

_PLAIN: tuple[tuple[str, object, str], ...] = (
    ("h", 3, "几,幾,数,數,若干,好几,好幾"),
    ("y", "年", "年,年份"), ("M", "月", "月,月份"), ("w", "周", "周,週,星期,礼拜,禮拜"), ("t", "天", "天"),
    ("G", "日", "日"), ("#", "号", "号,號"), ("H", "时", "时,時"), ("m", "分", "分"), ("s", "秒", "秒"),
    ("O", "点", "点,點,点钟,點鐘,点鐘,点整,點整,点正,點正,点多,點多,点多钟,點多鐘,点许,點許"),
    ("H", "时", "时整,時整,时许,時許,时正,時正"),
    ("k", "刻", "刻"), ("%", "半", "半"), ("g", "个", "个,個"), ("o", "第", "第"),
    ("u", "hour", "小时,小時,钟头,鐘頭,个钟,個鐘"), ("u", "minute", "分钟,分鐘"), ("u", "second", "秒钟,秒鐘"),
    ("u", "quarter", "季度"), ("K", "次", "次,遍,趟"),
    ("q", 0, "这,這,本,今,当,當,同,这一,這一"), ("q", 1, "下,下一"), ("q", -1, "上,上一"),
    ("q", 2, "下下"), ("q", -2, "上上"),
    ("Y", 0, "今年,本年,当年,當年,这一年"), ("Y", 1, "明年,来年,來年,次年,下年,下一年,隔年,翌年"), ("Y", 2, "后年,後年"),
    ("Y", 3, "大后年,大後年"), ("Y", -1, "去年,上年,上一年,旧年,舊年"), ("Y", -2, "前年"), ("Y", -3, "大前年"),
    ("D", _DAY[0], "今天,今日,今儿,今兒,今儿个,当天,當天,当日,當日,即日,同日,本日"),
    ("D", _DAY[1], "明天,明日,明儿,明兒,明儿个,聽日,听日,次日,翌日,隔天,第二天,隔日"),
    ("D", _DAY[2], "后天,後天,后日,後日,后儿,第三天"), ("D", _DAY[3], "大后天,大後天,大后日,大後日,大后儿"),
    ("D", _DAY[-1], "昨天,昨日,昨儿,昨兒,昨儿个,尋日,寻日,噚日,琴日"), ("D", _DAY[-2], "前天,前日,前儿"),
    ("D", _DAY[-3], "大前天,大前日"),
    ("D", _NOW, "现在,現在,此刻,当前,當前,此时,此時,目前,马上,馬上,立刻,立即,而家"),
    ("P", "dawn", "凌晨,清晨,黎明,拂晓,拂曉,破晓,天亮"),
    ("P", "morning", "早上,早晨,上午,早间,早間,大清早,一早,一大早,早,晨,朝早,午前,清早"),
    ("P", "noon", "中午,正午,晌午,午间,午間,午饭时,午飯時,中饭时"),
    ("P", "afternoon", "下午,午后,午後,晏昼,晏晝,后晌"),
    ("P", "evening", "傍晚,黄昏,黃昏,日落时"), ("P", "night", "晚上,晚,夜里,夜裡,夜晚,晚间,晚間,夜间,夜間,当晚,當晚"),
    ("P", "midnight", "半夜,午夜,子夜,深夜,大半夜,三更半夜"),
    ("S", (_DAY[0], "morning"), "今早,今晨,今朝"), ("S", (_DAY[0], "night"), "今晚,今夜,今儿晚"),
    ("S", (_DAY[1], "morning"), "明早,明晨"), ("S", (_DAY[1], "night"), "明晚,明夜,聽晚,听晚"),
    ("S", (_DAY[2], "morning"), "后早"), ("S", (_DAY[2], "night"), "后晚,後晚"),
    ("S", (_DAY[-1], "night"), "昨晚,昨夜,尋晚,琴晚"), ("S", (_DAY[-2], "night"), "前晚"),
    ("C", "workday", "工作日,平日,上班日,交易日"), ("C", "weekend", "周末,週末,星期末,礼拜末,禮拜末"),
    ("W", (6,), "周天"),
    ("v", "每", "每,每逢,每到,逢,每一"), ("V", "隔", "隔,间隔,間隔,相隔"),
    ("J", Recurrence("day"), "天天,日日,每天,每日,每一天,逐日,成日"),
    ("J", Recurrence("week"), "逐周,逐週"), ("J", Recurrence("month"), "月月,逐月"),
    ("J", Recurrence("year"), "年年,岁岁年年"),
    ("J", Recurrence(part="night"), "每晚,夜夜,晚晚,每夜"), ("J", Recurrence(part="morning"), "每早,每晨"),
    ("J", Recurrence("day", 2), "每隔天,每隔日"), ("J", Recurrence("week", 2), "双周,雙週,隔周,隔週,每隔周,两周一次"),
    ("A", "从", "从,從,自,由,自从,從"), ("B", "到", "到,至,~,～,〜"),
    ("z", "直到", "直到,截止,截至,截止到,截止至,直至,持续到,持續到,一直到"),
    ("1", "起", "起,开始,開始,起始"), ("U", "共", "共,总共,總共,一共,共计,连续,連續,持续,持續,为期,為期,合计"),
    ("E", "除", "除了,除,除去,除外,以外,例外"),
    ("l", "后", "后,後,之后,之後,以后,以後,过后,過後,后的"), ("b", "前", "前,之前,以前"),
    ("i", "内", "内,內,之内,以内,之內,以內,里,裡"), ("2", "过", "过,過,再过,再過,等,再等"),
    ("2", "未来", "未来,未來,今后,今後"), ("c", "差", "差"),
    ("e", "end", "底,末,末尾,结束时"), ("e", "start", "初,伊始"), ("e", "middle", "中旬,中,月中"),
    ("X", "最后", "最后,最後,最后一,最後一,倒数第一,倒數第一,最末"),
    ("n", 0, "农历,農曆,阴历,陰曆,旧历,舊曆,夏历,夏曆"), ("r", 1, "正月"), ("r", 11, "冬月"), ("r", 12, "腊月,臘月"),
    ("p", "am", "am,a.m.,a.m"), ("p", "pm", "pm,p.m.,p.m"),
    ("T", Clock(12, fixed=True), "正午时分"), ("&", "和", "和,与,與,及,以及,跟,、,还有,還有"),
    ("f", "", "的,在,于,於,约,約,大约,大約,左右,许,許,整,准时,準時,就,这天,這天,那天,时候,的时候,大概,差不多"
              ",钟,鐘,吧,前后,前後,为止,為止,止,公历,公曆,阳历,陽曆,西历,都"),
    ("j", "", "建议,建議,意见,意見,要求,原因,理由,看法,想法,问题,問題,说明,說明,注意,好处,坏处,优点,缺点,区别"
              ",不同,启示,内容,結論,结论,水,儿,兒,点儿,钱,錢,经验,心得,体会,体會,感想,希望,办法,方法,措施,共识"
              ",补充,疑问,收获,特征,特点,米,公里,公斤,倍,元,块,折,亿,万元,度,厘米,千米,人,分之,线,線,式,论,定位"),
    # what looks like a time and is none
    (UNKNOWN, "", "有点,有點,有一点,有一點,一点儿,一點兒,一点点,一點點,早一点,晚一点,早一點,晚一點,快一点,慢一点"
                  ",多一点,少一点,好一点,大一点,小一点,差一点,差一點,一点也,一点都,一點也,一點都,早点,晚点,早點,晚點"
                  ",差点,差點,早饭,早餐,晚饭,晚餐,早飯,晚飯,早安,晚安,早就,早已,晚会,晚會,晚年,早期,晚期,早日,早晚,夜班"
                  ",星期几,周几,几点,幾點,几号,幾號,几月,上下,半导体,过年,過年,高中,初中,中国,中國,除非,从来,从不,从前"
                  ",等等,等级,等于,不过,通过,经过,超过,难过,过程,过分,过去,共同,公共,号码,號碼,十分,一起,到期"),
)  # fmt: skip


def _words() -> dict[str, Entry]:
    table: dict[str, Entry] = {}
    for kind, value, text in _PLAIN:
        table.update((form, (kind, value)) for form in text.split(",") if form)
    return table


WORDS = _words()
DAYS_OF = {"workday": WORKDAYS, "weekend": WEEKEND}

ZONES: dict[str, str] = {
    "北京时间": "Asia/Shanghai", "北京時間": "Asia/Shanghai", "中国时间": "Asia/Shanghai", "台北时间": "Asia/Taipei",
    "台北時間": "Asia/Taipei", "香港时间": "Asia/Hong_Kong", "香港時間": "Asia/Hong_Kong", "东京时间": "Asia/Tokyo",
    "東京時間": "Asia/Tokyo", "纽约时间": "America/New_York", "紐約時間": "America/New_York", "伦敦时间": "Europe/London",
    "倫敦時間": "Europe/London", "太平洋时间": "America/Los_Angeles", "utc": "UTC", "gmt": "UTC", "cet": "Europe/Berlin",
    "美东时间": "America/New_York", "美西时间": "America/Los_Angeles", "本地时间": "", "当地时间": "", "當地時間": "",
    "格林威治时间": "UTC", "巴黎时间": "Europe/Paris", "柏林时间": "Europe/Berlin", "悉尼时间": "Australia/Sydney",
    "新加坡时间": "Asia/Singapore",
}  # fmt: skip
