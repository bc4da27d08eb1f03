"""Conversations over HTTP: list, read, delete, page by page."""

import asyncio
from typing import Any

from yarl import URL

from bot.domain.message import Finished, TextDelta
from tests.builders import WebBot, open_web
from tests.fakes.models import ScriptedModel


async def say(bot: WebBot, session: str, text: str) -> None:
    body = {"session_id": session, "user_id": "ann", "text": text}
    async with bot.client.post("/v1/messages", json=body) as answer:
        assert answer.status == 200


async def get(bot: WebBot, path: str, **query: Any) -> Any:
    async with bot.client.get(path, params=query) as answer:
        assert answer.status == 200
        return await answer.json()


async def test_sessions_are_listed_newest_first_page_by_page() -> None:
    async with open_web() as bot:
        for name in ("a", "b", "c"):
            await say(bot, name, f"hello {name}")
        first = await get(bot, "/v1/sessions", limit=2)
        second = await get(bot, "/v1/sessions", limit=2, before=first["next"])
    assert [session["id"] for session in first["sessions"]] == ["c", "b"]
    assert [session["id"] for session in second["sessions"]] == ["a"]
    assert "next" not in second
    newest = first["sessions"][0]
    assert newest["title"] == "hello c"
    assert newest["message_count"] == 2
    assert newest["created_at"].endswith("Z")
    assert newest["created_at"] <= newest["updated_at"]


async def test_messages_are_read_back_oldest_first_page_by_page() -> None:
    async with open_web(ScriptedModel("A", "B")) as bot:
        await say(bot, "s", "one")
        await say(bot, "s", "two")
        last = await get(bot, "/v1/sessions/s/messages", limit=3)
        before = await get(bot, "/v1/sessions/s/messages", limit=3, before=last["next"])
    assert [(m["role"], m["text"]) for m in last["messages"]] == [
        ("assistant", "A"),
        ("user", "two"),
        ("assistant", "B"),
    ]
    assert [m["text"] for m in before["messages"]] == ["one"]
    assert "next" not in before
    assert last["messages"][1]["turn_id"] == last["messages"][2]["turn_id"]
    assert {m["status"] for m in last["messages"]} == {"complete"}


async def test_a_message_that_waits_for_its_answer_is_pending_and_its_turn_is_named() -> None:
    go_on = asyncio.Event()
    model = ScriptedModel([TextDelta("wait"), go_on, Finished("stop", "scripted", "test")])
    async with open_web(model) as bot, asyncio.TaskGroup() as group:
        group.create_task(say(bot, "s", "hello"))
        await model.until_asked()
        session = await get(bot, "/v1/sessions/s")
        messages = (await get(bot, "/v1/sessions/s/messages"))["messages"]
        go_on.set()
    assert session["running_turn"] == messages[0]["turn_id"]
    assert [message["status"] for message in messages] == ["pending"]


async def test_a_deleted_session_is_gone_with_its_messages() -> None:
    async with open_web() as bot:
        await say(bot, "s", "hello")
        async with bot.client.delete("/v1/sessions/s") as answer:
            assert answer.status == 204
        for method, path in [("GET", ""), ("DELETE", ""), ("GET", "/messages")]:
            async with bot.client.request(method, f"/v1/sessions/s{path}") as answer:
                assert answer.status == 404
        assert (await get(bot, "/v1/sessions"))["sessions"] == []


async def test_deleting_a_session_ends_the_answer_that_is_written_in_it() -> None:
    model = ScriptedModel([TextDelta("wait"), asyncio.Event()])
    body = {"session_id": "s", "user_id": "ann", "text": "hello"}
    async with open_web(model) as bot, asyncio.TaskGroup() as group:
        waiting = group.create_task(bot.client.post("/v1/messages", json=body))
        await model.until_asked()
        async with bot.client.delete("/v1/sessions/s") as answer:
            assert answer.status == 204
        async with await waiting as answer:
            assert (await answer.json())["status"] == "stopped"


async def test_an_answer_does_not_go_on_in_a_session_that_is_deleted() -> None:
    halfway = asyncio.Event()
    model = ScriptedModel([TextDelta("wait"), halfway, TextDelta("more"), asyncio.Event()])
    body = {"session_id": "s", "user_id": "ann", "text": "hello", "stream": True}
    async with open_web(model) as bot, bot.client.post("/v1/messages", json=body) as stream:
        await stream.content.readuntil(b"wait")
        async with bot.client.delete("/v1/sessions/s") as answer:
            assert answer.status == 204
        halfway.set()
        rest = await stream.content.read()
        assert b"more" not in rest
        assert b'"status":"stopped"' in rest
        assert model.active == 0


async def test_what_was_said_in_a_deleted_session_can_be_read_nowhere() -> None:
    body = {"session_id": "s", "user_id": "ann", "text": "hello"}
    async with open_web() as bot:
        async with bot.client.post("/v1/messages", json=body) as answer:
            turn_id = (await answer.json())["turn_id"]
        async with bot.client.delete("/v1/sessions/s") as answer:
            assert answer.status == 204
        for path in (f"/v1/turns/{turn_id}", f"/v1/turns/{turn_id}/events"):
            async with bot.client.get(path) as answer:
                assert answer.status == 404
                assert (await answer.json())["error"]["code"] == "not_found"


async def test_words_that_were_forgotten_are_not_streamed_again() -> None:
    body = {"session_id": "s", "user_id": "ann", "text": "my secret is plum"}
    async with open_web(remembers=True) as bot:
        async with bot.client.post("/v1/messages", json=body) as answer:
            turn_id = (await answer.json())["turn_id"]
        kept = (await get(bot, "/v1/memory?session_id=s"))["memories"]
        async with bot.client.delete(f"/v1/memory/{kept[0]['id']}") as answer:
            assert answer.status == 204
        async with bot.client.get(f"/v1/turns/{turn_id}/events") as answer:
            assert answer.status == 200
            assert "plum" not in await answer.text()


async def test_ids_with_signs_of_addresses_in_them_are_found_again() -> None:
    names = ["a/b", "50%", "a#b?c=d&e", "测试 会话", "ann@example.org", "%2F", "🦊"]
    async with open_web() as bot:
        for name in names:
            await say(bot, name, f"this is {name}")
        listed = [session["id"] for session in (await get(bot, "/v1/sessions"))["sessions"]]
        assert sorted(listed) == sorted(names)
        for name in names:
            quoted = "".join(f"%{byte:02X}" for byte in name.encode())
            async with bot.client.get(URL(f"{bot.url}/v1/sessions/{quoted}", encoded=True)) as answer:
                assert (await answer.json())["title"] == f"this is {name}"


async def test_a_second_speaker_in_a_session_is_told_apart_by_name() -> None:
    async with open_web() as bot:
        body = {"model": "xiaomaolv", "session_id": "s", "user": "ben"}
        message = {"role": "user", "name": "Ben", "content": "hello"}
        async with bot.client.post("/v1/chat/completions", json={**body, "messages": [message]}) as answer:
            assert answer.status == 200
        messages = (await get(bot, "/v1/sessions/s/messages"))["messages"]
    assert messages[0]["name"] == "Ben"
