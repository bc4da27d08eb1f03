"""What is never kept, and what every write must bring."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.store.engine import Store
from memory.privacy import REMOVED, WritePolicy, hide_secrets, objection
from memory.record import RecallQuery, Scope
from memory.store import keep
from tests.memory.build import ANN, by_words, draft
from tests.memory.fakes import NOW

SECRETS = (
    "sk-ant-abcdefghijklmnop1234",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "xoxb-123456789012-abcdefghijkl",
    "AKIAIOSFODNN7EXAMPLE",
    "AIzaSyA1234567890abcdefghijklmnopqrstuv",
    "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N",
    "4111 1111 1111 1111",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
)
HARMLESS = (
    "my password is too long, what shall I do?",
    "the password is wrong",
    "call me at 13800138000",
    "order 4111111111111112 has been sent",
    "the secret is patience",
    "密码是什么？",
    "my pin code starts with a letter",
    "pass me the salt: it is on the table",
    "a token is a unit of text",
    "the meeting is at 10:30, room 4",
)


@pytest.mark.parametrize("secret", SECRETS)
def test_what_looks_like_a_secret_is_taken_out_and_the_rest_stays(secret: str) -> None:
    assert hide_secrets(f"look: {secret} is it") == f"look: {REMOVED} is it"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("my password is hunter22", f"my password is {REMOVED}"),
        ("My Password is swordfish.", f"My Password is {REMOVED}."),
        ("the password for the wifi is Blue42!", f"the password for the wifi is {REMOVED}!"),
        ("API_KEY=abcdef", f"API_KEY={REMOVED}"),
        ('"secret_key": "zz99yy"', f'"secret_key": "{REMOVED}"'),
        ("我的密码是hunter22，别忘了", f"我的密码是{REMOVED}，别忘了"),
        ("mi contraseña es Perro99", f"mi contraseña es {REMOVED}"),
        ("मेरा पासवर्ड है abc123", f"मेरा पासवर्ड है {REMOVED}"),
        ("كلمة المرور هي abc123", f"كلمة المرور هي {REMOVED}"),
        ("postgres://ann:pw@host/db", f"postgres://{REMOVED}@host/db"),
        ("clone https://0a1b2c3d@host/ann/x", f"clone https://{REMOVED}@host/ann/x"),
        ("my pin is 1234", f"my pin is {REMOVED}"),
    ],
)
def test_what_somebody_calls_a_secret_is_taken_out(text: str, left: str) -> None:
    assert hide_secrets(text) == left


@pytest.mark.parametrize("text", HARMLESS)
def test_talk_about_secrets_and_plain_numbers_stay(text: str) -> None:
    assert hide_secrets(text) == text


@given(st.text(max_size=300))
def test_hiding_twice_hides_nothing_more(text: str) -> None:
    once = hide_secrets(text)
    assert hide_secrets(once) == once


async def test_a_secret_is_not_found_in_memory_by_anybody(store: Store) -> None:
    await store.write(keep, [draft(f"note the key {SECRETS[0]} of the garden")], NOW)
    hits = await by_words(store, hybrid_min_score=0).recall(RecallQuery("key of the garden", (ANN,), NOW))
    assert [hit.text for hit in hits] == [f"note the key {REMOVED} of the garden"]


def test_a_write_needs_a_scope_leave_and_provenance() -> None:
    fine = draft("tea")
    assert objection(fine) is None
    assert objection(replace(fine, scope=Scope("a name of theirs"))) is None
    assert objection(replace(fine, scope=Scope("person:"))) == "scope_required"
    assert objection(fine, WritePolicy(decision="deny")) == "policy_denied"
    assert objection(fine, WritePolicy(decision="review")) == "review_required"
    assert objection(replace(fine, source="")) == "provenance_required"
    assert objection(replace(fine, source=""), WritePolicy(require_provenance=False)) is None
    assert objection(fine, WritePolicy(allow_long_term=False)) == "long_term_denied"
    working = replace(fine, kind="working")
    assert objection(working) == "expiry_required"
    assert objection(replace(working, expires_at=NOW), WritePolicy(allow_long_term=False)) is None


async def test_what_may_not_be_kept_is_left_out_with_its_reason(store: Store) -> None:
    drafts = [draft("tea"), draft(" \n "), replace(draft("coffee"), source="")]
    kept = await store.write(keep, drafts, NOW)
    assert (len(kept.ids), kept.rejected) == (1, ("empty", "provenance_required"))
