"""The one place that knows how fast Telegram may be written to.

Telegram allows about one message a second in a chat, 20 a minute in a group and 30 a second in all;
edits count like messages. Answers wait for their place; edits of a growing answer only take what is free.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bot.config.channels import TelegramLimits
from bot.domain.ports import Clock

# The part of a limit that edits may use up, so that answers find room.
GROUP_EDITS = 0.6
OVERALL_EDITS = 0.8
_KEPT_CHATS = 4096
# So long after a call whose answer was lost, others are likely to be lost as well.
CAREFUL_S = 300.0


@dataclass(slots=True)
class _Chat:
    free_at: float = 0.0  # when the next message may go, in seconds of the clock
    held_until: float = 0.0  # as the API told us to wait
    minute: deque[float] = field(default_factory=deque)


class Pace:
    """Gives out moments at which a call may go, in order, chat by chat and overall."""

    def __init__(self, clock: Clock, limits: TelegramLimits | None = None) -> None:
        self._clock = clock
        limits = limits or TelegramLimits()
        self._per_chat_s = 1 / limits.per_chat_per_second
        self._group_minute = limits.per_group_per_minute
        self._group_edits = max(1, int(limits.per_group_per_minute * GROUP_EDITS))
        self._overall_second = limits.overall_per_second
        self._overall_edits = max(1, int(limits.overall_per_second * OVERALL_EDITS))
        self._chats: dict[str, _Chat] = {}
        self._recent: deque[float] = deque(maxlen=self._overall_second)
        self._streams = 0
        self._careful_until = 0.0

    @property
    def is_careful(self) -> bool:
        """Whether answers of the API were lost lately: a new message may be there without our knowing."""
        return self._now() < self._careful_until

    def note_lost(self) -> None:
        """A call was sent and its answer did not come."""
        self._careful_until = self._now() + CAREFUL_S

    @contextmanager
    def streaming(self) -> Iterator[None]:
        """While an answer is shown as it grows: it shares the room for edits with the others."""
        self._streams += 1
        try:
            yield
        finally:
            self._streams -= 1

    def edit_interval_s(self, wanted_s: float) -> float:
        """How long to wait between two edits of one answer so that every other one has its turn too."""
        return max(wanted_s, self._streams / self._overall_edits)

    def hold(self, chat_id: str, seconds: float) -> None:
        """Nothing goes to this chat for so many seconds: the API said so."""
        chat = self._chat(chat_id)
        chat.held_until = max(chat.held_until, self._now() + seconds)

    def held_s(self, chat_id: str) -> float:
        """How many seconds the API still wants us to leave this chat alone; 0 for none."""
        return max(0.0, self._chat(chat_id).held_until - self._now())

    async def wait(self, chat_id: str, *, group: bool) -> None:
        """Wait for the place of an answer. Places are given in the order of asking, in each chat and
        overall; a chat that must wait holds up no other."""
        now = self._now()
        await self._until(
            self._take_in_chat(chat_id, self._free_in_chat(chat_id, self._group_minute, now, group), group)
        )
        await self._until(self._take_overall(self._free_overall(self._now(), self._overall_second)))

    def try_now(self, chat_id: str, *, group: bool) -> bool:
        """Take a place for an edit if one is free at once, with nobody waiting."""
        now = self._now()
        if self._free_overall(now, self._overall_edits) > now:
            return False
        if self._free_in_chat(chat_id, self._group_edits, now, group) > now:
            return False
        self._take_overall(now)
        self._take_in_chat(chat_id, now, group)
        return True

    async def _until(self, moment: float) -> None:
        seconds = moment - self._now()
        if seconds > 0:
            await self._clock.sleep(seconds)

    def _free_in_chat(self, chat_id: str, limit: int, now: float, group: bool) -> float:
        chat = self._chat(chat_id)
        at = max(now, chat.free_at, chat.held_until)
        if group:
            while chat.minute and chat.minute[0] <= now - 60:
                chat.minute.popleft()
            if len(chat.minute) >= limit:
                at = max(at, chat.minute[-limit] + 60)
        return at

    def _take_in_chat(self, chat_id: str, at: float, group: bool) -> float:
        chat = self._chat(chat_id)
        chat.free_at = at + self._per_chat_s
        if group:
            chat.minute.append(at)
        return at

    def _free_overall(self, now: float, limit: int) -> float:
        full = len(self._recent) >= limit
        return max(now, self._recent[-limit] + 1) if full else now

    def _take_overall(self, at: float) -> float:
        self._recent.append(at)
        return at

    def _chat(self, chat_id: str) -> _Chat:
        chat = self._chats.get(chat_id)
        if chat is None:
            if len(self._chats) >= _KEPT_CHATS:
                self._forget()
            chat = self._chats[chat_id] = _Chat()
        return chat

    def _forget(self) -> None:
        now = self._now()
        for chat_id, chat in list(self._chats.items()):
            if max(chat.free_at, chat.held_until) < now - 60:
                del self._chats[chat_id]

    def _now(self) -> float:
        return self._clock.now().timestamp()
