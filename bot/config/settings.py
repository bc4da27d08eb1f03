"""The settings of the whole product: one frozen record, read once at start.

`bot.config.load.load` makes it from a file and the environment. Every field has a one-line
description; `config.example.toml` is generated from them.
"""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, field_validator, model_validator

from bot.config.agent import (
    AgentSettings,
    CodeModeSettings,
    EvolutionSettings,
    HarnessSettings,
    LoopEngineSettings,
    SwarmSettings,
)
from bot.config.base import (
    Count,
    CountOrZero,
    OptionalHttpUrl,
    OptionalProxy,
    OptionalSecret,
    OptionalText,
    Seconds,
    Section,
    TextList,
    split_address,
)
from bot.config.channels import ChannelsSettings, HttpSettings, PluginSettings, TelegramSettings
from bot.config.memory import MemorySettings, ZvecSettings
from bot.config.policy import PolicySettings
from bot.config.tools import ToolsSettings

__all__ = [
    "AgentSettings",
    "AppSettings",
    "ChannelsSettings",
    "CodeModeSettings",
    "EvolutionSettings",
    "HarnessSettings",
    "HttpSettings",
    "LoggingSettings",
    "LoopEngineSettings",
    "MemorySettings",
    "ModelAliasSettings",
    "PersonaSettings",
    "PluginSettings",
    "PolicySettings",
    "ProviderSettings",
    "Settings",
    "StorageSettings",
    "SwarmSettings",
    "TelegramSettings",
    "TelemetrySettings",
    "ToolsSettings",
    "ZvecSettings",
]


def _address(value: str) -> str:
    split_address(value)
    return value


class AppSettings(Section):
    bind: Annotated[str, AfterValidator(_address)] = Field(
        "127.0.0.1:8080",
        description="Address and port to serve on; any but a loopback one needs channels.http.api_tokens.",
    )
    default_provider: str = Field(
        "", description="Provider of the answers; empty is the first one configured."
    )
    locale: Literal["en-US", "zh-CN", "hi-IN", "es-ES", "ar"] = Field(
        "en-US", description="Language of the bot's own texts: en-US, zh-CN, hi-IN, es-ES or ar."
    )
    max_history: Count = Field(16, description="Turns of a conversation given to the model.")
    concurrency_limit: Count = Field(128, description="Turns in flight at once.")
    api_key: OptionalSecret = Field(
        None,
        examples=["${XIAOMAOLV_OPERATOR_KEY}"],
        description="Key of the operator, for goals and evolution.",
    )

    @property
    def host(self) -> str:
        """The host of `bind`, without brackets."""
        return split_address(self.bind)[0]

    @property
    def port(self) -> int:
        """The port of `bind`; 0 lets the system choose."""
        return split_address(self.bind)[1]


def _silence_limit(known: dict[str, Any]) -> Any:
    return known.get("timeout_secs", 30.0)


class ProviderSettings(Section):
    kind: Literal["openai-compatible", "local"] = Field(
        "openai-compatible", description="openai-compatible: an endpoint; local: a model run in this process."
    )
    base_url: OptionalHttpUrl = Field(
        None,
        examples=["https://api.openai.com/v1"],
        description="Address of the endpoint, such as https://api.openai.com/v1.",
    )
    api_key: OptionalSecret = Field(None, examples=["${OPENAI_API_KEY}"], description="Key of the endpoint.")
    model: OptionalText = Field(
        None,
        examples=["gpt-4o-mini"],
        description="Name of the model; for local: a packaged model, or the path of a .gguf file.",
    )
    timeout_secs: Seconds = Field(30.0, description="Seconds the provider may be silent.")
    connect_timeout_secs: Seconds = Field(5.0, description="Seconds to connect.")
    first_token_timeout_secs: Seconds = Field(
        default_factory=_silence_limit, description="Seconds until the first token; default is timeout_secs."
    )
    total_timeout_secs: Seconds = Field(600.0, description="Seconds for a whole answer.")
    vision: bool = Field(False, description="Whether the model can look at pictures.")
    max_retries: CountOrZero = Field(
        2, description="Further tries of a failed call, before any text is shown."
    )
    temperature: float | None = Field(None, examples=[0.7], ge=0, le=2, description="Sampling temperature.")
    top_p: float | None = Field(None, examples=[0.95], gt=0, le=1, description="Nucleus sampling.")
    repeat_penalty: float | None = Field(
        None, examples=[1.1], gt=0, description="Penalty on repetition (local models)."
    )
    tools: Literal["auto", "native", "json", "none"] = Field(
        "auto",
        description="How the model calls tools: native, json (it writes the call as JSON), none; auto is "
        "native for an endpoint, or json where that refuses tools, and none for a local model.",
    )
    json_schema: bool = Field(
        True,
        description="Where calls are written as JSON: hold the model to the right form by a JSON Schema "
        "(response_format); an endpoint that refuses that is asked without.",
    )
    price_input: float = Field(0.0, ge=0, description="Price of a million tokens of input; 0 is not known.")
    price_output: float = Field(0.0, ge=0, description="Price of a million tokens of output.")
    max_tokens: Count | None = Field(None, examples=[4096], description="Tokens of an answer at most.")
    context_window_tokens: Count | None = Field(
        None,
        examples=[128000],
        description="Tokens the model can take in; default is memory.context_window_tokens.",
    )
    proxy: OptionalProxy = Field(
        None, examples=["http://127.0.0.1:3128"], description="Proxy for this provider only."
    )
    options: dict[str, Any] = Field(
        default_factory=dict, description="Further fields sent with each request to the endpoint."
    )

    @model_validator(mode="before")
    @classmethod
    def _suit_the_packaged_model(cls, data: Any) -> Any:
        """The small packaged model makes sense only when its sampling is narrow."""
        if isinstance(data, dict) and data.get("kind") == "local" and not data.get("model"):
            return {"temperature": 0.2, "top_p": 0.9, "repeat_penalty": 1.1, **data}
        return data

    @model_validator(mode="before")
    @classmethod
    def _take_from_options(cls, data: Any) -> Any:
        """Older files keep address, key and model among the options."""
        if not isinstance(data, dict) or not isinstance(options := data.get("options"), dict):
            return data
        moved = {key: options[key] for key in ("base_url", "api_key", "model") if key in options}
        rest = {key: value for key, value in options.items() if key not in moved}
        return {**moved, **data, "options": rest}


