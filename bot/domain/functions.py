"""Tools made of typed functions: the arguments are a pydantic model, the tools one `Toolset`."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

import structlog
from pydantic import BaseModel, ConfigDict, ValidationError

from bot.domain.message import ToolCall, ToolResult
from bot.domain.tool import Effect, Retry, RunContext, Tool
from bot.errors import XiaomaolvError

log = structlog.get_logger(__name__)

MAX_RAW = 800  # characters of unreadable arguments that are shown back to the model


class Arguments(BaseModel):
    """Base of the arguments of a tool: unknown names are an error, and values don't change later."""

    model_config = ConfigDict(extra="forbid", frozen=True)


A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Foreign:
    """A text that others may have written, from a tool of which that is not always so."""

    text: str


@dataclass(frozen=True, slots=True)
class FunctionTool:
    """A function as a tool. Build it with `function_tool`, which checks that model and function match."""

    tool: Tool
    arguments: type[Arguments]
    do: Callable[[Arguments, RunContext], Awaitable[str | Foreign]]


@dataclass(frozen=True, slots=True)
class Traits:
    """What a tool is apart from its name and function; the fields are those of `Tool`."""

    untrusted: bool = False
    outbound: bool = False
    time_limit_s: float = 30.0
    output_limit: int = 16_000
    retry: Retry | None = None  # None: `safe` for what only computes or looks, else `never`


PLAIN = Traits()


def function_tool(
    name: str,
    description: str,
    effect: Effect,
    arguments: type[A],
    do: Callable[[A, RunContext], Awaitable[str]] | Callable[[A, RunContext], Awaitable[str | Foreign]],
    traits: Traits = PLAIN,
) -> FunctionTool:
    """A tool that reads its arguments as `arguments` and answers with the text that `do` returns.

    `do` raises `XiaomaolvError` (also `OSError`, `ValueError`) for what the caller can mend; its words
    are shown to the model.
    """
    tool = Tool(
        name=name,
        description=description,
        parameters=parameters_of(arguments),
        effect=effect,
        toolset="",
        untrusted=traits.untrusted,
        outbound=traits.outbound,
        time_limit_s=traits.time_limit_s,
        output_limit=traits.output_limit,
        retry=traits.retry or ("safe" if effect in {"pure", "read"} else "never"),
    )
    return FunctionTool(
        tool, arguments, cast("Callable[[Arguments, RunContext], Awaitable[str | Foreign]]", do)
    )


def parameters_of(model: type[BaseModel]) -> Mapping[str, Any]:
    """The JSON Schema of a model's fields, without the titles that only repeat their names."""
    schema = _untitled(model.model_json_schema())
    schema.pop("description", None)
    schema.setdefault("properties", {})
    return schema


def _untitled(schema: dict[str, Any]) -> dict[str, Any]:
    """A copy without `title` keywords; a property that is called title stays."""
    clean: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "title" and isinstance(value, str):
            continue
        if key in {"properties", "$defs"}:
            clean[key] = {name: _untitled(part) for name, part in value.items()}
        elif isinstance(value, dict) and key != "default":
            clean[key] = _untitled(value)
        elif isinstance(value, list):
            clean[key] = [_untitled(part) if isinstance(part, dict) else part for part in value]
        else:
            clean[key] = value
    return clean


class FunctionToolset:
    """A set of function tools under one name. It checks arguments, not rights: those are the gate's."""

    def __init__(self, name: str, functions: Sequence[FunctionTool]) -> None:
        self.name = name
        self._functions = {function.tool.name: _placed(function, name) for function in functions}
        if len(self._functions) != len(functions):
            raise ValueError(f"two tools of the set {name} have one name")

    async def tools(self, context: RunContext) -> Sequence[Tool]:
        """All tools of the set, whoever asks."""
        return [function.tool for function in self._functions.values()]

    async def call(self, call: ToolCall, context: RunContext) -> ToolResult:
        """Call a function. Whatever goes wrong is a result with `is_error` that says everything wrong."""
        function = self._functions.get(call.name)
        if function is None:
            known = ", ".join(sorted(self._functions))
            return _failed(call, f"There is no tool {call.name!r} here. There are: {known}.")
        if call.arguments is None:
            return _failed(call, f"The arguments are not a JSON object: {call.raw[:MAX_RAW]}")
        try:
            arguments = read_arguments(function.arguments, call.arguments)
        except ValidationError as error:
            return _failed(call, "\n".join(["These arguments are wrong:", *problems_of(error)]))
        try:
            done = await function.do(arguments, context)
            if isinstance(done, Foreign):
                return ToolResult(call.id, call.name, done.text, foreign=True)
            return ToolResult(call.id, call.name, done)
        except (XiaomaolvError, OSError, ValueError, ArithmeticError, TimeoutError) as error:
            return _failed(call, _words_of(error))
        except Exception:  # a fault of ours in one tool must not end the turn of a person
            log.exception("tools.function.failed", tool=call.name, run_id=context.run_id)
            return _failed(call, f"{call.name} broke down; it is not your arguments. Go on without it.")


def read_arguments(model: type[A], values: Mapping[str, Any]) -> A:
    """Read arguments as a model; null for a field that may be left out and can't be null means: left out.

    Raises pydantic's `ValidationError`, which names all faults at once.
    """
    try:
        return model.model_validate(values)
    except ValidationError as error:
        nulls = {str(fault["loc"][0]) for fault in error.errors() if fault["loc"] and fault["input"] is None}
        fields = model.model_fields
        left_out = {name for name in nulls if name in fields and not fields[name].is_required()}
        if not left_out:
            raise
    return model.model_validate({name: value for name, value in values.items() if name not in left_out})


def problems_of(error: ValidationError) -> list[str]:
    """One line for each fault: where, what, and what was given (cut short)."""
    lines = []
    for fault in error.errors(include_url=False, include_context=False):
        place = ".".join(str(part) for part in fault["loc"]) or "arguments"
        given = "" if fault["type"] == "missing" else f" (given: {str(fault['input'])[:80]!r})"
        lines.append(f"- {place}: {fault['msg']}{given}")
    return lines


def _placed(function: FunctionTool, toolset: str) -> FunctionTool:
    tool = replace(function.tool, toolset=toolset, remote_name=function.tool.name)
    return replace(function, tool=tool)


def _words_of(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror  # without the path: places on the machine are nobody's business
    return str(error) or type(error).__name__


def _failed(call: ToolCall, text: str) -> ToolResult:
    return ToolResult(call.id, call.name, text, is_error=True)
