from pathlib import Path

import pytest

from bot.config.load import find_file, load, read_environment
from bot.config.settings import Settings
from bot.errors import ConfigError
from tests.config.files import read, refusal, write


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_named_file_comes_before_the_environment_and_the_current_folder(tmp_path: Path) -> None:
    here = write(tmp_path, "")
    named, told = tmp_path / "named.toml", tmp_path / "told.toml"
    for file in (named, told):
        file.touch()
    environ = {"XIAOMAOLV_CONFIG": str(told)}
    assert find_file(named, environ) == named
    assert find_file(None, environ) == told
    assert find_file(None, {}) == Path(here.name)
    here.unlink()
    assert find_file(None, {}) is None


@pytest.mark.parametrize(
    ("path", "environ", "by"),
    [(Path("no.toml"), {}, "--config"), (None, {"XIAOMAOLV_CONFIG": "no.toml"}, "XIAOMAOLV_CONFIG")],
)
def test_a_file_that_is_named_but_missing_is_an_error(
    path: Path | None, environ: dict[str, str], by: str
) -> None:
    with pytest.raises(ConfigError, match=r"no\.toml does not exist") as caught:
        load(path, environ)
    assert by in caught.value.hint


def test_without_a_file_or_a_key_the_local_model_answers_cautiously() -> None:
    settings = load(None, {})
    provider = settings.providers["local"]
    assert settings.app.default_provider == "local"
    assert settings.chain() == (("local", None),)
    assert (provider.kind, provider.temperature, provider.top_p, provider.repeat_penalty) == (
        "local",
        0.2,
        0.9,
        1.1,
    )


def test_a_local_model_of_ones_own_keeps_its_own_sampling(tmp_path: Path) -> None:
    settings = read(tmp_path, '[providers.mine]\nkind = "local"\nmodel = "big.gguf"')
    assert settings.providers["mine"].temperature is None


def test_an_openai_key_in_the_environment_is_enough() -> None:
    settings = load(None, {"OPENAI_API_KEY": "sk-1"})
    provider = settings.providers["openai"]
    assert settings.app.default_provider == "openai"
    assert provider.api_key is not None
    assert provider.api_key.get_secret_value() == "sk-1"
    assert (provider.base_url, provider.model) == ("https://api.openai.com/v1", "gpt-4o-mini")


def test_the_environment_may_name_another_endpoint_and_model() -> None:
    environ = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1/", "OPENAI_MODEL": "m"}
    provider = load(None, environ).providers["openai"]
    assert (provider.base_url, provider.model) == ("http://127.0.0.1:1/v1", "m")


def test_configured_providers_come_before_the_key_in_the_environment(tmp_path: Path) -> None:
    text = '[providers.b]\nkind = "local"\n[providers.a]\nkind = "local"'
    settings = read(tmp_path, text, {"OPENAI_API_KEY": "sk-1"})
    assert list(settings.providers) == ["b", "a"]
    assert settings.app.default_provider == "b"


def test_a_telegram_token_in_the_environment_is_used_unless_one_is_configured(tmp_path: Path) -> None:
    environ = {"TELEGRAM_BOT_TOKEN": "1:env"}
    telegram = load(None, environ).channels.telegram
    assert telegram.is_active
    assert telegram.bot_token is not None
    assert telegram.bot_token.get_secret_value() == "1:env"
    own = read(tmp_path, '[channels.telegram]\nbot_token = "1:own"', environ).channels.telegram.bot_token
    assert own is not None
    assert own.get_secret_value() == "1:own"
    off = read(tmp_path, "[channels.telegram]\nenabled = false", environ)
    assert not off.channels.telegram.is_active


def test_a_placeholder_can_stand_for_a_number_a_switch_or_a_list(tmp_path: Path) -> None:
    text = """
[app]
bind = "127.0.0.1:${PORT:-8080}"
max_history = "${HISTORY:-5}"
[channels.http]
enabled = "${HTTP:-false}"
api_tokens = "${TOKENS}"
[channels.telegram]
admin_user_ids = ["${ADMIN}", 7]
"""
    settings = read(tmp_path, text, {"PORT": "9", "TOKENS": "one, two", "ADMIN": "42"})
    assert (settings.app.host, settings.app.port) == ("127.0.0.1", 9)
    assert settings.app.max_history == 5
    assert settings.channels.http.enabled is False
    assert [token.get_secret_value() for token in settings.channels.http.api_tokens] == ["one", "two"]
    assert settings.channels.telegram.admin_user_ids == (42, 7)


