"""Reads server-sent events out of bytes that arrive in any pieces."""

_MAX_LINE = 8 * 1024 * 1024


class EventParser:
    """Incremental: `feed` gives the data of the events that are complete.

    Comments and other fields than `data` are skipped; data lines of one event are joined by a line
    feed; all three line ends are understood. A line over 8 MiB raises `ValueError`.
    """

    def __init__(self) -> None:
        self._rest: list[bytes] = []  # of a line that is not over, unjoined: joining is paid once
        self._rest_size = 0
        self._data: list[bytes] = []
        self._at_start = True

    def feed(self, piece: bytes) -> list[bytes]:
        """The events that this piece completes, in order."""
        if b"\n" not in piece and b"\r" not in piece and not self._ends_in_return():
            self._keep(piece)
            return []
        text = b"".join([*self._rest, piece])
        if self._at_start:
            text = text.removeprefix(b"\xef\xbb\xbf")
            self._at_start = False
        held = b""
        if b"\r" in text:
            if text.endswith(b"\r"):  # the line feed may come with the next piece
                held, text = b"\r", text[:-1]
            text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        lines = text.split(b"\n")
        self._rest, self._rest_size = [], 0
        self._keep(lines.pop() + held)
        return self._events(lines)

    def end(self) -> list[bytes]:
        """What the stream's end completes: a last event whose blank line never came."""
        return self.feed(b"\n\n")

    def _ends_in_return(self) -> bool:
        return bool(self._rest) and self._rest[-1].endswith(b"\r")

    def _keep(self, piece: bytes) -> None:
        if piece:
            self._rest.append(piece)
            self._rest_size += len(piece)
            if self._rest_size > _MAX_LINE:
                raise ValueError("an event line is too long")

    def _events(self, lines: list[bytes]) -> list[bytes]:
        events = []
        for line in lines:
            if not line:
                if self._data:
                    events.append(b"\n".join(self._data))
                    self._data = []
            elif line.startswith(b"data:"):
                self._data.append(line[6:] if line[5:6] == b" " else line[5:])
            elif line == b"data":
                self._data.append(b"")
        return events
