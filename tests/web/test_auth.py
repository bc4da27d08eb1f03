"""Who may come in: Host, Origin, bearer tokens, the cookie of the page."""

import re
from typing import Any

import pytest

from bot.config.settings import Settings
from bot.errors import ConfigError
from channels.web.server import WebChannel
from tests.builders import ModelState, WebBot, open_core, open_web
from tests.fakes.clock import ManualClock
from tests.fakes.models import ScriptedModel

TOKEN = "sesame-öffne-dich"
HELLO = {"session_id": "s1", "user_id": "ann", "text": "hello"}
OPEN_PATHS = ("/health", "/login", "/static/login.js")
CLOSED = (
    ("GET", "/"),
    ("POST", "/v1/messages"),
    ("POST", "/v1/chat/completions"),
    ("GET", "/v1/models"),
    ("GET", "/v1/sessions"),
    ("GET", "/v1/sessions/s1"),
    ("DELETE", "/v1/sessions/s1"),
    ("GET", "/v1/sessions/s1/messages"),
    ("GET", "/v1/turns/turn-00000000000000000000"),
    ("GET", "/v1/turns/turn-00000000000000000000/events"),
    ("POST", "/v1/turns/turn-00000000000000000000/stop"),
    ("GET", "/v1/ui/state"),
    ("GET", "/metrics"),
    ("GET", "/static/app.js"),
    ("GET", "/static/index.html"),
    ("GET", "/static/i18n"),
    ("GET", "/static/nothing.js"),
    ("POST", "/logout"),
    ("GET", "/nowhere"),
    ("POST", "/v1/channels/telegram/inbound"),  # no channel here is posted to
    ("POST", "/v1/channels/telegram/inbound/secret"),
)


async def status(bot: WebBot, method: str, path: str, **options: Any) -> int:
    async with bot.client.request(method, path, allow_redirects=False, **options) as answer:
        return answer.status


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def test_an_address_open_to_others_is_refused_without_tokens() -> None:
    settings = Settings.model_validate({"app": {"bind": "0.0.0.0:0"}})
    async with open_core(ScriptedModel()) as core:
        channel = WebChannel(settings, core.service, core.rooms, core.store, core.metrics, ModelState())
        with pytest.raises(ConfigError, match="api_tokens"):
            await channel.start()


async def test_a_port_that_is_taken_is_told_as_such() -> None:
    async with open_web() as bot:
        taken = Settings.model_validate({"app": {"bind": bot.url.removeprefix("http://")}})
        core = bot.core
        channel = WebChannel(taken, core.service, core.rooms, core.store, core.metrics, ModelState())
        with pytest.raises(ConfigError, match="cannot listen"):
            await channel.start()


FOREIGN_HOSTS = (
    "evil.example",
    "evil.example:{port}",
    "127.0.0.1.evil.example:{port}",
    "127.0.0.1",
    "127.0.0.1:1",
    "0.0.0.0:{port}",
    "169.254.169.254:{port}",
    "localhost.evil:{port}",
    "[::]:{port}",
    "127.0.0.1:{port}x",
    "",
    "[",
    "user@localhost:{port}",
    "localhost:{port}/path",
    "localhost:{port}#x",
    "localhost:{port},evil.example",
)
OWN_HOSTS = ("localhost:{port}", "127.0.0.1:{port}", "[::1]:{port}", "LOCALHOST:{port}")
FOREIGN_ORIGINS = (
    "https://evil.example",
    "null",
    "http://127.0.0.1:1",
    "http://localhost",
    "file://",
    "://",
    "http://[",
    "http://user@{host}",
    "http://{host}/path",
)


@pytest.mark.pain("61")
async def test_only_the_names_of_this_machine_are_served() -> None:
    async with open_web() as bot:
        port = bot.channel.url.rstrip("/").rpartition(":")[2]
        for host in FOREIGN_HOSTS:
            headers = {"Host": host.format(port=port)}
            for method, path in [("GET", "/"), ("GET", "/health"), ("POST", "/v1/messages")]:
                assert await status(bot, method, path, headers=headers) == 403, host
        for host in OWN_HOSTS:
            headers = {"Host": host.format(port=port)}
            assert await status(bot, "GET", "/v1/sessions", headers=headers) == 200, host


