"""What the operator's configuration says of people, groups, long conversations, prices and tools."""

import zoneinfo

from bot.agent.react import Price
from bot.config.settings import Settings
from bot.domain.conversation import SpeakerId
from bot.domain.message import Usage
from bot.policy.limits import Limits
from bot.turn.compaction import Compaction
from bot.turn.gate import Role, Rules
from bot.turn.group import GroupSettings
from bot.turn.rooms import RoomRules

MAX_SUMMARY_TOKENS = 1_000


def rules_of(settings: Settings) -> Rules:
    """Who is let in and what they may do."""
    telegram = settings.channels.telegram
    return Rules(
        roles=_roles(settings),
        pairing=telegram.pairing_enabled,
        limits=Limits(telegram.rate_limit_per_minute, telegram.chat_rate_limit_per_minute),
        locale=settings.app.locale,
        managing=telegram.commands_enabled,
        managing_in_groups=not telegram.commands_private_only,
    )


def compaction_of(settings: Settings, room: int) -> Compaction | None:
    """How long histories are shortened, where that is wanted; `room` is the tokens a request may hold."""
    harness = settings.agent.harness
    if not harness.enable_compaction:
        return None
    turns = settings.memory.max_recent_turns or settings.app.max_history
    return Compaction(harness, 2 * turns, min(MAX_SUMMARY_TOKENS, room // 8), room // 2)


def room_rules_of(settings: Settings) -> RoomRules:
    """Which groups are served, and how eager the bot is there."""
    telegram = settings.channels.telegram
    zone = telegram.scheduler_default_timezone
    return RoomRules(
        mode=telegram.group_trigger_mode,
        settings=GroupSettings(
            followup_window_s=telegram.group_followup_window_secs,
            cooldown_s=telegram.group_cooldown_secs,
            min_score=telegram.group_rule_min_score,
            allow_bots=telegram.group_allow_bots,
        ),
        allowed=frozenset(f"telegram:{chat_id}" for chat_id in telegram.allowed_chat_ids),
        zone=zoneinfo.ZoneInfo(zone) if zone else None,
        ask_model=telegram.group_llm_gate_enabled,
    )


def _roles(settings: Settings) -> dict[SpeakerId, Role]:
    """Who is let in by configuration: the first admin is the owner."""
    telegram = settings.channels.telegram
    roles: dict[SpeakerId, Role] = {}
    for user_id in telegram.allowed_user_ids:
        roles[SpeakerId(f"telegram:{user_id}")] = "member"
    for place, user_id in enumerate(telegram.admin_user_ids):
        roles[SpeakerId(f"telegram:{user_id}")] = "admin" if place else "owner"
    return roles


def price_of(settings: Settings) -> Price:
    """What tokens cost, by the prices of the provider that counted them."""
    default = settings.chain()[0][0] if settings.chain() else ""

    def price(usage: Usage, provider: str, model: str) -> float:
        known = settings.providers.get(provider or default)
        if known is None:
            return 0.0
        told = usage.input_tokens * known.price_input + usage.output_tokens * known.price_output
        return told / 1_000_000

    return price


def knows_tools(settings: Settings) -> bool:
    """Whether a model that answers people can use tools, so that it makes sense to offer it some."""
    known = [settings.providers[name] for name, _ in settings.chain() if name in settings.providers]
    return any(
        provider.tools in {"native", "json"} or (provider.tools == "auto" and provider.kind != "local")
        for provider in known
    )
