"""Takes the repeated words off a continuation, whether it repeats the end or starts over."""

_LEAST_CHARS = 12


class Overlap:
    """`feed` holds text back while it may still repeat `answered`, and gives what is new.

    A repetition counts from twelve characters on, or when it is all that was answered: shorter ones
    are as likely to be the next syllable.
    """

    def __init__(self, answered: str) -> None:
        self._answered = answered
        self._held = ""
        self._decided = not answered.strip()

    def feed(self, text: str) -> str:
        if self._decided:
            return text
        self._held += text
        if self._held.lstrip() in self._answered:
            return ""
        return self._decide()

    def end(self) -> str:
        """What is left: nothing, where the continuation only began to start over."""
        if self._decided:
            return ""
        words = self._held.lstrip()
        if len(words) >= _LEAST_CHARS and self._answered.lstrip().startswith(words):
            self._decided = True
            return ""
        return self._decide()

    def _decide(self) -> str:
        self._decided = True
        words = self._held.lstrip()
        answered = self._answered
        for length in range(min(len(words), len(answered)), 0, -1):
            if answered.endswith(words[:length]):
                whole = length >= len(answered.strip())
                return words[length:] if whole or length >= _LEAST_CHARS else self._joined()
        trimmed = answered.strip()
        if words.startswith(trimmed):  # it started over; only the space around it differs
            return words[len(trimmed) :]
        return self._joined()

    def _joined(self) -> str:
        """The text as it is; a new sentence gets the space that the model took for granted."""
        ends = self._answered[-1:] in {".", "!", "?", ":", ";", ","}
        return f" {self._held}" if ends and self._held[:1].isalpha() else self._held
