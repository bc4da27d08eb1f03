"""Which numbers a message may bear whose confirmation was lost."""

from channels.telegram.marks import LOOK_AT, Marks

GROUP = "-1001234567890"


def test_private_chats_share_a_counter_and_a_supergroup_has_its_own() -> None:
    marks = Marks()
    marks.note("11", 40, by_bot=False)
    marks.note("12", 41, by_bot=True)
    marks.note(GROUP, 7, by_bot=False)
    assert (marks.newest("11"), marks.newest("-55"), marks.newest(GROUP)) == ("41", "41", "7")
    assert marks.newest("-1009999999999") == ""


def test_messages_of_people_are_not_looked_at() -> None:
    marks = Marks()
    marks.note("12", 43, by_bot=False)
    marks.note(GROUP, 42, by_bot=False)
    assert marks.after("11", "41") == ["42", *(str(41 + n) for n in range(3, LOOK_AT + 1))]


def test_where_nothing_was_known_nothing_is_looked_for() -> None:
    assert Marks().after("11", "") == []
