"""The registry files."""

import stat
from pathlib import Path
from typing import Any

import pytest

from bot.errors import ConfigError, InputError
from bot.tools.mcp.registry import Registry
from bot.tools.mcp.spec import parse_spec

STDIO: dict[str, Any] = {"command": "npx", "args": ["-y", "pkg"]}


def registry(folder: Path, **environ: str) -> Registry:
    places = {"XDG_CONFIG_HOME": str(folder / "config"), "HOME": str(folder)}
    return Registry({**places, **environ}, folder)


def test_the_files_are_where_the_user_expects_them(tmp_path: Path) -> None:
    assert registry(tmp_path).paths == {
        "user": tmp_path / "config" / "xiaomaolv" / "mcp.toml",
        "project": tmp_path / ".xiaomaolv" / "mcp.toml",
    }
    moved = registry(tmp_path, XIAOMAOLV_MCP_USER_CONFIG="/a.toml", XIAOMAOLV_MCP_PROJECT_CONFIG="/b.toml")
    assert list(moved.paths.values()) == [Path("/a.toml"), Path("/b.toml")]
    assert Registry({"HOME": "/h"}).paths["user"] == Path("/h/.config/xiaomaolv/mcp.toml")


def test_the_project_wins_by_name(tmp_path: Path) -> None:
    files = registry(tmp_path)
    files.add("one", STDIO, "user")
    files.add("two", STDIO, "user")
    files.add("one", {"url": "https://example.org/mcp"}, "project")
    servers = files.read().servers
    assert (servers["one"].scope, servers["one"].transport) == ("project", "http")
    assert servers["two"].scope == "user"
    assert set(files.read("user").servers) == {"one", "two"}


def test_what_is_removed_is_gone_from_the_scopes_named(tmp_path: Path) -> None:
    files = registry(tmp_path)
    files.add("one", STDIO, "user")
    files.add("one", STDIO, "project")
    assert files.remove("one", "user") == ("user",)
    assert files.read().servers["one"].scope == "project"
    assert files.remove("one") == ("project",)
    assert files.remove("one") == ()


def test_what_people_wrote_around_an_entry_stays(tmp_path: Path) -> None:
    files = registry(tmp_path)
    path = files.paths["user"]
    path.parent.mkdir(parents=True)
    path.write_text(
        '# mine\n[servers.a]\ncommand = "a"  # keep\n\n[servers.b]\ncommand = "b"\n', encoding="utf-8"
    )
    files.add("b", STDIO, "user")
    files.add("c.d", STDIO, "user")
    files.remove("b", "user")
    text = path.read_text(encoding="utf-8")
    assert '# mine\n[servers.a]\ncommand = "a"  # keep' in text
    assert set(files.read().servers) == {"a", "c.d"}


def test_a_file_in_another_form_is_written_anew(tmp_path: Path) -> None:
    files = registry(tmp_path)
    path = files.paths["user"]
    path.parent.mkdir(parents=True)
    path.write_text('servers = { a = { command = "a" } }\n', encoding="utf-8")
    files.add("b", STDIO, "user")
    assert set(files.read().servers) == {"a", "b"}


def test_only_its_owner_may_read_what_may_hold_secrets(tmp_path: Path) -> None:
    path = registry(tmp_path).add("one", {**STDIO, "env": {"KEY": "x"}}, "user")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_placeholders_are_filled_from_the_environment(tmp_path: Path) -> None:
    files = registry(tmp_path, TOKEN="abcdef")
    files.add("one", {"url": "https://x.org/mcp", "headers": {"Authorization": "Bearer ${TOKEN}"}}, "user")
    spec = files.read().servers["one"]
    assert spec.headers == {"Authorization": "Bearer abcdef"}
    assert spec.masked("it was abcdef") == "it was ***"
    assert "${TOKEN}" in files.paths["user"].read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://t0ken-a@x.org/mcp?k=t0ken-a", "https://x.org/mcp"),
        ("https://t0ken-a:@x.org/mcp", "https://x.org/mcp"),
        ("https://t0ken-a:at@sign@x.org/@b", "https://x.org/@b"),
    ],
)
def test_the_login_in_an_address_is_not_shown(url: str, target: str) -> None:
    spec = parse_spec("one", {"url": url}, "user")
    assert spec.target == target
    assert "t0ken" not in spec.masked(f"cannot reach {url}: t0ken-a is no token, see https://t0ken-a@y.org")


def test_secrets_among_the_arguments_are_not_shown() -> None:
    args = ["--db", "postgresql://ann:hunter2@db/x", "--token=hunter22", "--key", "hunter23"]
    spec = parse_spec("one", {"command": "x", "args": args}, "user")
    assert spec.target == "x --db postgresql://ann:********@db/x --token=*** --key ***"
    assert "hunter" not in spec.masked("no postgresql://ann:hunter2@db/x with hunter22 or hunter23")


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({}, "needs a command"),
        ({"command": "x", "url": "https://x.org"}, "neither url nor headers|no command"),
        ({"transport": "http"}, "needs a url"),
        ({"transport": "http", "url": "ftp://x"}, "begins with http"),
        ({"transport": "stdio", "command": "x", "headers": {"a": "b"}}, "neither url nor headers"),
        ({"command": "x", "comand": "y"}, "comand is not a key"),
        ({"transport": "http", "url": "https://x.org/a b"}, "begins with http"),
        ({"url": "https://x.org", "headers": {"a b": "c"}}, "'a b' is no header"),
        ({"url": "https://x.org", "headers": {"a": "b\nc: d"}}, "'a' is no header"),
        ({"command": "x", "timeout_secs": 0}, "timeout_secs"),
        ({"command": "x", "timeout_secs": float("nan")}, "timeout_secs"),
        ({"command": "${NOT_SET}"}, "NOT_SET is not set"),
        ({"command": "x", "trust": "blind"}, "trust"),
    ],
)
def test_an_entry_that_makes_no_sense_is_refused_and_named(
    tmp_path: Path, entry: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        registry(tmp_path).add("one", entry, "user")
    assert not registry(tmp_path).paths["user"].exists()


@pytest.mark.parametrize("name", ["", "a b", "-a", "a/b", "查", "x" * 65])
def test_a_name_must_be_a_word(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="name of a server"):
        registry(tmp_path).add(name, STDIO, "user")


def test_a_faulty_entry_is_told_and_the_others_work(tmp_path: Path) -> None:
    files = registry(tmp_path)
    path = files.paths["user"]
    path.parent.mkdir(parents=True)
    path.write_text('[servers.good]\ncommand = "a"\n[servers.bad]\nurl = 3\n', encoding="utf-8")
    read = files.read()
    assert set(read.servers) == {"good"}
    assert [(fault.name, "url" in fault.message) for fault in read.faults] == [("bad", True)]


def test_a_broken_file_is_told_and_never_overwritten(tmp_path: Path) -> None:
    files = registry(tmp_path)
    path = files.paths["user"]
    path.parent.mkdir(parents=True)
    path.write_text("[servers.x\n", encoding="utf-8")
    assert files.read().faults[0].name == ""
    with pytest.raises(ConfigError):
        files.add("one", STDIO, "user")
    assert path.read_text(encoding="utf-8") == "[servers.x\n"
