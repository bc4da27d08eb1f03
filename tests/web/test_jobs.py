"""Reminders and tasks over HTTP."""

from datetime import timedelta
from math import isfinite
from typing import Any

import pytest

from tests.builders import WebBot, open_web
from tests.fakes.clock import START, ManualClock
from tests.web.hostile import VALUES, hostile_texts

WHO = {"session_id": "s1", "user_id": "ann"}  # START is Monday, 2 March 2026, 12:00 UTC


async def call(bot: WebBot, method: str, path: str, body: Any = None, **query: str) -> tuple[int, Any]:
    async with bot.client.request(method, path, json=body, params=query) as answer:
        if answer.content_type != "application/json":
            return answer.status, await answer.text()
        return answer.status, await answer.json()


async def made(bot: WebBot, **body: Any) -> Any:
    status, job = await call(bot, "POST", "/v1/jobs", {**WHO, **body})
    assert status == 201, job
    return job


async def test_a_wish_in_words_becomes_a_job_in_the_persons_zone() -> None:
    async with open_web(clock=ManualClock()) as bot:
        job = await made(bot, text="remind me tomorrow at 9 to water the plants", tz="Asia/Shanghai")
        assert await call(bot, "GET", f"/v1/jobs/{job['id']}") == (
            200,
            {**without_assumed(job), "firings": []},
        )
    assert (job["kind"], job["text"], job["state"]) == ("reminder", "water the plants", "active")
    assert job["at"] == "2026-03-03T09:00:00+08:00"
    assert job["next_firings"] == ["2026-03-03T09:00:00+08:00"]
    assert job["next_due"] == "2026-03-03T01:00:00Z"
    assert job["when"] == "Tuesday, 3 March 2026, 09:00"
    assert (job["owner"], job["user_id"], job["session_id"]) == ("http:ann", "ann", "s1")


async def test_a_repeat_with_the_same_key_makes_no_second_job() -> None:
    async with open_web(clock=ManualClock()) as bot:
        wish = {**WHO, "text": "remind me tomorrow at 9 to water the plants", "message_id": "m1"}
        first, again = [await call(bot, "POST", "/v1/jobs", wish) for _ in range(2)]
        other = await call(bot, "POST", "/v1/jobs", {**wish, "user_id": "ben"})
        listed = await call(bot, "GET", "/v1/jobs", user_id="ann")
        headers = {"Idempotency-Key": "m1"}
        async with bot.client.post("/v1/jobs", json={**wish, "message_id": "m2"}, headers=headers) as answer:
            by_header = (await answer.json())["id"]
    assert first[0] == again[0] == other[0] == 201
    assert first[1]["id"] == again[1]["id"] == by_header != other[1]["id"]
    assert [job["id"] for job in listed[1]["jobs"]] == [first[1]["id"]]


def without_assumed(job: Any) -> Any:
    return {name: value for name, value in job.items() if name != "assumed"}


async def test_a_wish_is_understood_in_chinese() -> None:
    async with open_web(clock=ManualClock()) as bot:
        job = await made(bot, text="每天早上八点提醒我吃药", tz="Asia/Shanghai", lang="zh-CN")
    assert job["rrule"] == "FREQ=DAILY;BYHOUR=8;BYMINUTE=0"
    assert job["next_firings"] == [f"2026-03-0{day}T08:00:00+08:00" for day in (3, 4, 5)]
    assert job["text"] == "吃药"


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("remind me 10 minutes before my 4pm meeting", "2026-03-02T15:50:00+00:00"),
        ("3月20日提前两天提醒我交房租", "2026-03-18T09:00:00+00:00"),
    ],
)
async def test_a_wish_before_a_time_is_before_it(text: str, at: str) -> None:
    async with open_web(clock=ManualClock()) as bot:
        job = await made(bot, text=text, tz="UTC")
    assert job["at"] == at


