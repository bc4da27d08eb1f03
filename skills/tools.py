"""What a model can do with skills: load one, and read its files."""

import asyncio
from difflib import get_close_matches

from pydantic import Field

from bot.domain.functions import Arguments, FunctionTool, FunctionToolset, Traits, function_tool
from bot.domain.tool import RunContext
from bot.errors import InputError
from skills import files
from skills.fill import filled
from skills.manifest import Skill
from skills.room import Skills
from skills.shown import shown


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
    async def load(arguments: LoadSkill, context: RunContext) -> str:
        skill = found(skills, arguments.name)
        text = shown(filled(skill, {k: v for k, v in arguments.parameters.items() if v is not None}))
        skills.loaded(context.run_id, skill.name)
        names = await asyncio.to_thread(files.listed, skill)
        more = f"\n\nFiles of this skill, for read_skill_file: {', '.join(names)}" if names else ""
        return f"Instructions of the skill {skill.name}:\n\n{text}{more}"

    about = "Load a skill's instructions when the person's wish fits its description, and follow them."
    return function_tool("load_skill", about, "pure", LoadSkill, load)


def _read(skills: Skills) -> FunctionTool:
    async def read(arguments: ReadSkillFile, context: RunContext) -> str:
        skill = found(skills, arguments.name)
        return shown(await asyncio.to_thread(files.read, skill, arguments.path))

    about = "Read a file that belongs to a skill, such as a reference its instructions name."
    return function_tool("read_skill_file", about, "read", ReadSkillFile, read, Traits(untrusted=True))


def found(skills: Skills, name: str) -> Skill:
    """A usable skill by its name. Raises `InputError`, with close names or with what stands against it."""
    kept = skills.find(name)
    if kept is None:
        near = get_close_matches(name.strip().lower(), skills.shelf.usable, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else ""
        raise InputError(f"there is no skill {name!r}", field="name", hint=hint)
    if not kept.is_usable:
        raise InputError(f"the skill {kept.skill.name} cannot be used: {'; '.join(kept.against)}")
    return kept.skill
