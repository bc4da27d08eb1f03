"""What a run may become from what it is."""

from bot.domain.run import RunStatus

# From -> to. A running one goes back to the queue when its holder died, must wait, or failed once.
TRANSITIONS: dict[RunStatus, frozenset[RunStatus]] = {
    "queued": frozenset({"running", "cancelled"}),
    "running": frozenset({"queued", "waiting_human", "completed", "failed", "cancelled"}),
    "waiting_human": frozenset({"queued", "cancelled", "failed"}),
    "completed": frozenset(),
    "failed": frozenset(),
    "cancelled": frozenset(),
}

ENDED: frozenset[RunStatus] = frozenset({"completed", "failed", "cancelled"})


def allows(before: RunStatus, after: RunStatus) -> bool:
    """Whether a run may go from `before` to `after`."""
    return after in TRANSITIONS[before]
