"""Stacks the models as the settings say; what stands around what is visible here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import structlog

from bot.config.mask import known_secrets
from bot.config.proxy import proxy_for
from bot.config.settings import ProviderSettings, Settings
from bot.domain.ports import ChatModel, Clock
from bot.errors import ConfigError, ModelError
from bot.models.blind import Blind
from bot.models.endpoint import Address, Endpoint, RemoteEndpoint
from bot.models.fallback import Fallback
from bot.models.json_tools import JsonTools, NativeFirst, WithoutTools
from bot.models.local import DEMO_CONTEXT_TOKENS, DEMO_PACKAGE, LocalEndpoint, Shortened, is_demo, is_runnable
from bot.models.masked import Masked
from bot.models.metered import Metered, ModelObserver
from bot.models.openai_compatible import OpenAICompatible
from bot.models.retried import Limited, Retried
from bot.models.routed import Routed

log = structlog.get_logger(__name__)

DEFAULT_ALIAS = "chat"
_OPENAI = "https://api.openai.com/v1"
_LOCAL_CONTEXT_TOKENS = 4096
# Waits longer than this are not worth it while another provider may answer at once.
_IMPATIENT_WAIT_S = 3.0
_PATIENT_WAIT_S = 30.0
_DEMO: Mapping[str, float] = {"temperature": 0.2, "top_p": 0.9, "repeat_penalty": 1.1}


@dataclass(frozen=True, slots=True)
class ModelDescription:
    """What answers people by default. `is_demo`: the tiny built-in model.

    `context_window_tokens` is how much it takes in, where that is known. Not `available`: the
    built-in model or what runs it is not installed.
    """

    provider: str
    model: str
    is_demo: bool
    context_window_tokens: int | None = None
    available: bool = True

    @property
    def notice(self) -> Literal["missing", "demo"] | None:
        """What people should know of it first; the key of a text under `model`."""
        if not self.available:
            return "missing"
        return "demo" if self.is_demo else None


@dataclass(slots=True)
class Models:
    """`chat` is the whole stack. `aclose` ends connections and processes."""

    chat: ChatModel
    _description: ModelDescription
    _endpoints: Mapping[str, Endpoint] = field(default_factory=dict)

    def describe(self) -> ModelDescription:
        return self._description

    async def warm(self) -> None:
        """Load what the default provider needs before the first question; failures are logged."""
        endpoint = self._endpoints.get(self._description.provider)
        try:
            if endpoint is not None:
                await endpoint.transport()
        except ModelError as error:
            log.warning("model.warm.failed", provider=error.provider, reason=error.message)

    async def aclose(self) -> None:
        for endpoint in self._endpoints.values():
            await endpoint.aclose()


def build_models(
    settings: Settings, clock: Clock, observer: ModelObserver, *, environ: Mapping[str, str] | None = None
) -> Models:
    """The stack: Masked > Routed > Fallback > Retried > Metered > one model of one provider.

    `environ` is where proxies are looked for. Nothing is loaded or connected yet. Raises
    `ConfigError` where an alias names a provider that is not there.
    """
    return _Builder(settings, clock, observer, environ or {}).build()


def _with_tools(chat: ChatModel, provider: ProviderSettings) -> ChatModel:
    """The model as one that can be asked with tools, in the way the operator says it knows them."""
    match provider.tools:
        case "json":
            return JsonTools(chat, constrain=provider.json_schema)
        case "none":
            return WithoutTools(chat)
        case "auto":
            if provider.kind == "local":
                return WithoutTools(chat)
            return NativeFirst(chat, constrain=provider.json_schema)
        case "native":
            return chat


class _Builder:
    def __init__(
        self, settings: Settings, clock: Clock, observer: ModelObserver, environ: Mapping[str, str]
    ) -> None:
        self._settings = settings
        self._providers = settings.providers or {"local": ProviderSettings(kind="local")}
        self._clock = clock
        self._observer = observer
        self._environ = environ
        self._endpoints: dict[str, Endpoint] = {}
        self._models: dict[tuple[str, str | None], ChatModel] = {}

    def build(self) -> Models:
        chains = {alias: self._chain(alias) for alias in (*self._settings.models, DEFAULT_ALIAS)}
        stacks = {alias: self._stack(chain) for alias, chain in chains.items()}
        default = self._stack(self._chain(""))
        name, model = chains[DEFAULT_ALIAS][0]
        provider = self._providers[name]
        demo = provider.kind == "local" and is_demo(model or provider.model)
        available = any(self._is_runnable(*link) for link in chains[DEFAULT_ALIAS])
        description = ModelDescription(name, self._model_name(name, model), demo, available=available)
        chat: ChatModel = Routed(stacks, default)
        if secrets := known_secrets(self._settings):
            chat = Masked(chat, secrets)
        return Models(chat, description, self._endpoints)

    def _is_runnable(self, name: str, model: str | None) -> bool:
        provider = self._providers[name]
        return provider.kind != "local" or is_runnable(model or provider.model)

    def _chain(self, alias: str) -> tuple[tuple[str, str | None], ...]:
        chain = self._settings.chain(alias) or ((next(iter(self._providers)), None),)
        for name, _ in chain:
            if name not in self._providers:
                known = ", ".join(self._providers)
                raise ConfigError(f'there is no provider "{name}"', hint=f"configured are: {known}")
        return chain

    def _stack(self, chain: Sequence[tuple[str, str | None]]) -> ChatModel:
        last = len(chain) - 1
        sees = self._providers[chain[0][0]].vision
        return Fallback([
            Retried(
                Blind(self._model(name, model))
                if sees and not self._providers[name].vision
                else self._model(name, model),
                clock=self._clock,
                max_retries=self._retries(name),
                max_wait_s=_PATIENT_WAIT_S if place == last else _IMPATIENT_WAIT_S,
                timeout_retries=1 if last == 0 else 0,
            )
            for place, (name, model) in enumerate(chain)
        ])

    def _model_name(self, name: str, model: str | None) -> str:
        provider = self._providers[name]
        named = model or provider.model
        if provider.kind == "local":
            return Path(named).stem if named else DEMO_PACKAGE
        return named or "default"

    def _retries(self, name: str) -> int:
        provider = self._providers[name]
        # What is missing here does not come by waiting.
        return 0 if provider.kind == "local" else provider.max_retries

    def _model(self, name: str, model: str | None) -> ChatModel:
        key = (name, model)
        if key not in self._models:
            self._models[key] = self._made(name, model)
        return self._models[key]

    def _made(self, name: str, model: str | None) -> ChatModel:
        provider = self._providers[name]
        demo = provider.kind == "local" and is_demo(model or provider.model)
        if demo:
            changes = {key: value for key, value in _DEMO.items() if getattr(provider, key) is None}
            provider = provider.model_copy(update=changes)
        endpoint = self._endpoint(name, provider, model)
        shown = self._model_name(name, model)
        leaf = OpenAICompatible(name, provider, endpoint, clock=self._clock, model=shown)
        chat: ChatModel = Metered(leaf, self._observer, provider=name, model=leaf.model)
        if provider.kind == "local":
            chat = Limited(chat, at_once=1)
        chat = _with_tools(chat, provider)
        return Shortened(chat) if demo else chat

    def _endpoint(self, name: str, provider: ProviderSettings, model: str | None) -> Endpoint:
        # A local process serves one model; an address serves all of a provider's.
        key = f"{name}:{model}" if model and provider.kind == "local" else name
        if key not in self._endpoints:
            self._endpoints[key] = self._connected(name, provider, model)
        return self._endpoints[key]

    def _connected(self, name: str, provider: ProviderSettings, model: str | None) -> Endpoint:
        if provider.kind == "local":
            weights = model or provider.model
            size = DEMO_CONTEXT_TOKENS if is_demo(weights) else _LOCAL_CONTEXT_TOKENS
            size = provider.context_window_tokens or size
            return LocalEndpoint(name, weights, clock=self._clock, context_tokens=size)
        base_url = provider.base_url or _OPENAI
        address = Address(
            name,
            base_url,
            api_key=provider.api_key.get_secret_value() if provider.api_key else "",
            proxy=proxy_for(base_url, provider.proxy, self._environ),
            connect_timeout_s=provider.connect_timeout_secs,
        )
        return RemoteEndpoint(address, self._clock)
