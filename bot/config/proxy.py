"""Which proxy a connection takes: its own setting, else the environment's, never to this machine."""

import ipaddress
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

from bot.config.base import PROXY_SCHEMES, is_loopback
from bot.errors import ConfigError


def proxy_for(url: str, settings_proxy: str | None, environ: Mapping[str, str]) -> str | None:
    """The proxy address for a connection to `url`, or None for a direct one.

    A loopback address is always reached directly. A proxy of the settings comes before
    `HTTPS_PROXY`, `HTTP_PROXY` and `ALL_PROXY` (either case); `NO_PROXY` holds for those only.
    Raises `ConfigError` naming the variable when its scheme is not known.
    """
    target = urlsplit(url)
    if not target.hostname or is_loopback(target.hostname):
        return None
    if settings_proxy:
        return settings_proxy
    if _is_exempt(target, _either_case("NO_PROXY", environ)[1]):
        return None
    for name in (f"{target.scheme.upper()}_PROXY", "ALL_PROXY"):
        found, value = _either_case(name, environ)
        if value:
            return _normalised(found, value)
    return None


def _either_case(name: str, environ: Mapping[str, str]) -> tuple[str, str]:
    """Name as found and value; lower case wins, as with curl."""
    lower = name.lower()
    if value := environ.get(lower, "").strip():
        return lower, value
    return name, environ.get(name, "").strip()


def _normalised(name: str, value: str) -> str:
    address = value if "://" in value else f"http://{value}"
    scheme, _, rest = address.partition("://")
    # Desktops set "socks://" for what every client calls socks5.
    scheme = "socks5" if scheme.lower() == "socks" else scheme.lower()
    if scheme not in PROXY_SCHEMES:
        raise ConfigError(
            f'the environment variable {name} has the proxy scheme "{scheme}"',
            hint=f"use one of {', '.join(PROXY_SCHEMES)}, or unset it",
        )
    return f"{scheme}://{rest}"


def _is_exempt(target: SplitResult, no_proxy: str) -> bool:
    host = (target.hostname or "").lower().rstrip(".")
    port = target.port or {"https": 443, "http": 80}.get(target.scheme)
    return any(_covers(entry.strip().lower(), host, port) for entry in no_proxy.split(",") if entry.strip())


def _covers(entry: str, host: str, port: int | None) -> bool:
    if entry == "*":
        return True
    if (inside := _in_network(entry, host)) is not None:
        return inside
    name, colon, wanted = entry.rpartition(":")
    if colon and wanted.isdigit():
        if int(wanted) != (port or 0):
            return False
        entry = name
    domain = entry.removeprefix("*").removeprefix(".").strip("[]")
    return host == domain or host.endswith(f".{domain}")


def _in_network(entry: str, host: str) -> bool | None:
    """Whether `host` lies in the network `entry`; None where they are not both addresses."""
    try:
        return ipaddress.ip_address(host) in ipaddress.ip_network(entry, strict=False)
    except ValueError:
        return None
