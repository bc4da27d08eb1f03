"""A person's memory over HTTP: look, search, correct, pause, export, forget, and only one's own."""

import json

from tests.builders import WebBot, open_web
from tests.web.test_sessions import get


async def say(bot: WebBot, session: str, user: str, text: str) -> None:
    body = {"session_id": session, "user_id": user, "text": text}
    async with bot.client.post("/v1/messages", json=body) as answer:
        assert answer.status == 200


async def texts(bot: WebBot, session: str, **query: str) -> list[str]:
    told = await get(bot, "/v1/memory", session_id=session, **query)
    return [memory["text"] for memory in told["memories"]]


async def test_a_speaker_sees_and_finds_their_own_and_nobody_elses() -> None:
    async with open_web(remembers=True) as bot:
        await say(bot, "a", "ann", "my parrot talks of quetzalcoatlus")
        await say(bot, "b", "ben", "my bicycle is green")
        assert "my parrot talks of quetzalcoatlus" in await texts(bot, "a")
        assert (await texts(bot, "a", q="parrot"))[0] == "my parrot talks of quetzalcoatlus"
        assert not any("quetzalcoatlus" in text for text in await texts(bot, "b"))
        assert await texts(bot, "b", q="quetzalcoatlus") == []
        async with bot.client.get("/v1/memory/export", params={"session_id": "a"}) as answer:
            records = [json.loads(line) for line in (await answer.text()).splitlines()]
        assert records[0]["text"] == "my parrot talks of quetzalcoatlus"
        assert not any("bicycle" in record["text"] for record in records)


async def test_one_that_is_forgotten_is_gone_with_its_message_and_a_strangers_stays() -> None:
    async with open_web(remembers=True) as bot:
        await say(bot, "a", "ann", "my parrot talks of quetzalcoatlus")
        await say(bot, "b", "ben", "my bicycle is green")
        told = await get(bot, "/v1/memory", session_id="a", q="parrot")
        number = told["memories"][0]["id"]
        async with bot.client.delete(f"/v1/memory/{number}", params={"session_id": "b"}) as answer:
            assert answer.status == 404
        assert "my parrot talks of quetzalcoatlus" in await texts(bot, "a")
        async with bot.client.delete(f"/v1/memory/{number}", params={"session_id": "a"}) as answer:
            assert answer.status == 204
        assert await texts(bot, "a") == []
        assert (await get(bot, "/v1/sessions/a/messages"))["messages"] == []
        async with bot.client.delete(f"/v1/memory/{number}") as answer:
            assert answer.status == 404
        assert "my bicycle is green" in await texts(bot, "b")


async def test_a_correction_takes_the_place_and_a_secret_is_refused_whole() -> None:
    async with open_web(remembers=True) as bot:
        await say(bot, "a", "ann", "my parrot is called Polly")
        number = (await get(bot, "/v1/memory", session_id="a", q="parrot"))["memories"][0]["id"]
        body = {"text": "my parrot is called Molly"}
        async with bot.client.post(f"/v1/memory/{number}?session_id=a", json=body) as answer:
            assert answer.status == 200
            assert (await answer.json())["text"] == "my parrot is called Molly"
        assert "my parrot is called Molly" in await texts(bot, "a")
        async with bot.client.post(f"/v1/memory/{number}?session_id=a", json=body) as answer:
            assert answer.status == 404


async def test_while_paused_nothing_new_is_remembered() -> None:
    async with open_web(remembers=True) as bot:
        await say(bot, "a", "ann", "my parrot is called Polly")
        async with bot.client.post("/v1/memory/pause?session_id=a", json={"paused": True}) as answer:
            assert await answer.json() == {"paused": True}
        await say(bot, "a", "ann", "my bicycle is green")
        told = await get(bot, "/v1/memory", session_id="a")
        assert told["paused"] is True
        assert not any("bicycle" in memory["text"] for memory in told["memories"])


async def test_requests_without_a_session_or_with_no_number_are_refused() -> None:
    async with open_web(remembers=True) as bot:
        for path, status in (("/v1/memory", 400), ("/v1/memory?session_id=nobody", 404)):
            async with bot.client.get(path) as answer:
                assert answer.status == status
        for number in ("x", "-1", "9" * 30, "1"):
            async with bot.client.delete(f"/v1/memory/{number}") as answer:
                assert answer.status == 404


async def test_a_person_sees_what_they_said_in_every_session_without_naming_one() -> None:
    async with open_web(remembers=True) as bot:
        await say(bot, "a", "ann", "my parrot is called Polly")
        await say(bot, "b", "ann", "my bicycle is green")
        await say(bot, "c", "ben", "my parrot is called Quetzal")
        told = await get(bot, "/v1/memory", user_id="ann")
        found = [memory["text"] for memory in told["memories"] if memory["role"] == "user"]
        assert found == ["my bicycle is green", "my parrot is called Polly"]
        hits = (await get(bot, "/v1/memory", user_id="ann", q="parrot"))["memories"]
        assert not any("Quetzal" in memory["text"] for memory in hits)
        async with bot.client.delete(f"/v1/memory/{hits[0]['id']}", params={"user_id": "ben"}) as answer:
            assert answer.status == 404
        assert (await get(bot, "/v1/memory", user_id="nobody"))["memories"] == []
