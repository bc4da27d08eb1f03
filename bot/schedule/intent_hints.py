"""The quick look: whether a message may say something of a wish for later, or of a time, at all.

Every message gets it, most messages nothing more.
"""

from bot.schedule import intent_spelling
from bot.schedule.when.zh.script import simplified
from bot.text.lazy import Pattern


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words of Latin letters are compared whole, those of other scripts looked for anywhere.
# `*_ASKING` may make a wish by themselves, `*_DOING` only beside a word of time.
_LETTERS = Pattern(r"[^\W\d_]+")
_LATIN_ASKING = _words(
    "remind reminds reminding reminded reminder reminders alarm alarms timer timers countdown wake "
    "forget forgetting ping poke nudge buzz nag bug pester badger hassle hound prod shout yell holler "
    "scream remember miss missing oversleep oversleeping sleep late memory count slip bed heads "
    "recuerda recuérdame recuerdame recuérdanos recordarme recordatorio avísame avisame avísanos "
    "avisarme aviso despiértame despiertame despertarme alarma temporizador olvide olvides olvidar "
    "recuerdes recordar avisar despertar olvidemos avises despiertes recuérdale recuérdales"
)
_LATIN_DOING = _words(
    "tell notify alert inform message text dm email call ring phone ask show bring read write send post give "
    "get drop shoot let say hit quiz test greet wish beep chase prompt kick tap page make sure circle "
    "time follow me us woken called told pinged nudged notified alerted messaged texted poked warned "
    "beep ensure see find draft brought rerun redo news pull grab download back restart archive start launch "
    "execute trigger schedule "
    "collect compile gather scan search generate prepare announce leave check watch monitor look "
    "summarize summarise fetch report publish run appointment meeting flight deadline due exam "
    "interview dentist doctor need have has must gotta should pay pick buy submit finish dime dinos "
    "mándame mandame envíame enviame pregúntame llámame llamame escríbeme notifícame revisa comprueba "
    "resume cita reunión vuelo examen entrevista tengo hay"
)
_LATIN_TIME = _words(
    "tomorrow tmrw tmr tonight today morning noon midday midnight afternoon evening night hour hours "
    "hr hrs minute minutes min mins second seconds sec week weeks weekly month months monthly year day "
    "days daily hourly every each weekday weekdays weekend monday tuesday wednesday thursday friday "
    "saturday sunday mon tue wed thu fri sat sun january february march april may june july august "
    "september october november december later next half quarter one two three four five six seven "
    "eight nine ten eleven twelve christmas easter mañana hoy noche tarde mediodía hora horas minuto "
    "minutos semana mes año día días cada lunes martes miércoles jueves viernes sábado domingo media "
    "cuarto una dos tres cuatro cinco seis siete ocho nueve diez once doce enero febrero marzo abril "
    "mayo junio julio agosto septiembre octubre noviembre diciembre próximo"
)
_ASKING = _words(
    "提醒 提个醒 提一醒 提下醒 提示 叫 把我 敲 计时 喊 唤醒 戳 吵醒 弄醒 闹 倒数 番茄 定时 忘 错过 "
    "题醒 体醒 提型 提形 提行 remind ping "
    "睡过 迟到 误了 ذك فك نب يقظ صح منب مؤقت تدعني تخلي याद जगा उठा रिमाइंडर अलार्म टाइमर अनुस्मारक "
    "भूल"
)
_DOING = _words(
    "我 让 告诉 赶 通知 警告 抽查 鼓励 唠叨 念叨 祝 夸 短信 微信 汇总 生成 整理 统计 搜 抓取 列出 备份 读 讲 "
    "唱 转 问 催 说 声 监督 督促 盯着 考 艾特 @ 圈 call cue 呼 踢 拍 滴 告知 知会 播 "
    "给大家 发 推 报 查 总结 监控 看 联系 打给 开会 会 考试 面试 航班 飞机 火车 截止 交 必须 需要 "
    "帮我 替我 列 推 出 搜 做 让 要去 得去 还款 打电话 "
    "خبر رسل قل علم سأل اتصل ابعث موعد اجتماع رحلة يجب बता भेज पूछ सूचित कॉल "
    "मीटिंग परीक्षा अपॉइंटमेंट उड़ान"
)
_TIME = _words(
    "点 时 分 秒 天 日 周 月 年 早 晚 午 每 后 前 刻 号 期 拜 夜 今 明 ساع غد يوم صباح مساء دقي كل "
    "أسبوع شهر ليل ظهر बजे कल आज सुबह शाम रात दोपहर दिन घंट मिनट हर रोज हफ्त सप्ताह महीन वार परसों"
)
_DIGIT = Pattern(r"\d")


def hinted(text: str) -> bool:
    """Whether a text may say something of a wish for later; quick, and never wrong in saying no."""
    lowered = text.lower()
    text = text if text.isascii() else simplified(text)
    letters = set(_LETTERS.findall(lowered))
    foreign = not text.isascii()
    if (
        not letters.isdisjoint(_LATIN_ASKING)
        or not letters.isdisjoint(intent_spelling.WORDS)
        or (foreign and any(word in text for word in _ASKING))
    ):
        return True
    if letters.isdisjoint(_LATIN_DOING) and not (foreign and any(word in text for word in _DOING)):
        return False
    return is_timed(text)


def is_timed(text: str) -> bool:
    """Whether a text has a figure or a word of time; quick, and it may be wrong in saying yes."""
    if _DIGIT.search(text) or not _LATIN_TIME.isdisjoint(_LETTERS.findall(text.lower())):
        return True
    return not text.isascii() and any(word in text for word in _TIME)
