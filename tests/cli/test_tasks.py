"""`xiaomaolv tasks`: jobs from the command line."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from bot import cli
from bot.clock import SystemClock
from bot.domain.conversation import Conversation, SpeakerId
from bot.schedule import jobs, plan
from bot.schedule.jobs import Job, JobDraft
from bot.store.open import open_store


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.delenv("XIAOMAOLV_CONFIG", raising=False)
    path = tmp_path / "config.toml"
    path.write_text(f'[storage]\nurl = "sqlite:///{tmp_path}/bot.db"\n', encoding="utf-8")
    return str(path)


def make(config: str, text: str) -> Job:
    """A job that fires every day."""

    async def create() -> Job:
        clock = SystemClock()
        store = await open_store(f"sqlite:///{Path(config).parent}/bot.db", clock)
        try:
            when = (
                plan.once(clock.now() + timedelta(days=1), "UTC")
                if text == "once"
                else plan.by_cron("30 9 * * *", "Europe/Berlin")
            )
            owner = SpeakerId("telegram:42")
            draft = JobDraft(Conversation("telegram", "42"), owner, "reminder", text, when, "en")
            return await store.write(jobs.create, draft, clock.now(), most=64)
        finally:
            await store.close()

    return asyncio.run(create())


def test_tasks_are_listed_paused_resumed_run_and_deleted(
    config: str, capsys: pytest.CaptureFixture[str]
) -> None:
    job = make(config, "drink water")

    def told(*words: str) -> str:
        assert cli.main(["tasks", *words, "--config", config]) == 0
        return capsys.readouterr().out

    assert f"{job.id}  " in told("list")
    assert "09:30" in told("list", "--owner", "telegram:42")
    assert told("list", "--owner", "telegram:43") == "There are no tasks.\n"
    shown = told("show", job.id)
    assert "by the cron expression 30 9 * * * (Europe/Berlin), reminder of telegram:42" in shown
    assert shown.count("next:") == 3
    assert told("pause", job.id) == f"{job.id}  paused  drink water\n"
    assert "09:30" in told("resume", job.id)
    assert told("run", job.id) == f"{job.id} fires now.\n"
    assert "  done: " in told("show", job.id)
    assert told("delete", job.id) == f"{job.id} is deleted.\n"
    assert told("list", "--all") == "There are no tasks.\n"


def test_a_task_that_is_not_there_is_one_line(config: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["tasks", "show", "task-none", "--config", config]) == 1
    assert capsys.readouterr().err == "xiaomaolv: no such task\n"
