"""`xiaomaolv chat`, as a process of its own with a person at its standard input."""

import asyncio
import os
import pty
import signal
import sys
from pathlib import Path

import pytest

from tests.fakes.upstream import Answer, Upstream

pytestmark = pytest.mark.timeout(90)


class Screen:
    """What a program writes to its terminal."""

    def __init__(self, leader: int) -> None:
        self._leader = leader
        self.text = ""
        self._more = asyncio.Event()
        asyncio.get_running_loop().add_reader(leader, self._read)

    async def until(self, words: str, *, last: bool = False) -> None:
        """Wait until the words are there, or are the last ones."""
        async with asyncio.timeout(60):
            while not (self.text.endswith(words) if last else words in self.text):
                self._more.clear()
                await self._more.wait()

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._leader)
        os.close(self._leader)

    def _read(self) -> None:
        try:
            self.text += os.read(self._leader, 4096).decode(errors="replace")
        except OSError:  # the program has ended
            asyncio.get_running_loop().remove_reader(self._leader)
        self._more.set()


def configured(folder: Path, upstream: Upstream) -> Path:
    """A configuration file that leads to the fake provider."""
    config = folder / "config.toml"
    config.write_text(
        f"""
[app]
default_provider = "fake"
[providers.fake]
base_url = "{upstream.base_url}"
model = "fake-model"
[storage]
url = "sqlite:///{folder}/bot.db"
[memory]
embedder = "none"
""",
        encoding="utf-8",
    )
    return config


async def chat(folder: Path, upstream: Upstream, typed: str) -> str:
    """What the terminal shows for what is typed until end of file."""
    config = configured(folder, upstream)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "chat", "--config", str(config), "--user", "Ann"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    out, err = await process.communicate(typed.encode())
    assert process.returncode == 0, err.decode()
    return out.decode()


async def test_answers_stream_into_the_terminal_and_the_talk_is_kept(tmp_path: Path) -> None:
    async with Upstream() as upstream:
        upstream.script(Answer.text("Hello Ann."), Answer.text("You said hello."))
        shown = await chat(tmp_path, upstream, "hello\n\nwhat did I say?\n/quit\n")
        assert shown == "Hello Ann.\nYou said hello.\n"
        roles = [message["role"] for message in upstream.requests[1].body["messages"]]
        assert roles == ["system", "user", "assistant", "user"]


async def test_a_new_process_goes_on_with_the_conversation(tmp_path: Path) -> None:
    async with Upstream() as upstream:
        upstream.script(Answer.text("one"), Answer.text("two"))
        await chat(tmp_path, upstream, "first\n")
        await chat(tmp_path, upstream, "second\n")
        said = [message["content"] for message in upstream.requests[1].body["messages"][1:]]
        assert said == ["first", "one", "second"]


async def test_what_would_steer_the_terminal_is_not_shown(tmp_path: Path) -> None:
    async with Upstream() as upstream:
        upstream.script(Answer.text("red \x1b[31mtext\x07 and \u202eback"))
        assert await chat(tmp_path, upstream, "colour?\n") == "red [31mtext and back\n"


async def test_words_that_turned_out_to_be_thoughts_do_not_run_into_the_answer(tmp_path: Path) -> None:
    async with Upstream() as upstream:
        upstream.script(
            Answer.deltas({"content": "hmm, let me see"}, {"content": "</think>42"}, gap_ms=300),
        )
        assert (await chat(tmp_path, upstream, "6 times 7?\n")).splitlines()[-1] == "42"


async def test_a_model_that_fails_is_told_in_one_line(tmp_path: Path) -> None:
    async with Upstream() as upstream:
        upstream.script(Answer.error(401))
        shown = await chat(tmp_path, upstream, "hello\n")
        words = "its provider refuses the key or the account. The operator can mend that in the settings."
        assert shown == f"I can't reach my model: {words}\n"


async def test_ctrl_c_ends_the_answer_and_at_the_prompt_the_program(tmp_path: Path) -> None:
    async with Upstream() as upstream:
        upstream.script(Answer.text("This goes on and on").but(hang=True))
        leader, follower = pty.openpty()
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-X", "faulthandler", "-m", "bot", "chat"),
            *("--config", str(configured(tmp_path, upstream))),
            stdin=follower,
            stdout=follower,
            stderr=follower,
            start_new_session=True,
        )
        os.close(follower)
        os.write(leader, b"hello\n")
        screen = Screen(leader)
        await screen.until("on and on")
        process.send_signal(signal.SIGINT)
        await screen.until("(stopped)")
        await screen.until("> ", last=True)
        process.send_signal(signal.SIGINT)
        try:
            assert await asyncio.wait_for(process.wait(), 60) != 0
        except TimeoutError:
            process.send_signal(signal.SIGABRT)  # each of its threads says where it is
            await process.wait()
            raise AssertionError(screen.text) from None
        screen.close()


async def test_commands_work_as_everywhere(tmp_path: Path) -> None:
    async with Upstream() as upstream:
        shown = await chat(tmp_path, upstream, "/whoami\n/new\n")
        assert shown.startswith("You are Ann, id Ann (owner).")
        assert upstream.requests == []
