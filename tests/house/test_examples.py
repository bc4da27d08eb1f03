"""What the documentation tells people to type is right."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot import cli
from bot.config.load import load
from bot.errors import ConfigError
from bot.tools.mcp.registry import Registry
from tests.house.repo import ROOT, files, name_of

BLOCK = re.compile(r"^(?P<indent> *)```(?P<language>\w+)\n(?P<body>.*?)^ *```$", re.MULTILINE | re.DOTALL)
PLACEHOLDER = re.compile(r"\$\{(\w+)\}")


def blocks(language: str) -> Iterator[tuple[str, str]]:
    """Each fenced block of a language as (where it stands, its text)."""
    for page in files():
        if page.suffix != ".md":
            continue
        text = page.read_text(encoding="utf-8")
        for found in BLOCK.finditer(text):
            if found["language"] == language:
                line = text.count("\n", 0, found.start()) + 1
                yield f"{name_of(page)}:{line}", found["body"]


def commands() -> Iterator[tuple[str, list[str]]]:
    """Each command line in the documentation as (where its block stands, its words)."""
    for where, body in blocks("sh"):
        for line in body.replace("\\\n", " ").splitlines():
            if words := shlex.split(line, comments=True):
                yield where, words


def settings_of(body: str, folder: Path) -> None:
    file = folder / "config.toml"
    file.write_text(body, encoding="utf-8")
    if body.startswith("[servers."):
        environ = dict.fromkeys(PLACEHOLDER.findall(body), "secret")
        registry = Registry({**environ, "XIAOMAOLV_MCP_USER_CONFIG": str(file)}, folder)
        assert registry.read("user").servers
        assert registry.read("user").faults == ()
        return
    load(file, dict.fromkeys(PLACEHOLDER.findall(body), "1234567890:secret"))


@pytest.mark.parametrize(("where", "body"), list(blocks("toml")), ids=[where for where, _ in blocks("toml")])
def test_every_piece_of_configuration_is_accepted(where: str, body: str, tmp_path: Path) -> None:
    settings_of(body, tmp_path)


def test_the_containers_configuration_is_accepted_and_wants_its_token(tmp_path: Path) -> None:
    body = (ROOT / "docker" / "config.toml").read_text(encoding="utf-8")
    settings_of(body, tmp_path)
    with pytest.raises(ConfigError, match="XIAOMAOLV_API_TOKEN"):
        load(ROOT / "docker" / "config.toml", {})


def test_every_command_of_ours_is_one_that_the_program_knows() -> None:
    ours = [words[1:] for _, words in commands() if words[0] == "xiaomaolv"]
    assert ours
    for words in ours:
        cli.parsed(words)


def test_every_make_target_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {word for _, words in commands() if words[0] == "make" for word in words[1:] if "=" not in word}
    assert named
    assert named - targets == set()
