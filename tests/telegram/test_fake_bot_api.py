"""The fake is only worth something if it refuses what the real API refuses."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from telegram import Bot, InputMediaPhoto, MessageEntity
from telegram.error import BadRequest, Conflict, Forbidden, InvalidToken, NetworkError, RetryAfter

from tests.fakes.bot_api import FakeBotApi

ANN = 11
GROUP = -1001
_TWO_KINDS = ("photo", "document")
_NO_FILE = "wrong file identifier/HTTP URL specified"
_BEGINNING = "entity beginning at UTF-16 offset"


@pytest.fixture
async def api() -> AsyncIterator[FakeBotApi]:
    async with FakeBotApi() as fake:
        fake.world.user(ANN, "Ann", username="ann_lee")
        fake.world.group(GROUP, "Friends", forum=True)
        fake.world.topic(GROUP, 42)
        yield fake


@pytest.fixture
async def bot(api: FakeBotApi) -> AsyncIterator[Bot]:
    async with Bot(
        api.token, base_url=f"{api.base_url}/bot", base_file_url=f"{api.base_url}/file/bot"
    ) as made:
        yield made


async def post(api: FakeBotApi, method: str, **body: Any) -> Any:
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{api.base_url}/bot{api.token}/{method}", json=body) as answer,
    ):
        return await answer.json()


async def test_a_client_library_sends_edits_and_deletes(api: FakeBotApi, bot: Bot) -> None:
    sent = await bot.send_message(ANN, "hello", entities=[MessageEntity("bold", 0, 5)])
    await bot.edit_message_text("hello there", ANN, sent.message_id)
    assert api.world.answers(ANN) == ["hello there"]
    assert api.world.visible(ANN)[0].texts == ["hello", "hello there"]
    await bot.delete_message(ANN, sent.message_id)
    assert api.world.answers(ANN) == []


async def test_a_client_library_sends_pictures_and_albums(api: FakeBotApi, bot: Bot) -> None:
    png = b"\x89PNG and so on"
    one = await bot.send_photo(ANN, png, caption="one")
    album = await bot.send_media_group(ANN, [InputMediaPhoto(png, caption="two"), InputMediaPhoto(png)])
    assert api.world.answers(ANN) == ["one", "two", ""]
    assert album[0].media_group_id == album[1].media_group_id
    await bot.edit_message_caption(ANN, one.message_id, caption="1")
    with pytest.raises(BadRequest, match="not modified"):
        await bot.edit_message_caption(ANN, one.message_id, caption="1")
    text = await bot.send_message(ANN, "hello")
    with pytest.raises(BadRequest, match="no caption in the message"):
        await bot.edit_message_caption(ANN, text.message_id, caption="1")


@pytest.mark.parametrize(
    ("upload", "caption", "refusal"),
    [(b"<svg/>", "", "IMAGE_PROCESS_FAILED"), (b"\x89PNG", "x" * 1025, "caption is too long")],
)
async def test_what_is_no_picture_and_long_captions_are_refused(
    bot: Bot, upload: bytes, caption: str, refusal: str
) -> None:
    with pytest.raises(BadRequest, match=f"(?i){refusal}"):
        await bot.send_photo(ANN, upload, caption=caption)


@pytest.mark.parametrize(
    ("method", "body", "description"),
    [
        ("sendMessage", {"chat_id": ANN, "text": "  \n"}, "Bad Request: message text is empty"),
        ("sendMessage", {"chat_id": ANN}, "Bad Request: message text is empty"),
        ("sendMessage", {"text": "hi"}, "Bad Request: chat_id is empty"),
        ("sendPhoto", {"chat_id": ANN, "photo": "attach://x"}, f"Bad Request: {_NO_FILE}"),
        (
            "sendMediaGroup",
            {"chat_id": ANN, "media": []},
            "Bad Request: Too few messages to send as an album",
        ),
        (
            "sendMediaGroup",
            {"chat_id": ANN, "media": 11 * [{"type": "photo", "media": "attach://x"}]},
            "Bad Request: Too many messages to send as an album",
        ),
        (
            "sendMediaGroup",
            {
                "chat_id": ANN,
                "media": [{"type": kind, "media": "attach://x"} for kind in ("photo", "document")],
            },
            "Bad Request: Document can't be mixed with other media types",
        ),
        ("sendMessage", {"chat_id": 999, "text": "hi"}, "Bad Request: chat not found"),
        ("sendMessage", {"chat_id": ANN, "text": "x" * 4097}, "Bad Request: message is too long"),
        ("sendMessage", {"chat_id": ANN, "text": "😀" * 2049}, "Bad Request: message is too long"),
        (
            "sendMessage",
            {"chat_id": GROUP, "text": "hi", "message_thread_id": 7},
            "Bad Request: message thread not found",
        ),
        (
            "sendMessage",
            {"chat_id": ANN, "text": "hi", "reply_parameters": {"message_id": 77}},
            "Bad Request: message to be replied not found",
        ),
        (
            "sendMessage",
            {"chat_id": ANN, "text": "hi", "reply_parameters": {}},
            "Bad Request: can't parse ReplyParameters: Can't find field \"message_id\"",
        ),
        (
            "editMessageText",
            {"chat_id": ANN, "message_id": 5, "text": "hi"},
            "Bad Request: message to edit not found",
        ),
        ("deleteMessage", {"chat_id": ANN, "message_id": 5}, "Bad Request: message to delete not found"),
        (
            "sendMessageDraft",
            {"chat_id": GROUP, "draft_id": 1, "text": "a"},
            "Bad Request: TEXTDRAFT_PEER_INVALID",
        ),
        (
            "setMyCommands",
            {"commands": [{"command": "stable-diffusion", "description": "x"}]},
            "Bad Request: BOT_COMMAND_INVALID",
        ),
        (
            "setMyCommands",
            {"commands": [{"command": f"c{number}", "description": "x"} for number in range(101)]},
            "Bad Request: BOT_COMMANDS_TOO_MUCH",
        ),
        (
            "sendChatAction",
            {"chat_id": ANN, "action": "dance"},
            "Bad Request: wrong parameter action in request",
        ),
        ("getFile", {"file_id": "nope"}, "Bad Request: wrong file_id or the file is temporarily unavailable"),
        (
            "setWebhook",
            {"url": "http://a.example/"},
            "Bad Request: bad webhook: An HTTPS URL must be provided for webhook",
        ),
    ],
)
async def test_a_wrong_request_is_refused_with_the_real_text(
    api: FakeBotApi, method: str, body: dict[str, Any], description: str
) -> None:
    answer = await post(api, method, **body)
    assert answer == {"ok": False, "error_code": 400, "description": description}


@pytest.mark.parametrize(
    ("text", "entity", "description"),
    [
        ("abc", ("bold", 0, 4), f"{_BEGINNING} 0 ends after the end of the text at UTF-16 offset 4"),
        ("abc", ("bold", 4, 1), "entity begins after the end of the text at UTF-16 offset 4"),
        ("😀b", ("bold", 1, 1), "entity begins in a middle of a UTF-16 symbol at byte offset 4"),
        ("😀b", ("bold", 0, 1), f"{_BEGINNING} 0 ends in a middle of a UTF-16 symbol at byte offset 4"),
        ("abc", ("shiny", 0, 1), "can't parse MessageEntity: Unsupported type specified"),
        ("abc", ("text_link", 0, 1), "entity URL 'javascript://x' is invalid: Unsupported URL protocol"),
        ("abc", ("bold", -1, 1), "receive an entity with incorrect offset -1"),
    ],
)
async def test_an_invalid_entity_is_refused_with_the_real_text(
    api: FakeBotApi, text: str, entity: tuple[str, int, int], description: str
) -> None:
    kind, offset, length = entity
    given = {"type": kind, "offset": offset, "length": length}
    if kind == "text_link":
        given["url"] = "javascript://x"
    answer = await post(api, "sendMessage", chat_id=ANN, text=text, entities=[given])
    assert answer["description"] == f"Bad Request: {description}"


async def test_text_is_trimmed_and_entities_follow(api: FakeBotApi, bot: Bot) -> None:
    sent = await bot.send_message(ANN, "  a\r bold \n", entities=[MessageEntity("bold", 4, 6)])
    assert sent.text == "a bold"
    assert sent.entities == (MessageEntity("bold", 1, 5),)


async def test_entities_that_do_not_nest_are_cut_and_noted(api: FakeBotApi, bot: Bot) -> None:
    await bot.send_message(ANN, "abc", entities=[MessageEntity("italic", 0, 2), MessageEntity("bold", 1, 2)])
    assert [
        (item["type"], item["offset"], item["length"]) for item in api.world.visible(ANN)[0].entities
    ] == [
        ("italic", 0, 1),
        ("bold", 1, 2),
        ("italic", 1, 1),
    ]
    assert len(api.methods.altered) == 1


async def test_an_edit_that_changes_nothing_is_refused(bot: Bot) -> None:
    sent = await bot.send_message(ANN, "same")
    with pytest.raises(BadRequest, match=r"(?i)message is not modified"):
        await bot.edit_message_text("same", ANN, sent.message_id)


async def test_a_blocked_bot_is_forbidden(api: FakeBotApi, bot: Bot) -> None:
    api.world.member_status(ANN, ANN, "member", "kicked")
    with pytest.raises(Forbidden, match=r"(?i)bot was blocked by the user"):
        await bot.send_message(ANN, "hi")


async def test_a_wrong_token_is_unauthorized(api: FakeBotApi) -> None:
    with pytest.raises(InvalidToken):
        async with Bot("1:other", base_url=f"{api.base_url}/bot"):
            pass


async def test_updates_come_again_until_a_higher_offset_confirms_them(api: FakeBotApi, bot: Bot) -> None:
    first = api.world.say(ANN, "one")
    second = api.world.say(ANN, "two")
    assert [update.update_id for update in await bot.get_updates()] == [first, second]
    assert [update.update_id for update in await bot.get_updates(offset=first)] == [first, second]
    assert [update.update_id for update in await bot.get_updates(offset=second)] == [second]
    assert await bot.get_updates(offset=second + 1) == ()
    assert api.world.confirmed == [first, second]


async def test_a_long_poll_wakes_on_an_update(api: FakeBotApi, bot: Bot) -> None:
    waiting = asyncio.ensure_future(bot.get_updates(timeout=30))
    await api.until(lambda: bool(api.called("getUpdates")))
    api.world.say(ANN, "wake")
    updates = await waiting
    assert updates[0].message is not None
    assert updates[0].message.text == "wake"


async def test_a_second_poller_ends_the_first_with_a_conflict(api: FakeBotApi, bot: Bot) -> None:
    first = asyncio.ensure_future(bot.get_updates(timeout=30))
    await api.until(lambda: bool(api.called("getUpdates")))
    async with Bot(api.token, base_url=f"{api.base_url}/bot") as other:
        second = asyncio.ensure_future(other.get_updates(timeout=30))
        with pytest.raises(Conflict, match=r"(?i)terminated by other getUpdates request"):
            await first
        api.world.say(ANN, "hi")
        assert len(await second) == 1


async def test_polling_with_a_webhook_is_a_conflict_until_it_is_deleted(api: FakeBotApi, bot: Bot) -> None:
    await bot.set_webhook("https://bot.example/hook")
    with pytest.raises(Conflict, match="while webhook is active"):
        await bot.get_updates()
    await bot.delete_webhook()
    assert await bot.get_updates() == ()


@pytest.mark.filterwarnings("ignore::telegram.warnings.PTBDeprecationWarning")
async def test_scripted_trouble_hits_as_told(api: FakeBotApi, bot: Bot) -> None:
    api.fault("sendMessage", skip=1, retry_after=7, chat_id=ANN)
    await bot.send_message(ANN, "one")
    with pytest.raises(RetryAfter):
        await bot.send_message(ANN, "two")
    with pytest.raises(RetryAfter):
        await bot.send_message(ANN, "too early")
    assert api.flood.early == 1
    api.fault("sendChatAction", code=502, description="Bad Gateway")
    with pytest.raises(NetworkError, match="Bad Gateway"):
        await bot.send_chat_action(ANN, "typing")


async def test_a_connection_can_drop_before_and_after_the_effect(api: FakeBotApi, bot: Bot) -> None:
    api.fault("sendMessage", kind="drop_before")
    with pytest.raises(NetworkError):
        await bot.send_message(ANN, "lost")
    api.fault("sendMessage", kind="drop_after")
    with pytest.raises(NetworkError):
        await bot.send_message(ANN, "kept")
    assert api.world.answers(ANN) == ["kept"]


@pytest.mark.filterwarnings("ignore::telegram.warnings.PTBDeprecationWarning")
async def test_flood_limits_are_counted_and_enforced_on_demand(api: FakeBotApi, bot: Bot) -> None:
    for number in range(3):
        await bot.send_message(ANN, f"{number}")
    assert api.flood.peak_chat == 3
    api.flood.enforced = True
    with pytest.raises(RetryAfter):
        await bot.send_message(ANN, "too fast")


async def test_peoples_texts_carry_the_entities_telegram_finds(api: FakeBotApi, bot: Bot) -> None:
    api.world.say(
        ANN, "😂😂 @donkey_bot /start@donkey_bot no@mention https://a.example/@donkey_bot", chat_id=GROUP
    )
    (update,) = await bot.get_updates()
    assert update.message is not None
    assert [(item.type, item.offset) for item in update.message.entities] == [
        ("mention", 5),
        ("bot_command", 17),
        ("url", 46),
    ]


async def test_a_file_can_be_fetched(api: FakeBotApi, bot: Bot) -> None:
    file = await bot.get_file(api.world.file(b"content"))
    assert bytes(await file.download_as_bytearray()) == b"content"


async def test_as_a_program_it_is_driven_over_http() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.fakes.bot_api", "--port", "0", stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        started = json.loads(await process.stdout.readline())
        address, token = started["base_url"], started["token"]
        async with aiohttp.ClientSession() as session:
            await session.post(f"{address}/control/say", json={"user_id": ANN, "text": "hello"})
            await session.post(f"{address}/bot{token}/sendMessage", data={"chat_id": ANN, "text": "hi Ann"})
            async with session.get(f"{address}/control/state") as answer:
                state = await answer.json()
            async with session.get(f"{address}/control/messages?chat_id={ANN}") as answer:
                shown = await answer.json()
    finally:
        process.terminate()
        await process.wait()
    assert state["answers"] == {str(ANN): ["hi Ann"]}
    assert len(state["pending"]) == 1
    assert [message["texts"] for message in shown] == [["hello"], ["hi Ann"]]
