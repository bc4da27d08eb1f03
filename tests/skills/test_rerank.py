"""A model that picks among the likeliest skills, and the scores where it does not."""

import asyncio
from pathlib import Path

import pytest

from bot.errors import ModelError
from skills.rerank import picked
from skills.room import Settings, Skills
from tests.fakes.clock import ManualClock
from tests.fakes.models import ScriptedModel
from tests.skills.build import write_skill
from tests.skills.test_room import room_in

PLUM = "name: plum\ndescription: Prunes plum trees in the garden.\n"
PEAR = "name: pear\ndescription: Prunes pear trees in the garden.\n"
ASKED = "please prune the old trees behind my house"


def garden(root: Path, model: ScriptedModel | None, more: str = "") -> Skills:
    """Two skills that words cannot tell apart, and what else belongs to a machine."""
    write_skill(root / "mine", "plum", PLUM + more)
    write_skill(root / "mine", "pear", PEAR)
    environ = {"HOME": str(root), "XIAOMAOLV_SKILLS_USER_DIR": str(root / "mine")}
    return Skills(environ, Settings(min_score=0.3), ManualClock(), None, model)


async def by_scores(root: Path) -> tuple[str, ...]:
    return (await garden(root, None).chosen(ASKED)).names


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        ('{"skills": ["plum"]}', ("plum",)),
        ('{"skills": ["pear"]}', ("pear",)),
        ('{"skills": ["plum", "pear", "plum"]}', ("plum", "pear")),
        ('Sure:\n```json\n{"skills" : ["pear", "chess"]}\n```', ("pear",)),
        ('{"skills": []}', ()),
    ],
)
async def test_what_the_model_picks_is_chosen(tmp_path: Path, answer: str, names: tuple[str, ...]) -> None:
    model = ScriptedModel(answer)
    assert (await garden(tmp_path, model).chosen(ASKED)).names == names
    (request,) = model.requests
    assert "plum: Prunes plum trees" in request.messages[-1].text
    assert ASKED in request.messages[-1].text


@pytest.mark.parametrize(
    "answer",
    [
        "the pear one",
        "",
        '{"skills": "pear"}',
        '{"skills": [pear]}',
        '{"skills": ["chess"]}',
        '{"skills": [7, null]}',
        ModelError("rate_limited", "slow down"),
    ],
)
async def test_where_the_model_says_nothing_of_use_the_scores_decide(
    tmp_path: Path, answer: str | Exception
) -> None:
    expected = await by_scores(tmp_path)
    assert expected
    assert (await garden(tmp_path, ScriptedModel(answer)).chosen(ASKED)).names == expected


async def test_a_model_that_takes_too_long_is_not_waited_for(tmp_path: Path) -> None:
    model = ScriptedModel([asyncio.Event()])
    desk = await garden(tmp_path, None).desk()
    found = desk.candidates(ASKED, None)
    assert found
    assert await picked(model, ASKED, found, "r1", limit_s=0.0) is None
    assert model.active == 0


@pytest.mark.parametrize(
    ("message", "named"),
    [("the capital of France?", ""), ("my blue plums, please", ""), (ASKED, "pear"), ("", "")],
)
async def test_no_model_is_asked_where_nothing_is_likely_or_a_person_or_a_trigger_decides(
    tmp_path: Path, message: str, named: str
) -> None:
    model = ScriptedModel()
    await garden(tmp_path, model, "triggers: [blue plums]\n").chosen(message, named=named)
    assert model.requests == []


async def test_skills_that_are_always_used_stay_beside_what_is_picked(tmp_path: Path) -> None:
    write_skill(tmp_path / "mine", "tone", "name: tone\ndescription: Speaks kindly.\nmode: always\n")
    model = ScriptedModel('{"skills": ["pear"]}', '{"skills": []}')
    room = garden(tmp_path, model)
    assert (await room.chosen(ASKED)).names == ("pear", "tone")
    assert (await room.chosen(ASKED)).names == ("tone",)


async def test_without_the_setting_no_model_is_asked(tmp_path: Path) -> None:
    assert (await room_in(tmp_path).chosen("please summarise this article")).active == "summarize"
