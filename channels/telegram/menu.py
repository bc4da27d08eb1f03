"""The command menu that Telegram's clients show beside the text field."""

import re
from collections.abc import Iterable, Sequence

import structlog

from bot.commands.basics import FOR_MANAGERS, SHOWN, SHOWN_IN_GROUPS
from bot.i18n.catalogue import LOCALES, translate
from channels.telegram.client import Refused, Unanswered
from channels.telegram.courtesies import Courtesies

log = structlog.get_logger(__name__)

MAX_COMMANDS = 100
_NAME = re.compile(r"[a-z0-9_]{1,32}")
_MAX_DESCRIPTION = 256

# Whom a menu is for, in Telegram's words; the narrower one counts.
_SCOPES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("default", SHOWN),
    ("all_private_chats", SHOWN),
    ("all_group_chats", SHOWN_IN_GROUPS),
)


def entries(names: Iterable[str], locale: str) -> list[dict[str, str]]:
    """The menu of commands in one language, as Telegram accepts it; the first names count most."""
    shown: dict[str, str] = {}
    for name in names:
        if _NAME.fullmatch(name) and len(shown) < MAX_COMMANDS:
            shown.setdefault(name, translate(f"command.help_{name}", locale)[:_MAX_DESCRIPTION])
    return [{"command": name, "description": text} for name, text in shown.items()]


async def publish(courtesies: Courtesies, admins: Sequence[int], *, managing: bool = True) -> None:
    """Register the menus for each kind of chat and for the admins, in every language.

    Not `managing`: the commands that manage the bot are off. A courtesy: failures are logged only.
    """
    for locale in LOCALES:
        language = "" if locale == "en" else locale
        for kind, names in _SCOPES:
            await _register(courtesies, entries(names, locale), language, {"type": kind})
        for admin in admins if managing else ():
            scope = {"type": "chat", "chat_id": admin}
            await _register(courtesies, entries((*SHOWN, *FOR_MANAGERS), locale), language, scope)


async def _register(
    courtesies: Courtesies, menu: list[dict[str, str]], language: str, scope: dict[str, object]
) -> None:
    while menu:
        try:
            await courtesies.call("setMyCommands", commands=menu, language_code=language or None, scope=scope)
        except Refused as error:
            if error.says("BOT_COMMANDS_TOO_MUCH"):
                log.info("telegram.menu.shortened", hidden=[one["command"] for one in menu[len(menu) // 2 :]])
                menu = menu[: len(menu) // 2]
                continue
            log.info("telegram.menu.refused", scope=scope["type"], reason=error.description)
        except Unanswered as error:
            log.info("telegram.menu.failed", reason=error.reason)
        return
