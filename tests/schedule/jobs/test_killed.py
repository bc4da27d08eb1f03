"""Processes that fire jobs are killed at random; each job fires once all the same."""

from pathlib import Path

import pytest

from bench.firings import campaign
from tests.contracts.stores import new_file

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]


@pytest.mark.pain("35")
async def test_each_job_fires_once_although_processes_are_killed(tmp_path: Path) -> None:
    found = await campaign(new_file(tmp_path), tmp_path, count=80, processes=2, kills=5)
    assert (found.fired, found.done, found.runs, len(found.texts)) == (80, 80, 80, 80)
    assert found.kills > 0
