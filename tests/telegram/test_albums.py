"""Pictures that tools brought go out after the answer's text, as albums, and once."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from typing_extensions import override

from bot.delivery.outbox import Delivery
from bot.domain.conversation import Conversation
from bot.domain.message import Attached, Picture, ToolCall, ToolResult
from bot.domain.tool import RunContext
from bot.i18n.catalogue import translate
from channels.telegram.albums import MOST_CAPTION, shortened
from channels.telegram.utf16 import utf16_len
from tests.fakes.bot_api import FakeBotApi
from tests.fakes.bot_api_world import Message
from tests.fakes.tools import FakeToolset
from tests.fakes.upstream import Answer, Upstream
from tests.telegram.kit import ANN, FastClock, Kit, running, started, world

PNG = b"\x89PNG\r\n\x1a\n and so on"
SENTENCE = "Here are your charts."


class Painter(FakeToolset):
    """A tool that brings these pictures, call by call."""

    def __init__(self, *brought: Sequence[Picture]) -> None:
        super().__init__("painter")
        self.add("paint", "[image image/png, 1 KB]", effect="read")
        self._brought = list(brought)

    @override
    async def call(self, call: ToolCall, context: RunContext) -> ToolResult:
        result = await super().call(call, context)
        return replace(result, pictures=tuple(self._brought[len(self.world.done) - 1]))


def charts(count: int, **changes: Any) -> list[Picture]:
    return [replace(Picture("image/png", PNG, f"chart {number}"), **changes) for number in range(count)]


def call(number: int) -> Any:
    function = {"name": "paint", "arguments": f'{{"number": {number}}}'}
    return Answer.deltas(
        {"tool_calls": [{"index": 0, "id": f"c{number}", "function": function}]}, finish="tool_calls"
    )


@asynccontextmanager
async def painting(
    folder: Path, *brought: Sequence[Picture], then: Answer | None = None
) -> AsyncIterator[Kit]:
    """A bot whose model paints once for each of these, and then answers."""
    with patch("bot.app.assembly._toolsets", lambda *_parts: [Painter(*brought)]):
        async with started(folder) as kit:
            kit.upstream.script(*map(call, range(len(brought))), then or Answer.text(SENTENCE))
            yield kit


async def painted(kit: Kit) -> list[Message]:
    """What is shown at the end, without the request itself."""
    kit.api.world.say(ANN, "paint")
    await kit.answers(ANN)
    return [message for message in kit.api.world.visible(ANN) if message.by_bot]


def albums(shown: Sequence[Message]) -> list[list[str]]:
    """The captions of each album."""
    found: dict[str, list[str]] = {}
    for message in shown:
        if "media_group_id" in message.body:
            found.setdefault(message.body["media_group_id"], []).append(message.text)
    return list(found.values())


@pytest.mark.pain("P021")
async def test_four_pictures_follow_the_sentence_as_one_album_with_their_captions(tmp_path: Path) -> None:
    async with painting(tmp_path, charts(4)) as kit:
        first, *others = await painted(kit)
        assert first.text == SENTENCE
        assert albums(others) == [["chart 0", "chart 1", "chart 2", "chart 3"]]
        told = str(kit.upstream.requests[-1].body["messages"][-1]["content"])
        assert "They go to the person with your answer" in told
        assert "PNG" not in told


@pytest.mark.pain("P021")
async def test_an_album_that_is_refused_comes_one_by_one(tmp_path: Path) -> None:
    async with painting(tmp_path, charts(3)) as kit:
        kit.api.fault("sendMediaGroup", code=400, description="Bad Request: MEDIA_INVALID")
        shown = await painted(kit)
        assert [message.text for message in shown] == [SENTENCE, "chart 0", "chart 1", "chart 2"]
        assert not albums(shown)


async def test_a_picture_that_is_none_to_telegram_goes_as_a_file_and_spoils_no_other(tmp_path: Path) -> None:
    broken = charts(1, data=b"<svg/>", caption="odd")
    async with painting(tmp_path, [*charts(1), *broken]) as kit:
        _, good, odd = await painted(kit)
        assert "photo" in good.body
        assert "document" in odd.body
        assert odd.text == "odd"


@pytest.mark.pain("7", "P021")
@pytest.mark.parametrize(
    ("code", "description"),
    [
        (400, "Bad Request: not enough rights to send photos to the chat"),
        (403, "Forbidden: CHAT_SEND_PHOTOS_FORBIDDEN"),
        (400, "Bad Request: CHAT_SEND_MEDIA_FORBIDDEN"),
    ],
)
async def test_where_pictures_are_forbidden_they_come_as_files_and_the_chat_stays_open(
    tmp_path: Path, code: int, description: str
) -> None:
    async with painting(tmp_path, charts(2)) as kit:
        for method in ("sendMediaGroup", "sendPhoto"):
            kit.api.fault(method, code=code, description=description, times=None)
        shown = await painted(kit)
        assert [message.text for message in shown] == [SENTENCE, "chart 0", "chart 1"]
        await still_open(kit)


@pytest.mark.pain("7", "P021")
async def test_where_no_media_may_be_sent_a_line_says_so_once(tmp_path: Path) -> None:
    async with painting(tmp_path, charts(2)) as kit:
        for method, what in (
            ("sendMediaGroup", "photos"),
            ("sendPhoto", "photos"),
            ("sendDocument", "documents"),
        ):
            reason = f"Bad Request: not enough rights to send {what} to the chat"
            kit.api.fault(method, code=400, description=reason, times=None)
        shown = await painted(kit)
        assert [message.text for message in shown] == [SENTENCE, translate("telegram.no_pictures", "en")]
        await still_open(kit)


async def still_open(kit: Kit) -> None:
    """The chat is not marked as one that cannot be written to."""

    def reasons(conn: Any) -> list[str]:
        return list(conn.exec_driver_sql("SELECT unreachable FROM conversations").scalars())

    assert await kit.app.store.read(reasons) == [""]


async def test_more_than_ten_are_several_albums_and_one_is_none(tmp_path: Path) -> None:
    async with painting(tmp_path, charts(6), charts(5)) as kit:
        shown = await painted(kit)
        assert [len(album) for album in albums(shown)] == [10]
        assert shown[-1].body.keys() >= {"photo"}
        assert len(shown) == 12


async def test_pictures_and_what_is_sent_as_a_file_are_not_mixed(tmp_path: Path) -> None:
    moving = charts(2, mime="image/gif", data=b"GIF89a")
    async with painting(tmp_path, [moving[0], *charts(2), moving[1]]) as kit:
        shown = await painted(kit)
        kinds = ["photo" if "photo" in message.body else "document" for message in shown[1:]]
        assert kinds == ["photo", "photo", "document", "document"]
        assert len(albums(shown)) == 2


@pytest.mark.parametrize("kind", ["drop_after", "drop_before"])
@pytest.mark.parametrize("caption", ["chart", ""])
async def test_an_album_whose_confirmation_was_lost_is_there_once(
    tmp_path: Path, kind: str, caption: str
) -> None:
    async with painting(tmp_path, charts(3, caption=caption)) as kit:
        kit.api.fault("sendMediaGroup", kind=kind)
        shown = await painted(kit)
        assert albums(shown) == [[caption] * 3]
        assert len(shown) == 4


@pytest.mark.pain("P021")
@pytest.mark.parametrize("arrived", [True, False])
async def test_a_restart_in_the_middle_of_an_album_leaves_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arrived: bool
) -> None:
    monkeypatch.setattr("bot.app.GRACE_S", 0.1)
    clock, painter = FastClock(), Painter(charts(3))
    with patch("bot.app.assembly._toolsets", lambda *_parts: [painter]):
        async with FakeBotApi(now=clock.seconds) as api, Upstream() as upstream:
            upstream.script(call(0), Answer.text(SENTENCE))
            hanging = api.fault("sendMediaGroup", kind="hang_after" if arrived else "hang_before")
            async with running(world(api), upstream, tmp_path, clock) as kit:
                api.world.say(ANN, "paint")
                await api.until(lambda: hanging.hits == 1)
                await api.until(lambda: len(api.world.answers(ANN)) == (4 if arrived else 1))
                await kit.channel.stop()
            async with running(api, upstream, tmp_path, clock) as kit:
                await kit.answers(ANN, 4)
                shown = [message for message in api.world.visible(ANN) if message.by_bot]
                assert [message.text for message in shown] == [SENTENCE, "chart 0", "chart 1", "chart 2"]
                assert len(albums(shown)) == 1
            assert painter.world.times("paint") == 1


async def test_an_album_waits_as_long_as_telegram_wants(tmp_path: Path) -> None:
    async with painting(tmp_path, charts(2)) as kit:
        kit.api.fault("sendMediaGroup", retry_after=5)
        shown = await painted(kit)
        assert [message.text for message in shown] == [SENTENCE, "chart 0", "chart 1"]
        assert kit.api.flood.early == 0


async def test_a_delivery_that_is_repeated_sends_no_picture_again(tmp_path: Path) -> None:
    async with painting(tmp_path, charts(2)) as kit:
        shown = await painted(kit)
        turn = await kit.last_turn()
        where = Conversation("telegram", str(ANN))
        assert kit.app.tools.shelf is not None
        files = await kit.app.tools.shelf.pictures(where.id, turn)
        assert len(files) == 2
        delivery = Delivery(turn, where, shown[0].text, files=files)
        await kit.app.outbox.channels["telegram"].deliver(delivery)
        assert len(kit.api.called("sendMediaGroup")) == 1
        assert [message.text for message in kit.api.world.visible(ANN) if message.by_bot] == [
            message.text for message in shown
        ]


async def test_pictures_that_are_gone_meanwhile_are_left_out(tmp_path: Path) -> None:
    async with painting(tmp_path, charts(1)) as kit:
        await painted(kit)
        turn = await kit.last_turn()
        where = Conversation("telegram", str(ANN))
        delivery = Delivery(turn, where, SENTENCE, files=(Attached("tool-pictures/gone.png", "image/png"),))
        await kit.app.outbox.channels["telegram"].deliver(delivery)
        assert len(kit.api.called("sendPhoto")) == 1


async def test_an_answer_that_failed_brings_no_pictures(tmp_path: Path) -> None:
    async with painting(tmp_path, charts(2), then=Answer.error(400, "no")) as kit:
        (line,) = await painted(kit)
        assert line.text
        assert not kit.api.called("sendMediaGroup")


@pytest.mark.parametrize("caption", ["x" * 2000, "🙂" * 700, "é", ""])
def test_a_caption_is_as_long_as_one_may_be(caption: str) -> None:
    short = shortened(caption)
    assert utf16_len(short) <= MOST_CAPTION
    assert caption.startswith(short.removesuffix("…"))
    assert short == caption or utf16_len(short) >= MOST_CAPTION - 1
