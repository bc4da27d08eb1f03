"""A scripted OpenAI-compatible provider on loopback, as strict as the strictest real ones.

In a test:

    async with Upstream() as upstream:
        upstream.script(Answer.text("Hello"), Answer.error(429, headers={"retry-after": "2"}))
        ... talk to upstream.base_url ...
        assert upstream.requests[0].body["model"] == "fake-model"

Answers are taken from the script in order; when it is used up, `upstream.default` answers (an echo).
As a program, for benchmarks and end-to-end tests, it prints its port and serves until SIGTERM:

    python -m tests.fakes.upstream --port 0 --first-token-ms 50 --tokens 20

It speaks HTTP/1.1 over a plain asyncio protocol: cheap enough to share two cores with the bot.
"""

import argparse
import asyncio
import json
import signal
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any, Self

from typing_extensions import override

from tests.fakes.upstream_rules import Refusal, Rules, count_tokens

Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it came in. `connection` numbers the TCP connection, from 1."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Body
    connection: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What to do with one request: `chunks` are written one after the other, then the end comes.

    `status` other than 200, or `plain`, makes it one body with a length. `drop_after` aborts the
    connection after that many chunks, `hang` stays silent after the last one, `keepalive_ms` sends
    a comment that often for ever instead of ending. `head_ms` delays the status line itself,
    `first_ms` the first chunk, `gap_ms` each later one.
    """

    chunks: tuple[bytes, ...] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "text/event-stream"
    plain: bool = False
    head_ms: float = 0
    first_ms: float = 0
    gap_ms: float = 0
    drop_after: int | None = None
    hang: bool = False
    keepalive_ms: float | None = None

    @classmethod
    def raw(cls, *chunks: bytes, **options: Any) -> "Answer":
        """Exactly these bytes as the body of a stream."""
        return cls(chunks, **options)

    @classmethod
    def events(cls, *events: Body | str, done: bool = True, **options: Any) -> "Answer":
        """One `data:` event each; a str is put behind `data: ` as it stands."""
        chunks = [event_bytes(event) for event in events]
        return cls((*chunks, *([b"data: [DONE]\n\n"] if done else [])), **options)

    @classmethod
    def deltas(
        cls, *deltas: Body, finish: str | None = "stop", usage: tuple[int, int] | None = None, **options: Any
    ) -> "Answer":
        """Chunks with these deltas, then the finish reason, then the usage if given."""
        events = [chunk(delta) for delta in deltas]
        if finish is not None:
            events.append(chunk({}, finish))
        if usage is not None:
            events.append(usage_chunk(*usage))
        return cls.events(*events, **options)

    @classmethod
    def text(cls, text: str, *, usage: tuple[int, int] = (10, 5), **options: Any) -> "Answer":
        """A whole answer, streamed word by word."""
        pieces = text.split(" ")
        words = [word if i == 0 else f" {word}" for i, word in enumerate(pieces)]
        return cls.deltas(*({"content": word} for word in words), usage=usage, **options)

    @classmethod
    def completion(cls, message: Body, *, finish: str = "stop", **options: Any) -> "Answer":
        """A plain JSON completion, although a stream may have been asked for."""
        return cls.json(completion(message, finish, (10, 5)), **options)

    @classmethod
    def json(cls, body: Any, *, status: int = 200, **options: Any) -> "Answer":
        content = json.dumps(body).encode()
        return cls((content,), status, content_type="application/json", plain=True, **options)

    @classmethod
    def error(
        cls, status: int, message: str = "scripted error", code: str | None = None, **options: Any
    ) -> "Answer":
        return cls.json({"error": {"message": message, "code": code}}, status=status, **options)

    def but(self, **changes: Any) -> "Answer":
        return replace(self, **changes)


Reply = Answer | Callable[[Request], Answer]


def chunk(delta: Any, finish: str | None = None) -> Body:
    """One chat.completion.chunk with one choice."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "fake-model",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }


def usage_chunk(input_tokens: int, output_tokens: int) -> Body:
    return {**chunk({}), "choices": [], "usage": usage_of(input_tokens, output_tokens)}


def usage_of(input_tokens: int, output_tokens: int) -> Body:
    return {
        "prompt_tokens": input_tokens,
        "completion_tokens": output_tokens,
        "total_tokens": input_tokens + output_tokens,
    }


def completion(message: Body, finish: str, usage: tuple[int, int]) -> Body:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "fake-model",
        "choices": [choice],
        "usage": usage_of(*usage),
    }


def event_bytes(event: Body | str) -> bytes:
    text = event if isinstance(event, str) else json.dumps(event, ensure_ascii=False)
    return f"data: {text}\n\n".encode()


