"""Every request that the documentation shows is sent to a running bot, in the order of the page."""

import argparse
import json
import re
import sys
from pathlib import Path

import aiohttp
import pytest

from tests.house.live import serving
from tests.house.test_examples import commands

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

PAGE = "docs/http.md"
PROGRAM = Path(sys.executable).with_name("xiaomaolv")


def curl() -> argparse.ArgumentParser:
    """As much of curl as the documentation uses."""
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("-s", action="store_true")
    parser.add_argument("-N", action="store_true")
    parser.add_argument("-X", dest="method")
    parser.add_argument("-d", dest="data")
    parser.add_argument("-H", dest="headers", action="append", default=[])
    return parser


async def send(client: aiohttp.ClientSession, words: list[str], known: dict[str, str]) -> str:
    """Do what a curl command says, with names in capitals filled in; the answer's text."""
    asked = curl().parse_args([re.sub("[A-Z]+(?:_[A-Z]+)+", lambda m: known[m[0]], word) for word in words])
    path = asked.url.removeprefix("http://127.0.0.1:8080")
    assert path.startswith("/"), asked.url
    headers = dict(line.split(": ", 1) for line in asked.headers)
    method = asked.method or ("POST" if asked.data else "GET")
    async with client.request(method, path, data=asked.data, headers=headers) as response:
        text = await response.text()
        assert response.status < 300, f"{words}: {response.status} {text}"
        return text


async def test_every_request_in_the_documentation_works(tmp_path: Path) -> None:
    shown = [words[1:] for where, words in commands() if words[0] == "curl" and where.startswith(PAGE)]
    assert len(shown) > 8
    known = {"LAST_EVENT_ID": "0"}
    async with serving(PROGRAM, tmp_path) as address, aiohttp.ClientSession(address) as client:
        for words in shown:
            text = await send(client, words, known)
            if text.startswith('{"reply"'):
                known["TURN_ID"] = json.loads(text)["turn_id"]
            if text.startswith('{"id":"task-'):
                known["JOB_ID"] = json.loads(text)["id"]


@pytest.mark.parametrize("field", ["reply", "turn_id", "session_id", "usage", "status"])
def test_the_page_shows_each_field_of_an_answer(field: str) -> None:
    page = (Path(__file__).parents[2] / PAGE).read_text(encoding="utf-8")
    assert f'"{field}"' in page
