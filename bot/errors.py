"""Errors, sorted by what the caller can do about them.

XiaomaolvError
├── ConfigError     the operator has to change a setting
├── InputError      the caller sent something wrong; `field` names it
├── NotFound        there is no such thing (or it is not yours)
├── Denied          a policy says no
├── Conflict        it was changed or taken meanwhile; read again
├── Unavailable     try again, after `retry_after_s` if given
└── ModelError      a model provider failed; `code` says how
"""

from typing import Literal

ModelErrorCode = Literal[
    "auth_failed",
    "rate_limited",
    "bad_request",
    "context_too_long",
    "unavailable",
    "stream_broken",
    "timeout",
    "no_model",
]


class XiaomaolvError(Exception):
    """Root of all errors this product raises on purpose.

    `message` says what is wrong and where, `hint` what to do about it. Neither may hold a secret:
    both are shown to people.
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(f"{message} ({hint})" if hint else message)
        self.message = message
        self.hint = hint


class ConfigError(XiaomaolvError):
    """The configuration is wrong; the operator can mend it."""


class InputError(XiaomaolvError):
    """The caller's input is wrong; `field` names the part, if one can be named."""

    def __init__(self, message: str, *, field: str | None = None, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.field = field


class NotFound(XiaomaolvError):
    """There is no such thing for this caller."""


class Denied(XiaomaolvError):
    """The caller may not do this."""


class Conflict(XiaomaolvError):
    """Somebody else changed it meanwhile, or it exists already."""


class Unavailable(XiaomaolvError):
    """It cannot be done now; `retry_after_s` is how long to wait, in seconds, where known."""

    def __init__(self, message: str, *, retry_after_s: float | None = None, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.retry_after_s = retry_after_s


class ModelError(XiaomaolvError):
    """A model provider failed, normalised to one of `ModelErrorCode`.

    `retry_after_s` is the provider's own wish in seconds, where it told one.
    """

    def __init__(
        self,
        code: ModelErrorCode,
        message: str,
        *,
        provider: str = "",
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code: ModelErrorCode = code
        self.provider = provider
        self.retry_after_s = retry_after_s
