from collections.abc import Iterator

import pytest

from tests.crash.launcher import Launcher


@pytest.fixture(scope="session")
def launcher() -> Iterator[Launcher]:
    """The fork server; its start is paid once."""
    with Launcher() as started:
        yield started
