"""How secrets look where people can see them."""

import re
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, SecretStr

MASK = "********"
_SHORTEST_SECRET = 6
# Told to be written where a program wants no key. Everybody knows them, and they stand in many texts.
_NO_SECRETS = frozenset({
    "dummy-key",
    "empty",
    "lm-studio",
    "localai",
    "no-key",
    "no-key-required",
    "not-needed",
    "ollama",
    "placeholder",
    "sk-no-key-required",
})

# On the web either half before the "@" may be the token: `https://TOKEN@host`, `https://TOKEN:@host`.
_WEB_LOGIN = re.compile(r"(?P<before>(?i:https?|wss?)://)[^\s/?#\"]+(?=@)")
# Elsewhere the first is a name (`ssh://git@host`), and drivers of databases take a "/" in a password.
_URL_PASSWORD = re.compile(
    r"(?P<before>(?i:(?<!http)(?<!https)(?<!ws)(?<!wss))://[^\s/?#:@\"]*:)"
    r"(?:[^\s/?#\"]+|(?:[^\s@\":]|:(?!//))+)(?=@)"
)
# Services name the key in an address in many ways, some with one letter.
_QUERY_NAME = (
    r"[a-z0-9_.-]*(?:key|token|secret|passw(?:or)?d|passphrase|pwd|signature|credentials?)"
    r"|k|sig|pass|auth|code"
)
_URL_QUERY_SECRET = re.compile(rf"(?i)(?P<before>[?&](?:{_QUERY_NAME})=)[^&\s\"#]+")


def without_password(text: str) -> str:
    """The text with the logins of all addresses in it masked, and the secrets in their queries."""
    for secret in (_WEB_LOGIN, _URL_PASSWORD, _URL_QUERY_SECRET):
        text = secret.sub(rf"\g<before>{MASK}", text)
    return text


def known_secrets(settings: BaseModel) -> tuple[str, ...]:
    """Every secret the settings hold, longest first, so that none is left as part of another.

    Those under six characters are left out, and what stands where no key is needed: blotting them out
    would blot out ordinary words.
    """
    found = {secret for secret in _secrets_in(settings) if _is_worth_hiding(secret)}
    return tuple(sorted(found, key=len, reverse=True))


def _is_worth_hiding(secret: str) -> bool:
    return len(secret) >= _SHORTEST_SECRET and secret.lower() not in _NO_SECRETS


def _secrets_in(value: Any) -> Iterator[str]:
    match value:
        case SecretStr():
            yield value.get_secret_value()
        case BaseModel():
            for name in type(value).model_fields:
                yield from _secrets_in(getattr(value, name))
        case dict():
            for item in value.values():
                yield from _secrets_in(item)
        case list() | tuple():
            for item in value:
                yield from _secrets_in(item)
        case _:
            return
