"""Keeps secrets out of what models, people and logs get to see."""

import base64
from collections.abc import Callable, Iterable
from urllib.parse import quote, quote_plus

REMOVED = "[secret]"
SHORTEST = 6  # a shorter one stands in too many words that are none


class Redactor:
    """Takes secrets out of texts: those it was told of, also in common disguises, and what looks like one."""

    def __init__(self, known: Iterable[str] = (), detect: Callable[[str], str] | None = None) -> None:
        """`detect` replaces what looks like a secret by `REMOVED`."""
        forms = {form for secret in known if len(secret) >= SHORTEST for form in _disguises(secret)}
        self._forms = sorted(forms, key=len, reverse=True)  # the longest first: one may stand in another
        self._detect = detect

    def clean(self, text: str) -> str:
        """The text without secrets."""
        for form in self._forms:
            if form in text:
                text = text.replace(form, REMOVED)
        return text if self._detect is None else self._detect(text)

    def holds_known(self, text: str) -> bool:
        """Whether one of the secrets it was told of stands in a text."""
        return any(form in text for form in self._forms)


def _disguises(secret: str) -> set[str]:
    raw = secret.encode()
    forms = {secret, secret[::-1], quote(secret, safe=""), quote_plus(secret), raw.hex()}
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        forms.add(encode(raw).decode().rstrip("="))
    return {form for form in forms if len(form) >= SHORTEST}
