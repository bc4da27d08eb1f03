"""A person's word over HTTP: what waits, one decision, and the turn that goes on."""

from typing import Any

from tests.builders import WebBot, open_web
from tests.fakes.models import ScriptedModel
from tests.fakes.tools import FakeToolset, calls

SEND = {"to": "ben@example.org"}
WHO = {"session_id": "s1", "user_id": "ann"}


def post() -> FakeToolset:
    return FakeToolset("post").add("send", "sent", effect="external")


async def call(bot: WebBot, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    async with bot.client.request(method, path, json=body) as answer:
        return answer.status, await answer.json()


async def test_a_call_is_shown_decided_and_the_turn_goes_on() -> None:
    tools = post()
    async with open_web(ScriptedModel(calls(("send", SEND)), "It is sent."), toolsets=[tools]) as bot:
        _, said = await call(bot, "POST", "/v1/messages", {**WHO, "text": "send it"})
        assert said["status"] == "waiting"
        _, listed = await call(bot, "GET", "/v1/approvals?session_id=s1")
        (asked,) = listed["approvals"]
        assert (asked["tool"], asked["effect"], asked["arguments"]) == ("send", "external", SEND)
        assert asked["turn_id"] == said["turn_id"]
        assert tools.world.done == []
        status, decided = await call(
            bot, "POST", f"/v1/approvals/{asked['id']}", {"decision": "once", "user_id": "ann"}
        )
        assert (status, decided["outcome"], decided["resumed"]) == (200, "approved", True)
        async with bot.client.get(f"/v1/turns/{said['turn_id']}/events") as stream:
            assert '"It is sent."' in await stream.text()
        assert tools.world.done == [("send", SEND)]
        _, kept = await call(bot, "GET", "/v1/sessions/s1/messages")
        assert [message["text"] for message in kept["messages"]] == ["send it", "It is sent."]


async def test_a_turn_that_waits_can_be_stopped_and_nothing_of_it_be_approved_afterwards() -> None:
    tools = post()
    model = ScriptedModel(calls(("send", SEND)), calls(("send", SEND)), "It is sent.")
    async with open_web(model, toolsets=[tools]) as bot:
        _, said = await call(bot, "POST", "/v1/messages", {**WHO, "text": "send it"})
        await call(bot, "POST", "/v1/messages", {**WHO, "text": "and again"})
        _, listed = await call(bot, "GET", "/v1/approvals")
        asked, other = listed["approvals"]
        stop = f"/v1/turns/{said['turn_id']}/stop"
        assert await call(bot, "POST", stop) == (202, {"turn_id": said["turn_id"], "stopping": True})
        path = f"/v1/approvals/{asked['id']}"
        status, told = await call(bot, "POST", path, {"decision": "once", "user_id": "ann"})
        assert (status, told["error"]["code"]) == (409, "conflict")
        _, turn = await call(bot, "GET", f"/v1/turns/{said['turn_id']}")
        assert turn["status"] == "stopped"
        assert (await call(bot, "POST", stop))[1]["stopping"] is False
        _, listed = await call(bot, "GET", "/v1/approvals")
        assert [one["id"] for one in listed["approvals"]] == [other["id"]]
        assert tools.world.done == []


async def test_a_second_decision_and_an_unknown_one_are_refused() -> None:
    async with open_web(ScriptedModel(calls(("send", SEND)), "Then not."), toolsets=[post()]) as bot:
        await call(bot, "POST", "/v1/messages", {**WHO, "text": "send it"})
        _, listed = await call(bot, "GET", "/v1/approvals")
        path = f"/v1/approvals/{listed['approvals'][0]['id']}"
        assert (await call(bot, "POST", path, {"decision": "deny", "user_id": "ann"}))[0] == 200
        status, told = await call(bot, "POST", path, {"decision": "once", "user_id": "ann"})
        assert (status, told["error"]["code"]) == (409, "conflict")
        unknown = await call(bot, "POST", "/v1/approvals/tc-1", {"decision": "once", "user_id": "ann"})
        assert (unknown[0], unknown[1]["error"]["code"]) == (404, "not_found")
        assert (await call(bot, "POST", path, {"decision": "maybe", "user_id": "ann"}))[0] == 400
