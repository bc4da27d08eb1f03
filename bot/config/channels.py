"""Settings of the channels: where people talk to the bot."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from bot.config.base import (
    CountOrZero,
    HttpUrl,
    IdList,
    OptionalHttpUrl,
    OptionalProxy,
    OptionalSecret,
    OptionalText,
    Seconds,
    SecretList,
    Section,
    TextList,
    clamp,
    split_list,
)


class HttpSettings(Section):
    enabled: bool = Field(True, description="Serve the web page and the HTTP interface.")
    api_tokens: SecretList = Field(
        (), description="Bearer tokens of the HTTP interface; needed for any bind that is not loopback."
    )
    allowed_origins: TextList = Field(
        (), description="Further web origins that may call the interface, such as https://chat.example.org."
    )
    max_body_bytes: int = Field(1_000_000, ge=1024, description="Largest request body, in bytes.")
    rate_limit_per_minute: CountOrZero = Field(
        0, description="Chat requests a minute and caller; 0 is no limit."
    )
    diag_bearer_token: OptionalSecret = Field(
        None,
        examples=["${XIAOMAOLV_DIAG_TOKEN}"],
        description="Bearer token of the diagnostics; without one they are closed.",
    )
    diag_rate_limit_per_minute: CountOrZero = Field(
        120, description="Diagnostic requests a minute and caller; 0 is no limit."
    )


class TranscriptionSettings(Section):
    base_url: OptionalHttpUrl = Field(
        None,
        examples=["https://api.openai.com/v1"],
        description="Address with /audio/transcriptions below it; without one voice is not understood.",
    )
    api_key: OptionalSecret = Field(None, examples=["${OPENAI_API_KEY}"], description="Key of the address.")
    model: str = Field("whisper-1", min_length=1, description="Name of the model that turns speech to text.")
    timeout_secs: Seconds = Field(60.0, description="Seconds one recording may take.")


def _switch(value: Any) -> Any:
    """`true` and `false` for on and off."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else value


class TelegramLimits(Section):
    per_chat_per_second: float = Field(1.0, gt=0, le=30, description="Messages and edits a second in a chat.")
    per_group_per_minute: int = Field(20, ge=2, description="Messages and edits a minute in a group.")
    overall_per_second: int = Field(30, ge=2, description="Messages and edits a second in all chats.")


