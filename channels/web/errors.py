"""Errors as the HTTP interface tells them: `{"error": {"code", "message", "field"?}}`."""

import json
import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from aiohttp import web

from bot.domain.message import Reply
from bot.errors import Conflict, Denied, InputError, NotFound, Unavailable, XiaomaolvError

# Of the libraries below, and their versions, nobody needs to know.
SERVER = "xiaomaolv"


class ApiError(Exception):
    """A request that is answered with an error. `field` names the part of it that is wrong."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        field: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.field = field
        self.headers = dict(headers or {})


def bad_request(message: str, field: str | None = None) -> ApiError:
    """The request is understood and wrong."""
    return ApiError(400, "bad_request", message, field=field)


def retry_after(seconds: float) -> dict[str, str]:
    """The header that says how long to wait, in whole seconds."""
    return {"Retry-After": str(max(1, math.ceil(seconds)))}


# By the code of a turn that failed: status, and after how many seconds a repeat makes sense.
_FAILURES: Mapping[str, tuple[int, float | None]] = {
    "auth_failed": (502, None),
    "bad_request": (502, None),
    "rate_limited": (503, 20),
    "unavailable": (503, 5),
    "stream_broken": (503, 1),
    "no_model": (503, None),
    "timeout": (504, None),
    "context_too_long": (413, None),
}


def of_reply(reply: Reply) -> ApiError:
    """The error of a turn that failed."""
    code = reply.error_code or "internal"
    status, wait_s = _FAILURES.get(code, (500, None))
    return ApiError(status, code, reply.text, headers=None if wait_s is None else retry_after(wait_s))


def of_ours(error: XiaomaolvError) -> ApiError:
    """The error of a room, in the words of HTTP."""
    match error:
        case InputError():
            return ApiError(400, "bad_request", str(error), field=error.field)
        case NotFound():
            return ApiError(404, "not_found", error.message)
        case Denied():
            return ApiError(403, "forbidden", error.message)
        case Conflict():
            return ApiError(409, "conflict", error.message)
        case Unavailable(retry_after_s=wait_s):
            return ApiError(503, "unavailable", error.message, headers=retry_after(wait_s or 1))
        case _:
            return ApiError(500, "internal", "something went wrong; it is in the log")


_HTTP_CODES: Mapping[int, str] = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    417: "expectation_failed",
}


def of_http(error: web.HTTPException) -> ApiError:
    """The error of aiohttp itself: an unknown route, another method."""
    headers = {"Allow": error.headers["Allow"]} if "Allow" in error.headers else None
    code = _HTTP_CODES.get(error.status, "bad_request" if error.status < 500 else "internal")
    return ApiError(error.status, code, HTTPStatus(error.status).phrase, headers=headers)


# What OpenAI's clients look at to tell errors apart, beside the status.
_OPENAI_TYPES: Mapping[int, str] = {
    401: "authentication_error",
    403: "permission_error",
    429: "rate_limit_error",
}


def body_of(error: ApiError, *, openai: bool = False) -> dict[str, Any]:
    """The JSON of an error; with `openai` it has the fields of OpenAI's errors as well."""
    told: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.field is not None:
        told["field"] = error.field
    if openai:
        kind = "invalid_request_error" if error.status < 500 else "server_error"
        told["type"] = _OPENAI_TYPES.get(error.status, kind)
        told["param"] = error.field
    return {"error": told}


def response_of(error: ApiError, *, openai: bool = False) -> web.Response:
    """The answer that tells an error."""
    return json_response(body_of(error, openai=openai), status=error.status, headers=error.headers)


def json_bytes(value: Any) -> bytes:
    """`value` as JSON. A lone surrogate (models send them split) is escaped, everything else is plain."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()


def json_response(value: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    """A whole answer in JSON."""
    return web.Response(
        body=json_bytes(value),
        status=status,
        headers=headers,
        content_type="application/json",
        charset="utf-8",
    )
