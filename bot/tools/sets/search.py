"""The set `web`: a search of the web with the service that the operator chose."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from pydantic import Field

from bot.domain.functions import Arguments, FunctionToolset, Traits, function_tool
from bot.domain.tool import RunContext
from bot.errors import Unavailable
from bot.tools.guards.calls import Ask, FetchLimits
from bot.tools.guards.fetch import Fetcher
from bot.tools.sets.pages import visible

_LIMITS = FetchLimits(total_s=20.0, max_bytes=2 * 1024 * 1024, cut=False)


class Search(Arguments):
    query: str = Field(min_length=1, max_length=400)
    count: int = Field(5, ge=1, le=20, description="Results at most.")


@dataclass(frozen=True, slots=True)
class Service:
    """Where to search: `kind` is searxng, brave or tavily; `url` its address; `key` its API key."""

    kind: str
    url: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    title: str
    url: str
    text: str


def web_tools(service: Service, fetcher: Fetcher) -> FunctionToolset:
    """The tool `web_search`. Words go to the chosen service only, so it is a look, not a message."""

    async def search(arguments: Search, context: RunContext) -> str:
        ask, read = _FORMS[service.kind](service, arguments)
        fetched = await fetcher.fetch(ask, _LIMITS)
        if fetched.status != 200:
            raise Unavailable(f"the search service answered with HTTP {fetched.status}")
        try:
            found = list(read(json.loads(fetched.body)))[: arguments.count]
        except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
            raise Unavailable("the search service answered in a form that is not its own") from None
        if not found:
            return "Nothing was found."
        return "\n\n".join(
            f"{number}. {one.title}\n{one.url}\n{one.text}".rstrip() for number, one in enumerate(found, 1)
        )

    tool = function_tool(
        "web_search",
        "Search the web; titles, addresses and excerpts.",
        "read",
        Search,
        search,
        Traits(untrusted=True),
    )
    return FunctionToolset("web", [tool])


_Read = Callable[[Any], Iterator[Result]]


def _searxng(service: Service, arguments: Search) -> tuple[Ask, _Read]:
    query = urlencode({"q": arguments.query, "format": "json"})
    return Ask(f"{service.url.rstrip('/')}/search?{query}"), lambda told: _results(told["results"], "content")


def _brave(service: Service, arguments: Search) -> tuple[Ask, _Read]:
    query = urlencode({"q": arguments.query, "count": arguments.count})
    ask = Ask(
        f"{service.url.rstrip('/')}/web/search?{query}",
        headers={"Accept": "application/json"},
        secret={"X-Subscription-Token": service.key},
    )
    return ask, lambda told: _results(told.get("web", {}).get("results", []), "description")


def _tavily(service: Service, arguments: Search) -> tuple[Ask, _Read]:
    ask = Ask(
        f"{service.url.rstrip('/')}/search",
        method="POST",
        headers={"Content-Type": "application/json"},
        body=json.dumps({"query": arguments.query, "max_results": arguments.count}).encode(),
        secret={"Authorization": f"Bearer {service.key}"},
    )
    return ask, lambda told: _results(told["results"], "content")


_FORMS: dict[str, Callable[[Service, Search], tuple[Ask, _Read]]] = {
    "searxng": _searxng,
    "brave": _brave,
    "tavily": _tavily,
}


def _results(told: list[Mapping[str, Any]], text: str) -> Iterator[Result]:
    for one in told:
        words = [visible(str(one.get(key) or "")).strip() for key in ("title", "url", text)]
        if words[1].startswith(("http://", "https://")):
            yield Result(words[0][:200], words[1][:500], words[2][:600])
