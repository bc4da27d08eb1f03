"""What came with a message is read once, also where its turn has to begin again."""

from dataclasses import dataclass, field, replace

from bot.domain.conversation import Conversation, Inbound, Speaker
from bot.domain.message import File, Text
from bot.turn import codec
from bot.turn.attachments import Attachments
from tests.fakes.clock import START

VOICE = File("voice.ogg", "ref-1", "audio/ogg", kind="voice")
SPOKEN = Inbound("1", Conversation("push", "7"), Speaker("push", "7", "Ann"), START, (VOICE,), locale="en")


@dataclass
class Ears:
    """Hears the same words in everything."""

    heard: list[bytes] = field(default_factory=list)

    async def transcribe(self, audio: bytes, name: str, mime: str) -> str:
        self.heard.append(audio)
        return "tea at five"


async def fetch(inbound: Inbound, file: File) -> bytes:
    return file.ref.encode()


async def test_a_voice_message_that_was_heard_is_not_heard_again() -> None:
    ears = Ears()
    reader = Attachments(hearing=ears)
    reader.fetchers["push"] = fetch
    first = await reader.read(SPOKEN)
    assert first.is_heard
    assert first.inbound.parts == (Text("tea at five"), replace(VOICE, ref=""))
    again = await reader.read(codec.load(codec.dump(first.inbound)))
    assert again.is_heard
    assert again.inbound.text == "tea at five"
    assert ears.heard == [b"ref-1"]


async def test_a_voice_message_that_nobody_can_hear_is_not_taken_for_heard() -> None:
    reader = Attachments()
    reader.fetchers["push"] = fetch
    unheard = await reader.read(SPOKEN)
    assert not unheard.is_heard
    assert unheard.line
