"""A file written for the program whose format this one keeps loads unchanged."""

from pathlib import Path

import pytest

from bot.config.load import load
from bot.config.settings import Settings

FILE = Path(__file__).with_name("original.toml")


@pytest.fixture
def settings() -> Settings:
    return load(FILE, {"OPENAI_API_KEY": "sk-original"})


def test_every_key_of_an_older_file_is_taken(settings: Settings) -> None:
    assert settings.app.default_provider == "openai"
    assert settings.app.locale == "zh-CN"
    assert settings.memory.backend == "hybrid-sqlite-zvec"
    assert settings.channels.plugins["extra"].settings == {"room": "#donkeys"}


def test_a_channel_that_is_off_may_lack_its_token(settings: Settings) -> None:
    assert not settings.channels.telegram.is_active
    assert settings.channels.telegram.bot_token is None


def test_a_provider_may_keep_its_address_among_the_options(settings: Settings) -> None:
    other = settings.providers["other"]
    assert (other.base_url, other.model, other.options) == (
        "http://127.0.0.1:11434/v1",
        "qwen3",
        {"style": "brief"},
    )


def test_numbers_out_of_range_are_brought_into_it_where_they_always_were(settings: Settings) -> None:
    telegram = settings.channels.telegram
    assert telegram.polling_timeout_secs == 50
    assert telegram.streaming_edit_interval_ms == 200
    assert telegram.group_cooldown_secs == 3600
    assert telegram.group_rule_min_score == 1
    assert telegram.scheduler_lease_secs == 5
    assert telegram.scheduler_nl_min_confidence == 1
    assert settings.memory.context_memory_budget_ratio == 80
    assert settings.agent.skills_max_prompt_chars == 256
    assert settings.agent.code_mode.timeout_warn_ratio == 0.4
