"""The egress guard: which addresses of the web a tool may call. Reading only; `guards.fetch` connects.

A URL is judged as text first, strictly: whatever two readers could read in two ways is refused. What
a name leads to is judged again when it is resolved, and the connection goes to the address judged.
"""

import ipaddress
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

import idna

from bot.tools.guards.addresses import Address, Network, is_metadata, is_public, is_within, read_ipv4
from bot.tools.guards.verdict import ALLOW, Verdict, deny

MAX_URL = 4096  # characters
_DEFAULT_PORTS = {"http": 80, "https": 443}
_PARTS = re.compile(r"(https?)://([^/?#]*)([^#]*)(#.*)?", re.IGNORECASE | re.DOTALL)
_HOST_AND_PORT = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*)(:.*)?", re.DOTALL)
# Right after the host: readers that end a host only at a slash take what follows the @ for it.
_ENDS_LATE = re.compile(r"#[^/]*@|\?[^/=&]*@", re.DOTALL)
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")

# Names that no public resolver has, or that name an inside: RFC 6761, 6762, 8375, 9476, and habits.
_INSIDE_ENDS = frozenset({
    "localhost", "localdomain", "local", "internal", "intranet", "lan", "home", "corp", "private", "test",
    "example", "invalid", "onion", "alt", "consul", "svc", "cluster", "docker", "kubernetes", "arpa",
})  # fmt: skip
# Public names that anybody can point at any address, made for that.
_ANY_ADDRESS = frozenset({
    "nip.io", "sslip.io", "xip.io", "localtest.me", "lvh.me", "vcap.me", "lacolhost.com", "1u.ms",
    "rbndr.us", "rebind.network", "fuf.me", "traefik.me", "backname.io",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Target:
    """A URL taken apart: `host` in ASCII, lower case, no brackets; `path` from its slash on, with query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.path}"

    @property
    def address(self) -> Address | None:
        """The host as an address, if it is one."""
        try:
            return ipaddress.ip_address(self.host)
        except ValueError:
            return None


@dataclass(frozen=True, slots=True)
class Exemption:
    """One line of `allow_hosts`: a name (`*.name` for those below it) or a network, with a port or any."""

    name: str = ""
    network: Network | None = None
    port: int | None = None

    def covers(self, target: Target) -> bool:
        if self.port is not None and self.port != target.port:
            return False
        if self.network is not None:
            return (address := target.address) is not None and is_within(address, [self.network])
        if self.name.startswith("*."):
            return target.host.endswith(self.name[1:])
        return target.host == self.name


@dataclass(frozen=True, slots=True)
class EgressRules:
    """What the operator opens beyond the public web on its own ports."""

    allow_hosts: tuple[Exemption, ...] = ()
    allow_ports: frozenset[int] = frozenset({80, 443})
    allow_private: bool = False  # the operator's own network; never a cloud's metadata

    def is_exempt(self, target: Target) -> bool:
        return any(exemption.covers(target) for exemption in self.allow_hosts)


DEFAULT_RULES = EgressRules()


class Refused(ValueError):
    """A URL that is not called; its text says why."""


def judge_url(url: str, rules: EgressRules = DEFAULT_RULES) -> Verdict:
    """Whether a URL may be called, as far as its text tells. Nothing is resolved."""
    try:
        check_target(read_url(url), rules)
    except Refused as error:
        return deny(str(error))
    return ALLOW


def read_url(url: str) -> Target:
    """Take a URL apart. Raises `Refused` for all that is not plainly an http(s) URL."""
    if len(url) > MAX_URL:
        raise Refused(f"longer than {MAX_URL} characters")
    if any(ord(mark) < 0x21 or mark == "\x7f" or unicodedata.category(mark)[0] in "CZ" for mark in url):
        raise Refused("holds blanks or invisible characters")
    if "\\" in url:
        raise Refused("holds a backslash, which readers of URLs take in different ways")
    match = _PARTS.fullmatch(url)
    if match is None:
        raise Refused("is not an http:// or https:// address")
    scheme, authority, path = match[1].lower(), match[2], match[3]
    if "@" in authority or _ENDS_LATE.match(path or match[4] or ""):
        raise Refused("holds a user name or password, or hides its host behind @")
    split = _HOST_AND_PORT.fullmatch(authority)
    if split is None:
        raise Refused("has a malformed host")
    port = _read_port(split[2], scheme)
    path = path if path.startswith("/") else f"/{path}"
    return Target(scheme, _read_host(split[1]), port, quote(path, safe="/?%=&+:;,@!$'()*~-._[]|"))


def check_target(target: Target, rules: EgressRules) -> None:
    """Raise `Refused` for a target that the rules don't open, as far as its text tells."""
    if rules.is_exempt(target):
        return
    if target.port not in rules.allow_ports:
        raise Refused(f"port {target.port} is not one of the web's")
    if (address := target.address) is not None:
        check_address(address, target.port, rules)
    elif not rules.allow_private and (reason := _inside_name(target.host)):
        raise Refused(reason)
    elif target.host.startswith("metadata.") or target.host in {"metadata", "instance-data"}:
        raise Refused("is where a cloud hands out credentials")


def check_addresses(target: Target, addresses: Sequence[Address], rules: EgressRules) -> None:
    """Judge what a name was resolved to: all must be right. Raises `Refused`."""
    if not addresses:
        raise Refused(f"{target.host} has no address")
    if not rules.is_exempt(target):
        for address in addresses:
            check_address(address, target.port, rules)


def check_address(address: Address, port: int, rules: EgressRules) -> None:
    """Raise `Refused` for an address that is not public, unless private ones are allowed."""
    opened = [exemption.network for exemption in rules.allow_hosts if exemption.port in {None, port}]
    if is_within(address, [network for network in opened if network is not None]):
        return
    if is_metadata(address):
        raise Refused("is where a cloud hands out credentials")
    if not rules.allow_private and not is_public(address):
        raise Refused("leads to an address that is not of the public internet")


def read_exemption(text: str) -> Exemption:
    """A line of `allow_hosts`: `name`, `*.name`, an address or a network, each with `:port` or without.

    Raises `ValueError` for anything else.
    """
    wanted = text.strip().lower()
    try:
        return Exemption(network=ipaddress.ip_network(wanted, strict=False))
    except ValueError:
        pass
    match = re.fullmatch(r"\[?([^\[\]]+?)\]?(?::(\d{1,5}))?", wanted)
    if match is None or not 0 < int(match[2] or 1) < 65536:
        raise ValueError(f"{text!r} is not a name, an address or a network")
    port = int(match[2]) if match[2] else None
    try:
        return Exemption(network=ipaddress.ip_network(match[1], strict=False), port=port)
    except ValueError:
        name = match[1]
    bare = name.removeprefix("*.")
    if not all(_LABEL.fullmatch(label) for label in bare.split(".")):
        raise ValueError(f"{text!r} is not a name, an address or a network")
    return Exemption(name=name, port=port)


def _read_port(text: str | None, scheme: str) -> int:
    if text is None:
        return _DEFAULT_PORTS[scheme]
    digits = text[1:]
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 5 and 0 < int(digits) < 65536):
        raise Refused("has something that is no port after its colon")
    return int(digits)


def _read_host(text: str) -> str:
    if text.startswith("["):
        try:
            return str(ipaddress.IPv6Address(text[1:-1]))
        except ValueError:
            raise Refused("has a malformed IPv6 address") from None
    if "%" in text:
        raise Refused("has an encoded host")
    try:
        # ASCII is what is looked up, also where IDNA has no such name: `my_blog.…`, `r3---sn-….…`.
        host = text if text.isascii() else idna.encode(text, uts46=True, std3_rules=False).decode()
    except (idna.IDNAError, UnicodeError):
        raise Refused("has a malformed host") from None
    host = host.lower().removesuffix(".")
    if not host or len(host) > 253 or not all(_LABEL.fullmatch(label) for label in host.split(".")):
        raise Refused("has a malformed host")
    try:
        address = read_ipv4(host)
    except ValueError as error:
        raise Refused(f"has a malformed number as host: {error}") from None
    return str(address) if address is not None else host


def _inside_name(host: str) -> str:
    """Why a name is not one of the public internet, "" when it may be."""
    labels = host.split(".")
    if len(labels) == 1:
        return "is a name without a dot, which only an inside network knows"
    if labels[-1] in _INSIDE_ENDS:
        return f"ends in .{labels[-1]}, which is not public"
    if any(host == name or host.endswith(f".{name}") for name in _ANY_ADDRESS):
        return "is a name made to lead to any address"
    return ""
