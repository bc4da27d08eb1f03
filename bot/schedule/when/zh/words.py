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
| `4` | the time of day that it is now | |
| `p` `Z` `d` `F` | half of the day; zone; figures of the shapes | |
| `j` `!` | what makes of 三点 three points; 提醒 and the like | |
| `I` | made by rules: an amount | |
"""

from bot.schedule.when.amounts import amount
from bot.schedule.when.clocks import Clock
from bot.schedule.when.days import Period, Shifted
from bot.schedule.when.recurrence import WEEKEND, WORKDAYS, Recurrence
from bot.schedule.when.tokens import UNKNOWN, entries

_NOW = Shifted(amount(0, "second"), exact=True)
_DAY = [Period("day", ahead) for ahead in (0, 1, 2, 3, -3, -2, -1)]  # by index, negative from the end
_MEALS = tuple(Clock(hour, fixed=True) for hour in (9, 12, 21))

_PLAIN: tuple[tuple[str, object, str], ...] = (
    ("h", 3, "几,数,若干,好几"),
    ("y", "年", "年,年份"),
    ("M", "月", "月,月份"),
    ("w", "周", "周,星期,礼拜"),
    ("t", "天", "天"),
    ("G", "日", "日"),
    ("#", "号", "号"),
    ("H", "时", "时"),
    ("m", "分", "分"),
    ("s", "秒", "秒"),
    ("O", "点", "点,点一到,点一过,点钟,点整,点正,点多,点多钟,点许"),
    ("H", "时", "时整,时许,时正"),
    ("k", "刻", "刻"),
    ("%", "半", "半"),
    ("g", "个", "个"),
    ("o", "第", "第"),
    ("u", "hour", "小时,钟头,个钟"),
    ("u", "minute", "分钟"),
    ("u", "second", "秒钟"),
    ("u", "quarter", "季度"),
    ("K", "次", "次,遍,趟"),
    ("q", 0, "这,本,今,当,同,这一"),
    ("q", 1, "下,下一"),
    ("q", -1, "上,上一"),
    ("q", 2, "下下"),
    ("q", -2, "上上"),
    ("Y", 0, "今年,本年,当年,这一年"),
    ("Y", 1, "明年,来年,次年,下年,下一年,翌年"),
    ("Y", 2, "后年"),
    ("Y", 3, "大后年"),
    ("Y", -1, "去年,上年,上一年,旧年"),
    ("Y", -2, "前年"),
    ("Y", -3, "大前年"),
    ("D", _DAY[0], "今天,今日,今儿,今儿个,当天,当日,即日,同日,本日"),
    ("D", _DAY[1], "明天,明日,明儿,明儿个,听日,次日,翌日,第二天"),
    ("D", _DAY[2], "后天,后日,后儿,第三天"), ("S", (_DAY[2], "night"), "后晚"),
    ("D", _DAY[3], "大后天,大后日,大后儿"),
    ("D", _DAY[-1], "昨天,昨日,昨儿,昨儿个,寻日,噚日,琴日"),
    ("D", _DAY[-2], "前天,前日,前儿"),
    ("D", _DAY[-3], "大前天,大前日"),
    ("D", _NOW, "现在,此刻,当前,此时,目前,马上,立刻,立即,而家,即刻,如今,眼下"),
    ("P", "dawn", "凌晨,清晨,黎明,拂晓,破晓,天亮"),
    ("P", "morning", "早上,早晨,上午,早间,大清早,一早,一大早,早,晨,朝早,午前,清早"),
    ("P", "noon", "中午,正午,晌午,午间,午饭时,中饭时"),
    ("P", "afternoon", "下午,午后,晏昼,下昼,后晌"),
    ("P", "evening", "傍晚,黄昏,日落时"),
    ("P", "night", "晚上,晚,夜里,夜晚,晚间,夜间,当晚"),
    ("P", "midnight", "半夜,午夜,子夜,深夜,大半夜,三更半夜"),
    ("S", (_DAY[0], "morning"), "今早,今晨,今朝"),
    ("S", (_DAY[0], "night"), "今晚,今夜,今儿晚"),
    ("S", (_DAY[1], "morning"), "明早,明晨"),
    ("S", (_DAY[1], "night"), "明晚,明夜,听晚"),
    ("S", (_DAY[-1], "night"), "昨晚,昨夜,寻晚,琴晚"),
    ("S", (_DAY[-2], "night"), "前晚"),
    ("C", "workday", "工作日,平日,上班日,交易日,上学日"),
    ("C", "weekend", "周末,星期末,礼拜末,双休日"),
    ("W", (6,), "周天"),
    ("v", "每", "每,每逢,每到,每过,逢"),
    ("V", "隔", "隔,间隔,相隔"),
    ("J", Recurrence("day"), "天天,日日,每天,每日,每一天,逐日,成日"),
    ("J", Recurrence("week"), "逐周"),
    ("J", Recurrence("month"), "月月,逐月"),
    ("J", Recurrence("year"), "年年,岁岁年年"),
    ("J", Recurrence("day", clocks=_MEALS, assumed=("part-hour",)), "每天早中晚,每日早中晚,每天早、中、晚"),
    ("J", Recurrence(part="night"), "每晚,夜夜,晚晚,每夜"),
    ("J", Recurrence(part="morning"), "每早,每晨"),
    ("J", Recurrence("day", 2), "每隔天,每隔日,隔天,隔日"),
    ("J", Recurrence("week", 2), "双周,隔周,每隔周,每双周"),
    ("A", "从", "从,自,由,自从"),
    ("B", "到", "到,至,~,～,〜"),
    ("z", "直到", "直到,截止,截至,截止到,截止至,直至,持续到,一直到"),
    ("1", "起", "起,开始,起始"),
    ("U", "共", "接下来,接下来的,往后,共,总共,一共,共计,连续,持续,为期,合计"),
    ("E", "除", "除了,除,除去,除外,以外,例外"),
    ("l", "后", "后,之后,以后,过后,后的"),
    ("b", "前", "前,之前,以前"),
    ("i", "内", "内,之内,以内,里"),
    ("2", "过", "过,再过,等,再等"),
    ("2", "未来", "未来,今后"),
    ("c", "差", "差"),
    ("e", "end", "底,末,末尾,结束时"),
    ("e", "start", "初,伊始"),
    ("e", "middle", "中旬,中"), ("e", "late", "下旬"), ("e", "start", "上旬"),
    ("X", "最后", "最后,最后一,倒数第一,最末"),
    ("X", "倒数", "倒数,倒数第"),
    ("4", "", "这个时候,这个时间,这个点,这时候,这会儿,同一时间,此刻这个时候"),
    ("n", 0, "农历,阴历,旧历,夏历"),
    ("r", 1, "正月,大年"),
    ("r", 11, "冬月"),
    ("r", 12, "腊月"),
    ("p", "am", "am,a.m.,a.m"),
    ("p", "pm", "pm,p.m.,p.m"),
    ("T", Clock(12, fixed=True), "正午时分"),
    ("3", 7, "早饭前,早餐前,上班前,上学前"), ("3", 9, "早饭后,早餐后,吃完早饭"),
    ("3", 11, "午饭前,午餐前,中饭前"), ("3", 13, "午饭后,午餐后,中饭后,吃完午饭,吃过午饭"),
    ("3", 17, "放学后,下课后,下班前"), ("3", 18, "下班后,下班以后,下了班,晚饭前,晚餐前"),
    ("3", 20, "晚饭后,晚餐后,吃完晚饭,吃过晚饭"), ("3", 22, "睡前,睡觉前,临睡前"),
    ("&", "和", "和,与,及,以及,跟,、,还有"),
    ("f", "", "的,在,于,约,大约,左右,许,整,准时,就,这天,那天,时候,的时候,大概,差不多,钟,吧,前后"
              ",为止,止,公历,阳历,西历,都"),
    ("j", "", "建议,意见,要求,原因,理由,看法,想法,问题,说明,注意,好处,坏处,优点,缺点,区别,不同,启示"
              ",内容,结论,水,儿,点儿,钱,经验,心得,体会,感想,希望,办法,方法,措施,共识,补充,疑问,收获"
              ",特征,特点,米,公里,公斤,倍,元,块,折,亿,万元,度,厘米,千米,人,分之,线,式,论,定位"),
    ("!", "", "提醒,提醒我,提醒下我,提醒一下我,提醒一下"
              ",叫我,喊我,通知我,戳我,戳一下我,催我,敲我,记得,别忘,别忘了,叫醒我,告诉我,我要,我想"),
    # what looks like a time and is none
    (UNKNOWN, "", "饭后,有点,有一点,一点儿,一点点,早一点,晚一点,快一点,慢一点,多一点,少一点,好一点,大一点"
                  ",小一点,差一点,一点也,一点都,早点,晚点,差点,早饭,早餐,晚饭,晚餐,早安,晚安,早就"
                  ",早已,晚会,晚年,早期,晚期,早日,早晚会,早晚要,早晚得,夜班,星期几,周几,几点,几号,几月,上下,半导体"
                  ",过年,高中,初中,中国,除非,从来,从不,从前,等等,等级,等于,不过,通过,经过,超过,难过"
                  ",一定,一直,一般,一样,一旦,一边,一同,一块,一并,一律"
                  ",过程,过分,过去,共同,公共,号码,一起,到期,年代,世纪"),
)  # fmt: skip


WORDS = entries(_PLAIN)
DAYS_OF = {"workday": WORKDAYS, "weekend": WEEKEND}

ZONES: dict[str, str] = {
    "北京时间": "Asia/Shanghai",
    "中国时间": "Asia/Shanghai",
    "台北时间": "Asia/Taipei",
    "香港时间": "Asia/Hong_Kong",
    "东京时间": "Asia/Tokyo",
    "纽约时间": "America/New_York",
    "伦敦时间": "Europe/London",
    "太平洋时间": "America/Los_Angeles",
    "utc": "UTC",
    "gmt": "UTC",
    "cet": "Europe/Berlin",
    "美东时间": "America/New_York",
    "美西时间": "America/Los_Angeles",
    "本地时间": "",
    "当地时间": "",
    "格林威治时间": "UTC",
    "巴黎时间": "Europe/Paris",
    "柏林时间": "Europe/Berlin",
    "悉尼时间": "Australia/Sydney",
    "新加坡时间": "Asia/Singapore",
}
