"""Webhook mode: who may post, what is confirmed, and that nothing is answered twice."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from sqlalchemy import Connection
from structlog.testing import capture_logs

from bot.config.settings import Settings
from bot.domain.conversation import Conversation, SpeakerId
from bot.schedule import plan
from bot.schedule.jobs import JobDraft
from bot.store.tables import firings
from bot.turn.rights import Rights
from channels.telegram.check import check
from channels.telegram.webhook import HEADER, PATH, secret_of
from channels.web.server import Rooms, WebChannel
from tests.builders import ModelState
from tests.fakes.bot_api import FakeBotApi
from tests.telegram.kit import ANN, Kit, started, telegram_settings, world

PUBLIC = "https://bot.example.org"
OTHER = {"Host": "bot.example.org"}


@asynccontextmanager
async def hooked(
    folder: Path, http: dict[str, Any] | None = None, **telegram: Any
) -> AsyncIterator[tuple[Kit, str]]:
    """A bot in webhook mode, and the address of its web channel."""
    async with started(folder, mode="webhook", webhook_url=PUBLIC, **telegram) as kit:
        app = kit.app
        settings = Settings.model_validate({"app": {"bind": "127.0.0.1:0"}, "channels": {"http": http or {}}})
        hooks = {"telegram": kit.channel}
        web = WebChannel(
            settings,
            app.service,
            Rooms(app.sessions, app.jobs, Rights(app.store, app.events, app.clock, app.tools.recall)),
            app.store,
            app.metrics,
            ModelState(),
            hooks=hooks,
        )
        await web.start()
        try:
            await kit.api.until(lambda: bool(kit.api.methods.webhook))
            while kit.channel._webhook.take is None:
                await kit.clock.sleep(0.1)
            yield kit, web.url.rstrip("/")
        finally:
            await web.aclose()


async def post(address: str, body: Any, secret: str | None = None, path: str = PATH) -> int:
    headers = OTHER | ({HEADER: secret} if secret is not None else {})
    async with (
        aiohttp.ClientSession() as client,
        client.post(f"{address}{path}", json=body, headers=headers) as got,
    ):
        return got.status


async def test_a_message_that_is_brought_is_answered(tmp_path: Path) -> None:
    async with hooked(tmp_path) as (kit, address):
        kit.api.world.say(ANN, "hello")
        assert await kit.api.bring(address, **OTHER) == [200]
        assert await kit.answers(ANN) == ["echo: hello"]
        (registered,) = kit.api.called("setWebhook")
        assert registered.params["url"] == f"{PUBLIC}{PATH}"
        assert registered.params["drop_pending_updates"] is False
        assert "message_reaction" in registered.params["allowed_updates"]
        assert kit.api.called("getUpdates") == []


@pytest.mark.pain("12")
async def test_a_message_that_is_brought_again_is_answered_once(tmp_path: Path) -> None:
    async with hooked(tmp_path) as (kit, address):
        kit.api.world.say(ANN, "hello")
        update = kit.api.world.updates[0]
        secret = kit.api.methods.webhook["secret_token"]
        assert [await post(address, update, secret) for _ in range(3)] == [200, 200, 200]
        kit.channel._webhook._seen.clear()  # as after a restart
        assert await kit.api.bring(address, **OTHER) == [200]
        assert await kit.answers(ANN) == ["echo: hello"]


async def test_the_secret_may_stand_in_the_path(tmp_path: Path) -> None:
    async with hooked(tmp_path) as (kit, address):
        secret = kit.api.methods.webhook["secret_token"]
        update = {"update_id": 7}
        assert await post(address, update, path=f"{PATH}/{secret}") == 200
        assert await post(address, update, secret, path=f"{PATH}/{secret}") == 200
        assert await post(address, update, path=f"{PATH}/wrong") == 401
        assert await post(address, update, secret, path=f"{PATH}/wrong") == 401
        assert await post(address, update, "wrong", path=f"{PATH}/{secret}") == 401


@pytest.mark.pain("22", "P042")
@pytest.mark.parametrize("secret", [None, "", "wrong", "wröng"])
async def test_without_the_right_secret_nothing_is_read(tmp_path: Path, secret: str | None) -> None:
    async with hooked(tmp_path) as (kit, address):
        kit.api.world.say(ANN, "hello")
        assert await post(address, kit.api.world.updates[0], secret) == 401
        assert await post(address, "no update at all", secret) == 401, "the body was not looked at"
        right = kit.api.methods.webhook["secret_token"]
        assert await post(address, {}, right, f"{PATH}/wrong") == 401
        assert await post(address, {"update_id": 1}, right, f"{PATH}/{right}") == 200
        assert kit.upstream.requests == []


@pytest.mark.parametrize("given", [[], {}, None, "1", True, 1.5])
async def test_what_has_no_number_is_no_update(tmp_path: Path, given: Any) -> None:
    async with hooked(tmp_path) as (kit, address):
        secret = kit.api.methods.webhook["secret_token"]
        kit.api.world.say(ANN, "hello")
        update = kit.api.world.updates[0] | {"update_id": given}
        assert await post(address, update, secret) == 400
        assert await kit.api.bring(address, **OTHER) == [200]
        assert await kit.answers(ANN) == ["echo: hello"]


@pytest.mark.pain("P042")
async def test_a_secret_is_made_where_none_is_set_and_it_is_in_no_log(tmp_path: Path) -> None:
    with capture_logs() as logs:
        async with hooked(tmp_path) as (kit, address):
            made = kit.api.methods.webhook["secret_token"]
            assert len(made) == 64
            await post(address, {"update_id": 1}, made, f"{PATH}/{made}")
            await post(address, {"update_id": 1}, "wrong", f"{PATH}/{made}")
    assert made not in repr(logs)
    async with FakeBotApi() as api:
        assert secret_of(telegram_settings(api)) == secret_of(telegram_settings(api))
        assert secret_of(telegram_settings(api)) != secret_of(telegram_settings(api, bot_token="1:other"))
        assert secret_of(telegram_settings(api, webhook_secret="set")) == "set"


async def test_an_update_is_not_confirmed_while_our_store_fails_and_a_bad_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hooked(tmp_path) as (kit, address):
        secret = kit.api.methods.webhook["secret_token"]
        assert await post(address, {"update_id": 5, "message": {"no": "message"}}, secret) == 200
        receive = kit.app.service.receive

        async def fail(*_: Any) -> Any:
            raise OSError("disk full")

        monkeypatch.setattr(kit.app.service, "receive", fail)
        kit.api.world.say(ANN, "hello")
        assert await kit.api.bring(address, **OTHER) == [503]
        monkeypatch.setattr(kit.app.service, "receive", receive)
        assert await kit.api.bring(address, **OTHER) == [200]
        assert await kit.answers(ANN) == ["echo: hello"]


async def test_the_webhook_is_taken_away_at_the_end_without_dropping_what_waits(tmp_path: Path) -> None:
    async with FakeBotApi() as _, hooked(tmp_path) as (kit, _):
        api = kit.api
        await kit.channel.stop()
        await kit.channel.aclose()
        assert api.methods.webhook == {}
        assert all(not call.params.get("drop_pending_updates") for call in api.called("deleteWebhook"))


async def test_while_polling_nothing_can_be_posted(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        status, _ = await kit.channel.inbound(None, {HEADER: "x"}, _never)
        assert status == 404


async def _never() -> Any:
    raise AssertionError("nothing is to be read")


async def test_diagnostics_tell_mode_and_counters_to_who_has_the_token(tmp_path: Path) -> None:
    async with hooked(tmp_path, {"diag_bearer_token": "d"}) as (kit, address):
        kit.api.world.say(ANN, "hello")
        await kit.api.bring(address, **OTHER)
        async with aiohttp.ClientSession(address) as client:
            for path in ("mode", "diag"):
                async with client.get(f"/v1/channels/telegram/{path}") as closed:
                    assert closed.status == 401
            headers = {"Authorization": "Bearer d"}
            async with client.get("/v1/channels/telegram/diag", headers=headers) as got:
                told = await got.json()
            async with client.get("/v1/channels/telegram/mode", headers=headers) as got:
                assert await got.json() == {"channel": "telegram", "mode": "webhook", "trouble": ""}
            async with client.get("/v1/channels/pigeon/mode", headers=headers) as got:
                assert got.status == 404
        assert (told["updates_total"], told["group_decision_respond_total"]) == (1, 0)


async def test_diagnostics_name_the_error_of_the_firing_that_failed_last(tmp_path: Path) -> None:
    async with hooked(tmp_path, {"diag_bearer_token": "d"}) as (kit, address):
        app = kit.app
        headers = {"Authorization": "Bearer d"}

        async def told() -> str:
            async with (
                aiohttp.ClientSession(address, headers=headers) as client,
                client.get("/v1/channels/telegram/diag") as got,
            ):
                return str((await got.json())["last_scheduler_error"])

        assert await told() == ""
        now = app.clock.now()
        again = plan.by_cron("0 9 * * *", "UTC")
        draft = JobDraft(Conversation("telegram", "1"), SpeakerId("telegram:1"), "agent", "summarise", again)
        job = await app.jobs.create(draft)
        for hours, state, error in (
            (3, "failed", "unavailable"),
            (2, "failed", "auth_failed"),
            (1, "done", ""),
        ):
            ended = now - timedelta(hours=hours)
            row = {"job_id": job.id, "due": ended, "at": ended, "ended_at": ended, "kind": "agent"}
            await app.store.write(_fire, row | {"state": state, "error": error})
        assert await told() == "auth_failed"


def _fire(conn: Connection, row: dict[str, Any]) -> None:
    conn.execute(firings.insert().values(row))


async def test_diagnostics_are_closed_where_no_token_is_set(tmp_path: Path) -> None:
    async with (
        hooked(tmp_path) as (_, address),
        aiohttp.ClientSession(address) as client,
        client.get("/v1/channels/telegram/diag") as got,
    ):
        assert got.status == 403


async def test_the_doctor_shows_the_webhook_and_what_telegram_was_answered() -> None:
    async with FakeBotApi() as api:
        world(api)
        settings = telegram_settings(api, mode="webhook", webhook_url=PUBLIC)
        found = {one.name: one for one in await check(settings)}
        assert (found["telegram updates"].status, found["telegram updates"].detail) == (
            "ok",
            "webhook (set at start), 0 waiting",
        )
        await api.methods.call("setWebhook", {"url": f"{PUBLIC}{PATH}"})
        api.methods.webhook["last_error_message"] = "Wrong response from the webhook: 401 Unauthorized"
        found = {one.name: one for one in await check(settings)}
        assert "401" in found["telegram updates"].detail
        await api.methods.call("setWebhook", {"url": "https://other.example/x"})
        found = {one.name: one for one in await check(settings)}
        assert "other.example" in found["telegram updates"].detail
