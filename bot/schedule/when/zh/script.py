"""Traditional characters as simplified ones, one for one: a text keeps its length."""

# The characters that words of time are made of, and those that ask for a reminder.
_TRADITIONAL = (
    "後週禮點時號個鐘從內過開裡間會現當來這還為與約準許總計連續歲農曆陽陰舊兒節國慶聖誕勞動婦萬門"
    "歸紀復齋靈樹東紅燈維羅瑪麗龍爾猶權衛寶獨歡獻贖難處臨體薩燭諸彌養護師親黨軍醫環湯謝輔導鬧鈴別"
    "麼億塊線論問題說見議優壞啟結經驗徵錢飯學歷臘黃曉聽尋晝幾數兩臺紐倫飛專屬離鬆鬥贊沒請記設創鍵"
    "務訂試聯衆眾氣熱應該讓車馬買賣寫課讀發電話對長韓頭錶遲葉鳳餅闆懺喬詩穌勝禱凱賢讚備遺產書際費"
    "園鄉鄰橋運階級義戰敗歐亞圖筆寧溫灑龐諾進達撈濟貝賽馴邁蘇願終沖於碼雙驚蟄種處穀滿幫給煩喚嗎囉關託囑吵"
)
_SIMPLIFIED = (
    "后周礼点时号个钟从内过开里间会现当来这还为与约准许总计连续岁农历阳阴旧儿节国庆圣诞劳动妇万门"
    "归纪复斋灵树东红灯维罗玛丽龙尔犹权卫宝独欢献赎难处临体萨烛诸弥养护师亲党军医环汤谢辅导闹铃别"
    "么亿块线论问题说见议优坏启结经验征钱饭学历腊黄晓听寻昼几数两台纽伦飞专属离松斗赞没请记设创键"
    "务订试联众众气热应该让车马买卖写课读发电话对长韩头表迟叶凤饼板忏乔诗稣胜祷凯贤赞备遗产书际费"
    "园乡邻桥运阶级义战败欧亚图笔宁温洒庞诺进达捞济贝赛驯迈苏愿终冲于码双惊蛰种处谷满帮给烦唤吗啰关托嘱吵"
)
_TABLE = str.maketrans(_TRADITIONAL, _SIMPLIFIED)


def simplified(text: str) -> str:
    """`text` with the known traditional characters replaced."""
    return text.translate(_TABLE)
