"""Normalises what providers answer instead of an answer."""

import json
import math
import re
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

from bot.errors import ModelError, ModelErrorCode

_EXCERPT_CHARS = 200
_CONTEXT = re.compile(
    r"context[_ ]length|context[_ ]window|context size|maximum context|exceed\w*[_ ]context|"
    r"(prompt|input|request|messages?)\b[^.]{0,40}\btoo (long|large|many tokens)|"
    r"too many (input )?tokens|reduce the length|上下文.{0,8}(超|长)|(输入|请求).{0,8}过长",
    re.IGNORECASE,
)
_QUOTA = re.compile(
    r"insufficient[_ ]quota|exceeded your current quota|insufficient (balance|credit|funds)", re.I
)
_SECRETS = re.compile(
    r"(?i:bearer)\s+\S+|\b(?:sk|pk|rk|gsk|xai|key|api)[-_][\w*.\-]{6,}|\bAIza[\w\-]{20,}|[\w\-]{40,}|"
    r"(?<=://)[^/\s@]+@|(?<=[?&])[^\s&=]+=[^\s&]+"
)
_TRY_AGAIN = re.compile(r"(?:try again|retry) (?:in|after) ([\d.]+) ?(ms|m?s|seconds?|minutes?|m)\b", re.I)
_UNITS = {"ms": 0.001, "m": 60.0, "minute": 60.0, "minutes": 60.0}
_REFUSED = re.compile(
    r"unsupported|unknown|unrecognized|unexpected|not (?:supported|permitted|allowed)|"
    r"extra (?:inputs|fields)|invalid param",
    re.I,
)


def redact(text: str, secret: str) -> str:
    """The text without the given key and without anything that looks like one."""
    if secret:
        text = text.replace(secret, "***")
    return _SECRETS.sub("***", text)


def excerpt(text: str, secret: str) -> str:
    """One short line of what the provider said, safe to show."""
    line = " ".join(redact(text[:4000], secret).split())
    return line if len(line) <= _EXCERPT_CHARS else line[: _EXCERPT_CHARS - 1] + "…"


def error_text(body: Any) -> str:
    """The words of an error body in any of the usual shapes; "" if it is none."""
    if isinstance(body, list) and body:
        return error_text(body[0])
    if not isinstance(body, dict):
        return body if isinstance(body, str) else ""
    inner = body.get("error") or body.get("errors") or body.get("detail") or body
    if isinstance(inner, dict):
        words = [inner.get(key) for key in ("code", "type", "status", "message", "msg")]
        return " ".join(str(word) for word in words if word) or json.dumps(inner, ensure_ascii=False)
    return error_text(inner)


def code_of(status: int, text: str) -> ModelErrorCode:
    """What kind of failure an HTTP status with these words is."""
    if _QUOTA.search(text) or status in {401, 402, 403, 407}:
        return "auth_failed"
    if status == 429:
        return "rate_limited"
    if status == 413 or (status in {400, 422, 500} and _CONTEXT.search(text)):
        return "context_too_long"
    if status in {408, 504, 524}:
        return "timeout"
    if 400 <= status < 500 and status not in {409, 425, 499}:
        return "bad_request"
    return "unavailable"


def http_failure(
    provider: str, status: int, content: bytes, headers: Mapping[str, str], secret: str, now: datetime
) -> ModelError:
    """The error for an answer that is not 200. `now` reads a `retry-after` that is a date."""
    text = content.decode("utf-8", "replace")
    try:
        body: Any = json.loads(text)
    except (ValueError, RecursionError):
        body = None
    words = error_text(body)
    said = excerpt(words, secret)
    message = f"{provider} answered {status}" + (f": {said}" if said else "")
    wait = retry_after(headers, body, now)
    return ModelError(code_of(status, words or text[:2000]), message, provider=provider, retry_after_s=wait)


def event_failure(provider: str, body: Mapping[str, Any], secret: str, now: datetime) -> ModelError:
    """The error for a stream that brings an error object instead of an answer."""
    inner = body.get("error")
    found = str(inner.get("code", inner.get("status")) if isinstance(inner, dict) else body.get("code"))
    status = int(found) if re.fullmatch("[45][0-9][0-9]", found) else 0
    words = error_text(body)
    if not status:
        status = 429 if re.search(r"rate.?limit|too many requests", words, re.I) else 500
    said = excerpt(words, secret)
    message = f"{provider} ended the answer with an error: {said}"
    return ModelError(
        code_of(status, words), message, provider=provider, retry_after_s=retry_after({}, body, now)
    )


def retry_after(headers: Mapping[str, str], body: Any, now: datetime) -> float | None:
    """The wait in seconds that headers or body ask for; None if neither does."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        if (value := headers.get(name)) is not None:
            found = _seconds(value, scale)
            if found is None and scale == 1.0:
                found = _until(value, now)
            if found is not None:
                return found
    return _retry_after_in(body)


def _seconds(value: Any, scale: float) -> float | None:
    try:
        number = float(value) * scale
    except (TypeError, ValueError):
        return None
    return max(0.0, number) if math.isfinite(number) else None


def _until(value: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=now.tzinfo)
    return max(0.0, (moment - now).total_seconds())


def _retry_after_in(body: Any) -> float | None:
    if not isinstance(body, dict):
        return None
    inner = body["error"] if isinstance(body.get("error"), dict) else body
    for place in (inner, body):
        for name in ("retry_after", "retry_after_s", "retry_after_seconds"):
            found = _seconds(place.get(name), 1.0)
            if found is not None:
                return found
    details = inner.get("details")
    for detail in details if isinstance(details, list) else ():
        if isinstance(detail, dict) and isinstance(delay := detail.get("retryDelay"), str):
            return _seconds(delay.removesuffix("s"), 1.0)
    match = _TRY_AGAIN.search(error_text(body))
    return _seconds(match[1], _UNITS.get(match[2].lower(), 1.0)) if match else None


def refused_parameter(message: str, parameters: Mapping[str, Any]) -> str | None:
    """Which of these request parameters an error message says is not understood."""
    if not _REFUSED.search(message):
        return None
    named = [name for name in parameters if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", message)]
    return named[0] if named else None
