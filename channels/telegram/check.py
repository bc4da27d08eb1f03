"""What `xiaomaolv doctor` finds out about Telegram."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.config.channels import TelegramSettings
from bot.config.mask import without_password
from bot.domain.check import Check
from channels.telegram.client import Client, Refused, Unanswered
from channels.telegram.parts import Me
from channels.telegram.webhook import PATH


async def check(settings: TelegramSettings, environ: Mapping[str, str] | None = None) -> Sequence[Check]:
    """The token, privacy mode in groups, and whether a webhook stands in the way."""
    client = Client(settings, environ)
    try:
        me = Me.of(await client.call("getMe"))
        webhook = _webhook(settings, await client.call("getWebhookInfo"))
    except Refused as error:
        cure = "copy the token from @BotFather" if error.code in {401, 404} else "try again later"
        return [Check("telegram token", "fail", str(error), cure)]
    except Unanswered as error:
        cure = "check the network, channels.telegram.api_base_url and .proxy"
        return [Check("telegram", "fail", f"no answer: {error.reason}", cure)]
    except (LookupError, TypeError, AttributeError):
        told = f"{without_password(settings.api_base_url)} answers, but not as the Bot API does"
        return [Check("telegram", "fail", told, "check channels.telegram.api_base_url")]
    finally:
        await client.close()
    return [Check("telegram token", "ok", f"@{me.username}"), _privacy(me), webhook]


def _privacy(me: Me) -> Check:
    if me.reads_all:
        return Check("telegram privacy mode", "ok", "off: the bot sees all messages of its groups")
    return Check(
        "telegram privacy mode",
        "warn",
        "on: in groups only commands, mentions and answers to the bot arrive",
        "for more, send /setprivacy to @BotFather, choose Disable, then remove the bot from the group "
        "and add it again; or make it an admin of the group",
    )


def _webhook(settings: TelegramSettings, info: dict[str, Any]) -> Check:
    name = "telegram updates"
    if settings.mode == "webhook":
        return _own_webhook(settings, info)
    if info["url"]:
        return Check(name, "warn", "a webhook is set", "it is removed at start; stop the program that set it")
    return Check(name, "ok", f"polling, {info['pending_update_count']} waiting")


def _own_webhook(settings: TelegramSettings, info: dict[str, Any]) -> Check:
    name, waiting = "telegram updates", info["pending_update_count"]
    wanted = f"{settings.webhook_url}{PATH}"
    if info["url"] and info["url"] != wanted:
        return Check(name, "warn", f"the webhook is {info['url']}", f"it is set to {wanted} at start")
    if trouble := info.get("last_error_message"):
        cure = "see that webhook_url leads to this bot, with a certificate that others trust"
        return Check(name, "warn", f"webhook, {waiting} waiting; Telegram was answered: {trouble}", cure)
    state = "" if info["url"] else " (set at start)"
    return Check(name, "ok", f"webhook{state}, {waiting} waiting")
