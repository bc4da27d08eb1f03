"""Pictures that tools bring: kept among the conversation's files for the answer, never shown to a model."""

import base64
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from mcp import types

from bot.config.policy import PolicySettings
from bot.domain.conversation import ConversationId, SpeakerId
from bot.domain.message import Picture, ToolCall
from bot.domain.run import RunId
from bot.domain.tool import RunContext
from bot.events.log import EventLog
from bot.policy.rules import Policy
from bot.policy.secrets import Redactor
from bot.store.engine import Store
from bot.tools.gate import Gated
from bot.tools.guards.workspace import Quota
from bot.tools.mcp.sdk.contents import MOST_PICTURES as MOST_OF_A_RESULT
from bot.tools.mcp.sdk.contents import of_call
from bot.tools.registry import Combined
from bot.tools.shelf import MOST_PICTURES, Shelf
from tests.fakes.clock import START, ManualClock
from tests.fakes.tools import FakePainter

ANN = ConversationId("telegram:11")
CONTEXT = RunContext(RunId("turn-1"), ANN, SpeakerId("telegram:11"))
PNG = Picture("image/png", b"\x89PNG", "a chart")


def shelf_in(folder: Path, quota: Quota | None = None) -> Shelf:
    return Shelf(folder, quota or Quota())


async def captions(shelf: Shelf, run_id: str = "turn-1") -> list[str]:
    return [one.caption for one in await shelf.pictures(ANN, run_id)]


async def test_pictures_of_a_run_come_back_in_their_order_with_their_captions(tmp_path: Path) -> None:
    shelf = shelf_in(tmp_path)
    assert await shelf.pictures(ANN, "turn-1") == ()
    several = [replace(PNG, caption=f"chart {number}", data=bytes([number])) for number in range(3)]
    await shelf.keep_pictures(CONTEXT, "call 1", several, START)
    await shelf.keep_pictures(CONTEXT, "call 2", [replace(PNG, caption="")], START + timedelta(seconds=1))
    await shelf.keep_pictures(replace(CONTEXT, run_id=RunId("turn-12")), "call 1", [PNG], START)
    assert await captions(shelf) == ["chart 0", "chart 1", "chart 2", ""]
    found = await shelf.pictures(ANN, "turn-1")
    assert [await shelf.content(ANN, one.path) for one in found] == [b"\0", b"\1", b"\2", PNG.data]
    assert {one.mime for one in found} == {"image/png"}


async def test_a_call_that_is_made_again_after_a_crash_brings_its_pictures_once(tmp_path: Path) -> None:
    shelf = shelf_in(tmp_path)
    for second in range(2):
        await shelf.keep_pictures(CONTEXT, "call 1", [PNG, PNG], START + timedelta(seconds=second))
    assert await captions(shelf) == ["a chart", "a chart"]


async def test_the_oldest_pictures_of_a_conversation_go_first(tmp_path: Path) -> None:
    shelf = shelf_in(tmp_path)
    for number in range(MOST_PICTURES + 3):
        at = START + timedelta(seconds=number)
        await shelf.keep_pictures(CONTEXT, f"call {number}", [replace(PNG, caption=str(number))], at)
    assert await captions(shelf) == [str(number) for number in range(3, MOST_PICTURES + 3)]


async def test_where_there_is_no_room_nothing_is_kept_and_nothing_breaks(tmp_path: Path) -> None:
    shelf = shelf_in(tmp_path, Quota(file_bytes=2))
    assert await shelf.keep_pictures(CONTEXT, "call 1", [PNG], START) == []
    assert await shelf.pictures(ANN, "turn-1") == ()
    assert await shelf.content(ANN, "../../etc/passwd") is None


async def test_pictures_go_when_what_was_said_is_forgotten(tmp_path: Path) -> None:
    shelf = shelf_in(tmp_path)
    await shelf.keep_pictures(CONTEXT, "call 1", [PNG], START)
    await shelf.clear([ANN])
    assert await shelf.pictures(ANN, "turn-1") == ()


async def test_the_gate_keeps_pictures_and_tells_the_model_where(sqlite_store: Store, tmp_path: Path) -> None:
    clock, shelf = ManualClock(), shelf_in(tmp_path)
    painter = FakePainter(replace(PNG, caption="by s3cr3t-value\n"))
    gated = Gated(
        Combined([painter]),
        Policy(PolicySettings()),
        EventLog(sqlite_store, clock),
        clock,
        Redactor(["s3cr3t-value"]),
        shelf=shelf,
    )
    result = await gated.call(ToolCall("c1", "paint", {}), CONTEXT)
    (kept,) = await shelf.pictures(ANN, "turn-1")
    assert kept.path in result.text
    assert result.pictures == ()
    assert "s3cr3t" not in kept.caption
    nowhere = replace(CONTEXT, run_id=RunId(""), conversation_id=ConversationId(""))
    assert "kept" not in (await gated.call(ToolCall("c2", "paint", {}), nowhere)).text


def pictures_of(*content: types.ContentBlock) -> Sequence[Picture]:
    return of_call(types.CallToolResult(content=list(content))).pictures


def image(data: bytes, mime: str = "image/png") -> types.ImageContent:
    return types.ImageContent(type="image", data=base64.b64encode(data).decode(), mime_type=mime)


def text(words: str) -> types.TextContent:
    return types.TextContent(type="text", text=words)


def test_a_servers_pictures_have_the_line_before_them_as_caption() -> None:
    found = pictures_of(
        text("Rome"), image(b"1"), image(b"2"), text("long\nwords"), image(b"3", "image/jpeg")
    )
    assert found == (
        Picture("image/png", b"1", "Rome"),
        Picture("image/png", b"2"),
        Picture("image/jpeg", b"3"),
    )


def test_what_a_server_calls_a_picture_and_is_none_stays_described() -> None:
    odd = types.ImageContent(type="image", data="no base64!", mime_type="image/png")
    assert not pictures_of(odd, image(b""), image(b"<svg/>", "image/svg+xml"))
    many = [image(bytes([number])) for number in range(MOST_OF_A_RESULT + 5)]
    assert len(pictures_of(*many)) == MOST_OF_A_RESULT
