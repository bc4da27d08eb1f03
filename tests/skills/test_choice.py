import json
from pathlib import Path

import pytest

from skills.choice import Limits, choose
from skills.fit import Machine
from skills.load import check
from skills.manifest import Trigger
from skills.match import Catalogue, best
from skills.places import LIBRARY
from skills.triggers import fires
from tests.skills.build import shelf_of, write_skill


def names(found: list) -> list[str]:  # type: ignore[type-arg]
    return [match.name for match in found]


@pytest.mark.pain("53")
@pytest.mark.parametrize(
    ("pattern", "message", "expected"),
    [
        ("rm", "we live on a farm", False),
        ("rm", "please rm that", True),
        ("google", "I googled it", False),
        ("google", "Google it!", True),
        ("look up", "LOOK   up the word", True),
        ("搜索", "请帮我搜索一下", True),
        ("c++", "a question on c++, please", True),
        ("ＧＯＯＧＬＥ", "google it", True),
        (".env", "what is my .env file", True),
    ],
)
def test_a_phrase_fires_as_whole_words_and_in_chinese_anywhere(
    pattern: str, message: str, expected: bool
) -> None:
    assert fires(Trigger("keyword", pattern), message) is expected


def test_case_counts_only_where_the_trigger_says_so() -> None:
    assert not fires(Trigger("keyword", "SQL", case_sensitive=True), "some sql here")
    assert fires(Trigger("keyword", "SQL", case_sensitive=True), "some SQL here")
    assert fires(Trigger("regex", r"v\d+"), "release V12")


def test_the_longest_pattern_wins_then_the_most_then_the_name(tmp_path: Path) -> None:
    write_skill(tmp_path, "beta", "name: beta\ndescription: b\ntriggers: [look up]")
    write_skill(tmp_path, "alpha", "name: alpha\ndescription: a\ntriggers: [look up]")
    write_skill(tmp_path, "gamma", "name: gamma\ndescription: g\ntriggers: [look up the word]")
    found = choose(shelf_of(tmp_path), "look up the word tree", None, Limits())
    assert names(found) == ["gamma", "alpha", "beta"]


def test_a_skill_for_another_system_is_neither_triggered_nor_usable(tmp_path: Path) -> None:
    write_skill(tmp_path, "demo", "name: demo\ndescription: d\nos: [windows]\ntriggers: [do the thing]")
    shelf = shelf_of(tmp_path, Machine(platform="linux"))
    assert choose(shelf, "do the thing", None, Limits(), named="demo") == []
    assert "it is for windows" in shelf.kept["demo"].against[0]


def test_what_a_skill_requires_is_checked_and_told(tmp_path: Path) -> None:
    needs = "requires: {bins: [nosuchprogram], env: [MY_TOKEN], python: '>=99'}"
    write_skill(tmp_path, "demo", f"name: demo\ndescription: d\n{needs}")
    against = shelf_of(tmp_path).kept["demo"].against
    assert len(against) == 3
    fine = Machine(environ={"MY_TOKEN": "x"}, python=(100, 0), has_program=lambda _: True)
    assert shelf_of(tmp_path, fine).kept["demo"].is_usable


def test_an_always_skill_comes_behind_what_was_chosen_and_a_manual_one_only_when_named(
    tmp_path: Path,
) -> None:
    write_skill(tmp_path, "house", "name: house\ndescription: d\nmode: always")
    write_skill(tmp_path, "secret", "name: secret\ndescription: d\ntriggers: [{type: manual}]")
    write_skill(tmp_path, "poem", "name: poem\ndescription: Writes poems.\ntriggers: [a poem]")
    shelf = shelf_of(tmp_path)
    assert names(choose(shelf, "a poem please", None, Limits())) == ["poem", "house"]
    assert names(choose(shelf, "hello", None, Limits(), named="secret")) == ["secret", "house"]
    assert names(choose(shelf, "secret", None, Limits())) == ["house"]


def test_a_changed_file_is_seen_without_a_restart(tmp_path: Path) -> None:
    write_skill(tmp_path, "demo", "name: demo\ndescription: first")
    shelf = shelf_of(tmp_path)
    assert not shelf.refresh()
    write_skill(tmp_path, "demo", "name: demo\ndescription: second one")
    assert shelf.refresh()
    assert shelf.kept["demo"].skill.description == "second one"


