"""Functions as tools: their schema, and every way a call can be wrong."""

from typing import Any, Literal

import pytest
from pydantic import Field

from bot.domain.conversation import ConversationId, SpeakerId
from bot.domain.functions import Arguments, FunctionTool, FunctionToolset, Traits, function_tool
from bot.domain.message import ToolCall, ToolResult
from bot.domain.run import RunId
from bot.domain.tool import RunContext
from bot.errors import NotFound

HERE = RunContext(RunId("r"), ConversationId("terminal:1"), SpeakerId("terminal:me"))


class Greeting(Arguments):
    title: str = Field(description="Whom to greet.")
    times: int = Field(1, ge=1, le=3)
    tone: Literal["warm", "cool"] = "warm"


async def greet(arguments: Greeting, context: RunContext) -> str:
    if arguments.title == "nobody":
        raise NotFound("nobody is not here", hint="name somebody")
    if arguments.title == "crash":
        raise KeyError("a fault of ours")
    if arguments.title == "file":
        raise FileNotFoundError(2, "No such file or directory", "/srv/hidden/place")
    return " ".join([f"hello {arguments.title}"] * arguments.times)


def greeting() -> FunctionTool:
    return function_tool("greet", "Greet somebody.", "pure", Greeting, greet)


async def called(arguments: dict[str, Any] | None, *, raw: str = "", name: str = "greet") -> ToolResult:
    return await FunctionToolset("manners", [greeting()]).call(ToolCall("c1", name, arguments, raw), HERE)


async def test_a_call_with_right_arguments_answers_with_the_functions_text() -> None:
    assert await called({"title": "Ann", "times": 2}) == ToolResult("c1", "greet", "hello Ann hello Ann")


async def test_every_wrong_argument_is_named_in_one_answer() -> None:
    result = await called({"times": 9, "tone": "loud", "volume": 3})
    assert result.is_error
    for name in ("title", "times", "tone", "volume"):
        assert f"- {name}: " in result.text


async def test_null_for_a_field_that_may_be_left_out_counts_as_left_out() -> None:
    assert (await called({"title": "Ann", "times": None, "tone": None})).text == "hello Ann"


async def test_null_for_a_required_field_is_an_error() -> None:
    assert (await called({"title": None})).is_error


async def test_arguments_that_are_no_object_are_shown_back_cut_short() -> None:
    result = await called(None, raw='{"title": "A' + "n" * 2000)
    assert result.is_error
    assert '{"title": "Ann' in result.text
    assert len(result.text) < 900


async def test_an_unknown_name_is_answered_with_the_names_there_are() -> None:
    result = await called({}, name="gret")
    assert result.is_error
    assert "greet" in result.text


async def test_an_error_of_ours_is_told_with_its_hint() -> None:
    result = await called({"title": "nobody"})
    assert result == ToolResult("c1", "greet", "nobody is not here (name somebody)", is_error=True)


async def test_a_file_error_names_no_place_on_the_machine() -> None:
    result = await called({"title": "file"})
    assert result.is_error
    assert "/srv" not in result.text


async def test_a_function_that_breaks_down_is_an_error_without_its_insides() -> None:
    result = await called({"title": "crash"})
    assert result.is_error
    assert "fault of ours" not in result.text


async def test_the_schema_has_no_titles_but_keeps_a_property_of_that_name() -> None:
    [tool] = await FunctionToolset("manners", [greeting()]).tools(HERE)
    assert tool.toolset == "manners"
    assert tool.retry == "safe"
    assert tool.parameters["required"] == ["title"]
    assert tool.parameters["additionalProperties"] is False
    assert tool.parameters["properties"]["title"] == {"description": "Whom to greet.", "type": "string"}


def test_a_tool_that_changes_something_is_not_repeated_unless_it_says_so() -> None:
    assert function_tool("a", "", "write", Greeting, greet).tool.retry == "never"
    assert function_tool("a", "", "write", Greeting, greet, Traits(retry="safe")).tool.retry == "safe"


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="one name"):
        FunctionToolset("manners", [greeting(), greeting()])
