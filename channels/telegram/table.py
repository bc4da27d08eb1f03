"""Tables drawn with fixed-width characters, for chats that know no tables."""

import unicodedata
from collections.abc import Sequence

# One wide cell widens every row: beyond so many characters of padding for each of content, or so many
# in all, the cells are only set apart.
_PADDING_SHARE = 8
_PADDING_FREE = 4_000


def draw_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells, the first one the head, as aligned lines. Wide (CJK) characters count double.

    A table that alignment would blow up many times over is drawn without it.
    """
    if not rows:
        return ""
    columns = max(map(len, rows))
    widths = [0] * columns
    for row in rows:
        for column, cell in enumerate(row):
            widths[column] = max(widths[column], _width(cell))
    content = sum(len(cell) for row in rows for cell in row)
    if (sum(widths) + 3 * columns) * len(rows) > _PADDING_FREE + _PADDING_SHARE * content:
        return "\n".join(_unaligned(row) for row in rows)
    filled = [[*row, *[""] * (columns - len(row))] for row in rows]
    lines = [_line(row, widths) for row in filled]
    lines.insert(1, "-+-".join("-" * width for width in widths))
    return "\n".join(lines)


def _unaligned(cells: Sequence[str]) -> str:
    last = max((place for place, cell in enumerate(cells) if cell), default=0)
    return " | ".join(cells[: last + 1])


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell + " " * (width - _width(cell)) for cell, width in zip(cells, widths, strict=True))
    return " | ".join(padded).rstrip()


def _width(text: str) -> int:
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )
