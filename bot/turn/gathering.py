"""Messages that belong together are one turn: its start waits a little for more of the same person.

A turn that waits is a queued run whose start lies ahead. It is as safe as any other: each message is
acknowledged after the transaction that adds it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from bot.domain.conversation import ConversationId, Inbound
from bot.domain.message import File, Image, Part, Text
from bot.domain.run import Run, RunId
from bot.errors import Conflict
from bot.store.tables import inbox, messages, runs
from bot.turn import codec

MAX_PIECES = 200
MAX_CHARS = 100_000  # of one turn's words; what comes then begins another turn
LONGEST_S = 15.0  # however steadily more comes in
REOPENED_S = 3.0  # after a start, for what came of an album while nothing ran


@dataclass(frozen=True, slots=True)
class Gather:
    """How a message is gathered with others. Seconds are counted from now.

    A turn that begins with it waits `first_s`; one that it is added to waits `more_s` from now on.
    `cut`: its words go on in the next message, without a space. `alone`: it is not gathered, and what
    waits starts before it. `joins`: it may be added also where it would not be answered by itself.
    `anyone`: messages of several people make one turn. `album` names the group of pictures it belongs
    to, and `place` is its place among the messages. `undecided` is what is done with a message that is
    not answered by itself (observe or ignore), should nothing come that is; with `ask` a model is asked
    whether it is to be answered, and else it is observed.
    """

    first_s: float = 0.0
    more_s: float = 0.0
    cut: bool = False
    alone: bool = False
    joins: bool = False
    anyone: bool = False
    album: str = ""
    place: int = 0
    undecided: str = ""


def opened(inbound: Inbound, gather: Gather) -> dict[str, Any]:
    """What the payload of a turn holds while more may be added to it."""
    return {
        "open": True,
        "anyone": gather.anyone,
        "undecided": gather.undecided,
        "pieces": [_piece(inbound, gather)],
    }


def join(conn: Connection, inbound: Inbound, gather: Gather, now: datetime) -> RunId | None:
    """Add a message to the turn that waits for more of its speaker; None where none does."""
    for row in _waiting(conn, inbound.conversation.id, now, lock=True):
        payload = _grown(row.payload, inbound, gather) if _belongs(row.payload, inbound, gather) else None
        if payload is None:
            continue
        until = min(now + timedelta(seconds=gather.more_s), row.created_at + timedelta(seconds=LONGEST_S))
        if not _rewrite(conn, row.id, payload, max(until, row.available_at)):
            return None
        where = {"channel": inbound.conversation.channel, "external_id": inbound.external_id}
        conn.execute(insert(inbox).values(**where, run_id=row.id, at=now))
        return RunId(row.id)
    return None


def hurry(conn: Connection, conversation_id: ConversationId, now: datetime) -> bool:
    """Let the turns that wait in a conversation start now: a command came behind them."""
    waiting = [row.id for row in _waiting(conn, conversation_id, now)]
    if waiting:
        conn.execute(
            update(runs).where(runs.c.id.in_(waiting), runs.c.status == "queued").values(available_at=now)
        )
    return bool(waiting)


def parted(conn: Connection) -> list[str]:
    """The albums and cut pastes that wait for more."""
    wanted = select(runs.c.id, runs.c.payload).where(
        runs.c.kind == "turn", runs.c.status == "queued", runs.c.attempt == 0
    )
    rows = [row for row in conn.execute(wanted) if row.payload.get("open")]
    return [row.id for row in rows if any(one["album"] or one["cut"] for one in row.payload["pieces"])]


def is_any_parted(conn: Connection) -> bool:
    """Whether `reopen` has anything to do."""
    return bool(parted(conn))


def reopen(conn: Connection, now: datetime) -> int:
    """Let albums and cut pastes that wait wait on: the process ended between their messages.

    To be called at a start, before turns are taken up; how many there were.
    """
    waiting = parted(conn)
    until = now + timedelta(seconds=REOPENED_S)
    earlier = runs.c.id.in_(waiting), runs.c.status == "queued", runs.c.available_at < until
    conn.execute(update(runs).where(*earlier).values(available_at=until))
    return len(waiting)


def begin(conn: Connection, run: Run) -> Mapping[str, Any]:
    """Close a turn to further messages; its payload as it stands at last. `Conflict` if it is lost."""
    row = conn.execute(
        select(runs.c.payload)
        .where(runs.c.id == run.id, runs.c.token == run.token, runs.c.status == "running")
        .with_for_update()
    ).one_or_none()
    if row is None:
        raise Conflict(f"run {run.id} is no longer held here")
    payload: dict[str, Any] = {**row.payload, "open": False}
    conn.execute(update(runs).where(runs.c.id == run.id).values(payload=payload))
    return payload


def drop(conn: Connection, run: Run) -> None:
    """Take back a turn that no answer is due to: it is context, or nothing at all."""
    held = runs.c.id == run.id, runs.c.token == run.token, runs.c.status == "running"
    if conn.execute(delete(runs).where(*held)).rowcount != 1:
        raise Conflict(f"run {run.id} is no longer held here")
    kept = messages.c.run_id == run.id
    if run.payload["undecided"] != "ignore":
        conn.execute(update(messages).where(kept).values(run_id=None))
    else:
        conn.execute(delete(messages).where(kept))


def is_awaited(conn: Connection, inbound: Inbound, gather: Gather, now: datetime) -> bool:
    """Whether a turn waits to which this message may be added; without a lock."""
    return any(_belongs(row.payload, inbound, gather) for row in _waiting(conn, inbound.conversation.id, now))


def replaced(payload: Mapping[str, Any], inbound: Inbound) -> dict[str, Any] | None:
    """The payload with another text of one of its messages; None where it says the same as before."""
    pieces = [dict(piece) for piece in payload["pieces"]]
    mine = next((piece for piece in pieces if piece["id"] == inbound.external_id), None)
    new = codec.dump_parts(inbound.parts)
    if mine is None or mine["parts"] == new:
        return None
    mine["parts"] = new
    return _with(payload, pieces, inbound)


def rewrite_message(conn: Connection, run_id: str, payload: Mapping[str, Any]) -> None:
    """Keep the words of a turn's message as its payload has them."""
    inbound = codec.load(payload["inbound"])
    conn.execute(
        update(messages)
        .where(messages.c.run_id == run_id, messages.c.role == "user")
        .values(text=inbound.text, parts=codec.dump_parts(inbound.attachments) or None)
    )


