"""Judge a written-down conversation: the lines of `xiaomaolv group explain --jsonl`."""

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, cast

from bot.errors import InputError
from bot.turn.group.records import Bot, GroupMessage, GroupSettings, Mode, Verdict
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
    read = [_message(item, messages, at) for at, item in enumerate(messages)]
    state = GroupState(
        _bot(moment.get("bot")), _mode(moment.get("mode", "smart")), _settings(moment.get("settings"))
    )
    for message in read[:-1]:
        state.see(message)
    return state, read[-1]


def explain_line(line: bytes) -> dict[str, Any]:
    """One line in, one record out; what is wrong with a line is told in `error`."""
    try:
        verdict = explain(json.loads(line))
    except InputError as error:
        return {"error": {"code": "invalid", "message": error.message, "field": error.field or ""}}
    except (ValueError, RecursionError) as error:
        return {"error": {"code": "invalid", "message": f"not a JSON line: {error}", "field": ""}}
    return {"decision": verdict.decision, "score": verdict.score, "reasons": list(verdict.reasons)}


def _bot(value: Any) -> Bot:
    if not isinstance(value, Mapping):
        raise InputError("bot is an object with username, name and aliases", field="bot")
    aliases = value.get("aliases") or []
    if not isinstance(aliases, list) or not all(isinstance(alias, str) for alias in aliases):
        raise InputError("aliases is a list of names", field="bot.aliases")
    username, name = value.get("username") or "", value.get("name") or ""
    if not isinstance(username, str) or not isinstance(name, str):
        raise InputError("username and name are texts", field="bot")
    return Bot(username.removeprefix("@"), name, tuple(aliases))


def _mode(value: Any) -> Mode:
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


def _message(item: Any, messages: list[Any], at: int) -> GroupMessage:
    where = f"messages[{at}]"
    if not isinstance(item, Mapping):
        raise InputError("a message is an object", field=where)
    sender, text, t = item.get("from"), item.get("text", ""), item.get("t", 0)
    if not isinstance(sender, str) or not sender:
        raise InputError("from is a name", field=f"{where}.from")
    if not isinstance(text, str):
        raise InputError("text is a text", field=f"{where}.text")
    mentions = item.get("mentions") or []
    if not isinstance(mentions, list) or not all(isinstance(name, str) for name in mentions):
        raise InputError("mentions is a list of names", field=f"{where}.mentions")
    return GroupMessage(
        sender=sender,
        text=text,
        t=_number(t, f"{where}.t"),
        is_bot=bool(item.get("is_bot")),
        reply_to=_replied(item.get("reply_to"), messages, at),
        mentions=tuple(mentions),
    )


def _replied(value: Any, messages: list[Any], at: int) -> str:
    """Whose message is answered."""
    if value is None:
        return ""
    where = f"messages[{at}].reply_to"
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < len(messages):
        raise InputError("reply_to is the index of a message", field=where)
    answered = messages[value]
    sender = answered.get("from") if isinstance(answered, Mapping) else None
    return sender if isinstance(sender, str) else ""