async def test_a_job_is_made_from_its_parts() -> None:
    async with open_web(clock=ManualClock()) as bot:
        once = await made(
            bot, kind="agent", task="sum up my notes", at="2026-03-05T07:00", tz="Europe/Berlin"
        )
        rule = await made(bot, text="tea", rrule="FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0", tz="UTC")
        cron = await made(bot, text="stand up", cron="0 9 * * 1-5", tz="America/New_York")
    assert (once["kind"], once["next_due"]) == ("agent", "2026-03-05T06:00:00Z")
    assert rule["next_firings"][:2] == ["2026-03-06T17:00:00+00:00", "2026-03-13T17:00:00+00:00"]
    assert cron["next_firings"][0] == "2026-03-02T09:00:00-05:00"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"text": "hello there"}, "text"),
        ({"text": "remind me yesterday at 9 to eat"}, "text"),
        ({"text": "remind me on 30 February to eat"}, "text"),
        ({"text": "eat", "at": "2020-01-01T09:00"}, "at"),
        ({"text": "eat", "at": "soon"}, "at"),
        ({"text": "eat", "at": "2027-01-01T09:00", "cron": "0 9 * * *"}, "cron"),
        ({"text": "eat", "cron": "0 9 30 2 *"}, "cron"),
        ({"text": "eat", "cron": "0 25 * * *"}, "cron"),
        ({"text": "eat", "rrule": "FREQ=SECONDLY"}, "rrule"),
        ({"text": "eat", "rrule": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}, "rrule"),
        ({"text": "eat", "rrule": "FREQ=DAILY;UNTIL=20250101"}, "rrule"),
        ({"text": "eat", "rrule": "FREQ=YEARLY;BYMONTH=2;BYDAY=53MO"}, "rrule"),
        ({"text": "eat", "rrule": "FREQ=HOURLY;INTERVAL=2;BYHOUR=1"}, "rrule"),
        ({"text": "eat", "cron": "0 9 * * *", "start": "2027-01-01T09:00"}, "start"),
        ({"text": "eat", "at": "2027-01-01T09:00", "start": "2027-01-01T09:00"}, "start"),
        ({"text": "eat", "cron": "0 9 * * *", "tz": "Mars/Base"}, "tz"),
        ({"text": "eat", "cron": "0 9 * * *", "kind": "bomb"}, "kind"),
        ({"text": "", "cron": "0 9 * * *"}, "text"),
        ({"text": "/forget all", "cron": "0 9 * * *", "kind": "agent"}, "text"),
        ({"text": "eat", "cron": "0 9 * * *", "user_id": ""}, "user_id"),
        *(
            ({"text": "eat", "rrule": "FREQ=DAILY", "start": start, "tz": zone}, "start")
            for start, zone in [
                ("0001-01-01T00:00", "UTC"),
                ("0001-01-01T00:00", "Asia/Tokyo"),
                ("9999-12-31T23:00", "America/Los_Angeles"),
            ]
        ),
        ({"text": "eat", "rrule": "FREQ=DAILY", "start": "9999-12-30T23:00", "tz": "America/Lima"}, "rrule"),
        ({"text": "eat", "rrule": "FREQ=DAILY;UNTIL=00010101T000000Z"}, "rrule"),
    ],
)
async def test_what_cannot_be_a_job_is_refused_by_its_field(body: dict[str, Any], field: str) -> None:
    async with open_web(clock=ManualClock()) as bot:
        status, told = await call(bot, "POST", "/v1/jobs", {**WHO, **body})
    assert (status, told["error"]["code"], told["error"].get("field")) == (400, "bad_request", field), told


async def test_a_rule_that_ends_with_the_calendar_is_listed_in_every_zone() -> None:
    rules = ("FREQ=YEARLY;UNTIL=99991231T235959", "FREQ=HOURLY;INTERVAL=10000;UNTIL=99991231T235959")
    async with open_web(clock=ManualClock()) as bot:
        for rule in rules:
            await made(bot, text="eat", rrule=rule, tz="America/Los_Angeles")
            await made(bot, text="eat", rrule=rule, start="9985-01-01T09:00", tz="Pacific/Kiritimati")
        status, told = await call(bot, "GET", "/v1/jobs?limit=200")
    assert status == 200
    assert all(job["next_firings"] for job in told["jobs"])


