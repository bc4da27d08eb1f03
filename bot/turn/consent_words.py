"""Words that decide what a person is asked: about one call, or about all that wait."""

import re
from collections.abc import Sequence

_SEPARATOR = ", "
_YES = frozenset(
    re.split(
        _SEPARATOR,
        "yes, y, yes please, ok, okay, approve, do it, go ahead, 是, 是的, 好, 好的, 可以, 同意, 批准, 行, "
        "确认, 确定, sí, si, vale, de acuerdo, aprobar, हाँ, हां, जी हाँ, ठीक है, نعم, موافق, حسنا, حسنًا",
    )
)
_ALWAYS = frozenset(
    re.split(_SEPARATOR, "always, always here, 总是, 總是, 一直可以, 以后都可以, siempre, हमेशा, دائما, دائمًا")
)
_NO = frozenset(
    re.split(
        _SEPARATOR,
        "no, n, no thanks, deny, don't, dont, do not, 不, 不要, 不行, 不可以, 否, 拒绝, 拒絕, 别, rechazar, "
        "नहीं, ना, मत करो, لا, ارفض",
    )
)
_ALL = frozenset(
    re.split(
        _SEPARATOR,
        "all, all of them, yes all, yes to all, yes all of them, approve all, 全部, 全部同意, 全部批准, "
        "全都可以, 都可以, 都行, 都同意, todos, todas, sí a todos, sí a todas, sí a todo, सभी, सब, हाँ सभी, "
        "الكل, كلها, نعم للكل",
    )
)
_BOTH = frozenset(
    re.split(
        _SEPARATOR,
        "both, both of them, yes both, yes to both, do both, approve both, 两个, 两个都要, 两个都可以, "
        "两个都行, 兩個都可以, ambos, ambas, los dos, las dos, sí a ambos, sí a ambas, दोनों, हाँ दोनों, "
        "كلاهما, كلتاهما, نعم لكليهما",
    )
)
_NONE = frozenset(
    re.split(
        _SEPARATOR,
        "none, none of them, neither, no to all, no to both, deny all, deny both, 都不要, 都不行, 都不可以, "
        "全部拒绝, 全部拒絕, ninguno, ninguna, no a todo, no a ambos, कोई नहीं, दोनों नहीं, ولا واحد, لا للكل",
    )
)
_LONGEST = 24


def may_decide(text: str) -> bool:
    """Whether a text may be one that decides something, and nothing else."""
    words = _plain(text)
    return any(words in known for known in (_YES, _ALWAYS, _NO, _ALL, _BOTH, _NONE))


def command_of(text: str, waiting: Sequence[str]) -> str:
    """The command that a text stands for where these calls wait; "" where it decides nothing about them.

    "All" is what waits now, by name: not what comes while it is decided. "Both" of three decides none.
    """
    words = _plain(text)
    if words in _YES | _ALWAYS | _NO:
        return f"/approve {'once' if words in _YES else 'always' if words in _ALWAYS else 'no'}"
    if len(waiting) == 1:
        return ""
    word = "no" if words in _NONE else "once"
    named = () if words in _BOTH and len(waiting) > 2 else waiting
    return " ".join(["/approve", word, *named])


def _plain(text: str) -> str:
    if len(text) > _LONGEST:
        return ""
    return " ".join(re.sub("[,，、،]", " ", text.casefold()).split()).strip(" .!。！")
