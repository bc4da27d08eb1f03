from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skills.load import check, load, load_folder
from skills.manifest import Skill
from tests.skills.build import write_skill

SEED = """\
name: web-search
description: Searches the web for a query.
version: 1.10
triggers:
  patterns: [search for, google, "look it up"]
allowed_tools: [net_httprequest, json]
parameters:
  - name: query
    type: string
    description: what to look for
    required: true
  - name: limit
    type: integer
    description: how many
    default: 10
metadata:
  os: [linux, macos, windows]
  emoji: x
"""


def loaded(root: Path, head: str, name: str = "demo", body: str = "Do it.") -> Skill:
    skill, faults = load_folder(write_skill(root, name, head, body))
    assert skill is not None, [str(fault) for fault in faults]
    return skill


def refused(root: Path, head: str, name: str = "demo") -> str:
    skill, faults = load_folder(write_skill(root, name, head))
    assert skill is None
    return "\n".join(str(fault) for fault in faults)


def test_the_example_of_the_seed_is_read_with_all_its_fields(tmp_path: Path) -> None:
    skill = loaded(tmp_path, SEED, "web-search")
    assert [trigger.pattern for trigger in skill.triggers] == ["search for", "google", "look it up"]
    assert skill.allowed_tools == ("net_httprequest", "json")
    assert [(p.name, p.required, p.default) for p in skill.parameters] == [
        ("query", True, None),
        ("limit", False, 10),
    ]
    assert skill.os == ("linux", "macos", "windows")
    assert skill.version == "1.10"  # a text, not the number 1.1


@pytest.mark.pain("52", "P127")
def test_a_colon_in_an_unquoted_description_keeps_the_whole_text(tmp_path: Path) -> None:
    skill = loaded(tmp_path, "name: demo\ndescription: Use when: the user wants X: fast\nallowed-tools: Read")
    assert skill.description == "Use when: the user wants X: fast"
    assert skill.allowed_tools == ("Read",)


@pytest.mark.pain("52")
def test_what_is_no_yaml_but_clear_is_loaded_and_told(tmp_path: Path) -> None:
    head = "name: demo\ndescription: tabs\nmetadata:\n\tauthor: me"
    skill, faults = load_folder(write_skill(tmp_path, "demo", head))
    assert skill is not None
    assert skill.author == "me"
    assert [(fault.line, fault.fatal) for fault in faults] == [(5, False)]


@pytest.mark.pain("P127")
def test_a_comment_in_a_description_keeps_the_meaning_of_yaml(tmp_path: Path) -> None:
    assert loaded(tmp_path, "name: demo\ndescription: a # b").description == "a"


@pytest.mark.pain("P127")
@pytest.mark.parametrize("value", ["[draft] x: y", "*note: x", "&a b: c", "{a: b} c"])
def test_a_description_without_a_clear_meaning_is_an_error_with_file_and_line(
    tmp_path: Path, value: str
) -> None:
    told = refused(tmp_path, f"name: demo\ndescription: {value}")
    assert f"{tmp_path / 'demo' / 'SKILL.md'}:3: " in told


@pytest.mark.pain("P128")
@pytest.mark.parametrize(
    "head",
    [
        "name: demo\ndescription: *broken\nallowed-tools: Read",
        "name: demo\ndescription: fine\nalowed-tools: Read",
        "name: demo\ndescription: fine\nallowed-tools: {a: b}",
        "name: demo\ndescription: fine\nallowed-tools: Bash(git:*",
        "name: demo\ndescription: fine\nallowed-tools: Read\nallowed_tools: Write",
        "name: demo\ndescription: fine\nallowed-tools: Read\nallowed-tools: Write",
        "name: demo\ndescription: fine\nallowed-tools:",
    ],
)
def test_a_skill_whose_limits_cannot_be_read_is_not_usable(tmp_path: Path, head: str) -> None:
    assert refused(tmp_path, head)


@pytest.mark.pain("52")
@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf---\nname: demo\ndescription: with a mark\n---\nbody",
        b"---\r\nname: demo\r\ndescription: windows lines\r\n---\r\nbody",
        b"---\nname:\tdemo\ndescription: tabs\n---\nbody",
        b"---  \nname: demo\ndescription: spaces after dashes\n--- \nbody\n---\nmore",
    ],
)
def test_a_file_whose_meaning_is_clear_is_loaded(tmp_path: Path, data: bytes) -> None:
    folder = write_skill(tmp_path, "demo")
    (folder / "SKILL.md").write_bytes(data)
    skill, faults = load_folder(folder)
    assert skill is not None, faults
    assert not faults
    assert skill.body.startswith("body")


@pytest.mark.pain("52")
def test_dashes_in_the_body_stay_in_the_body(tmp_path: Path) -> None:
    skill = loaded(tmp_path, "name: demo\ndescription: d", body="one\n\n---\n\ntwo")
    assert skill.body == "one\n\n---\n\ntwo"


@pytest.mark.pain("52")
def test_a_name_in_chinese_is_a_name(tmp_path: Path) -> None:
    assert loaded(tmp_path, "name: 报表\ndescription: 做报表", "报表").name == "报表"


BOMB = "a: &a [x,x,x]\nb: &b [*a,*a,*a]\nname: demo\ndescription: d"


