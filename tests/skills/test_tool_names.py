"""Names of tools in skills: those that the product knows are those that it has."""

from pathlib import Path

import pytest

from bot.app import open_app
from bot.cli import main
from bot.config.settings import Settings
from bot.domain.conversation import ConversationId, SpeakerId
from bot.domain.run import RunId
from bot.domain.tool import EFFECTS, RunContext
from skills.tool_names import KNOWN, TOOLS, TOOLSETS, is_strange, meant
from tests.skills.build import write_skill

WHO = RunContext(RunId(""), ConversationId("http:ann"), SpeakerId("http:ann"), role="owner")


async def test_the_names_are_those_of_the_tools_that_a_bot_has(tmp_path: Path) -> None:
    settings = Settings.model_validate({
        "storage": {"url": f"sqlite:///{tmp_path / 'bot.db'}"},
        "tools": {"workspace_dir": str(tmp_path), "search": {"kind": "brave", "api_key": "none"}},
        "agent": {"skills_scripts_enabled": True},
    })
    environ = {"HOME": str(tmp_path)}
    async with open_app(settings, environ=environ, serving=False, answering=False) as app:
        found = await app.gate.everything(WHO)
    assert {tool.name for tool in found} == TOOLS
    assert {tool.toolset for tool in found} == TOOLSETS
    assert {f"effect:{effect}" for effect in EFFECTS} == KNOWN - TOOLS - TOOLSETS


# What skills that others wrote name, and names that servers have.
@pytest.mark.parametrize(
    "name",
    ["Bash", "Bash(git:*)", "Read", "Write", "Edit", "MultiEdit", "Glob", "Grep", "LS", "Task", "TodoWrite",
     "NotebookEdit", "WebFetch", "WebSearch", "AskUserQuestion", "fs.read", "python", "shell", "git",
     "github", "notes", "notes__memory_serach", "timer", "mail", "filesystem", "playwright",
     "mcp__time__now", "天气"],
)  # fmt: skip
def test_a_name_of_others_is_no_slip_of_the_pen(name: str) -> None:
    assert meant(name) == ""


def test_a_name_that_only_a_server_can_have_is_told_by_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = (
        "name: demo\ndescription: Prunes trees. Use for gardens.\nallowed-tools: time notes__find gardener\n"
    )
    write_skill(tmp_path, "demo", head)
    assert main(["skills", "check", str(tmp_path / "demo")]) == 0
    told = capsys.readouterr().err
    assert '"gardener" in allowed-tools' in told
    assert "notes__find" not in told
    assert is_strange("gardener")


def test_a_slip_in_the_name_of_a_tool_is_told_by_check_and_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = "name: demo\ndescription: Prunes trees. Use for gardens.\nallowed-tools: web_serach\n"
    file = write_skill(tmp_path, "demo", head) / "SKILL.md"
    assert main(["skills", "check", str(tmp_path / "demo")]) == 1
    assert f'{file}:4: "web_serach" in allowed-tools' in capsys.readouterr().out
    assert main(["skills", "ls", "--dir", str(tmp_path)]) == 0
    shown = capsys.readouterr()
    assert "ready" in shown.out
    assert 'did you mean "web_search"?' in shown.err
