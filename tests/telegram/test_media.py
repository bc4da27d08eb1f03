"""Pictures, recordings and files from the chat to the model, and a clear line where that can't be."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.i18n.catalogue import translate
from bot.schedule.jobs import EVERYTHING
from channels.telegram import gather
from channels.telegram.media import MAX_BYTES
from tests.fakes.transcription import FakeTranscription
from tests.fakes.upstream import Answer
from tests.telegram.kit import ANN, GROUP, Kit, started

JPEG = b"\xff\xd8\xff\xe0 not much of a picture"


def photo(kit: Kit, content: bytes = JPEG) -> list[dict[str, Any]]:
    """The sizes of a photo, as a message has them."""
    small, large = kit.api.world.file(b"small", "s.jpg"), kit.api.world.file(content, "l.jpg")
    return [{"file_id": one, "file_unique_id": one, "width": 9, "height": 9} for one in (small, large)]


def voice(kit: Kit, content: bytes = b"OggS sound") -> dict[str, Any]:
    file_id = kit.api.world.file(content, "v.oga")
    return {"file_id": file_id, "file_unique_id": file_id, "duration": 3, "mime_type": "audio/ogg"}


def document(kit: Kit, content: bytes, name: str, mime: str = "application/octet-stream") -> dict[str, Any]:
    file_id = kit.api.world.file(content, "on the server")
    return {"file_id": file_id, "file_unique_id": file_id, "file_name": name, "mime_type": mime}


def asked(kit: Kit) -> Any:
    """The content of the newest message that the model was given."""
    return kit.upstream.requests[-1].body["messages"][-1]["content"]


def seeing(kit: Kit) -> None:
    kit.app.tools.attachments._sees = True


@pytest.mark.pain("14", "P022")
async def test_a_picture_reaches_a_model_that_can_see(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        seeing(kit)
        kit.api.world.say(ANN, chat_id=GROUP, photo=photo(kit), caption="@donkey_bot what is this?")
        await kit.answers(GROUP)
        parts = asked(kit)
        assert "what is this?" in [part.get("text") for part in parts]
        (image,) = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
        assert image.startswith("data:image/jpeg;base64,")


@pytest.mark.pain("14", "P028")
async def test_an_album_is_one_turn_with_all_its_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gather, "ALBUM_S", 15.0)  # a busy machine keeps it in the tests' fast time
    async with started(tmp_path) as kit:
        seeing(kit)
        for number, caption in enumerate(["before", None, "after"], 1):
            fields: dict[str, Any] = {"caption": caption} if caption else {}
            kit.api.world.say(ANN, photo=photo(kit, JPEG + bytes([number])), media_group_id="7", **fields)
        assert len(await kit.answers(ANN)) == 1
        (request,) = kit.upstream.requests
        parts = request.body["messages"][-1]["content"]
        assert parts[0]["text"].splitlines()[0] == "image 1: before"
        assert sum(part["type"] == "image_url" for part in parts) == 3


async def test_without_eyes_a_picture_gets_a_clear_line_and_no_download(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.say(ANN, photo=photo(kit))
        assert await kit.answers(ANN) == [translate("media.no_vision", "en")]
        assert kit.upstream.requests == []
        assert kit.api.called("getFile") == []


@pytest.mark.pain("P035")
async def test_a_voice_message_is_answered_by_its_words_and_remembered_by_them(tmp_path: Path) -> None:
    async with (
        FakeTranscription("what is 2+2?") as ears,
        started(tmp_path, transcription={"base_url": ears.base_url, "api_key": "k"}) as kit,
    ):
        kit.api.world.say(ANN, voice=voice(kit))
        (shown,) = await kit.answers(ANN)
        assert shown.startswith("echo: what is 2+2?")
        (heard,) = ears.requests
        assert (heard.audio, heard.fields["model"], heard.authorization) == (
            b"OggS sound",
            "whisper-1",
            "Bearer k",
        )
        rows = await kit.app.store.read(
            lambda conn: conn.exec_driver_sql("SELECT text, parts FROM messages WHERE role = 'user'").all()
        )
        ((text, parts),) = rows
        assert text == "what is 2+2?"
        assert '"kind": "voice"' in parts


@pytest.mark.pain("P035")
async def test_what_is_wished_for_later_by_voice_becomes_a_draft_and_yes_by_voice_keeps_it(
    tmp_path: Path,
) -> None:
    async with (
        FakeTranscription(
            "Um, okay, so tomorrow at nine in the morning remind me to call the garage."
        ) as ears,
        started(tmp_path, transcription={"base_url": ears.base_url}, scheduler_default_timezone="UTC") as kit,
    ):
        kit.api.world.say(ANN, voice=voice(kit))
        (shown,) = await kit.answers(ANN)
        assert "call the garage" in shown
        assert "09:00" in shown
        ears.text = "Yes."
        kit.api.world.say(ANN, voice=voice(kit, b"OggS other"))
        assert "Noted" in (await kit.answers(ANN, 2))[-1]
        assert len(await kit.app.jobs.page(EVERYTHING)) == 1
        assert [heard.audio for heard in ears.requests] == [b"OggS sound", b"OggS other"]
        assert kit.upstream.requests == []


@pytest.mark.pain("P035")
@pytest.mark.parametrize(
    ("status", "text", "key"),
    [(200, "", "voice_empty"), (400, "x", "voice_failed"), (200, "  ", "voice_empty")],
)
async def test_a_voice_message_that_cannot_be_heard_gets_one_line(
    tmp_path: Path, status: int, text: str, key: str
) -> None:
    async with (
        FakeTranscription(text, status) as ears,
        started(tmp_path, transcription={"base_url": ears.base_url}) as kit,
    ):
        kit.api.world.say(ANN, voice=voice(kit))
        assert await kit.answers(ANN) == [translate(f"media.{key}", "en")]
        assert kit.upstream.requests == []


LONG = Answer.text(" ".join(["long"] * 400), gap_ms=20)


@pytest.mark.pain("P053")
@pytest.mark.parametrize("word", ["Stop.", "Para."])
async def test_a_spoken_stop_ends_the_answer_that_is_being_written(tmp_path: Path, word: str) -> None:
    async with (
        FakeTranscription(word) as ears,
        started(tmp_path, transcription={"base_url": ears.base_url}) as kit,
    ):
        kit.upstream.script(LONG)
        kit.api.world.say(ANN, "tell me")
        await kit.api.until(lambda: bool(kit.upstream.requests))
        kit.api.world.say(ANN, voice=voice(kit))
        first, second = await kit.answers(ANN, 2)
        assert translate("turn.stopped", "en") in first
        assert first.count("long") < 400
        assert second == translate("command.stopped", "en")
        assert len(ears.requests) == 1, "what was heard is not heard again"
        assert len(kit.upstream.requests) == 1


@pytest.mark.pain("P053")
@pytest.mark.parametrize("where", [ANN, GROUP])
async def test_what_else_is_said_by_voice_waits_with_a_sign_and_is_answered_next(
    tmp_path: Path, where: int
) -> None:
    said = "also add milk" if where == ANN else "stop"  # said to somebody else in the group
    async with (
        FakeTranscription(said) as ears,
        started(tmp_path, transcription={"base_url": ears.base_url}) as kit,
    ):
        kit.upstream.script(Answer.text(" ".join(["long"] * 60), gap_ms=20))
        kit.api.world.say(ANN, "@donkey_bot tell me", chat_id=where)
        await kit.api.until(lambda: bool(kit.upstream.requests))
        kit.api.world.say(ANN, chat_id=where, voice=voice(kit))
        if where == ANN:
            await kit.api.until(lambda: bool(kit.api.called("setMessageReaction")))
        answers = await kit.answers(where, 2 if where == ANN else 1)
        assert answers[0].count("long") == 60
        assert len(ears.requests) == (1 if where == ANN else 0)
        if where == ANN:
            assert answers[1].startswith("echo: also add milk")


@pytest.mark.pain("P053")
async def test_who_writes_while_a_recording_is_listened_to_sees_that_it_came_in(tmp_path: Path) -> None:
    async with (
        FakeTranscription("what is 2+2?") as ears,
        started(tmp_path, transcription={"base_url": ears.base_url}) as kit,
    ):
        ears.gate.clear()
        kit.api.world.say(ANN, voice=voice(kit))
        async with asyncio.timeout(30):
            await ears.asked.wait()
        kit.api.world.say(ANN, "and 3+3?")
        await kit.api.until(lambda: bool(kit.api.called("setMessageReaction")))
        ears.gate.set()
        assert len(await kit.answers(ANN, 2)) == 2


@pytest.mark.pain("P035")
async def test_without_speech_recognition_a_voice_message_gets_one_line(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.say(ANN, voice=voice(kit))
        assert await kit.answers(ANN) == [translate("media.no_voice", "en")]


@pytest.mark.pain("14", "P037")
async def test_a_text_file_is_read_and_named_by_a_clean_name(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        sent = document(kit, b"milk, bread", "../../etc/list.txt", "text/plain")
        kit.api.world.say(ANN, document=sent, caption="what is missing?")
        await kit.answers(ANN)
        assert "what is missing?" in asked(kit)
        assert "[file: list.txt]\nmilk, bread" in asked(kit)
        kit.api.world.say(ANN, "and the first item?")
        await kit.answers(ANN, 2)
        assert "milk, bread" in str(kit.upstream.requests[-1].body["messages"][-3]), "it is part of the talk"


@pytest.mark.pain("P036")
async def test_a_file_that_is_too_big_gets_one_line_and_stops_nothing(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.say(
            ANN,
            document={
                "file_id": "x",
                "file_unique_id": "x",
                "file_name": "film.zip",
                "file_size": 89_704_028,
            },
            caption="summarise",
        )
        line = translate("media.too_big", "en", name="film.zip", size=20)
        assert await kit.answers(ANN) == [line]
        file_id = kit.api.world.file(b"", "untold.zip")
        kit.api.world.files[file_id]["file_size"] = MAX_BYTES + 1
        kit.api.world.say(ANN, document={"file_id": file_id, "file_unique_id": "y", "file_name": "film.zip"})
        assert await kit.answers(ANN, 2) == [line, line]
        assert kit.upstream.requests == []


@pytest.mark.parametrize(
    ("content", "name", "key"), [(b"\0\1\2", "a.bin", "unknown"), (b"%PDF-1.4 x", "a.pdf", "damaged")]
)
async def test_a_file_that_cannot_be_read_says_why(
    tmp_path: Path, content: bytes, name: str, key: str
) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.say(ANN, document=document(kit, content, name), caption="summarise")
        assert await kit.answers(ANN) == [translate(f"media.{key}", "en", name=name)]


async def test_a_file_that_is_gone_or_a_server_in_trouble_is_told_after_a_few_tries(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        kit.api.world.say(ANN, document={"file_id": "gone", "file_unique_id": "g", "file_name": "a.txt"})
        assert await kit.answers(ANN) == [translate("media.lost", "en", name="a.txt")]
        kit.api.fault("getFile", kind="drop_before", times=2)
        kit.api.world.say(ANN, document=document(kit, b"hello", "b.txt"))
        assert "hello" in (await kit.answers(ANN, 2))[1]


async def test_what_moves_is_no_question_of_its_own_but_may_go_with_words(tmp_path: Path) -> None:
    async with started(tmp_path) as kit:
        film = {"file_id": "a", "file_unique_id": "a", "width": 1, "height": 1, "duration": 2}
        kit.api.world.say(ANN, video=film)
        assert await kit.answers(ANN) == [translate("media.unwatched", "en")]
        kit.api.world.say(ANN, video=film, caption="what time is it?")
        await kit.answers(ANN, 2)
        assert asked(kit).startswith("what time is it?")
