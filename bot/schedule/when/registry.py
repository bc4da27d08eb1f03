"""The languages that can be read: one line each."""

import importlib
from collections.abc import Iterator, Mapping

from typing_extensions import override

from bot.schedule.when.reading import Reader

LANGUAGES = ("en", "es", "zh", "ar", "hi")


class _Readers(Mapping[str, Reader]):
    """Each language's reader, loaded when it is first asked for: its tables take time and memory, and
    most houses speak one or two of them."""

    @override
    def __getitem__(self, lang: str) -> Reader:
        if lang not in LANGUAGES:
            raise KeyError(lang)
        reader: Reader = importlib.import_module(f"bot.schedule.when.{lang}").READER
        return reader

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(LANGUAGES)

    @override
    def __len__(self) -> int:
        return len(LANGUAGES)


READERS: Mapping[str, Reader] = _Readers()