def test_a_skill_is_usable_only_with_all_that_it_needs_by_way_of_others_too(tmp_path: Path) -> None:
    for name, needs in {
        "aa": "bb", "bb": "cc", "cc": "nowhere", "dd": "ee", "ee": "dd", "ff": "ee", "gg": "hh", "hh": "",
        "ii": "old",
    }.items():  # fmt: skip
        write_skill(tmp_path, name, f"name: {name}\ndescription: d\ndependencies: [{needs}]")
    write_skill(tmp_path, "old", "name: old\ndescription: d\nmode: off")
    shelf = shelf_of(tmp_path)
    assert set(shelf.usable) == {"gg", "hh"}
    assert shelf.kept["aa"].against == ("the skill nowhere, which it needs, is missing",)
    assert shelf.kept["ff"].against == (
        "the skill ee needs itself in a circle",
        "the skill dd needs itself in a circle",
    )
    assert shelf.kept["ii"].against == ("the skill old, which it needs, cannot be used",)


def test_needs_that_meet_again_and_again_are_looked_at_once(tmp_path: Path) -> None:
    for level in range(40):
        needs = f"[a{level + 1}, b{level + 1}]" if level < 39 else "[]"
        for side in "ab":
            write_skill(
                tmp_path, f"{side}{level}", f"name: {side}{level}\ndescription: d\ndependencies: {needs}"
            )
    assert len(shelf_of(tmp_path).usable) == 80


@pytest.mark.parametrize("pattern", ["(a|aa)+$", "^(a*)*$", "(?:a?){90}a{90}$", "(.*a){20}$", "(a+)+$"])
def test_no_pattern_takes_for_ever(pattern: str) -> None:
    assert not fires(Trigger("regex", pattern), "a" * 3000 + "b")


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (r"\bcafé\b", "Un café, por favor"),
        (r"帮我\w+总结", "帮我把它总结"),
        (r"[\u4e00-\u9fff]{2}报告", "写周报报告"),
        (r"[\w-]+@home", "señor-é@home"),
        (r"\d+元", "３元"),
        (r"好\s买\Z", "好　买"),
    ],
)
def test_a_pattern_means_what_it_means_to_python(pattern: str, message: str) -> None:
    assert fires(Trigger("regex", pattern), message)


def test_the_packaged_library_has_no_faults() -> None:
    skills, faults = check(LIBRARY)
    assert faults == []
    assert len(skills) >= 12
    assert all(skill.allowed_tools is not None for skill in skills)


def test_the_library_is_chosen_by_words_alone_for_what_people_say() -> None:
    shelf = shelf_of(LIBRARY)
    file = Path(__file__).parents[2] / "bench" / "data" / "skill-messages.jsonl"
    messages = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    right = wrong = 0
    for message in messages:
        found = choose(shelf, message["text"], None, Limits())
        name = found[0].name if found else ""
        right += bool(name) and name == message["skill"]
        wrong += bool(name) and not message["skill"]
    wanted = sum(bool(message["skill"]) for message in messages)
    assert right / wanted >= 0.92
    assert wrong / (len(messages) - wanted) <= 0.03


def test_a_catalogue_answers_five_whatever_fits() -> None:
    entries = [(f"tool{number}", f"Does thing number {number}.") for number in range(9)]
    entries.append(("EarthquakeTool", "Provides real-time earthquake notifications and news."))
    found = best(Catalogue(entries), "was there an earthquake in Japan?", None, 5)
    assert len(found) == 5
    assert found[0].name == "EarthquakeTool"


def test_what_a_skill_says_it_is_not_for_does_not_attract() -> None:
    entries = [
        ("docs", "Writes Word documents. Do NOT use for spreadsheets."),
        ("sheets", "Edits spreadsheets."),
    ]
    assert best(Catalogue(entries), "make a spreadsheet", None, 1)[0].name == "sheets"


def test_what_a_description_says_of_itself_is_no_subject() -> None:
    entries = [
        ("pdf", "Use this skill whenever the user wants to do anything with PDF files."),
        ("skill-creator", "Create new skills and improve existing ones."),
    ]
    assert best(Catalogue(entries), "make a new skill for me", None, 1)[0].name == "skill-creator"


@pytest.mark.parametrize("message", ["Who wrote the report on this project?", "I got the job!", "提醒我开会"])
def test_facts_news_and_reminders_are_less_likely_meant_for_a_skill(message: str) -> None:
    catalogue = Catalogue([("reports", "Writes project reports. 开会 job"), ("other", "Something else.")])
    plain = Catalogue.scores(catalogue, "project report job 开会")[0]
    assert catalogue.scores(message)[0] < plain