@pytest.mark.pain("52")
@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"# no head\n", 1, "no frontmatter"),
        (b"", 1, "no frontmatter"),
        (b"---\nname: demo\ndescription: d\n", 1, "no end"),
        (b"---\nname: demo\nname: other\ndescription: d\n---\nx", 3, "twice"),
        (f"---\n{BOMB}\n---\nx".encode(), 2, "anchors"),
        (b"---\nname: demo\ndescription: !!python/object:os.system x\n---\nx", 3, "tags"),
        (b"---\nname: demo\ndescription: d\n---\n" + b"x" * 2_000_000, 1, "bytes"),
        (b"---\nname: demo\ndescription: \xff\n---\nx", 3, "UTF-8"),
        (b"---\n- a\n- b\n---\nx", 2, "no fields"),
        (b"---\nname: demo\ndescription: d\nmetadata: " + b"[" * 100 + b"\n---\nx", 5, ""),
    ],
)
def test_a_file_that_cannot_be_read_is_an_error_with_its_line(
    tmp_path: Path, data: bytes, line: int, words: str
) -> None:
    folder = write_skill(tmp_path, "demo")
    (folder / "SKILL.md").write_bytes(data)
    skill, faults = load_folder(folder)
    assert skill is None
    assert words in faults[0].text
    assert faults[0].line <= line
    assert faults[0].path == str(folder / "SKILL.md")


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("description: d", "name is missing"),
        ("name: demo", "description is missing"),
        ("name: demo\ndescription: ''", "description is missing"),
        ("name: Demo\ndescription: d", "lower case"),
        ("name: de--mo\ndescription: d", "hyphen"),
        ("name: -demo\ndescription: d", "hyphen"),
        ("name: de_mo\ndescription: d", "letters, digits"),
        (f"name: {'a' * 65}\ndescription: d", "64"),
        (f"name: demo\ndescription: {'a' * 1025}", "1024"),
        (f"name: demo\ndescription: d\ncompatibility: {'a' * 501}", "500"),
        ("name: other\ndescription: d", "folder"),
        ("name: demo\ndescription: d\ntrigers: [abc]", 'did you mean "triggers"'),
        ("name: demo\ndescription: d\nwhatever: x", "not a field"),
        ("name: demo\ndescription: d\ntriggers: [x]", "2 to 200"),
        ("name: demo\ndescription: d\ntriggers: ['']", "2 to 200"),
        (
            "name: demo\ndescription: d\ntriggers: [{type: regex, pattern: 'a(?=b)'}]",
            "regular expression of RE2",
        ),
        ("name: demo\ndescription: d\ntriggers: [{type: regex, pattern: '(ab'}]", "regular expression"),
        ("name: demo\ndescription: d\ntriggers: [{type: often, pattern: ab}]", "is one of"),
        ("name: demo\ndescription: d\nparameters: [{name: a, type: strng}]", "is not a type"),
        ("name: demo\ndescription: d\nos: [amiga]", "is not an os"),
        ("name: demo\ndescription: d\nmode: sometimes", "is one of"),
    ],
)
def test_each_rule_of_the_standard_and_of_the_house_is_checked(tmp_path: Path, head: str, words: str) -> None:
    write_skill(tmp_path, "demo", head)
    _, faults = check(tmp_path)
    assert words in " ".join(str(fault) for fault in faults)


def test_a_field_of_another_product_is_no_fault(tmp_path: Path) -> None:
    write_skill(tmp_path, "demo", "name: demo\ndescription: d\nargument-hint: '[file]'\nmodel: x")
    assert check(tmp_path)[1] == []


def test_a_skill_that_the_model_may_not_call_is_manual(tmp_path: Path) -> None:
    assert loaded(tmp_path, "name: demo\ndescription: d\ndisable-model-invocation: true").is_manual


def test_a_list_without_tools_is_not_the_same_as_no_list(tmp_path: Path) -> None:
    assert loaded(tmp_path, "name: demo\ndescription: d\nallowed-tools: []").allowed_tools == ()
    assert loaded(tmp_path, "name: demo\ndescription: d").allowed_tools is None
    skill = loaded(tmp_path, "name: demo\ndescription: d\nallowed-tools: Bash(git add *) Read, Write")
    assert skill.allowed_tools == ("Bash(git add *)", "Read", "Write")


def test_a_folder_of_skills_tells_each_fault_and_loads_the_rest(tmp_path: Path) -> None:
    write_skill(tmp_path, "good")
    write_skill(tmp_path, "bad", "name: bad")
    (tmp_path / "empty").mkdir()
    skills, faults = check(tmp_path)
    assert [skill.name for skill in skills] == ["good"]
    assert {Path(fault.path).parent.name for fault in faults} == {"bad", "empty"}


def test_a_later_folder_wins_and_a_double_name_in_one_is_told(tmp_path: Path) -> None:
    write_skill(tmp_path / "one", "demo", "name: demo\ndescription: first")
    write_skill(tmp_path / "two", "demo", "name: demo\ndescription: second")
    write_skill(tmp_path / "two" / "more", "demo", "name: demo\ndescription: third")
    library = load([tmp_path / "one", tmp_path / "two"])
    assert library.skills["demo"].description == "second"
    assert "taken" in library.faults[0].text


def test_a_link_instead_of_a_file_is_refused(tmp_path: Path) -> None:
    folder = write_skill(tmp_path, "demo")
    (folder / "secret.md").symlink_to("/etc/passwd")
    skill, faults = load_folder(folder)
    assert skill is None
    assert "link" in faults[0].text


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=st.one_of(st.binary(max_size=300), st.text(max_size=300).map(lambda t: f"---\n{t}\n---\n".encode()))
)
def test_no_file_whatever_it_holds_raises(tmp_path: Path, data: bytes) -> None:
    folder = write_skill(tmp_path, "demo")
    (folder / "SKILL.md").write_bytes(data)
    skill, faults = load_folder(folder)
    assert skill is not None or any(fault.fatal for fault in faults)
