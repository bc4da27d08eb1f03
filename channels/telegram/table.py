"""Tables drawn with fixed-width characters, for chats that know no tables."""

import unicodedata
from collections.abc import Sequence


def draw_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells, the first one the head, as aligned lines. Wide (CJK) characters count double."""
    columns = max((len(row) for row in rows), default=0)
    filled = [[*row, *[""] * (columns - len(row))] for row in rows]
    widths = [max(_width(row[column]) for row in filled) for column in range(columns)]
    lines = [_line(row, widths) for row in filled]
    lines.insert(1, "-+-".join("-" * width for width in widths))
    return "\n".join(lines)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell + " " * (width - _width(cell)) for cell, width in zip(cells, widths, strict=True))
    return " | ".join(padded).rstrip()


def _width(text: str) -> int:
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )
