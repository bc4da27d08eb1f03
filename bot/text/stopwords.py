"""Words that say nothing about what a text is about; a search drops them where others remain."""

_ENGLISH = """
    a about above after again all also am an and any are as at be because been before being but by can
    could did do does doing don done down during each few for from further get gets got had has have having
    he her here hers him his how i if in into is isn it its itself just know let ll like many may me might
    mine more most much must my no nor not now of off on once one only or other our ours out over own please
    re really s said same say says shall she should so some such t tell than that the their theirs them then
    there these they thing things this those through to too under until up upon us ve very was we well were
    what when where which while who whom whose why will with would yes you your yours d m
"""
ENGLISH = frozenset(_ENGLISH.split())

# A pair of such characters (的是, 什么) carries no subject; a pair with one other character does.
CJK = frozenset(
    "的了是我你您他她它们吗呢吧啊呀哦嗯在有和就都也不这那什么怎谁哪请把被给跟与及或而但很还又再会能可以要想说"
    "过着得地之其此些个为所从到对上下里没个哈嘛啦么样时候"
    "のはがをにへともでやかなよねだですますしたてるれこそあいうえおくけきりらさせまわん何"
    "은는이가을를에의도로와과한고다요"
)
