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
    """Talk until end of file, /quit or Ctrl-C at the prompt. Ctrl-C during an answer stops that answer."""
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
            await _show(service, received.run_id)


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


async def _show(service: Service, run_id: RunId) -> None:
    """Write an answer as it comes; Ctrl-C ends it with what there is."""
    shown = 0
    with _interrupts(lambda: service.stop_turn(run_id)):
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


@contextmanager
def _interrupts(do: Callable[[], object]) -> Iterator[None]:
    """Let Ctrl-C do this for a while, instead of ending the program."""
    loop = asyncio.get_running_loop()
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, lambda *_: loop.call_soon_threadsafe(do))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _write(text: str) -> None:
    """Show text as it is; what would steer the terminal is left out."""
    visible = "".join(char for char in text if char in "\n\t" or char.isprintable())
    sys.stdout.write(visible)
    sys.stdout.flush()
