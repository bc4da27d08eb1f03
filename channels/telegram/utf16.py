"""Telegram counts text in UTF-16 code units; Python counts code points."""

from collections.abc import Sequence


def utf16_len(text: str) -> int:
    """The length of a text as Telegram counts it."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) >> 1


def utf16_slice(text: str, offset: int, length: int) -> str:
    """The part of a text that an entity covers; what lies outside the text is cut off."""
    if text.isascii():
        return text[max(0, offset) : max(0, offset + length)]
    units = text.encode("utf-16-le", "surrogatepass")
    return units[max(0, offset) * 2 : max(0, offset + length) * 2].decode("utf-16-le", "replace")


def utf16_offsets(text: str) -> Sequence[int]:
    """The offset of each character, and of the end."""
    if text.isascii():
        return range(len(text) + 1)
    offsets = [0]
    for char in text:
        offsets.append(offsets[-1] + (2 if ord(char) > 0xFFFF else 1))
    return offsets