@pytest.mark.parametrize(
    ("begin", "end", "status"),
    [
        ("9999-12-30T00:00:00Z", "9999-12-31T23:59:59Z", 200),
        ("0001-01-01T00:00:00Z", "0001-01-02T00:00:00Z", 200),
        ("0001-01-01T00:00:00+14:00", "0001-01-02T00:00:00Z", 400),
        ("9999-12-31T00:00:00Z", "9999-12-31T23:59:59-14:00", 400),
        ("2026-03-02T00:00:00Z", "2026-03-01T00:00:00Z", 400),
    ],
)
async def test_a_calendar_can_be_asked_for_at_the_ends_of_time(begin: str, end: str, status: int) -> None:
    async with open_web(clock=ManualClock()) as bot:
        got, told = await call(bot, "GET", "/v1/firings", **{"from": begin, "to": end})
    assert got == status, told


async def test_a_job_is_changed_paused_resumed_run_and_deleted() -> None:
    async with open_web(clock=ManualClock()) as bot:
        job = await made(bot, text="tea", cron="0 16 * * *", tz="UTC")
        path = f"/v1/jobs/{job['id']}"
        _, changed = await call(bot, "PATCH", path, {"text": "coffee", "cron": "0 10 * * *"})
        assert (changed["text"], changed["next_due"]) == ("coffee", "2026-03-03T10:00:00Z")
        _, moved = await call(bot, "PATCH", path, {"tz": "Asia/Tokyo"})
        assert moved["next_firings"][0] == "2026-03-03T10:00:00+09:00"
        _, paused = await call(bot, "PATCH", path, {"paused": True})
        assert (paused["state"], paused["next_firings"]) == ("paused", [])
        _, resumed = await call(bot, "POST", f"{path}/resume")
        assert resumed["state"] == "active"
        assert (await call(bot, "POST", f"{path}/pause"))[1]["state"] == "paused"
        assert (await call(bot, "POST", f"{path}/run"))[0] == 202
        _, shown = await call(bot, "GET", path)
        assert [firing["state"] for firing in shown["firings"]] == ["done"]
        _, said = await call(bot, "GET", "/v1/sessions/s1/messages")
        assert [message["text"] for message in said["messages"]] == ["⏰ 21:00 · coffee"]
        assert await call(bot, "DELETE", path) == (204, "")
        assert (await call(bot, "GET", path))[0] == 404
        assert (await call(bot, "DELETE", path))[0] == 404


async def test_each_field_that_a_job_is_made_from_can_be_changed() -> None:
    rule = "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"
    async with open_web(clock=ManualClock()) as bot:
        job = await made(bot, text="tea", cron="0 16 * * *", tz="UTC")
        path = f"/v1/jobs/{job['id']}"
        _, ruled = await call(bot, "PATCH", path, {"rrule": rule, "start": "2026-03-13T08:30"})
        _, later = await call(bot, "PATCH", path, {"start": "2026-03-20T08:30"})
        _, asked = await call(bot, "PATCH", path, {"kind": "agent", "lang": "zh", "state": "paused"})
        _, going = await call(bot, "PATCH", path, {"state": "active"})
        refused = [
            (await call(bot, "PATCH", path, body))[1]["error"]["field"]
            for body in (
                {"state": "completed"},
                {"start": "soon"},
                {"at": "2027-01-01", "start": "2027-01-01"},
            )
        ]
    assert ruled["next_firings"][0] == "2026-03-13T08:30:00+00:00"
    assert later["next_firings"][:2] == ["2026-03-20T08:30:00+00:00", "2026-04-03T08:30:00+00:00"]
    assert (asked["kind"], asked["lang"], asked["state"]) == ("agent", "zh", "paused")
    assert asked["when"] == "每 2 周，星期五，08:30"
    assert going["state"] == "active"
    assert refused == ["state", "start", "start"]


