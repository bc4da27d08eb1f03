"""Where each key of a TOML text stands, so that an error can name its line.

`tomllib` gives values without positions. This scanner only has to follow texts that `tomllib`
has accepted, so it knows just enough of the format to find keys and to step over values.
"""

import re
from collections.abc import Mapping

KeyPath = tuple[str, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_COMMENT = re.compile(r"#[^\n]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'',
    re.DOTALL,
)
_VALUE_PIECE = re.compile(r"[^\[\]{}\"'#,\n \t\r]+|[ \t\r]+")


def locate(text: str) -> dict[KeyPath, int]:
    """The line (from 1) of every table header and key, and of every item of a list, by its number from 0.

    Keys inside inline tables are left out.
    """
    return _Scanner(text).scan()


def line_of(path: KeyPath, lines: Mapping[KeyPath, int]) -> int | None:
    """The line of a key: its own, else that of the first key below it, else of a table around it."""
    for length in range(len(path), 0, -1):
        around = path[:length]
        if found := [line for key, line in lines.items() if key[:length] == around]:
            return lines.get(around, min(found))
    return None


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._counted = 0
        self._line = 1
        self._lines: dict[KeyPath, int] = {}
        self._items: dict[KeyPath, int] = {}  # of lists of tables, so far

    def scan(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        self._skip(_BLANK)
        while self._at < len(self._text):
            line = self._line_here()
            if self._text[self._at] == "[":
                table = self._header()
                self._lines.setdefault(table, line)
            else:
                path = table + self._dotted_key()
                self._lines[path] = line
                self._at += 1  # the "="
                self._value(path)
            self._skip(_BLANK)
        return self._lines

    def _skip(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._at)
        if found is None:
            raise ValueError(f"no such piece at {self._at}")
        self._at = found.end()
        return found.group()

    def _line_here(self) -> int:
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    def _header(self) -> KeyPath:
        brackets = 2 if self._text.startswith("[[", self._at) else 1
        line = self._line_here()
        self._at += brackets
        path: KeyPath = ()
        named = self._dotted_key()
        for place, key in enumerate(named):
            path = (*path, key)
            if brackets == 2 and place == len(named) - 1:
                self._items[path] = self._items.get(path, -1) + 1
                self._lines.setdefault(path, line)
            if path in self._items:  # below a list of tables the last of them is meant
                path = (*path, str(self._items[path]))
        self._at += brackets
        return path

    def _dotted_key(self) -> KeyPath:
        path = []
        while True:
            self._skip(_SPACE)
            path.append(self._key())
            self._skip(_SPACE)
            if self._text[self._at] != ".":
                return tuple(path)
            self._at += 1

    def _key(self) -> str:
        quote = self._text[self._at]
        if quote not in "\"'":
            return self._skip(_BARE_KEY)
        body = self._skip(_STRING)[1:-1]
        return body if quote == "'" else _unescape(body)

    def _value(self, path: KeyPath) -> None:
        """Step over a value: to the end of the line on which all its brackets are closed."""
        self._skip(_SPACE)
        depth, items = 0, 0
        is_list = self._text.startswith("[", self._at)
        begins = False  # an item of the list
        while self._at < len(self._text):
            char = self._text[self._at]
            if begins and char not in " \t\r\n#]":
                self._lines[(*path, str(items))] = self._line_here()
                items, begins = items + 1, False
            begins = begins or (is_list and (depth, char) in {(0, "["), (1, ",")})
            if char in "\"'":
                self._skip(_STRING)
            elif char == "#":
                self._skip(_COMMENT)
            elif char == "\n" and not depth:
                return
            elif char in "[]{},\n":
                depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(char, 0)
                self._at += 1
            else:
                self._skip(_VALUE_PIECE)


def _unescape(body: str) -> str:
    def one(found: re.Match[str]) -> str:
        code = found.group(1)
        return chr(int(code[1:], 16)) if code[0] in "uU" else _ESCAPES.get(code, code)

    return re.sub(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", one, body)
