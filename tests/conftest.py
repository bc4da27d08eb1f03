"""What all tests share, and nothing else."""

import os
import sys
from collections.abc import Generator, Iterator
from typing import Any

import coverage
import pytest
import structlog
from hypothesis import settings

# Tests start the program some hundred times. Where nothing compiled may be kept, as in most images of
# containers, each start would compile everything anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# The same examples in every run: a change is judged by what it changed, not by luck. To search for more:
# pytest --hypothesis-profile=search
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=5_000)
settings.load_profile("steady")

# Tests that make things fail on purpose log many tracebacks; the pretty ones cost a tenth of a second each.
structlog.configure(
    processors=[
        structlog.processors.add_log_level,
        structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
    ]
)


@pytest.fixture(scope="session", autouse=True)
def _programs_uncounted() -> None:
    """Coverage is counted in the processes that run tests, not in the programs that those start: most of
    these are killed before they could write down their count, and counting doubles the time of a start."""
    for name in ("COVERAGE_PROCESS_CONFIG", "COVERAGE_PROCESS_START"):
        os.environ.pop(name, None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Coverage is not counted in tests that are marked as slow: they go many times over what others have
    counted, and counting doubles their time."""
    counting = coverage.Coverage.current() if item.get_closest_marker("slow") else None
    if counting is None:
        return (yield)
    counting.stop()
    try:
        return (yield)
    finally:
        counting.start()


@pytest.fixture(autouse=True)
def _logging_as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a command sets up for its own process must not stay: a logger that is kept after its first
    use would hide from every later test what it says."""
    configure = structlog.configure
    before = structlog.get_config()

    def uncached(**changes: Any) -> None:
        configure(**{**changes, "cache_logger_on_first_use": False})

    monkeypatch.setattr(structlog, "configure", uncached)
    yield
    configure(**before)
