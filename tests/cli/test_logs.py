import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog
from typing_extensions import override

from bot.cli.logs import configure
from bot.config.settings import Settings

SECRET = "123456:hunter2"


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    structlog.reset_defaults()
    root.handlers, root.level = handlers, level
    for name in ("httpx", "telegram"):
        logging.getLogger(name).setLevel(logging.NOTSET)


def settings(**logs: str) -> Settings:
    return Settings.model_validate({"logging": logs, "channels": {"telegram": {"bot_token": SECRET}}})


def test_a_line_is_one_json_object_where_nobody_watches() -> None:
    stream = io.StringIO()
    configure(settings(), stream)
    structlog.get_logger("x").info("turn.finished", run_id="r1", name="小毛驴")
    line = json.loads(stream.getvalue())
    assert (line["event"], line["run_id"], line["level"], line["name"]) == (
        "turn.finished",
        "r1",
        "info",
        "小毛驴",
    )
    assert line["timestamp"].endswith("Z")


def test_a_console_line_is_for_people() -> None:
    stream = io.StringIO()
    configure(settings(format="console"), stream)
    structlog.get_logger("x").warning("disk.filled", free_mb=3)
    assert "disk.filled" in stream.getvalue()
    assert "free_mb=3" in stream.getvalue()


class Terminal(io.StringIO):
    @override
    def isatty(self) -> bool:
        return True


def test_who_wants_no_colours_gets_none_on_a_terminal_either() -> None:
    for plain in (False, True):
        terminal = Terminal()
        configure(settings(), terminal, plain=plain)
        structlog.get_logger(f"x{plain}").warning("disk.filled")
        assert ("\x1b[" in terminal.getvalue()) is not plain


def test_lines_below_the_level_are_not_written() -> None:
    stream = io.StringIO()
    configure(settings(level="debug"), stream, at_least="warning")
    structlog.get_logger("x").info("turn.finished")
    logging.getLogger("library").info("hello")
    assert stream.getvalue() == ""


@pytest.mark.pain("62")
@pytest.mark.pain("P134")
def test_no_secret_reaches_the_log_by_value_error_or_library() -> None:
    stream = io.StringIO()
    configure(settings(level="debug"), stream)
    log = structlog.get_logger("x")
    log.info("call.made", url=f"https://api.telegram.org/bot{SECRET}/getMe", error=ValueError(SECRET))
    log.info("database.opened", url="postgresql://u:hunter2@db/x")
    try:
        raise ValueError(SECRET)
    except ValueError:
        log.exception("call.failed")
    logging.getLogger("httpx").info("HTTP Request: POST https://x/bot%s/getMe", SECRET)
    logging.getLogger("httpx").warning("retry https://x/bot%s/getMe", SECRET)
    logging.getLogger("library").info("as the library says: %s", SECRET)
    assert "hunter2" not in stream.getvalue()
    assert len(stream.getvalue().splitlines()) == 5
