"""Words that call people who have said nothing yet: kin, titles, what looks like a given name."""

from bot.text.lazy import Pattern
from bot.turn.group.words import word_set

KIN = word_set(
    "mom mum mommy mummy mama dad daddy papa grandma grandpa granny honey babe baby darling"
    " sweetie bro bros sis dude mate man boss guys folks everyone everybody all team people ladies"
    " sir uncle auntie aunt"
)
# Family names that do not begin every-day words.
SURNAMES = (
    "王李张刘陈杨赵吴徐孙朱胡郭林罗郑梁宋唐韩冯邓曹彭董潘袁蔡蒋杜叶魏苏吕丁沈姚卢傅钟姜崔谭陆汪范廖"
    "贾韦邱邹熊孟秦阎薛尹侯龙陶黎贺顾邵龚覃戴孔"
)
_KIN_ZH = Pattern(
    r"^(?:妈+|爸+|老?妈|老?爸|哥+|姐+|弟弟?|妹妹?|爷爷|奶奶|外婆|外公|姥姥|姥爷|老婆|老公|亲爱的"
    r"|宝贝?|老师|老板|经理|师傅|各位|大家|同学们?|兄弟们?|姐妹们?|家人们"
    rf"|[老小阿大{SURNAMES}][\u4e00-\u9fff]{{1,2}}|[\u4e00-\u9fff]{{1,3}}(?:哥|姐|总|老师|叔|姨|工|妈|爸|爷|奶))$"
)
# Characters that given names are made of, and words of every day that are made like one.
_GIVEN_CHARACTERS = (
    "芳娜敏静丽强磊军勇艳杰娟涛超霞刚桂芬玲梅英宇轩涵欣怡梓浩然子萱雨泽晨诗佳雪婷倩琪瑶莹伟洋鹏飞斌辉琳洁"
    "颖雯薇蕾菲璐妍婉淑慧兰莉珊珍贞燕凤翠秀芸茜岚悦昊睿博俊豪翔凯峰旭阳晖炜煜铭琛楠桐晓思嘉若彤馨语宁蓉萍"
    "红华建国志远海林龙波亮健坤鑫康毅威栋柏松彬振恒诚航瀚逸宸皓奕沐茵芷柔梦琦钰珂"
)
_GIVEN_ZH = Pattern(rf"[{_GIVEN_CHARACTERS}]{{2,3}}$|([\u4e00-\u9fff])\1$")
_WORDS_ZH = word_set(
    "国语 英语 华语 海洋 海龙 飞翔 雨雪 健康 康健 红海 林海 海林 海波 龙凤 诗语 若然 欣然"
    " 悦然 柔然 远航 远海 豪华 威海 宁波 建华 谢谢 哈哈 嘿嘿 呵呵 嘻嘻 等等 看看 天天 常常"
    " 往往 刚刚 偏偏 明明 慢慢 仅仅 问问 说说 听听 想想 试试 好好 早早 真真 呜呜 啊啊 嗯嗯"
    " 哦哦 对对 是是 行行 渐渐 通通 统统 恰恰 大大 小小 多多 少少 人人 个个 家家 年年 月月"
    " 日日 处处 样样 拜拜 走走 聊聊 找找 查查 算算 写写 画画 读读 念念 改改 换换 帮帮 救救"
    " 求求 星星 猩猩 饼饼 高高 低低 快快 静静 悄悄 默默 轻轻 紧紧 深深 远远 久久 匆匆 纷纷"
    " 连连"
)


def calls_a_person(name: str) -> bool:
    """Whether a Chinese word calls a person: 妈, 老王, 李老师, 海涛, 丽丽."""
    if _KIN_ZH.match(name):
        return True
    return _GIVEN_ZH.match(name) is not None and name not in _WORDS_ZH
