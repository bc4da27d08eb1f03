"""Read the configuration: find the file, fill in placeholders, add defaults, report every mistake."""

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from dotenv import dotenv_values
from pydantic import ValidationError

from bot.config.checks import find_conflicts
from bot.config.lines import KeyPath, locate
from bot.config.placeholders import expand
from bot.config.problems import Problem, as_error, of_placeholder, of_validation
from bot.config.settings import Settings
from bot.errors import ConfigError

DEFAULT_FILE = Path("config.toml")
OPENAI_URL = "https://api.openai.com/v1"
OPENAI_MODEL = "gpt-4o-mini"


def read_environment() -> dict[str, str]:
    """The environment of the process. Nothing else in the product reads it."""
    return dict(os.environ)


def find_file(path: Path | None, environ: Mapping[str, str]) -> Path | None:
    """The file to read: the one named, else `XIAOMAOLV_CONFIG`, else ./config.toml, else none.

    Raises `ConfigError` when a named one does not exist or is a folder.
    """
    named = path or (Path(value) if (value := environ.get("XIAOMAOLV_CONFIG", "")) else None)
    if named is None:
        return DEFAULT_FILE if DEFAULT_FILE.is_file() else None
    if not named.is_file():
        by = "--config" if path else "the environment variable XIAOMAOLV_CONFIG"
        fault = "is a folder, not a file" if named.is_dir() else "does not exist"
        raise ConfigError(
            f"the configuration file {named} {fault}",
            hint=f"it was named by {by}; `xiaomaolv config example` prints one to start from",
        )
    return named


def with_dotenv(file: Path | None, environ: Mapping[str, str]) -> dict[str, str]:
    """The environment, filled up from a `.env` file beside the configuration, if there is one."""
    beside = (file.parent if file else Path()) / ".env"
    try:
        return {key: value for key, value in dotenv_values(beside).items() if value is not None} | dict(
            environ
        )
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{beside} cannot be read", hint="save it as UTF-8, or take it away") from error


def load(path: Path | None, environ: Mapping[str, str]) -> Settings:
    """The settings of this process.

    A `.env` file beside the configuration adds variables; those of `environ` come first. Raises
    `ConfigError` that lists every mistake with its line.
    """
    file = find_file(path, environ)
    text = _read(file) if file else ""
    raw = _parse(text, str(file)) if file else {}
    variables = with_dotenv(file, environ)
    data, unresolved = expand(raw, variables)
    problems = [of_placeholder(found) for found in unresolved]
    settings, found = _validate(_complete(data, variables), raw, {problem.path for problem in problems})
    problems += found
    if problems or settings is None:
        raise as_error(problems, str(file) if file else "", locate(text))
    return _with_persona(settings)


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{file}: byte {error.start} is not UTF-8", hint="save the file as UTF-8"
        ) from error
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from error


def _parse(text: str, source: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, line, column = _where(str(error), text)
        raise ConfigError(f"{source}:{line}:{column}: {message}") from error
    except RecursionError:
        raise ConfigError(f"{source}: its lists or tables are nested too deeply") from None


def _where(message: str, text: str) -> tuple[str, int, int]:
    """What `tomllib` says, with its position taken apart."""
    if found := re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", message, re.DOTALL):
        return found.group(1), int(found.group(2)), int(found.group(3))
    last = text.rstrip("\n")
    return message.removesuffix(" (at end of document)"), last.count("\n") + 1, len(last) - last.rfind("\n")


def _complete(data: dict[str, Any], environ: Mapping[str, str]) -> dict[str, Any]:
    """What the environment and the other keys say where the file is silent."""
    data = dict(data)
    if not data.get("providers"):
        data["providers"] = _provider_from(environ)
    if isinstance(data["providers"], dict):
        app = data.get("app", {})
        if isinstance(app, dict):
            default = app.get("default_provider") or next(iter(data["providers"]))
            data["app"] = {**app, "default_provider": default}
            if isinstance(models := data.get("models", {}), dict) and isinstance(default, str):
                data["models"] = {"chat": {"providers": [default]}, **models}
    return _with_telegram_token(data, environ)


def _provider_from(environ: Mapping[str, str]) -> dict[str, Any]:
    if not (key := environ.get("OPENAI_API_KEY", "").strip()):
        return {"local": {"kind": "local"}}
    return {
        "openai": {
            "kind": "openai-compatible",
            "base_url": environ.get("OPENAI_BASE_URL", "").strip() or OPENAI_URL,
            "model": environ.get("OPENAI_MODEL", "").strip() or OPENAI_MODEL,
            "api_key": key,
        }
    }


def _with_telegram_token(data: dict[str, Any], environ: Mapping[str, str]) -> dict[str, Any]:
    channels = data.get("channels", {})
    telegram = channels.get("telegram", {}) if isinstance(channels, dict) else None
    token = environ.get("TELEGRAM_BOT_TOKEN", "").strip()
    if not token or not isinstance(telegram, dict) or telegram.get("bot_token"):
        return data
    return {**data, "channels": {**channels, "telegram": {**telegram, "bot_token": token}}}


def _validate(
    data: dict[str, Any], raw: Mapping[str, Any], reported: set[KeyPath]
) -> tuple[Settings | None, list[Problem]]:
    """The settings, and every problem. Keys that are wrong are set aside to judge the others."""
    problems: list[Problem] = []
    try:
        settings = Settings.model_validate(data)
    except ValidationError as error:
        problems = [found for found in of_validation(error, raw) if found.path not in reported]
        try:
            settings = Settings.model_validate(_without(data, [detail["loc"] for detail in error.errors()]))
        except ValidationError:
            return None, problems
    wrong = reported | {problem.path for problem in problems}
    return settings, problems + [
        conflict
        for conflict in find_conflicts(settings)
        if not _touches({conflict.path, *conflict.depends}, wrong)
    ]


def _without(data: Any, places: Iterable[tuple[int | str, ...]]) -> Any:
    """The data without the keys at `places`; for an item of a list, without the whole list."""
    firsts = {place[0]: [other[1:] for other in places if other[0] == place[0]] for place in places}
    return {
        key: _without(value, firsts[key]) if key in firsts else value
        for key, value in data.items()
        if key not in firsts or (isinstance(value, dict) and all(firsts[key]))
    }


def _touches(paths: Iterable[KeyPath], wrong: Iterable[KeyPath]) -> bool:
    return any(
        path[: len(other)] == other or other[: len(path)] == path
        for path in paths
        for other in wrong
        if other
    )


def _with_persona(settings: Settings) -> Settings:
    """The settings with the system prompt read from its file, if one is named."""
    if settings.persona.file is None:
        return settings
    text = _read(Path(settings.persona.file))
    persona = settings.persona.model_copy(update={"text": text})
    return settings.model_copy(update={"persona": persona})