@pytest.mark.pain("61")
async def test_a_page_of_another_origin_can_neither_post_nor_listen() -> None:
    async with open_web() as bot:
        async with bot.client.post("/v1/messages", json=HELLO) as answer:
            turn_id = (await answer.json())["turn_id"]
        host = bot.url.removeprefix("http://")
        for foreign in FOREIGN_ORIGINS:
            origin = foreign.format(host=host)
            headers = {"Origin": origin}
            assert await status(bot, "POST", "/v1/messages", json=HELLO, headers=headers) == 403, origin
            assert await status(bot, "GET", f"/v1/turns/{turn_id}/events", headers=headers) == 403, origin
            assert await status(bot, "GET", "/v1/sessions", headers=headers) == 403, origin
            assert await status(bot, "DELETE", "/v1/sessions/s1", headers=headers) == 403, origin
            assert await status(bot, "OPTIONS", "/v1/messages", headers=headers) == 403, origin


@pytest.mark.pain("61")
async def test_a_page_of_another_site_is_refused_where_it_sends_no_origin() -> None:
    async with open_web() as bot:
        for site in ("cross-site", "same-site"):
            headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors"}
            assert await status(bot, "GET", "/v1/sessions", headers=headers) == 403
            visit = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
            assert await status(bot, "GET", "/", headers=visit) == 200
            assert await status(bot, "GET", "/v1/sessions", headers=visit) == 403
            assert await status(bot, "GET", "/", headers={**visit, "Sec-Fetch-Dest": "iframe"}) == 403


async def test_the_own_page_and_allowed_origins_are_served() -> None:
    async with open_web(allowed_origins=["https://chat.example.org"]) as bot:
        own = {"Origin": bot.url, "Sec-Fetch-Site": "same-origin"}
        assert await status(bot, "POST", "/v1/messages", json=HELLO, headers=own) == 200
        form = {"Origin": "null", "Sec-Fetch-Site": "same-origin"}
        assert await status(bot, "POST", "/logout", headers=form) == 303
        assert await status(bot, "POST", "/logout", headers={**form, "Sec-Fetch-Site": "cross-site"}) == 403
        other = {"Origin": "https://chat.example.org", "Sec-Fetch-Site": "cross-site"}
        async with bot.client.get("/v1/sessions", headers=other) as answer:
            assert answer.status == 200
            assert answer.headers["Access-Control-Allow-Origin"] == "https://chat.example.org"
        asked = {**other, "Access-Control-Request-Method": "POST"}
        async with bot.client.options("/v1/messages", headers=asked) as answer:
            assert answer.status == 204
            assert "POST" in answer.headers["Access-Control-Allow-Methods"]
            assert "Authorization" in answer.headers["Access-Control-Allow-Headers"]


async def test_with_tokens_everything_but_health_and_login_wants_one() -> None:
    async with open_web(api_tokens=["other", TOKEN]) as bot:
        for path in OPEN_PATHS:
            assert await status(bot, "GET", path) == 200, path
        for method, path in CLOSED:
            async with bot.client.request(method, path) as answer:
                assert answer.status == 401, path
                assert answer.headers["WWW-Authenticate"].startswith("Bearer")
                assert (await answer.json())["error"]["code"] == "unauthorized"
        for token in (TOKEN, "other"):
            assert await status(bot, "GET", "/v1/sessions", headers=bearer(token)) == 200
        assert await status(bot, "GET", "/v1/sessions", headers={"Authorization": f"bearer   {TOKEN}"}) == 200


