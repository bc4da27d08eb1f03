"""JSON Lines of things said elsewhere: `{"id", "scope", "speaker", "text", "at"}`, one a line.

`id` is free text and comes back with each hit; `scope` is free text, and nothing is found from another
scope; `at` is an ISO 8601 time, UTC where it has no zone. The same id in the same scope is the same
memory: bringing it in again changes nothing, and another text takes the place of the first.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, delete, select

from bot.domain.conversation import ConversationId
from bot.errors import InputError
from bot.store.tables import memories
from bot.text.clean import clean
from memory.privacy import hide_secrets
from memory.record import WORKSPACE, MemoryDraft, Scope
from memory.store import remember

SOURCE = "import:jsonl:"
MAX_LINE_BYTES = 1_000_000
MAX_ID_CHARS = 500


@dataclass(frozen=True, slots=True)
class Refused:
    """A line that cannot be kept, and why. Lines count from 1."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of a batch of drafts."""

    new: int = 0
    replaced: int = 0
    unchanged: int = 0

    def __add__(self, other: "Kept") -> "Kept":
        return Kept(self.new + other.new, self.replaced + other.replaced, self.unchanged + other.unchanged)


def read(lines: Iterable[bytes], now: datetime) -> Iterator[MemoryDraft | Refused]:
    """The drafts of the lines, in order; empty lines are passed over. `now` bounds `at` on one side."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield draft_of(line, now)
        except InputError as error:
            yield Refused(number, error.message)


def draft_of(line: bytes, now: datetime) -> MemoryDraft:
    """One line as a memory. Raises `InputError`."""
    if len(line) > MAX_LINE_BYTES:
        raise InputError(f"the line is longer than {MAX_LINE_BYTES:,} bytes")
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not a line of JSON: {error}") from error
    if not isinstance(fields, dict):
        raise InputError("the line must be a JSON object")
    given, scope, text = (_filled(fields, name) for name in ("id", "scope", "text"))
    if len(given) > MAX_ID_CHARS or len(scope) > MAX_ID_CHARS:
        raise InputError(f'"id" and "scope" may have {MAX_ID_CHARS} characters at most')
    at = moment(_string(fields, "at"), "at")
    if at > now.replace(year=now.year + 1):
        raise InputError(f'"at" lies in the future: {at.isoformat()}')
    return MemoryDraft(
        scope=scope_named(scope),
        role="user",
        text=text,
        at=at,
        conversation_id=ConversationId(f"import:{scope}"),
        name=clean(_string(fields, "speaker", "")).strip(),
        source=SOURCE + given,
    )


def moment(written: str, field: str) -> datetime:
    """The moment of an ISO 8601 time, UTC where it has no zone. Raises `InputError`."""
    try:
        at = datetime.fromisoformat(written)
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise InputError(
            f'"{field}" is not an ISO 8601 time: {clean(written)[:60]}', hint="as in 2026-03-01T08:30:00Z"
        ) from error


def scope_named(written: str) -> Scope:
    """The scope of free text: a person's or a conversation's by its name, any other kept by itself."""
    if written == WORKSPACE:
        return WORKSPACE
    kind, _, rest = written.partition(":")
    return Scope(written if kind in {"person", "conversation"} and rest else f"import:{written}")


def given_id(source: str, number: int) -> str:
    """The id a memory was brought in with; of any other memory its own number."""
    return source.removeprefix(SOURCE) if source.startswith(SOURCE) else str(number)


def keep(conn: Connection, drafts: Sequence[MemoryDraft], now: datetime) -> Kept:
    """Keep drafts, each id of a scope once; the last text of an id holds."""
    last = {(draft.scope, draft.source): draft for draft in drafts}
    there = _there(conn, last)
    fresh = [draft for key, draft in last.items() if key not in there]
    changed = [
        draft
        for key, draft in last.items()
        if key in there and there[key][1] != hide_secrets(clean(draft.text))
    ]
    gone = [there[draft.scope, draft.source][0] for draft in changed]
    conn.execute(delete(memories).where(memories.c.id.in_(gone)))
    remember(conn, [*fresh, *changed], now)
    return Kept(len(fresh), len(changed), len(drafts) - len(fresh) - len(changed))


def _there(
    conn: Connection, wanted: dict[tuple[Scope, str], MemoryDraft]
) -> dict[tuple[str, str], tuple[int, str]]:
    """The id and text of those that are kept already, by scope and source."""
    columns = memories.c.id, memories.c.scope, memories.c.source, memories.c.text
    sources: dict[Scope, list[str]] = {}
    for scope, source in wanted:
        sources.setdefault(scope, []).append(source)
    found: dict[tuple[str, str], tuple[int, str]] = {}
    for scope, of_scope in sources.items():
        rows = conn.execute(
            select(*columns).where(memories.c.scope == scope, memories.c.source.in_(of_scope))
        )
        found.update({(row.scope, row.source): (row.id, row.text) for row in rows})
    return found


def _filled(fields: dict[str, Any], name: str) -> str:
    value = clean(_string(fields, name)).strip()
    if not value:
        raise InputError(f'"{name}" is empty')
    return value


def _string(fields: dict[str, Any], name: str, default: str | None = None) -> str:
    value = fields.get(name, default)
    if value is None:
        raise InputError(f'"{name}" is missing')
    if name == "id" and isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise InputError(f'"{name}" must be a string')
    return value
