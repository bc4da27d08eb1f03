"""One look at an HTTP address, within a time limit, for the doctor."""

import asyncio
import email.utils
import http.client
import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message
from typing import Any

from bot.models.endpoint import without_login

LIMIT_S = 5.0
_MAX_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. `status` is 0 where nothing did, and `trouble` then says why."""

    status: int
    body: Any = None  # the JSON document, None where it is none
    date: datetime | None = None  # of the answering server's clock
    trouble: str = ""


async def get(url: str, *, token: str | None = None, proxy: str | None = None) -> Answer:
    """GET a JSON document. Never raises for what the other side does."""
    try:
        async with asyncio.timeout(LIMIT_S + 1):
            return await asyncio.to_thread(_get, url, token, proxy)
    except TimeoutError:
        return Answer(0, trouble=f"no answer within {LIMIT_S:g} s")


def _get(url: str, token: str | None, proxy: str | None) -> Answer:
    url, login = without_login(url)
    request = urllib.request.Request(url, headers={"Accept": "application/json"})
    if sign_in := login or (f"Bearer {token}" if token else ""):
        # Unredirected: another host that we are sent on to must not see it.
        request.add_unredirected_header("Authorization", sign_in)
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({"http": proxy, "https": proxy} if proxy else {})
    )
    try:
        with opener.open(request, timeout=LIMIT_S) as response:
            return Answer(response.status, _json(response.read(_MAX_BYTES)), _date(response.headers))
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, date=_date(error.headers))
    except urllib.error.URLError as error:
        return Answer(0, trouble=str(error.reason))
    except (OSError, http.client.HTTPException, ValueError) as error:
        return Answer(0, trouble=str(error) or type(error).__name__)


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _date(headers: Message) -> datetime | None:
    try:
        return email.utils.parsedate_to_datetime(headers.get("Date", "")).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
