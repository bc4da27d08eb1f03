"""OpenAI's interface, asked by OpenAI's own client and by hand."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import openai
import pytest
from openai import AsyncOpenAI

from bot.domain.message import Image, Text, TextDelta
from bot.errors import ModelError
from tests.builders import WebBot, open_web
from tests.fakes.models import Beat, ScriptedModel

USER: Any = {"role": "user", "content": "hello"}


@asynccontextmanager
async def openai_client(bot: WebBot, **options: Any) -> AsyncGenerator[AsyncOpenAI]:
    client = AsyncOpenAI(base_url=f"{bot.url}/v1", api_key="any", **{"max_retries": 0, **options})
    async with client:
        yield client


async def test_a_completion_is_answered_in_the_format_of_openai() -> None:
    async with open_web(ScriptedModel("Hi there")) as bot, openai_client(bot) as client:
        completion = await client.chat.completions.create(model="xiaomaolv", messages=[USER])
    assert completion.object == "chat.completion"
    assert completion.model == "xiaomaolv"
    assert completion.choices[0].message.content == "Hi there"
    assert completion.choices[0].finish_reason == "stop"
    assert completion.usage is not None
    assert (completion.usage.prompt_tokens, completion.usage.completion_tokens) == (7, 2)


async def test_a_streamed_completion_ends_with_its_reason_and_the_usage_that_was_asked_for() -> None:
    async with open_web(ScriptedModel("Hi there, Ann")) as bot, openai_client(bot) as client:
        stream = await client.chat.completions.create(
            model="xiaomaolv",
            messages=[USER],
            stream=True,
            stream_options={"include_usage": True},
        )
        chunks = [chunk async for chunk in stream]
    assert [chunk.usage for chunk in chunks[:-1]] == [None] * (len(chunks) - 1)
    assert all("usage" in chunk.model_fields_set for chunk in chunks)
    assert chunks[0].choices[0].delta.role == "assistant"
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text == "Hi there, Ann"
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-1].choices == []
    assert chunks[-1].usage is not None
    assert chunks[-1].usage.total_tokens == 10
    assert len({chunk.id for chunk in chunks}) == 1


async def test_the_raw_stream_ends_with_done_and_has_no_usage_unasked() -> None:
    async with open_web() as bot:
        body = {"messages": [USER], "stream": True}
        async with bot.client.post("/v1/chat/completions", json=body) as answer:
            text = await answer.text()
    assert text.endswith("data: [DONE]\n\n")
    assert '"usage"' not in text


async def test_models_are_listed_and_found() -> None:
    async with open_web() as bot, openai_client(bot) as client:
        assert [model.id async for model in client.models.list()] == ["xiaomaolv"]
        assert (await client.models.retrieve("xiaomaolv")).id == "xiaomaolv"
        with pytest.raises(openai.NotFoundError):
            await client.models.retrieve("gpt-4o")


async def test_another_model_is_not_found() -> None:
    async with open_web() as bot, openai_client(bot) as client:
        with pytest.raises(openai.NotFoundError) as caught:
            await client.chat.completions.create(model="gpt-4o", messages=[USER])
    assert caught.value.code == "model_not_found"
    assert caught.value.param == "model"
    assert caught.value.type == "invalid_request_error"


async def test_without_a_session_the_given_messages_are_the_context_and_nothing_is_kept() -> None:
    model = ScriptedModel()
    given = [
        {"role": "system", "content": "Talk like a pirate."},
        {"role": "user", "content": "one"},
        {"role": "assistant", "content": "Aye"},
        {"role": "user", "content": [{"type": "text", "text": "two"}]},
    ]
    async with open_web(model) as bot:
        async with bot.client.post("/v1/chat/completions", json={"messages": given}) as answer:
            assert answer.status == 200
        async with bot.client.get("/v1/sessions") as answer:
            assert (await answer.json())["sessions"] == []
    asked = [(message.role, message.text) for message in model.requests[0].messages[1:]]
    assert asked == [
        ("system", "Talk like a pirate."),
        ("user", "one"),
        ("assistant", "Aye"),
        ("user", "two"),
    ]


async def test_what_stands_after_the_last_message_of_the_user_reaches_the_model_in_its_place() -> None:
    model = ScriptedModel()
    given = [
        {"role": "user", "content": "Write a haiku."},
        {"role": "system", "content": "Answer in French."},
        {"role": "assistant", "content": ""},
        {"role": "assistant", "content": "Le vieil étang,"},
    ]
    async with open_web(model) as bot:
        async with bot.client.post("/v1/chat/completions", json={"messages": given}) as answer:
            assert answer.status == 200
        body = {"messages": given, "session_id": "s1"}
        async with bot.client.post("/v1/chat/completions", json=body) as answer:
            assert answer.status == 200
    alone, in_session = (
        [(message.role, message.text) for message in asked.messages[1:]] for asked in model.requests
    )
    assert alone == [
        ("user", "Write a haiku."),
        ("system", "Answer in French."),
        ("assistant", "Le vieil étang,"),
    ]
    assert in_session == [("user", "Write a haiku.")]


@pytest.mark.parametrize("place", ["body", "header"])
async def test_with_a_session_only_the_last_message_of_the_user_is_taken(place: str) -> None:
    model = ScriptedModel("First", "Second")
    headers = {"X-Session-Id": "s1"} if place == "header" else {}
    extra = {"session_id": "s1"} if place == "body" else {}
    async with open_web(model) as bot, openai_client(bot, default_headers=headers) as client:
        for text in ("one", "two"):
            messages: Any = [{"role": "user", "content": "not this"}, {"role": "user", "content": text}]
            await client.chat.completions.create(
                model="xiaomaolv", messages=messages, user="ann", extra_body=extra
            )
        async with bot.client.get("/v1/sessions/s1") as answer:
            assert (await answer.json())["message_count"] == 4
    assert [message.text for message in model.requests[1].messages[1:]] == ["one", "First", "two"]


async def test_the_result_of_a_tool_of_the_client_is_what_is_answered() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
    result = {"role": "tool", "tool_call_id": "c1", "content": "21 degrees"}
    given: Any = [USER, {"role": "assistant", "content": None, "tool_calls": [call]}, result]
    model = ScriptedModel()
    async with open_web(model) as bot, openai_client(bot) as client:
        await client.chat.completions.create(model="xiaomaolv", messages=given)
        await client.chat.completions.create(
            model="xiaomaolv", messages=given, extra_body={"session_id": "s1"}
        )
    alone, in_session = ([message.text for message in asked.messages[1:]] for asked in model.requests)
    assert alone == [USER["content"], "21 degrees"]
    assert in_session == [USER["content"]]


async def test_a_picture_reaches_the_model() -> None:
    model = ScriptedModel()
    content = [
        {"type": "text", "text": "what is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
    ]
    async with open_web(model) as bot:
        body = {"messages": [{"role": "user", "content": content}]}
        async with bot.client.post("/v1/chat/completions", json=body) as answer:
            assert answer.status == 200
    assert model.requests[0].messages[-1].parts == (
        Text("what is this?"),
        Image("data:image/png;base64,AAAA"),
    )


async def test_a_stream_that_fails_before_a_word_fails_by_its_status() -> None:
    async with (
        open_web(ScriptedModel(ModelError("unavailable", "scripted"))) as bot,
        openai_client(bot) as client,
    ):
        with pytest.raises(openai.InternalServerError) as caught:
            await client.chat.completions.create(model="xiaomaolv", messages=[USER], stream=True)
    assert caught.value.status_code == 503
    assert caught.value.code == "unavailable"


async def test_a_stream_that_breaks_after_words_ends_as_cut_off() -> None:
    answer: list[Beat] = [TextDelta("one "), ModelError("stream_broken", "scripted")]
    async with open_web(ScriptedModel(answer)) as bot, openai_client(bot) as client:
        stream = await client.chat.completions.create(model="xiaomaolv", messages=[USER], stream=True)
        chunks = [chunk async for chunk in stream]
    assert chunks[-1].choices[0].finish_reason == "length"


async def test_a_client_that_leaves_does_not_end_the_turn() -> None:
    never = asyncio.Event()
    model = ScriptedModel([TextDelta("one "), never])
    async with open_web(model) as bot:
        body = {"messages": [USER], "stream": True}
        response = await bot.client.post("/v1/chat/completions", json=body)
        await response.content.readuntil(b"one ")
        response.close()
        assert model.active == 1


WRONG: tuple[tuple[dict[str, Any], str], ...] = (
    ({"messages": None}, "messages"),
    ({"messages": []}, "messages"),
    ({"messages": "hello"}, "messages"),
    ({"messages": [7]}, "messages[0]"),
    ({"messages": [{"role": "user"}]}, "messages[0].content"),
    ({"messages": [{"role": "user", "content": " "}]}, "messages[0].content"),
    ({"messages": [{"role": "user", "content": 7}]}, "messages[0].content"),
    ({"messages": [{"role": "king", "content": "x"}]}, "messages[0].role"),
    ({"messages": [{"role": [], "content": "x"}]}, "messages[0].role"),
    ({"messages": [{"role": "user", "content": "x", "name": 7}]}, "messages[0].name"),
    ({"messages": [{"role": "assistant", "content": "x"}]}, "messages"),
    ({"messages": [{"role": "user", "content": [{"type": "input_audio"}]}]}, "messages[0].content[0]"),
    ({"messages": [{"role": "user", "content": [None]}]}, "messages[0].content[0]"),
    (
        {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": "file:///etc"}]}]},
        "messages[0].content[0]",
    ),
    ({"messages": [USER] * 2001}, "messages"),
    ({"model": 7}, "model"),
    ({"n": 2}, "n"),
    ({"n": [1]}, "n"),
    ({"stream": "yes"}, "stream"),
    ({"stream_options": 1}, "stream_options"),
    ({"stream_options": {"include_usage": 1}}, "stream_options.include_usage"),
    ({"user": 7}, "user"),
    ({"session_id": ""}, "session_id"),
)


async def test_a_wrong_request_names_its_wrong_field() -> None:
    async with open_web() as bot:
        for changes, field in WRONG:
            body = {"model": "xiaomaolv", "messages": [USER], **changes}
            async with bot.client.post("/v1/chat/completions", json=body) as answer:
                told = (await answer.json())["error"]
            assert answer.status == 400, changes
            assert (told["field"], told["param"]) == (field, field)
            assert told["type"] == "invalid_request_error"


async def test_messages_of_tools_and_empty_ones_are_taken_as_context() -> None:
    model = ScriptedModel()
    given = [
        {"role": "user", "content": "weather?"},
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "tool", "content": "rain", "tool_call_id": "1"},
        {"role": "user", "content": "thanks"},
    ]
    async with (
        open_web(model) as bot,
        bot.client.post("/v1/chat/completions", json={"messages": given}) as answer,
    ):
        assert answer.status == 200
    assert [message.text for message in model.requests[0].messages[1:]] == ["weather?", "rain", "thanks"]
