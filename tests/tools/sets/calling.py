"""Calls of tools of a set, as a model makes them."""

from typing import Any

from bot.domain.conversation import ConversationId, SpeakerId
from bot.domain.message import ToolCall, ToolResult
from bot.domain.ports import Toolset
from bot.domain.run import RunId
from bot.domain.tool import RunContext


def context(conversation: str = "terminal:1", zone: str = "") -> RunContext:
    return RunContext(RunId("r"), ConversationId(conversation), SpeakerId("terminal:me"), zone=zone)


async def call(
    tools: Toolset, name: str, arguments: dict[str, Any], where: RunContext | None = None
) -> ToolResult:
    return await tools.call(ToolCall("c", name, arguments), where or context())


async def answer(
    tools: Toolset, name: str, arguments: dict[str, Any], where: RunContext | None = None
) -> str:
    """The text of a call that must go well."""
    result = await call(tools, name, arguments, where)
    assert not result.is_error, result.text
    return result.text


async def fault(tools: Toolset, name: str, arguments: dict[str, Any], where: RunContext | None = None) -> str:
    """The text of a call that must not go well."""
    result = await call(tools, name, arguments, where)
    assert result.is_error, result.text
    return result.text