class TelegramSettings(Section):
    enabled: bool = Field(True, description="Use Telegram, once bot_token is set.")
    bot_token: OptionalSecret = Field(
        None, examples=["${TELEGRAM_BOT_TOKEN}"], description="Token of the bot, from @BotFather."
    )
    api_base_url: HttpUrl = Field(
        "https://api.telegram.org", description="Bot API server; requests go to <it>/bot<token>/<method>."
    )
    proxy: OptionalProxy = Field(
        None,
        examples=["socks5h://127.0.0.1:1080"],
        description="Proxy for Telegram only, such as socks5h://127.0.0.1:1080.",
    )
    bot_username: OptionalText = Field(
        None, examples=["my_bot"], description="Name of the bot; asked of Telegram when absent."
    )
    allowed_user_ids: IdList = Field(
        (),
        description="User ids that may talk to the bot; others are asked to pair. Comma separated or a list.",
    )
    admin_user_ids: IdList = Field(
        (), description="User ids that may also manage the bot. Comma separated or a list."
    )
    allowed_chat_ids: IdList = Field(
        (), description="Group ids the bot works in; empty is every group it is added to by an allowed user."
    )
    pairing_enabled: bool = Field(True, description="Give strangers a code that an admin can approve.")
    mode: Literal["polling", "webhook"] = Field("polling", description="How updates come in.")
    webhook_url: OptionalHttpUrl = Field(
        None,
        examples=["https://bot.example.org"],
        description="Public https address of this bot for webhooks, without a path.",
    )
    webhook_secret: OptionalSecret = Field(
        None,
        examples=["${TELEGRAM_WEBHOOK_SECRET}"],
        description="Secret Telegram sends with each call (A-Z a-z 0-9 _ -); made from bot_token if absent.",
    )
    polling_timeout_secs: Annotated[int, AfterValidator(clamp(1, 50))] = Field(
        30, description="Seconds one long poll waits (brought into 1 to 50)."
    )
    gather_window_ms: Annotated[int, AfterValidator(clamp(0, 5000))] = Field(
        800,
        description="Milliseconds in which further messages of a person join a turn (0 to 5000; 0 is off).",
    )
    streaming_enabled: bool = Field(True, description="Show answers while they are written.")
    streaming_edit_interval_ms: Annotated[int, AfterValidator(clamp(200, 5000))] = Field(
        900, description="Milliseconds between two edits of a growing answer (brought into 200 to 5000)."
    )
    streaming_prefer_draft: bool = Field(
        True, description="Stream by message drafts where the chat supports it."
    )
    rich_messages: Annotated[Literal["auto", "on", "off"], BeforeValidator(_switch)] = Field(
        "auto",
        description="Send answers as rich messages: on, off, or auto where they show tables, headings, "
        "formulas or long texts better. Chats that refuse them get classic messages.",
    )
    buttons: Annotated[tuple[Literal["regenerate", "continue", "stop"], ...], BeforeValidator(split_list)] = (
        Field(
            ("regenerate", "continue", "stop"),
            description="Buttons under answers: regenerate, continue (one that was cut off), and stop "
            "(while it is written).",
        )
    )
    limits: TelegramLimits = Field(
        default_factory=TelegramLimits, description="How fast Telegram may be written to."
    )
    startup_online_enabled: bool = Field(False, description="Set the bot's short description at start.")
    startup_online_text: str = Field("online", max_length=120, description="The short description to set.")
    commands_enabled: bool = Field(True, description="Answer the slash commands that manage the bot.")
    commands_auto_register: bool = Field(True, description="Publish the command menu at start.")
    commands_private_only: bool = Field(True, description="Take managing commands in private chats only.")
    group_trigger_mode: Literal["strict", "smart"] = Field(
        "smart", description="strict answers only when called; smart also judges the conversation."
    )
    group_followup_window_secs: Annotated[int, AfterValidator(clamp(10, 86400))] = Field(
        180, description="Seconds after an answer in which a follow-up counts (brought into 10 to 86400)."
    )
    group_cooldown_secs: Annotated[int, AfterValidator(clamp(0, 3600))] = Field(
        20, description="Seconds between two answers nobody asked for (brought into 0 to 3600)."
    )
    group_rule_min_score: Annotated[int, AfterValidator(clamp(1, 100))] = Field(
        70, description="Score from which the bot answers in a group (brought into 1 to 100)."
    )
    group_llm_gate_enabled: bool = Field(False, description="Ask the model when the rules are unsure.")
    group_allow_bots: bool = Field(
        False, description="Answer other bots that mention this one, a few times an hour."
    )
    rate_limit_per_minute: CountOrZero = Field(
        20, description="Messages of one person that are answered a minute; 0 is no limit."
    )
    chat_rate_limit_per_minute: CountOrZero = Field(
        60, description="Messages of one chat that are answered a minute; 0 is no limit."
    )
    scheduler_enabled: bool = Field(True, description="Keep reminders and scheduled tasks.")
    scheduler_tick_secs: Annotated[int, AfterValidator(clamp(1, 60))] = Field(
        2, description="Seconds between two looks for due tasks (brought into 1 to 60)."
    )
    scheduler_batch_size: Annotated[int, AfterValidator(clamp(1, 128))] = Field(
        8, description="Due tasks taken at one look (brought into 1 to 128)."
    )
    scheduler_lease_secs: Annotated[int, AfterValidator(clamp(5, 600))] = Field(
        30, description="Seconds a taken task belongs to its taker (brought into 5 to 600)."
    )
    scheduler_default_timezone: str = Field(
        "", description="Time zone such as Europe/Madrid; empty is the machine's, else UTC."
    )
    scheduler_nl_enabled: bool = Field(True, description="Understand wishes for later in plain words.")
    scheduler_nl_min_confidence: Annotated[float, AfterValidator(clamp(0, 1))] = Field(
        0.78, description="Confidence from which words count as such a wish (brought into 0 to 1)."
    )
    scheduler_require_confirm: bool = Field(True, description="Ask before a task from plain words is kept.")
    scheduler_max_jobs_per_owner: Annotated[int, AfterValidator(clamp(1, 1024))] = Field(
        64, description="Open tasks one person may have (brought into 1 to 1024)."
    )
    scheduler_catch_up_max_secs: Annotated[int, AfterValidator(clamp(60, 2_592_000))] = Field(
        86_400,
        description="Seconds a task may be late and still be done, with a note (brought into 60 to 2592000).",
    )
    transcription: TranscriptionSettings = Field(
        default_factory=TranscriptionSettings, description="What turns voice messages into text."
    )

    @property
    def is_active(self) -> bool:
        """Whether the channel is to run: wanted, and with a token."""
        return self.enabled and self.bot_token is not None


class PluginSettings(Section):
    """A channel of another make. The table is accepted so that an older file loads."""

    kind: str = Field(..., examples=["matrix"], description="Kind of the channel.")
    enabled: bool = Field(True, description="Use it.")
    settings: dict[str, Any] = Field(default_factory=dict, description="Its own settings.")


class ChannelsSettings(Section):
    http: HttpSettings = Field(
        default_factory=HttpSettings, description="The web page and the HTTP interface."
    )
    telegram: TelegramSettings = Field(default_factory=TelegramSettings, description="Telegram.")
    plugins: dict[str, PluginSettings] = Field(
        default_factory=dict, description="Channels of another make (accepted, without effect)."
    )
