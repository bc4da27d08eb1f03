"""Errors in the words of HTTP, and what a request gets when something breaks inside."""

import re
from collections.abc import AsyncGenerator
from pathlib import Path

import aiohttp
import pytest

from bot.domain.message import Reply
from bot.domain.run import RunId
from bot.errors import Conflict, Denied, InputError, NotFound, Unavailable, XiaomaolvError
from bot.turn.streams import Closed, Delta, Started, TurnEvent
from channels.web.errors import ApiError, json_bytes, of_ours
from channels.web.limits import MAX_CALLERS, RateLimit
from tests.builders import WebBot, open_web
from tests.fakes.models import ScriptedModel

ROOT = Path(__file__).resolve().parents[2]
HELLO = {"session_id": "s1", "user_id": "ann", "text": "hello"}
CHAT = {"messages": [{"role": "user", "content": "hello"}], "stream": True}


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (InputError("wrong", field="name"), 400, "bad_request"),
        (NotFound("gone"), 404, "not_found"),
        (Denied("no"), 403, "forbidden"),
        (Conflict("taken"), 409, "conflict"),
        (Unavailable("later", retry_after_s=2.5), 503, "unavailable"),
        (XiaomaolvError("whatever"), 500, "internal"),
    ],
)
def test_an_error_of_a_room_has_its_status(error: XiaomaolvError, status: int, code: str) -> None:
    told = of_ours(error)
    assert (told.status, told.code) == (status, code)
    assert told.field == ("name" if status == 400 else None)
    assert told.headers == ({"Retry-After": "3"} if status == 503 else {})


def test_every_code_stands_in_the_documentation_with_its_status() -> None:
    told = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
    listed = {
        (status, code)
        for status, codes in re.findall(r"^\| ([45]\d\d) \| ([^|]+) \|", told, re.MULTILINE)
        for code in re.findall(r"`([a-z_]+)`", codes)
    }
    used = {
        found
        for path in (ROOT / "channels" / "web").rglob("*.py")
        for found in re.findall(r"\b([45]\d\d)[,:] \"([a-z_]+)\"", path.read_text(encoding="utf-8"))
        if not found[1].endswith("_error")  # the types that OpenAI's clients look at
    }
    assert len(used) > 10
    assert used - listed == set()


def test_half_a_character_of_a_model_is_told_escaped() -> None:
    assert json_bytes({"text": "a\ud83d"}) == b'{"text":"a\\ud83d"}'
    assert json_bytes({"text": "你好"}) == '{"text":"你好"}'.encode()


async def test_a_failure_inside_is_told_without_its_details(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*args: object) -> None:
        raise RuntimeError("secret detail")

    async with open_web() as bot:
        monkeypatch.setattr(bot.core.service, "receive", broken)
        for path, body in [("/v1/messages", HELLO), ("/v1/chat/completions", CHAT)]:
            async with bot.client.post(path, json=body) as answer:
                text = await answer.text()
                assert answer.status == 500
                assert '"code":"internal"' in text
                assert "secret" not in text


async def test_a_store_that_is_closed_asks_for_patience() -> None:
    async with open_web() as bot:
        await bot.core.store.close()
        async with bot.client.get("/v1/sessions") as answer:
            assert answer.status == 503
            assert answer.headers["Retry-After"] == "1"
            assert (await answer.json())["error"]["code"] == "unavailable"


def replay(bot: WebBot, monkeypatch: pytest.MonkeyPatch, *events: TurnEvent | Exception) -> None:
    """Let every turn of `bot` be watched as these events."""

    async def watch(run_id: RunId, *, after: str = "") -> AsyncGenerator[TurnEvent, None]:
        for event in events:
            if isinstance(event, Exception):
                raise event
            yield event

    monkeypatch.setattr(bot.core.service, "watch", watch)


async def test_a_stream_that_breaks_inside_is_cut_so_that_its_reader_comes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with open_web() as bot:
        replay(bot, monkeypatch, Started(RunId("turn-1")), Delta("one", "3-x"), RuntimeError("secret"))
        for path, body in [("/v1/messages", {**HELLO, "stream": True}), ("/v1/chat/completions", CHAT)]:
            async with bot.client.post(path, json=body) as answer:
                assert answer.status == 200
                with pytest.raises(aiohttp.ClientPayloadError):
                    await answer.read()
        assert not bot.channel._connections._streams


async def test_a_client_of_openai_is_told_when_its_answer_began_anew_or_failed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turn, delta = Started(RunId("turn-1")), Delta("one", "3-x")
    failed = Closed(Reply("sorry", "failed", error_code="internal"), "3-end")
    async with open_web(ScriptedModel()) as bot:
        ends: dict[str, TurnEvent] = {
            "stream_broken": Started(RunId("turn-1"), restarted=True),
            "internal": failed,
        }
        for code, end in ends.items():
            replay(bot, monkeypatch, turn, delta, end)
            async with bot.client.post("/v1/chat/completions", json=CHAT) as answer:
                text = await answer.text()
            assert f'"code":"{code}"' in text
            assert "[DONE]" not in text


def test_a_limit_counts_each_caller_by_itself_and_forgets_after_a_minute() -> None:
    now = 0.0
    limit = RateLimit(2, lambda: now)
    for caller in ("a", "b", "a", "b"):
        limit.take(caller)
    with pytest.raises(ApiError) as caught:
        limit.take("a")
    assert caught.value.headers == {"Retry-After": "60"}
    now = 60.0
    limit.take("a")


def test_callers_beyond_the_most_share_one_count() -> None:
    limit = RateLimit(1, lambda: 0.0)
    for number in range(MAX_CALLERS):
        limit.take(str(number))
    limit.take("one more")
    with pytest.raises(ApiError):
        limit.take("and another")
    assert len(limit._counts) == MAX_CALLERS + 1


def test_no_limit_is_no_limit() -> None:
    limit = RateLimit(0, lambda: 0.0)
    for _ in range(1000):
        limit.take("a")