def last_user_text(body: Body) -> str:
    """The text of the last user message, its parts joined."""
    for message in reversed(body.get("messages", [])):
        if message["role"] == "user":
            content = message["content"]
            if isinstance(content, str):
                return content
            return "".join(part.get("text", "") for part in content)
    return ""


def echo(request: Request) -> Answer:
    """Says the last user message back, word by word, with counted usage."""
    text = f"echo: {last_user_text(request.body)}"
    return say(request.body, text)


def say(body: Body, text: str, **options: Any) -> Answer:
    """`text` as stream or completion, whichever the request asked for."""
    usage = (count_tokens(body), max(1, len(text.split())))
    if not body.get("stream"):
        return Answer.json(completion({"content": text}, "stop", usage), **options)
    wanted = (body.get("stream_options") or {}).get("include_usage")
    answer = Answer.text(text, usage=usage, **options)
    return answer if wanted else answer.but(chunks=answer.chunks[:-2] + answer.chunks[-1:])


def steady(tokens: int, **options: Any) -> Callable[[Request], Answer]:
    """Answers every request with the same number of tokens; the chunks are built once."""
    text = " ".join(f"token{i}" for i in range(tokens))
    streams = {
        asked: say({"stream": True, "stream_options": {"include_usage": asked}}, text, **options)
        for asked in (True, False)
    }

    def answer(request: Request) -> Answer:
        if not request.body.get("stream"):
            return say(request.body, text)
        return streams[bool((request.body.get("stream_options") or {}).get("include_usage"))]

    return answer


def embeddings(body: Body, dimensions: int = 8) -> Answer:
    """Vectors that depend on the letters only; not of unit length, as some providers send them."""
    texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
    data = []
    for index, text in enumerate(texts):
        vector = [1.0] * dimensions
        for letter in text:
            vector[ord(letter) % dimensions] += 1.0
        data.append({"object": "embedding", "index": index, "embedding": vector})
    data.reverse()  # the order is told by `index`, not by the place
    return Answer.json({"object": "list", "data": data, "model": "fake-embed", "usage": usage_of(1, 0)})


class Upstream:
    """The server. `rules` say what is refused before the script is asked."""

    def __init__(self, default: Reply = echo, *, rules: Rules | None = None, port: int = 0) -> None:
        self.default = default
        self.rules = rules or Rules()
        self.port = port
        self.requests: list[Request] = []
        self.refusals: list[str] = []
        self.keep_requests = True
        self.connections = 0
        self.open_connections = 0
        self._script: deque[Reply] = deque()
        self._changed = asyncio.Event()
        self._transports: set[asyncio.Transport] = set()
        self._server: asyncio.Server | None = None

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def script(self, *answers: Reply) -> None:
        """Append answers for the next requests."""
        self._script.extend(answers)

    def answer(self, request: Request) -> Answer:
        """What this request gets: a refusal, or the next of the script, or the default."""
        if self.keep_requests:
            self.requests.append(request)
        self.changed()
        try:
            self.rules.check(request.method, request.path, request.headers, request.body)
        except Refusal as refusal:
            self.refusals.append(refusal.message)
            return Answer.error(refusal.status, refusal.message, refusal.code)
        if request.path.endswith("/models"):
            return Answer.json({"object": "list", "data": [{"id": "fake-model", "object": "model"}]})
        if request.path.endswith("/embeddings") and not self._script:
            return embeddings(request.body)
        reply = self._script.popleft() if self._script else self.default
        return reply if isinstance(reply, Answer) else reply(request)

    async def until(self, condition: Callable[["Upstream"], bool], timeout_s: float = 30) -> None:
        """Wait until the condition holds; it is looked at after every request and connection."""
        async with asyncio.timeout(timeout_s):
            while not condition(self):
                self._changed.clear()
                await self._changed.wait()

    def changed(self) -> None:
        self._changed.set()

    def opened(self, transport: asyncio.Transport) -> int:
        self.connections += 1
        self.open_connections += 1
        self._transports.add(transport)
        self.changed()
        return self.connections

    def closed(self, transport: asyncio.Transport) -> None:
        self.open_connections -= 1
        self._transports.discard(transport)
        self.changed()

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: _Connection(self), "127.0.0.1", self.port, backlog=512
        )
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for transport in list(self._transports):
            transport.abort()
        await self._server.wait_closed()
        await self.until(lambda upstream: upstream.open_connections == 0)


