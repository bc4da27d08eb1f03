"""Long conversations in short: older turns are summed up after an answer, as a run of its own.

What is cut is always whole turns, a question with its answer and everything between them, so that no
call of a tool is ever without its result. The messages stay where they are: people read them, memory
finds them, and forgetting one deletes the summaries that hold it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, assert_never

import structlog
from sqlalchemy import Connection, func, select

from bot.config.agent import HarnessSettings
from bot.domain.conversation import ConversationId
from bot.domain.ports import ChatModel, Clock
from bot.domain.run import Run
from bot.errors import ModelError
from bot.events.log import EventLog
from bot.events.types import ContextCompacted
from bot.runs import queue
from bot.runs.queue import RunDraft
from bot.runs.states import ENDED
from bot.runs.worker import Done, Outcome
from bot.store.engine import Store
from bot.store.tables import messages, runs
from bot.text.tokens import estimate_tokens
from bot.turn import summaries
from bot.turn.history import words_of
from bot.turn.summaries import Summary
from memory.summary import Said, by_model, by_picking

log = structlog.get_logger(__name__)

MIN_MESSAGES = 4  # fewer are not worth a summary
MOST_READ = 1_000  # messages of a session, the newest
MAX_MESSAGE_CHARS = 2_000  # of one message, for a model


@dataclass(frozen=True, slots=True)
class Compaction:
    """How a history is shortened. `window` is how many of its messages a prompt takes at most,
    `summary_tokens` how long a summary may be, `model_tokens` how much a model is given to sum up."""

    settings: HarnessSettings
    window: int
    summary_tokens: int
    model_tokens: int


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a session; `ended` once nothing more comes to it."""

    question_id: int
    at: datetime
    said: tuple[Said, ...]
    tokens: int
    ended: bool = True


@dataclass(frozen=True, slots=True)
class Stretch:
    """Turns to be summed up, and the summary of those before."""

    former: Summary | None
    turns: tuple[Turn, ...]


