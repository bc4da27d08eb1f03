"""Rules of the operator: the first that matches decides; a rule that allows needs every value to match."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bot.config.policy import PolicyRule, PolicySettings
from bot.domain.conversation import ConversationId, SpeakerId
from bot.domain.run import RunId
from bot.domain.tool import EFFECTS, RunContext, Tool
from bot.policy.digests import digest
from bot.policy.rules import GRAVE, Policy

SEND = Tool("send", "sends", {"type": "object"}, "external", "post")
CONTEXT = RunContext(RunId("turn-1"), ConversationId("telegram:-100123"), SpeakerId("telegram:1"))


def policy(*rules: dict[str, Any]) -> Policy:
    return Policy(PolicySettings(rules=tuple(PolicyRule.model_validate(rule) for rule in rules)))


def test_the_first_rule_that_matches_decides() -> None:
    judge = policy(
        {"match": {"tool": "other"}, "effect": "deny"},
        {"match": {"conversation": ["telegram:-100*"]}, "effect": "allow", "reason": "our own group"},
        {"effect": "deny"},
    ).judge
    verdict = judge(SEND, {}, CONTEXT)
    assert (verdict.decision, verdict.reason, verdict.rule) == ("allow", "our own group", 2)


def test_an_allowed_value_in_a_list_does_not_bring_another_along() -> None:
    rule = {"match": {"arguments": {"to": "*@home.example"}}, "effect": "allow"}
    judge = policy(rule).judge
    assert judge(SEND, {"to": ["ann@home.example"]}, CONTEXT).decision == "allow"
    assert judge(SEND, {"to": ["ann@home.example", "eve@evil.example"]}, CONTEXT).decision == "ask"
    assert judge(SEND, {}, CONTEXT).decision == "ask"


@pytest.mark.pain("51")
@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        ("*@home.example", "eve@evil.example,ann@home.example"),
        ("*@home.example", "eve@evil.example; ann@home.example"),
        ("*@home.example", "<eve@evil.example> ann@home.example"),
        ("*@home.example", "eve@evil.example\nBcc: ann@home.example"),
        ("https://*.home.example/*", "https://evil.example/?x.home.example/"),
        ("https://*.home.example/*", "https://evil.example#a.home.example/"),
        ("https://*.home.example/*", "https://me@evil.example/.home.example/"),
        ("/srv/open/*", "/srv/open/../keys"),
        ("/srv/open/*", "/srv/open/a/../../keys"),
        ("/srv/open/*", "/srv/open/%2e%2e/keys"),
        ("/srv/open/*", "/srv/open/..\\keys"),
        ("/srv/open/*", "/srv/open/a\0"),
        ("*.txt", "../keys.txt"),
        ("/srv/*/notes.md", "/srv/../etc/notes.md"),
        ("report[1].txt", "report1.txt"),
    ],
)
def test_a_rule_allows_no_more_than_its_pattern_can_have_meant(pattern: str, value: str) -> None:
    judge = policy({"match": {"arguments": {"to": pattern}}, "effect": "allow"}).judge
    assert judge(SEND, {"to": value}, CONTEXT).decision == "ask"


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        ("*@home.example", "ann.b+c@home.example"),
        ("*@home.example", "ANN@Home.Example"),
        ("https://*.home.example/*", "https://wiki.home.example/a/b?c=d..e"),
        ("/srv/open/*", "/srv/open/a/b c.txt"),
        ("*.txt", "notes.of.may.txt"),
        ("*please*", "Could you, Ann,\nplease come?"),
        ("*", "../../anything\n"),
        ("a?c", "abc"),
        ("report[1].txt", "report[1].txt"),
        (3, 3),
        (True, True),
    ],
)
def test_a_rule_allows_what_its_pattern_says(pattern: object, value: object) -> None:
    judge = policy({"match": {"arguments": {"to": pattern}}, "effect": "allow"}).judge
    assert judge(SEND, {"to": value}, CONTEXT).decision == "allow"


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        ("secret/*", "./secret/a"),
        ("secret/*", "secret//a"),
        ("secret/*", "b/../secret/a"),
        ("secret/*", "secret\\a"),
        ("secret/*", "%73ecret/a"),
        ("secret/*", "ｓecret/a"),
        ("secret/*", "Secret/a"),
        ("/etc/*", "//etc/passwd"),
        ("*@evil.example", "eve@evil.example, ann@home.example"),
        ("*@evil.example", "Eve <eve@evil.example>"),
        ("https://[::1]/*", "https://[::1]/a"),
    ],
)
def test_a_rule_that_denies_sees_through_other_spellings(pattern: str, value: str) -> None:
    judge = policy({"match": {"arguments": {"to": pattern}}, "effect": "deny"}, {"effect": "allow"}).judge
    assert judge(SEND, {"to": value}, CONTEXT).decision == "deny"
    assert judge(SEND, {"to": "other/a"}, CONTEXT).decision == "allow"


@pytest.mark.parametrize("effect", ["allow", "deny"])
def test_a_pattern_with_many_stars_takes_no_longer_for_a_long_value(effect: str) -> None:
    judge = policy({"match": {"arguments": {"to": "*a" * 12 + "b"}}, "effect": effect}).judge
    assert judge(SEND, {"to": "a" * 200_000 + "c"}, CONTEXT).decision == "ask"


def test_a_denied_value_anywhere_in_a_list_is_enough() -> None:
    judge = policy({"match": {"arguments": {"mail.to": ["*@EVIL.example"]}}, "effect": "deny"}).judge
    assert judge(SEND, {"mail": {"to": ["a@b.example", "eve@evil.example"]}}, CONTEXT).decision == "deny"


def test_roles_and_groups_are_told_apart() -> None:
    judge = policy({"match": {"role": ["owner"], "conversation": "private"}, "effect": "allow"}).judge
    where, who = CONTEXT.conversation_id, CONTEXT.person_id
    assert judge(SEND, {}, RunContext(CONTEXT.run_id, where, who, role="owner")).decision == "allow"
    assert judge(SEND, {}, RunContext(CONTEXT.run_id, where, who, role="member")).decision == "ask"
    shared = RunContext(CONTEXT.run_id, where, who, role="owner", is_private=False)
    assert judge(SEND, {}, shared).decision == "ask"


def test_what_others_wrote_makes_a_grave_call_ask_whatever_the_rule_said() -> None:
    judge = policy({"effect": "allow"}).judge
    for effect in EFFECTS:
        tool = Tool("it", "", {}, effect, "x")
        wanted = "ask" if effect in GRAVE else "allow"
        assert judge(tool, {}, CONTEXT, tainted=True).decision == wanted
        assert judge(tool, {}, CONTEXT).decision == "allow"


def test_a_denial_is_not_softened_by_what_was_read() -> None:
    assert policy({"effect": "deny"}).judge(SEND, {}, CONTEXT, tainted=True).decision == "deny"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), JSON))
def test_a_digest_does_not_depend_on_the_order_of_keys(arguments: dict[str, Any]) -> None:
    turned = dict(reversed(arguments.items()))
    assert digest(SEND, arguments) == digest(SEND, turned)
    assert re.fullmatch("[0-9a-f]{64}", digest(SEND, arguments))
    assert digest(SEND, {**arguments, "more": 1, "and": 2}) != digest(SEND, arguments)


@pytest.mark.parametrize(
    "match", [{"tool": ""}, {"tool": []}, {"role": " "}, {"arguments": {"to": ""}}, {"arguments": {"to": []}}]
)
def test_a_rule_whose_names_came_out_empty_is_refused_and_not_one_for_everything(
    match: dict[str, Any],
) -> None:
    with pytest.raises(ValidationError, match="expected"):
        policy({"match": match, "effect": "allow"})
