"""The bot as an MCP server, asked by a client of the official library."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client

from bot.domain.conversation import SpeakerId
from bot.errors import InputError
from bot.schedule.jobs import Scope
from bot.store.tables import runs
from channels.mcp import Desk, check_person, guarded, server_of
from memory.record import MemoryDraft
from memory.record import Scope as MemoryScope
from memory.store import remember
from tests.builders import Core, open_core
from tests.fakes.clock import START, ManualClock
from tests.fakes.models import ScriptedModel

ANN, BOB = SpeakerId("telegram:42"), SpeakerId("telegram:43")


@asynccontextmanager
async def asked(person: SpeakerId = ANN) -> AsyncGenerator[tuple[Client, Core], None]:
    """A client of the server for one person, where Telegram is on."""
    async with open_core(ScriptedModel(), clock=ManualClock(), remembers=True) as core:
        desk = Desk(core.store, core.rights, core.jobs, person, frozenset({"telegram"}), "en")
        async with Client(server_of(desk)) as client:
            yield client, core


async def called(client: Client, name: str, **arguments: Any) -> Any:
    """What a tool brings; a text where it failed."""
    result = await client.call_tool(name, arguments)
    if result.is_error:
        return result.content[0].text  # type: ignore[union-attr]
    found = result.structured_content
    return found["result"] if set(found) == {"result"} else found


async def test_it_offers_what_an_agent_may_do_and_says_what_each_does() -> None:
    async with asked() as (client, _):
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {
        "search_memory", "send_message", "list_reminders", "make_reminder", "delete_reminder"
    }  # fmt: skip
    claims = tools["send_message"].annotations
    assert claims is not None and claims.open_world_hint
    assert tools["make_reminder"].input_schema["required"] == ["text"]
    assert all(tool.description for tool in tools.values())


async def test_reminders_are_made_listed_and_deleted() -> None:
    async with asked() as (client, core):
        made = await called(
            client, "make_reminder", text="remind me tomorrow at 9 to water the plants", zone="UTC"
        )
        assert (made["text"], made["next_due"]) == ("water the plants", "2026-03-03T09:00:00Z")
        (job,) = await core.jobs.page(Scope(person_id=ANN))
        assert (job.conversation_id, job.person_id) == ("telegram:42", "telegram:42")
        assert [told["id"] for told in await called(client, "list_reminders")] == [made["id"]]
        assert await called(client, "delete_reminder", id=made["id"]) == {"deleted": made["id"]}
        assert await called(client, "list_reminders") == []


async def test_what_cannot_be_done_is_said_in_words() -> None:
    async with asked() as (client, _):
        assert "make_reminder" in await called(client, "make_reminder", text="hello there")
        assert "delete_reminder" in await called(client, "delete_reminder", id="task-00000000")
        assert "empty" in await called(client, "send_message", text=" \n")
    async with asked(SpeakerId("http:ann")) as (client, _):
        assert "no chat that messages can be sent to" in await called(client, "send_message", text="hi")
        assert "no chat" in await called(client, "make_reminder", text="remind me tomorrow at 9 to eat")


async def test_a_message_is_queued_for_the_persons_chat_once() -> None:
    async with asked() as (client, core):
        for _ in range(2):
            assert await called(client, "send_message", text="Dinner is ready.", key="dinner") == {
                "accepted": True
            }

        def read(conn: Any) -> list[Any]:
            return list(conn.execute(runs.select().where(runs.c.kind == "delivery")))

        (row,) = await core.store.read(read)
    assert row.payload["text"] == "Dinner is ready."
    assert row.payload["conversation"]["chat_id"] == "42"


async def test_only_that_persons_memory_is_searched() -> None:
    async with asked() as (client, core):
        for person, text in ((ANN, "I keep bees in Lyon."), (BOB, "My bees are secret.")):
            draft = MemoryDraft(
                MemoryScope(f"person:{person}"), "user", text, START, person_id=person, source="test"
            )
            await core.store.write(remember, [draft], START)
        found = await called(client, "search_memory", query="bees")
    assert [memory["text"] for memory in found] == ["I keep bees in Lyon."]


async def test_over_http_a_request_without_the_token_is_refused() -> None:
    sent: list[Any] = []
    reached: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope)

    async def send(message: Any) -> None:
        sent.append(message)

    guard = guarded(app, ["right"])
    for header in (b"", b"Bearer wrong", b"right"):
        await guard({"type": "http", "headers": [(b"authorization", header)]}, None, send)
    assert [message["status"] for message in sent if "status" in message] == [401, 401, 401]
    assert reached == []
    await guard({"type": "http", "headers": [(b"authorization", b"Bearer right")]}, None, send)
    assert len(reached) == 1


@pytest.mark.parametrize("person", ["42", "telegram:", "", "Telegram: 4"])
def test_a_person_is_a_channel_and_an_id(person: str) -> None:
    with pytest.raises(InputError):
        check_person(person)
