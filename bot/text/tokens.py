"""What a text is made of: words to compare and search by, and how many tokens a model will count."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from bot.text import stopwords

# Scripts written without spaces between words, and Hangul, whose particles stick to the word: their
# characters are indexed one by one. Thai, Lao, Burmese and Khmer stand here for the same reason.
_CJK = (
    "\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u109f\u1100-\u11ff\u1780-\u17d3\u3005-\u3007\u3041-\u3096"
    "\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\U00020000-\U000323af"
)
# Marks that belong to the letter before them; Python's \w leaves them out.
_MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u064b-\u065f\u0670\u0900-\u0dff"
_SEGMENT = re.compile(rf"(?P<cjk>[{_CJK}]+)|(?:(?![{_CJK}_])[\w{_MARKS}])+")
_NO_WORD = re.compile(rf"[^\w{_MARKS}{_CJK}]+|_+")
_ASCII_NO_WORD = {code: " " for code in range(0x80) if not chr(code).isalnum()}
_CJK_CHARACTER = re.compile(f"[{_CJK}]")
_ANY_DIGIT = re.compile(r"\d")
_MIXED_WORD = re.compile(r"[^\W\d_]+\d\w*|\d+[^\W\d_]\w*")
_LETTERS_OR_DIGITS = re.compile(r"[^\W\d_]+|\d+")


@dataclass(frozen=True, slots=True)
class Segment:
    """A word, or a run of characters of a script that puts no spaces between words."""

    text: str
    cjk: bool


def fold(text: str) -> str:
    """The form in which texts are compared: width, case and composition make no difference."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def segments(text: str) -> list[Segment]:
    """The words and CJK runs of `text` in order, folded."""
    return [Segment(match[0], match["cjk"] is not None) for match in _SEGMENT.finditer(fold(text))]


def pairs(run: str) -> list[str]:
    """The overlapping pairs of a CJK run; a run of one character is given as it is."""
    return [run] if len(run) == 1 else [run[at : at + 2] for at in range(len(run) - 1)]


def pieces(word: str) -> list[str]:
    """The letters and the digits of a word such as `sunflower88`, apart; the word alone where it has
    only one kind."""
    return _LETTERS_OR_DIGITS.findall(word)


def spaced(text: str) -> str:
    """`text` folded and made fit for a tokenizer that splits at spaces.

    Nothing but words and single spaces is left, each CJK character stands alone, and words of letters
    and digits are repeated at the end in pieces.
    """
    folded = fold(text)
    if folded.isascii():
        spread = folded.translate(_ASCII_NO_WORD)
    else:
        spread = _CJK_CHARACTER.sub(r" \g<0> ", _NO_WORD.sub(" ", folded))
    spread = " ".join(spread.split())
    if not _ANY_DIGIT.search(spread):
        return spread
    mixed = [piece for word in _MIXED_WORD.findall(spread) for piece in pieces(word)]
    return " ".join((spread, *mixed)) if mixed else spread


def words(text: str) -> list[str]:
    """What `text` is about, to compare it with another: folded words, and CJK runs as overlapping pairs."""
    result: list[str] = []
    for segment in segments(text):
        result.extend(pairs(segment.text) if segment.cjk else [segment.text])
    return result


def is_stop_word(word: str) -> bool:
    """Whether a word or pair, as `words` gives them, says nothing about the subject."""
    return word in stopwords.ENGLISH or stopwords.CJK.issuperset(word)


# Hundredths of a token a byte of UTF-8 stands for, on the safe side of the tokenizers in use: some
# count each digit, most count a CJK character as one or a little more, an emoji as two or three.
_LOWER, _UPPER, _DIGIT, _SPACE, _SIGN = 30, 50, 65, 8, 85
_TWO_BYTES, _THREE_BYTES, _FOUR_BYTES = 65, 120, 300
_COSTS: tuple[tuple[int, bytes], ...] = (
    (_LOWER, bytes(range(0x61, 0x7B))),
    (_UPPER, bytes(range(0x41, 0x5B))),
    (_DIGIT, bytes(range(0x30, 0x3A))),
    (_SPACE, b" "),
    (_TWO_BYTES, bytes(range(0xC0, 0xE0))),
    (_THREE_BYTES, bytes(range(0xE0, 0xF0))),
    (_FOUR_BYTES, bytes(range(0xF0, 0x100))),
)
_SIGNS = bytes(byte for byte in range(0x80) if not (chr(byte).isalnum() or byte == 0x20))
_CLASSES = tuple((cost, bytes(set(range(256)) - set(kept))) for cost, kept in (*_COSTS, (_SIGN, _SIGNS)))

_SHORT = 600  # characters; longer texts are not worth the memory of remembering them


def estimate_tokens(text: str) -> int:
    """How many tokens a model will count for `text`, rather too many than too few. 0 for nothing."""
    return _remembered(text) if len(text) <= _SHORT else _estimate(text)


@lru_cache(maxsize=2048)
def _remembered(text: str) -> int:
    return _estimate(text)  # a history is counted anew with each of its turns


def _estimate(text: str) -> int:
    data = text.encode("utf-8", "surrogatepass")
    hundredths = sum(cost * len(data.translate(None, others)) for cost, others in _CLASSES)
    return -(-hundredths // 100)
