"""/settings: how the bot behaves in a chat, by buttons or in words."""

from bot.commands.base import WITHOUT_SETTINGS, Answer, Call, Command, Context
from bot.delivery.buttons import Button, Rows
from bot.i18n.catalogue import LOCALES, NATIVE_NAMES, translate
from bot.turn import chat_settings
from bot.turn.chat_settings import ChatSettings, Key, QuietHours

MODES = ("smart", "strict")
NIGHT = "22:00-07:00"
OFF = frozenset({"off", "none", "-", "no", "关", "关闭", "apagado", "desactivado", "बंद", "إيقاف"})
AUTO = frozenset({"auto", "default", "-"})


async def settings(call: Call, context: Context) -> Answer | str:
    where = call.inbound.conversation
    if where.channel in WITHOUT_SETTINGS:
        return translate("settings.none", call.locale)
    words = call.arguments.split(maxsplit=1)
    if words:
        may = await _may_set(call, context)
        if not may:
            return translate("settings.unsure" if may is None else "settings.denied", call.locale)
        change = _read(words[0].lower(), words[1].strip() if len(words) > 1 else "", group=call.in_group)
        if change is None:
            return translate("settings.usage", call.locale)
        await context.store.write(chat_settings.put, where, *change, context.clock.now())
    now = await context.store.read(chat_settings.settings_of, where)
    locale = now.language or call.inbound.speaker.locale or context.rules.locale or call.locale
    return Answer(_text(now, call, context, locale), _buttons(now, call, locale), in_place=True)


async def _may_set(call: Call, context: Context) -> bool | None:
    if not call.in_group or call.by_manager:
        return True
    presence = context.rooms.presence(call.inbound.conversation.channel)
    return await presence.is_chat_admin(call.inbound)


def _read(name: str, value: str, *, group: bool) -> tuple[Key, str] | None:
    """What is to be set, from the words for it; None where they mean nothing."""
    wanted = value.lower()
    if name == "language":
        if wanted in AUTO:
            return "language", ""
        code = wanted.replace("_", "-").split("-")[0]
        return ("language", code) if code in LOCALES else None
    if name == "mode" and wanted in MODES and group:
        return "mode", wanted
    if name == "quiet" and group:
        if wanted in OFF:
            return "quiet", ""
        hours = QuietHours.parse(value)
        return None if hours is None else ("quiet", str(hours))
    return None


def _text(now: ChatSettings, call: Call, context: Context, locale: str) -> str:
    language = NATIVE_NAMES[now.language] if now.language in LOCALES else translate("settings.auto", locale)
    lines = [translate("settings.language", locale, value=language)]
    if call.in_group:
        mode = now.mode or context.rooms.rules.mode
        quiet = str(now.quiet) if now.quiet else translate("settings.off", locale)
        lines = [
            translate("settings.mode", locale, value=translate(f"settings.{mode}", locale)),
            *lines,
            translate("settings.quiet", locale, value=quiet),
        ]
    usage = "settings.words" if call.in_group else "settings.words_private"
    return "\n".join([translate("settings.title", locale), *lines, "", translate(usage, locale)])


def _buttons(now: ChatSettings, call: Call, locale: str) -> Rows:
    languages = tuple(
        Button(_marked(NATIVE_NAMES[code], chosen=now.language == code), f"/settings language {code}")
        for code in LOCALES
    )
    auto = Button(
        _marked(translate("settings.auto", locale), chosen=not now.language), "/settings language auto"
    )
    rows: Rows = (languages[:3], (*languages[3:], auto))
    if not call.in_group:
        return rows
    modes = tuple(
        Button(
            _marked(translate(f"settings.button_{mode}", locale), chosen=now.mode == mode),
            f"/settings mode {mode}",
        )
        for mode in MODES
    )
    no_quiet = translate("settings.button_no_quiet", locale)
    quiet = (
        Button(_marked(f"🌙 {NIGHT}", chosen=str(now.quiet) == NIGHT), f"/settings quiet {NIGHT}"),
        Button(_marked(no_quiet, chosen=now.quiet is None), "/settings quiet off"),
    )
    return (modes, *rows, quiet)


def _marked(label: str, *, chosen: bool) -> str:
    return f"✓ {label}" if chosen else label


COMMANDS = (Command("settings", settings),)
