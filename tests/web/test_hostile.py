"""Whatever comes in ends in an answer: never a 500, never silence."""

import asyncio
import io
import itertools
import json

import pytest

from tests.builders import WebBot, open_web
from tests.web.hostile import RAW_BODIES, RAW_REQUESTS, UNDERSTOOD, HostileRequest, hostile_texts, requests
from tests.web.raw import RawAnswer, exchange, request_bytes

HELLO = {"session_id": "s1", "user_id": "ann", "text": "hello"}
SEED = 2


async def send(bot: WebBot, request: HostileRequest) -> RawAnswer | None:
    host = bot.url.removeprefix("http://")
    headers = {"Host": host, **request.headers}
    data = request_bytes(request.method, request.path, headers, request.body)
    return await exchange(int(host.rpartition(":")[2]), data)


def assert_sane(request: object, answer: RawAnswer | None) -> None:
    assert answer is not None, request
    assert answer.status < 500, (request, answer)
    if answer.status >= 400 and answer.body:
        error = json.loads(answer.body)["error"]
        assert error["code"], request
        assert error["message"], request


async def test_hundreds_of_hostile_requests_are_all_answered(caplog: pytest.LogCaptureFixture) -> None:
    async with open_web() as bot:
        for request in itertools.islice(requests(SEED), 400):
            assert_sane(request, await send(bot, request))
        async with bot.client.post("/v1/messages", json=HELLO) as answer:
            assert answer.status == 200
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


async def test_every_hostile_text_is_answered_or_refused_by_its_field() -> None:
    async with open_web() as bot:
        for text in hostile_texts():
            async with bot.client.post("/v1/messages", json={**HELLO, "text": text}) as answer:
                body = await answer.json()
                assert answer.status in {200, 400}, text
                assert answer.status == 200 or body["error"]["field"] == "text"
        async with bot.client.get("/v1/sessions/s1/messages", params={"limit": 200}) as answer:
            kept = await answer.text()
    for text in ("\\u0000", "\\u001b", "\\ud8"):
        assert text not in kept


NO_IDS: tuple[object, ...] = (
    "",
    " ",
    "a\x00b",
    "a\nb",
    "\ud800",
    "x" * 129,
    " a",
    "..",
    "\u202ea",
    7,
    True,
    [],
    {},
    None,
)
NO_TEXTS: tuple[object, ...] = (7, True, None, [], {}, "", " \n", "\x00\x1b", "\u200b", "x" * 100_001)
NO_FLAGS: tuple[object, ...] = ("true", 1, 0, [], {})


async def test_a_field_that_is_wrong_is_refused_by_its_name() -> None:
    wrong = [("session_id", value) for value in NO_IDS] + [("user_id", value) for value in NO_IDS]
    wrong += [("text", value) for value in NO_TEXTS] + [("stream", value) for value in NO_FLAGS]
    async with open_web() as bot:
        for name, value in wrong:
            async with bot.client.post("/v1/messages", json={**HELLO, name: value}) as answer:
                assert answer.status == 400, (name, value)
                assert (await answer.json())["error"]["field"] == name, value


async def test_a_broken_pair_of_surrogates_is_kept_as_a_replacement() -> None:
    async with open_web() as bot:
        raw = b'{"session_id":"s1","user_id":"ann","text":"a\\ud83d b \\ud83e\\udd8a\\u0000"}'
        headers = {"Content-Type": "application/json"}
        async with bot.client.post("/v1/messages", data=raw, headers=headers) as answer:
            assert answer.status == 200
            assert (await answer.json())["reply"] == "echo: a\ufffd b 🦊"


async def test_a_body_that_is_no_message_is_refused() -> None:
    headers = {"Content-Type": "application/json"}
    async with open_web() as bot:
        for body, path in itertools.product(RAW_BODIES, ("/v1/messages", "/v1/chat/completions")):
            request = HostileRequest("POST", path, headers, body)
            answer = await send(bot, request)
            assert_sane(request, answer)
            assert answer is not None
            # JSON may come in UTF-16 and UTF-32; no other of these is a message.
            understood = path == "/v1/messages" and body in UNDERSTOOD
            assert answer.status == (200 if understood else 400), request


async def test_bytes_that_are_no_request_get_a_refusal_or_a_closed_door() -> None:
    async with open_web() as bot:
        for data in RAW_REQUESTS:
            answer = await exchange(int(bot.url.rpartition(":")[2]), data, hang_up=True)
            if answer is not None:
                assert 400 <= answer.status < 500, data
                assert json.loads(answer.body)["error"]["code"], data
        async with bot.client.get("/health") as health:
            assert health.status == 200


async def test_a_body_of_five_megabytes_is_refused_before_it_is_read() -> None:
    async with open_web() as bot:
        body = json.dumps({**HELLO, "text": "x" * 5_000_000}).encode()
        headers = {"Content-Type": "application/json"}
        async with bot.client.post("/v1/messages", data=io.BytesIO(body), headers=headers) as answer:
            assert answer.status == 413
            assert (await answer.json())["error"]["code"] == "too_large"
        host = bot.url.removeprefix("http://")
        unsent = request_bytes("POST", "/v1/messages", {"Host": host, "Content-Length": "5000000"}, None)
        reader, writer = await asyncio.open_connection("127.0.0.1", int(host.rpartition(":")[2]))
        writer.write(unsent)
        async with asyncio.timeout(10):
            assert (await reader.readline()).startswith(b"HTTP/1.1 413")
        writer.close()


async def test_a_body_in_chunks_is_measured_while_it_comes() -> None:
    async with open_web(max_body_bytes=2048) as bot:
        host = bot.url.removeprefix("http://")
        head = request_bytes("POST", "/v1/messages", {"Host": host, "Transfer-Encoding": "chunked"}, None)
        chunk = b"400\r\n" + b" " * 1024 + b"\r\n"
        answer = await exchange(int(host.rpartition(":")[2]), head + chunk * 50 + b"0\r\n\r\n")
    assert answer is not None
    assert answer.status == 413


async def test_a_body_that_breaks_off_leaves_no_trace_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async with open_web() as bot:
        host = bot.url.removeprefix("http://")
        headers = {"Host": host, "Content-Length": "100"}
        data = request_bytes("POST", "/v1/messages", headers, None) + b'{"session_id'
        for _ in range(3):
            assert await exchange(int(host.rpartition(":")[2]), data, hang_up=True) is None
        async with bot.client.get("/health") as answer:
            assert answer.status == 200
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


async def test_a_compressed_body_or_a_form_is_not_understood() -> None:
    async with open_web() as bot:
        for headers in ({"Content-Encoding": "gzip"}, {"Content-Type": "text/plain"}):
            async with bot.client.post("/v1/messages", data=b"{}", headers=headers) as answer:
                assert answer.status == 415


async def test_a_wrong_parameter_is_named() -> None:
    wrong = {
        "/v1/sessions?limit=0": "limit",
        "/v1/sessions?limit=x": "limit",
        "/v1/sessions?before=yesterday": "before",
        "/v1/sessions?before=9999-12-31T23:59:59-23:59": "before",
        "/v1/sessions/s1/messages?before=99999999999999999999": "before",
        "/v1/sessions/%00": "session_id",
    }
    async with open_web() as bot:
        for path, field in wrong.items():
            async with bot.client.get(path) as answer:
                assert answer.status == 400, path
                assert (await answer.json())["error"]["field"] == field


async def test_a_limit_beyond_the_most_is_brought_into_range() -> None:
    async with open_web() as bot, bot.client.get("/v1/sessions?limit=100000") as answer:
        assert answer.status == 200