def cut(turns: Sequence[Turn], rules: Compaction, now: datetime, *, begun: bool) -> tuple[int, int]:
    """Which of the turns, in order, are to be summed up: from the first of the numbers to before the
    second; nothing where they are equal. `begun`: there is a summary of the turns before these."""
    settings = rules.settings
    begin = 0
    match settings.compaction_strategy:
        case "head_tail":
            begin = 0 if begun else _holding(turns, settings.compaction_head_count)
            end = len(turns) - _holding(turns[::-1], settings.compaction_tail_count)
        case "age_based":
            oldest = now - timedelta(days=settings.compaction_age_max_days)
            end = next((at for at, turn in enumerate(turns) if turn.at >= oldest), len(turns))
        case "budget_based":
            end = _over(turns, settings.compaction_budget_max_tokens)
        case _:
            assert_never(settings.compaction_strategy)
    if _messages(turns[max(begin, end) :]) + (0 if begun else _messages(turns[:begin])) > rules.window:
        # The rest would fall out of the window, unseen: half of it, so that this is not due each time.
        end = max(end, len(turns) - _holding(turns[::-1], rules.window // 2))
    end = min(end, len(turns) - 1, next((at for at, turn in enumerate(turns) if not turn.ended), len(turns)))
    return (begin, end) if end > begin and _messages(turns[begin:end]) >= MIN_MESSAGES else (0, 0)


def _messages(turns: Sequence[Turn]) -> int:
    return sum(len(turn.said) for turn in turns)


def _holding(turns: Sequence[Turn], messages: int) -> int:
    """How many of the first turns hold at least so many messages."""
    for at, turn in enumerate(turns):
        if messages <= 0:
            return at
        messages -= len(turn.said)
    return len(turns)


def _over(turns: Sequence[Turn], tokens: int) -> int:
    """How many of the first turns to cut from a history of more than `tokens`, to half as many."""
    if sum(turn.tokens for turn in turns) <= tokens:
        return 0
    left = tokens // 2
    for at in range(len(turns) - 1, -1, -1):
        left -= turns[at].tokens
        if left < 0:
            return at + 1
    return 0


def enqueue_if_long(conn: Connection, run: Run, rules: Compaction, now: datetime) -> bool:
    """Let the session of a turn be shortened where it may be due; in the transaction that ends it."""
    if run.conversation_id is None:
        return False
    session = run.payload["session"]
    former = summaries.current(conn, run.conversation_id, session)
    after = -1 if former is None else former.last_id
    count, chars = _size(conn, run.conversation_id, session, after)
    if not _is_long(count, chars, rules, begun=former is not None):
        return False
    draft = RunDraft("compact", run.id, {"session": session}, conversation_id=run.conversation_id)
    return queue.enqueue(conn, draft, now) is not None


def _is_long(count: int, chars: int, rules: Compaction, *, begun: bool) -> bool:
    settings = rules.settings
    least = min(settings.compaction_message_threshold, rules.window)
    match settings.compaction_strategy:
        case "head_tail":
            kept = settings.compaction_tail_count + (0 if begun else settings.compaction_head_count)
            return count > max(least, min(kept, rules.window) + MIN_MESSAGES)
        case "age_based":
            return count > least
        case "budget_based":  # no text has more tokens than characters
            return chars > settings.compaction_budget_max_tokens or count > rules.window


def _size(conn: Connection, where: ConversationId, session: int, after: int) -> tuple[int, int]:
    """How many messages of turns there are behind one, and how many characters, up to `MOST_READ`."""
    newest = (
        select(func.length(messages.c.text).label("chars"))
        .where(
            messages.c.conversation_id == where,
            messages.c.session == session,
            messages.c.id > after,
            messages.c.run_id.is_not(None),
        )
        .order_by(messages.c.id.desc())
        .limit(MOST_READ)
        .subquery()
    )
    count, chars = conn.execute(select(func.count(), func.sum(newest.c.chars)).select_from(newest)).one()
    return count, int(chars or 0)


class Compactor:
    """The handler of `compact` runs. Without a model, or where it fails, sentences are picked."""

    def __init__(
        self,
        store: Store,
        events: EventLog,
        clock: Clock,
        rules: Compaction,
        model: ChatModel | None = None,
        alias: str = "chat",
    ) -> None:
        self._store = store
        self._events = events
        self._clock = clock
        self._rules = rules
        self._model = model
        self._alias = alias

    async def handle(self, run: Run) -> Outcome:
        """Sum up the older turns of a session. What is changed or forgotten meanwhile is left alone."""
        where, session = run.conversation_id, run.payload["session"]
        if where is None:
            return Done()
        stretch = await self._store.read(read, where, session, self._rules, self._clock.now())
        if stretch is None:
            return Done()
        text = await self._summed_up(stretch, run)
        kept = await self._store.write(keep, (where, session), stretch, text, self._clock.now())
        if kept:
            strategy = self._rules.settings.compaction_strategy
            count = sum(len(turn.said) for turn in stretch.turns)
            told: dict[str, Any] = {"strategy": strategy, "messages": count}
            self._events.record(ContextCompacted(run_id=run.id, conversation_id=where, **told))
        return Done()

    async def _summed_up(self, stretch: Stretch, run: Run) -> str:
        former = stretch.former.text if stretch.former else ""
        said = [one for turn in stretch.turns for one in turn.said]
        tokens = self._rules.summary_tokens
        if self._model is not None:
            shown = _fitting(said, self._rules.model_tokens - estimate_tokens(former))
            try:
                text = await by_model(self._model, self._alias, former, shown, tokens=tokens, run_id=run.id)
            except ModelError as error:
                log.warning("context.model_summary_failed", run_id=run.id, code=error.code)
            else:
                if text:
                    return text
        return by_picking(former, said, tokens=tokens)


def _fitting(said: Sequence[Said], tokens: int) -> list[Said]:
    """The messages, each no longer than it may be and altogether no more than a model can take."""
    short = [replace(one, text=one.text[:MAX_MESSAGE_CHARS]) for one in said]
    needed = sum(estimate_tokens(one.text) + 8 for one in short)
    if needed <= tokens:
        return short
    share = max(tokens, 0) / needed
    return [replace(one, text=one.text[: int(len(one.text) * share)]) for one in short]


def read(
    conn: Connection, where: ConversationId, session: int, rules: Compaction, now: datetime
) -> Stretch | None:
    """What of a session is to be summed up now; None for nothing."""
    former = summaries.current(conn, where, session)
    turns = _turns(conn, where, session, -1 if former is None else former.last_id)
    begin, end = cut(turns, rules, now, begun=former is not None)
    return Stretch(former, tuple(turns[begin:end])) if end else None


def keep(
    conn: Connection, session: tuple[ConversationId, int], stretch: Stretch, text: str, now: datetime
) -> bool:
    """Save a summary, unless what it was made of has changed, or it is empty; whether it was saved."""
    former = summaries.current(conn, *session)
    if not text or former != stretch.former:
        return False
    there = {turn.question_id: turn for turn in _turns(conn, *session, former.last_id if former else -1)}
    if any(there.get(turn.question_id) != turn for turn in stretch.turns):
        return False
    first = former.first_id if former else stretch.turns[0].question_id
    count = (former.messages if former else 0) + sum(len(turn.said) for turn in stretch.turns)
    summary = Summary(*session, first, stretch.turns[-1].question_id, text, count)
    summaries.save(conn, summary, now)
    return True


def _turns(conn: Connection, where: ConversationId, session: int, after: int) -> list[Turn]:
    """The turns whose questions have ids above `after`, in their order."""
    wanted = (
        select(messages, runs.c.status.label("run_status"))
        .join(runs, runs.c.id == messages.c.run_id)
        .where(messages.c.conversation_id == where, messages.c.session == session, messages.c.id > after)
        .order_by(messages.c.id.desc())
        .limit(MOST_READ)
    )
    by_run: dict[str, list[Any]] = {}
    for row in reversed(conn.execute(wanted).all()):
        by_run.setdefault(row.run_id, []).append(row)
    turns = [_turn(rows) for rows in by_run.values() if rows[0].role == "user"]
    return sorted(turns, key=lambda turn: turn.question_id)


def _turn(rows: Sequence[Any]) -> Turn:
    said: list[Said] = []
    for row in rows:
        text = words_of(row.text, row.parts)
        if text and row.status not in {"failed", "empty"} and row.role in {"user", "assistant"}:
            mine = row.role == "assistant"
            said.append(Said("assistant" if mine else row.name or "user", text, mine))
    tokens = sum(estimate_tokens(one.text) for one in said)
    return Turn(rows[0].id, rows[0].at, tuple(said), tokens, rows[0].run_status in ENDED)
