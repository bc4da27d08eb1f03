"""Servers that come, go and misbehave: the others work, and calls end soon."""

import asyncio
import os
import shlex
import signal
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from bot.errors import Unavailable
from bot.tools.mcp import server as server_module
from tests.tools.mcp.conftest import ECHO, Room, until

OTHER = {"name": "other", "description": "Another.", "inputSchema": {"type": "object"}}


async def test_tools_of_a_server_can_be_called(room: Room) -> None:
    room.fake("one")
    async with room.open():
        await room.ready("one")
        assert await room.names() == ["one__echo"]
        result = await room.call("one__echo", text="hi")
        assert (result.text, result.is_error) == ('{"text": "hi"}', False)


async def test_an_unknown_tool_is_an_error_for_the_model(room: Room) -> None:
    async with room.open():
        assert (await room.call("nobody__echo")).is_error


@pytest.mark.pain("P077")
async def test_a_wrong_command_leaves_its_neighbours_alone_and_says_why(room: Room) -> None:
    room.fake("good")
    room.registry.add("typo", {"command": "no-such-program-here", "args": ["scrapling"]}, "user")
    room.registry.add("fails", {"command": "sh", "args": ["-c", "echo no module >&2; exit 3"]}, "user")
    async with room.open():
        await room.ready("good")
        await until(lambda: room.state("typo") == room.state("fails") == "waiting")
        assert "no-such-program-here" in room.server("typo").health.error
        assert "no module" in room.server("fails").health.error
        assert not (await room.call("good__echo")).is_error


@pytest.mark.pain("46")
async def test_a_server_that_never_answers_holds_nobody_up(room: Room) -> None:
    room.fake("mute", silent=True)
    room.fake("good")
    async with room.open():
        await room.ready("good")
        assert room.state("mute") == "starting"
        assert await room.names() == ["good__echo"]


@pytest.mark.pain("46")
async def test_calls_of_a_killed_server_fail_at_once_and_it_comes_back(room: Room) -> None:
    fake = room.fake("mortal", hangs_on_call=False)
    room.fake("good")
    async with room.open():
        await room.ready("mortal", "good")
        pid = int((await room.call_remote("mortal", "pid")).text)
        assert fake.says(hangs_on_call=True).called
        waiting = asyncio.ensure_future(room.call("mortal__echo"))
        await until(lambda: fake.called)
        os.kill(pid, signal.SIGKILL)
        result = await asyncio.wait_for(waiting, 2)
        assert result.is_error and "not known whether it was done" in result.text
        assert not (await room.call("good__echo")).is_error
        fake.says(hangs_on_call=False)
        await room.ready("mortal")
        assert not (await room.call("mortal__echo")).is_error


@pytest.mark.pain("P076")
async def test_a_server_that_dies_of_a_call_ends_only_the_call(room: Room) -> None:
    room.fake("mortal", dies_on_call=True)
    room.fake("good")
    async with room.open():
        await room.ready("mortal", "good")
        assert (await room.call("mortal__echo")).is_error
        assert not (await room.call("good__echo")).is_error


@pytest.mark.pain("P076")
async def test_a_call_that_takes_too_long_is_an_error_and_the_server_is_told(room: Room) -> None:
    fake = room.fake("slow", add=False, hangs_on_call=True)
    room.registry.add("slow", {**fake.entry, "timeout_secs": 1}, "user")
    async with room.open():
        await room.ready("slow")
        result = await room.call("slow__echo")
        assert result.is_error and "no answer within 1 s" in result.text
        await until(lambda: fake.cancelled)
        assert room.state("slow") == "ready"  # it answers pings: the call was slow, not the server


