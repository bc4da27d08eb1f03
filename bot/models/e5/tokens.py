"""Texts to tokens as XLM-RoBERTa cuts them: sentencepiece's unigram model, fed from the file of weights."""

import re
import struct

import sentencepiece

from bot.models.e5.weights import Weights

_SPACES = re.compile(" {2,}")
# The fields of sentencepiece's ModelProto (sentencepiece_model.proto), of which these are needed.
_PIECES, _TRAINER, _NORMALIZER = 1, 2, 3
_UNIGRAM = 1
_NORMAL, _UNKNOWN, _CONTROL = 1, 2, 3


class Tokenizer:
    """Cuts texts into the ids of the vocabulary."""

    def __init__(self, weights: Weights) -> None:
        self._special = weights.special
        self._replaced = weights.replaced
        self._processor = sentencepiece.SentencePieceProcessor()
        self._processor.LoadFromSerializedProto(_model(weights))

    def ids(self, text: str, most: int) -> list[int]:
        """The tokens of a text between those for beginning and end, at most `most` of them."""
        text = _SPACES.sub(" ", text.translate(self._replaced))
        if not text.startswith(" "):
            text = f" {text}"
        inner: list[int] = self._processor.EncodeAsIds(text)
        return [self._special.begin, *inner[: most - 2], self._special.end]


def _model(weights: Weights) -> bytes:
    """A ModelProto: the pieces, and a normalizer that leaves the text as it is but for spaces."""
    special = weights.special
    kinds = dict.fromkeys((special.begin, special.end, special.padding), _CONTROL)
    kinds[special.unknown] = _UNKNOWN
    proto = bytearray()
    for number, (piece, score) in enumerate(weights.pieces()):
        entry = _bytes(1, piece) + b"\x15" + struct.pack("<f", score)
        if number in kinds:
            entry += _number(3, kinds[number])
        proto += _bytes(_PIECES, entry)
    ids = ((40, special.unknown), (41, special.begin), (42, special.end), (43, special.padding))
    trainer = _number(3, _UNIGRAM) + b"".join(_number(field, value) for field, value in ids)
    # No space put in front, none taken away, each written as the piece for a space.
    normalizer = _bytes(1, b"identity") + _number(3, 0) + _number(4, 0) + _number(5, 1)
    return bytes(proto + _bytes(_TRAINER, trainer) + _bytes(_NORMALIZER, normalizer))


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value
