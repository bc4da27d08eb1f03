"""Reads server-sent events out of bytes that arrive in any pieces."""

_MAX_LINE = 8 * 1024 * 1024


class EventParser:
    """Incremental: `feed` gives the data of the events that are complete.

    Comments and other fields than `data` are skipped; data lines of one event are joined by a line
    feed; all three line ends are understood. A line over 8 MiB raises `ValueError`.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[bytes] = []
        self._at_start = True

    def feed(self, piece: bytes) -> list[bytes]:
        """The events that this piece completes, in order."""
        text = self._rest + piece if self._rest else piece
        if self._at_start and text:
            if text in {b"\xef", b"\xef\xbb"}:
                self._rest = text
                return []
            text = text.removeprefix(b"\xef\xbb\xbf")
            self._at_start = False
        held = b""
        if b"\r" in text:
            if text.endswith(b"\r"):  # the line feed may come with the next piece
                held, text = b"\r", text[:-1]
            text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        lines = text.split(b"\n")
        self._rest = lines.pop() + held
        if len(self._rest) > _MAX_LINE:
            raise ValueError("an event line is too long")
        return self._events(lines)

    def end(self) -> list[bytes]:
        """What the stream's end completes: a last event whose blank line never came."""
        lines, self._rest = [self._rest.rstrip(b"\r"), b""], b""
        return self._events(lines)

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
