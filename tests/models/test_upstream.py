import asyncio
import json
import sys
from typing import Any

import pytest

from tests.fakes.upstream import Upstream
from tests.fakes.upstream_rules import Refusal, Rules
from tests.models.asking import model_of, said

USER = {"role": "user", "content": "hi"}


def calling(*calls: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


def call(call_id: str = "a", arguments: str = "{}", name: str = "read") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [{"role": "robot", "content": "hi"}],
        [{"role": "user", "content": None}],
        [{"role": "user", "content": []}],
        [{"role": "assistant", "content": ""}],
        [{"role": "user", "content": "a\ud800"}],
        [{"role": "user", "content": "a\x00"}],
        [{"role": "user", "content": "hi", "name": "小明"}],
        [USER, calling(call())],
        [USER, calling(call()), USER],
        [USER, calling(call(arguments="{")), {"role": "tool", "tool_call_id": "a", "content": "x"}],
        [USER, calling(call(arguments="[]")), {"role": "tool", "tool_call_id": "a", "content": "x"}],
        [USER, calling(call(), call()), {"role": "tool", "tool_call_id": "a", "content": "x"}],
        [USER, calling(call(name="a b")), {"role": "tool", "tool_call_id": "a", "content": "x"}],
        [USER, {"role": "tool", "tool_call_id": "a", "content": "x"}],
        [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "file:///etc"}}]}],
    ],
)
def test_the_fake_is_as_strict_as_the_strictest_provider(messages: list[Any]) -> None:
    with pytest.raises(Refusal):
        Rules().check("POST", "/v1/chat/completions", {}, {"model": "m", "messages": messages})


@pytest.mark.parametrize("extra", [{"repeat_penalty": 1.1}, {"temperature": 3}, {"tools": []}, {"model": ""}])
def test_the_fake_refuses_parameters_that_are_not_known_or_out_of_range(extra: dict[str, Any]) -> None:
    with pytest.raises(Refusal):
        Rules().check("POST", "/v1/chat/completions", {}, {"model": "m", "messages": [USER], **extra})


@pytest.mark.timeout(60)
async def test_as_a_program_it_prints_its_port_and_serves() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.fakes.upstream", "--port", "0", "--tokens", "3", "--first-token-ms", "1",
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    upstream = Upstream(port=json.loads(await process.stdout.readline()))
    async with model_of(upstream) as model:
        assert (await said(model)).text == "token0 token1 token2"
    process.terminate()
    assert await process.wait() == 0
