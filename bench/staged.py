"""Security cases that a text alone can't decide, played out: names that change, links, pipes, bombs."""

import asyncio
import io
import os
import secrets
import struct
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from bot.errors import XiaomaolvError
from bot.tools.guards.calls import FetchLimits
from bot.tools.guards.workspace import Workspace
from skills.archive import unpack
from tests.security.web import INSIDE, PUBLIC, Web, open_web, own_certificate, serve_tls

STAGE = "stage.example.com"
QUICK = FetchLimits(total_s=1.0, max_bytes=100_000, cut=False)
SECRET = b"not yours"
BIG = 64 * 1024 * 1024


async def play_url(url: str) -> bool | None:
    """Whether a staged host was handled right; None where the text decided."""
    parts = urlsplit(url) if url.count("/") > 2 and "\\" not in url and "[" not in url else None
    host = (parts.hostname or "") if parts else ""
    if parts is None or not host.endswith(".test"):
        return None
    async with open_web() as web:
        web.names.answers[STAGE] = [[PUBLIC]]
        return await _staged(web, host, parts.path)


async def _staged(web: Web, host: str, path: str) -> bool:
    inside, name = f"http://{INSIDE}:{web.port}/", host.removesuffix(".test")
    match name:
        case "rebind":
            web.names.answers[STAGE] = [[PUBLIC], [INSIDE]]
            await web.fetch(web.url(host=STAGE))
            return [seen[0] for seen in web.seen] == [PUBLIC]
        case "mixed":
            web.names.answers[STAGE] = [[PUBLIC, INSIDE]]
            return await _is_refused(web, web.url(host=STAGE)) and not web.seen
        case "cname":
            web.names.answers[STAGE] = [[INSIDE]]
            return await _is_refused(web, web.url(host=STAGE)) and not web.seen
        case "redirect" if "meta" in path:
            await web.fetch(web.url("/refresh", STAGE))
            return [seen[0] for seen in web.seen] == [PUBLIC]
        case "redirect":
            target = "file:///etc/passwd" if "file" in path else inside
            return await _is_refused(web, web.url(f"/to?{target}", STAGE)) and len(web.seen) == 1
        case "slow":
            return await _is_refused(web, web.url("/slow", STAGE))
        case "big":
            return await _is_refused(web, web.url("/endless", STAGE))
        case "proxy":
            return await _without_proxy(web, inside)
        case "badcert":
            return await _unsigned(web)
        case _:
            return True  # no such name: refused by its text


async def _is_refused(web: Web, url: str) -> bool:
    try:
        await web.fetch(url, QUICK)
    except XiaomaolvError:
        return True
    return False


async def _without_proxy(web: Web, proxy: str) -> bool:
    os.environ["HTTP_PROXY"] = os.environ["http_proxy"] = proxy
    try:
        await web.fetch(web.url(host=STAGE))
        return [seen[0] for seen in web.seen] == [PUBLIC]
    finally:
        del os.environ["HTTP_PROXY"], os.environ["http_proxy"]


async def _unsigned(web: Web) -> bool:
    served: list[bytes] = []
    with tempfile.TemporaryDirectory() as folder:
        cert, key = await asyncio.to_thread(own_certificate, Path(folder))
        async with serve_tls(cert, key, served) as port:
            web.rules = type(web.rules)(web.rules.allow_hosts, frozenset({port}))
            return await _is_refused(web, f"https://{STAGE}:{port}/") and not served


def play_path(how: str) -> bool:
    """Whether a file that can't be told by its name is refused, and nothing outside is touched."""
    with tempfile.TemporaryDirectory() as place:
        outside, root = Path(place) / "outside", Path(place) / "root"
        outside.mkdir()
        root.mkdir()
        (outside / "secret").write_bytes(SECRET)
        held = _archive(how, root) if "zip" in how or "tar" in how else _file(how, root, outside)
        return (
            held
            and [path.name for path in outside.iterdir()] == ["secret"]
            and (outside / "secret").read_bytes() == SECRET
        )


def _file(how: str, root: Path, outside: Path) -> bool:
    files = Workspace(root)
    if "race" in how or "parent" in how:
        return _race(files, root, outside, parent="parent" in how)
    makers: dict[str, Callable[[], None]] = {
        "symbolic link": lambda: (root / "x").symlink_to(outside / "secret"),
        "hard link": lambda: os.link(outside / "secret", root / "x"),
        "named pipe": lambda: os.mkfifo(root / "x"),
        "device file": lambda: (root / "x").symlink_to("/dev/zero"),
    }
    for kind, make in makers.items():
        if kind in how:
            make()
    return all(_is_error(act) for act in (lambda: files.read("x", 10), lambda: files.write("x", b"mine")))


def _race(files: Workspace, root: Path, outside: Path, *, parent: bool) -> bool:
    """The exchange happens right before the file is put in its place."""
    (root / "d").mkdir()
    rename = os.rename

    def exchanged(*args: object, **kwargs: object) -> None:
        os.rename = rename
        if parent:
            (root / "d").rename(root / "was")
            (root / "d").symlink_to(outside)
        else:
            (root / "d" / "secret").symlink_to(outside / "secret")
        rename(*args, **kwargs)  # type: ignore[arg-type]

    os.rename = exchanged
    try:
        files.write("d/secret", b"mine")
    except (XiaomaolvError, OSError):
        pass
    finally:
        os.rename = rename
    return True


def _is_error(act: Callable[[], object]) -> bool:
    try:
        act()
    except (XiaomaolvError, OSError):
        return True
    return False


def _archive(how: str, root: Path) -> bool:
    """Whether the archive is refused, or what it holds stays in its folder, whole and small."""
    into = root / "into"
    into.mkdir()
    refused = _is_error(lambda: unpack(_packed(how), into))
    size = sum(path.stat().st_size for path in into.rglob("*") if path.is_file())
    return refused and size < BIG and not [path for path in root.iterdir() if path.name != "into"]


def _packed(how: str) -> bytes:
    made = io.BytesIO()
    if "tar" in how:
        with tarfile.open(fileobj=made, mode="w") as tar:
            entry = tarfile.TarInfo("/etc/x" if "absolute" in how else "../x")
            tar.addfile(entry, io.BytesIO())
        return made.getvalue()
    name = "..\\x" if "backslash" in how else "../x" if "../" in how else "SKILL.md"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, bytes(BIG) if "unpacks" in how else secrets.token_hex(8))
    packed = bytearray(made.getvalue())
    if "two members" in how:
        return _doubled()
    if "disagree" in how:
        at = packed.index(b"SKILL.md")
        packed[at : at + 8] = b"../x.mdx"  # in the local header only
    if "encrypted" in how:
        for mark in (b"PK\x03\x04", b"PK\x01\x02"):
            at = packed.index(mark) + (6 if mark == b"PK\x03\x04" else 8)
            packed[at : at + 2] = struct.pack("<H", 1)
    return bytes(packed)


def _doubled() -> bytes:
    """Two members whose names are made one in the bytes: the library would warn of writing them so."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("SKILL.md", "one")
        archive.writestr("SKILL.mx", "two")
    return made.getvalue().replace(b"SKILL.mx", b"SKILL.md")
