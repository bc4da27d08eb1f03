"""Reading what clients send. Everything here ends in a value that is safe to keep, or in a 4xx."""

import asyncio
import json
import math
import re
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NoReturn

from aiohttp import web

from bot.errors import InputError
from bot.schedule.zones import zone_of
from bot.text.clean import clean
from channels.web.errors import ApiError, bad_request

MAX_ID_CHARS = 128
MAX_KEY_CHARS = 255
MAX_TEXT_CHARS = 100_000
MAX_INT = 2**63 - 1  # what a column holds
BODY_LIMIT_S = 30.0

_TURN_ID = re.compile(r"turn-[0-9a-f]{8,64}")
_EVENT_ID = re.compile(r"[0-9]{1,12}-[0-9a-z]{1,12}")
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"})

Json = Mapping[str, Any]


async def read_json(request: web.Request, max_bytes: int) -> Json:
    """The body, a JSON object; 400, 408, 413 or 415 where it is none."""
    _check_type(request)
    body = await read_body(request, max_bytes)
    try:
        value = json.loads(body, parse_constant=_no_constant, parse_float=_finite)
    except RecursionError:
        raise bad_request("the body is nested too deeply") from None
    except ValueError as error:  # UnicodeDecodeError and numbers of thousands of digits are ones, too
        raise bad_request(f"the body is not JSON: {_reason(error)}") from None
    if not isinstance(value, dict):
        raise bad_request("the body must be a JSON object")
    return value


async def read_body(request: web.Request, max_bytes: int) -> bytes:
    """The bytes of the body; 413 as soon as they are known to be too many, 408 when they don't come."""
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise ApiError(415, "unsupported_media_type", "a compressed body is not understood")
    if (request.content_length or 0) > max_bytes:
        raise _too_large(max_bytes)
    try:
        async with asyncio.timeout(BODY_LIMIT_S):
            return await request.read()
    except web.HTTPRequestEntityTooLarge:
        raise _too_large(max_bytes) from None
    except TimeoutError:
        raise ApiError(408, "timeout", "the body did not come in time") from None
    except (ConnectionError, web.RequestPayloadError):  # for the log of nobody: there is no one to answer
        raise bad_request("the body broke off") from None


def text_field(body: Json, name: str) -> str:
    """A text for people: cleaned of control characters, with something to be seen in it."""
    value = body.get(name)
    if not isinstance(value, str):
        raise _wrong_type(body, name, "a text")
    return checked_text(value, name)


def checked_text(value: str, name: str) -> str:
    """`value` made safe to keep; 400 if nothing is left to be seen, or it is too long."""
    if len(value) > MAX_TEXT_CHARS:
        raise bad_request(f"{name} is longer than {MAX_TEXT_CHARS} characters", name)
    text = clean(value)
    if not any(unicodedata.category(char) not in _INVISIBLE for char in text):
        raise bad_request(f"{name} is empty", name)
    return text


def optional_text(body: Json, name: str) -> str | None:
    """`text_field`, or None where the field is absent or null."""
    return None if body.get(name) is None else text_field(body, name)


def zone_field(body: Json) -> str:
    """The time zone of a client's device; "" where it tells none, and for one that is not known here."""
    name = optional_text(body, "tz")
    try:
        return name if name and zone_of(name) else ""
    except InputError:
        return ""


def id_field(body: Json, name: str) -> str:
    """The id that a client gives to a session, a person or a message."""
    value = body.get(name)
    if not isinstance(value, str):
        raise _wrong_type(body, name, "a text")
    return checked_id(value, name)


def optional_id(body: Json, name: str) -> str | None:
    """`id_field`, or None where the field is absent or null."""
    return None if body.get(name) is None else id_field(body, name)


def checked_id(value: str, name: str, max_chars: int = MAX_ID_CHARS) -> str:
    """An id of 1 to `max_chars` printable characters, without a space at either end."""
    if not value:
        raise bad_request(f"{name} is empty", name)
    if len(value) > max_chars:
        raise bad_request(f"{name} is longer than {max_chars} characters", name)
    if not value.isprintable() or value != value.strip() or value in {".", ".."}:
        raise bad_request(f"{name} has characters that an id cannot have", name)
    return value


def flag(body: Json, name: str) -> bool:
    """True or false; false where the field is absent or null."""
    value = body.get(name)
    if value is None:
        return False
    if not isinstance(value, bool):
        raise _wrong_type(body, name, "true or false")
    return value


def idempotency_key(request: web.Request, body: Json) -> str | None:
    """What makes a repeat of this message the same message; None where the client gave nothing."""
    key = request.headers.get("Idempotency-Key")
    if key is not None:
        return checked_id(key, "Idempotency-Key", MAX_KEY_CHARS)
    return optional_id(body, "message_id")


def session_in_path(request: web.Request) -> str:
    """The session id of `/v1/sessions/{id}`."""
    return checked_id(request.match_info["id"], "session_id")


def turn_in_path(request: web.Request) -> str:
    """The turn id of `/v1/turns/{id}`; 404 for what can't be one."""
    value = request.match_info["id"]
    if not _TURN_ID.fullmatch(value):
        raise ApiError(404, "not_found", "there is no such turn")
    return value


def number_in_path(request: web.Request, name: str) -> int:
    """A whole number from 0 in the path; 404 for what is none."""
    value = request.match_info[name]
    if not (value.isascii() and value.isdigit() and len(value) <= 4):
        raise ApiError(404, "not_found", "there is nothing by this number")
    return int(value)


def last_event_id(request: web.Request) -> str:
    """The id of the last event the client has; "" for none. One that is none of ours begins anew."""
    given = request.headers.get("Last-Event-ID") or request.query.get("last_event_id", "")
    return given if not given or _EVENT_ID.fullmatch(given) else "?"


def limit_in_query(request: web.Request, default: int, most: int) -> int:
    """How many items are wanted, `most` at most."""
    return min(int_in_query(request, "limit") or default, most)


def int_in_query(request: web.Request, name: str) -> int | None:
    """A whole number from 1 in the query; None where there is none."""
    given = request.query.get(name)
    if given is None:
        return None
    if not (given.isascii() and given.isdigit() and len(given) <= 19 and 1 <= int(given) <= MAX_INT):
        raise bad_request(f"{name} must be a whole number from 1", name)
    return int(given)


def time_in_query(request: web.Request, name: str) -> datetime | None:
    """A moment in ISO 8601 in the query; None where there is none."""
    given = request.query.get(name)
    if given is None:
        return None
    try:
        moment = datetime.fromisoformat(given)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise bad_request(f"{name} must be a time in ISO 8601", name) from None


def _check_type(request: web.Request) -> None:
    given = request.headers.get("Content-Type")
    if given is None:
        return
    kind = given.partition(";")[0].strip().lower()
    # A page of another origin can send a form or plain text unasked, but none of these.
    if kind not in {"application/json", "application/octet-stream"} and not kind.endswith("+json"):
        raise ApiError(415, "unsupported_media_type", "the body must be application/json")


def _wrong_type(body: Json, name: str, expected: str) -> ApiError:
    if body.get(name) is None:
        return bad_request(f"{name} is missing", name)
    return bad_request(f"{name} must be {expected}", name)


def _too_large(max_bytes: int) -> ApiError:
    return ApiError(413, "too_large", f"the body is larger than {max_bytes} bytes")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")


def _finite(text: str) -> float:
    if math.isinf(value := float(text)):
        raise ValueError(f"{text} is too large")  # and would be written as a constant that is not JSON
    return value


def _reason(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at line {error.lineno}, column {error.colno}"
    return "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else "a number cannot be read"
