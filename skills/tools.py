"""What a model can do with skills: load one, and read its files."""

import asyncio
import importlib
from typing import Any

from pydantic import Field

from bot.domain.functions import Arguments, Foreign, FunctionTool, FunctionToolset, Traits, function_tool
from bot.domain.tool import RunContext
from skills.room import Skills


class LoadSkill(Arguments):
    name: str = Field(description="The skill's name, as in the list of skills.")
    parameters: dict[str, str | int | float | bool | None] = Field(
        default_factory=dict, description="Values for the parameters that the skill names, if it has any."
    )


class ReadSkillFile(Arguments):
    name: str = Field(description="The skill's name.")
    path: str = Field(description="The file's path within the skill, as load_skill lists it.")


class RunSkillScript(Arguments):
    name: str = Field(description="The skill's name.")
    path: str = Field(description="The script's path within the skill, such as scripts/count.py.")
    arguments: list[str] = Field(default_factory=list, description="What it is called with.")


def toolset(skills: Skills, *, scripts: bool = False) -> FunctionToolset:
    """The tools `load_skill` and `read_skill_file`; with `scripts` also `run_skill_script`."""
    tools = [_load(skills), _read(skills)]
    return FunctionToolset("skills", [*tools, _run(skills)] if scripts else tools)


def _load(skills: Skills) -> FunctionTool:
    async def load(arguments: LoadSkill, context: RunContext) -> str | Foreign:
        desk = await skills.desk()
        values = {name: value for name, value in arguments.parameters.items() if value is not None}
        text = await asyncio.to_thread(desk.instructions, arguments.name, values)
        skill = desk.usable(arguments.name)
        skills.note_loaded(context.run_id, skill.name)
        # Instructions that others wrote are followed, but what they want done is asked about.
        return text if skill.trust == "trusted" else Foreign(text)

    about = "Load a skill's instructions when the person's wish fits its description, and follow them."
    return function_tool("load_skill", about, "read", LoadSkill, load)


def _read(skills: Skills) -> FunctionTool:
    async def read(arguments: ReadSkillFile, context: RunContext) -> str:
        desk = await skills.desk()
        return await asyncio.to_thread(desk.file, arguments.name, arguments.path)

    about = "Read a file that belongs to a skill, such as a reference its instructions name."
    return function_tool("read_skill_file", about, "read", ReadSkillFile, read, Traits(untrusted=True))


def _run(skills: Skills) -> FunctionTool:
    async def run(arguments: RunSkillScript, context: RunContext) -> str:
        skill = (await skills.desk()).usable(arguments.name)
        module: Any = importlib.import_module("skills.scripts")
        output: str = await module.run(skill, arguments.path, arguments.arguments)
        return output

    about = "Run a script that belongs to a skill, when its instructions ask for it."
    traits = Traits(untrusted=True, time_limit_s=40.0)
    return function_tool("run_skill_script", about, "destructive", RunSkillScript, run, traits)
