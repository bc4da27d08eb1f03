"""All that the doctor looks at, in order."""

import asyncio
from collections.abc import Mapping, Sequence

from bot.cli import lazy
from bot.cli.doctor.machine import check_clock, check_database, check_disk, check_port, data_folder
from bot.cli.doctor.models import check_embedder, check_provider, check_reranker
from bot.config.settings import Settings
from bot.domain.check import Check


async def examine(settings: Settings, environ: Mapping[str, str]) -> list[Check]:
    """All checks of a configured bot, in the order people read them. Takes some seconds at most."""
    async with asyncio.TaskGroup() as group:
        embedder = group.create_task(check_embedder(settings, environ))
        providers = [
            group.create_task(check_provider(name, provider, environ))
            for name, provider in settings.providers.items()
        ]
        telegram = group.create_task(check_telegram(settings, environ))
        port = group.create_task(check_port(settings))
    answers = [provider.result() for provider in providers]
    return [
        check_database(settings),
        embedder.result(),
        *check_reranker(settings),
        *(check for check, _ in answers),
        *telegram.result(),
        check_clock([date for _, date in answers if date]),
        check_disk(data_folder(settings.storage.url)),
        port.result(),
    ]


async def check_telegram(settings: Settings, environ: Mapping[str, str]) -> Sequence[Check]:
    """What Telegram says of the token, and of privacy mode in groups."""
    telegram = settings.channels.telegram
    if not telegram.is_active:
        why = (
            "channels.telegram.bot_token is not set"
            if telegram.enabled
            else "channels.telegram is not enabled"
        )
        return [Check("telegram", "skipped", why)]
    found: Sequence[Check] = await lazy("channels.telegram.check").check(telegram, environ)
    return found
