import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.models.failures import event_failure, http_failure, redact, refused_parameter, retry_after

NOW = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
KEY = "my-very-own-key"


def failed(status: int, body: Any = "", headers: dict[str, str] | None = None) -> Any:
    content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    return http_failure("acme", status, content, headers or {}, KEY, NOW)


def said(message: str, code: str | None = None) -> dict[str, Any]:
    return {"error": {"message": message, "code": code}}


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (401, said("bad key"), "auth_failed"),
        (403, "", "auth_failed"),
        (402, "", "auth_failed"),
        (429, said("quota", "insufficient_quota"), "auth_failed"),
        (429, said("slow down"), "rate_limited"),
        (400, said("no such tool"), "bad_request"),
        (404, said("no such model"), "bad_request"),
        (400, said("This model's maximum context length is 8192 tokens."), "context_too_long"),
        (400, said("x", "context_length_exceeded"), "context_too_long"),
        (400, said("the request exceeds the available context size", "x"), "context_too_long"),
        (400, {"error": {"type": "exceed_context_size_error"}}, "context_too_long"),
        (400, said("prompt is too long: 210000 tokens"), "context_too_long"),
        (422, {"detail": [{"msg": "input too long"}]}, "context_too_long"),
        (413, "", "context_too_long"),
        (408, "", "timeout"),
        (504, "<html>Gateway</html>", "timeout"),
        (500, "oops", "unavailable"),
        (503, "", "unavailable"),
        (529, said("overloaded"), "unavailable"),
        (409, "", "unavailable"),
        (302, "", "unavailable"),
    ],
)
def test_each_status_becomes_one_of_our_codes(status: int, body: Any, code: str) -> None:
    assert failed(status, body).code == code


@pytest.mark.parametrize(
    ("headers", "body", "wait"),
    [
        ({"retry-after": "7"}, None, 7),
        ({"retry-after": "1.5"}, None, 1.5),
        ({"retry-after-ms": "250"}, None, 0.25),
        ({"retry-after": "7", "retry-after-ms": "250"}, None, 0.25),
        ({"retry-after": "Thu, 01 Jan 2026 12:00:30 GMT"}, None, 30),
        ({"retry-after": "Thu, 01 Jan 2026 11:00:00 GMT"}, None, 0),
        ({"retry-after": "-3"}, None, 0),
        ({"retry-after": "soon"}, None, None),
        ({"retry-after": "inf"}, None, None),
        ({}, {"error": {"retry_after": 3}}, 3),
        ({}, {"retry_after": 4}, 4),
        ({}, said("Please try again in 2.5s."), 2.5),
        ({}, said("Please try again in 120ms."), 0.12),
        ({}, said("Please retry after 2 minutes."), 120),
        ({}, {"error": {"details": [{"retryDelay": "17s"}]}}, 17),
        ({}, said("no wish"), None),
    ],
)
@pytest.mark.pain("40")
def test_the_wish_when_to_ask_again_is_found(headers: dict[str, str], body: Any, wait: float | None) -> None:
    assert retry_after(headers, body, NOW) == (pytest.approx(wait) if wait is not None else None)


@pytest.mark.pain("62")
def test_a_key_that_the_provider_echoes_is_never_shown() -> None:
    error = failed(401, said(f"Incorrect API key provided: {KEY}. Also sk-abc***wxyz and Bearer abc.def"))
    assert KEY not in str(error)
    assert "wxyz" not in str(error)
    assert "abc.def" not in str(error)
    assert redact("see https://user:pw@host/path?token=abc&x=y", "") == "see https://***host/path?***&***"


@pytest.mark.pain("9")
def test_messages_are_one_short_line() -> None:
    error = failed(500, "<html>\n" + "word\n" * 1000)
    assert "\n" not in error.message
    assert len(error.message) < 250


def test_an_error_object_in_the_stream_is_read_like_a_status() -> None:
    assert event_failure("acme", said("Rate limit reached"), KEY, NOW).code == "rate_limited"
    assert event_failure("acme", {"error": {"code": 401, "message": "no"}}, KEY, NOW).code == "auth_failed"
    assert event_failure("acme", {"error": "internal"}, KEY, NOW).code == "unavailable"
    assert event_failure("acme", said("maximum context length"), KEY, NOW).code == "context_too_long"


def test_the_refused_parameter_is_found_by_its_name() -> None:
    sent = {"max_tokens": 1, "stream_options": {}}
    assert refused_parameter("Unknown parameter: 'stream_options'.", sent) == "stream_options"
    assert refused_parameter("max_tokens is not supported, use max_completion_tokens", sent) == "max_tokens"
    assert refused_parameter("stream_options are fine", sent) is None
    assert refused_parameter("Unknown parameter: 'foo'.", sent) is None


JSON = st.recursive(
    st.none() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["error", "message", "code", "details", "retryDelay", "detail"]), inner
        )
    ),
    max_leaves=8,
)


@given(st.integers(300, 599), JSON, st.text(max_size=20))
def test_no_shape_of_an_error_raises(status: int, body: Any, header: str) -> None:
    failed(status, body, {"retry-after": header})
    event_failure("acme", {"error": body}, KEY, NOW)
