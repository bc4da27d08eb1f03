"""The page's files and state, health, metrics, and headers that keep browsers safe."""

import pytest
from yarl import URL

from tests.builders import ModelState, open_web

HELLO = {"session_id": "s1", "user_id": "ann", "text": "hello"}


async def test_health_is_told_to_everybody() -> None:
    async with open_web(api_tokens=["t"]) as bot, bot.client.get("/health") as answer:
        assert answer.status == 200
        body = await answer.json()
    assert body["status"] == "ok"
    assert body["version"]


async def test_a_channel_that_is_switched_off_still_tells_its_health() -> None:
    async with open_web(enabled=False) as bot:
        for path, status in [("/health", 200), ("/metrics", 200), ("/", 404), ("/v1/sessions", 404)]:
            async with bot.client.get(path) as answer:
                assert answer.status == status


@pytest.mark.pain("60")
async def test_the_page_may_run_only_its_own_scripts_and_load_nothing_from_elsewhere() -> None:
    async with open_web() as bot, bot.client.get("/") as answer:
        assert answer.status == 200
        assert answer.content_type == "text/html"
        policy = dict(
            rule.strip().partition(" ")[::2] for rule in answer.headers["Content-Security-Policy"].split(";")
        )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["img-src"] == "'self' data:"
    assert policy["base-uri"] == policy["frame-ancestors"] == "'none'"


async def test_every_answer_has_safe_headers_and_what_is_said_is_not_kept_by_caches() -> None:
    async with open_web() as bot:
        for path in ("/", "/health", "/v1/sessions", "/nowhere", "/static/app.js", "/metrics"):
            async with bot.client.get(path) as answer:
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert answer.headers["Referrer-Policy"] == "no-referrer"
                assert "Content-Security-Policy" in answer.headers
                assert "Cross-Origin-Resource-Policy" in answer.headers
                assert answer.headers["Server"] == "xiaomaolv"
        async with bot.client.post("/v1/messages", json=HELLO) as answer:
            assert answer.headers["Cache-Control"] == "no-store"
        async with bot.client.post("/v1/messages", json={**HELLO, "stream": True}) as answer:
            assert "no-store" in answer.headers["Cache-Control"]
            assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_a_file_that_the_browser_has_is_not_sent_again() -> None:
    async with open_web() as bot:
        async with bot.client.get("/static/app.js") as answer:
            assert answer.content_type == "text/javascript"
            etag = answer.headers["ETag"]
        for known in (etag, f"W/{etag}", f'"other", {etag}'):
            async with bot.client.get("/static/app.js", headers={"If-None-Match": known}) as answer:
                assert answer.status == 304


async def test_only_the_files_of_the_page_are_served() -> None:
    paths = (
        "/static/",
        "/static/nothing.js",
        "/static/../server.py",
        "/static/%2e%2e/server.py",
        "/static/..%2fserver.py",
        "/static/%00",
        "/static//etc/passwd",
        "/static/" + "x" * 4000,
    )
    async with open_web() as bot:
        for path in paths:
            async with bot.client.get(URL(bot.url + path, encoded=True)) as answer:
                assert answer.status == 404, path
                assert (await answer.json())["error"]["code"] == "not_found"


@pytest.mark.parametrize(
    ("state", "kind", "word"),
    [
        (ModelState("demo"), "demo", "演示"),
        (ModelState("missing"), "missing", "没有"),
        (ModelState(), None, ""),
    ],
)
async def test_the_page_is_told_what_answers_in_the_language_of_its_reader(
    state: ModelState, kind: str | None, word: str
) -> None:
    headers = {"Accept-Language": "zh-CN,zh;q=0.9"}
    async with open_web(state=state) as bot, bot.client.get("/v1/ui/state", headers=headers) as answer:
        body = await answer.json()
    notice = body["notice"] or {"kind": None, "text": ""}
    assert notice["kind"] == kind
    assert word in notice["text"]
    assert body["locale"] == "zh"
    assert body["user_id"]
    assert body["auth_required"] is False


async def test_metrics_count_turns_tokens_and_what_waits() -> None:
    async with open_web() as bot:
        async with bot.client.post("/v1/messages", json=HELLO) as answer:
            assert answer.status == 200
        async with bot.client.get("/metrics") as answer:
            text = await answer.text()
            assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    assert 'xiaomaolv_turns_total{outcome="completed"} 1.0' in text
    assert 'xiaomaolv_queue_depth{kind="turn"} 0.0' in text
    assert 'xiaomaolv_stage_seconds_count{stage="total"} 1.0' in text
    assert "process_resident_memory_bytes" in text


async def test_unknown_routes_and_methods_are_told_in_json() -> None:
    async with open_web() as bot:
        async with bot.client.get("/v1/nothing") as answer:
            assert answer.status == 404
            assert (await answer.json())["error"]["code"] == "not_found"
        async with bot.client.put("/v1/messages") as answer:
            assert answer.status == 405
            assert answer.headers["Allow"] == "POST"
            assert (await answer.json())["error"]["code"] == "method_not_allowed"
