"""The sets `net` and `web`, over a small web of our own."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from bot.config.settings import Settings
from bot.config.tools import ToolsSettings
from bot.domain.ports import Toolset
from bot.errors import ConfigError
from bot.tools.guards.fetch import Fetcher
from bot.tools.sets.build import own_sets
from bot.tools.sets.net import net_tools
from bot.tools.sets.pages import decoded, read_page
from bot.tools.sets.search import Service, web_tools
from tests.fakes.clock import ManualClock
from tests.security.web import INSIDE, Web, open_web
from tests.tools.sets.calling import answer, context, fault


@pytest.fixture
async def web() -> AsyncIterator[Web]:
    async with open_web() as web:
        yield web


def tools_of(web: Web) -> Toolset:
    return net_tools(Fetcher(web.rules, web.names))


async def test_a_page_is_read_as_text_with_its_status(web: Web) -> None:
    told = await answer(tools_of(web), "read_url", {"url": web.url("/refresh")})
    assert told == "HTTP 200:\nhello"
    assert "<meta" in await answer(tools_of(web), "read_url", {"url": web.url("/refresh"), "raw": True})


async def test_a_request_is_sent_as_it_was_wished_for(web: Web) -> None:
    wanted = {"url": web.url(), "method": "POST", "body": "{}", "headers": {"X-Mine": "1"}}
    assert (await answer(tools_of(web), "net_httprequest", wanted)).startswith("HTTP 200:")
    [(_, line, headers)] = web.seen
    assert line.startswith("POST / ")
    assert headers["x-mine"] == "1"


@pytest.mark.parametrize("name", ["read_url", "net_httprequest"])
async def test_an_address_inside_is_refused_with_a_reason(web: Web, name: str) -> None:
    told = await fault(tools_of(web), name, {"url": f"http://{INSIDE}:{web.port}/"})
    assert "only the public web may be called" in told
    assert web.seen == []


async def test_what_is_wrong_with_a_request_is_told(web: Web) -> None:
    await fault(tools_of(web), "net_httprequest", {"url": web.url(), "body": "x"})
    await fault(tools_of(web), "net_httprequest", {"url": web.url(), "headers": {"Host": "x"}})
    await fault(tools_of(web), "net_httprequest", {"url": web.url(), "method": "TRACE"})


async def test_what_the_web_brings_is_marked_as_others_words_and_as_a_way_out(web: Web) -> None:
    for tool in await tools_of(web).tools(context()):
        assert (tool.untrusted, tool.outbound) == (True, True)


def test_a_page_becomes_lines_without_what_nobody_sees() -> None:
    page = read_page(
        "<title>A  page</title><nav>menu</nav><h1>Big</h1><p>One <b>bold</b>\nword<ul><li>x<li>y</ul>"
        "<p style='display: none'>hidden order</p><p hidden>another</p><script>alert(1)</script>"
        "<!-- a third -->"
        "t\u200ba\U000e0041il <a href='/z'>link</a><a href='javascript:x'>bad</a>",
        "https://example.org/q",
    )
    assert page.title == "A page"
    assert page.text.splitlines() == ["# Big", "One bold word", "- x", "- y", "tail linkbad"]
    assert page.links == (("link", "https://example.org/z"),)


@pytest.mark.parametrize(
    "html",
    ["<div>" * 100_000 + "x", "<b>" * 999 + "x", "<a href=x>y" * 20_000, "<p>x" * 50_000, "<" * 500_000, ""],
)
async def test_a_page_made_to_be_slow_is_read_all_the_same(html: str) -> None:
    async with asyncio.timeout(10):
        assert (await asyncio.to_thread(read_page, html)).told


def test_a_page_is_decoded_as_it_says_or_as_utf_8() -> None:
    assert decoded("你好".encode("gb18030"), "text/html; charset=gb2312") == "你好"
    assert decoded(b'<meta charset="windows-1251">' + "да".encode("cp1251"), "text/html").endswith("да")
    assert decoded("é".encode(), "text/html; charset=nonsense") == "é"
    assert decoded(b"\xff", "") == "\ufffd"


FOUND = [{"title": "A", "url": "https://a.example/", "content": "one\u200b", "description": "one"}]
ANSWERS = {
    "searxng": {"results": FOUND},
    "brave": {"web": {"results": FOUND}},
    "tavily": {"results": [*FOUND, {"title": "bad", "url": "javascript:x"}]},
}


@pytest.mark.parametrize("kind", ANSWERS)
async def test_a_search_asks_the_chosen_service_and_tells_what_it_found(web: Web, kind: str) -> None:
    web.pages["/search" if kind != "brave" else "/web/search"] = json.dumps(ANSWERS[kind]).encode()
    tools = web_tools(Service(kind, web.url(""), "s3cret"), Fetcher(web.rules, web.names))
    assert await answer(tools, "web_search", {"query": "grey donkey"}) == "1. A\nhttps://a.example/\none"
    [(_, line, headers)] = web.seen
    assert "s3cret" not in line
    assert ("s3cret" in str(headers)) == (kind != "searxng")


async def test_a_service_that_answers_nonsense_is_an_error(web: Web) -> None:
    tools = web_tools(Service("searxng", web.url("")), Fetcher(web.rules, web.names))
    assert "in a form that is not its own" in await fault(tools, "web_search", {"query": "x"})


async def names_of(settings: ToolsSettings) -> set[str]:
    sets = own_sets(settings, ManualClock())
    return {tool.name for one in sets for tool in await one.tools(context())}


async def test_the_safe_sets_are_on_and_a_search_only_where_there_is_a_service() -> None:
    names = await names_of(Settings().tools)
    assert {"time_datetime", "math_calculator", "text_diff", "read_url", "file_read"} <= names
    assert "web_search" not in names
    searching = ToolsSettings.model_validate({"search": {"kind": "searxng", "url": "http://127.0.0.1:8888"}})
    assert "web_search" in await names_of(searching)


async def test_a_set_that_is_switched_off_is_not_there() -> None:
    off = ToolsSettings.model_validate({"sets": {"net": {"enabled": False}, "files": {"enabled": False}}})
    names = await names_of(off)
    assert not {"read_url", "net_httprequest", "file_read"} & names


def test_a_host_that_is_none_is_a_fault_of_the_configuration() -> None:
    wrong = ToolsSettings.model_validate({"egress": {"allow_hosts": ["a/b"]}})
    with pytest.raises(ConfigError, match="allow_hosts"):
        own_sets(wrong, ManualClock())
