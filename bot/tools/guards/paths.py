"""The path guard: which names of files a tool may use inside a workspace. Text only, no disk.

What is allowed here is a relative path that means the same to every system and every reader; the
workspace (`guards.workspace`) then opens it step by step from its own folder. Both are needed: the
text says nothing of links, and the folder nothing of names that a person reads wrongly.
"""

import re
import unicodedata
from urllib.parse import unquote_to_bytes

from bot.tools.guards.verdict import ALLOW, Verdict, deny

MAX_PATH = 1024  # bytes of UTF-8
MAX_NAME = 240  # bytes of one part; file systems end at 255, and a temporary name is longer
MAX_DEPTH = 16

_WINDOWS_NAME = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\..*)?", re.IGNORECASE)
# Also `%HOME%`, but not `%E4%B8`, which is an encoding.
_FOR_SHELLS = re.compile(r"[|<>`\"*?:\\]|\$[({A-Za-z_]|%(?![0-9A-Fa-f]{2})\w+%")
_DOTS = re.compile(r"[. ]{2,}")
# Files that programs obey or that hold keys, wherever they stand.
_OBEYED = re.compile(
    r"git~\d|\.(git|ssh|gnupg|aws|azure|kube|docker|netrc|npmrc|pypirc|env(\..*)?|envrc|profile|bash.*|zsh.*|"
    r"config|vscode|idea|htaccess|htpasswd|git-credentials|gitconfig|gitmodules|pgpass|my\.cnf)",
    re.IGNORECASE,
)
# What is read as a slash, a backslash or a dot without being compatible with it in Unicode.
_LOOK_ALIKES = str.maketrans("\u2044\u2215\u29f8\u2571\u29f5\u2216\u3002", "////\\\\.")
_JOINERS = "\u200c\u200d"  # meant in Persian words and in families of emoji


def judge_path(path: str) -> Verdict:
    """Whether this is a plain relative path of a file or folder below a workspace."""
    reason = _fault(path)
    return deny(reason) if reason else ALLOW


def parts_of(path: str) -> tuple[str, ...]:
    """The parts of an allowed path, in normal form (NFC). Raises `ValueError` for one that isn't."""
    if reason := _fault(path):
        raise ValueError(f"the path {path[:80]!r} {reason}")
    return tuple(unicodedata.normalize("NFC", part) for part in path.split("/") if part not in {"", "."})


def _fault(path: str) -> str:
    """What is wrong with a path, "" for nothing; also what is wrong with what it may be decoded to."""
    if not path:
        return "is empty"
    try:
        if len(path.encode()) > MAX_PATH:
            return f"is longer than {MAX_PATH} bytes"
    except UnicodeEncodeError:
        return "is not valid Unicode"
    for reading in _readings(path):
        if reading is None:
            return "hides characters in an encoding"
        if fault := _fault_of_text(reading):
            return fault
    return ""


def _readings(path: str) -> list[str | None]:
    """The path as others may read it: with %-escapes decoded once or more, with look-alikes made plain."""
    readings: list[str | None] = [path, _plain(path)]
    seen = path
    for _ in range(4):
        decoded = unquote_to_bytes(seen)
        if decoded == seen.encode():
            return readings
        try:
            seen = decoded.decode()
        except UnicodeDecodeError:
            return [*readings, None]
        readings += [seen, _plain(seen)]
    return [*readings, None]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).translate(_LOOK_ALIKES)


def _fault_of_text(path: str) -> str:
    if path.startswith(("/", "~")) or re.match(r"[A-Za-z]:", path):
        return "is not relative to the workspace"
    if any(_is_invisible(path, at) for at in range(len(path))):
        return "holds control or invisible characters"
    if _FOR_SHELLS.search(path):
        return "holds characters that systems or shells take in another way"
    names = [name for name in path.split("/") if name not in {"", "."}]
    if not names:
        return "names no file"
    if len(names) > MAX_DEPTH:
        return f"is more than {MAX_DEPTH} folders deep"
    return next((fault for name in names if (fault := _fault_of_name(name))), "")


def _fault_of_name(name: str) -> str:
    stem = re.split(r"[;,]", name)[0]
    if _DOTS.fullmatch(name) or _DOTS.fullmatch(stem):
        return "leads out of the workspace"
    if name.startswith("-"):
        return "has a part that begins like an option of a program"
    if name != name.strip() or name.endswith("."):
        return "has a part that begins or ends with a blank, or ends with a dot"
    if _WINDOWS_NAME.fullmatch(name):
        return "has a part that is a device on some systems"
    if _OBEYED.fullmatch(name):
        return "names a file that programs obey or keep keys in"
    if len(name.encode()) > MAX_NAME:
        return f"has a part longer than {MAX_NAME} bytes"
    return ""


def _is_invisible(text: str, at: int) -> bool:
    mark = text[at]
    if mark in _JOINERS:
        return at == 0 or text[at - 1].isascii()
    return unicodedata.category(mark) in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} or mark in "\u3164\u115f\u1160"
