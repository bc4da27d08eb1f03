"""The recall of a running bot, and the embedder of former settings whose vectors still serve."""

from collections.abc import Mapping
from contextlib import AsyncExitStack

from bot.config.settings import Settings
from bot.domain.ports import ChatModel, Clock
from bot.models.embed import build_known
from bot.models.rerank import build_reranker
from bot.store.engine import Store
from memory.centred import CENTRED, Centred
from memory.recall import Recall
from memory.vectors import former_models


async def open_recall(
    settings: Settings,
    store: Store,
    embedder: Centred | None,
    clock: Clock,
    stack: AsyncExitStack,
    environ: Mapping[str, str] | None,
) -> Recall | None:
    """Recall, where memory is on. After another embedder was set, the vectors of the one before serve
    until the new ones are complete; its embedder is closed by `stack`."""
    if settings.memory.backend == "off":
        return None
    for model_id in [] if embedder is None else await store.read(former_models, embedder.model_id):
        if former := build_known(model_id.removesuffix(CENTRED), settings, clock, environ=environ):
            stack.push_async_callback(former.aclose)
            return Recall(store, settings.memory, embedder, former=Centred(former, store))
    return Recall(store, settings.memory, embedder)


def reranked(
    recall: Recall | None, settings: Settings, model: ChatModel, alias: str, stack: AsyncExitStack
) -> Recall | None:
    """The same recall; where the settings ask for a reranker, that has the last word on the order."""
    if recall is not None and (reranker := build_reranker(settings.memory, model, alias, stack)):
        recall.rerank_by(reranker)
    return recall