@pytest.mark.parametrize(
    ("given", "when", "firings"),
    [
        ({"rrule": "FREQ=DAILY;BYHOUR=9;BYMINUTE=0"}, "every day at 09:00", ["03T09:00:00", "04T09:00:00"]),
        ({"rrule": "FREQ=DAILY;COUNT=2"}, "every day at 12:00 (2 times)", ["03T12:00:00", "04T12:00:00"]),
        ({"rrule": "FREQ=MINUTELY;COUNT=1"}, "every minute (1 times)", ["02T12:01:00"]),
        ({"rrule": "FREQ=WEEKLY"}, "every week on Monday at 12:00", ["09T12:00:00", "16T12:00:00"]),
        ({"at": "2026-03-05"}, "Thursday, 5 March 2026, 09:00", ["05T09:00:00"]),
    ],
)
async def test_what_the_parts_leave_open_is_told_and_nobody_is_short_of_a_firing(
    given: dict[str, str], when: str, firings: list[str]
) -> None:
    async with open_web(clock=ManualClock(START + timedelta(seconds=43))) as bot:
        job = await made(bot, text="tea", tz="UTC", **given)
        _, moved = await call(bot, "PATCH", f"/v1/jobs/{job['id']}", {"tz": "Etc/UTC"})
    for told in (job, moved):
        assert told["when"] == when
        assert [at[8:19] for at in told["next_firings"]][:2] == firings


async def test_jobs_are_listed_by_their_due_time_for_whom_they_are() -> None:
    async with open_web(clock=ManualClock()) as bot:
        ids = [(await made(bot, text="x", cron=f"0 {hour} * * *", tz="UTC"))["id"] for hour in (15, 13, 14)]
        bens = await made(bot, text="his", cron="0 20 * * *", user_id="ben", session_id="s2")
        _, first = await call(bot, "GET", "/v1/jobs", limit="2", user_id="ann")
        _, rest = await call(bot, "GET", "/v1/jobs", limit="2", user_id="ann", after=first["next"])
        _, everybody = await call(bot, "GET", "/v1/jobs")
        _, his = await call(bot, "GET", "/v1/jobs", session_id="s2")
        _, ended = await call(bot, "GET", "/v1/jobs", state="completed,missed")
    assert [job["id"] for job in (*first["jobs"], *rest["jobs"])] == [ids[1], ids[2], ids[0]]
    assert "next" not in rest
    assert len(everybody["jobs"]) == 4
    assert [job["id"] for job in his["jobs"]] == [bens["id"]]
    assert ended["jobs"] == []


@pytest.mark.parametrize("verb", ["GET", "PATCH", "DELETE", "pause", "resume", "run"])
async def test_somebody_elses_job_is_not_there(verb: str) -> None:
    async with open_web(clock=ManualClock()) as bot:
        job = await made(bot, text="tea", cron="0 16 * * *")
        path = f"/v1/jobs/{job['id']}" + ("" if verb.isupper() else f"/{verb}")
        method = verb if verb.isupper() else "POST"
        status, told = await call(bot, method, path, {} if method == "PATCH" else None, user_id="ben")
    assert (status, told) == (404, {"error": {"code": "not_found", "message": "no such task"}})


async def test_one_has_no_more_open_jobs_than_the_operator_allows() -> None:
    async with open_web(clock=ManualClock()) as bot:
        for _ in range(64):
            await made(bot, text="tea", cron="0 16 * * *")
        status, told = await call(bot, "POST", "/v1/jobs", {**WHO, "text": "tea", "cron": "0 16 * * *"})
    assert (status, told["error"]["code"]) == (409, "conflict")


