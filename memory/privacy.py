"""What may be kept at all: the one policy that every write passes, and the secrets that never do.

The checks are made in this order, and the first that fails names the reason: a scope, a visibility that
goes with it, a decision that allows it, a person's review where one is wanted, provenance, leave to keep
it for long.
"""

import re
from dataclasses import dataclass
from typing import Literal

from bot.text.lazy import Pattern
from memory.record import KINDS, WORKSPACE, MemoryDraft

Reason = Literal[
    "scope_required",
    "policy_denied",
    "review_required",
    "provenance_required",
    "long_term_denied",
    "visibility_denied",
    "kind_unknown",
    "expiry_required",
    "secret",
    "empty",
]
Decision = Literal["allow", "review", "deny"]

REMOVED = "[secret]"


@dataclass(frozen=True, slots=True)
class WritePolicy:
    """What an operator or a caller allows. `decision` is of a policy above, for this write."""

    allow_long_term: bool = True
    require_provenance: bool = True
    decision: Decision = "allow"


POLICY = WritePolicy()


def objection(draft: MemoryDraft, policy: WritePolicy = POLICY) -> Reason | None:
    """Why a draft may not be kept; None if it may."""
    if not draft.scope.strip() or draft.scope.endswith(":"):  # nobody's, or of a kind without a name
        return "scope_required"
    if (draft.visibility == "private") == (draft.scope == WORKSPACE):  # told to nobody, or beyond its scope
        return "visibility_denied"
    if policy.decision == "deny":
        return "policy_denied"
    if policy.decision == "review":
        return "review_required"
    if policy.require_provenance and not draft.origin:
        return "provenance_required"
    if draft.kind not in KINDS:
        return "kind_unknown"
    if draft.kind == "working":
        return None if draft.expires_at is not None else "expiry_required"
    return None if policy.allow_long_term else "long_term_denied"


# Tokens whose form alone tells what they are.
_TOKEN_FORMS = (
    r"sk-(?:ant-|proj-|or-|svcacct-)?[A-Za-z0-9_-]{16,}",
    r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{12,}",
    r"gh[pousr]_[A-Za-z0-9]{20,}",
    r"github_pat_[A-Za-z0-9_]{20,}",
    r"glpat-[A-Za-z0-9_-]{16,}",
    r"xox[abeoprs]-[A-Za-z0-9-]{10,}",
    r"xapp-[A-Za-z0-9-]{16,}",
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}",
    r"AIza[A-Za-z0-9_-]{30,}",
    r"ya29\.[A-Za-z0-9_-]{20,}",
    r"hf_[A-Za-z0-9]{20,}",
    r"npm_[A-Za-z0-9]{30,}",
    r"pypi-[A-Za-z0-9_-]{30,}",
    r"dop_v1_[a-f0-9]{40,}",
    r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
    r"[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}",  # a bot of Telegram
)
_TOKEN = Pattern(rf"(?<![A-Za-z0-9_-])(?:{'|'.join(_TOKEN_FORMS)})(?![A-Za-z0-9])")
_PRIVATE_KEY = Pattern(
    r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    re.DOTALL,
)
# `https://TOKEN@host` has no name before the token; `ssh://git@host` has nothing but a name.
_IN_URL = Pattern(r"(?<=://)[^\s/:@]*:[^\s/@]+(?=@)|(?:(?<=http://)|(?<=https://))[^\s/?#@]+(?=@)")
_BEARER = Pattern(r"(?i)(?<=\bbearer )[A-Za-z0-9._~+/-]{12,}=*")
_CARD = Pattern(r"(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.])")

_NAMES = (
    r"(?:pass(?:word|wd|code|phrase)|pwd|pin(?: ?code)?|api[ _-]?key|access[ _-]?key|secret(?:[ _-]?key)?"
    r"|private[ _-]?key|(?:access |auth |bot )?token|recovery (?:code|phrase)|seed phrase|cvv|cvc|otp"
    r"|contrase(?:ñ|n)a|clave|c[oó]digo pin)"
)
# "the password is X", "API_KEY=X": what follows is looked at by `_is_telling`.
_NAMED = Pattern(
    rf"(?i)(?<![A-Za-z]){_NAMES}(?:\s+(?:for|of|to|de|del|para)\s+[^\s:=]+(?:\s[^\s:=]+){{0,3}}?)?"
    r"[\"']?(?P<sign>\s*[:=：]\s*|\s+(?:is|was|will be|es|era)\s*[:：]?\s+)"
    r"[\"'“‘`]?(?P<value>[^\s\"'“”‘’`,;]{3,})"
)
_NAMED_ELSEWHERE = Pattern(
    r"(?:密码|密碼|口令|密钥|密鑰|验证码|驗證碼|令牌|पासवर्ड|पिन|كلمة (?:المرور|السر)|الرقم السري)"
    r"\s*(?P<sign>是|为|為|[:=：]|है|هي|هو)?\s*[:：]?\s*[“‘\"'「]?(?P<value>[!-~]{3,})"
)
_NO_VALUES = frozenset({
    "wrong", "weak", "strong", "secure", "safe", "expired", "invalid", "incorrect", "required", "needed",
    "missing", "lost", "gone", "long", "short", "old", "new", "the", "not", "too", "very", "still", "being",
    "been", "your", "stored", "saved", "hidden", "correct", "okay", "fine", "set", "changed", "reset",
    "working", "broken", "incorrecta", "segura", "débil", "larga", "corta",
})  # fmt: skip


def hide_secrets(text: str) -> str:
    """`text` with `REMOVED` in the place of passwords, tokens, keys and card numbers."""
    if len(text) < 6:
        return text
    text = _PRIVATE_KEY.sub(REMOVED, text)
    text = _TOKEN.sub(REMOVED, text)
    text = _IN_URL.sub(REMOVED, text)
    text = _BEARER.sub(REMOVED, text)
    text = _CARD.sub(lambda match: REMOVED if _is_card(match[0]) else match[0], text)
    for named in (_NAMED, _NAMED_ELSEWHERE):
        text = named.sub(_without_value, text)
    return text


def holds_secret(text: str) -> bool:
    """Whether `hide_secrets` would take something out."""
    return hide_secrets(text) != text


def _without_value(match: re.Match[str]) -> str:
    value, start = match["value"], match.start("value") - match.start()
    stripped = value.rstrip(".!?。！？)")
    assigned = (match["sign"] or "").strip() in {":", "=", "："}
    ends = len(stripped) < len(value) or match.end() == len(match.string)
    sure = assigned or (ends and match[0].lower().startswith("pass"))
    if not _is_telling(stripped, sure=sure):
        return match[0]
    return match[0][:start] + REMOVED + value[len(stripped) :]


def _is_telling(value: str, *, sure: bool) -> bool:
    """Whether a word behind "password is" is one: with a digit or a sign in it, or no ordinary word."""
    if len(value) < 3 or value.lower() in _NO_VALUES or value == REMOVED:
        return False
    return sure or not value.isalpha() or not value.islower() or not value.isascii()


def _is_card(digits: str) -> bool:
    """Luhn's check, over a number as long as cards have it."""
    numbers = [int(char) for char in digits if char.isdigit()]
    if not 13 <= len(numbers) <= 19 or len(set(numbers)) == 1:
        return False
    doubled = [sum(divmod(2 * n, 10)) for n in numbers[-2::-2]]
    return (sum(numbers[-1::-2]) + sum(doubled)) % 10 == 0