class ModelAliasSettings(Section):
    providers: TextList = Field(
        ...,
        examples=[["openai", "openai:gpt-4o"]],
        min_length=1,
        description="Providers to try in turn, each as provider or provider:model.",
    )

    def chain(self) -> tuple[tuple[str, str | None], ...]:
        """The providers in turn, each with the model it is asked for (None: its own)."""
        return tuple(
            (name, model or None) for name, _, model in (item.partition(":") for item in self.providers)
        )


class StorageSettings(Section):
    url: str = Field(
        "sqlite:///data/bot.db",
        description="Database: sqlite:///relative.db, sqlite:////absolute.db or postgresql://user:password@host/name.",
    )

    @field_validator("url")
    @classmethod
    def _known_scheme(cls, value: str) -> str:
        if not value.startswith(("sqlite:", "postgresql:", "postgresql+psycopg:", "postgres:")):
            raise ValueError("expected an address that starts with sqlite:/// or postgresql://")
        return value


class PersonaSettings(Section):
    text: str = Field("", description="System prompt; empty is a short built-in one.")
    file: OptionalText = Field(
        None, examples=["persona.md"], description="File to read the system prompt from instead."
    )


class LoggingSettings(Section):
    level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="Least level that is logged."
    )
    format: Literal["auto", "json", "console"] = Field(
        "auto", description="json, console, or auto: for people on a terminal, else json."
    )


class TelemetrySettings(Section):
    otlp_endpoint: OptionalHttpUrl = Field(
        None,
        examples=["http://127.0.0.1:4318"],
        description="OpenTelemetry collector, such as http://127.0.0.1:4318 (needs the otel extra).",
    )


class Settings(Section):
    app: AppSettings = Field(default_factory=AppSettings, description="The process.")
    providers: dict[str, ProviderSettings] = Field(
        default_factory=dict, description="Model providers, by a name of your choice."
    )
    models: dict[str, ModelAliasSettings] = Field(
        default_factory=dict, description="Names for chains of providers; chat is what answers people."
    )
    channels: ChannelsSettings = Field(default_factory=ChannelsSettings, description="Where people talk.")
    storage: StorageSettings = Field(default_factory=StorageSettings, description="Where everything is kept.")
    memory: MemorySettings = Field(
        default_factory=MemorySettings, description="What is remembered and recalled."
    )
    agent: AgentSettings = Field(default_factory=AgentSettings, description="How the bot works on a task.")
    policy: PolicySettings = Field(
        default_factory=PolicySettings, description="What the bot may do with its tools."
    )
    tools: ToolsSettings = Field(default_factory=ToolsSettings, description="The bot's own tools.")
    persona: PersonaSettings = Field(default_factory=PersonaSettings, description="Who the bot is.")
    logging: LoggingSettings = Field(default_factory=LoggingSettings, description="Logs.")
    telemetry: TelemetrySettings = Field(default_factory=TelemetrySettings, description="Traces.")

    def chain(self, alias: str = "chat") -> tuple[tuple[str, str | None], ...]:
        """The (provider, model) pairs to try in turn for an alias; a provider's own model is None.

        An alias without a table stands for the default provider. Empty when none is configured.
        """
        if alias in self.models:
            return self.models[alias].chain()
        default = self.app.default_provider or next(iter(self.providers), "")
        return ((default, None),) if default else ()
