"""How an MCP server is reached, and how far it is trusted: one entry of a registry file."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from bot.config.mask import without_password
from bot.domain.tool import Effect
from bot.errors import InputError

Scope = Literal["user", "project"]
Transport = Literal["stdio", "http", "sse"]
Trust = Literal["auto", "ask", "full"]
"""`auto`: what it offers at first sight is approved. `ask`: every tool waits for approval. `full`: as
`auto`, and what it says of its own tools (such as "only reads") is believed."""

_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, 5.6.2
_BREAKS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_LOGIN = re.compile(r"(?P<scheme>\w+://)(?P<login>[^\s/?#]*)@")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
TIMEOUT_S = 20.0
_FLAGS = {"--token", "--api-key", "--apikey", "--key", "--password", "--secret"}
_SHORTEST_SECRET = 6


@dataclass(frozen=True, slots=True)
class ServerSpec:
    """One server. stdio has a command, http and sse have a url; `timeout_s` bounds its start and its calls.

    `effect` is the least effect of all its tools, `effects` that of single ones, by the operator's word;
    "" and absent leave it to where the server runs and what it claims.
    """

    name: str
    scope: Scope
    transport: Transport
    command: str = ""
    args: tuple[str, ...] = ()
    cwd: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout_s: float = TIMEOUT_S
    enabled: bool = True
    trust: Trust = "auto"
    effect: Effect | Literal[""] = ""
    effects: Mapping[str, Effect] = field(default_factory=dict)
    oauth_client_url: str = ""  # of a document that tells logins who this client is

    @property
    def is_local(self) -> bool:
        """Whether it is a program that this machine runs."""
        return self.transport == "stdio"

    @property
    def target(self) -> str:
        """What is started or called, for people: without arguments after a secret's name, or query."""
        if not self.is_local:
            return _without_secrets(self.url)
        return " ".join([self.command, *self.shown_args])

    @property
    def shown_args(self) -> tuple[str, ...]:
        """The arguments, with what follows the name of a secret blotted out."""
        shown, hides = [], False
        for arg in self.args:
            name, equals, _ = arg.partition("=")
            shown.append(
                "***" if hides else f"{name}=***" if equals and name in _FLAGS else without_password(arg)
            )
            hides = arg in _FLAGS
        return tuple(shown)

    @property
    def digest(self) -> str:
        """What tells two specs apart, so that a changed one is opened anew."""
        plain = json.dumps(asdict(self), sort_keys=True, default=dict)
        return hashlib.sha256(plain.encode()).hexdigest()

    def secrets(self) -> tuple[str, ...]:
        """Values that must not be shown: of variables, headers and flags, and the login in the address."""
        found = [*self.env.values(), *self.headers.values()]
        found += [value.partition(" ")[2] for value in self.headers.values()]
        found += [args for flag, args in zip(self.args, self.args[1:], strict=False) if flag in _FLAGS]
        found += [arg.partition("=")[2] for arg in self.args if arg.partition("=")[0] in _FLAGS]
        if match := _LOGIN.match(self.url):
            found += [match["login"], *match["login"].split(":", 1)]
        return tuple(sorted({value for value in found if len(value) >= _SHORTEST_SECRET}, key=len)[::-1])

    def masked(self, text: str) -> str:
        """`text` without the secrets of this server, and without those in any address."""
        for secret in self.secrets():
            text = text.replace(secret, "***")
        return without_password(text)


def _without_secrets(url: str) -> str:
    return _LOGIN.sub(r"\g<scheme>", url).partition("?")[0]


class _Entry(BaseModel):
    """`[servers.NAME]` as it stands in a file."""

    model_config = ConfigDict(extra="forbid")

    enabled: bool = True
    transport: Transport | None = None
    command: str = ""
    args: tuple[str, ...] = ()
    cwd: str = ""
    env: dict[str, str] = Field(default_factory=dict)
    url: str = ""
    headers: dict[str, str] = Field(default_factory=dict)
    timeout_secs: Annotated[float, Field(ge=1, le=3600)] = TIMEOUT_S
    trust: Trust = "auto"
    effect: Effect | Literal[""] = ""
    effects: dict[str, Effect] = Field(default_factory=dict)
    oauth_client_url: str = ""
    # Of the original's registry; what it allows is decided by the policy here.
    code_mode_capabilities: dict[str, bool] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _fits_transport(self) -> Self:
        transport = self.transport or ("http" if self.url else "stdio")
        if transport == "stdio" and (self.url or self.headers):
            raise ValueError("a stdio server has a command, and neither url nor headers")
        if transport != "stdio" and (self.command or self.args or self.cwd or self.env):
            raise ValueError(f"a server over {transport} has a url and headers, no command, args, cwd or env")
        if not self.enabled:
            return self
        if transport == "stdio" and not self.command.strip():
            raise ValueError("a stdio server needs a command")
        if transport != "stdio" and not re.fullmatch(r"https?://[^/\s]+(/\S*)?", self.url):
            raise ValueError(f"a server over {transport} needs a url that begins with http:// or https://")
        for name, value in self.headers.items():
            if not _HEADER.fullmatch(name) or _BREAKS.search(value):
                raise ValueError(f"{name!r} is no header that can be sent")
        return self


def parse_spec(name: str, entry: Mapping[str, Any], scope: Scope) -> ServerSpec:
    """The spec of one entry. Raises `InputError` that says what is wrong with which key."""
    check_name(name)
    try:
        read = _Entry.model_validate(entry)
    except ValidationError as error:
        raise InputError(f"servers.{name}: {_first_fault(error)}") from None
    return ServerSpec(
        name=name,
        scope=scope,
        transport=read.transport or ("http" if read.url else "stdio"),
        command=read.command,
        args=read.args,
        cwd=read.cwd,
        env=read.env,
        url=read.url,
        headers=read.headers,
        timeout_s=read.timeout_secs,
        enabled=read.enabled,
        trust=read.trust,
        effect=read.effect,
        effects=read.effects,
        oauth_client_url=read.oauth_client_url,
    )


def check_name(name: str) -> None:
    """Raises `InputError` for what cannot be the name of a server."""
    if not _NAME.fullmatch(name):
        raise InputError(
            f'"{name}" cannot be the name of a server',
            hint="1 to 64 letters, digits, dots, dashes and underscores, a letter or digit first",
        )


def _first_fault(error: ValidationError) -> str:
    detail = error.errors()[0]
    where = ".".join(str(part) for part in detail["loc"])
    message = detail["msg"].removeprefix("Value error, ")
    if detail["type"] == "extra_forbidden":
        return f"{where} is not a key of a server"
    return f"{where}: {message}" if where else message
