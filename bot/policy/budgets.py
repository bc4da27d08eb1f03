"""How much may be used up: by one turn, and by one person on one day (UTC)."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, insert, select, update

from bot.config.policy import PolicySettings
from bot.store.tables import tool_usage


@dataclass(frozen=True, slots=True)
class Used:
    """`cost` is in the unit of the prices that the operator set; 0 where none are known."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0

    def __add__(self, other: "Used") -> "Used":
        return Used(self.calls + other.calls, self.tokens + other.tokens, self.cost + other.cost)


def exhausted(settings: PolicySettings, turn: Used, today: Used, seconds: float) -> str:
    """Which budget is used up, for people; "" where none is. `today` is what was used before this turn."""
    day = today + turn
    limits = (
        ("calls of one turn", turn.calls, settings.max_calls_per_turn),
        ("seconds of one turn", seconds, settings.max_secs_per_turn),
        ("tokens of one turn", turn.tokens, settings.max_tokens_per_turn),
        ("calls of one day", day.calls, settings.max_calls_per_day),
        ("tokens of one day", day.tokens, settings.max_tokens_per_day),
        ("money of one day", day.cost, settings.max_cost_per_day),
    )
    return next((name for name, used, limit in limits if limit and used >= limit), "")


def used(conn: Connection, person_id: str, now: datetime) -> Used:
    """What a person used up today."""
    wanted = select(tool_usage).where(tool_usage.c.person_id == person_id, tool_usage.c.day == _day(now))
    row = conn.execute(wanted).one_or_none()
    return Used() if row is None else Used(row.calls, row.tokens, row.cost)


def spend(conn: Connection, person_id: str, spent: Used, now: datetime) -> None:
    """Count what a person used up."""
    at = (tool_usage.c.person_id == person_id) & (tool_usage.c.day == _day(now))
    values = {
        "calls": tool_usage.c.calls + spent.calls,
        "tokens": tool_usage.c.tokens + spent.tokens,
        "cost": tool_usage.c.cost + spent.cost,
    }
    if conn.execute(update(tool_usage).where(at).values(**values)).rowcount == 0:
        conn.execute(
            insert(tool_usage).values(
                person_id=person_id,
                day=_day(now),
                calls=spent.calls,
                tokens=spent.tokens,
                cost=spent.cost,
            )
        )


def _day(now: datetime) -> str:
    return now.astimezone(UTC).date().isoformat()
