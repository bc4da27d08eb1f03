"""The set `net`: pages and interfaces of the web, all behind the egress guard."""

import asyncio
import json
from typing import Literal

from pydantic import Field

from bot.domain.functions import Arguments, FunctionToolset, Traits, function_tool
from bot.domain.tool import RunContext
from bot.errors import InputError
from bot.tools.guards.calls import Ask, Fetched, FetchLimits
from bot.tools.guards.fetch import Fetcher
from bot.tools.sets.pages import decoded, read_page, visible

_TEXTS = ("text/", "application/json", "application/xml", "application/javascript", "application/yaml")
_TIME_LIMIT_S = 60.0


class ReadUrl(Arguments):
    url: str = Field(max_length=4096, description="An http or https address.")
    max_size: int = Field(1_048_576, ge=1, le=5_242_880, description="Bytes read at most.")
    raw: bool = Field(False, description="The page as it was sent, not only its text.")
    timeout: float = Field(30, ge=1, le=60, description="Seconds in all.")


class HttpRequest(Arguments):
    url: str = Field(max_length=4096, description="An http or https address.")
    method: Literal["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"] = "GET"
    headers: dict[str, str] = Field(default_factory=dict, max_length=30)
    body: str | None = Field(None, max_length=1_000_000)
    timeout: float = Field(30, ge=1, le=60, description="Seconds in all.")


def net_tools(fetcher: Fetcher) -> FunctionToolset:
    """Tools that call the web."""

    async def read_url(arguments: ReadUrl, context: RunContext) -> str:
        limits = FetchLimits(arguments.timeout, arguments.max_size)
        fetched = await fetcher.fetch(Ask(arguments.url), limits)
        return await asyncio.to_thread(_told, fetched, raw=arguments.raw)

    async def request(arguments: HttpRequest, context: RunContext) -> str:
        if arguments.body is not None and arguments.method in {"GET", "HEAD"}:
            raise InputError(f"{arguments.method} takes no body", field="body")
        body = None if arguments.body is None else arguments.body.encode("utf-8", "replace")
        ask = Ask(arguments.url, arguments.method, arguments.headers, body)
        return _told(await fetcher.fetch(ask, FetchLimits(arguments.timeout)), raw=True)

    return FunctionToolset(
        "net",
        [
            function_tool(
                "read_url",
                "Read a web page (or a text or JSON file of the web).",
                "read",
                ReadUrl,
                read_url,
                Traits(untrusted=True, outbound=True, time_limit_s=_TIME_LIMIT_S),
            ),
            function_tool(
                "net_httprequest",
                "Send an HTTP request with any method, headers and body.",
                "external",
                HttpRequest,
                request,
                Traits(untrusted=True, outbound=True, time_limit_s=_TIME_LIMIT_S),
            ),
        ],
    )


def _told(fetched: Fetched, *, raw: bool) -> str:
    """The answer with its status first: one that isn't 2xx is never told as a success."""
    head = f"HTTP {fetched.status}:" if 200 <= fetched.status < 300 else f"HTTP error {fetched.status}:"
    kind = fetched.content_type
    if kind and not kind.startswith(_TEXTS) and not kind.endswith(("+json", "+xml")):
        return f"{head}\n[{kind}, {len(fetched.body)} bytes: not a text, not shown]"
    text = decoded(fetched.body, fetched.headers.get("content-type", ""))
    if not raw and kind in {"text/html", "application/xhtml+xml"}:
        text = read_page(text, fetched.url).told
    elif kind.endswith("json"):
        text = _indented(text)
    cut = f"\n[cut after {len(fetched.body)} bytes]" if fetched.is_cut else ""
    return f"{head}\n{visible(text)}{cut}"


def _indented(text: str) -> str:
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        return text
