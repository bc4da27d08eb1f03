"""What reaches the bot of what people send, and when a group means the bot."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.conversation import Heard, Inbound
from bot.domain.message import File, Quote, Text
from channels.telegram.contents import shown_name
from channels.telegram.parts import Me, read_edit, read_message, read_press
from tests.fakes.bot_api_spec import spec
from tests.fakes.bot_api_world import BOT_ID, World

ANN, BEN, GROUP = 11, 12, -1001
ME = Me(BOT_ID, "donkey_bot")
NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


@pytest.fixture
async def world() -> World:
    made = World()
    made.user(ANN, "Ann", last_name="Lee")
    made.user(BEN, "Ben")
    made.group(GROUP, "Friends", forum=True)
    return made


def read_update(update: dict[str, Any], me: Me, now: datetime) -> Inbound | None:
    """The message that an update brings."""
    if "callback_query" in update:
        return read_press(update["callback_query"], now)
    if "edited_message" in update:
        return read_edit(update["edited_message"], me)
    return read_message(update["message"], me) if "message" in update else None


def read(world: World) -> Inbound:
    """The newest update as an inbound message."""
    inbound = read_update(world.updates[-1], ME, NOW)
    assert inbound is not None
    return inbound


def from_bot(world: World, text: str, chat_id: int = GROUP) -> int:
    return world.add_bot_message(world.chats[chat_id], {"text": text}, None).id


async def test_a_private_message_names_where_and_who(world: World) -> None:
    world.say(ANN, "hello")
    inbound = read(world)
    assert inbound.text == "hello"
    assert (inbound.conversation.id, inbound.conversation.kind) == ("telegram:11", "private")
    assert (inbound.speaker.id, inbound.speaker.name, inbound.locale) == ("telegram:11", "Ann Lee", "en")
    assert inbound.external_id == "11:1"
    assert inbound.addressed
    assert inbound.reply_ref == ""


@pytest.mark.pain("15", "P023")
@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("@donkey_bot hi", "hi"),
        ("@DONKEY_Bot, hi", "hi"),
        ("😂😂 @donkey_bot hi", "😂😂 hi"),
        ("hey @donkey_bot", "hey"),
        ("/start@donkey_bot", "/start"),
        ("/new@Donkey_Bot now 😂", "/new now 😂"),
        ("/help", "/help"),
    ],
)
async def test_a_call_by_name_is_heard_without_the_name(world: World, said: str, heard: str) -> None:
    world.say(ANN, said, chat_id=GROUP)
    inbound = read(world)
    assert (inbound.text, inbound.addressed) == (heard, True)
    assert inbound.reply_ref == "1"


@pytest.mark.pain("P025")
@pytest.mark.parametrize(
    "said",
    [
        "mail foo@donkey_bot.example",
        "ask @donkey_botx",
        "ask @donkey_bot_test",
        "https://e.example/@donkey_bot",
        "/help@other_bot",
        "the donkey_bot is asleep",
    ],
)
async def test_a_name_inside_something_else_is_no_call(world: World, said: str) -> None:
    world.say(ANN, said, chat_id=GROUP)
    assert not read(world).addressed


async def test_a_name_in_code_is_no_call(world: World) -> None:
    world.say(ANN, "@donkey_bot", chat_id=GROUP, entities=[{"type": "code", "offset": 0, "length": 11}])
    assert not read(world).addressed


@pytest.mark.pain("P024")
@pytest.mark.parametrize(("user_id", "called"), [(BOT_ID, True), (BEN, False)])
async def test_a_mention_by_display_name_counts_by_its_id(world: World, user_id: int, called: bool) -> None:
    user = {"id": user_id, "is_bot": user_id == BOT_ID, "first_name": "Donkey"}
    mention = {"type": "text_mention", "offset": 0, "length": 6, "user": user}
    world.say(ANN, "Donkey what time is it", chat_id=GROUP, entities=[mention])
    inbound = read(world)
    assert inbound.addressed is called
    assert inbound.text == ("what time is it" if called else "Donkey what time is it")


@pytest.mark.pain("P022", "14")
async def test_a_caption_is_the_text_of_a_photo(world: World) -> None:
    sizes = [
        {"file_id": size, "file_unique_id": size, "width": 9, "height": 9} for size in ("small", "large")
    ]
    world.say(ANN, chat_id=GROUP, photo=sizes, caption="@donkey_bot what is this?")
    inbound = read(world)
    assert inbound.addressed
    photo = File("photo.jpg", "large", "image/jpeg", kind="photo")
    assert inbound.parts == (Text("what is this?"), photo)


@pytest.mark.pain("14", "P035")
@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            {"voice": {"file_id": "v", "mime_type": "audio/ogg"}},
            File("voice message.ogg", "v", "audio/ogg", kind="voice"),
        ),
        (
            {"document": {"file_id": "d", "file_name": "../../x/年度报告（终稿）.pdf", "file_size": 7}},
            File("年度报告（终稿）.pdf", "d", size=7),
        ),
        ({"sticker": {"file_id": "s", "emoji": "👍"}}, Text("[sticker 👍]")),
        ({"sticker": {"file_id": "s"}}, Text("[sticker]")),
        (
            {"animation": {"file_id": "a"}, "document": {"file_id": "a"}},
            File("animation.mp4", "a", "video/mp4", kind="animation"),
        ),
        (
            {"live_photo": {"file_id": "l", "duration": 2, "photo": []}},
            File("live photo.mp4", "l", "video/mp4", kind="live_photo"),
        ),
        ({"story": {"id": 1}}, File("story", "", kind="story")),
        (
            {"checklist": {"title": "Trip", "tasks": [{"text": "tent"}, {"text": "rope"}]}},
            Text("[checklist: Trip tent; rope]"),
        ),
        ({"location": {"latitude": 1.5, "longitude": 2.5}}, Text("[location: 1.5, 2.5]")),
        ({"contact": {"first_name": "Zoe", "phone_number": "+1"}}, Text("[contact: Zoe, +1]")),
        ({"dice": {"emoji": "🎲", "value": 4}}, Text("[dice 🎲: 4]")),
        (
            {"poll": {"question": "Tea?", "options": [{"text": "yes"}, {"text": "no"}]}},
            Text("[poll: Tea? yes; no]"),
        ),
        ({"venue": {"title": "Zoo", "address": "A 1"}, "location": {}}, Text("[place: Zoo, A 1]")),
    ],
)
async def test_everything_that_people_send_has_a_part(
    world: World, fields: dict[str, Any], expected: File | Text
) -> None:
    world.say(ANN, **fields)
    assert read(world).parts == (expected,)


@pytest.mark.pain("P027")
async def test_an_answered_message_comes_along_as_data(world: World) -> None:
    world.say(ANN, "deploy failed at 14:02, disk full", chat_id=GROUP)
    world.say(BEN, "@donkey_bot why?", chat_id=GROUP, reply_to=1)
    inbound = read(world)
    assert inbound.text == "why?"
    assert inbound.parts[0] == Quote("Ann Lee", "deploy failed at 14:02, disk full")


@pytest.mark.pain("P026")
async def test_a_marked_part_goes_before_the_whole(world: World) -> None:
    message_id = from_bot(world, "1) milk 2) bread 3) passport renewal", ANN)
    quote = {"text": "passport renewal", "position": 20}
    world.say(ANN, "remind me of this one", reply_to=message_id, quote=quote)
    assert read(world).parts[0] == Quote("Donkey", "passport renewal")
    from_bot(world, "x" * 900, ANN)
    world.say(ANN, "what?", reply_to=message_id + 2)
    assert read(world).parts[0] == Quote("Donkey", "x" * 500)


@pytest.mark.pain("P046")
async def test_an_answer_to_the_bot_calls_it_unless_somebody_else_is_named(world: World) -> None:
    message_id = from_bot(world, "It is 14:00.")
    world.say(BEN, "thanks, and tomorrow?", chat_id=GROUP, reply_to=message_id)
    assert read(world).addressed
    world.say(BEN, "@ann_lee send me the cat video", chat_id=GROUP, reply_to=message_id)
    assert not read(world).addressed
    world.say(BEN, "me too", chat_id=GROUP, reply_to=message_id + 1)
    assert not read(world).addressed


@pytest.mark.pain("P031")
async def test_a_forwarded_message_names_its_origin(world: World) -> None:
    origin = {"type": "channel", "chat": {"id": -5, "type": "channel", "title": "News"}, "date": 1}
    world.say(ANN, "rain tomorrow", forward_origin=origin)
    inbound = read(world)
    assert inbound.parts == (Quote("News", "rain tomorrow", forwarded=True),)
    assert inbound.text == ""


async def test_an_answer_to_a_picture_brings_the_picture_along(world: World) -> None:
    sizes = [{"file_id": "large", "file_unique_id": "l", "width": 9, "height": 9}]
    world.say(ANN, chat_id=GROUP, photo=sizes)
    world.say(BEN, "@donkey_bot what is this?", chat_id=GROUP, reply_to=1)
    assert read(world).parts == (
        Text("what is this?"),
        File("photo.jpg", "large", "image/jpeg", kind="photo"),
    )


async def test_an_answered_rich_message_is_quoted_with_its_words(world: World) -> None:
    blocks: list[dict[str, Any]] = [
        {"type": "heading", "text": "Prices", "size": 1},
        {"type": "paragraph", "text": ["Tea is ", {"type": "bold", "text": "2"}, " euros."]},
        {"type": "list", "items": [{"label": "1.", "blocks": [{"type": "paragraph", "text": "milk"}]}]},
        {"type": "table", "cells": [[{"text": "a"}, {"text": "b"}]]},
        {"type": "unknown thing", "blocks": [{"type": "paragraph", "text": "inside"}]},
    ]
    message = {"message_id": 5, "from": world.me, "rich_message": {"blocks": blocks}}
    world.say(ANN, "why?", reply_to_message=message)
    quote = read(world).parts[0]
    assert quote == Quote("Donkey", "Prices\nTea is 2 euros.\n1. milk\na | b\ninside")


async def test_an_edited_message_is_read_like_a_new_one_and_a_moving_one_is_not(world: World) -> None:
    world.say(ANN, "helo")
    world.edit(ANN, 1, "hello")
    inbound = read(world)
    assert (inbound.external_id, inbound.text) == ("11:1", "hello")
    place = {"latitude": 1.5, "longitude": 2.5, "live_period": 600}
    world.say(ANN, location=place)
    edited = {**world.updates[-1]["message"], "edit_date": 5}
    assert read_update({"update_id": 1, "edited_message": edited}, ME, NOW) is None


async def test_a_quote_from_another_chat_names_its_origin(world: World) -> None:
    origin = {"type": "hidden_user", "sender_user_name": "Zed", "date": 1}
    world.say(ANN, "is that so?", external_reply={"origin": origin}, quote={"text": "it is flat"})
    assert read(world).parts[0] == Quote("Zed", "it is flat")


async def test_a_topic_is_a_place_of_its_own_and_a_chain_of_replies_is_not(world: World) -> None:
    world.topic(GROUP, 42)
    world.say(ANN, "@donkey_bot hi", chat_id=GROUP, thread_id=42)
    assert read(world).conversation.id == "telegram:-1001#42"
    world.say(ANN, "@donkey_bot hi", chat_id=GROUP, message_thread_id=7)
    assert read(world).conversation.id == "telegram:-1001"


async def test_the_message_that_opened_a_topic_is_not_answered(world: World) -> None:
    opening = {"message_id": 42, "forum_topic_created": {"name": "x"}, "from": world.me}
    world.say(ANN, "just talking", chat_id=GROUP, thread_id=42, reply_to_message=opening)
    inbound = read(world)
    assert not inbound.addressed
    assert inbound.parts == (Text("just talking"),)


async def test_a_groups_message_tells_how_it_was_said_and_whom_it_concerns(world: World) -> None:
    world.user(BEN, "Ben", username="ben_ok")
    message_id = from_bot(world, "It is 14:00.")
    user = {"id": ANN, "is_bot": False, "first_name": "Ann"}
    mention = {"type": "text_mention", "offset": 0, "length": 3, "user": user}
    world.say(BEN, "Ann, do you hear?", chat_id=GROUP, reply_to=message_id, entities=[mention])
    heard = read(world).heard
    assert heard == Heard("Ann, do you hear?", "", f"telegram:{BOT_ID}", (f"telegram:{ANN}",))
    world.say(ANN, "hi")
    assert read(world).heard is None


async def test_an_anonymous_admin_speaks_as_the_group(world: World) -> None:
    admin = {"id": 1087968824, "is_bot": True, "first_name": "Group"}
    fields: dict[str, Any] = {"from": admin, "sender_chat": {"id": GROUP, "title": "Friends"}}
    world.say(ANN, "@donkey_bot hi", chat_id=GROUP, **fields)
    speaker = read(world).speaker
    assert (speaker.id, speaker.name, speaker.is_bot) == ("telegram:-1001", "Friends", False)


@pytest.mark.pain("25")
async def test_another_bot_is_known_as_one(world: World) -> None:
    world.user(500, "Robo", is_bot=True)
    world.say(500, "@donkey_bot hi", chat_id=GROUP)
    assert read(world).speaker.is_bot


async def test_a_pressed_command_is_said_by_who_pressed(world: World) -> None:
    message_id = from_bot(world, "choose", ANN)
    world.press(ANN, ANN, message_id, "/allow 1234")
    inbound = read(world)
    assert (inbound.text, inbound.speaker.id, inbound.at) == ("/allow 1234", "telegram:11", NOW)
    world.press(ANN, ANN, message_id, "other data")
    assert read_update(world.updates[-1], ME, NOW) is None


async def test_service_messages_and_unknown_updates_are_no_messages(world: World) -> None:
    world.say(ANN, chat_id=GROUP, new_chat_members=[world.me])
    assert read_update(world.updates[-1], ME, NOW) is None
    assert read_update({"update_id": 1, "channel_post": {}}, ME, NOW) is None
    assert read_update({"update_id": 1, "hologram": {"x": 1}}, ME, NOW) is None


@pytest.mark.pain("P037")
@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("../../.ssh/authorized_keys", "authorized_keys"),
        ("a\x00b.txt", "ab.txt"),
        ("..\\..\\boot.ini", "boot.ini"),
        ("CON", "CON"),
        ("x" * 300 + ".pdf", "x" * 76 + ".pdf"),
        ("年度报告（终稿）.pdf", "年度报告（终稿）.pdf"),
        ("...", ""),
    ],
)
def test_a_files_name_is_fit_to_be_shown(sent: str, shown: str) -> None:
    assert shown_name(sent) == shown


_KINDS = sorted(set(spec()["types"]["Update"]) - {"update_id"})
_JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


@given(st.sampled_from(_KINDS), _JUNK)
def test_an_update_of_any_form_is_read_or_refused_as_malformed(kind: str, body: Any) -> None:
    try:
        read_update({"update_id": 1, kind: body}, ME, NOW)
    except (LookupError, TypeError, ValueError, AttributeError):
        assert kind in {"message", "edited_message", "callback_query"}
