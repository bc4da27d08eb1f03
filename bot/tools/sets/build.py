"""The bot's own sets of tools, as the settings want them."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from bot.config.tools import EgressSettings, SearchSettings, ToolsSettings
from bot.domain.functions import FunctionToolset
from bot.domain.ports import Clock, Toolset
from bot.errors import ConfigError
from bot.tools.guards.egress import EgressRules, Exemption, read_exemption
from bot.tools.guards.fetch import Fetcher
from bot.tools.guards.resolve import Resolver, SystemResolver
from bot.tools.guards.workspace import Quota
from bot.tools.sets.clocks import time_tools
from bot.tools.sets.files import file_tools
from bot.tools.sets.net import net_tools
from bot.tools.sets.numbers import math_tools
from bot.tools.sets.search import Service, web_tools
from bot.tools.sets.texts import text_tools
from bot.tools.shelf import Shelf

_AROUND = 150  # characters that `file_read` says around a piece of a file
_KNOWN = {"brave": "https://api.search.brave.com/res/v1", "tavily": "https://api.tavily.com"}


def own_sets(
    settings: ToolsSettings, clock: Clock, resolver: Resolver | None = None, *, most_chars: int = 4000
) -> list[Toolset]:
    """Every set that is switched on and stands in this room. Raises `ConfigError` for a host that is none.

    `most_chars` are shown of a result.
    """
    names = resolver or SystemResolver()
    rules = rules_of(settings.egress)
    builders: list[tuple[bool, Callable[[], FunctionToolset | None]]] = [
        (settings.sets.time.enabled, lambda: time_tools(clock)),
        (settings.sets.math.enabled, math_tools),
        (settings.sets.text.enabled, text_tools),
        (settings.sets.net.enabled, lambda: net_tools(Fetcher(rules, names))),
        (settings.sets.web.enabled, lambda: _web(settings.search, rules, names)),
        (settings.sets.files.enabled, lambda: _files(settings, most_chars)),
    ]
    built = [build() for enabled, build in builders if enabled]
    return [one for one in built if one is not None]


def rules_of(settings: EgressSettings) -> EgressRules:
    """The egress rules of the settings."""
    try:
        hosts = tuple(read_exemption(line) for line in settings.allow_hosts)
    except ValueError as error:
        raise ConfigError(f"tools.egress.allow_hosts: {error}") from None
    return EgressRules(hosts, frozenset(settings.allow_ports), settings.allow_private)


def shelf_of(settings: ToolsSettings) -> Shelf:
    """Where long results are kept."""
    return Shelf(Path(settings.workspace_dir), _quota(settings))


def _files(settings: ToolsSettings, most_chars: int) -> FunctionToolset:
    window = max(most_chars - _AROUND, _AROUND)
    return file_tools(Path(settings.workspace_dir), _quota(settings), window)


def _quota(settings: ToolsSettings) -> Quota:
    kept = settings.workspace
    return Quota(kept.max_file_bytes, kept.max_total_bytes, kept.max_files)


def _web(settings: SearchSettings, rules: EgressRules, names: Resolver) -> FunctionToolset | None:
    """The search, where there is a service; the operator named it, so it may stand on the inside."""
    if not settings.kind:
        return None
    url = settings.url or _KNOWN[settings.kind]
    key = settings.api_key.get_secret_value() if settings.api_key else ""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    own = EgressRules(
        (*rules.allow_hosts, _exempt(parts.hostname or "", port)), rules.allow_ports, rules.allow_private
    )
    return web_tools(Service(settings.kind, url, key), Fetcher(own, names))


def _exempt(host: str, port: int) -> Exemption:
    named = f"[{host}]" if ":" in host else host
    return read_exemption(f"{named}:{port}")
