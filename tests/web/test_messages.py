"""`POST /v1/messages`, whole and streamed."""

from bot.errors import ModelError, ModelErrorCode
from tests.builders import open_web
from tests.fakes.models import ScriptedModel
from tests.web.sse import read_events

HELLO = {"session_id": "s1", "user_id": "ann", "text": "hello"}


async def test_a_message_is_answered_with_reply_turn_session_and_usage() -> None:
    async with (
        open_web(ScriptedModel("Hi there")) as bot,
        bot.client.post("/v1/messages", json=HELLO) as answer,
    ):
        body = await answer.json()
    assert answer.status == 200
    turn_id = body.pop("turn_id")
    assert turn_id.startswith("turn-")
    assert body == {
        "reply": "Hi there",
        "session_id": "s1",
        "usage": {"input_tokens": 7, "output_tokens": 2, "total_tokens": 9},
        "status": "complete",
    }


async def test_a_streamed_answer_is_a_turn_its_deltas_and_the_whole_reply_each_with_an_id() -> None:
    async with (
        open_web(ScriptedModel("Hi there, Ann")) as bot,
        bot.client.post("/v1/messages", json={**HELLO, "stream": True}) as answer,
    ):
        events = [event async for event in read_events(answer)]
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    names = [event.name for event in events]
    assert names[0] == "turn"
    assert names[-1] == "done"
    assert set(names[1:-1]) == {"delta"}
    assert all(event.id for event in events)
    assert "".join(event.data["text"] for event in events if event.name == "delta") == "Hi there, Ann"
    assert events[-1].data["reply"] == "Hi there, Ann"
    assert events[-1].data["usage"] == {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10}


async def test_the_history_of_a_session_is_given_to_the_model() -> None:
    model = ScriptedModel("First", "Second")
    async with open_web(model) as bot:
        for text in ("one", "two"):
            async with bot.client.post("/v1/messages", json={**HELLO, "text": text}) as answer:
                assert answer.status == 200
    assert [message.text for message in model.requests[1].messages[1:]] == ["one", "First", "two"]


async def test_a_turn_that_fails_tells_the_status_of_its_failure() -> None:
    expected: dict[ModelErrorCode, int] = {
        "auth_failed": 502,
        "bad_request": 502,
        "rate_limited": 503,
        "unavailable": 503,
        "timeout": 504,
        "context_too_long": 413,
    }
    model = ScriptedModel()
    async with open_web(model) as bot:
        for code, status in expected.items():
            failure = ModelError(code, "scripted")
            model.script(failure, *([failure] if code == "context_too_long" else []))  # it is asked twice
            async with bot.client.post("/v1/messages", json=HELLO) as answer:
                error = (await answer.json())["error"]
            assert (answer.status, error["code"]) == (status, code)
            assert error["message"]
            assert "scripted" not in error["message"]


async def test_a_streamed_turn_that_fails_ends_with_an_error_and_shows_no_text() -> None:
    async with (
        open_web(ScriptedModel(ModelError("unavailable", "scripted"))) as bot,
        bot.client.post("/v1/messages", json={**HELLO, "stream": True}) as answer,
    ):
        events = [event async for event in read_events(answer)]
    assert [event.name for event in events] == ["turn", "error"]
    assert events[-1].data["code"] == "unavailable"


async def test_a_repeat_with_the_same_key_is_the_same_turn() -> None:
    model = ScriptedModel("Once", "Twice")
    async with open_web(model) as bot:
        bodies = []
        for _ in range(2):
            headers = {"Idempotency-Key": "k1"}
            async with bot.client.post("/v1/messages", json=HELLO, headers=headers) as answer:
                bodies.append(await answer.json())
        async with bot.client.post("/v1/messages", json={**HELLO, "message_id": "k1"}) as answer:
            bodies.append(await answer.json())
        other = {**HELLO, "user_id": "ben"}
        async with bot.client.post("/v1/messages", json=other, headers={"Idempotency-Key": "k1"}) as answer:
            bodies.append(await answer.json())
    assert bodies[0] == bodies[1] == bodies[2]
    assert bodies[3]["turn_id"] != bodies[0]["turn_id"]
    assert len(model.requests) == 2
