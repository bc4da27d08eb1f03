"""`xiaomaolv tools` and `xiaomaolv policy`: calls from the command line, through the gate."""

import json
from pathlib import Path

import pytest

from bot import cli
from bot.cli import tools
from bot.models.build import Models
from tests.tools.mcp.conftest import Fake


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    path = tmp_path / "config.toml"
    path.write_text(
        f"""
[storage]
url = "sqlite:///{tmp_path}/bot.db"
[memory]
backend = "off"
[[policy.rules]]
match = {{ tool = "math_*", role = "member" }}
effect = "deny"
[[policy.rules]]
match = {{ tool = "text_sort" }}
effect = "ask"
""",
        encoding="utf-8",
    )
    return str(path)


class Typed:
    """What a command said, and how it ended."""

    def __init__(self, capsys: pytest.CaptureFixture[str], config: str) -> None:
        self._capsys = capsys
        self._config = config

    def __call__(self, *words: str) -> tuple[int, str, str]:
        status = cli.main([*words, "--config", self._config])
        said = self._capsys.readouterr()
        return status, said.out, said.err


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str], config: str) -> Typed:
    return Typed(capsys, config)


def test_tools_are_listed_with_their_effects(typed: Typed) -> None:
    status, out, _ = typed("tools", "ls", "--json")
    assert status == 0
    listed = {tool["name"]: tool for tool in json.loads(out)}
    assert listed["math_calculator"]["effect"] == "pure"
    assert {"name", "source", "effect", "enabled"} <= listed["math_calculator"].keys()
    status, out, _ = typed("tools", "ls")
    assert status == 0
    assert "math_calculator  pure" in out


def test_a_call_prints_its_result_alone(typed: Typed) -> None:
    assert typed("tools", "call", "math_calculator", '{"expression": "2 + 2 * 5"}') == (0, "12\n", "")


def test_no_model_is_loaded_for_what_asks_none(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[Models] = []

    async def warm(models: Models) -> None:
        loaded.append(models)

    monkeypatch.setattr(Models, "warm", warm)
    assert typed("tools", "call", "math_calculator", '{"expression": "2"}')[:2] == (0, "2\n")
    assert typed("policy", "explain", "math_calculator", '{"expression": "2"}')[0] == 0
    assert loaded == []


@pytest.mark.timeout(60)
@pytest.mark.pain("46")
def test_a_server_that_hangs_holds_up_no_other_tool(
    typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tools, "MCP_S", 1_000_000.0)
    cli.main(["mcp", "add", "hung", "--", "sh", "-c", "cat > /dev/null"])
    echo = {"name": "echo", "description": "Says it again.", "inputSchema": {"type": "object"}}
    entry = Fake(tmp_path / "fake.json").says(tools=[echo]).entry
    cli.main(["mcp", "add", "sound", "--", entry["command"], *entry["args"]])
    status, out, _ = typed("tools", "call", "math_calculator", '{"expression": "2"}')
    assert (status, out.splitlines()[-1]) == (0, "2")
    status, out, _ = typed("policy", "explain", "sound__echo", "{}", "--json")
    assert (status, json.loads(out)["decision"]) == (0, "allow")
    monkeypatch.setattr(tools, "MCP_S", 0.0)
    status, out, err = typed("tools", "ls", "--json")
    assert status == 0
    assert "math_calculator" in {tool["name"] for tool in json.loads(out)}
    assert "without the tools of the MCP server hung: it has not answered yet" in err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("no_such_tool", "{}"), "There is no tool 'no_such_tool'"),
        (("math_calculator", '{"expr": "2"}'), "expression"),
        (("math_calculator", "not json"), "no JSON"),
        (("math_calculator", "[1]"), "no JSON object"),
        (("math_calculator", "[" * 50_000), "nested too deeply"),
        (("math_calculator", '{"expression": "2"}', "--as", "member"), "Not allowed"),
        (("text_sort", '{"text": "b"}'), "needs approval"),
    ],
)
def test_a_call_that_is_not_made_says_why(words: tuple[str, ...], told: str, typed: Typed) -> None:
    status, out, err = typed("tools", "call", *words)
    assert status != 0
    assert out == ""
    assert told in err
    assert "xiaomaolv: unexpected" not in err
    assert all(line.startswith("hint: ") for line in err.splitlines()[1:])


def test_an_approval_at_the_command_line_is_one_flag(typed: Typed) -> None:
    status, out, _ = typed("tools", "call", "text_sort", '{"text": "b\\na"}', "--yes")
    assert (status, out) == (0, "a\nb\n")


@pytest.mark.parametrize(
    ("words", "decision"),
    [
        (("math_calculator", '{"expression": "2"}'), "allow"),
        (("math_calculator", '{"expression": "2"}', "--as", "member"), "deny"),
        (("text_sort", '{"text": "b"}', "--as", "admin"), "ask"),
    ],
)
def test_the_policy_explains_what_it_decides(words: tuple[str, ...], decision: str, typed: Typed) -> None:
    status, out, _ = typed("policy", "explain", *words)
    assert status == 0
    assert out.startswith(f"{decision}: ")
    _, out, _ = typed("policy", "explain", *words, "--json")
    assert json.loads(out)["decision"] == decision


def test_the_rule_that_denies_is_named_as_the_one_that_allows_is(typed: Typed) -> None:
    call = ("math_calculator", '{"expression": "2"}', "--as", "member")
    _, out, _ = typed("policy", "explain", *call, "--json")
    assert json.loads(out) == {"decision": "deny", "reason": "rule 1 of the operator", "rule": 1}