def test_a_dotenv_file_beside_the_configuration_fills_in_what_the_environment_lacks(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text('A="from file"\nexport B=b # c\nC\n', encoding="utf-8")
    text = '[persona]\ntext = "${A} ${B} ${C:-c}"'
    assert read(tmp_path, text, {"B": "real"}).persona.text == "from file real c"


def test_a_byte_order_mark_and_windows_line_ends_are_no_trouble(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_bytes("\ufeff[app]\r\nmax_history = 3\r\n".encode())
    assert load(file, {}).app.max_history == 3


def test_the_system_prompt_may_stand_in_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "me.md").write_text("You are a donkey.", encoding="utf-8")
    assert read(tmp_path, '[persona]\nfile = "me.md"').persona.text == "You are a donkey."
    assert "no.md cannot be read" in refusal(tmp_path, '[persona]\nfile = "no.md"')


def test_ids_may_be_a_list_a_text_or_one_number(tmp_path: Path) -> None:
    for written in ("[1, 2]", '"1, 2"', '"1 2,"'):
        ids = read(tmp_path, f"[channels.telegram]\nallowed_user_ids = {written}").channels.telegram
        assert ids.allowed_user_ids == (1, 2)
    assert read(tmp_path, "[channels.telegram]\nadmin_user_ids = 3").channels.telegram.admin_user_ids == (3,)
    assert read(tmp_path, '[channels.telegram]\nadmin_user_ids = ""').channels.telegram.admin_user_ids == ()


def test_a_blank_secret_is_none(tmp_path: Path) -> None:
    settings = read(tmp_path, '[channels.telegram]\nbot_token = ""\n[channels.http]\napi_tokens = ["", " "]')
    assert settings.channels.telegram.bot_token is None
    assert settings.channels.http.api_tokens == ()


def test_a_secret_with_the_line_end_of_its_file_is_taken_without_it(tmp_path: Path) -> None:
    text = """
[channels.http]
api_tokens = ["${TOKEN}"]
diag_bearer_token = "${TOKEN}"
[providers.a]
kind = "local"
api_key = "${TOKEN}"
"""
    settings = read(tmp_path, text, {"TOKEN": " sesame\r\n"})
    http, provider = settings.channels.http, settings.providers["a"]
    for secret in (*http.api_tokens, http.diag_bearer_token, provider.api_key):
        assert secret is not None
        assert secret.get_secret_value() == "sesame"
    told = refusal(tmp_path, text, {"TOKEN": "open\nsesame"})
    assert "channels.http.api_tokens[0]: expected a text without line ends" in told
    assert "sesame" not in told


def test_the_first_token_may_take_as_long_as_any_silence(tmp_path: Path) -> None:
    text = '[providers.a]\nkind = "local"\ntimeout_secs = 7\n'
    assert read(tmp_path, text).providers["a"].first_token_timeout_secs == 7
    assert read(tmp_path, text + "first_token_timeout_secs = 3").providers["a"].first_token_timeout_secs == 3


def test_an_alias_is_a_chain_of_providers_each_with_a_model_of_its_choice(tmp_path: Path) -> None:
    text = """
[providers.a]
kind = "local"
[providers.b]
kind = "local"
[models.chat]
providers = ["b:qwen:7b", "a"]
"""
    settings = read(tmp_path, text)
    assert settings.chain("chat") == (("b", "qwen:7b"), ("a", None))
    assert settings.chain("summary") == (("a", None),)


def test_settings_made_by_hand_lead_to_their_first_provider() -> None:
    assert Settings().chain() == ()
    assert Settings.model_validate({"providers": {"x": {"kind": "local"}}}).chain() == (("x", None),)


def test_the_environment_of_the_process_is_read_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XIAOMAOLV_TEST", "yes")
    assert read_environment()["XIAOMAOLV_TEST"] == "yes"


@pytest.mark.parametrize(
    "bind", ["127.0.0.1:0", "[::1]:80", "localhost:80", "127.9.9.9:80", "[::ffff:127.0.0.1]:1"]
)
def test_a_loopback_bind_needs_no_token(tmp_path: Path, bind: str) -> None:
    assert read(tmp_path, f'[app]\nbind = "{bind}"').app.bind == bind


@pytest.mark.parametrize(
    "bind", ["0.0.0.0:80", "[::]:80", "192.168.1.2:80", "example.org:80", "localhost.evil.org:1"]
)
def test_any_other_bind_needs_one(tmp_path: Path, bind: str) -> None:
    assert "api_tokens is empty" in refusal(tmp_path, f'[app]\nbind = "{bind}"')
    tokens = '[channels.http]\napi_tokens = ["a-long-token"]'
    assert read(tmp_path, f'[app]\nbind = "{bind}"\n{tokens}').app.bind == bind
