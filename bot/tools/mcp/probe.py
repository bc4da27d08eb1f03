"""A server opened once, to see how it is: for `mcp test` and `mcp login`."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from bot.errors import XiaomaolvError
from bot.tools.mcp.remote import (
    About,
    Hooks,
    Login,
    Lost,
    Refused,
    RemotePrompt,
    RemoteResource,
    RemoteTool,
    Traffic,
)
from bot.tools.mcp.server import START_S, STDERR_LINES, Opener
from bot.tools.mcp.spec import ServerSpec


@dataclass(slots=True)
class Report:
    """What was found. `error` is empty where all went well; times are in milliseconds."""

    error: str = ""
    connect_ms: float = 0.0
    list_ms: float = 0.0
    about: About = field(default_factory=About)
    traffic: Traffic = field(default_factory=Traffic)
    tools: list[RemoteTool] = field(default_factory=list)
    resources: list[RemoteResource] = field(default_factory=list)
    prompts: list[RemotePrompt] = field(default_factory=list)
    stderr: list[str] = field(default_factory=list)


async def probe(
    spec: ServerSpec,
    opener: Callable[[], Awaitable[Opener]],
    tokens: Path,
    *,
    login: Login | None = None,
    limit_s: float = START_S,
) -> Report:
    """Connect, list what there is, and close again. What goes wrong stands in the report."""
    report = Report()

    def heard(line: str) -> None:
        report.stderr.append(spec.masked(line))
        del report.stderr[:-STDERR_LINES]

    hooks = Hooks(heard, lambda _: None, tokens, login)
    clock = asyncio.get_running_loop().time
    open_session = await opener()
    began = clock()
    try:
        async with asyncio.timeout(limit_s), open_session(spec, hooks) as session:
            connected = clock()
            report.about, report.traffic = session.about, session.traffic
            report.connect_ms = (connected - began) * 1000
            report.tools = list(await session.tools())
            report.list_ms = (clock() - connected) * 1000
            report.resources = list(await session.resources())
            report.prompts = list(await session.prompts())
    except TimeoutError:
        report.error = f"it did not answer within {limit_s:g} s"
    except (Lost, Refused) as error:
        report.error = spec.masked(str(error))
    except XiaomaolvError as error:
        report.error = error.message
    return report
