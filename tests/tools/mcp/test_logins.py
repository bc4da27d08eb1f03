"""Logging in at remote servers."""

import asyncio
import stat
from pathlib import Path

import pytest
from mcp.shared.auth import OAuthToken

from bot.tools.mcp.callback import awaited, query_of
from bot.tools.mcp.remote import Hooks
from bot.tools.mcp.sdk.oauth import TokenFile, auth_of
from bot.tools.mcp.spec import ServerSpec, parse_spec


def spec(url: str = "https://x.org/mcp", **entry: object) -> ServerSpec:
    return parse_spec("notes", {"url": url, **entry}, "user")


async def visit(address: str, path: str) -> str:
    """What a browser gets that is sent to an address of this machine."""
    port = int(address.split(":")[2].split("/")[0])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    answer = (await reader.read()).decode()
    writer.close()
    return answer


async def test_a_login_comes_back_with_its_code() -> None:
    async with awaited() as back:
        assert back.address.startswith("http://127.0.0.1:")
        assert "404" in await visit(back.address, "/favicon.ico")
        assert "You can close this page" in await visit(back.address, "/callback?code=abc&state=s%201")
        assert await back.query() == {"code": "abc", "state": "s 1"}


def test_the_query_of_an_address_is_read() -> None:
    assert query_of("http://127.0.0.1:1/callback?code=a%2Fb&iss=https%3A%2F%2Fx.org") == {
        "code": "a/b",
        "iss": "https://x.org",
    }


async def test_tokens_are_kept_for_their_owners_eyes_only(tmp_path: Path) -> None:
    kept = TokenFile.of(spec(), tmp_path / "tokens")
    assert not kept.exists()
    await kept.set_tokens(OAuthToken(access_token="secret", token_type="Bearer"))
    (file,) = (tmp_path / "tokens").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "tokens").stat().st_mode) == 0o700
    found = await TokenFile.of(spec(), tmp_path / "tokens").get_tokens()
    assert found is not None and found.access_token == "secret"
    # Another address under the same name gets nothing of them.
    assert not TokenFile.of(spec("https://evil.org/mcp"), tmp_path / "tokens").exists()
    assert kept.remove()
    assert not kept.exists()


@pytest.mark.parametrize("content", ["", "{", "[]", '{"tokens": 3}'])
async def test_a_broken_token_file_counts_as_no_login(tmp_path: Path, content: str) -> None:
    kept = TokenFile(tmp_path / "notes.json")
    (tmp_path / "notes.json").write_text(content, encoding="utf-8")
    assert await kept.get_tokens() is None
    assert await kept.get_client_info() is None


def test_without_a_login_or_with_a_header_of_its_own_nothing_is_added(tmp_path: Path) -> None:
    hooks = Hooks(lambda _: None, lambda _: None, tmp_path)
    assert auth_of(spec(), hooks) is None
    assert auth_of(spec(headers={"authorization": "Bearer x"}), hooks) is None
