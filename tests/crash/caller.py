"""A client of the HTTP interface as it should be: it repeats with its key, and goes on where it was."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

import aiohttp

PAUSE_S = 0.05


@dataclass(slots=True)
class Message:
    """One message and what became of it. `turn_id` is known once the bot has acknowledged it."""

    session_id: str
    text: str
    key: str
    turn_id: str = ""
    seen: str = ""  # what was shown so far
    last_id: str = ""
    restarts: int = 0
    reply: str | None = None
    error: str = ""
    troubles: list[str] = field(default_factory=list)

    @property
    def is_answered(self) -> bool:
        return self.reply is not None


class Caller:
    """Talks to the bot at `url`, which may die at any moment."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._http = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30, connect=2))

    async def aclose(self) -> None:
        await self._http.close()

    async def attempt(self, message: Message) -> None:
        """Send the message, or go on reading its answer; returns when it is there or the bot is gone."""
        try:
            async with aclosing(self._events(message)) as events:
                async for name, event_id, data in events:
                    self._see(message, name, event_id, data)
        except (aiohttp.ClientError, TimeoutError, ConnectionError) as error:
            message.troubles.append(type(error).__name__)

    async def insist(self, message: Message) -> None:
        """Try until the answer is there."""
        while not message.is_answered and not message.error:
            await self.attempt(message)
            if not message.is_answered:
                await asyncio.sleep(PAUSE_S)

    async def get(self, path: str) -> Any:
        async with self._http.get(self.url + path) as response:
            response.raise_for_status()
            return await response.json()

    async def answers(self, session_id: str) -> list[tuple[str, str]]:
        """What is kept of a session, as (role, text)."""
        body = await self.get(f"/v1/sessions/{session_id}/messages?limit=200")
        return [(item["role"], item["text"]) for item in body["messages"]]

    async def _events(self, message: Message) -> AsyncGenerator[tuple[str, str, dict[str, Any]], None]:
        if message.turn_id:
            headers = {"Last-Event-ID": message.last_id}
            asking = self._http.get(f"{self.url}/v1/turns/{message.turn_id}/events", headers=headers)
        else:
            body = {
                "session_id": message.session_id,
                "user_id": message.session_id,
                "text": message.text,
                "stream": True,
            }
            headers = {"Idempotency-Key": message.key}
            asking = self._http.post(f"{self.url}/v1/messages", json=body, headers=headers)
        async with asking as response:
            if response.status >= 500:
                message.troubles.append(f"status {response.status}")
                return
            response.raise_for_status()
            fields: dict[str, str] = {}
            async for raw in response.content:
                line = raw.decode().rstrip("\n")
                if line:
                    name, _, value = line.partition(": ")
                    fields[name] = value
                elif "data" in fields:
                    yield fields.get("event", ""), fields.get("id", ""), json.loads(fields["data"])
                    fields = {}

    def _see(self, message: Message, name: str, event_id: str, data: dict[str, Any]) -> None:
        match name:
            case "turn":
                message.turn_id = data["turn_id"]
                message.restarts += bool(data.get("restarted"))
                message.seen = ""
            case "delta":
                message.seen += data["text"]
            case "done":
                message.reply = data["reply"]
            case "error":
                message.error = data["code"]
        message.last_id = event_id
