"""One server, kept open by a task of its own: back-off, health, and calls that never outlive it."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, TypeVar

import structlog

from bot.domain.ports import Clock
from bot.tools.mcp.pins import Status
from bot.tools.mcp.remote import (
    About,
    Hooks,
    Login,
    Lost,
    Outcome,
    Progress,
    Refused,
    RemotePrompt,
    RemoteResource,
    RemoteTool,
    Session,
    Traffic,
)
from bot.tools.mcp.spec import ServerSpec

log = structlog.get_logger(__name__)

T = TypeVar("T")

State = Literal["off", "starting", "ready", "waiting"]
"""`off`: not enabled, or stopped. `waiting`: it failed, and is tried again later."""

START_S = 60.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 300.0
# One that stayed up so long did not fail at start: the pauses begin anew.
STABLE_S = 60.0
PING_EVERY_S, PING_S = 30.0, 5.0
PING_BESIDE_S = 5.0  # while calls are under way
# Between two listings that the server asks for; twice as long each time while it goes on asking.
LIST_PAUSE_S, LONGEST_LIST_PAUSE_S = 1.0, 60.0
SUSPECT_PING_S = 1.5
# A call that shows progress may go on for so many times the limit of silence.
LONGEST_CALL = 6
REOPEN_S = 5.0
# When a connection is known to be gone, the calls under way may know more: a server that answers one call
# with "no such session" has answered, or will, the others alike, and has done none of them.
LAST_WORD_S = 0.5
STDERR_LINES = 200
_REASON_CHARS = 500


@dataclass(frozen=True, slots=True)
class Offered:
    """A tool as it was listed, and whether it may be used."""

    tool: RemoteTool
    status: Status


Opener = Callable[[ServerSpec, Hooks], AbstractAsyncContextManager[Session]]
Judge = Callable[[ServerSpec, list[RemoteTool]], Awaitable[list[Offered]]]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What every server needs. `opener` brings the SDK in, and may take a moment the first time.

    `judge` decides which of the listed tools may be used; `told` hears of each change of state.
    """

    clock: Clock
    tokens: Path
    opener: Callable[[], Awaitable[Opener]]
    judge: Judge
    told: Callable[["Server"], Awaitable[None]]
    login: Login | None = None


@dataclass(slots=True)
class Listing:
    """What a server offers at the moment."""

    tools: tuple[Offered, ...] = ()
    resources: tuple[RemoteResource, ...] = ()
    prompts: tuple[RemotePrompt, ...] = ()


@dataclass(slots=True)
class Health:
    """How a server is. `error` says why it is not ready; `skipped` and `dropped` what was odd of it."""

    state: State = "starting"
    error: str = ""
    since: datetime | None = None
    failures: int = 0
    connects: int = 0
    about: About = field(default_factory=About)
    traffic: Traffic = field(default_factory=Traffic)
    connect_ms: float = 0.0


