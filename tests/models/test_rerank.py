"""What rerankers make of the answers of their models."""

import sys
from contextlib import AsyncExitStack
from types import SimpleNamespace

import pytest

from bot.config.memory import MemorySettings
from bot.errors import ModelError, Unavailable
from bot.models.rerank import CROSS_ENCODER, CrossEncoder, ModelReranker, build_reranker
from tests.fakes.models import ScriptedModel

TEXTS = ["the cat is grey", "tea at\nfour", "the car is red"]


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ('{"order": [3, 1]}', [2, 0]),
        ('```json\n{"order": [2]}\n```', [1]),
        ('Sure: {"order": []}', []),
        ('{"order": [0, 99, -3, 1]}', [-1, 98, -4, 0]),
    ],
)
async def test_a_model_names_the_helpful_texts(said: str, order: list[int]) -> None:
    model = ScriptedModel(said)
    assert await ModelReranker(model, "small").order("what colour?", TEXTS) == order
    (request,) = model.requests
    assert request.alias == "small"
    assert request.form is not None
    assert "2. tea at four" in request.messages[-1].text, "a line for each, whatever stands in it"


@pytest.mark.parametrize(
    "said", ["", "no idea", "[1, 2]", '{"order": "all"}', '{"order": [1.5]}', "{" * 5000, '{"order": [1']
)
async def test_an_answer_that_is_no_order_is_none(said: str) -> None:
    with pytest.raises(Unavailable):
        await ModelReranker(ScriptedModel(said), "chat").order("what colour?", TEXTS)


async def test_a_model_that_cannot_be_asked_says_why() -> None:
    with pytest.raises(ModelError):
        await ModelReranker(ScriptedModel(ModelError("rate_limited", "later")), "chat").order("?", TEXTS)


async def test_a_cross_encoder_puts_the_best_first(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, object]] = []

    class Model:
        def __init__(self, name: str, device: str) -> None:
            asked.append((name, device))

        def predict(self, pairs: list[tuple[str, str]], show_progress_bar: bool) -> list[float]:
            return [0.1 if "tea" in text else 3.5 if "car" in text else -2.0 for _, text in pairs]

    monkeypatch.setitem(sys.modules, "sentence_transformers", SimpleNamespace(CrossEncoder=Model))
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(set_num_threads=lambda _count: None))
    encoder = CrossEncoder("some/model")
    assert await encoder.order("what is red?", TEXTS) == [2, 1, 0]
    assert await encoder.order("what is red?", TEXTS[:2]) == [1, 0]
    assert asked == [("some/model", "cpu")], "it is loaded once"
    await encoder.aclose()


async def test_a_cross_encoder_that_is_not_installed_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    encoder = CrossEncoder()
    with pytest.raises(Unavailable, match=CROSS_ENCODER):
        await encoder.order("?", TEXTS)
    await encoder.aclose()


async def test_the_settings_choose() -> None:
    model = ScriptedModel('{"order": [1]}')
    async with AsyncExitStack() as stack:

        def built(**settings: object) -> object:
            return build_reranker(MemorySettings.model_validate(settings), model, "chat", stack)

        assert built() is None
        assert isinstance(built(rerank="cross-encoder"), CrossEncoder)
        chosen = built(rerank="model", rerank_model="small")
        assert isinstance(chosen, ModelReranker)
        await chosen.order("?", TEXTS)
        assert model.requests[-1].alias == "small"
