"""Streams that break: a reader goes on from the last event it has, and misses or repeats nothing."""

import asyncio
import json
import socket
from pathlib import Path

import aiohttp
import pytest

from bot.domain.message import Finished, TextDelta
from tests.builders import WebBot, open_web
from tests.fakes.clock import ManualClock
from tests.fakes.models import ScriptedModel
from tests.web.raw import request_bytes
from tests.web.sse import Event, read_events

HELLO = {"session_id": "s1", "user_id": "ann", "text": "hello", "stream": True}
END = Finished("stop", "scripted", "test")


def text_of(events: list[Event]) -> str:
    return "".join(event.data["text"] for event in events if event.name == "delta")


async def read_until(response: aiohttp.ClientResponse, text: str) -> list[Event]:
    """Read until the answer so far is `text`."""
    events = []
    async for event in read_events(response):
        events.append(event)
        if text_of(events) == text:
            return events
    raise AssertionError(f"the stream ended with {text_of(events)!r}")


async def resumed(bot: WebBot, turn_id: str, after: str) -> list[Event]:
    headers = {"Last-Event-ID": after}
    async with bot.client.get(f"/v1/turns/{turn_id}/events", headers=headers) as response:
        assert response.status == 200
        return [event async for event in read_events(response)]


@pytest.mark.pain("P137")
async def test_a_reader_that_lost_its_connection_gets_the_rest_and_nothing_twice() -> None:
    go_on = asyncio.Event()
    model = ScriptedModel([
        TextDelta("one "),
        TextDelta("two "),
        go_on,
        TextDelta("three "),
        TextDelta("four"),
        END,
    ])
    async with open_web(model) as bot:
        async with bot.client.post("/v1/messages", json=HELLO) as response:
            first = await read_until(response, "one two ")
        go_on.set()
        rest = await resumed(bot, first[0].data["turn_id"], first[-1].id)
    assert text_of(first) + text_of(rest) == "one two three four"
    assert rest[-1].name == "done"
    assert rest[-1].data["reply"] == "one two three four"
    assert "turn" not in [event.name for event in rest]


async def test_a_reader_without_an_id_gets_everything_from_the_start() -> None:
    async with open_web(ScriptedModel("Hi there")) as bot:
        async with bot.client.post("/v1/messages", json=HELLO) as response:
            first = [event async for event in read_events(response)]
        again = await resumed(bot, first[0].data["turn_id"], "")
    assert text_of(again) == "Hi there"
    assert [again[0].name, again[-1].name] == ["turn", "done"]


async def test_the_last_event_id_may_stand_in_the_query() -> None:
    async with open_web(ScriptedModel("Hi there")) as bot:
        async with bot.client.post("/v1/messages", json=HELLO) as response:
            first = [event async for event in read_events(response)]
        query = {"last_event_id": first[-1].id}
        url = f"/v1/turns/{first[0].data['turn_id']}/events"
        async with bot.client.get(url, params=query) as response:
            assert [event async for event in read_events(response)] == []


async def test_every_place_to_break_a_stream_leaves_an_exact_answer() -> None:
    words = ["The ", "quick 🦊", " jumps", "\n\nover ", "懒狗", "."]
    async with open_web(ScriptedModel([*map(TextDelta, words), END])) as bot:
        async with bot.client.post("/v1/messages", json=HELLO) as response:
            whole = [event async for event in read_events(response)]
        for at in range(1, len(whole)):
            rest = await resumed(bot, whole[0].data["turn_id"], whole[at - 1].id)
            assert text_of(whole[:at]) + text_of(rest) == "".join(words)


@pytest.mark.pain("P137")
async def test_a_stream_goes_on_after_a_restart_of_the_bot(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'bot.db'}"
    never = asyncio.Event()
    async with (
        open_web(ScriptedModel([TextDelta("one "), TextDelta("two "), never]), url=url) as bot,
        bot.client.post("/v1/messages", json=HELLO) as response,
    ):
        first = await read_until(response, "one two ")
    async with open_web(ScriptedModel("one two three"), url=url) as bot:
        rest = await resumed(bot, first[0].data["turn_id"], first[-1].id)
    assert text_of(first) + text_of(rest) == "one two three"
    assert rest[-1].data["reply"] == "one two three"


