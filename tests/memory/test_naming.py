"""People who are named in a question."""

import pytest

from bot.store.engine import Store
from memory.naming import names_in, without_names
from tests.memory.build import ANN, BEN, GROUP, draft, keep


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("what did Ben say?", ("Ben Miller",)),
        ("is this BEN MILLER's car?", ("Ben Miller",)),
        ("小林喜欢什么", ("小林",)),
        ("what is a benefit?", ()),
        ("Ben and 小林", ("Ben Miller", "小林")),
        ("did Cleo say that?", ()),  # she speaks elsewhere
    ],
)
async def test_speakers_of_the_scope_are_known_by_whole_and_first_name(
    store: Store, question: str, names: tuple[str, ...]
) -> None:
    said = [
        draft("x", GROUP, name="Ben Miller"),
        draft("y", GROUP, name="小林"),
        draft("z", BEN, name="Cleo"),
    ]
    await keep(store, *said, draft("w", GROUP))
    assert sorted(await store.read(names_in, (GROUP,), question)) == sorted(names)
    assert await store.read(names_in, (ANN,), question) == ()


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("What did Ben Miller eat?", "What did eat?"),
        ("What is Ben's car?", "What is car?"),
        ("a benefit", "a benefit"),
        ("Ben?", "Ben?"),
        ("小林喜欢什么", "喜欢什么"),
    ],
)
def test_a_name_is_taken_out_of_the_question_unless_nothing_is_left(question: str, rest: str) -> None:
    assert without_names(question, ("Ben Miller", "小林")) == rest