async def test_what_is_not_the_token_is_refused() -> None:
    wrong = (
        "",
        "Bearer",
        "Bearer ",
        "Bearer wrong",
        "Basic c2VzYW1l",
        "Bearer \udcff\udcfe",
        "Bearer sesame",
        TOKEN,
    )
    async with open_web(api_tokens=[TOKEN]) as bot:
        for given in wrong:
            assert await status(bot, "GET", "/v1/sessions", headers={"Authorization": given}) == 401, given


@pytest.mark.pain("62")
async def test_a_token_in_the_address_opens_nothing_and_is_never_told_back() -> None:
    async with open_web(api_tokens=["sesame-123"]) as bot:
        for name in ("token", "access_token", "api_key", "key"):
            async with bot.client.get(f"/v1/sessions?{name}=sesame-123") as answer:
                assert answer.status == 401
                assert "sesame" not in await answer.text()
        async with bot.client.post("/login", json={"token": "sesame-123"}) as answer:
            assert "sesame" not in str(answer.headers) + await answer.text()


async def login(bot: WebBot, token: str = TOKEN) -> str:
    async with bot.client.post("/login", json={"token": token}) as answer:
        assert answer.status == 200
        return answer.headers["Set-Cookie"]


async def test_a_login_gives_a_cookie_that_scripts_and_other_sites_cannot_use() -> None:
    async with open_web(api_tokens=[TOKEN]) as bot:
        cookie = await login(bot)
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert "Secure" not in cookie
        assert "Path=/" in cookie
        value = {"Cookie": cookie.partition(";")[0]}
        assert await status(bot, "GET", "/v1/sessions", headers=value) == 200
        assert await status(bot, "GET", "/", headers=value) == 200
        foreign = {**value, "Origin": "https://evil.example"}
        assert await status(bot, "POST", "/v1/messages", json=HELLO, headers=foreign) == 403
        async with bot.client.post(
            "/login", json={"token": TOKEN}, headers={"X-Forwarded-Proto": "https"}
        ) as answer:
            assert "Secure" in answer.headers["Set-Cookie"]


async def test_a_login_by_the_form_leads_to_the_page() -> None:
    async with open_web(api_tokens=[TOKEN]) as bot:
        async with bot.client.post("/login", data={"token": TOKEN}, allow_redirects=False) as answer:
            assert (answer.status, answer.headers["Location"]) == (303, "/")
            assert "Set-Cookie" in answer.headers
        async with bot.client.post("/login", data={"token": "no"}, allow_redirects=False) as answer:
            assert answer.status == 401
        html = {"Accept": "text/html"}
        bot.client.cookie_jar.clear()
        async with bot.client.get("/", headers=html, allow_redirects=False) as answer:
            assert (answer.status, answer.headers["Location"]) == (303, "/login")


async def test_a_login_lasts_over_a_restart_until_it_is_ended_or_old() -> None:
    clock = ManualClock()
    async with open_web(api_tokens=[TOKEN], clock=clock) as bot:
        cookie = {"Cookie": (await login(bot)).partition(";")[0]}
    async with open_web(api_tokens=[TOKEN], clock=clock) as bot:
        assert await status(bot, "GET", "/v1/sessions", headers=cookie) == 200
        assert await status(bot, "POST", "/logout", headers=cookie) == 303
        assert await status(bot, "GET", "/v1/sessions", headers=cookie) == 401
    async with open_web(api_tokens=["another"], clock=clock) as bot:
        assert await status(bot, "GET", "/v1/sessions", headers=cookie) == 401
    clock.set_forward(31 * 24 * 3600)
    async with open_web(api_tokens=[TOKEN], clock=clock) as bot:
        assert await status(bot, "GET", "/v1/sessions", headers=cookie) == 401


async def test_a_forged_cookie_opens_nothing() -> None:
    async with open_web(api_tokens=[TOKEN]) as bot:
        for value in ("", ".", "..", "x", "9999999999.x.y", "9999999999.abc.", "ö", "1" * 5000):
            headers = {"Cookie": f"xiaomaolv_session={value}"}
            assert await status(bot, "GET", "/v1/sessions", headers=headers) == 401, value


