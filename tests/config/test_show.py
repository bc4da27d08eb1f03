import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.config.mask import known_secrets, without_password
from bot.config.settings import Settings
from bot.config.show import show
from bot.config.toml import toml_value
from tests.config.files import read

SECRETS = {
    "app": {"api_key": "hunter2-a"},
    "providers": {
        "a": {
            "base_url": "https://u:hunter2-b@example.org/v1",
            "api_key": "hunter2-c",
            "proxy": "socks5h://u:hunter2-d@127.0.0.1:1080",
            "options": {
                "extra_headers": {"x-api-key": "hunter2-e", "x-title": "donkey"},
                "n": [1, {"k": 2.5}],
            },
        }
    },
    "channels": {
        "http": {"api_tokens": ["hunter2-f"], "diag_bearer_token": "hunter2-g"},
        "telegram": {"bot_token": "1:hunter2-h", "webhook_secret": "hunter2-i"},
        "plugins": {"x": {"kind": "k", "settings": {"access_token": "hunter2-j", "n": 3}}},
    },
    "storage": {"url": "postgresql://u:hunter2-k@db/bot"},
    "memory": {"embedder_api_key": "hunter2-l", "zvec": {"auth_bearer_token": "hunter2-m"}},
    "agent": {"harness": {"loop_engine": {"ingest_api_key": "hunter2-n"}}},
}


@pytest.mark.pain("62")
def test_no_secret_is_shown() -> None:
    shown = show(Settings.model_validate(SECRETS))
    assert "hunter2" not in shown
    assert 'url = "postgresql://u:********@db/bot"' in shown
    assert 'api_tokens = ["********"]' in shown
    assert "donkey" in shown


@pytest.mark.pain("62")
def test_no_secret_is_in_the_text_form_of_the_settings() -> None:
    text = repr(
        Settings.model_validate({"channels": SECRETS["channels"], "app": SECRETS["app"]}).channels.http
    )
    assert "hunter2" not in text


def test_what_is_shown_is_a_configuration_again(tmp_path: Path) -> None:
    settings = Settings.model_validate({
        "providers": {"a": {"kind": "local"}},
        "models": {"chat": {"providers": ["a"]}},
    })
    settings = settings.model_copy(update={"app": settings.app.model_copy(update={"default_provider": "a"})})
    assert read(tmp_path, show(settings)) == settings


def test_what_is_not_set_is_said_so() -> None:
    assert "# bot_token is not set" in show(Settings())


def test_all_secrets_are_known_for_the_log_longest_first() -> None:
    known = known_secrets(Settings.model_validate(SECRETS))
    assert set(known) == {f"hunter2-{letter}" for letter in "acfgilmn"} | {"1:hunter2-h"}
    assert known[0] == "1:hunter2-h"


@given(
    value=st.recursive(
        st.text() | st.integers() | st.booleans() | st.floats(allow_nan=False),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    )
)
def test_a_value_written_as_toml_reads_as_itself(value: object) -> None:
    assert tomllib.loads(f"x = {toml_value(value)}") == {"x": value}


def test_a_value_toml_has_no_word_for_is_refused() -> None:
    with pytest.raises(TypeError, match="no TOML for NoneType"):
        toml_value(None)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("see https://ann:secret@host/x?y=1", "see https://********@host/x?y=1"),
        ("see https://secret@host/x", "see https://********@host/x"),
        ("git+HTTPS://secret:@host/x@y", "git+HTTPS://********@host/x@y"),
        ("wss://secret@host, URL_https://secret@host", "wss://********@host, URL_https://********@host"),
        ("redis://:secret@host", "redis://:********@host"),
        ("postgresql://u:se/cret@db/x", "postgresql://u:********@db/x"),
        ("postgresql://u:se@cret@db/x", "postgresql://u:********@db/x"),
        ("redis://host:1/0,https://secret@host", "redis://host:1/0,https://********@host"),
        ("ssh://git@host/x postgresql://u@db/x", "ssh://git@host/x postgresql://u@db/x"),
        ("https://host/@ann", "https://host/@ann"),
        ("https://host/?api_key=secret&x=1", "https://host/?api_key=********&x=1"),
        ("https://host/v1?x=1&k=secret", "https://host/v1?x=1&k=********"),
        ("https://host/?X-Amz-Signature=secret", "https://host/?X-Amz-Signature=********"),
        ("https://host/?pwd=secret&sig=secret", "https://host/?pwd=********&sig=********"),
        ("https://host/?sslmode=require&work=8", "https://host/?sslmode=require&work=8"),
        ("https://host:80/a@b", "https://host:80/a@b"),
        ("mail ann@example.org", "mail ann@example.org"),
    ],
)
def test_addresses_lose_their_passwords(text: str, masked: str) -> None:
    assert without_password(text) == masked
