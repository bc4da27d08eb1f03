"""The words the settings are made of: the base record and the kinds of value they share."""

import ipaddress
import math
import re
from collections.abc import Callable
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    field_validator,
)

MAX_NUMBER = 2**63 - 1  # what a column and an argument of SQLite hold
PROXY_SCHEMES = ("http", "https", "socks5", "socks5h")


class Section(BaseModel):
    """One table of the configuration: immutable, and every key of it is known."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, hide_input_in_errors=True)

    @field_validator("*")
    @classmethod
    def _bounded(cls, value: Any) -> Any:
        """Beyond this a number would be read, and fail in the middle of an answer."""
        numbers = value if isinstance(value, tuple) else (value,)
        if any(isinstance(number, int | float) and abs(number) > MAX_NUMBER for number in numbers):
            raise ValueError(f"expected a number of at most {MAX_NUMBER}")
        return value


def clamp(low: float, high: float) -> Callable[[float], float]:
    """Bring a number into a range, as the file format has always done for a few keys."""

    def bring(value: float) -> float:
        return min(max(value, type(value)(low)), type(value)(high))

    return bring


def _blank_to_none(value: Any) -> Any:
    text = value.get_secret_value() if isinstance(value, SecretStr) else value
    return None if isinstance(text, str) and not text.strip() else value


def split_list(value: Any) -> Any:
    """A comma separated text, a single number or a list: all are lists; blank items are dropped."""
    if isinstance(value, int) and not isinstance(value, bool):
        return [value]
    items = re.split(r"[,\s]+", value) if isinstance(value, str) else value
    if isinstance(items, list | tuple):
        return [item for item in items if not (isinstance(item, str) and not item.strip())]
    return items


def _http_url(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("expected an address that starts with http:// or https://")
    try:
        parts.port  # noqa: B018 - looking at it is the check
    except ValueError:
        raise ValueError("expected an address whose port is a number up to 65535") from None
    return value.rstrip("/")


def _proxy_url(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in PROXY_SCHEMES or not parts.hostname:
        raise ValueError(f"expected a proxy address, with one of the schemes {', '.join(PROXY_SCHEMES)}")
    return value


def _sendable(secret: SecretStr) -> SecretStr:
    """A secret as it can be shown in a header: a line end, say of a file, does not belong to it."""
    text = secret.get_secret_value().strip()
    if any(ord(char) < 32 or ord(char) == 127 for char in text):
        raise ValueError("expected a text without line ends and control characters")
    return SecretStr(text)


Blank = BeforeValidator(_blank_to_none)
Secret = Annotated[SecretStr, AfterValidator(_sendable)]
OptionalText = Annotated[str | None, Blank]
OptionalSecret = Annotated[Secret | None, Blank]
HttpUrl = Annotated[str, AfterValidator(_http_url)]
OptionalHttpUrl = Annotated[HttpUrl | None, Blank]
OptionalProxy = Annotated[Annotated[str, AfterValidator(_proxy_url)] | None, Blank]
IdList = Annotated[tuple[int, ...], BeforeValidator(split_list)]
SecretList = Annotated[tuple[Secret, ...], BeforeValidator(split_list)]
TextList = Annotated[tuple[str, ...], BeforeValidator(split_list)]
Seconds = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1)]
CountOrZero = Annotated[int, Field(ge=0)]
Ratio = Annotated[float, Field(ge=0, le=1)]


def split_address(value: str) -> tuple[str, int]:
    """`host:port` or `[ipv6]:port` as a pair. Raises `ValueError` that says what was expected."""
    host, colon, port = value.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not (port.isascii() and port.isdigit()) or int(port) > 65535:
        raise ValueError('expected "host:port", such as "127.0.0.1:8080"')
    return host, int(port)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach `host` (a name or an address, without brackets)."""
    if host.lower().rstrip(".") == "localhost" or host.lower().endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def finite_ratio(default: float) -> BeforeValidator:
    """A ratio brought into 0..1, where "not a number" means the default."""

    def bring(value: Any) -> Any:
        if isinstance(value, float) and math.isnan(value):
            return default
        return value

    return BeforeValidator(bring)
