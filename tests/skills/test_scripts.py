"""Scripts of skills: off by default, asked about, and within limits."""

import asyncio
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from bot.domain.conversation import ConversationId, SpeakerId
from bot.domain.message import ToolCall
from bot.domain.run import RunId
from bot.domain.tool import RunContext
from bot.errors import InputError, Unavailable
from bot.store.engine import Store
from skills.load import load_folder
from skills.manifest import Skill
from skills.scripts import DEFAULT, ScriptLimits, run
from skills.tools import toolset
from tests.skills.build import write_skill
from tests.skills.test_room import room_in
from tests.tools.test_gate import gate_of

CONTEXT = RunContext(RunId("r1"), ConversationId("c1"), SpeakerId("p1"))


def with_script(root: Path, name: str, text: str) -> Skill:
    folder = write_skill(root / "mine", "demo")
    (folder / "scripts").mkdir()
    (folder / "scripts" / name).write_text(text, "utf-8")
    skill, faults = load_folder(folder)
    assert skill is not None, faults
    return skill


async def test_a_script_runs_with_its_arguments_and_without_our_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_SECRET", "s3cret")
    text = "import os, sys\nprint(sys.argv[1:], 'MY_SECRET' in os.environ, os.listdir('.'))"
    skill = with_script(tmp_path, "a.py", text)
    assert await run(skill, "scripts/a.py", ["x", "-y"]) == "['x', '-y'] False []\n"


async def test_a_script_that_fails_says_its_exit_code(tmp_path: Path) -> None:
    skill = with_script(tmp_path, "a.sh", "echo no; exit 3")
    assert await run(skill, "scripts/a.sh", []) == "exit code 3\nno\n"


async def test_what_a_script_left_running_ends_with_it(tmp_path: Path) -> None:
    skill = with_script(tmp_path, "a.sh", "sleep 60 >/dev/null 2>&1 &\necho $!")
    child = int(await run(skill, "scripts/a.sh", []))
    await asyncio.to_thread(ended, child)


def ended(pid: int) -> None:
    """Wait until a process is gone; one that nobody collects is gone, too."""
    try:
        process = psutil.Process(pid)
        if process.status() != psutil.STATUS_ZOMBIE:
            process.wait(10)
    except psutil.NoSuchProcess:
        return


async def test_a_script_that_takes_too_long_or_too_much_is_ended(tmp_path: Path) -> None:
    skill = with_script(tmp_path, "slow.sh", "sleep 60")
    with pytest.raises(Unavailable, match="longer than"):
        await run(skill, "scripts/slow.sh", [], ScriptLimits(total_s=0.3))
    (skill.folder / "scripts" / "big.py").write_text("x = 'a' * 2_000_000_000", "utf-8")
    assert "MemoryError" in await run(skill, "scripts/big.py", [])
    (skill.folder / "scripts" / "loud.sh").write_text("yes | head -c 3000000", "utf-8")
    assert len(await run(skill, "scripts/loud.sh", [])) < DEFAULT.output_chars + 20


@pytest.mark.parametrize(
    "path", ["SKILL.md", "scripts/a.exe", "../x.py", "scripts/../../x.py", "/bin/ls", "a.py"]
)
async def test_only_scripts_of_the_skill_are_run(tmp_path: Path, path: str) -> None:
    skill = with_script(tmp_path, "ok.py", "print(1)")
    (skill.folder / "a.py").write_text("print(2)", "utf-8")
    (tmp_path / "mine" / "x.py").write_text("print(3)", "utf-8")
    with pytest.raises(InputError):
        await run(skill, path, [])
    with pytest.raises(InputError):
        await run(skill, "scripts/ok.py", ["x\0"])


async def test_scripts_are_off_by_default_and_asked_about_when_they_are_on(
    sqlite_store: Store, tmp_path: Path
) -> None:
    with_script(tmp_path, "a.py", f"open({str(tmp_path / 'done')!r}, 'w')")
    room = room_in(tmp_path)
    assert {tool.name for tool in await toolset(room).tools(CONTEXT)} == {"load_skill", "read_skill_file"}
    gate = gate_of(sqlite_store, toolset(room, scripts=True), allowed_tools=room.narrowing)  # type: ignore[arg-type]
    call = ToolCall("1", "run_skill_script", {"name": "demo", "path": "scripts/a.py"})
    refused = await gate.call(call, replace(CONTEXT, skill=""))
    assert refused.is_error
    assert "approval" in refused.text
    narrowed = await gate.call(call, replace(CONTEXT, skill="demo"))
    assert "may not use" in narrowed.text
    assert not is_there(tmp_path / "done")


def is_there(path: Path) -> bool:
    return path.exists()
