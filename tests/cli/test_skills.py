"""`xiaomaolv skills`, as people and programs call it."""

import io
import json
import sys
from pathlib import Path

import pytest

from bot.cli import FAILED, OK, WRONG_INPUT, main
from tests.skills.build import write_skill


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home, a project and a cache of their own; loggers keep the stream they began with."""
    monkeypatch.setattr("bot.cli.logs.configure", lambda *_args, **_more: None)
    monkeypatch.chdir(tmp_path)
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable.lower()))


def _say(monkeypatch: pytest.MonkeyPatch, *lines: str | bytes) -> None:
    data = b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


def test_check_ends_with_one_and_names_file_and_line_of_each_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_skill(tmp_path / "skills", "good")
    folder = write_skill(tmp_path / "skills", "weather", "name: weather\ndescription: d\ntrigers: [rain]")
    assert main(["skills", "check", str(tmp_path / "skills" / "good")]) == OK
    assert main(["skills", "check", str(tmp_path / "skills")]) == FAILED
    told = capsys.readouterr().out
    assert f'{folder}/SKILL.md:4: "trigers" is not a field; did you mean "triggers"?' in told
    assert main(["skills", "check", str(tmp_path / "nowhere")]) == FAILED


def test_match_answers_line_by_line_and_nothing_where_no_skill_fits(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _say(monkeypatch, '{"text": "帮我总结一下这篇文章"}', '{"text": "good morning"}', "no", "[" * 50_000)
    assert main(["skills", "match", "--jsonl", "--words"]) == OK
    first, second, third, fourth = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert first["skills"][0]["name"] == "summarize"
    assert set(first["skills"][0]) == {"name", "score"}
    assert first["ms"] >= 0
    assert second["skills"] == []
    assert "error" in third
    assert "error" in fourth


def test_match_answers_five_of_a_catalogue(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tools.jsonl"
    tools = [{"name": f"t{number}", "description": f"Does {number}."} for number in range(6)]
    tools.append({"name": "Chess", "description": "Play chess against a novice or a grandmaster."})
    file.write_text("\n".join(map(json.dumps, tools)), "utf-8")
    _say(monkeypatch, '{"text": "a game of chess"}')
    assert main(["skills", "match", "--jsonl", "--words", "--catalog", str(file)]) == OK
    (answer,) = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert len(answer["skills"]) == 5
    assert answer["skills"][0]["name"] == "Chess"
    file.write_text("{}\n", "utf-8")
    assert main(["skills", "match", "--words", "--catalog", str(file), "chess"]) == WRONG_INPUT


UNREADABLE: list[bytes] = [
    b"", b"   ", b"\r", b"no", b"{", b"{}", b"[]", b"null", b"7", b'"translate this"', b"[" * 50_000,
    b'{"text": null}', b'{"text": 7}', b'{"text": ["translate this"]}', b'{"Text": "translate this"}',
    b'{"text": "translate \0 this"}', b'{"text": "\xff"}', b'{"text": "translate this"',
]  # fmt: skip
READABLE = [
    b'{"text": "translate this"}',
    b'\xef\xbb\xbf{"text": "translate this"}',
    b'{"text": "translate this"}\r',
    b'{"text": "\\u0000translate\\u0000 this"}',
    b'{"text": "\\ud83d translate this"}',
    b'{"text": "translate this", "id": ' + b"9" * 6000 + b"}",
    b'{"text": "translate this", "n": NaN, "more": {"text": 1}}',
    b'{"text": "translate this \xe2\x80\xa8 paragraph"}',
    json.dumps({"text": "translate this: " + "lorem " * 170_000}).encode(),
    json.dumps({"text": "\u65e0\u5173" * 200_000 + " translate this"}).encode(),
]


def test_match_answers_each_line_whatever_stands_in_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _say(monkeypatch, *UNREADABLE, *READABLE, b'{"text": ""}')
    assert main(["skills", "match", "--jsonl", "--words"]) == OK
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(answers) == len(UNREADABLE) + len(READABLE) + 1
    for answer in answers[: len(UNREADABLE)]:
        assert answer["error"]
        assert answer["skills"] == []
    for answer in answers[len(UNREADABLE) : -1]:
        assert [item["name"] for item in answer["skills"]] == ["translate"]
    assert answers[-1]["skills"] == []


def _catalogue(tmp_path: Path, data: bytes) -> list[str]:
    file = tmp_path / "tools.jsonl"
    file.write_bytes(data)
    return ["skills", "match", "--jsonl", "--words", "--catalog", str(file)]


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b"", []),
        (b"\n \r\n", []),
        (b'{"name": "chess", "description": "A board game."}', ["chess"]),
        (b'\xef\xbb\xbf{"name": "chess", "description": "A game."}\r\n\r\n', ["chess"]),
        (b'{"name": "chess"}\n{"name": "go", "description": null}', ["chess", "go"]),
        (
            b'{"name": "go", "description": ""}\n{"name": "play_chess", "description": ""}',
            ["play_chess", "go"],
        ),
        (b'{"name": "a", "description": "Draws."}\n{"name": "a", "description": "Plays chess."}', ["a"]),
        (b'{"name": "chess", "description": "a \xe2\x80\xa8 b \xc2\x85 c", "more": 1}', ["chess"]),
        (b'{"name": "\\ud800", "description": "chess \\u0000"}', ["\ufffd"]),
    ],
)
def test_match_takes_any_catalogue_that_has_names(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    data: bytes,
    names: list[str],
) -> None:
    _say(monkeypatch, '{"text": "a game of chess"}', '{"text": ""}')
    assert main(_catalogue(tmp_path, data)) == OK
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert [item["name"] for item in first["skills"]] == names
    assert len(second["skills"]) == len(names)


@pytest.mark.parametrize(
    "line",
    [
        b"{}", b"[]", b"no", b'{"name": "x"', b'{"name": "", "description": "d"}', b'{"description": "d"}',
        b'{"name": 7, "description": "d"}', b'{"name": "x", "description": 7}', b"[" * 50_000,
        b'{"name": "x", "description": ["d"]}', b'{"name": null, "description": "d"}',
    ],
)  # fmt: skip
def test_match_names_the_line_of_a_catalogue_that_it_cannot_take(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: bytes
) -> None:
    assert main(_catalogue(tmp_path, b'{"name": "a", "description": "d"}\n\n' + line)) == WRONG_INPUT
    told = capsys.readouterr()
    assert told.out == ""
    assert f"{tmp_path / 'tools.jsonl'}:3: " in told.err


def test_match_says_which_catalogue_or_folder_it_cannot_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "latin.jsonl").write_bytes(b'{"name": "\xe9"}')
    for option, place in (
        ("--catalog", "nowhere"),
        ("--catalog", "."),
        ("--catalog", "latin.jsonl"),
        ("--dir", "no"),
    ):
        assert main(["skills", "match", "--jsonl", "--words", option, str(tmp_path / place)]) == WRONG_INPUT
        assert str(tmp_path / place) in capsys.readouterr().err


def test_match_explains_what_it_found_and_what_came_close(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_skill(tmp_path / "mine", "poem", "name: poem\ndescription: Writes poems.\ntriggers: [a poem]")
    assert main(["skills", "match", "--explain", "--words", "--dir", str(tmp_path / "mine"), "a poem"]) == OK
    told = capsys.readouterr().out
    assert 'the trigger "a poem"' in told
    assert "closest" in told


def test_ls_and_show_tell_what_there_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_skill(tmp_path / ".xiaomaolv" / "skills", "mine", "name: mine\ndescription: d\nos: [windows]")
    assert main(["skills", "ls", "--json"]) == OK
    items = {item["name"]: item for item in json.loads(capsys.readouterr().out)}
    assert items["mine"]["state"] == "unfit"
    assert items["summarize"]["enabled"]
    assert main(["skills", "show", "summarize"]) == OK
    assert "# Summarise" in capsys.readouterr().out
    assert main(["skills", "show", "sumarize"]) == WRONG_INPUT
    assert "did you mean summarize?" in capsys.readouterr().err


def test_ls_lists_a_folder_whose_name_is_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_skill(tmp_path / "mine", "demo\udcff", "name: demo\ndescription: d")
    assert main(["skills", "ls", "--json", "--dir", str(tmp_path / "mine")]) == OK
    printed = capsys.readouterr().out
    assert printed.encode()  # raises where half a character is left
    assert [item["name"] for item in json.loads(printed)] == ["demo"]


def test_a_skill_is_shown_installed_switched_and_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_skill(tmp_path / "source", "poem", "name: poem\ndescription: Writes poems.\nallowed-tools: []")
    source = str(tmp_path / "source")
    assert main(["skills", "install", source]) == FAILED  # nobody can be asked
    assert main(["skills", "ls"]) == OK
    assert "poem  " not in capsys.readouterr().out
    assert main(["skills", "install", source, "--yes", "--scope", "project"]) == OK
    assert "tools: none" in capsys.readouterr().out
    for verb, state in (("disable", "off"), ("enable", "ready"), ("approve", "ready")):
        assert main(["skills", verb, "poem"]) == OK
        assert f"poem: {state}" in capsys.readouterr().out
    assert main(["skills", "use", "poem", "--mode", "manual"]) == OK
    assert main(["skills", "install", source, "--yes", "--scope", "project"]) == OK
    assert "this is what is installed" in capsys.readouterr().out
    write_skill(tmp_path / "source", "poem", "name: poem\ndescription: Writes odes.\nallowed-tools: []")
    assert main(["skills", "update", "poem", "--yes"]) == OK
    assert main(["skills", "show", "poem", "--json"]) == OK
    shown = json.loads(capsys.readouterr().out.partition("\n{")[2].join(["{", ""]))
    assert (shown["description"], shown["mode"], shown["state"]) == ("Writes odes.", "manual", "ready")
    assert main(["skills", "rm", "poem"]) == OK
    assert main(["skills", "rm", "poem"]) == WRONG_INPUT
    assert main(["skills", "update", "summarize"]) == WRONG_INPUT


def test_an_index_is_searched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["skills", "search", "x", "--index", "team"]) == WRONG_INPUT
    items = [{"id": "deck", "description": "Makes slide decks."}, {"id": "cook", "description": "Recipes."}]
    (tmp_path / "index.json").write_text(json.dumps({"skills": items}), "utf-8")
    monkeypatch.setenv("XIAOMAOLV_SKILLS_TEAM_INDEX_URL", str(tmp_path / "index.json"))
    capsys.readouterr()
    assert main(["skills", "search", "幻灯片"]) == OK
    assert capsys.readouterr().out.split()[0] == "deck"
    assert main(["skills", "search", "recipes and meals", "--index", "team"]) == OK
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["cook"]


def test_the_skills_of_the_product_are_searched_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["skills", "search", "--index", "official", "--top", "1", "plan", "a", "trip"]) == OK
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["trip-planner"]
    assert main(["skills", "search", "plan a trip"]) == OK
    assert "trip-planner" in capsys.readouterr().out


@pytest.mark.parametrize("top", ["0", "-1", "x", "²", "9999999"])
def test_a_number_of_answers_that_is_none_is_refused(top: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["skills", "search", "x", f"--top={top}"])
    assert ended.value.code == WRONG_INPUT
    assert "--top" in capsys.readouterr().err
