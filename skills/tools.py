"""What a model can do with skills: load one, and read its files."""

import asyncio

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


def toolset(skills: Skills) -> FunctionToolset:
    """The tools `load_skill` and `read_skill_file`."""
    return FunctionToolset("skills", [_load(skills), _read(skills)])


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
