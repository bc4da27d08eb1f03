"""Leaving an asynchronous iterator early closes it at once, and with it the connection below."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

_T = TypeVar("_T")


@asynccontextmanager
async def closing(events: AsyncIterator[_T]) -> AsyncIterator[AsyncIterator[_T]]:
    """Like `contextlib.aclosing`, for what may or may not be a generator."""
    try:
        yield events
    finally:
        if isinstance(events, AsyncGenerator):
            await events.aclose()
