"""The names by which people and the bot can be called, and how names are written."""

from dataclasses import dataclass, field

from bot.text.lazy import Pattern

# A letter of a script with spaces between words; marks of Indian scripts belong to their letters.
_LETTER = r"(?:[^\W\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[\u0300-\u036f\u0900-\u0dff])"
LATIN_WORD = Pattern(rf"{_LETTER}+(?:['’-]{_LETTER}+)*")
LETTER = Pattern(_LETTER)
HAN = Pattern(r"[\u3400-\u9fff\uf900-\ufaff]")
UNSPACED = Pattern(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")  # scripts without spaces between words
# What people hang on their names: "🦊 Ann", "小明🌸", "~老王~".
ORNAMENT = Pattern(r"^[\W_]+|[\W_]+$")
DRAWN = Pattern(r"(\w)\1{2,}")
SLIPS_FROM = 4  # letters of a name


@dataclass(slots=True)
class Roster:
    """The names by which people (and the bot) can be called, each with the key of who bears it."""

    latin: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    han: dict[str, str] = field(default_factory=dict)
    handles: dict[str, str] = field(default_factory=dict)
    slips: dict[str, str] = field(default_factory=dict)  # to the name that was meant

    def add(self, name: str, key: str) -> None:
        """Add a name; a person's first name counts as well. The first bearer keeps a name."""
        name = " ".join(name.lower().split()).strip("@<>:,")
        if not name:
            return
        if UNSPACED.search(name):
            self.han.setdefault(name, key)
            if (plain := ORNAMENT.sub("", name)) and UNSPACED.search(plain):
                self.han.setdefault(plain, key)
            return
        first = LATIN_WORD.search(name)
        if first is None:
            return
        bearers = self.latin.setdefault(first[0], [])
        for form in (name[first.start() :], first[0]):
            if len(form) > 1 and all(form != known for known, _ in bearers):
                bearers.append((form, key))

    def add_handle(self, username: str, key: str) -> None:
        if username:
            self.handles.setdefault(username.lower().lstrip("@"), key)

    def add_slips(self, name: str) -> None:
        """Count slips of the fingers in the bot's own Latin name as the name: letters swapped or doubled,
        one missing in a long one."""
        word = name.strip().lower()
        if len(word) < SLIPS_FROM or LATIN_WORD.fullmatch(word) is None:
            return
        at = range(len(word))
        slips = {word[:i] + word[i + 1 : i + 2] + word[i] + word[i + 2 :] for i in at}
        slips |= {word[:i] + word[i] + word[i:] for i in at}
        if len(word) > SLIPS_FROM + 1:
            slips |= {word[:i] + word[i + 1 :] for i in at[1:]}
        for slip in slips - {word}:
            self.slips.setdefault(slip, word)

    def bearer(self, handle: str) -> tuple[str, str]:
        """The name in a handle and the key of who bears it; "@name" when nobody here is known by it.

        Chinese goes on behind a name without a space: @小驴帮我查.
        """
        found = self.handles.get(handle)
        if found is None and (bearers := self.latin.get(handle)):
            found = bearers[0][1]
        if found is None and HAN.match(handle):
            known = [name for name in self.han if handle.startswith(name)]
            if known:
                return max(known, key=len), self.han[max(known, key=len)]
        return handle, found if found is not None else f"@{handle}"
