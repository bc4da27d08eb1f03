"""`skills.toml`: which skills are used, how, where they came from, and what was approved of them."""

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, get_args

from bot.config.toml import toml_key, toml_value
from bot.errors import ConfigError
from skills.manifest import Mode

MODES = get_args(Mode)


@dataclass(frozen=True, slots=True)
class Entry:
    """What the registry says of one skill. Fields of other programs are kept as they are.

    `checksum_sha256` is the content that a person approved; "" where nothing was, as for a skill that
    somebody put into the folder by hand.
    """

    enabled: bool = True
    mode: Mode | None = None  # None for what the skill itself says
    source_kind: str = ""  # folder, zip, git or index
    source_ref: str = ""
    version: str = ""
    checksum_sha256: str = ""
    installed_at_unix: int = 0


class Registry:
    """One registry file. Reading is cheap; each change is written whole and at once."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[str, Entry]:
        """The entries by skill; none where there is no file. Raises `ConfigError`."""
        return {name: _entry(fields) for name, fields in self._tables().items()}

    def put(self, name: str, **changes: Any) -> Entry:
        """Change fields of one entry, or make it."""
        tables = self._tables()
        entry = replace(_entry(tables.get(name, {})), **changes)
        made = asdict(entry)
        known = {key: value for key, value in made.items() if value is not None}
        others = {key: value for key, value in tables.get(name, {}).items() if key not in made}
        tables[name] = {**others, **known}
        self._write(tables)
        return entry

    def drop(self, name: str) -> bool:
        """Take one entry out; False where there was none."""
        tables = self._tables()
        found = tables.pop(name, None) is not None
        if found:
            self._write(tables)
        return found

    def _tables(self) -> dict[str, dict[str, Any]]:
        try:
            data = tomllib.loads(self.path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ConfigError(f"{self.path} cannot be read: {error}") from error
        skills = data.get("skills", {})
        if not isinstance(skills, dict) or not all(isinstance(item, dict) for item in skills.values()):
            raise ConfigError(f"{self.path}: [skills] has to hold one table for each skill")
        return skills

    def _write(self, tables: Mapping[str, Mapping[str, Any]]) -> None:
        lines: list[str] = []
        for name in sorted(tables):
            lines.append(f"[skills.{toml_key(name)}]")
            lines += [f"{toml_key(key)} = {toml_value(value)}" for key, value in tables[name].items()]
            lines.append("")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_name(self.path.name + ".new")
        fresh.write_text("\n".join(lines), "utf-8")
        fresh.replace(self.path)


def _entry(fields: Mapping[str, Any]) -> Entry:
    known = {name: fields[name] for name in Entry.__dataclass_fields__ if name in fields}
    entry = Entry(**known)
    if entry.mode and entry.mode not in MODES:
        raise ConfigError(f'skills.toml: "{entry.mode}" is not a mode: it is one of {", ".join(MODES)}')
    return entry
