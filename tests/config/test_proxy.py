from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.config.proxy import proxy_for
from bot.errors import ConfigError
from tests.config.files import read

HOSTED = "https://api.openai.com/v1"
PROXY = "socks5h://127.0.0.1:1080"


@pytest.mark.pain("P073")
def test_a_hosted_model_takes_the_proxy_and_a_local_one_does_not() -> None:
    environ = {"HTTPS_PROXY": PROXY, "HTTP_PROXY": PROXY, "NO_PROXY": ""}
    assert proxy_for(HOSTED, None, environ) == PROXY
    for local in (
        "http://127.0.0.1:11434/v1",
        "http://localhost:1/v1",
        "https://[::1]/v1",
        "http://a.localhost/",
    ):
        assert proxy_for(local, None, environ) is None
        assert proxy_for(local, "http://proxy:1", environ) is None


@pytest.mark.pain("P073")
def test_a_proxy_can_be_set_for_one_provider_and_for_one_channel(tmp_path: Path) -> None:
    text = f"""
[providers.a]
kind = "local"
proxy = "http://proxy:1"
[channels.telegram]
proxy = "{PROXY}"
"""
    settings = read(tmp_path, text)
    assert (
        proxy_for(HOSTED, settings.providers["a"].proxy, {"HTTPS_PROXY": "http://other:1"})
        == "http://proxy:1"
    )
    assert settings.channels.telegram.proxy == PROXY


@pytest.mark.pain("P073")
@pytest.mark.parametrize("name", ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"])
def test_an_unknown_scheme_is_one_line_that_names_the_variable(name: str) -> None:
    with pytest.raises(ConfigError) as caught:
        proxy_for(HOSTED, None, {name: "gopher://u:hunter2@x:1"})
    assert caught.value.message == f'the environment variable {name} has the proxy scheme "gopher"'
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("environ", "proxy"),
    [
        ({}, None),
        ({"HTTP_PROXY": "http://p:1"}, None),
        ({"HTTPS_PROXY": "p:1"}, "http://p:1"),
        ({"HTTPS_PROXY": "http://upper:1", "https_proxy": "http://lower:1"}, "http://lower:1"),
        ({"ALL_PROXY": "socks://p:1"}, "socks5://p:1"),
        ({"HTTPS_PROXY": "HTTP://p:1"}, "http://p:1"),
        ({"HTTPS_PROXY": " ", "ALL_PROXY": "http://p:1"}, "http://p:1"),
    ],
)
def test_the_environment_is_read_as_curl_reads_it(environ: dict[str, str], proxy: str | None) -> None:
    assert proxy_for(HOSTED, None, environ) == proxy


@pytest.mark.parametrize(
    ("url", "no_proxy", "direct"),
    [
        ("https://api.openai.com/v1", "*", True),
        ("https://api.openai.com/v1", "example.org, openai.com", True),
        ("https://api.openai.com/v1", ".openai.com", True),
        ("https://api.openai.com/v1", "*.openai.com", True),
        ("https://api.openai.com/v1", "API.OPENAI.COM:443", True),
        ("https://api.openai.com/v1", "api.openai.com:8443", False),
        ("https://notopenai.com/v1", "openai.com", False),
        ("http://10.1.2.3:80/v1", "10.0.0.0/8", True),
        ("http://10.1.2.3:80/v1", "10.1.2.3", True),
        ("http://10.1.2.3:80/v1", "192.168.0.0/16,", False),
        ("http://[fd00::1]/v1", "fd00::/8", True),
    ],
)
def test_no_proxy_exempts_hosts_domains_ports_and_networks(url: str, no_proxy: str, direct: bool) -> None:
    environ = {"ALL_PROXY": "http://p:1", "NO_PROXY": no_proxy}
    assert (proxy_for(url, None, environ) is None) == direct
    assert proxy_for(url, "http://own:1", environ) == "http://own:1"


@given(no_proxy=st.text())
def test_any_no_proxy_is_understood_or_passed_over(no_proxy: str) -> None:
    assert proxy_for(HOSTED, None, {"NO_PROXY": no_proxy, "HTTPS_PROXY": "http://p:1"}) in {
        None,
        "http://p:1",
    }
