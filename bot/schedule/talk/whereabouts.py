"""In which zone a person is. Every function is one step of a transaction."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, insert, select, update

from bot.store.tables import person_zones

_MINE = select(person_zones).where(person_zones.c.person_id == bindparam("person"))


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """A person's zone; "" while it is not known. `asked`: they were asked for it once.

    `home` is where a journey that is under way will end; "" without one.
    """

    zone: str = ""
    asked: bool = False
    home: str = ""


def of(conn: Connection, person_id: str, now: datetime) -> Whereabouts:
    """Where a person is at `now`; a journey that is over has ended."""
    row = conn.execute(_MINE, {"person": person_id}).one_or_none()
    if row is None:
        return Whereabouts()
    asked = row.asked_at is not None
    if row.until is None:
        return Whereabouts(row.zone, asked)
    return Whereabouts(row.home, asked) if row.until <= now else Whereabouts(row.zone, asked, row.home)


def put(conn: Connection, person_id: str, zone: str, now: datetime, until: datetime | None = None) -> None:
    """A person is in a zone now; with `until` they are only there until then, and then at home again."""
    before = of(conn, person_id, now)
    home = zone if until is None else before.home or before.zone
    _save(conn, person_id, {"zone": zone, "home": home, "until": until}, now)


def note_asked(conn: Connection, person_id: str, now: datetime) -> None:
    """The person was asked for their zone."""
    _save(conn, person_id, {"asked_at": now}, now)


def erase(conn: Connection, person_id: str) -> None:
    """Forget where a person is."""
    conn.execute(person_zones.delete().where(person_zones.c.person_id == person_id))


def _save(conn: Connection, person_id: str, values: dict[str, object], now: datetime) -> None:
    mine = person_zones.c.person_id == person_id
    changed = conn.execute(update(person_zones).where(mine).values(**values, updated_at=now))
    if changed.rowcount == 0:
        conn.execute(insert(person_zones).values(person_id=person_id, **values, updated_at=now))
