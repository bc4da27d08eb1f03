"""What people are told of a wrong configuration, to the letter."""

import re
from pathlib import Path

import pytest

from bot.config.load import load
from bot.errors import ConfigError
from tests.config.files import refusal


def test_every_mistake_is_told_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = """\
[app]
bind = "0.0.0.0:80"
max_histroy = 3
max_history = "abc"
concurrency_limit = 0
locale = "xx"
default_provider = "nope"
api_tokens = ["x"]

[memroy]
x = 1

[providers.a]
base_url = "ftp://u:hunter2@x"
model = "${MODEL}"
api_key = 17
timeout_secs = "${T}"
proxy = "foo://u:hunter2@x:1"

[channels.telegram]
allowed_user_ids = "1, x"
bot_token = 5
"""
    told = refusal(tmp_path, text, {"T": "hunter2"})
    assert "hunter2" not in told
    assert (
        told
        == """\
config.toml has 14 problems:
  config.toml:2: app.bind: 0.0.0.0:80 is open to other machines, but channels.http.api_tokens is empty \
(set api_tokens = ["${XIAOMAOLV_TOKEN}"] in [channels.http], or bind to 127.0.0.1)
  config.toml:3: unknown key "max_histroy" in [app]; did you mean "max_history"?
  config.toml:4: app.max_history: expected a whole number, got "abc"
  config.toml:5: app.concurrency_limit: expected 1 or more, got 0
  config.toml:6: app.locale: expected 'en-US', 'zh-CN', 'hi-IN', 'es-ES' or 'ar', got "xx"
  config.toml:8: unknown key "api_tokens" in [app]; it belongs in [channels.http]
  config.toml:10: unknown table [memroy]; did you mean [memory]?
  config.toml:14: providers.a.base_url: expected an address that starts with http:// or https://, \
got "ftp://u:********@x"
  config.toml:15: providers.a.model: the environment variable MODEL is not set \
(set MODEL, or give a default: ${MODEL:-default})
  config.toml:16: providers.a.api_key: expected a text in quotes, got a value that is not shown
  config.toml:17: providers.a.timeout_secs: expected a number, got what the environment variable T holds
  config.toml:18: providers.a.proxy: expected a proxy address, with one of the schemes \
http, https, socks5, socks5h, got "foo://u:********@x:1"
  config.toml:21: channels.telegram.allowed_user_ids[1]: expected a whole number, got "x"
  config.toml:22: channels.telegram.bot_token: expected a text in quotes, got a value that is not shown"""
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[app]\nbind =\n", "config.toml:2:7: Invalid value"),
        ('[app]\nbind = "x', "config.toml:2:10: Unterminated string"),
        ("[app]\nbind = 'x'\nbind = 'y'", "config.toml:3:11: Cannot overwrite a value"),
        ("x = 1", 'config.toml:1: unknown key "x" in the top of the file'),
        (
            "[app]\nbind = '8080'",
            'config.toml:2: app.bind: expected "host:port", such as "127.0.0.1:8080", got "8080"',
        ),
        ("[app.bind]\nx = 1", "config.toml:1: app.bind: expected a text in quotes, got a table"),
        (
            "[channels.telegram]\nallowed_user_ids = [1, 'x']",
            'config.toml:2: channels.telegram.allowed_user_ids[1]: expected a whole number, got "x"',
        ),
        ("app = 3", "config.toml:1: app: expected a table, got 3"),
        (
            "[memory]\nhybrid_min_score = nan",
            "config.toml:2: memory.hybrid_min_score: expected a finite number, got NaN",
        ),
        (
            "[memory]\nhybrid_min_score = 2",
            "config.toml:2: memory.hybrid_min_score: expected 1 or less, got 2",
        ),
        (
            "[memory]\nbackend = 'x'",
            "config.toml:2: memory.backend: "
            "expected 'hybrid', 'sqlite-only', 'hybrid-sqlite-zvec' or 'off', got \"x\"",
        ),
        ("[models.chat]", "config.toml:1: models.chat.providers: this key is required"),
        (
            "[models.chat]\nproviders = []",
            "config.toml:2: models.chat.providers: expected at least 1 item(s), got []",
        ),
        (
            "[memory]\nrerank = 'model'\nrerank_model = 'fast'",
            'config.toml:3: memory.rerank_model: there is no alias "fast"\n'
            "hint: add [models.fast], or leave it out to ask the chat's own model",
        ),
        (
            "[models.fast]\nproviders = ['x:y']",
            'config.toml:2: models.fast.providers: there is no provider "x"\nhint: configured: local',
        ),
        (
            "[app]\ndefault_provider = 'x'",
            'config.toml:2: app.default_provider: there is no provider "x"\nhint: configured: local',
        ),
        (
            "[providers.a]\nmodel = 'm'",
            "config.toml:1: providers.a.base_url: this key is required for kind openai-compatible",
        ),
        (
            "[channels.telegram]\nbot_token = '1:x'\nmode = 'webhook'\nwebhook_secret = 's'",
            "config.toml:3: channels.telegram.webhook_url: this key is required for mode webhook",
        ),
        (
            "[channels.telegram]\nscheduler_default_timezone = 'Mars/Base'",
            'config.toml:2: channels.telegram.scheduler_default_timezone: there is no time zone "Mars/Base"'
            "\nhint: expected a name such as Europe/Madrid",
        ),
        (
            "[channels.telegram]\nbot_token = '1:x'\n[channels.plugins.telegram]\nkind = 'telegram'",
            "config.toml:3: channels.plugins.telegram: there is a table [channels.telegram] already\n"
            "hint: keep one of the two",
        ),
        (
            "[memory]\nembedder = 'openai'",
            'config.toml:2: memory.embedder_base_url: this key is required for embedder = "openai"',
        ),
        (
            "[memory]\ncontext_window_tokens = 8000",
            "config.toml:1: memory.context_reserved_tokens: expected less than memory.context_window_tokens "
            "(8000), got 8192",
        ),
        (
            "[agent.harness.loop_engine]\nworker_enabled = true",
            "config.toml:2: agent.harness.loop_engine.worker_enabled: "
            "needs agent.harness.loop_engine.enabled",
        ),
        (
            "[agent.harness.loop_engine]\nself_test_interval_secs = 5",
            "config.toml:2: agent.harness.loop_engine.self_test_interval_secs: "
            "expected 0, or 10 or more, got 5",
        ),
        ("[storage]\nurl = 'mysql://x'", None),
        (
            "[persona]\ntext = '${1}'",
            "config.toml:2: persona.text: a placeholder is not well formed; "
            "expected ${NAME} or ${NAME:-default}"
            "\nhint: write $${ for a literal ${",
        ),
        ("[providers.a]\nkind = 'local'\nproxy = 'x'", None),
        ("providers.'a:b'.kind = 'local'", None),
        ("providers = 3", "config.toml:1: providers: expected a table, got 3"),
        ("channels.http.api_tokens = 3.5", None),
        (
            "[app]\nmax_history = 9223372036854775808",
            "config.toml:2: app.max_history: expected a number of at most 9223372036854775807, "
            "got 9223372036854775808",
        ),
        ("[channels.telegram]\nallowed_user_ids = [1, 99999999999999999999]", None),
        ("[providers.a]\nkind = 'local'\ntimeout_secs = 1e300", None),
    ],
)
def test_a_mistake_says_where_and_what_was_expected(tmp_path: Path, text: str, told: str | None) -> None:
    heard = refusal(tmp_path, text)
    assert re.match(r"config\.toml:\d+(:\d+)?: \S", heard)
    if told is not None:
        assert heard == told


