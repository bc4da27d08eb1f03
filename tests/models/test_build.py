import asyncio
from typing import Any

import pytest

from bot.clock import SystemClock
from bot.config.settings import Settings
from bot.domain.message import Image, Message, Text
from bot.errors import ConfigError
from bot.models.build import Models, build_models
from bot.models.metered import ModelCall
from tests.fakes.upstream import Answer, Upstream
from tests.fakes.upstream_rules import Rules
from tests.models.asking import InstantClock, failure, request, said

SOCKS = {"HTTPS_PROXY": "socks5h://127.0.0.1:1080", "HTTP_PROXY": "socks5h://127.0.0.1:1080"}


def built(
    settings: dict[str, Any], calls: list[ModelCall] | None = None, environ: dict[str, str] | None = None
) -> Models:
    observed = calls if calls is not None else []
    return build_models(Settings(**settings), InstantClock(), observed.append, environ=environ)


def provider(upstream: Upstream, **more: Any) -> dict[str, Any]:
    return {"base_url": upstream.base_url, "model": "fake-model", "timeout_secs": 5, **more}


async def test_the_default_provider_answers_and_is_described() -> None:
    calls: list[ModelCall] = []
    async with Upstream(rules=Rules(api_key="k1")) as upstream:
        models = built({"providers": {"acme": provider(upstream, api_key="k1")}}, calls)
        description = models.describe()
        assert (description.provider, description.model, description.is_demo) == ("acme", "fake-model", False)
        await models.warm()
        assert (await said(models.chat)).text == "echo: hello"
        assert (await said(models.chat, request(messages=request().messages))).text == "echo: hello"
        await models.aclose()
    assert [(call.provider, call.model, call.reason) for call in calls] == [
        ("acme", "fake-model", "stop")
    ] * 2
    assert upstream.connections == 1


async def test_a_fallback_that_cannot_see_is_told_of_the_picture_instead_of_shown_it() -> None:
    async with Upstream(lambda _: Answer.error(500)) as dead, Upstream() as alive:
        providers = {"a": provider(dead, max_retries=0, vision=True), "b": provider(alive)}
        models = built({"providers": providers, "models": {"chat": {"providers": ["a", "b"]}}})
        parts = (Text("what is this?"), Image("data:image/png;base64,AAAA", "at the harbour"))
        await said(models.chat, request(messages=(Message("user", parts),)))
        await models.aclose()
    shown = dead.requests[0].body["messages"][-1]["content"]
    assert "image_url" in [part["type"] for part in shown]
    told = str(alive.requests[0].body["messages"][-1]["content"])
    assert "what is this?" in told
    assert "at the harbour" in told
    assert "image_url" not in told
    assert "base64" not in told


@pytest.mark.pain("P070")
@pytest.mark.pain("40")
async def test_an_alias_is_a_chain_of_providers_and_each_try_is_told() -> None:
    calls: list[ModelCall] = []
    async with Upstream(lambda _: Answer.error(500)) as dead, Upstream() as alive:
        providers = {
            "a": provider(dead, max_retries=1),
            "b": provider(dead, max_retries=0),
            "c": provider(alive),
        }
        models = built(
            {"providers": providers, "models": {"chat": {"providers": ["a", "b", "c:big"]}}}, calls
        )
        assert (await said(models.chat)).text == "echo: hello"
        await models.aclose()
        assert alive.requests[0].body["model"] == "big"
    told = [(call.provider, call.model, call.error_code) for call in calls]
    failed = ("fake-model", "unavailable")
    assert told == [("a", *failed), ("a", *failed), ("b", *failed), ("c", "big", None)]


def test_an_alias_that_names_an_unknown_provider_is_a_mistake_of_the_configuration() -> None:
    with pytest.raises(ConfigError, match="acme"):
        built({"models": {"chat": {"providers": ["acme"]}}})


def test_without_any_provider_the_demonstration_model_is_what_answers() -> None:
    description = built({}).describe()
    assert (description.provider, description.is_demo) == ("local", True)


@pytest.mark.pain("P073")
async def test_a_provider_on_this_machine_is_reached_without_the_proxy() -> None:
    async with Upstream() as upstream:
        models = built({"providers": {"a": provider(upstream)}}, environ=SOCKS)
        assert (await said(models.chat)).text == "echo: hello"
        await models.aclose()


def hosted(**more: Any) -> dict[str, Any]:
    acme = {"base_url": "http://acme.invalid/v1", "model": "m", "max_retries": 0, "timeout_secs": 5, **more}
    return {"providers": {"a": acme}}


@pytest.mark.pain("P073")
async def test_a_hosted_provider_is_reached_through_the_proxy() -> None:
    async with Upstream() as proxy:
        models = built(hosted(), environ={"HTTP_PROXY": f"http://127.0.0.1:{proxy.port}"})
        assert (await said(models.chat)).text == "echo: hello"
        await models.aclose()
    assert proxy.requests[0].path == "http://acme.invalid/v1/chat/completions"


@pytest.mark.pain("P073")
async def test_a_proxy_of_the_socks_kind_resolves_the_name_itself() -> None:
    wanted: list[bytes] = []
    over = asyncio.Event()
    async with Upstream() as upstream:

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            """SOCKS 5 without sign-in; whatever is asked for, the fake provider answers."""
            await reader.readexactly(3)
            writer.write(b"\x05\x00")
            length = (await reader.readexactly(5))[4]
            wanted.append((await reader.readexactly(length + 2))[:-2])
            writer.write(b"\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x50")
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", upstream.port)
            await asyncio.gather(pump(reader, far_writer), pump(far_reader, writer))
            over.set()

        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            models = built(hosted(proxy=f"socks5h://127.0.0.1:{port}"))
            assert (await said(models.chat)).text == "echo: hello"
            await models.aclose()
            await over.wait()
    assert wanted == [b"acme.invalid"]


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(4096):
        writer.write(data)
    writer.close()
    await writer.wait_closed()


@pytest.mark.pain("P073")
def test_an_unknown_kind_of_proxy_is_one_clear_line() -> None:
    with pytest.raises(ConfigError, match="HTTPS_PROXY"):
        built(hosted(base_url="https://api.acme.com/v1"), environ={"HTTPS_PROXY": "gopher://127.0.0.1:70"})


async def test_warming_a_provider_that_cannot_be_had_is_no_error() -> None:
    missing = {"providers": {"local": {"kind": "local", "model": "no-such-package"}}}
    models = build_models(Settings(**missing), SystemClock(), print)
    await models.warm()
    assert (await failure(models.chat)).code == "no_model"
    await models.aclose()
