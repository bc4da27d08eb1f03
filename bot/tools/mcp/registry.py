"""The registry files of MCP servers: one of the user, one of the project; the project's wins by name."""

import os
import re
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.config.placeholders import expand
from bot.config.toml import toml_key, toml_value
from bot.errors import ConfigError, InputError
from bot.tools.mcp.spec import Scope, ServerSpec, check_name, parse_spec

SCOPES: tuple[Scope, ...] = ("user", "project")
PROJECT_FILE = Path(".xiaomaolv") / "mcp.toml"
_MOST_BYTES = 1_000_000
_HEADER = re.compile(r"""\s*\[\s*(?:servers\s*\.\s*)?((?:"[^"]*"|'[^']*'|[^].\s]+))""")


@dataclass(frozen=True, slots=True)
class Fault:
    """An entry, or a whole file where `name` is empty, that cannot be used, and why."""

    name: str
    scope: Scope
    message: str


@dataclass(frozen=True, slots=True)
class Registered:
    """What the files say. A server that stands in both is the project's."""

    servers: Mapping[str, ServerSpec] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()


class Registry:
    """The two files. Placeholders such as `${TOKEN}` are filled from the environment when they are read."""

    def __init__(self, environ: Mapping[str, str], folder: Path | None = None) -> None:
        """`folder` is where the project's file is looked for; the working folder by default."""
        self._environ = environ
        self.paths: dict[Scope, Path] = {
            "user": _given(environ, "XIAOMAOLV_MCP_USER_CONFIG") or _user_file(environ),
            "project": _given(environ, "XIAOMAOLV_MCP_PROJECT_CONFIG") or (folder or Path()) / PROJECT_FILE,
        }

    def read(self, *scopes: Scope) -> Registered:
        """The servers of both files, or of those named. A file that is not there has none."""
        servers: dict[str, ServerSpec] = {}
        faults: list[Fault] = []
        for scope in scopes or SCOPES:
            try:
                raw = self._raw(scope)
            except ConfigError as error:
                faults.append(Fault("", scope, error.message))
                continue
            for name, entry in raw.items():
                try:
                    servers[name] = self._spec(name, entry, scope)
                except InputError as error:
                    servers.pop(name, None)
                    faults.append(Fault(name, scope, error.message))
        return Registered(servers, tuple(faults))

    def add(self, name: str, entry: Mapping[str, Any], scope: Scope) -> Path:
        """Write a server into a file, in the place of one of the same name there; the file.

        Raises `InputError` for an entry that makes no sense, `ConfigError` for a file that cannot be
        read: it is never overwritten blindly.
        """
        check_name(name)
        self._spec(name, entry, scope)
        self._write(scope, {**self._raw(scope), name: entry}, name)
        return self.paths[scope]

    def remove(self, name: str, *scopes: Scope) -> tuple[Scope, ...]:
        """Take a server out of both files, or of those named; the scopes it was in."""
        found = []
        for scope in scopes or SCOPES:
            raw = dict(self._raw(scope))
            if raw.pop(name, None) is not None:
                self._write(scope, raw, name)
                found.append(scope)
        return tuple(found)

    def stamp(self) -> tuple[object, ...]:
        """What changes when a file changes: cheap enough to be looked at every second."""
        return tuple(_stamp(path) for path in self.paths.values())

    def _spec(self, name: str, entry: Any, scope: Scope) -> ServerSpec:
        if not isinstance(entry, dict):
            raise InputError(f"servers.{name} must be a table")
        filled, unresolved = expand({name: entry}, self._environ)
        if unresolved:
            missing = unresolved[0]
            where = ".".join(["servers", *(str(part) for part in missing.path)])
            raise InputError(f"{where}: the variable {missing.variable or ''} is not set")
        return parse_spec(name, filled[name], scope)

    def _raw(self, scope: Scope) -> Mapping[str, Any]:
        path = self.paths[scope]
        try:
            if path.stat().st_size > _MOST_BYTES:
                raise ConfigError(f"{path} is too large for a registry of servers")
            text = path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            return {}
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path} cannot be read: {error}") from error
        try:
            servers = tomllib.loads(text).get("servers", {})
        except tomllib.TOMLDecodeError as error:
            raise ConfigError(f"{path}: {error}") from error
        if not isinstance(servers, dict):
            raise ConfigError(f"{path}: servers must be a table")
        return servers

    def _write(self, scope: Scope, servers: Mapping[str, Any], changed: str) -> None:
        """Put the file in place whole; only its owner may read it, for secrets may stand in it."""
        path = self.paths[scope]
        try:
            old = path.read_text(encoding="utf-8-sig") if path.exists() else ""
            text = _edited(old, servers, changed)
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
            fresh.touch(mode=stat.S_IRUSR | stat.S_IWUSR)
            fresh.write_text(text, encoding="utf-8")
            fresh.replace(path)
        except OSError as error:
            raise ConfigError(f"{path} cannot be written: {error.strerror}") from error


def _edited(old: str, servers: Mapping[str, Any], changed: str) -> str:
    """The text with one server's table changed. What people wrote around it stays, where that can be."""
    kept: list[str] = []
    inside = False
    for line in old.splitlines():
        if header := _HEADER.match(line):
            inside = header[1].replace('"', "").replace("'", "").strip() == changed
        if not inside:
            kept.append(line)
    text = "\n".join(kept).strip("\n")
    if changed in servers:
        text = f"{text}\n\n{_table(changed, servers[changed])}".lstrip("\n")
    try:
        if tomllib.loads(text).get("servers", {}) == servers:
            return text.rstrip("\n") + "\n"
    except tomllib.TOMLDecodeError:
        pass  # written in a way that lines don't tell, such as inline tables
    return "\n".join(_table(name, entry) for name, entry in servers.items())


def _table(name: str, entry: Any) -> str:
    lines = [f"[servers.{toml_key(name)}]"]
    lines += [f"{toml_key(key)} = {toml_value(value)}" for key, value in entry.items()]
    return "\n".join(lines) + "\n"


def _given(environ: Mapping[str, str], variable: str) -> Path | None:
    value = environ.get(variable, "").strip()
    return Path(value).expanduser() if value else None


def _user_file(environ: Mapping[str, str]) -> Path:
    base = environ.get("XDG_CONFIG_HOME", "").strip()
    folder = Path(base) if base else Path(environ.get("HOME", "") or Path.home()) / ".config"
    return folder / "xiaomaolv" / "mcp.toml"


def _stamp(path: Path) -> object:
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size, found.st_ino)