def _rewrite(conn: Connection, run_id: str, payload: Mapping[str, Any], due: datetime) -> bool:
    changed = conn.execute(
        update(runs)
        .where(runs.c.id == run_id, runs.c.status == "queued", runs.c.attempt == 0)
        .values(payload=payload, available_at=due)
    )
    if changed.rowcount == 1:
        rewrite_message(conn, run_id, payload)
    return changed.rowcount == 1


def _waiting(
    conn: Connection, conversation_id: ConversationId, now: datetime, *, lock: bool = False
) -> list[Any]:
    """The turns that may still grow, newest first."""
    wanted = (
        select(runs.c.id, runs.c.payload, runs.c.created_at, runs.c.available_at)
        .where(
            runs.c.conversation_id == conversation_id,
            runs.c.kind == "turn",
            runs.c.status == "queued",
            runs.c.attempt == 0,
            runs.c.available_at > now,
        )
        .order_by(runs.c.created_at.desc())
    )
    rows = conn.execute(wanted.with_for_update() if lock else wanted).all()
    return [row for row in rows if row.payload.get("open")]


def _belongs(payload: Mapping[str, Any], inbound: Inbound, gather: Gather) -> bool:
    if gather.album and any(piece["album"] == gather.album for piece in payload["pieces"]):
        return True
    if gather.anyone and payload["anyone"]:
        return True
    speaker = payload["inbound"]["speaker"]
    same = (speaker["channel"], speaker["user_id"]) == (inbound.speaker.channel, inbound.speaker.user_id)
    return same and not payload["undecided"] and (gather.joins or not gather.undecided)


def _grown(payload: Mapping[str, Any], inbound: Inbound, gather: Gather) -> dict[str, Any] | None:
    pieces = [*payload["pieces"], _piece(inbound, gather)]
    chars = len(inbound.text) + sum(len(part.get("text", "")) for part in payload["inbound"]["parts"])
    if len(pieces) > MAX_PIECES or chars > MAX_CHARS:
        return None
    undecided = payload["undecided"] and gather.undecided
    return _with({**payload, "undecided": undecided}, pieces, inbound)


def _with(payload: Mapping[str, Any], pieces: list[dict[str, Any]], latest: Inbound) -> dict[str, Any]:
    first = codec.load(payload["inbound"])
    whole = replace(
        first,
        parts=merged(pieces, named=payload["anyone"]),
        addressed=first.addressed or latest.addressed,
        reply_ref=first.reply_ref or latest.reply_ref,
    )
    return {**payload, "pieces": pieces, "inbound": codec.dump(whole)}


def _piece(inbound: Inbound, gather: Gather) -> dict[str, Any]:
    return {
        "id": inbound.external_id,
        "parts": codec.dump_parts(inbound.parts),
        "cut": gather.cut,
        "name": inbound.speaker.name,
        "album": gather.album,
        "place": gather.place,
    }


def merged(pieces: Sequence[Mapping[str, Any]], *, named: bool = False) -> tuple[Part, ...]:
    """The parts of several messages as those of one; an album's pictures in their order.

    `named` puts the speaker's name before each message's words.
    """
    whole: list[Part] = []
    glue = ""
    for piece, numbered in _in_order(pieces):
        words = [part for part in codec.load_parts(piece["parts"]) if isinstance(part, Text)]
        others = [part for part in codec.load_parts(piece["parts"]) if not isinstance(part, Text)]
        attached = [part for part in others if isinstance(part, File | Image)]
        whole += [part for part in others if part not in attached]
        text = "".join(part.text for part in words)
        if text:
            lead = f"{piece['name']}: " if named and len(pieces) > 1 and piece["name"] else ""
            lead += f"image {numbered}: " if numbered else ""
            _add_text(whole, f"{glue}{lead}{text}")
            glue = "" if piece["cut"] else "\n"
        whole += attached
    return tuple(whole)


def _add_text(whole: list[Part], text: str) -> None:
    """Words that follow words are one text, so that nothing comes between them."""
    if whole and isinstance(last := whole[-1], Text):
        whole[-1] = Text(last.text + text)
    else:
        whole.append(Text(text))


def _in_order(pieces: Sequence[Mapping[str, Any]]) -> list[tuple[Mapping[str, Any], int]]:
    """The pieces, albums put together where they begin; with the picture's number where captions differ."""
    ordered: list[tuple[Mapping[str, Any], int]] = []
    for piece in sorted(pieces, key=lambda one: int(one["place"])):  # they may come in another order
        if not piece["album"]:
            ordered.append((piece, 0))
        elif not any(known["album"] == piece["album"] for known, _ in ordered):
            album = sorted(
                (one for one in pieces if one["album"] == piece["album"]), key=lambda one: int(one["place"])
            )
            several = sum(any("text" in part for part in one["parts"]) for one in album) > 1
            ordered += [(one, number if several else 0) for number, one in enumerate(album, 1)]
    return ordered
