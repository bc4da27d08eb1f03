"""What has to hold between settings, beyond each key for itself."""

import re
import zoneinfo
from collections.abc import Iterator

from bot.config.base import is_loopback
from bot.config.problems import Problem
from bot.config.settings import Settings


def find_conflicts(settings: Settings) -> Iterator[Problem]:
    """Every setting that contradicts another one, or that the product could not work with."""
    yield from _exposure(settings)
    yield from _providers(settings)
    yield from _aliases(settings)
    yield from _telegram(settings)
    yield from _memory(settings)
    yield from _harness(settings)


def _exposure(settings: Settings) -> Iterator[Problem]:
    http = settings.channels.http
    if http.enabled and not http.api_tokens and not is_loopback(settings.app.host):
        yield Problem(
            ("app", "bind"),
            f"app.bind: {settings.app.bind} is open to other machines, but channels.http.api_tokens is empty",
            hint='set api_tokens = ["${XIAOMAOLV_TOKEN}"] in [channels.http], or bind to 127.0.0.1',
            depends=(("channels", "http"),),
        )


def _providers(settings: Settings) -> Iterator[Problem]:
    for name, provider in settings.providers.items():
        path = ("providers", name)
        if ":" in name:
            yield Problem(path, f'providers."{name}": a name of a provider must not hold a colon')
        if provider.kind != "openai-compatible":
            continue
        for key in ("base_url", "model"):
            if getattr(provider, key) is None:
                yield Problem(
                    path,
                    f"providers.{name}.{key}: this key is required for kind openai-compatible",
                    depends=((*path, key), (*path, "kind"), (*path, "options")),
                )


def _aliases(settings: Settings) -> Iterator[Problem]:
    known = ", ".join(settings.providers) or "none"
    default = settings.app.default_provider
    if default and default not in settings.providers:
        yield Problem(
            ("app", "default_provider"),
            f'app.default_provider: there is no provider "{default}"',
            hint=f"configured: {known}",
            depends=(("providers",),),
        )
    for alias, model in settings.models.items():
        for name, _ in model.chain():
            if name not in settings.providers and not (alias == "chat" and name == default.partition(":")[0]):
                yield Problem(
                    ("models", alias, "providers"),
                    f'models.{alias}.providers: there is no provider "{name}"',
                    hint=f"configured: {known}",
                    depends=(("providers",),),
                )
    memory = settings.memory
    if memory.rerank == "model" and memory.rerank_model not in {None, "chat", *settings.models}:
        yield Problem(
            ("memory", "rerank_model"),
            f'memory.rerank_model: there is no alias "{memory.rerank_model}"',
            hint=f"add [models.{memory.rerank_model}], or leave it out to ask the chat's own model",
            depends=(("models",),),
        )


def _telegram(settings: Settings) -> Iterator[Problem]:
    telegram, path = settings.channels.telegram, ("channels", "telegram")
    if telegram.is_active and telegram.mode == "webhook":
        if telegram.webhook_url is None:
            yield Problem(
                (*path, "mode"),
                "channels.telegram.webhook_url: this key is required for mode webhook",
                depends=((*path, "webhook_url"),),
            )
        secret = telegram.webhook_secret
        if secret is not None and not re.fullmatch(r"[A-Za-z0-9_-]{1,256}", secret.get_secret_value()):
            yield Problem(
                (*path, "webhook_secret"),
                "channels.telegram.webhook_secret: expected up to 256 of the characters A-Z a-z 0-9 _ -",
                hint="leave it out to have one made",
            )
    zone = telegram.scheduler_default_timezone
    if zone and not _is_zone(zone):
        yield Problem(
            (*path, "scheduler_default_timezone"),
            f'channels.telegram.scheduler_default_timezone: there is no time zone "{zone}"',
            hint="expected a name such as Europe/Madrid",
        )
    if "telegram" in settings.channels.plugins and telegram.is_active:
        yield Problem(
            ("channels", "plugins", "telegram"),
            "channels.plugins.telegram: there is a table [channels.telegram] already",
            hint="keep one of the two",
        )


def _is_zone(name: str) -> bool:
    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def _memory(settings: Settings) -> Iterator[Problem]:
    memory = settings.memory
    if memory.context_reserved_tokens >= memory.context_window_tokens:
        yield Problem(
            ("memory", "context_reserved_tokens"),
            "memory.context_reserved_tokens: expected less than memory.context_window_tokens "
            f"({memory.context_window_tokens}), got {memory.context_reserved_tokens}",
        )
    if memory.embedder == "openai" and memory.backend != "off" and memory.embedder_base_url is None:
        yield Problem(
            ("memory", "embedder"),
            'memory.embedder_base_url: this key is required for embedder = "openai"',
            depends=(("memory", "embedder_base_url"),),
        )


def _harness(settings: Settings) -> Iterator[Problem]:
    harness = settings.agent.harness
    evolution, loop = harness.evolution, harness.loop_engine
    path = ("agent", "harness")
    if evolution.auto_cycle_enabled:
        needs = {
            "agent.harness.evolution.enabled": evolution.enabled,
            "agent.harness.enable_trajectory": harness.enable_trajectory,
            "app.api_key": settings.app.api_key is not None,
            "agent.harness.evolution.cycle_interval_secs of 60 or more": evolution.cycle_interval_secs >= 60,
        }
        for need in (need for need, holds in needs.items() if not holds):
            yield Problem(
                (*path, "evolution", "auto_cycle_enabled"),
                f"agent.harness.evolution.auto_cycle_enabled: needs {need}",
            )
    if loop.worker_enabled and not loop.enabled:
        yield Problem(
            (*path, "loop_engine", "worker_enabled"),
            "agent.harness.loop_engine.worker_enabled: needs agent.harness.loop_engine.enabled",
        )
    if 0 < loop.self_test_interval_secs < 10:
        yield Problem(
            (*path, "loop_engine", "self_test_interval_secs"),
            "agent.harness.loop_engine.self_test_interval_secs: expected 0, or 10 or more, "
            f"got {loop.self_test_interval_secs}",
        )
