"""A recording that comes while an answer is being written may tell it to stop."""

import pytest

from bot.domain.conversation import Inbound
from bot.domain.message import File, Part, Text
from bot.domain.run import Run, RunId
from bot.turn.attachments import MAX_REMEMBERED, Attachments
from bot.turn.writing import LONGEST_BYTES, Writing
from tests.fakes.clock import START
from tests.turn.house import inbound

VOICE = File("voice.oga", "ref", "audio/ogg", 9_000, "voice")
TURN = Run(
    id=RunId("turn-1"),
    kind="turn",
    key="k",
    status="running",
    payload={"control": False},
    conversation_id=None,
    token=1,
    attempt=1,
    created_at=START,
)


class Ears:
    """Hears the same in everything, and counts."""

    def __init__(self, words: str) -> None:
        self.words = words
        self.heard = 0

    async def transcribe(self, audio: bytes, name: str, mime: str) -> str:
        self.heard += 1
        return self.words


def reading(ears: Ears) -> Attachments:
    attachments = Attachments(hearing=ears)

    async def fetch(inbound: Inbound, file: File) -> bytes:
        return b"sound"

    attachments.fetchers["http"] = fetch
    return attachments


def said(*parts: Part) -> Inbound:
    return inbound("", parts=parts)


async def test_a_short_recording_that_says_stop_is_obeyed_and_heard_once() -> None:
    writing, ears = Writing(), Ears("Stop!")
    attachments, message = reading(ears), said(VOICE)
    with writing.of(message.conversation, TURN):
        assert await writing.is_told_to_stop(message, attachments)
    assert writing.has_obeyed(message)
    assert (await attachments.read(message)).inbound.text == "Stop!"
    assert ears.heard == 1
    assert not writing.turns(message.conversation)


@pytest.mark.parametrize(
    "parts",
    [
        (File("voice.oga", "ref", "audio/ogg", LONGEST_BYTES + 1, "voice"),),
        (VOICE, VOICE),
        (Text("listen to this"), VOICE),
        (Text("stop"),),
        (File("film.mp4", "ref", "video/mp4", 9, "video"),),
    ],
)
async def test_nothing_else_is_listened_to_before_its_turn(parts: tuple[Part, ...]) -> None:
    writing, ears = Writing(), Ears("stop")
    message = said(*parts)
    with writing.of(message.conversation, TURN):
        assert not await writing.is_told_to_stop(message, reading(ears))
    assert ears.heard == 0


async def test_while_nothing_is_written_a_recording_waits_for_its_turn() -> None:
    ears = Ears("stop")
    assert not await Writing().is_told_to_stop(said(VOICE), reading(ears))
    assert ears.heard == 0


async def test_only_so_many_recordings_are_remembered() -> None:
    ears = Ears("hello")
    attachments = reading(ears)
    for number in range(MAX_REMEMBERED + 1):
        await attachments.read(said(File("voice.oga", f"ref{number}", "audio/ogg", 9, "voice")))
    await attachments.read(said(File("voice.oga", f"ref{MAX_REMEMBERED}", "audio/ogg", 9, "voice")))
    assert ears.heard == MAX_REMEMBERED + 1
    await attachments.read(said(File("voice.oga", "ref0", "audio/ogg", 9, "voice")))
    assert ears.heard == MAX_REMEMBERED + 2
