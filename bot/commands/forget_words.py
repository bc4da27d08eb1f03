"""Wishes to forget, in plain words of five languages. What is found is only shown, until it is confirmed."""

from bot.text.lazy import Pattern

EVERYTHING = "everything"
MAX_CHARS = 200

# English
_PLEASE = r"(?i)^(?:please |pls |can you (?:please )?|could you (?:please )?|i want you to )?"
_DROP = r"(?:forget|delete|erase|remove) "
_I_SAID = r"i(?: have|['’]ve)? (?:ever )?(?:said|told you|mentioned|wrote)"
_YOU_KNOW = r"you (?:know|remember|have|stored|saved|learned|learnt)"
# Chinese
_QING = r"^(?:请|麻烦|帮我|你)*"
_WANG = r"(?:忘记|忘掉|忘了|删除|删掉)"
_SHI = r"(?:的)?(?:事情|事|内容|信息|记忆|话|一切|所有内容)?[。！! 吧]*$"
# Spanish
_DIJE = r"(?:he dicho|dije|conté|sabes|recuerdas)"

_ALL = tuple(
    Pattern(pattern)
    for pattern in (
        rf"{_PLEASE}{_DROP}(?:me|(?:everything|all)"
        rf"(?: (?:(?:that )?(?:{_YOU_KNOW}(?: about me| of me)?|{_I_SAID})|about me))?)[.! ]*$",
        rf"{_QING}{_WANG}(?:关于)?我(?:吧|(?:的)?(?:所有|全部|一切)(?:记忆|信息|内容|事情)?)?[。！! 吧]*$",
        rf"{_QING}{_WANG}(?:所有|全部|一切)(?:关于我的|我说过的|我告诉你的)?{_SHI}",
        r"(?i)^(?:por favor,? )?(?:olvídame|olvida todo|borra todo)"
        r"(?: lo que (?:sabes|recuerdas)(?: (?:de|sobre) mí)?| sobre mí)?[.! ]*$",
        r"^(?:मुझे|मेरे बारे में सब कुछ|सब कुछ) भूल जाओ[।.! ]*$",
        r"^(?:انسني|(?:انسَ|انس|احذف) كل شيء(?: عني)?)[.! ]*$",
    )
)
_SOME = tuple(
    Pattern(pattern)
    for pattern in (
        rf"{_PLEASE}{_DROP}(?:what|everything|all|anything)(?: that)? (?:{_I_SAID}|{_YOU_KNOW})"
        r" (?:about|on|of|regarding) (?P<words>.+?)(?: please)?[.!? ]*$",
        rf"{_PLEASE}{_DROP}(?:all|everything) about (?P<words>.+?)[.!? ]*$",
        rf"{_PLEASE}{_DROP}(?:your|the|any) (?:memory|memories|notes?)"
        r" (?:about|of|on) (?P<words>.+?)[.!? ]*$",
        rf"{_PLEASE}forget (?:about )?"
        r"(?P<words>my (?!question|last|previous|request|message)[^,.;]{2,60})[.! ]*$",
        rf"{_PLEASE}forget (?P<words>that (?:i|my) [^,.;]{{2,80}})[.! ]*$",
        rf"{_QING}{_WANG}(?:我(?:说|告诉你)过?的)?(?:关于|有关)(?P<words>[^，。,]{{1,40}}?){_SHI}",
        rf"{_QING}{_WANG}我(?:的|说的|说过的)(?P<words>[^，。,吗么？?]{{1,40}}?)[。！! 吧]*$",
        rf"{_QING}把(?:关于)?(?:我的|我说的|我说过的)?(?P<words>[^，。,]{{1,40}}?)(?:的事情?|的内容)?"
        r"(?:忘记|忘掉|忘了)[。！! 吧]*$",
        rf"(?i)^(?:por favor,? )?(?:olvida|borra|elimina) (?:todo )?lo que (?:te )?{_DIJE}"
        r" (?:sobre|de|acerca de) (?P<words>.+?)[.! ]*$",
        r"(?i)^(?:por favor,? )?(?:olvida|borra|elimina) todo sobre (?P<words>.+?)[.! ]*$",
        r"(?i)^(?:por favor,? )?olvida (?P<words>mis? [^,.;]{2,60})[.! ]*$",
        r"^(?:कृपया )?(?:मैंने )?(?P<words>.{1,60}?) के बारे में"
        r" (?:(?:मैंने )?जो (?:मैंने )?(?:कहा|बताया)(?: था)? )?(?:वह |उसे |सब )?भूल जाओ[।.! ]*$",
        r"^(?:من فضلك )?(?:انسَ|انس|احذف) (?:كل )?ما (?:قلته|قلت لك|أخبرتك به|تعرفه)(?: لك)?"
        r" (?:عن|حول) (?P<words>.+?)[.! ]*$",
    )
)


def forget_wish(text: str) -> str | None:
    """What a message asks to be forgotten, as words to look for; `EVERYTHING`; None for other talk."""
    said = text.strip()
    if len(said) > MAX_CHARS or "\n" in said:
        return None
    if any(pattern.match(said) for pattern in _ALL):
        return EVERYTHING
    for pattern in _SOME:
        if match := pattern.match(said):
            return match["words"].strip()
    return None
