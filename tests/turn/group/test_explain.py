"""The command that judges written-down conversations."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import cli
from bot.errors import InputError
from bot.turn.group.address import brief
from bot.turn.group.explain import explain, explain_line

BOT = {"username": "donkey_bot", "name": "Donkey", "aliases": []}


def moment(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"bot": BOT, "mode": "smart", "messages": list(messages), **more}


def run(lines: list[bytes], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO(b"\n".join(lines) + b"\n"), encoding="utf-8")
    )
    assert cli.main(["group", "explain", "--jsonl"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_each_line_gets_its_verdict_and_a_bad_one_its_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    called = json.dumps(moment({"from": "Ann", "text": "@donkey_bot hi", "t": 0})).encode()
    talk = json.dumps(moment({"from": "Ann", "text": "Ben, hi", "t": 0})).encode()
    lines = [called, b"{nonsense", b"", b'{"bot":{}}', b"  ", talk]
    first, bad, blank, empty, spaces, last = run(lines, capsys, monkeypatch)
    assert (first["decision"], first["score"]) == ("respond", 100)
    assert first["reasons"] == ["@name '@donkey_bot'"]
    for unreadable in (bad, blank, empty, spaces):
        assert (unreadable["decision"], unreadable["score"]) == ("ignore", 0)
        assert unreadable["reasons"] == [f"cannot be read: {unreadable['error']['message']}"]
    assert bad["error"]["code"] == "invalid"
    assert empty["error"]["field"] == "messages"
    assert (last["decision"], last["score"]) == ("ignore", 0)
    assert set(last) == {"decision", "score", "reasons"}


def test_broken_text_costs_one_line_at_most(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    half = json.dumps(moment({"from": "\ud83d", "text": "Donkey, \ud83d hi \x00", "t": 0})).encode()
    huge = json.dumps(moment({"from": "Ann", "text": "hi", "t": 10**400})).encode()
    deep = b"[" * 100_000
    answers = run([b"\xff\xfe", half, huge, deep, half], capsys, monkeypatch)
    assert ["error" in answer for answer in answers] == [True, False, True, True, False]


def test_the_messages_before_are_replayed_as_they_came() -> None:
    before = [
        {"from": "Ann", "text": "Donkey, weather in Berlin?", "t": 0},
        {"from": "BOT", "text": "Sunny.", "t": 4, "is_bot": True},
    ]
    follow = {"from": "Ann", "text": "and tomorrow?", "t": 12}
    assert explain(moment(*before, follow)).decision == "respond"
    assert explain(moment(follow)).decision == "ignore"
    assert explain(moment(*before, {**follow, "t": 500})).decision == "ignore"
    patient = {"group_followup_window_secs": 600}
    assert explain(moment(*before, {**follow, "t": 500}, settings=patient)).decision == "respond"
    assert explain(moment(*before, follow, mode="strict")).decision == "ignore"
    assert explain(moment(*before, {**follow, "reply_to": 1}, mode="strict")).decision == "respond"


@pytest.mark.parametrize(
    "change, field",
    [
        ({"bot": None}, "bot"), ({"bot": {"aliases": "x"}}, "bot.aliases"), ({"bot": {"name": 3}}, "bot"),
        ({"mode": "loud"}, "mode"), ({"messages": []}, "messages"), ({"messages": [3]}, "messages[0]"),
        ({"messages": [{"from": "", "text": "x", "t": 0}]}, "messages[0].from"),
        ({"messages": [{"from": "A", "text": 3, "t": 0}]}, "messages[0].text"),
        ({"messages": [{"from": "A", "text": "x", "t": "now"}]}, "messages[0].t"),
        ({"messages": [{"from": "A", "text": "x", "t": 0, "reply_to": 7}]}, "messages[0].reply_to"),
        ({"messages": [{"from": "A"}, {"from": "B", "reply_to": -1}]}, "messages[1].reply_to"),
        ({"messages": [{"from": "A", "reply_to": True}]}, "messages[0].reply_to"),
        ({"messages": [{"from": "A", "text": "x", "is_bot": "false"}]}, "messages[0].is_bot"),
        ({"messages": [{"from": "A", "text": "x", "is_bot": 0}]}, "messages[0].is_bot"),
        ({"messages": [{"text": "x", "t": 0}]}, "messages[0].from"),
        ({"messages": [{"from": None, "text": "x"}]}, "messages[0].from"),
        ({"messages": [{"from": "A", "text": "x", "t": float("nan")}]}, "messages[0].t"),
        ({"messages": [{"from": "A", "text": "x", "t": 0, "mentions": 7}]}, "messages[0].mentions"),
        ({"settings": []}, "settings"), ({"settings": {"min_score": "high"}}, "settings.min_score"),
        ({"settings": {"allow_bots": 1}}, "settings.allow_bots"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(change: dict[str, Any], field: str) -> None:
    good = moment({"from": "Ann", "text": "hi", "t": 0})
    with pytest.raises(InputError) as caught:
        explain({**good, **change})
    assert caught.value.field == field


def test_settings_of_a_later_version_are_passed_over() -> None:
    assert explain(moment({"from": "Ann", "text": "hi", "t": 0}, settings={"mood": 3})).decision == "ignore"


def test_null_says_as_little_as_a_missing_key() -> None:
    bare = {"from": "Ann", "text": None, "t": None, "is_bot": None, "reply_to": None, "mentions": None}
    assert explain(moment(bare, mode=None, settings=None)).decision == "ignore"
    nameless = {"username": None, "name": None, "aliases": None}
    assert explain({"bot": nameless, "messages": [{"from": "Ann", "text": "hi"}]}).decision == "ignore"


def test_a_message_without_a_time_came_with_the_one_before() -> None:
    before = [
        {"from": "Ann", "text": "Donkey, weather in Berlin?", "t": 86_400},
        {"from": "BOT", "text": "Sunny.", "is_bot": True},
    ]
    later = {"from": "Ann", "text": "and tomorrow?"}
    assert explain(moment(*before, later)).decision == "respond"
    assert explain(moment(*before, {**later, "t": 86_900})).decision == "ignore"


def test_a_reply_to_what_was_not_said_yet_tells_nothing() -> None:
    called = {"from": "Ann", "text": "Donkey, hi", "reply_to": 1}
    assert explain(moment(called, {"from": "Ben", "text": "hi", "reply_to": 1})).decision == "ignore"
    own = [
        {"from": "BOT", "text": "Sunny.", "is_bot": True},
        {"from": "Ann", "text": "Donkey, hi", "reply_to": 1},
    ]
    assert explain(moment(*own)).reasons == ("named at the start 'donkey'",)


def test_the_bot_is_known_by_its_key_or_its_username_and_a_person_may_be_called_bot() -> None:
    asked = {"from": "Ann", "text": "Donkey, weather in Berlin?"}
    follow = {"from": "Ann", "text": "and tomorrow?"}
    for own in ("BOT", "donkey_bot", "@Donkey_Bot"):
        answer = {"from": own, "text": "Sunny.", "is_bot": True}
        assert explain(moment(asked, answer, follow)).decision == "respond", own
        assert explain(moment(asked, answer)).reasons == ("the bot's own message",), own
    person = {"from": "BOT", "text": "Donkey, weather in Berlin?", "is_bot": False}
    assert explain(moment(person)).decision == "respond"


@pytest.mark.parametrize(
    "name, text",
    [
        ("🤖 Pip", "Pip, what time is it?"), ("Pip🤖", "hi pip"), ("🌸小驴🌸", "小驴，几点了？"),
        ("ロバ", "ロバ、何時ですか"), ("Осёл", "Осёл, который час?"), ("गधा", "गधा, कितने बजे?"),
    ],
)  # fmt: skip
def test_a_name_is_heard_without_what_adorns_it_and_in_any_script(name: str, text: str) -> None:
    for bot in ({"name": name}, {"aliases": [name]}):
        assert explain({"bot": bot, "messages": [{"from": "Ann", "text": text}]}).decision == "respond"


def test_a_person_with_an_adorned_name_is_called_by_the_plain_one() -> None:
    zoe = {"from": "🌸 Zoë 🌸", "text": "hey all"}
    assert explain(moment(zoe, {"from": "Ann", "text": "Zoë, hi"})).reasons == (
        "for 🌸 Zoë 🌸: named at the start 'zoë'",
    )


def test_of_a_long_text_the_ends_and_the_handles_are_read() -> None:
    long = "word " * 2_000
    for text in (f"Donkey, {long}", f"{long}@donkey_bot {long}", f"{long}, what do you think, Donkey?"):
        assert explain(moment({"from": "Ann", "text": text})).decision == "respond"
    for text in (long, f"{long}mail@donkey_bot.example {long}"):
        assert explain(moment({"from": "Ann", "text": text})).decision == "ignore"
    assert len(brief(long)) < 1_100
    assert len(brief("@donkey_bot @ann " * 10_000)) < 1_100


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(JSON, st.sampled_from(["bot", "mode", "messages", "settings"]))
def test_any_json_gets_a_verdict_or_an_error(value: Any, part: str) -> None:
    good = moment({"from": "Ann", "text": "hi", "t": 0})
    answer = explain_line(json.dumps({**good, part: value}).encode())
    assert answer["decision"] in {"respond", "observe", "ignore"}
    assert "error" in explain_line(json.dumps(value).encode())


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "from": st.sampled_from(["Ann", "Ben", "BOT", "小明"]),
                "text": st.text(max_size=30),
                "t": st.floats(0, 1e9),
            },
            optional={"is_bot": st.booleans(), "reply_to": st.just(0)},
        ),
        min_size=1,
        max_size=8,
    )
)
def test_any_conversation_gets_a_verdict_with_a_reason(messages: list[dict[str, Any]]) -> None:
    verdict = explain(moment(*messages))
    assert 0 <= verdict.score <= 100
    assert verdict.reasons