def test_lists_within_lists_without_end_are_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path, "a = " + "[" * 5000) == "config.toml: its lists or tables are nested too deeply"


def test_an_automatic_evolution_cycle_says_what_it_lacks(tmp_path: Path) -> None:
    told = refusal(tmp_path, "[agent.harness.evolution]\nauto_cycle_enabled = true\ncycle_interval_secs = 5")
    assert [line.rpartition(": needs ")[2] for line in told.splitlines()[1:]] == [
        "agent.harness.evolution.enabled",
        "app.api_key",
        "agent.harness.evolution.cycle_interval_secs of 60 or more",
    ]


def test_a_long_wrong_value_is_cut(tmp_path: Path) -> None:
    assert refusal(tmp_path, f"[app]\nmax_history = '{'x' * 500}'").endswith("xxx…")


def test_a_file_that_is_not_utf8_is_told_as_such(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(b"[app]\n# \xff")
    with pytest.raises(ConfigError, match="byte 8 is not UTF-8"):
        load(tmp_path / "config.toml", {})


def test_a_dotenv_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"A=\xff")
    assert ".env cannot be read" in refusal(tmp_path, "")


def test_a_folder_in_place_of_the_file_is_told_as_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is a folder, not a file"):
        load(tmp_path, {})


def test_mistakes_in_the_environment_alone_name_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError) as caught:
        load(None, {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "nonsense"})
    assert caught.value.message == (
        'providers.openai.base_url: expected an address that starts with http:// or https://, got "nonsense"'
    )


def test_a_faulty_rule_is_told_by_its_number_and_its_line(tmp_path: Path) -> None:
    text = """\
[[policy.rules]]
match = { tool = "send_mail" }
effect = "allow"

[[policy.rules]]
match = { toolset = "shell", rolle = "owner" }
effect = "never"

[[policy.rules]]
[policy.rules.match]
tool = ""
"""
    assert (
        refusal(tmp_path, text)
        == """\
config.toml has 4 problems:
  config.toml:6: unknown key "rolle" in match of number 2 of [[policy.rules]]
  config.toml:7: number 2 of [[policy.rules]]: effect: expected 'allow', 'deny' or 'ask', got "never"
  config.toml:9: number 3 of [[policy.rules]]: effect: this key is required
  config.toml:11: number 3 of [[policy.rules]]: match.tool: expected at least one; leave the key out to \
match everything, got ""\
"""
    )
    text = """\
[policy]
rules = [
  { effect = "allow" },
  { efect = "allow" },
]
"""
    assert (
        refusal(tmp_path, text)
        == """\
config.toml has 2 problems:
  config.toml:4: number 2 of [[policy.rules]]: effect: this key is required
  config.toml:4: unknown key "efect" in number 2 of [[policy.rules]]\
"""
    )


def test_a_provider_that_is_called_by_a_number_is_none_of_a_list(tmp_path: Path) -> None:
    told = refusal(tmp_path, '[providers.1]\nkind = "locl"\n')
    assert told.startswith("config.toml:2: providers")
    assert "number" not in told