async def test_guessing_the_token_at_the_login_is_slowed_down() -> None:
    async with open_web(api_tokens=[TOKEN]) as bot:
        for _ in range(10):
            assert await status(bot, "POST", "/login", json={"token": "guess"}) == 401
        async with bot.client.post("/login", json={"token": TOKEN}) as answer:
            assert answer.status == 429
            assert re.fullmatch(r"[1-9]\d?", answer.headers["Retry-After"])


async def test_a_login_that_is_none_is_refused() -> None:
    headers = {"Content-Type": "application/json"}
    bodies = {
        "": 400,
        "[]": 400,
        "{": 400,
        '{"token": 7}': 400,
        "{}": 400,
        "[" * 9000: 400,
        "[" * 99_000: 413,
    }
    async with open_web(api_tokens=[TOKEN]) as bot:
        for body, expected in {**bodies, '{"token": "\\ud800"}': 401}.items():
            assert await status(bot, "POST", "/login", data=body, headers=headers) == expected, body[:20]
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        assert await status(bot, "POST", "/login", data="a=b&" * 50, headers=form) == 400


async def test_without_tokens_there_is_nothing_to_log_in_to() -> None:
    async with open_web() as bot:
        async with bot.client.get("/login", allow_redirects=False) as answer:
            assert (answer.status, answer.headers["Location"]) == (303, "/")
        async with bot.client.get("/v1/ui/state") as answer:
            assert (await answer.json())["auth_required"] is False


async def test_the_diagnostics_take_their_own_token_and_only_so_many_requests() -> None:
    async with open_web(api_tokens=[TOKEN], diag_bearer_token="watch", diag_rate_limit_per_minute=3) as bot:
        assert await status(bot, "GET", "/metrics", headers=bearer("watch")) == 200
        assert await status(bot, "GET", "/metrics", headers=bearer(TOKEN)) == 200
        assert await status(bot, "GET", "/v1/sessions", headers=bearer("watch")) == 401
        for _ in range(5):
            assert await status(bot, "GET", "/metrics") == 401
        assert await status(bot, "GET", "/metrics", headers=bearer("watch")) == 200
        assert await status(bot, "GET", "/metrics", headers=bearer("watch")) == 429


async def test_a_token_of_the_diagnostics_closes_them_on_a_machine_without_others() -> None:
    async with open_web(diag_bearer_token="watch") as bot:
        assert await status(bot, "GET", "/metrics") == 401
        assert await status(bot, "GET", "/metrics", headers=bearer("watch")) == 200
        assert await status(bot, "GET", "/v1/sessions") == 200


async def test_chat_requests_beyond_the_limit_are_told_when_to_come_back() -> None:
    async with open_web(rate_limit_per_minute=1) as bot:
        assert await status(bot, "POST", "/v1/messages", json=HELLO) == 200
        async with bot.client.post("/v1/messages", json=HELLO) as answer:
            assert answer.status == 429
            assert int(answer.headers["Retry-After"]) <= 60
            assert (await answer.json())["error"]["code"] == "rate_limited"
        assert await status(bot, "GET", "/v1/sessions") == 200


async def test_all_that_the_login_page_needs_is_there_before_the_login() -> None:
    wanted = ["/login"]
    async with open_web(api_tokens=[TOKEN]) as bot:
        for path in wanted:  # it grows as what is named in them is found
            async with bot.client.get(path) as answer:
                assert answer.status == 200, path
                text = await answer.text()
            parts = re.findall(r'(?:src|href)="(/static/[^"]+)"|(?:from|import\() ?["`]\./([^"`]+)', text)
            found = [whole or f"/static/{name}" for whole, name in parts]
            if path.endswith("i18n.js"):
                found = [f"/static/i18n/{language}.js" for language in ("en", "zh", "es", "hi", "ar")]
            wanted += [each for each in found if each not in wanted]
    assert {"/static/login.js", "/static/dom.js", "/static/css/base.css"} <= set(wanted)
