"""What was said elsewhere is brought in, whole or refused with the reason."""

import json
import zipfile
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.conversation import SpeakerId
from bot.errors import InputError
from bot.store.engine import Store
from memory.importers import exports
from memory.importers.exports import Into, detect, read, unpacked
from memory.importers.jsonl import Refused, keep
from memory.record import MemoryDraft
from tests.memory.build import found
from tests.memory.fakes import NOW

ANN = Into(NOW, SpeakerId("telegram:1"))
TELEGRAM = {
    "name": "Ben",
    "type": "personal_chat",
    "id": 7,
    "messages": [
        {"id": 1, "type": "service", "date": "2025-01-15T09:00:00", "action": "joined"},
        {
            "id": 2,
            "type": "message",
            "date": "2025-01-15T10:30:00",
            "date_unixtime": "1736937000",
            "from": "Ben",
            "from_id": "user2",
            "text": ["see ", {"type": "link", "text": "https://e.example"}, " about the boat"],
        },
        {"id": 3, "type": "message", "date": "2025-01-15T10:31:00", "from": None, "text": ""},
    ],
}
CHATGPT = [
    {
        "id": "c1",
        "create_time": 1736937000.5,
        "current_node": "n3",
        "mapping": {
            "n0": {"id": "n0", "message": None, "parent": None, "children": ["n1"]},
            "n1": {
                "parent": "n0",
                "message": {
                    "id": "m1",
                    "author": {"role": "user"},
                    "create_time": 1736937001,
                    "content": {"content_type": "text", "parts": ["I keep bees"]},
                },
            },
            "n2": {
                "parent": "n1",
                "message": {
                    "id": "m2",
                    "author": {"role": "assistant"},
                    "content": {"content_type": "text", "parts": ["an answer that was replaced"]},
                },
            },
            "n3": {
                "parent": "n1",
                "message": {
                    "id": "m3",
                    "author": {"role": "assistant"},
                    "create_time": None,
                    "content": {"content_type": "text", "parts": ["How many hives?"]},
                },
            },
        },
    }
]
CLAUDE = [
    {
        "uuid": "u1",
        "chat_messages": [
            {"uuid": "a", "sender": "human", "text": "I sail", "created_at": "2025-10-01T18:42:27.303515Z"},
            {
                "uuid": "b",
                "sender": "assistant",
                "text": "",
                "content": [{"type": "text", "text": "Where to?"}, {"type": "tool_use", "name": "x"}],
                "created_at": "2025-10-01T18:42:30Z",
            },
        ],
    }
]
MARKDOWN = "# Garden\n\nThe gate is green.\nIt squeaks.\n\n## Tools\n\nThe spade is in the shed.\n"


def data(value: Any) -> bytes:
    return json.dumps(value).encode()


def told(raw: bytes, name: str) -> list[tuple[str, str]]:
    items = list(read(raw, detect(raw, name), name, ANN))
    assert not [item for item in items if isinstance(item, Refused)]
    return [(item.role, item.text) for item in items if isinstance(item, MemoryDraft)]


def test_each_format_is_found_out_and_read() -> None:
    assert told(data(TELEGRAM), "result.json") == [("user", "see https://e.example about the boat")]
    whole = {"chats": {"list": [TELEGRAM]}, "personal_information": {}}
    assert len(told(data(whole), "result.json")) == 1
    assert told(data(CHATGPT), "conversations.json") == [
        ("user", "I keep bees"),
        ("assistant", "How many hives?"),
    ]
    assert told(data(CLAUDE), "conversations.json") == [("user", "I sail"), ("assistant", "Where to?")]
    assert told(MARKDOWN.encode(), "notes.md") == [
        ("user", "Garden: The gate is green.\nIt squeaks."),
        ("user", "Tools: The spade is in the shed."),
    ]


def test_a_zip_file_is_opened_and_a_damaged_one_refused() -> None:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as folder:
        folder.writestr("export/conversations.json", data(CLAUDE))
    assert unpacked(packed.getvalue(), "x.zip") == data(CLAUDE)
    with pytest.raises(InputError, match="damaged"):
        unpacked(packed.getvalue()[:40], "x.zip")
    empty = BytesIO()
    with zipfile.ZipFile(empty, "w") as folder:
        folder.writestr("photo.jpg", b"x")
    with pytest.raises(InputError, match="neither"):
        unpacked(empty.getvalue(), "x.zip")


async def test_what_is_brought_in_for_a_person_is_theirs_and_coming_twice_changes_nothing(
    store: Store,
) -> None:
    drafts = [item for item in read(data(CLAUDE), "claude", "c", ANN) if isinstance(item, MemoryDraft)]
    assert (await store.write(keep, drafts, NOW)).new == 2
    again = await store.write(keep, drafts, NOW)
    assert (again.new, again.unchanged) == (0, 2)
    assert await found(store, "sail") == ["I sail"]


@pytest.mark.parametrize("hostile", [b"{", b"[1, 2]", b'{"a": 1}', b"[" * 100_000, b"[\xff\xfe{"])
def test_a_file_that_is_no_export_is_refused_with_the_reason(hostile: bytes) -> None:
    with pytest.raises(InputError, match=r"x\.json"):
        detect(hostile, "x.json")


def test_a_conversation_that_goes_in_a_circle_ends() -> None:
    looped = json.loads(json.dumps(CHATGPT))
    looped[0]["mapping"]["n1"]["parent"] = "n3"
    assert len(list(read(data(looped), "chatgpt", "x", ANN))) == 2


def test_messages_with_impossible_times_are_refused_and_the_others_kept() -> None:
    chat = json.loads(json.dumps(TELEGRAM))
    for stamp in ("never", "99999999999999", True, None, -1e300):
        chat["messages"].append({"id": 9, "type": "message", "date_unixtime": stamp, "text": "odd"})
    items = list(read(data(chat), "telegram", "x", ANN))
    assert [isinstance(item, Refused) for item in items] == [False, *[True] * 5]


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["messages", "chats", "list", "mapping", "message", "author", "role", "content",
                         "parts", "chat_messages", "sender", "text", "type", "id", "current_node"]),
        inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


@given(JSON, st.sampled_from(["telegram", "chatgpt", "claude"]))
def test_any_json_is_read_or_refused(value: Any, kind: exports.Format) -> None:
    try:
        list(read(data(value), kind, "x", ANN))
    except InputError:
        return
