"""What is too long to be shown is kept beside the conversation's files, where the model can read it on."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.config.policy import PolicyRule, PolicySettings, RuleMatch
from bot.domain.conversation import ConversationId, SpeakerId
from bot.domain.message import ToolCall
from bot.domain.run import RunId
from bot.domain.tool import RunContext
from bot.events.log import EventLog
from bot.policy.rules import Policy
from bot.policy.secrets import Redactor
from bot.store.engine import Store
from bot.tools.gate import Gated
from bot.tools.guards.workspace import Quota
from bot.tools.registry import Combined
from bot.tools.results import unwrapped
from bot.tools.sets.files import file_tools
from bot.tools.shelf import MOST_CHARS, MOST_RESULTS, Shelf, folder_of, workspace_of
from tests.fakes.clock import START, ManualClock
from tests.fakes.tools import FakeToolset

ANN = ConversationId("http:ann")
CONTEXT = RunContext(RunId("turn-1"), ANN, SpeakerId("http:ann"))
LONG = "".join(f"line {n} of the page, é\n" for n in range(2000))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "workspaces"


def gate_of(store: Store, root: Path, answer: str, *rules: PolicyRule, quota: Quota | None = None) -> Gated:
    clock, kept = ManualClock(), quota or Quota()
    tools = FakeToolset("net").add("fetch", answer, effect="read", untrusted=True)
    return Gated(
        Combined([tools, file_tools(root, kept, window=3800)]),
        Policy(PolicySettings(rules=rules)),
        EventLog(store, clock),
        clock,
        Redactor(["s3cr3t-value"]),
        shelf=Shelf(root, kept),
    )


async def call(gate: Gated, name: str, arguments: dict[str, Any], context: RunContext = CONTEXT) -> str:
    return (await gate.call(ToolCall("c1", name, arguments), context)).text


def kept_in(root: Path, conversation: ConversationId = ANN) -> list[Path]:
    return sorted(folder_of(root, conversation).glob("tool-results/*"))


def folders(root: Path) -> list[str]:
    return sorted(folder.name for folder in root.glob("*"))


def told_of(text: str) -> tuple[str, int]:
    found = re.search(r"kept in (\S+): call file_read .* offset (\d+) ", text)
    assert found is not None
    return found[1], int(found[2])


async def test_a_model_can_read_all_of_a_long_result(store: Store, root: Path) -> None:
    gate = gate_of(store, root, LONG)
    shown = await call(gate, "fetch", {})
    assert len(shown) < 4600
    path, offset = told_of(shown)
    read = unwrapped(shown).split("\n[… ")[0]
    assert len(read.encode()) == offset
    while offset < len(LONG.encode()):
        piece = unwrapped(await call(gate, "file_read", {"path": path, "offset": offset}))
        body = piece.split("\n", 1)[1]
        body = body.rpartition("\n[read on")[0] or body
        read, offset = read + body, offset + len(body.encode())
    assert read == LONG
    assert len(kept_in(root)) == 1, "what is read of it is not kept again"


async def test_no_secret_is_kept(store: Store, root: Path) -> None:
    await call(gate_of(store, root, f"{LONG}token s3cr3t-value"), "fetch", {})
    (file,) = kept_in(root)
    assert file.read_text(encoding="utf-8").endswith("token [secret]")


async def test_a_short_result_is_not_kept(store: Store, root: Path) -> None:
    assert "kept in" not in await call(gate_of(store, root, "short"), "fetch", {})
    assert kept_in(root) == []


@pytest.mark.parametrize(
    "context",
    [
        RunContext(RunId(""), ANN, SpeakerId("http:ann")),
        RunContext(RunId("turn-1"), ConversationId(""), SpeakerId("http:ann")),
    ],
)
async def test_without_a_turn_in_a_conversation_nothing_is_kept(
    store: Store, root: Path, context: RunContext
) -> None:
    shown = await call(gate_of(store, root, LONG), "fetch", {}, context)
    assert "left out" in shown
    assert "kept in" not in shown
    assert folders(root) == []


async def test_where_files_may_not_be_read_nothing_is_promised(store: Store, root: Path) -> None:
    rule = PolicyRule(match=RuleMatch(toolset=("files",)), effect="deny")
    shown = await call(gate_of(store, root, LONG, rule), "fetch", {})
    assert "kept in" not in shown
    assert folders(root) == []


async def test_where_there_is_no_room_the_result_is_shown_in_part(store: Store, root: Path) -> None:
    shown = await call(gate_of(store, root, LONG, quota=Quota(file_bytes=1000)), "fetch", {})
    assert "left out" in shown
    assert "kept in" not in shown


async def test_what_is_binary_is_named_and_not_kept(store: Store, root: Path) -> None:
    assert "binary data" in await call(gate_of(store, root, "\x00\x01" * 9000), "fetch", {})
    assert kept_in(root) == []


async def test_only_so_many_are_kept_and_none_is_endless(root: Path) -> None:
    shelf = Shelf(root, Quota())
    paths = [
        await shelf.keep(ANN, "net/../x", f"result {n}", START + timedelta(seconds=n))
        for n in range(MOST_RESULTS + 3)
    ]
    assert [file.name for file in kept_in(root)] == [path.split("/")[-1] for path in paths[3:]]
    await shelf.keep(ANN, "big", "x" * (MOST_CHARS * 3), START + timedelta(hours=1))
    assert kept_in(root)[-1].stat().st_size < MOST_CHARS + 100


async def test_results_go_alone_and_with_all_files_of_their_conversation(store: Store, root: Path) -> None:
    gate, shelf = gate_of(store, root, LONG), Shelf(root, Quota())
    ben = ConversationId("http:ben")
    for conversation in (ANN, ben):
        context = RunContext(RunId("turn-1"), conversation, SpeakerId(conversation), is_private=True)
        await call(gate, "fetch", {}, context)
        await call(gate, "file_write", {"path": "mine.md", "content": "x"}, context)
    await shelf.clear([ANN])
    assert kept_in(root) == []
    assert (folder_of(root, ANN) / "mine.md").exists()
    await shelf.remove(ANN)
    await shelf.remove(ANN)
    assert folders(root) == [folder_of(root, ben).name]
    assert len(kept_in(root, ben)) == 1


async def test_files_go_along_when_a_conversation_goes_on_under_another_id(root: Path) -> None:
    shelf, there = Shelf(root, Quota()), ConversationId("http:there")
    for name, owner in (("notes/a.md", ANN), ("notes/b.md", ANN), ("notes/b.md", there), ("c.md", ANN)):
        workspace_of(root, owner, Quota()).write(name, f"of {owner}".encode())
    for _ in range(2):
        await shelf.move(ANN, there)
    held = {name: await shelf.content(there, name) for name in ("notes/a.md", "notes/b.md", "c.md")}
    assert held == {"notes/a.md": b"of http:ann", "notes/b.md": b"of http:there", "c.md": b"of http:ann"}
    workspace_of(root, ANN, Quota()).write("late.md", b"by a turn that began before")
    assert await shelf.content(there, "late.md") == b"by a turn that began before"


async def test_what_a_turn_under_way_keeps_is_found_after_a_move_without_files(root: Path) -> None:
    shelf, there = Shelf(root, Quota()), ConversationId("http:there")
    await shelf.move(ANN, there)
    path = await shelf.keep(ANN, "fetch", "long", START)
    assert await shelf.content(there, path) == b"long"