async def test_a_reader_is_told_to_begin_anew_when_the_answer_became_another_one(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'bot.db'}"
    never = asyncio.Event()
    async with (
        open_web(ScriptedModel([TextDelta("one two"), never]), url=url) as bot,
        bot.client.post("/v1/messages", json=HELLO) as response,
    ):
        first = await read_until(response, "one two")
    async with open_web(ScriptedModel("quite another answer"), url=url) as bot:
        rest = await resumed(bot, first[0].data["turn_id"], first[-1].id)
    assert rest[0].name == "turn"
    assert rest[0].data["restarted"] is True
    assert text_of(rest) == "quite another answer"


async def test_an_answer_of_before_the_restart_can_still_be_read(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'bot.db'}"
    async with (
        open_web(ScriptedModel("Hi there"), url=url) as bot,
        bot.client.post("/v1/messages", json=HELLO) as response,
    ):
        first = [event async for event in read_events(response)]
    async with open_web(url=url) as bot:
        rest = await resumed(bot, first[0].data["turn_id"], first[1].id)
        async with bot.client.get(f"/v1/turns/{first[0].data['turn_id']}") as response:
            turn = await response.json()
    assert rest[-1].data["reply"] == "Hi there"
    assert (turn["status"], turn["reply"], turn["session_id"]) == ("complete", "Hi there", "s1")


async def test_the_turn_goes_on_when_its_reader_leaves(caplog: pytest.LogCaptureFixture) -> None:
    go_on = asyncio.Event()
    async with open_web(ScriptedModel([TextDelta("one "), go_on, TextDelta("two"), END])) as bot:
        response = await bot.client.post("/v1/messages", json=HELLO)
        first = await read_until(response, "one ")
        response.close()
        go_on.set()
        rest = await resumed(bot, first[0].data["turn_id"], "")
    assert rest[-1].data["reply"] == "one two"
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


async def test_a_stopped_turn_ends_with_what_there_is_of_it() -> None:
    never = asyncio.Event()
    async with open_web(ScriptedModel([TextDelta("one "), never])) as bot:
        async with bot.client.post("/v1/messages", json=HELLO) as response:
            first = await read_until(response, "one ")
            turn_id = first[0].data["turn_id"]
            async with bot.client.post(f"/v1/turns/{turn_id}/stop") as stopped:
                assert stopped.status == 202
            rest = [event async for event in read_events(response)]
        async with bot.client.post(f"/v1/turns/{turn_id}/stop") as stopped:
            assert await stopped.json() == {"turn_id": turn_id, "stopping": False}
    assert rest[-1].name == "done"
    assert rest[-1].data["status"] == "stopped"
    assert rest[-1].data["reply"].startswith("one ")


async def test_a_turn_that_waits_for_its_place_can_be_stopped() -> None:
    go_on = asyncio.Event()
    model = ScriptedModel([TextDelta("first"), go_on, END], "second")
    async with open_web(model) as bot:
        running = await bot.client.post("/v1/messages", json=HELLO)
        await read_until(running, "first")
        waiting = await bot.client.post("/v1/messages", json={**HELLO, "text": "more"})
        events = read_events(waiting)
        turn_id = (await anext(events)).data["turn_id"]
        async with bot.client.get(f"/v1/turns/{turn_id}") as answer:
            assert (await answer.json())["status"] == "running"
        async with bot.client.post(f"/v1/turns/{turn_id}/stop") as stopped:
            assert stopped.status == 202
        go_on.set()
        rest = [event async for event in events]
        running.close()
    assert rest[-1].data["status"] == "stopped"


