"""Which URLs the egress guard lets pass: own samples of each kind of trick, and of ordinary addresses."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.tools.guards.addresses import is_public
from bot.tools.guards.egress import EgressRules, Refused, judge_url, read_exemption, read_url

TRICKS = {
    "spellings of loopback": [
        "http://127.0.0.2/",
        "http://127.9/",
        "http://0x7f.1/",
        "http://0177.1/",
        "http://2130706434/",
        "http://0x7f000002/",
        "http://00/",
        "http://127.0.0.2./",
        "http://LocalHost/",
        "http://app.localhost/",
        "http://①②⑦.⓪.⓪.①/",
        "http://127。0。0。2/",
        "http://127.0.0.1.nip.io/",
        "http://localtest.me/",
    ],
    "numbers that are none": [
        "http://1.2.3.4.5/",
        "http://256.1.1.1/",
        "http://0x1ffffffff/",
        "http://1.08.1.1/",
    ],
    "IPv6": [
        "http://[0:0:0:0:0:0:0:1]/",
        "http://[::ffff:10.1.2.3]/",
        "http://[::127.0.0.1]/",
        "http://[64:ff9b::a9fe:a9fe]/",
        "http://[2002:7f00:1::]/",
        "http://[2001:0:7f00:1::]/",
        "http://[fe80::2%25eth1]/",
        "http://[fd00:ec2::254]/",
        "http://[ff05::2]/",
        "http://[2001:db8::1]/",
        "http://[2606:4700::5efe:7f00:1]/",
        "http://[::1/",
    ],
    "ranges of others": [
        "http://10.20.30.40/",
        "http://172.16.9.9/",
        "http://192.168.0.9/",
        "http://100.64.1.1/",
        "http://100.100.100.200/",
        "http://168.63.129.16/",
        "http://169.254.169.254/latest/",
        "http://192.0.2.9/",
        "http://198.19.0.1/",
        "http://203.0.113.9/",
        "http://239.1.1.1/",
        "http://250.1.1.1/",
    ],
    "inside names": [
        "http://metadata.google.internal/computeMetadata/v1/",
        "http://intranet/",
        "http://db.prod.svc.cluster.local/",
        "http://host.docker.internal/",
        "http://printer.lan/",
        "http://1.0.0.127.in-addr.arpa/",
        "http://hidden.onion/",
    ],
    "what readers read in two ways": [
        "http://10.0.0.1#@example.com/",
        "http://example.com#@10.0.0.1/",
        "http://example.com@10.0.0.1/",
        "http://example.com?@10.0.0.1/",
        "http://me@example.com/",
        "http://10.0.0.1\\@example.com/",
        "http:/10.0.0.1/",
        "http:10.0.0.1",
        "//10.0.0.1/",
        "http:///10.0.0.1/",
        "http://example.com\n@10.0.0.1/",
        "http://exam\u200bple.com/",
        "http://example.com /",
        " http://example.com/",
        "http://%6c%6f%63%61%6c%68%6f%73%74/",
        "http://-example.com/",
        "http://example..com/",
        "http://",
        "",
    ],
    "schemes": [
        "file:///etc/hosts",
        "ftp://example.com/",
        "gopher://example.com/",
        "data:text/html,x",
        "jar:http://example.com!/",
        "ws://example.com/",
        "view-source:http://example.com/",
    ],
    "ports": [
        "http://example.com:23/",
        "http://example.com:3306/",
        "http://example.com:6379/",
        "http://example.com:0/",
        "http://example.com:70000/",
        "http://example.com:/",
        "http://example.com:8a/",
        "http://example.com:８０/",
    ],
}

ORDINARY = [
    "https://example.org",
    "HTTPS://Example.ORG/",
    "http://example.org:80/",
    "https://example.org:443/a/b?c=d&e=%20f#g",
    "https://example.org/@user/post?mail=a@b.example",
    "https://www.wikipedia.org/wiki/Größe",
    "https://例子.中国/路径?查=值",
    "https://xn--fsqu00a.xn--fiqs8s/",
    "https://faß.de/",
    "http://8.8.8.8/",
    "http://[2606:4700:4700::1111]/",
    "https://example.org./",
    "https://example.org?mail=a@b.example",
    "https://my_blog.example.org/",
    "https://r3---sn-4g5e.example.org/",
]


@pytest.mark.pain("63")
@pytest.mark.parametrize("url", [url for urls in TRICKS.values() for url in urls])
def test_a_trick_is_refused_with_a_reason(url: str) -> None:
    verdict = judge_url(url)
    assert (verdict.verdict, bool(verdict.reason)) == ("deny", True)


@pytest.mark.parametrize("url", ORDINARY)
def test_an_ordinary_address_is_let_pass(url: str) -> None:
    assert judge_url(url).allowed, judge_url(url).reason


@pytest.mark.parametrize("url", ["https://example.org?a=b", "https://example.org/?a=b#c"])
def test_a_query_right_after_the_host_is_asked_of_the_root(url: str) -> None:
    assert read_url(url).url == "https://example.org/?a=b"


def test_the_operator_can_open_a_host_a_network_and_a_port() -> None:
    lines = ("nas.lan:8080", "192.168.7.0/24", "*.corp", "[fd00::5]:9000")
    rules = EgressRules(tuple(read_exemption(line) for line in lines))
    for url in (
        "http://nas.lan:8080/",
        "http://192.168.7.9:81/",
        "https://wiki.corp/",
        "http://[fd00::5]:9000/",
    ):
        assert judge_url(url, rules).allowed, url
    for url in ("http://nas.lan/", "http://192.168.8.9/", "https://corp/", "http://[fd00::5]/"):
        assert not judge_url(url, rules).allowed, url


def test_private_addresses_can_be_opened_but_never_a_clouds_metadata() -> None:
    rules = EgressRules(allow_private=True)
    assert judge_url("http://192.168.1.9/", rules).allowed
    assert judge_url("http://printer.lan/", rules).allowed
    for url in (
        "http://169.254.169.254/",
        "http://[::ffff:169.254.169.254]/",
        "http://metadata.google.internal/",
    ):
        assert not judge_url(url, rules).allowed, url


@pytest.mark.parametrize("line", ["", "a b", "http://x", "x:0", "x:99999", "*.", "[::1", "a/b"])
def test_a_line_of_the_list_that_says_nothing_clear_is_an_error(line: str) -> None:
    with pytest.raises(ValueError, match="is not a name"):
        read_exemption(line)


@given(st.ip_addresses(v=4))
def test_every_spelling_of_an_address_is_judged_as_the_address(address: ipaddress.IPv4Address) -> None:
    value = int(address)
    a, b, c, d = address.packed
    spellings = [str(address), str(value), hex(value), f"0{value:o}", f"{a}.{value & 0xFFFFFF}"]
    spellings += [f"{a}.{b}.{(c << 8) + d}", f"0x{a:x}.0{b:o}.{c}.{d}", f"[::ffff:{address}]"]
    for spelling in spellings:
        allowed = judge_url(f"http://{spelling}/").allowed
        assert allowed == (is_public(address) and not spelling.startswith("[")), spelling


@given(st.text(max_size=80))
def test_no_text_breaks_the_guard_and_what_passes_reads_the_same_again(text: str) -> None:
    for url in (text, f"http://{text}", f"http://{text}.com/{text}"):
        try:
            target = read_url(url)
        except Refused:
            continue
        assert read_url(target.url) == target
