"""Text from outside, made safe to keep: every database, log and JSON reader takes what comes out."""

import re

_SURROGATES = re.compile("[\ud800-\udfff]")
# C0 and C1 controls but for newline and tab.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_LINE_ENDS = re.compile(r"\r\n?")


def clean(text: str) -> str:
    """`text` without control characters (newlines and tabs stay, CR LF becomes a newline) and with
    U+FFFD for each half of a broken surrogate pair; a pair that is whole becomes its character."""
    if text.isprintable():
        return text
    text = _LINE_ENDS.sub("\n", text)
    text = _CONTROLS.sub("", text)
    if _SURROGATES.search(text):
        # Halves that stand together are one character that some other language split in two.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