async def test_the_end_of_the_process_cuts_streams_at_once_and_tells_those_who_wait() -> None:
    never = asyncio.Event()
    model = ScriptedModel([TextDelta("one "), never], [TextDelta("one "), never])
    async with open_web(model) as bot:
        streamed = await bot.client.post("/v1/messages", json=HELLO)
        await read_until(streamed, "one ")
        body = {**HELLO, "session_id": "s2", "stream": False}
        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(bot.client.post("/v1/messages", json=body))
            await model.until_asked(2)
            async with asyncio.timeout(5):
                await bot.channel.aclose()
        assert waiting.result().status == 503
        assert waiting.result().headers["Retry-After"] == "1"
        waiting.result().close()
        with pytest.raises(aiohttp.ClientPayloadError):
            await streamed.content.read()
        streamed.close()


async def test_answers_under_way_are_finished_while_nothing_new_is_taken() -> None:
    go_on = asyncio.Event()
    model = ScriptedModel([TextDelta("one "), go_on, TextDelta("two"), END])
    async with open_web(model) as bot, bot.client.get("/health") as health:
        await health.read()  # a connection that is kept open
        async with bot.client.post("/v1/messages", json=HELLO) as response:
            events = await read_until(response, "one ")
            async with bot.client.get("/health") as other:
                await other.read()
            await bot.channel.stop()
            async with bot.client.post("/v1/messages", json={**HELLO, "text": "late"}) as late:
                assert late.status == 503
            go_on.set()
            events += [event async for event in read_events(response)]
        assert text_of(events) == "one two"
        assert len(model.requests) == 1
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", int(bot.url.rpartition(":")[2]))


@pytest.mark.pain("P139")
async def test_a_silent_stream_beats_so_that_nobody_takes_it_for_dead() -> None:
    never, clock = asyncio.Event(), ManualClock()
    async with (
        open_web(ScriptedModel([TextDelta("one "), never]), web_clock=clock) as bot,
        bot.client.post("/v1/messages", json=HELLO) as response,
    ):
        await read_until(response, "one ")
        for _ in range(2):
            await clock.advance(15)
            async with asyncio.timeout(5):
                assert await response.content.readuntil(b"\n\n") == b": beat\n\n"


async def test_a_reader_that_takes_nothing_is_let_go_and_the_turn_goes_on() -> None:
    never, clock = asyncio.Event(), ManualClock()
    model = ScriptedModel([TextDelta("x" * 8_000_000), never])
    async with open_web(model, web_clock=clock) as bot:
        host = bot.url.removeprefix("http://")
        headers = {"Host": host, "Content-Type": "application/json"}
        data = request_bytes("POST", "/v1/messages", headers, json.dumps(HELLO).encode())
        narrow = socket.socket()
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        narrow.connect(("127.0.0.1", int(host.rpartition(":")[2])))
        reader, writer = await asyncio.open_connection(sock=narrow, limit=1024)
        writer.write(data)
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        async with asyncio.timeout(10):
            while bot.channel._connections._streams:
                await clock.advance(15)
        writer.close()
        assert model.active == 1


async def test_a_last_event_id_of_nowhere_begins_anew() -> None:
    async with open_web(ScriptedModel("Hi there")) as bot:
        async with bot.client.post("/v1/messages", json=HELLO) as response:
            first = [event async for event in read_events(response)]
        for after in ("x", "-", "9" * 5000 + "-a", "5-zz", "٣-x", "12", "1-end-2", "99999-0"):
            rest = await resumed(bot, first[0].data["turn_id"], after)
            assert rest[0].data["restarted"] is True, after
            assert text_of(rest) == "Hi there", after


async def test_an_unknown_turn_is_not_found() -> None:
    async with open_web() as bot:
        for turn_id in ("turn-00000000000000000000", "turn-x", "delivery-0000000000", "%00", "ö", "a/b"):
            for method, path in [("GET", ""), ("GET", "/events"), ("POST", "/stop")]:
                async with bot.client.request(method, f"/v1/turns/{turn_id}{path}") as response:
                    assert response.status == 404, turn_id
                    assert (await response.json())["error"]["code"] == "not_found"
