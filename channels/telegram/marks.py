"""The newest message that is known, by counter: what is sent next gets a higher number.

Private chats and basic groups share one counter of the bot; a supergroup has its own. So a message whose
confirmation was lost is one of the few numbers after the newest that was known when it was sent.
"""

from collections import deque

KEPT = 4096  # counters, and messages of people
LOOK_AT = 6  # numbers; as many messages may come to the bot while one is on its way


class Marks:
    """What is known of message numbers. In memory only: what it does not know is not looked for."""

    def __init__(self) -> None:
        self._newest: dict[str, int] = {}
        self._peoples: deque[tuple[str, int]] = deque(maxlen=KEPT)

    def note(self, chat_id: str, message_id: int, *, by_bot: bool) -> None:
        """A message came in or was confirmed."""
        counter = _counter(chat_id)
        self._newest[counter] = max(message_id, self._newest.get(counter, 0))
        if not by_bot:
            self._peoples.append((counter, message_id))
        if len(self._newest) > KEPT:
            del self._newest[next(iter(self._newest))]

    def newest(self, chat_id: str) -> str:
        """The newest message of the chat's counter; "" for none known."""
        return str(self._newest.get(_counter(chat_id), ""))

    def after(self, chat_id: str, message_ref: str) -> list[str]:
        """The messages that one sent after `message_ref` may be, the likeliest first."""
        if not message_ref.isdecimal():
            return []
        counter, first = _counter(chat_id), int(message_ref) + 1
        numbers = range(first, first + LOOK_AT)
        return [str(number) for number in numbers if (counter, number) not in self._peoples]


def _counter(chat_id: str) -> str:
    return chat_id if chat_id.startswith("-100") else ""
