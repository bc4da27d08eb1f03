"""What a person is asked before a tool is called: the exact call, its effect, whether it can be undone."""

import json
import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime

from bot.delivery.buttons import Button, Rows
from bot.i18n.catalogue import translate
from bot.policy.approvals import Approval

RULE = "rule:"  # before the operator's own words for a reason


def question(asked: Approval, locale: str, now: datetime) -> str:
    """The question, as Markdown."""
    minutes = max(1, round((asked.expires_at - now).total_seconds() / 60))
    lines = [
        translate("approval.doubt" if asked.doubt else "approval.ask", locale),
        "",
        translate("approval.tool", locale, tool=_inline(f"{asked.toolset}.{asked.tool}")),
        fenced(shown(asked)),
        translate(f"approval.effect_{asked.effect}", locale),
    ]
    if why := _why(asked.reason, locale):
        lines.append(why)
    lines.append(translate("approval.until", locale, minutes=minutes))
    return "\n".join(lines)


def in_words(asked: Sequence[Approval], locale: str, now: datetime) -> str:
    """All questions of a turn, for a channel in which they are answered in words."""
    questions = "\n\n".join(question(one, locale, now) for one in asked)
    return f"{questions}\n\n{translate('approval.words', locale)}"


def buttons(asked: Approval, locale: str) -> Rows:
    """Once, always here, no. What may have happened already is decided for this once."""
    once = Button(translate("approval.once", locale), f"/approve once {asked.id}")
    always = Button(translate("approval.always", locale), f"/approve always {asked.id}")
    deny = Button(translate("approval.deny", locale), f"/approve no {asked.id}")
    return ((once, deny),) if asked.doubt else ((once, deny), (always,))


def shown(asked: Approval) -> str:
    """The arguments, exactly; what could not be seen, or would turn the text around, is escaped."""
    text = json.dumps(dict(asked.arguments), ensure_ascii=False, indent=2)
    return "".join(_visible(char) for char in text)


def _visible(char: str) -> str:
    if char == "\n" or unicodedata.category(char) not in {"Cc", "Cf", "Co", "Cn", "Zl", "Zp"}:
        return char
    return f"\\u{ord(char):04x}"


def fenced(text: str) -> str:
    """A code block that its text cannot end."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}json\n{text}\n{fence}"


def _inline(name: str) -> str:
    return f"`{name.replace('`', '')}`"


def _why(reason: str, locale: str) -> str:
    if reason.startswith(RULE):
        return translate("approval.why_rule", locale, reason=reason.removeprefix(RULE))
    return translate("approval.why_untrusted", locale) if reason == "untrusted" else ""
