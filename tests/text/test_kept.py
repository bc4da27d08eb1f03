from bot.text.kept import Once, PerObject


def test_a_result_is_made_once_for_each_object_and_key() -> None:
    made: list[str] = []

    def make(name: str) -> str:
        made.append(name)
        return name.upper()

    kept: PerObject[str] = PerObject()
    one, other = {"a": 1}, {"a": 1}
    for _ in range(2):
        assert kept.get(one, "x", lambda: make("one x")) == "ONE X"
        assert kept.get(one, "y", lambda: make("one y")) == "ONE Y"
        assert kept.get(other, "x", lambda: make("other x")) == "OTHER X"
    assert made == ["one x", "one y", "other x"]


def test_the_oldest_results_go() -> None:
    kept: PerObject[int] = PerObject(2)
    things = [[number] for number in range(3)]
    for number, thing in enumerate(things):
        kept.get(thing, "", lambda number=number: number)  # type: ignore[misc]
    assert kept.get(things[0], "", lambda: 10) == 10
    assert kept.get(things[2], "", lambda: 10) == 2


def test_what_was_made_ahead_is_given_out_once_and_the_oldest_goes() -> None:
    kept: Once[int] = Once(2)
    for number in range(3):
        kept.keep(number, number * 10)
    assert [kept.take(0), kept.take(2), kept.take(2), kept.take(1)] == [None, 20, None, 10]
