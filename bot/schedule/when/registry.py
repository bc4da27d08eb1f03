"""The languages that can be read: one line each."""

from collections.abc import Mapping

from bot.schedule.when import ar, en, es, hi, zh
from bot.schedule.when.reading import Reader

READERS: Mapping[str, Reader] = {
    reader.lang: reader for reader in (en.READER, es.READER, zh.READER, ar.READER, hi.READER)
}