async def test_a_hung_server_is_given_up_after_its_first_late_call(room: Room) -> None:
    fake = room.fake("hung", add=False)
    room.registry.add("hung", {**fake.entry, "timeout_secs": 1}, "user")
    async with room.open():
        await room.ready("hung")
        pid = int((await room.call_remote("hung", "pid")).text)
        os.kill(pid, signal.SIGSTOP)
        assert (await room.call("hung__echo")).is_error
        assert room.state("hung") == "waiting" or await until(lambda: room.state("hung") == "waiting")
        assert await room.names() == []
        await until(lambda: room.server("hung").health.connects > 1)
        assert not (await room.call("hung__echo")).is_error


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers are pinged often."""
    monkeypatch.setattr(server_module, "PING_BESIDE_S", 0.1)
    monkeypatch.setattr(server_module, "PING_S", 0.5)


@pytest.mark.usefixtures("soon")
async def test_a_server_that_falls_silent_beside_a_call_is_given_up_long_before_its_limit(room: Room) -> None:
    fake = room.fake("hung", add=False)
    room.registry.add("hung", {**fake.entry, "timeout_secs": 600}, "user")
    async with room.open():
        await room.ready("hung")
        pid = int((await room.call_remote("hung", "pid")).text)
        assert fake.says(hangs_on_call=True).called
        calls = [asyncio.ensure_future(room.call("hung__echo", n=n)) for n in range(2)]
        await until(lambda: "echo" in room.server("hung")._talks_beside)
        assert not any(call.done() for call in calls), "slow, but alive"
        os.kill(pid, signal.SIGSTOP)
        for result in await asyncio.wait_for(asyncio.gather(*calls), 15):
            assert result.is_error
            assert "does not answer" in result.text
        fake.says(hangs_on_call=False)
        await until(lambda: room.server("hung").health.connects > 1)
        assert not (await room.call("hung__echo")).is_error


@pytest.mark.usefixtures("soon")
async def test_a_server_that_does_one_thing_at_a_time_is_slow_and_not_hung(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So long that on a busy machine, too, the server has the call before it is pinged beside it.
    monkeypatch.setattr(server_module, "PING_BESIDE_S", 1.0)
    fake = room.fake("slow").blocks()
    async with room.open():
        await room.ready("slow")
        asked: list[bool] = []
        answers = server_module._answers

        async def noted(session: Any, limit_s: float) -> bool:
            asked.append(await answers(session, limit_s))
            return asked[-1]

        monkeypatch.setattr(server_module, "_answers", noted)
        call = asyncio.ensure_future(room.call("slow__echo", text="at last"))
        await until(lambda: asked.count(False) >= 2)
        assert not call.done()
        fake.unblock()
        assert (await call).text == '{"text": "at last"}'
        assert room.server("slow").health.connects == 1


async def test_a_server_that_announces_changes_without_end_is_asked_ever_more_seldom(room: Room) -> None:
    many = [{**ECHO, "name": f"tool{number}"} for number in range(500)]
    changed = ["notifications/tools/list_changed"] * 20
    fake = room.fake("storm", tools=many, notify=changed, notify_on_list=changed)
    async with room.open() as servers:
        await room.ready("storm")
        for number in range(20):
            assert not (await room.call("storm__tool1", n=number)).is_error
        assert fake.listed <= 6
        assert len(await room.names()) == 500
        fake.says(tools=[*many, OTHER], notify=[], notify_on_list=[])
        await until(lambda: len(room.server("storm").listing.tools) == 501)
        assert await servers.approve("storm") == ["other"]


async def test_a_list_that_is_the_same_is_not_judged_again(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = room.fake("same", notify=["notifications/tools/list_changed"])
    async with room.open():
        await room.ready("same")
        judged: list[str] = []
        server = room.server("same")
        judge = server._around.judge

        async def noted(spec: Any, tools: Any) -> Any:
            judged.append(spec.name)
            return await judge(spec, tools)

        monkeypatch.setattr(server, "_around", replace(server._around, judge=noted))
        await room.call("same__echo")
        await until(lambda: fake.listed == 2)
        await room.call("same__echo")  # what came before it was read
        assert judged == []
        fake.says(tools=[ECHO, OTHER])
        await room.call("same__echo")
        await until(lambda: len(server.listing.tools) == 2)
        assert judged


async def test_a_cancelled_call_is_cancelled_at_the_server(room: Room) -> None:
    fake = room.fake("slow", hangs_on_call=True)
    async with room.open():
        await room.ready("slow")
        call = asyncio.ensure_future(room.call("slow__echo"))
        await until(lambda: fake.called)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await until(lambda: fake.cancelled)


@pytest.mark.pain("P081")
async def test_lines_on_stdout_that_are_no_messages_are_skipped_and_counted(room: Room) -> None:
    room.fake("noisy", noise=["Starting...", '{"level": "info", "msg": "ready"}', ""])
    async with room.open():
        await room.ready("noisy")
        assert not (await room.call("noisy__echo")).is_error
        assert room.server("noisy").health.traffic.skipped_lines >= 6


async def test_stderr_is_kept_within_bounds_and_without_secrets(room: Room) -> None:
    fake = room.fake("talker", add=False, says=["the key is s3cr3t-value", *["line"] * 500])
    room.registry.add("talker", {**fake.entry, "env": {"KEY": "s3cr3t-value"}}, "user")
    async with room.open():
        await room.ready("talker")
        server = room.server("talker")
        await until(lambda: len(server.stderr) == 200)
        assert server._errors_of_start == ["the key is ***"]


@pytest.mark.pain("P078")
async def test_one_odd_schema_does_not_take_the_other_tools_along(room: Room) -> None:
    odd: list[Any] = [
        {"name": f"odd{number}", "inputSchema": schema}
        for number, schema in enumerate([
            {},
            None,
            {"type": "string"},
            {"type": "object", "properties": None, "required": None},
        ])
    ]
    room.fake("odd", tools=[*odd, {"name": "bad", "inputSchema": ["x"]}, {"inputSchema": {}}, ECHO])
    async with room.open():
        await room.ready("odd")
        assert await room.names() == ["odd__echo", *(f"odd__odd{number}" for number in range(4))]
        assert list(room.servers.unfit) == ["odd/bad"]
        assert room.server("odd").health.traffic.dropped == ["(a tool without a name)"]


@pytest.mark.pain("P082")
async def test_results_that_are_huge_binary_or_odd_are_cut_or_described(room: Room) -> None:
    picture = {"type": "image", "mimeType": "image/png", "data": "A" * 4_000_000}
    results = {
        "huge": {"content": [{"type": "text", "text": "x" * 5_000_000 + "THE ERROR"}]},
        "picture": {"content": [picture]},
        "structured": {"isError": True, "structuredContent": {"why": "no"}},
        "odd": {"content": [{"type": "hologram", "data": 1}, "plain"]},
    }
    room.fake("odd", tools=[{**ECHO, "name": name} for name in results], results=results)
    async with room.open():
        await room.ready("odd")
        huge = await room.call("odd__huge")
        assert len(huge.text) < 500_000 and huge.text.endswith("THE ERROR")
        assert (await room.call("odd__picture")).text == "[image image/png, 3 MB]"
        failed = await room.call("odd__structured")
        assert (failed.text, failed.is_error) == ('{"why": "no"}', True)
        assert "hologram" in (await room.call("odd__odd")).text


async def test_a_server_that_announces_other_tools_is_asked_again(room: Room) -> None:
    fake = room.fake("growing", notify=["notifications/tools/list_changed"])
    async with room.open() as servers:
        await room.ready("growing")
        fake.says(tools=[ECHO, OTHER])
        await room.call("growing__echo")
        await until(lambda: len(room.server("growing").listing.tools) == 2)
        assert await room.names() == ["growing__echo"]  # the new one waits
        assert await servers.approve("growing") == ["other"]
        assert await room.names() == ["growing__echo", "growing__other"]


async def test_the_registry_is_followed_while_it_runs(room: Room) -> None:
    room.fake("one")
    async with room.open():
        await room.ready("one")
        pid = (await room.call_remote("one", "pid")).text
        room.fake("two")
        await room.ready("two")
        assert (await room.call_remote("one", "pid")).text == pid  # left alone
        room.registry.remove("one")
        await until(lambda: room.state("one") == "none")
        assert await room.names() == ["two__echo"]


@pytest.mark.pain("P075")
async def test_many_reloads_leave_no_task_behind(room: Room) -> None:
    fake = room.fake("one")
    before = len(asyncio.all_tasks())
    async with room.open():
        for number in range(5):
            room.registry.add("one", {**fake.entry, "timeout_secs": 20 + number}, "user")
            await until(partial(room.has_timeout, "one", 20 + number))
            await room.ready("one")
    assert len(asyncio.all_tasks()) == before


async def test_a_database_that_fails_for_a_moment_ends_nothing(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.fake("one")
    failing = True

    async def write(*arguments: Any, **more: Any) -> Any:
        if failing:
            raise Unavailable("the disk is full")
        return await working(*arguments, **more)

    working = room.store.write
    monkeypatch.setattr(room.store, "write", write)
    async with room.open():
        await until(lambda: room.state("one") == "waiting")
        failing = False
        await room.ready("one")
        assert not (await room.call("one__echo")).is_error


async def test_a_command_waits_until_servers_are_there_or_cannot_be_but_not_for_ever(room: Room) -> None:
    room.fake("one")
    room.registry.add("typo", {"command": "no-such-program-here"}, "user")
    async with room.open() as servers:
        await servers.settled(30)
        assert (room.state("one"), room.state("typo")) == ("ready", "waiting")
        room.fake("mute", silent=True)
        await until(lambda: room.state("mute") == "starting")
        await servers.settled(0.01)
        assert room.state("mute") == "starting"


async def test_a_whole_command_line_may_stand_in_the_place_of_the_program(room: Room) -> None:
    entry = room.fake("one", add=False).entry
    room.registry.add("one", {"command": shlex.join([entry["command"], *entry["args"]])}, "user")
    async with room.open():
        await room.ready("one")
