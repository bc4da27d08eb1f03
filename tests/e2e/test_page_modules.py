"""The page's modules one by one, and what is vendored beside them."""

import hashlib
import json
import re

import pytest

from channels.web.routes.pages import STATIC_FOLDER as STATIC
from tests.e2e.page_driver import ChatPage

STREAM = (
    "\ufeff: a comment\r\n\r\nid: 1\r\nevent: turn\r\ndata: {\"turn_id\":\"t\"}\r\n\r\n"
    "id:2\nevent:delta\ndata: one\ndata:  two\n\n"
    "data\n\n"
    "event: ignored\n\n"
    "id: 3\rdata: old line ends\r\r"
    "retry: 10\nid: 驴\nevent: delta\ndata: 小毛驴 😀\n\n"
    "data: never finished"
)  # fmt: skip
EVENTS = [
    {"id": "1", "event": "turn", "data": '{"turn_id":"t"}'},
    {"id": "2", "event": "delta", "data": "one\n two"},
    {"id": "2", "event": "message", "data": ""},
    {"id": "3", "event": "message", "data": "old line ends"},
    {"id": "驴", "event": "delta", "data": "小毛驴 😀"},
]


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_an_event_stream_reads_the_same_however_it_is_cut(chat: ChatPage) -> None:
    await chat.open()
    runs = await chat.page.evaluate(
        """async (stream) => {
            const { EventParser } = await import("/static/stream.js");
            const read = (pieces) => {
                const parser = new EventParser();
                return JSON.stringify(pieces.flatMap((piece) => parser.push(piece)));
            };
            const runs = new Set([read([...stream]), read([stream])]);
            for (let at = 1; at < stream.length; at += 1) {
                runs.add(read([stream.slice(0, at), stream.slice(at)]));
            }
            return [...runs];
        }""",
        STREAM,
    )
    assert [json.loads(run) for run in runs] == [EVENTS]


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="session")
async def test_the_page_works_without_random_uuids_and_without_storage(chat: ChatPage) -> None:
    """Plain http:// addresses in a home network have no randomUUID; private windows may have no storage."""
    await chat.page.add_init_script("""
        crypto.randomUUID = undefined;
        const refuse = () => { throw new DOMException("no", "SecurityError"); };
        Object.defineProperty(window, "localStorage", { get: refuse });
    """)
    await chat.open()
    await chat.ask("hello")
    assert await chat.body().inner_text() == "You said: hello"


def test_vendored_files_are_the_published_ones_with_their_licences() -> None:
    vendor = STATIC / "vendor"
    packages = json.loads((vendor / "vendor.json").read_text(encoding="utf-8"))["packages"]
    listed = {file["path"]: file["sha256"] for package in packages for file in package["files"]}
    found = {
        path.relative_to(vendor).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in vendor.rglob("*")
        if path.is_file() and path.name != "vendor.json"
    }
    assert found == listed
    for package in packages:
        assert f"{package['name']}/LICENSE" in listed
        assert re.fullmatch(r"\d+\.\d+\.\d+", package["version"])


def test_pages_hold_no_inline_script_style_or_foreign_address() -> None:
    for page in STATIC.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"<style|<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=|javascript:", text), page.name
        assert not re.search(r'(?:src|href|action)="(?!/|#)', text), page.name


def test_modules_use_no_sink_that_makes_markup_or_code_of_text() -> None:
    sinks = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\.cssText"
    )
    for module in STATIC.rglob("*.js"):
        if "vendor" not in module.parts:
            text = module.read_text(encoding="utf-8")
            assert not sinks.search(text), module.name
            assert len(text.splitlines()) < 300, module.name
