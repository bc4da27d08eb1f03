"""Whole answers of a model that nobody watches, as text or as JSON that has a form."""

import asyncio
import json
from typing import TypeVar

import structlog
from pydantic import BaseModel, ValidationError

from bot.domain.message import Finished, ModelRequest, TextDelta
from bot.domain.ports import ChatModel
from bot.errors import XiaomaolvError

log = structlog.get_logger(__name__)

FormT = TypeVar("FormT", bound=BaseModel)

_JSON = json.JSONDecoder()
_OBJECTS = 20  # objects of an answer that are looked at; more is no answer


async def complete(model: ChatModel, request: ModelRequest) -> str:
    """The text of an answer, without what its end takes back. Raises `ModelError` where there is none."""
    said = ""
    async for event in model.stream(request):
        if isinstance(event, TextDelta):
            said += event.text
        elif isinstance(event, Finished):
            said = said[event.retracted :]
    return said


async def answered(
    model: ChatModel, request: ModelRequest, form: type[FormT], *, limit_s: float
) -> FormT | None:
    """What a model answers in JSON of a form within `limit_s` seconds.

    None, with a note in the log, where it fails, is late or answers something else: who asks has
    another way to decide.
    """
    try:
        async with asyncio.timeout(limit_s):
            found = in_form(await complete(model, request), form)
    except (TimeoutError, XiaomaolvError) as error:
        log.info("model.not_answered", asked_for=form.__name__, reason=type(error).__name__)
        return None
    if found is None:
        log.info("model.not_answered", asked_for=form.__name__, reason="other words")
    return found


def in_form(said: str, form: type[FormT]) -> FormT | None:
    """The first JSON object of a text that has the form, whatever is written around it."""
    at = -1
    for _ in range(_OBJECTS):
        at = said.find("{", at + 1)
        if at < 0:
            break
        try:
            return form.model_validate(_JSON.raw_decode(said, at)[0])
        except (ValueError, ValidationError, RecursionError):
            continue
    return None
