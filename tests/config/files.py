"""Configuration files for tests."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.config.load import load
from bot.config.settings import Settings
from bot.errors import ConfigError


def write(folder: Path, text: str) -> Path:
    """A configuration file of the given text."""
    file = folder / "config.toml"
    file.write_text(text, encoding="utf-8")
    return file


def read(folder: Path, text: str, environ: Mapping[str, str] | None = None) -> Settings:
    """What a configuration of the given text is read as."""
    return load(write(folder, text), environ or {})


def refusal(folder: Path, text: str, environ: Mapping[str, str] | None = None) -> str:
    """What a person is told of a wrong configuration, with the folder's name taken out."""
    with pytest.raises(ConfigError) as caught:
        read(folder, text, environ)
    told = caught.value.message + (f"\nhint: {caught.value.hint}" if caught.value.hint else "")
    return told.replace(f"{folder}/", "")
