"""The terminal channel: `xiaomaolv chat`."""

import asyncio
import contextlib
import secrets
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager

from bot.domain.conversation import Conversation, Inbound, Speaker
from bot.domain.message import Text
from bot.domain.ports import Clock
from bot.domain.run import RunId
from bot.service import Service
from bot.text.clean import clean
from bot.turn.streams import Closed, Delta, Started

with contextlib.suppress(ImportError):
    import readline  # noqa: F401 - importing it gives input() line editing and history


async def chat(service: Service, clock: Clock, session: str, user: str) -> None:
    """Talk until end of file, /quit or Ctrl-C at the prompt. Ctrl-C during an answer stops that answer.

    Raises KeyboardInterrupt for the Ctrl-C at the prompt.
    """
    interrupts = _Interrupts()
    task = asyncio.current_task()
    assert task is not None
    try:
        with interrupts.heard(task.cancel):
            await _talk(service, clock, (session, user), interrupts)
    except asyncio.CancelledError:
        if not interrupts.ended:
            raise
        task.uncancel()  # what closes the program may wait
        raise KeyboardInterrupt from None


async def _talk(service: Service, clock: Clock, who: tuple[str, str], interrupts: "_Interrupts") -> None:
    session, user = who
    conversation = Conversation(channel="terminal", chat_id=session)
    speaker = Speaker(channel="terminal", user_id=user, name=user)
    while True:
        text = await _ask(f"{user}> " if sys.stdin.isatty() else "")
        if text is None or text.strip() == "/quit":
            return
        if not text.strip():
            continue
        inbound = Inbound(
            external_id=secrets.token_hex(12),
            conversation=conversation,
            speaker=speaker,
            at=clock.now(),
            parts=(Text(clean(text)),),
        )
        received = await service.receive(inbound)
        if received.run_id is not None:
            await _show(service, received.run_id, interrupts)


async def _ask(prompt: str) -> str | None:
    """One line from the person; None at the end.

    The thread that waits for it is nobody's: Ctrl-C must not wait for a line that never comes.
    """
    loop = asyncio.get_running_loop()
    line: asyncio.Future[str | None] = loop.create_future()

    def settle(found: str | None) -> None:
        if not line.done():
            line.set_result(found)

    def read() -> None:
        try:
            found: str | None = input(prompt)
        except (EOFError, OSError, ValueError):  # the end of the input, or of the terminal
            found = None
        loop.call_soon_threadsafe(settle, found)

    threading.Thread(target=read, name="terminal-input", daemon=True).start()
    return await line


async def _show(service: Service, run_id: RunId, interrupts: "_Interrupts") -> None:
    """Write an answer as it comes; Ctrl-C ends it with what there is."""
    shown = 0
    with interrupts.doing(lambda: service.stop_turn(run_id)):
        async with aclosing(service.watch(run_id)) as events:
            async for event in events:
                match event:
                    case Started(restarted=True):  # other words than those that stand there
                        _write("\n")
                        shown = 0
                    case Delta(text):
                        _write(text)
                        shown += len(text)
                    case Closed(reply) if reply.status == "failed":
                        _write(("\n" if shown else "") + reply.text + "\n")
                    case Closed(reply):
                        _write(reply.text[shown:] + "\n")


class _Interrupts:
    """What Ctrl-C does: it ends the talk, or for a while something less."""

    def __init__(self) -> None:
        self.ended = False
        self._do: Callable[[], object] | None = None

    @contextmanager
    def heard(self, end: Callable[[], object]) -> Iterator[None]:
        """Listen for Ctrl-C, which calls `end` where nothing else is to be done; a second one raises at once.

        The loop listens, and not a handler of Python's alone: that one would wait, for as long as nothing
        else wakes the loop, where the signal comes in the moment before the loop begins to wait.
        """
        loop = asyncio.get_running_loop()
        before = signal.getsignal(signal.SIGINT)

        def pressed() -> None:
            if self._do is not None:
                self._do()
                return
            self.ended = True
            signal.signal(signal.SIGINT, signal.default_int_handler)
            end()

        try:
            loop.add_signal_handler(signal.SIGINT, pressed)
        except NotImplementedError:  # Windows has no signal handlers in the loop
            signal.signal(signal.SIGINT, lambda *_: loop.call_soon_threadsafe(pressed))
        try:
            yield
        finally:
            with contextlib.suppress(NotImplementedError):
                loop.remove_signal_handler(signal.SIGINT)
            signal.signal(signal.SIGINT, before)

    @contextmanager
    def doing(self, do: Callable[[], object]) -> Iterator[None]:
        """Let Ctrl-C do this for a while, instead of ending the talk."""
        self._do = do
        try:
            yield
        finally:
            self._do = None


def _write(text: str) -> None:
    """Show text as it is; what would steer the terminal is left out."""
    visible = "".join(char for char in text if char in "\n\t" or char.isprintable())
    sys.stdout.write(visible)
    sys.stdout.flush()