class _Connection(asyncio.Protocol):
    """One kept-alive HTTP/1.1 connection: a request, its answer, the next request."""

    def __init__(self, upstream: Upstream) -> None:
        self._upstream = upstream
        self._buffer = bytearray()
        self._timer: asyncio.TimerHandle | None = None
        self._busy = False
        self._number = 0
        self._transport: asyncio.Transport

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._number = self._upstream.opened(transport)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._upstream.closed(self._transport)

    @override
    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._busy:
            self._read()

    def _read(self) -> None:
        """Take one whole request from the buffer, if there is one."""
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        start, *lines = self._buffer[:end].decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        length = int(headers.get("content-length", "0"))
        if len(self._buffer) < end + 4 + length:
            return
        content = bytes(self._buffer[end + 4 : end + 4 + length])
        del self._buffer[: end + 4 + length]
        self._busy = True
        method, path, _ = start.split(" ")
        try:
            body = json.loads(content) if content else {}
        except ValueError:
            self._begin(Answer.error(400, "the body is not JSON"))
            return
        self._begin(self._upstream.answer(Request(method, path, headers, body, self._number)))

    def _begin(self, answer: Answer) -> None:
        if answer.drop_after == -1:
            self._transport.abort()
        elif answer.plain:
            self._later(answer.head_ms + answer.first_ms, self._write_plain, answer)
        else:
            self._later(answer.head_ms, self._write_head, answer)

    def _later(self, ms: float, do: Callable[..., None], *args: Any) -> None:
        if ms > 0:
            self._timer = asyncio.get_running_loop().call_later(ms / 1000, do, *args)
        else:
            do(*args)

    def _head(self, answer: Answer, extra: str) -> bytes:
        reason = HTTPStatus(answer.status).phrase
        lines = [f"HTTP/1.1 {answer.status} {reason}", f"Content-Type: {answer.content_type}", extra]
        lines += [f"{name}: {value}" for name, value in answer.headers.items()]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    def _write_plain(self, answer: Answer) -> None:
        content = b"".join(answer.chunks)
        self._transport.write(self._head(answer, f"Content-Length: {len(content)}") + content)
        self._next_request()

    def _write_head(self, answer: Answer) -> None:
        self._transport.write(self._head(answer, "Transfer-Encoding: chunked"))
        self._later(answer.first_ms, self._write_chunks, answer, 0)

    def _write_chunks(self, answer: Answer, at: int) -> None:
        """Write chunks from number `at` on, as far as no pause comes between."""
        while True:
            if answer.drop_after is not None and at >= answer.drop_after:
                # Closed, not aborted: what was written still arrives, then the stream ends short.
                self._transport.close()
                return
            if at == len(answer.chunks):
                self._end(answer)
                return
            piece = answer.chunks[at]
            if piece:  # an empty one would be the end
                self._transport.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            at += 1
            if answer.gap_ms > 0 and at < len(answer.chunks):
                self._later(answer.gap_ms, self._write_chunks, answer, at)
                return

    def _end(self, answer: Answer) -> None:
        if answer.keepalive_ms is not None:
            self._keep_alive(answer.keepalive_ms)
        elif not answer.hang:
            self._transport.write(b"0\r\n\r\n")
            self._next_request()

    def _keep_alive(self, every_ms: float) -> None:
        comment = b": keepalive\n\n"
        self._transport.write(b"%x\r\n%b\r\n" % (len(comment), comment))
        self._later(every_ms, self._keep_alive, every_ms)

    def _next_request(self) -> None:
        self._busy = False
        if self._buffer:
            self._read()


async def _serve(upstream: Upstream) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with upstream:
        sys.stdout.write(f"{upstream.port}\n")
        sys.stdout.flush()
        await stop.wait()


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="A fake OpenAI-compatible provider.")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one; it is printed")
    parser.add_argument("--first-token-ms", type=float, default=0)
    parser.add_argument("--token-ms", type=float, default=0, help="pause between tokens")
    parser.add_argument("--tokens", type=int, default=20)
    parser.add_argument("--api-key", help="refuse requests without this bearer token")
    parser.add_argument("--echo", action="store_true", help="say the last user message back")
    parser.add_argument("--lenient", action="store_true", help="skip the checks of the request format")
    args = parser.parse_args(argv)

    def slowed(request: Request) -> Answer:
        return echo(request).but(first_ms=args.first_token_ms, gap_ms=args.token_ms)

    reply = slowed if args.echo else steady(args.tokens, first_ms=args.first_token_ms, gap_ms=args.token_ms)
    upstream = Upstream(reply, rules=Rules(api_key=args.api_key, lenient=args.lenient), port=args.port)
    upstream.keep_requests = False
    asyncio.run(_serve(upstream))


if __name__ == "__main__":
    main()
