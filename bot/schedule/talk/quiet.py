"""Where nothing was being talked about a moment ago, so that a message there need not be looked up."""

from datetime import datetime, timedelta

# Shorter than it takes a person to read a question and answer it, whichever process asked it.
FRESH = timedelta(seconds=2)
MOST = 1_000


class Quiet:
    """Remembers, for a moment, that a person had no open question and no fresh reminder in a chat."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], datetime] = {}

    def note(self, conversation_id: str, person_id: str, now: datetime) -> None:
        """Nothing was found when it was looked up."""
        if len(self._seen) >= MOST:
            self._seen.clear()
        self._seen[conversation_id, person_id] = now

    def end(self, conversation_id: str, person_id: str) -> None:
        """Something may be talked about from now on."""
        self._seen.pop((conversation_id, person_id), None)

    def holds(self, conversation_id: str, person_id: str, now: datetime) -> bool:
        """Whether nothing was found there just now. A clock that was set back makes it false."""
        seen = self._seen.get((conversation_id, person_id))
        return seen is not None and timedelta() <= now - seen < FRESH
