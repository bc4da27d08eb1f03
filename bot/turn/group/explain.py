"""Judge a written-down conversation: the lines of `xiaomaolv group explain --jsonl`."""

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, cast

from bot.errors import InputError
from bot.turn.group.records import OURS, Bot, GroupMessage, GroupSettings, Mode, Verdict
from bot.turn.group.state import GroupState

# Names of the configuration and the short ones of this form.
SETTINGS = {
    "group_followup_window_secs": "followup_window_s",
    "followup_window_secs": "followup_window_s",
    "followup_window": "followup_window_s",
    "group_cooldown_secs": "cooldown_s",
    "cooldown_secs": "cooldown_s",
    "cooldown": "cooldown_s",
    "group_rule_min_score": "min_score",
    "rule_min_score": "min_score",
} | {item.name: item.name for item in fields(GroupSettings)}

LARGEST = 1e15  # seconds; no clock shows more


def explain(moment: Any) -> Verdict:
    """The verdict on the last message of a moment, after the others were seen in order.

    Raises `InputError` that names the field which is wrong.
    """
    state, last = read_moment(moment)
    return state.judge(last)


def read_moment(moment: Any) -> tuple[GroupState, GroupMessage]:
    """The state after all messages but the last were seen, and the last one. Raises `InputError`."""
    if not isinstance(moment, Mapping):
        raise InputError("a moment is a JSON object", field="")
    messages = moment.get("messages")
    if not isinstance(messages, list) or not messages:
        raise InputError("messages is a list with at least one message", field="messages")
    bot = _bot(moment.get("bot"))
    read: list[GroupMessage] = []
    for item in messages:
        read.append(_message(item, read, len(messages), bot))
    state = GroupState(bot, _mode(moment.get("mode")), _settings(moment.get("settings")))
    for message in read[:-1]:
        state.see(message)
    return state, read[-1]


def explain_line(line: bytes) -> dict[str, Any]:
    """One line in, one decision out.

    A line that cannot be read is ignored, as a bot does with a message that it cannot read: whoever
    counts decisions finds one for each line. What is wrong is its reason, and in `error` with the field.
    """
    try:
        verdict = explain(json.loads(line))
    except InputError as error:
        return _unreadable(error.message, error.field or "")
    except (ValueError, RecursionError) as error:
        return _unreadable(f"not a JSON line: {error}", "")
    return {"decision": verdict.decision, "score": verdict.score, "reasons": list(verdict.reasons)}


def _unreadable(message: str, field: str) -> dict[str, Any]:
    error = {"code": "invalid", "message": message, "field": field}
    return {"decision": "ignore", "score": 0, "reasons": [f"cannot be read: {message}"], "error": error}


def _bot(value: Any) -> Bot:
    if not isinstance(value, Mapping):
        raise InputError("bot is an object with username, name and aliases", field="bot")
    aliases = _given(value, "aliases", [])
    if not isinstance(aliases, list) or not all(isinstance(alias, str) for alias in aliases):
        raise InputError("aliases is a list of names", field="bot.aliases")
    username, name = _given(value, "username", ""), _given(value, "name", "")
    if not isinstance(username, str) or not isinstance(name, str):
        raise InputError("username and name are texts", field="bot")
    return Bot(username.removeprefix("@"), name, tuple(aliases))


def _given(item: Mapping[str, Any], key: str, default: Any) -> Any:
    """What stands under a key; null says as little as a missing key."""
    value = item.get(key)
    return default if value is None else value


def _mode(value: Any) -> Mode:
    if value is None:
        return "smart"
    if not isinstance(value, str) or value not in {"smart", "strict"}:
        raise InputError("mode is smart or strict", field="mode")
    return cast("Mode", value)


def _settings(value: Any) -> GroupSettings:
    if value is None:
        return GroupSettings()
    if not isinstance(value, Mapping):
        raise InputError("settings is an object", field="settings")
    given: dict[str, Any] = {}
    for key, item in value.items():
        name = SETTINGS.get(key)
        if name is None:
            continue  # a setting of a later version does not make the moment unreadable
        given[name] = _setting(name, item, f"settings.{key}")
    return GroupSettings(**given)


def _setting(name: str, value: Any, where: str) -> bool | int | float:
    if name == "allow_bots":
        if not isinstance(value, bool):
            raise InputError("allow_bots is true or false", field=where)
        return value
    number = _number(value, where)
    return int(number) if name in {"min_score", "bot_answers_per_hour"} else number


def _number(value: Any, where: str) -> float:
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or abs(value) > LARGEST
        or value != value
    ):
        raise InputError("this is a number", field=where)
    return float(value)


def _message(item: Any, before: list[GroupMessage], count: int, bot: Bot) -> GroupMessage:
    where = f"messages[{len(before)}]"
    if not isinstance(item, Mapping):
        raise InputError("a message is an object", field=where)
    sender, text = item.get("from"), _given(item, "text", "")
    if not isinstance(sender, str) or not sender:
        raise InputError("from is a name", field=f"{where}.from")
    if not isinstance(text, str):
        raise InputError("text is a text", field=f"{where}.text")
    mentions = _given(item, "mentions", [])
    if not isinstance(mentions, list) or not all(isinstance(name, str) for name in mentions):
        raise InputError("mentions is a list of names", field=f"{where}.mentions")
    is_bot = item.get("is_bot")
    if is_bot is not None and not isinstance(is_bot, bool):
        raise InputError("is_bot is true or false", field=f"{where}.is_bot")
    return GroupMessage(
        sender=(key := _key(sender, is_bot, bot)),
        text=text,
        # Without a time of its own it came with the one before.
        t=_number(_given(item, "t", before[-1].t if before else 0), f"{where}.t"),
        name="" if key == OURS else sender,
        is_bot=is_bot is True,
        reply_to=_replied(item.get("reply_to"), before, count, where),
        mentions=tuple(mentions),
    )


def _key(sender: str, is_bot: bool | None, bot: Bot) -> str:
    """The key of a sender. The bot's own messages may bear its username; a person may be called BOT."""
    if sender == OURS:
        return f"{OURS} (a person)" if is_bot is False else OURS
    if is_bot and bot.username and sender.removeprefix("@").lower() == bot.username.lower():
        return OURS
    return sender


def _replied(value: Any, before: list[GroupMessage], count: int, where: str) -> str:
    """Whose message is answered; "" for one that a running bot could not have seen yet."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count:
        raise InputError("reply_to is the index of a message", field=f"{where}.reply_to")
    return before[value].sender if value < len(before) else ""