class Server:
    """A server by its spec. `run` belongs to one task; everything else may be called from any."""

    def __init__(self, spec: ServerSpec, around: Surroundings) -> None:
        self.spec = spec
        self.health = Health(state="starting" if spec.enabled else "off")
        self.listing = Listing()
        self.stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self._around = around
        self._session: Session | None = None
        self._stale = asyncio.Event()
        self._ready = asyncio.Event()
        self._settled = asyncio.Event()
        self._running: dict[object, tuple[str, float]] = {}  # calls: of what, and since when
        self._asked_now: set[asyncio.Future[Outcome]] = set()
        self._talks_beside: set[str] = set()  # calls beside which it has answered pings
        self._judged: list[RemoteTool] | None = None  # as they were listed
        self._errors_of_start: list[str] = []

    async def run(self) -> None:
        """Keep it open for ever; cancel to close it. Nothing that a server does ends this."""
        if not self.spec.enabled:
            await self._tell("off", "")
            return
        try:
            while True:
                began = self._around.clock.now()
                reason = await self._open_once()
                lasted = (self._around.clock.now() - began).total_seconds()
                stable = self._ready_once and lasted >= STABLE_S
                self.health.failures = 1 if stable else self.health.failures + 1
                pause = min(FIRST_PAUSE_S * 2 ** (self.health.failures - 1), LONGEST_PAUSE_S)
                await self._tell("waiting", reason)
                log.warning("mcp.server_lost", server=self.spec.name, pause_s=pause)
                await self._around.clock.sleep(pause)
        finally:
            self.health.state = "off"
            self._ready.clear()

    async def settled(self) -> None:
        """Wait until it was opened, or could not be, for the first time."""
        await self._settled.wait()

    async def ready(self, limit_s: float) -> bool:
        """Wait until it can be called, so long at most; whether it can."""
        try:
            async with asyncio.timeout(limit_s):
                await self._ready.wait()
        except TimeoutError:
            return False
        return True

    async def call(
        self, name: str, arguments: Mapping[str, Any], progress: Progress | None = None
    ) -> Outcome:
        """Call a tool. Whatever goes wrong is an outcome; only the caller's own cancellation is raised."""
        return await self._asked(lambda session, alive: session.call(name, arguments, alive), name, progress)

    async def read(self, uri: str) -> Outcome:
        """Read a resource."""
        return await self._asked(lambda session, _: session.read(uri), f"resource {uri}")

    async def prompt(self, name: str, arguments: Mapping[str, str]) -> Outcome:
        """Get a prepared text."""
        return await self._asked(lambda session, _: session.prompt(name, arguments), f"prompt {name}")

    async def rejudge(self) -> None:
        """Look again at which of its tools may be used, without asking it."""
        if self.health.state == "ready":
            tools = [offered.tool for offered in self.listing.tools]
            self.listing.tools = tuple(await self._around.judge(self.spec, tools))
            await self._tell("ready", "")

    # --- the connection, in its own task ---

    @property
    def _ready_once(self) -> bool:
        return self.health.since is not None

    async def _open_once(self) -> str:
        """Open, list, and stay until it is lost; why it was. It never raises but for cancellation."""
        self.health.since = None
        self._errors_of_start.clear()
        self._talks_beside.clear()
        self._judged = None
        try:
            opener = await self._around.opener()
            async with AsyncExitStack() as stack:
                began = asyncio.get_running_loop().time()
                async with asyncio.timeout(max(START_S, self.spec.timeout_s)):
                    session = await stack.enter_async_context(opener(self.spec, self._hooks()))
                    self.health.traffic, self.health.about = session.traffic, session.about
                    self.health.connect_ms = (asyncio.get_running_loop().time() - began) * 1000
                    await self._list(session)
                stack.callback(self._close)
                self._session = session
                self.health.connects += 1
                self.health.since = self._around.clock.now()
                await self._tell("ready", "")
                self._ready.set()
                reason = self._why(await self._stay(session))
                # Said before it is closed: a program that hangs takes seconds to be ended.
                self._close()
                await self._tell("waiting", reason)
                if self._asked_now:
                    await asyncio.wait(self._asked_now, timeout=LAST_WORD_S)
                return reason
        except TimeoutError:
            return self._why("it did not answer in time")
        except (Lost, Refused) as error:
            return self._why(str(error))
        except Exception:
            log.exception("mcp.server_failed", server=self.spec.name)
            return self._why("something went wrong; it is in the log")

    def _close(self) -> None:
        self._session = None
        self._ready.clear()

    async def _stay(self, session: Session) -> str:
        loop = asyncio.get_running_loop()
        lost = loop.create_task(session.lost())
        pace, pinged_at = _Pace(), loop.time()
        try:
            while True:
                await self._rest(lost, pace.wait_s(loop.time()))
                if lost.done():
                    return lost.result()
                if self._stale.is_set() and not pace.wait_s(loop.time()):
                    self._stale.clear()
                    await self._list_again(session)
                    pace.listed(loop.time())
                every = PING_BESIDE_S if self._running else PING_EVERY_S
                if loop.time() - pinged_at >= every:
                    pinged_at = loop.time()
                    if not await self._is_well(session, lost):
                        self._give_up(session)
                        return "it does not answer"
        finally:
            lost.cancel()

    async def _rest(self, lost: "asyncio.Task[str]", list_in_s: float) -> None:
        """Until something is to be done: it is lost, its list is to be asked for, or it is to be pinged."""
        waiting: set[asyncio.Future[Any]] = {lost}
        limit = PING_BESIDE_S
        if self._stale.is_set():
            limit = min(limit, list_in_s)
        else:
            waiting.add(asyncio.ensure_future(self._stale.wait()))
        try:
            await asyncio.wait(waiting, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in waiting - {lost}:
                one.cancel()

    async def _is_well(self, session: Session, lost: "asyncio.Task[str]") -> bool:
        """Whether it is not known to hang.

        Many servers do one thing at a time, and answer no ping while they work. So beside calls silence
        tells something only where it has answered beside such calls before.
        """
        loop = asyncio.get_running_loop()
        before = dict(self._running)
        old = {one for one, (_, began) in before.items() if loop.time() - began >= PING_BESIDE_S}
        ping = loop.create_task(_answers(session, PING_S))
        try:
            await asyncio.wait({lost, ping}, return_when=asyncio.FIRST_COMPLETED)
            if lost.done():
                return True  # it is gone, which is another matter
            if ping.result():
                self._talks_beside |= {before[one][0] for one in old if one in self._running}
                return True
        finally:
            ping.cancel()
        under_way = {what for what, _ in (*before.values(), *self._running.values())}
        return not under_way <= self._talks_beside

    async def _list(self, session: Session) -> None:
        tools = list(await session.tools())
        offered: tuple[Offered, ...] = self.listing.tools
        if tools != self._judged:
            offered = tuple(await self._around.judge(self.spec, tools))
            self._judged = tools
        # What is beside the tools must not keep them away.
        resources = await _or_none(session.resources())
        prompts = await _or_none(session.prompts())
        self.listing = Listing(offered, tuple(resources), tuple(prompts))

    async def _list_again(self, session: Session) -> None:
        try:
            async with asyncio.timeout(self.spec.timeout_s):
                await self._list(session)
        except (Refused, TimeoutError) as error:
            log.warning("mcp.list_failed", server=self.spec.name, reason=type(error).__name__)
            return
        await self._tell("ready", "")

    def _hooks(self) -> Hooks:
        return Hooks(self._heard, lambda _: self._stale.set(), self._around.tokens, self._around.login)

    def _heard(self, line: str) -> None:
        line = self.spec.masked(line)
        self.stderr.append(line)
        if line.strip() and len(self._errors_of_start) < 1:
            self._errors_of_start.append(line)

    def _why(self, reason: str) -> str:
        """The reason with the first thing the program said on stderr in this life, where that may tell."""
        said = f" ({self._errors_of_start[0].strip()})" if self._errors_of_start else ""
        return self.spec.masked(f"{reason}{said}")[:_REASON_CHARS]

    async def _tell(self, state: State, error: str) -> None:
        self.health.state, self.health.error = state, error
        await self._around.told(self)
        self._settled.set()

    # --- calls, in the tasks of their callers ---

    async def _asked(
        self,
        ask: Callable[[Session, Progress], Awaitable[Outcome]],
        what: str,
        progress: Progress | None = None,
    ) -> Outcome:
        running = object()
        self._running[running] = what, asyncio.get_running_loop().time()
        try:
            try:
                return await self._once(ask, progress)
            except Lost as error:
                if not error.unsent or not await self.ready(REOPEN_S):
                    raise
                return await self._once(ask, progress)  # nothing was done the first time
        except Lost as error:
            return self._failed(f"the connection broke, and it is not known whether it was done: {error}")
        except Refused as error:
            return self._failed(str(error))
        except TimeoutError:
            return self._failed(f"no answer within {self.spec.timeout_s:g} s")
        finally:
            del self._running[running]

    async def _once(
        self, ask: Callable[[Session, Progress], Awaitable[Outcome]], progress: Progress | None
    ) -> Outcome:
        session = self._session
        if session is None:
            return self._failed(f"it is not there: {self.health.error or 'it is still starting'}")
        alive = asyncio.Event()

        def moved(done: float, total: float | None, message: str) -> None:
            alive.set()
            if progress is not None:
                progress(done, total, message)

        loop = asyncio.get_running_loop()
        asked = asyncio.ensure_future(ask(session, moved))
        self._asked_now.add(asked)
        lost = loop.create_task(session.lost())
        try:
            await self._wait(asked, lost, alive)
            if lost.done():  # the call knows best whether it was sent at all
                await asyncio.wait({asked}, timeout=LAST_WORD_S)
            if asked.done() and not asked.cancelled():
                return asked.result()
            if lost.done():
                raise Lost(lost.result())
            if asked.cancelled():  # from inside the library, not by our caller
                raise Lost("the call was cancelled from within")
            if not await _answers(session, SUSPECT_PING_S):
                self._give_up(session)
            raise TimeoutError
        finally:
            lost.cancel()
            self._asked_now.discard(asked)
            await _ended(asked)

    async def _wait(
        self, asked: "asyncio.Future[Outcome]", lost: "asyncio.Task[str]", alive: asyncio.Event
    ) -> None:
        """Until there is an answer, the connection is gone, or silence has lasted too long."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self.spec.timeout_s * LONGEST_CALL
        while True:
            alive.clear()
            limit = min(self.spec.timeout_s, end - loop.time())
            if limit <= 0:
                return
            both: set[asyncio.Future[Any]] = {asked, lost}
            done, _ = await asyncio.wait(both, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            if done or not alive.is_set():
                return

    def _give_up(self, session: Session) -> None:
        log.warning("mcp.server_hung", server=self.spec.name)
        session.end("it does not answer")

    def _failed(self, reason: str) -> Outcome:
        return Outcome(self.spec.masked(f"{self.spec.name}: {reason}"), is_error=True)


class _Pace:
    """When a list may be asked for anew: the more often it is said to have changed, the later."""

    def __init__(self) -> None:
        self._next = 0.0
        self._pause = LIST_PAUSE_S

    def wait_s(self, now: float) -> float:
        """How long it is too early."""
        return max(0.0, self._next - now)

    def listed(self, now: float) -> None:
        """It was asked for."""
        quiet = now - self._next > self._pause
        self._pause = LIST_PAUSE_S if quiet else min(self._pause * 2, LONGEST_LIST_PAUSE_S)
        self._next = now + self._pause


async def _answers(session: Session, limit_s: float) -> bool:
    try:
        async with asyncio.timeout(limit_s):
            await session.ping()
    except (TimeoutError, Lost):
        return False
    return True


async def _or_none(asked: Awaitable[Any]) -> list[Any]:
    try:
        return list(await asked)
    except Refused:
        return []


async def _ended(asked: "asyncio.Future[Any]") -> None:
    """Cancel what is still under way: the server is told so. Its end is waited for, but briefly."""
    if not asked.done():
        asked.cancel()
        await asyncio.wait({asked}, timeout=1.0)
    if asked.done() and not asked.cancelled():
        asked.exception()  # looked at, so that nobody warns of it