async def test_the_calendar_is_read_at_a_secret_address_and_nowhere_else() -> None:
    async with open_web(clock=ManualClock(), api_tokens=["secret-of-the-interface"]) as bot:
        token = {"Authorization": "Bearer secret-of-the-interface"}
        wish = {**WHO, "text": "tea", "cron": "0 16 * * *"}
        async with bot.client.post("/v1/jobs", json=wish, headers=token) as answer:
            assert answer.status == 201
        async with bot.client.post("/v1/calendar", json={"user_id": "ann"}, headers=token) as answer:
            path = (await answer.json())["path"]
        async with bot.client.get(path, headers={"Host": "cal.example.org"}) as answer:
            assert (answer.status, answer.content_type) == (200, "text/calendar")
            assert "SUMMARY:tea" in await answer.text()
        assert (await call(bot, "GET", "/v1/calendar"))[0] == 401
        assert (await call(bot, "POST", path))[0] == 401
        assert (await call(bot, "GET", f"/v1/calendar/{'x' * 43}.ics"))[0] == 404
        async with bot.client.post("/v1/calendar", json={"user_id": "ann"}, headers=token) as answer:
            assert answer.status == 201
        assert (await call(bot, "GET", path))[0] == 404
        async with bot.client.delete("/v1/calendar?user_id=ann", headers=token) as answer:
            assert answer.status == 204


async def test_hostile_bodies_are_refused_and_nothing_breaks() -> None:
    names = (
        *("text", "task", "kind", "at", "rrule", "cron", "tz", "lang", "start", "session_id", "user_id"),
        *("state", "paused"),
    )
    async with open_web(clock=ManualClock()) as bot:
        job = await made(bot, text="tea", cron="0 16 * * *")
        good = {**WHO, "text": "tea", "cron": "0 16 * * *"}
        evil = [
            *(value for value in VALUES if not isinstance(value, float) or isfinite(value)),
            *hostile_texts(),
        ]
        for place, name in enumerate(names):  # each value in some of the fields, each field with many
            for value in evil[place % 4 :: 4]:
                method, path = (("POST", "/v1/jobs"), ("PATCH", f"/v1/jobs/{job['id']}"))[place % 2]
                status, told = await call(bot, method, path, {**good, name: value})
                assert status in {200, 201, 400, 409}, (name, value, told)


async def test_the_numbers_of_jobs_are_in_the_metrics_and_the_diagnostics() -> None:
    async with open_web(clock=ManualClock()) as bot:
        job = await made(bot, text="tea", cron="0 16 * * *")
        await call(bot, "POST", f"/v1/jobs/{job['id']}/run")
        _, text = await call(bot, "GET", "/metrics")
        assert 'xiaomaolv_jobs{state="active"} 1.0' in text
        counts = await bot.core.jobs.counts()
    assert counts == {
        "jobs_total": 1,
        "jobs_active": 1,
        "jobs_due": 0,
        "scheduler_runs_ok_total": 1,
        "scheduler_runs_err_total": 0,
    }


async def test_the_last_minute_of_the_calendar_is_a_time_like_another() -> None:
    async with open_web(clock=ManualClock()) as bot:
        job = await made(bot, text="remind me 9999-12-31T23:59:59 to close the books", tz="UTC")
    assert job["at"] == "9999-12-31T23:59:59+00:00"


async def test_a_job_is_snoozed_and_shown_on_a_calendar() -> None:
    async with open_web(clock=ManualClock()) as bot:
        job = await made(bot, text="remind me every day at 9am to drink", tz="UTC")
        status, told = await call(bot, "POST", f"/v1/jobs/{job['id']}/snooze", {"for": "10m"})
        assert (status, told["snoozed_until"]) == (200, "2026-03-02T12:10:00Z")
        week = {"from": "2026-03-01T00:00:00Z", "to": "2026-03-05T00:00:00Z"}
        status, told = await call(bot, "GET", "/v1/firings", **week)
        assert [one["at"] for one in told["firings"]] == [
            "2026-03-02T12:10:00Z", "2026-03-03T09:00:00Z", "2026-03-04T09:00:00Z",
        ]  # fmt: skip
        times: tuple[Any, ...] = ("1y", ["10m"], {})
        for wrong_time in times:
            path = f"/v1/jobs/{job['id']}/snooze"
            assert (await call(bot, "POST", path, {"for": wrong_time}))[0] == 400
        for wrong in ({}, {"from": "x", "to": "y"}, {**week, "to": "2027-03-05T00:00:00Z"}):
            assert (await call(bot, "GET", "/v1/firings", **wrong))[0] == 400
