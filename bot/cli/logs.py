"""How the process logs: structlog to standard error, for people or as JSON, and never a secret."""

import logging
import sys
from collections.abc import Sequence
from typing import Any, TextIO

import structlog
from structlog.typing import EventDict, Processor

from bot.config.mask import MASK, known_secrets, without_password
from bot.config.settings import Settings

# Their lines of level "info" hold whole addresses, and Telegram's hold the bot's token.
_CHATTY = ("httpx", "httpx2", "httpcore", "telegram", "apscheduler", "aiohttp.access", "alembic")


def configure(
    settings: Settings, stream: TextIO | None = None, *, at_least: str = "debug", plain: bool = False
) -> None:
    """Set logging up for the whole process, once. `at_least` raises the level above the settings'.

    `plain`: without colours, also on a terminal.
    """
    stream = stream or sys.stderr
    level = max(_level(settings.logging.level), _level(at_least))
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        masking(known_secrets(settings)),
    ]
    renderer = _renderer(settings.logging.format, stream, plain=plain)
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(file=stream),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processor=renderer, foreign_pre_chain=shared))
    logging.basicConfig(handlers=[handler], level=max(level, logging.INFO), force=True)
    for name in _CHATTY:
        logging.getLogger(name).setLevel(max(level, logging.WARNING))


def masking(secrets: Sequence[str]) -> Processor:
    """A step that blots out known secrets, and passwords in addresses, wherever they stand."""

    def blot(_logger: Any, _method: str, event: EventDict) -> EventDict:
        return {key: _blotted(value, secrets) for key, value in event.items()}

    return blot


def _blotted(value: Any, secrets: Sequence[str]) -> Any:
    if isinstance(value, BaseException):
        value = f"{type(value).__name__}: {value}"
    if not isinstance(value, str):
        return value
    for secret in secrets:
        value = value.replace(secret, MASK)
    return without_password(value)


def _renderer(format_: str, stream: TextIO, *, plain: bool) -> Processor:
    on_terminal = stream.isatty()
    if format_ == "json" or (format_ == "auto" and not on_terminal):
        return structlog.processors.JSONRenderer(ensure_ascii=False)
    return structlog.dev.ConsoleRenderer(colors=on_terminal and not plain)


def _level(name: str) -> int:
    return logging.getLevelNamesMapping()[name.upper()]
