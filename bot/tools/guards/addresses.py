"""Which addresses belong to the public internet; all others are somebody's inside.

The lists are the special-purpose registries of IANA (2026), and the addresses that clouds answer on.
`ipaddress.is_global` is not asked: its answers differ between Python's versions.
"""

import ipaddress
from collections.abc import Iterable

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_V4_INSIDE = tuple(
    ipaddress.IPv4Network(text)
    for text in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",
        "100.64.0.0/10",  # shared by carriers; also a cloud's metadata at 100.100.100.200
        "127.0.0.0/8",
        "168.63.129.16/32",  # Azure's wire server, in the middle of the public space
        "169.254.0.0/16",  # link-local, and most clouds' metadata
        "172.16.0.0/12",
        "192.0.0.0/24",  # protocol assignments; Oracle's metadata at 192.0.0.192
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)
_V6_PUBLIC = ipaddress.IPv6Network("2000::/3")  # all that is given out; the rest is not public
_V6_INSIDE = tuple(
    ipaddress.IPv6Network(text)
    for text in (
        "2001::/23",  # protocol assignments, Teredo, benchmarks, ORCHID
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: leads to the IPv4 address inside it
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
)
_V6_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # leads to the IPv4 address at its end
_ISATAP = (0x00005EFE, 0x02005EFE)

METADATA = frozenset(
    ipaddress.ip_address(text)
    for text in (
        "169.254.169.254",
        "169.254.170.2",
        "169.254.169.253",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "fd00:ec2::254",
        "fd00:ec2::253",
        "fd00:ec2::23",
        "fd20:ce::254",
    )
)
"""Where clouds hand out credentials: never reached by way of `allow_private`."""


def is_public(address: Address) -> bool:
    """Whether this is an address of the public internet, also behind the wrappings of IPv6."""
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _V4_INSIDE)
    if address.scope_id is not None:
        return False
    if address in _V6_NAT64:
        return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    if address not in _V6_PUBLIC or any(address in network for network in _V6_INSIDE):
        return False
    return (int(address) >> 32) & 0xFFFFFFFF not in _ISATAP


def is_metadata(address: Address) -> bool:
    """Whether a cloud hands out credentials there, written plainly or wrapped in IPv6."""
    return plain(address) in METADATA


def plain(address: Address) -> Address:
    """The IPv4 address that an IPv6 one stands for, if it does; else the address without its zone."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    value = int(address)
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _V6_NAT64 or (value >> 32 == 0 and value > 1):
        return ipaddress.IPv4Address(value & 0xFFFFFFFF)
    if address.sixtofour is not None:
        return address.sixtofour
    return ipaddress.IPv6Address(value)


def is_within(address: Address, networks: Iterable[Network]) -> bool:
    """Whether one of the networks holds the address, seen plainly."""
    seen = plain(address)
    return any(seen in network for network in networks if network.version == seen.version)


def read_ipv4(host: str) -> ipaddress.IPv4Address | None:
    """An IPv4 address in any spelling a resolver takes: `127.1`, `0x7f.1`, `017700000001`, `2130706433`.

    None: it is no number. Raises `ValueError` for what looks like a number and is none.
    """
    parts = host.split(".")
    if not _is_number(parts[-1]):
        return None
    if len(parts) > 4:
        raise ValueError("a number of more than four parts")
    numbers = [_read_number(part) for part in parts]
    if any(number > 255 for number in numbers[:-1]) or numbers[-1] >= 256 ** (5 - len(numbers)):
        raise ValueError("a part of the number is too large")
    value = numbers[-1]
    for place, number in enumerate(numbers[:-1]):
        value += number << (8 * (3 - place))
    return ipaddress.IPv4Address(value)


def _is_number(part: str) -> bool:
    if part.isascii() and part.isdigit():
        return True
    return part[:2].lower() == "0x" and all(mark in "0123456789abcdefABCDEF" for mark in part[2:])


def _read_number(part: str) -> int:
    if not part or len(part) > 40 or not _is_number(part):
        raise ValueError("a part is no number")
    if part[:2].lower() == "0x":
        return int(part[2:] or "0", 16)
    return int(part, 8) if len(part) > 1 and part[0] == "0" else int(part)
