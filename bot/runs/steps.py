"""Recorded pieces of a run: check, do, record.

A step that was recorded is not done again when the run is taken up after a crash; its result comes
from the record. A step that acts on the outside is `prepared` before it acts: one that is found
prepared and not committed may or may not have happened, and only its owner can tell.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, insert, select, update

from bot.domain.ports import Clock
from bot.domain.run import Run
from bot.errors import Conflict, XiaomaolvError
from bot.store.engine import Store
from bot.store.tables import runs, steps

StepStatus = Literal["prepared", "committed"]


class InDoubt(XiaomaolvError):
    """A step was begun by an attempt that died; whether its effect happened is not known."""


async def once(
    store: Store,
    clock: Clock,
    run: Run,
    key: str,
    do: Callable[[], Awaitable[Any]],
    *,
    effect: bool = False,
) -> Any:
    """The recorded result of step `key` of this run, or do it and record it.

    `key` must name one step: the same key means the same step in every attempt. With `effect` the
    step is prepared first, and `InDoubt` is raised for one that was prepared and never committed.
    What `do` returns must be JSON. Raises `Conflict` if the run is no longer held here.
    """
    found = await store.read(_find, run, key)
    if found is not None:
        status, result = found
        if status == "committed":
            return result
        if effect:
            raise InDoubt(f"step {key} of {run.id} may have happened", hint="ask, or look, before a repeat")
    if effect:
        await store.write(_record, run, key, "prepared", None, clock.now())
        await store.durable()
    result = await do()
    await store.write(_record, run, key, "committed", result, clock.now())
    return result


def _find(conn: Connection, run: Run, key: str) -> tuple[StepStatus, Any] | None:
    row = conn.execute(select(steps).where(steps.c.run_id == run.id, steps.c.key == key)).one_or_none()
    return None if row is None else (row.status, row.result)


def _record(conn: Connection, run: Run, key: str, status: StepStatus, result: Any, now: datetime) -> None:
    held = select(runs.c.id).where(runs.c.id == run.id, runs.c.token == run.token, runs.c.status == "running")
    if conn.scalar(held) is None:
        raise Conflict(f"run {run.id} is no longer held here")
    values = {"status": status, "result": result, "at": now}
    changed = conn.execute(update(steps).where(steps.c.run_id == run.id, steps.c.key == key).values(**values))
    if changed.rowcount == 0:
        conn.execute(insert(steps).values(run_id=run.id, key=key, **values))
