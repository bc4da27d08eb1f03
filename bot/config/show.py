"""The settings in effect, as TOML, with nothing secret in it."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, SecretStr

from bot.config.lines import KeyPath
from bot.config.mask import MASK, without_password
from bot.config.schema import is_secret
from bot.config.settings import Settings
from bot.config.toml import toml_key, toml_value


def show(settings: Settings) -> str:
    """Every setting. Secrets that are set are shown as asterisks; unset keys as comments."""
    return "\n".join(_table(settings, ())).strip() + "\n"


def _table(record: BaseModel, path: KeyPath) -> Iterator[str]:
    inner: dict[str, BaseModel] = {}
    keys: list[str] = []
    for name in type(record).model_fields:
        value = getattr(record, name)
        if isinstance(value, BaseModel):
            inner[name] = value
        elif (
            isinstance(value, dict) and value and all(isinstance(item, BaseModel) for item in value.values())
        ):
            inner |= {f"{name}\0{key}": item for key, item in value.items()}
        elif value is None:
            keys.append(f"# {toml_key(name)} is not set")
        elif value != {}:
            keys.append(f"{toml_key(name)} = {toml_value(_masked(value, (*path, name)))}")
    if keys:
        yield ""
        yield f"[{'.'.join(toml_key(part) for part in path)}]"
        yield from keys
    for name, item in inner.items():
        yield from _table(item, (*path, *name.split("\0")))


def _masked(value: Any, path: KeyPath) -> Any:
    match value:
        case SecretStr():
            return MASK
        case str():
            return MASK if value and is_secret(path) else without_password(value)
        case list() | tuple():
            return [_masked(item, path) for item in value]
        case Mapping():
            return {str(key): _masked(item, (*path, str(key))) for key, item in value.items()}
        case _:
            return value
