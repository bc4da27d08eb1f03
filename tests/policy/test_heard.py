"""Addresses that were given, and addresses that were made up."""

import pytest

from bot.domain.conversation import ConversationId, SpeakerId
from bot.domain.run import RunId
from bot.domain.tool import RunContext, Tool
from bot.policy.heard import Heard
from bot.policy.rules import Policy, is_grave

CONTEXT = RunContext(RunId("r"), ConversationId("c"), SpeakerId("s"))
FETCH = Tool("fetch", "", {}, "read", "net", untrusted=True, outbound=True)
WRITE = Tool("write", "", {}, "write", "files")
PAGE = "see https://a.example/one, (https://a.example/two?id=7) and https://a.example/three."


@pytest.mark.parametrize(
    ("url", "own", "others", "vouched"),
    [
        ("https://a.example/two?id=7", PAGE, "", True),
        ("https://a.example/one", PAGE, "", True),
        ("https://a.example/three", PAGE, "", True),
        ("https://a.example/one", "", PAGE, True),
        ("https://a.example/two?id=7", "", PAGE, False),
        ("https://a.example/two", PAGE, "", False),
        ("https://a.example/on", PAGE, "", False),
        ("https://a.example/one?d=secret", PAGE, PAGE, False),
        ("https://a.example/one/secret", PAGE, PAGE, False),
        ("https://b.example/", PAGE, PAGE, False),
    ],
)
def test_an_address_counts_as_given_when_it_stands_there_letter_for_letter(
    url: str, own: str, others: str, vouched: bool
) -> None:
    assert Heard(own, others).vouches_for({"url": url}) is vouched


def test_one_address_that_was_made_up_is_enough() -> None:
    heard = Heard("https://a.example/")
    assert not heard.vouches_for({"urls": ["https://a.example/", "https://b.example/?d=x"]})
    assert not heard.vouches_for({"words": "no address"})


def test_after_reading_what_others_wrote_a_made_up_address_is_asked_about() -> None:
    judge = Policy().judge
    wanted = {"url": "https://a.example/?d=secret"}
    assert judge(FETCH, wanted, CONTEXT).decision == "allow"
    assert judge(FETCH, wanted, CONTEXT, tainted=True).decision == "ask"
    given = Heard("read https://a.example/?d=secret please")
    assert judge(FETCH, wanted, CONTEXT, tainted=True, heard=given).decision == "allow"
    assert is_grave(FETCH)


def test_after_reading_what_others_wrote_nothing_is_written_unless_a_rule_says_so() -> None:
    assert Policy().judge(WRITE, {}, CONTEXT).decision == "allow"
    verdict = Policy().judge(WRITE, {}, CONTEXT, tainted=True)
    assert (verdict.decision, verdict.tainted) == ("ask", True)
