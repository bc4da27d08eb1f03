"""What is called is what was judged: names that change, redirects, bodies without end."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.errors import Denied, InputError, Unavailable
from bot.tools.guards.calls import FetchLimits
from tests.security.web import ALSO_PUBLIC, INSIDE, PUBLIC, Web, open_web, own_certificate, serve_tls


@pytest.fixture
async def web() -> AsyncIterator[Web]:
    async with open_web() as web:
        yield web


async def test_a_public_page_is_fetched_and_told_who_is_asked(web: Web) -> None:
    fetched = await web.fetch(web.url("/page?x=1"))
    assert (fetched.status, fetched.body, fetched.content_type) == (200, b"hello", "text/html")
    [(address, line, headers)] = web.seen
    assert (address, line) == (PUBLIC, "GET /page?x=1 HTTP/1.1")
    assert headers["host"] == f"site.example.com:{web.port}"


@pytest.mark.pain("63")
async def test_a_name_that_changes_its_address_is_looked_up_once_and_called_where_it_was_judged(
    web: Web,
) -> None:
    web.names.answers["rebind.example.com"] = [[PUBLIC], [INSIDE]]
    await web.fetch(web.url(host="rebind.example.com"))
    assert web.names.asked == ["rebind.example.com"]
    assert [address for address, _, _ in web.seen] == [PUBLIC]


@pytest.mark.pain("63")
@pytest.mark.parametrize("answers", [[INSIDE], [PUBLIC, INSIDE], [PUBLIC, "::1"], ["169.254.169.254"]])
async def test_a_name_with_one_address_inside_is_refused(web: Web, answers: list[str]) -> None:
    web.names.answers["mixed.example.com"] = [answers]
    with pytest.raises(Denied):
        await web.fetch(web.url(host="mixed.example.com"))
    assert web.seen == []


@pytest.mark.pain("63")
@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1/",
        "file:///etc/passwd",
        "//127.0.0.1/",
        "http://[::1]/",
        "gopher://x/",
        "http://2130706433/",
    ],
)
async def test_a_redirect_that_leads_inside_is_refused(web: Web, target: str) -> None:
    with pytest.raises(Denied):
        await web.fetch(web.url(f"/to?{target}"))
    assert [address for address, _, _ in web.seen] == [PUBLIC]


async def test_a_redirect_to_a_name_that_is_inside_is_refused(web: Web) -> None:
    web.names.answers["inner.example.com"] = [[INSIDE]]
    with pytest.raises(Denied):
        await web.fetch(web.url(f"/to?{web.url(host='inner.example.com')}"))


async def test_redirects_end_after_five(web: Web) -> None:
    with pytest.raises(Denied, match="more than 5 times"):
        await web.fetch(web.url("/round"))
    assert len(web.seen) == 6


async def test_a_refresh_written_in_a_page_is_not_followed(web: Web) -> None:
    assert b"hello" in (await web.fetch(web.url("/refresh"))).body
    assert [address for address, _, _ in web.seen] == [PUBLIC]


async def test_keys_stay_with_their_host_when_it_redirects_elsewhere(web: Web) -> None:
    there = web.url(host="other.example.com")
    await web.fetch(
        web.url(f"/to?{there}"), secret={"X-Token": "s3cret"}, headers={"Authorization": "Bearer s3cret"}
    )
    (_, _, first), (address, _, second) = web.seen
    assert first["x-token"] == "s3cret"
    assert address == ALSO_PUBLIC
    assert "s3cret" not in str(second)


async def test_a_form_is_posted_once_and_its_answer_fetched(web: Web) -> None:
    await web.fetch(web.url(f"/to?{web.url('/done')}"), method="POST", body=b"a=1")
    assert [line.split(" ")[0] for _, line, _ in web.seen] == ["POST", "GET"]


async def test_a_page_that_drips_is_given_up_in_time(web: Web) -> None:
    with pytest.raises(Unavailable, match=r"within 0\.3 s"):
        await web.fetch(web.url("/slow"), FetchLimits(total_s=0.3))


async def test_a_body_without_end_is_cut_at_the_limit(web: Web) -> None:
    fetched = await web.fetch(web.url("/endless"), FetchLimits(total_s=5, max_bytes=100_000))
    assert (len(fetched.body), fetched.is_cut) == (100_000, True)


async def test_a_body_without_end_is_refused_where_it_must_be_whole(web: Web) -> None:
    with pytest.raises(Denied):
        await web.fetch(web.url("/endless"), FetchLimits(total_s=5, max_bytes=100_000, cut=False))


@pytest.mark.parametrize("path", ["/gzip-bomb", "/deflate-bomb"])
async def test_a_packed_bomb_is_unpacked_no_further_than_the_limit(web: Web, path: str) -> None:
    fetched = await web.fetch(web.url(path), FetchLimits(total_s=5, max_bytes=50_000))
    assert (len(fetched.body), fetched.is_cut) == (50_000, True)


async def test_a_packed_page_is_unpacked(web: Web) -> None:
    assert (await web.fetch(web.url("/packed"))).body == b"hello from inside a gzip"


async def test_an_encoding_that_was_not_asked_for_is_a_failure(web: Web) -> None:
    with pytest.raises(Unavailable):
        await web.fetch(web.url("/brotli"))


async def test_a_proxy_of_the_environment_is_not_used(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, f"http://{INSIDE}:{web.port}")
    await web.fetch(web.url())
    assert [(address, line.split(" ")[1]) for address, line, _ in web.seen] == [(PUBLIC, "/")]


async def test_an_error_names_the_host_but_no_path_or_query(web: Web) -> None:
    web.names.answers["gone.example.com"] = [["127.0.0.2"]]
    url = f"http://gone.example.com:{web.port + 0}/endless?token=s3cret"
    with pytest.raises(Denied) as caught:
        await web.fetch(url, FetchLimits(total_s=5, max_bytes=10, cut=False))
    assert "gone.example.com" in caught.value.message
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "localhost"},
        {"X-Forwarded-For": "127.0.0.1"},
        {"Metadata-Flavor": "Google"},
        {"X-A": "b\r\nHost: localhost"},
        {"X A": "b"},
        {"Content-Length": "4"},
    ],
)
async def test_headers_that_speak_for_others_or_break_the_request_are_refused(
    web: Web, headers: dict[str, str]
) -> None:
    with pytest.raises(InputError):
        await web.fetch(web.url(), headers=headers)
    assert web.seen == []


async def test_a_certificate_that_nobody_signed_is_a_failure_and_not_tried_without(
    web: Web, tmp_path: Path
) -> None:
    cert, key = await asyncio.to_thread(own_certificate, tmp_path)
    served: list[bytes] = []
    async with serve_tls(cert, key, served) as port:
        web.names.answers["bad.example.com"] = [[PUBLIC]]
        web.rules = type(web.rules)(web.rules.allow_hosts, frozenset({port}))
        with pytest.raises(Unavailable, match="certificate"):
            await web.fetch(f"https://bad.example.com:{port}/")
    assert served == []
