"""How much one person and one chat may ask."""

from bot.policy.limits import WINDOW_S, Limits, RateLimits


def take(limits: RateLimits, count: int, *, person: str = "ann", chat: str = "c", t: float = 0.0) -> None:
    for _ in range(count):
        limits.take(person, chat, t)


def test_a_person_may_ask_so_often_a_minute_and_is_told_once() -> None:
    limits = RateLimits(Limits(per_person=3, per_chat=100))
    take(limits, 2)
    assert limits.standing("ann", "c", 1.0) == "free"
    take(limits, 1)
    standings = [limits.standing("ann", "c", t) for t in (1.0, 2.0, 59.0)]
    assert standings == ["first", "silent", "silent"]
    assert limits.standing("ben", "c", 2.0) == "free"
    assert limits.standing("ann", "c", WINDOW_S) == "free"


def test_a_person_is_counted_over_all_chats_and_a_chat_over_all_people() -> None:
    limits = RateLimits(Limits(per_person=2, per_chat=3))
    take(limits, 1, chat="a")
    take(limits, 1, chat="b")
    assert limits.standing("ann", "c", 0.0) == "first"
    for person in ("ben", "cem", "dan"):
        limits.take(person, "full", 0.0)
    assert limits.standing("eve", "full", 1.0) == "first"
    assert limits.standing("eve", "other", 1.0) == "free"


def test_who_is_told_anew_waits_a_minute_for_it() -> None:
    limits = RateLimits(Limits(per_person=1, per_chat=0))
    take(limits, 1)
    assert limits.standing("ann", "c", 1.0) == "first"
    take(limits, 1, t=60.0)
    assert limits.standing("ann", "c", 60.5) == "silent"
    take(limits, 1, t=61.5)
    assert limits.standing("ann", "c", 61.6) == "first"


def test_without_a_limit_nobody_is_stopped() -> None:
    limits = RateLimits(Limits(per_person=0, per_chat=0))
    take(limits, 1000)
    assert limits.standing("ann", "c", 0.0) == "free"


def test_what_waited_offline_for_hours_is_no_flood() -> None:
    limits = RateLimits(Limits(per_person=3, per_chat=100))
    for number in range(200):
        assert limits.standing("ann", "c", number * 30.0) == "free"
        limits.take("ann", "c", number * 30.0)
