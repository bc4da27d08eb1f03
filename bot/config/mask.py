"""How secrets look where people can see them."""

import re

MASK = "********"

_URL_PASSWORD = re.compile(r"(?P<before>[A-Za-z][A-Za-z0-9+.-]*://[^\s/?#:@\"]*:)[^\s/?#\"]*(?=@)")
_URL_QUERY_SECRET = re.compile(r"(?i)(?P<before>[?&](?:[a-z_-]*(?:key|token|secret|password))=)[^&\s\"#]+")


def without_password(text: str) -> str:
    """The text with the password of every address in it masked, and secrets in their queries."""
    return _URL_QUERY_SECRET.sub(rf"\g<before>{MASK}", _URL_PASSWORD.sub(rf"\g<before>{MASK}", text))
