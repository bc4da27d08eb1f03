"""One call of the web and what came back."""

from collections.abc import Mapping
from dataclasses import dataclass, field

REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Broken(Exception):
    """The other side, or the way to it, failed; the text says how, without a word of the URL."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One call. `body` is sent as it stands; `secret` headers are sent, too, and never told in an error."""

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    secret: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """`total_s`: seconds for all hops together; `max_bytes`: of the body, unpacked; `cut`: too long is
    cut short, not refused."""

    total_s: float = 30.0
    max_bytes: int = 1_048_576
    cut: bool = True


DEFAULT_LIMITS = FetchLimits()


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came back: `url` is where it came from in the end, `headers` have lower-case names."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    is_cut: bool = False

    @property
    def content_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()
