"""What the doctor looks at on the machine: packages, database driver, clock, disk and port."""

import os
import shutil
import socket
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from bot.cli import lazy
from bot.cli.doctor import probe
from bot.cli.guard import check_packages
from bot.clock import SystemClock
from bot.config.base import is_loopback
from bot.config.settings import Settings
from bot.domain.check import Check
from bot.errors import ConfigError

_MIN_FREE_MB = 100
_LOW_FREE_MB = 1000
_CLOCK_TOLERANCE_S = 60


def check_install() -> Check:
    """Whether our four packages are ours."""
    try:
        return Check("packages", "ok", f"all in {check_packages()}")
    except ConfigError as error:
        return Check("packages", "fail", error.message, error.hint)


def check_database(settings: Settings) -> Check:
    """What the SQLite library can do, as far as the settings need it."""
    if not settings.storage.url.startswith("sqlite:"):
        return Check("database", "skipped", "the database is not SQLite")
    sqlite = lazy("bot.store.sqlite")
    found = sqlite.driver()
    detail = f"SQLite {found.sqlite_version} ({found.name})"
    if not found.fts5:
        return Check("database", "fail", f"{detail} was built without FTS5", "install pysqlite3-binary")
    path = _database_file(settings.storage.url)
    if path is not None and (fault := sqlite.fault_of(path)):
        return Check("database", "fail", f"{path} cannot be read: {fault}", sqlite.cure_of(fault))
    if not found.extensions:
        needs_vectors = settings.memory.backend == "hybrid"
        return Check(
            "database", "warn" if needs_vectors else "ok", f"{detail}, FTS5", sqlite.missing_vec_text()
        )
    return Check("database", "ok", f"{detail}, FTS5, sqlite-vec {found.vec_version}")


def check_clock(others: Sequence[datetime]) -> Check:
    """Whether this machine's clock agrees with the first server that told its own."""
    now = SystemClock().now()
    zone = now.astimezone().tzname() or "unknown"
    if not others:
        return Check("clock", "ok", f"{now:%Y-%m-%d %H:%M} UTC, zone {zone}; no server to compare it with")
    off = (now - others[0]).total_seconds()
    if abs(off) > _CLOCK_TOLERANCE_S:
        where = "ahead of" if off > 0 else "behind"
        return Check(
            "clock", "warn", f"{abs(off):.0f} s {where} the provider's", "turn on time synchronisation"
        )
    return Check("clock", "ok", f"{now:%Y-%m-%d %H:%M} UTC, zone {zone}")


def data_folder(url: str) -> Path:
    """The folder of a SQLite address; the current one for any other."""
    path = _database_file(url)
    return Path() if path is None else path.parent


def _database_file(url: str) -> Path | None:
    try:
        found: Path | None = lazy("bot.store.open").database_file(url)
    except ConfigError:  # the start says what is wrong with it
        return None
    return found


def check_disk(folder: Path) -> Check:
    """Whether the data folder, or the one it would be made in, can be written and has room."""
    existing = next((place for place in (folder, *folder.absolute().parents) if place.is_dir()), Path())
    if not os.access(existing, os.W_OK | os.X_OK):
        return Check("disk", "fail", f"{existing} cannot be written", "change its owner, or set storage.url")
    free_mb = shutil.disk_usage(existing).free // 1_000_000
    detail = f"{free_mb} MB free for {folder.absolute()}"
    if free_mb < _MIN_FREE_MB:
        return Check("disk", "fail", detail, "make room, or set storage.url")
    return Check("disk", "warn" if free_mb < _LOW_FREE_MB else "ok", detail)


async def check_port(settings: Settings) -> Check:
    """Whether the address to serve on is free, or taken by this product itself."""
    if not settings.channels.http.enabled:
        return Check("port", "skipped", "channels.http is not enabled")
    host, port = settings.app.host, settings.app.port
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
    except OSError as error:
        if is_loopback(host) and await _is_ours(f"http://{settings.app.bind}/health"):
            return Check("port", "ok", f"{settings.app.bind} is served by a bot that runs already")
        cure = "stop the other program, or set app.bind to another port"
        return Check("port", "fail", f"{settings.app.bind}: {error.strerror or error}", cure)
    return Check("port", "ok", f"{settings.app.bind} is free")


async def _is_ours(url: str) -> bool:
    answer = await probe.get(url)
    return answer.status == 200 and isinstance(answer.body, dict) and answer.body.get("status") == "ok"
