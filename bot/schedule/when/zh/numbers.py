"""Numbers as they are written in Chinese characters."""

_DIGITS = {char: value for value, chars in enumerate(
    ("零〇○", "一", "二两两", "三", "四", "五", "六", "七", "八", "九")
) for char in chars}  # fmt: skip
_TENS = {"十": 10, "百": 100, "千": 1000}
CHARACTERS = "".join((*_DIGITS, *_TENS, "万", "万", "廿", "卅"))
_LARGEST_LENGTH = 12


def number(text: str) -> int | None:
    """The number that `text` says, in words (二十一) or digit by digit (二零一五); None for neither."""
    if len(text) > _LARGEST_LENGTH:
        return None
    text = text.replace("廿", "二十").replace("卅", "三十").replace("万", "万")
    if all(char in _DIGITS for char in text):
        return int("".join(str(_DIGITS[char]) for char in text))
    high, ten_thousand, low = text.partition("万")
    if not ten_thousand:
        return _below_ten_thousand(text)
    return (_below_ten_thousand(high) or 1) * 10_000 + (_below_ten_thousand(low) or 0)


def _below_ten_thousand(text: str) -> int | None:
    total, digit = 0, None
    for char in text:
        if char in _TENS:
            total += (1 if digit is None else digit) * _TENS[char]
            digit = None
        elif char in _DIGITS:
            digit = _DIGITS[char] if digit is None else digit * 10 + _DIGITS[char]
        else:
            return None
    return total + (digit or 0)


def about(text: str) -> int | None:
    """The lower of two digits that say "about" (七八点, 两三天, 三五分钟); None for anything else."""
    if len(text) != 2 or not all(char in _DIGITS for char in text):
        return None
    low, high = (_DIGITS[char] for char in text)
    return low if low and (high == low + 1 or (low, high) == (3, 5)) else None
