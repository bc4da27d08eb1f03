"""What can be answered with one press, over HTTP."""

from typing import Any

from tests.builders import WebBot, open_web
from tests.fakes.clock import ManualClock


async def said(bot: WebBot, text: str) -> Any:
    body = {"session_id": "s1", "user_id": "ann", "text": text, "tz": "Europe/Berlin"}
    async with bot.client.post("/v1/messages", json=body) as answer:
        assert answer.status == 200
        return await answer.json()


async def test_a_draft_comes_with_its_choices_and_one_of_them_confirms_it() -> None:
    async with open_web(clock=ManualClock(), talks=True) as bot:
        draft = await said(bot, "remind me tomorrow at 9am to water the plants")
        yes, change, no = [choice["says"].split()[1] for choice in draft["choices"]][:3]
        async with bot.client.get(f"/v1/turns/{draft['turn_id']}") as answer:
            assert (await answer.json())["choices"] == draft["choices"]
        noted = await said(bot, draft["choices"][0]["says"])
        async with bot.client.get("/v1/jobs?user_id=ann") as answer:
            jobs = (await answer.json())["jobs"]
    assert (yes, change, no) == ("yes", "change", "no")
    assert [job["text"] for job in jobs] == ["water the plants"]
    assert not any(choice["says"].startswith("/task yes") for choice in noted.get("choices", ()))


async def test_an_answer_without_a_question_has_no_choices() -> None:
    async with open_web(clock=ManualClock(), talks=True) as bot:
        assert "choices" not in await said(bot, "hello")
