"""The parts of the page: conversations, message box, keyboard, languages, small screens, sign-in."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, expect

from channels.web.routes.pages import STATIC_FOLDER as STATIC
from tests.e2e.page_driver import PHONE, ChatPage, chat_page
from tests.e2e.page_server import FakeBot, Script

# Asked for until it is so: the page may be on its way there twice, and the first way is given up.
LOGIN = re.compile("/login$")

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

PAIRS = [(f"question {n}", f"answer {n}") for n in range(50)]


async def delete_button(item: Locator) -> Locator:
    await item.hover()
    return item.get_by_role("button")


# Conversations


async def test_conversations_are_listed_by_day_and_open_with_their_messages(
    chat: ChatPage, bot: FakeBot
) -> None:
    bot.add_session("Older one", ("a", "b"), age=timedelta(days=30))
    bot.add_session("Newer one", ("How?", "So."))
    await chat.open()
    await expect(chat.sessions).to_have_text(["Newer one", "Older one"])
    await expect(chat.page.locator(".sessions h2")).to_have_text(["Today", "Earlier"])
    await chat.page.get_by_role("link", name="Newer one").click()
    await expect(chat.questions.locator(".body")).to_have_text(["How?"])
    await expect(chat.answers.locator(".body")).to_have_text(["So."])
    await expect(chat.page.get_by_role("link", name="Newer one")).to_have_attribute("aria-current", "page")


async def test_searching_filters_by_title_and_looks_into_pages_not_loaded_yet(
    chat: ChatPage, bot: FakeBot
) -> None:
    bot.add_session("A needle", ("a", "b"), age=timedelta(days=90))
    for n in range(60):
        bot.add_session(f"Hay {n}", ("a", "b"), age=timedelta(days=n))
    await chat.open()
    await expect(chat.sessions).to_have_count(50)
    await chat.page.get_by_role("searchbox").fill("NEEDLE")
    await expect(chat.sessions).to_have_text(["A needle"])
    await chat.page.get_by_role("searchbox").fill("cow")
    await expect(chat.page.get_by_text("No conversation has “cow” in its title.")).to_be_visible()


async def test_deleting_asks_first_and_leaves_a_new_chat(chat: ChatPage, bot: FakeBot) -> None:
    session = bot.add_session("Secret", ("a", "b"))
    await chat.open(f"/#/c/{session}")
    await expect(chat.questions).to_have_count(1)
    await (await delete_button(chat.sessions.first)).click()
    dialog = chat.page.get_by_role("dialog", name="Delete this conversation?")
    await expect(dialog).to_contain_text("“Secret” and all its messages")
    await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    await chat.page.keyboard.press("Escape")
    assert session in bot.sessions
    await (await delete_button(chat.sessions.first)).click()
    await dialog.get_by_role("button", name="Delete").click()
    await expect(chat.sessions).to_have_count(0)
    await expect(chat.questions).to_have_count(0)
    await expect(chat.box).to_be_focused()
    assert session not in bot.sessions


async def test_a_conversation_that_could_not_be_deleted_stays_and_says_why(
    chat: ChatPage, bot: FakeBot
) -> None:
    session = bot.add_session("Secret", ("a", "b"))
    bot.fail(f"DELETE /v1/sessions/{session}", 500)
    await chat.open()
    await (await delete_button(chat.sessions.first)).click()
    await chat.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(chat.page.locator("#toast")).to_contain_text("Internal Server Error")
    await expect(chat.sessions).to_have_count(1)


async def test_older_messages_load_above_without_moving_what_is_read(chat: ChatPage, bot: FakeBot) -> None:
    session = bot.add_session("Long", *PAIRS)
    await chat.open(f"/#/c/{session}")
    await expect(chat.answers.last).to_be_in_viewport()
    await expect(chat.answers).to_have_count(20)
    first = chat.questions.filter(has_text="question 30")
    await chat.page.get_by_role("button", name="Show earlier messages").scroll_into_view_if_needed()
    before = await first.bounding_box()
    await chat.page.get_by_role("button", name="Show earlier messages").click()
    await expect(chat.answers).to_have_count(40)
    after = await first.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(after["y"] - before["y"]) < 60
    await chat.page.get_by_role("button", name="Show earlier messages").click()
    await expect(chat.questions.first).to_contain_text("question 0")
    await expect(chat.page.get_by_role("button", name="Show earlier messages")).to_be_hidden()


async def test_a_history_that_can_not_be_loaded_says_so_and_loads_on_demand(
    chat: ChatPage, bot: FakeBot
) -> None:
    session = bot.add_session("Long", ("How?", "So."))
    bot.fail(f"GET /v1/sessions/{session}", 500)
    await chat.open(f"/#/c/{session}")
    await expect(chat.page.get_by_role("alert")).to_contain_text("Internal Server Error")
    await chat.page.get_by_role("button", name="Try again").click()
    await expect(chat.answers.locator(".body")).to_have_text(["So."])
    await expect(chat.page.get_by_role("alert")).to_be_hidden()


# The message box


async def test_enter_sends_and_shift_enter_makes_a_line(chat: ChatPage, bot: FakeBot) -> None:
    await chat.open()
    await chat.box.press_sequentially("one")
    await chat.box.press("Shift+Enter")
    await chat.box.press_sequentially("two")
    await chat.box.press("Enter")
    await expect(chat.finished).to_have_count(1)
    await expect(chat.box).to_have_value("")
    assert bot.sent() == ["one\ntwo"]


async def test_blank_messages_are_not_sent(chat: ChatPage, bot: FakeBot) -> None:
    await chat.open()
    for blank in ("", "   ", "\n\n"):
        await chat.send(blank)
    await expect(chat.page.get_by_role("button", name="Send")).to_be_disabled()
    assert bot.sent() == []


@pytest.mark.pain("P136")
async def test_enter_that_chooses_a_word_of_an_input_method_does_not_send(
    chat: ChatPage, bot: FakeBot
) -> None:
    await chat.open()
    await chat.box.focus()
    await chat.page.evaluate("""() => {
        const box = document.getElementById("message");
        const enter = (options) => box.dispatchEvent(
            new KeyboardEvent("keydown", {key: "Enter", bubbles: true, cancelable: true, ...options}));
        box.value = "小毛驴";
        box.dispatchEvent(new CompositionEvent("compositionstart"));
        enter({isComposing: true});
        box.dispatchEvent(new CompositionEvent("compositionend"));
        enter({keyCode: 229});
        enter({keyCode: 13});
    }""")
    await expect(chat.finished).to_have_count(1)
    assert bot.sent() == ["小毛驴"]


async def test_each_conversation_keeps_its_draft(chat: ChatPage, bot: FakeBot) -> None:
    session = bot.add_session("Talk", ("a", "b"))
    await chat.open(f"/#/c/{session}")
    await chat.box.fill("half a thought")
    await chat.page.keyboard.press("Control+k")
    await expect(chat.box).to_have_value("")
    await chat.page.get_by_role("link", name="Talk").click()
    await expect(chat.box).to_have_value("half a thought")
    await chat.reload()
    await expect(chat.box).to_have_value("half a thought")


async def test_the_box_grows_with_its_text_and_no_further_than_it_should(chat: ChatPage) -> None:
    await chat.open()
    heights = []
    for lines in (1, 4, 60):
        await chat.box.fill("\n".join(["line"] * lines))
        box = await chat.box.bounding_box()
        assert box is not None
        heights.append(box["height"])
    assert heights[0] < heights[1] < heights[2] < 330


async def test_a_second_message_waits_until_the_answer_is_there(chat: ChatPage, bot: FakeBot) -> None:
    bot.scripts.append(Script(["a", "b"], released=2))
    await chat.open()
    await chat.send("first")
    await expect(chat.body()).to_have_text("a")
    await chat.send("second")
    await expect(chat.page.locator("#status")).to_contain_text("still being written")
    await expect(chat.box).to_have_value("second")
    await bot.last_turn.release()
    await expect(chat.finished).to_have_count(1)
    assert bot.sent() == ["first"]


# Reading


async def test_code_and_answers_are_copied_as_they_were_written(browser: Browser, bot: FakeBot) -> None:
    permissions = ["clipboard-read", "clipboard-write"]
    async with chat_page(browser, bot.address, permissions=permissions) as chat:
        answer = "See:\n\n```python\nif a < b:\n    print('&')\n```\n"
        bot.scripts.append(Script([answer]))
        await chat.open()
        await chat.ask("hello")
        await chat.page.get_by_role("button", name="Copy code").click()
        await expect(chat.page.get_by_text("Copied").first).to_be_visible()
        assert await chat.page.evaluate("navigator.clipboard.readText()") == "if a < b:\n    print('&')\n"
        await chat.answers.get_by_role("button", name="Copy message").click()
        await expect(chat.answers.locator("footer")).to_contain_text("Copied")
        assert await chat.page.evaluate("navigator.clipboard.readText()") == answer


async def test_the_page_follows_an_answer_only_when_the_reader_is_at_its_end(
    chat: ChatPage, bot: FakeBot
) -> None:
    lines = [f"line {n}\n\n" for n in range(200)]
    bot.scripts.append(Script(lines, released=101))
    await chat.open()
    await chat.send("hello")
    await expect(chat.body().get_by_text("line 99", exact=True)).to_be_in_viewport()
    await chat.page.locator("#scroller").evaluate("(node) => { node.scrollTop = 0; }")
    jump = chat.page.get_by_role("button", name="Jump to the latest message")
    await expect(jump).to_be_visible()
    await bot.last_turn.release()
    await expect(chat.finished).to_have_count(1)
    await expect(chat.questions.first).to_be_in_viewport()
    await jump.click()
    await expect(chat.body().get_by_text("line 199", exact=True)).to_be_in_viewport()
    await expect(jump).to_be_hidden()


async def test_right_to_left_text_runs_right_to_left(chat: ChatPage, bot: FakeBot) -> None:
    bot.scripts.append(Script(["مرحبا بالعالم\n\nHello"]))
    await chat.open()
    await chat.ask("שלום")
    directions = (
        await chat.body().locator("p").evaluate_all("(all) => all.map((p) => getComputedStyle(p).direction)")
    )
    assert directions == ["rtl", "ltr"]


async def test_the_empty_page_offers_three_examples_that_fill_the_box(chat: ChatPage) -> None:
    await chat.open()
    examples = chat.page.locator("[data-example]")
    await expect(examples).to_have_count(3)
    await examples.first.click()
    await expect(chat.box).to_have_value("Remind me in 20 minutes to take the tea off")
    await expect(chat.box).to_be_focused()


async def test_the_notice_stays_dismissed(chat: ChatPage, bot: FakeBot) -> None:
    bot.notice = {"kind": "demo-model", "text": "This is a tiny <b>demonstration</b> model."}
    await chat.open()
    await expect(chat.page.get_by_text("This is a tiny <b>demonstration</b> model.")).to_be_visible()
    await chat.page.get_by_role("button", name="Dismiss this notice").click()
    await chat.reload()
    await expect(chat.page.locator("[data-example]").first).to_be_visible()
    await expect(chat.page.locator("#notice")).to_be_hidden()


async def test_a_message_that_comes_by_itself_appears_once(chat: ChatPage, bot: FakeBot) -> None:
    await chat.page.clock.install()
    await chat.open()
    await chat.ask("Remind me")
    session = next(iter(bot.sessions))
    for text in ("Tea!", "Really: tea!"):
        bot.remind(session, text)
        await chat.page.clock.fast_forward(11_000)
        await expect(chat.body()).to_have_text(text)
    await expect(chat.finished).to_have_count(3)
    await expect(chat.questions).to_have_count(1)


# Languages, screens, sign-in


async def test_a_chinese_browser_gets_a_chinese_page(browser: Browser, bot: FakeBot) -> None:
    async with chat_page(browser, bot.address, locale="zh-CN") as chat:
        await chat.open()
        await expect(chat.page.locator("html")).to_have_attribute("lang", "zh-Hans")
        await expect(chat.page.get_by_role("heading", name="有什么可以帮你？")).to_be_visible()
        await expect(chat.page.get_by_role("textbox", name="消息", exact=True)).to_be_visible()


@pytest.mark.parametrize(("locale", "direction"), [("es-MX", "ltr"), ("hi-IN", "ltr"), ("ar", "rtl")])
async def test_each_language_has_its_page_and_its_direction(
    browser: Browser, bot: FakeBot, locale: str, direction: str
) -> None:
    names = {"es-MX": "Memoria", "hi-IN": "स्मृति", "ar": "الذاكرة"}
    async with chat_page(browser, bot.address, locale=locale) as chat:
        await chat.open()
        root = chat.page.locator("html")
        await expect(root).to_have_attribute("lang", locale.partition("-")[0])
        await expect(root).to_have_attribute("dir", direction)
        await expect(chat.page.get_by_role("button", name=names[locale])).to_be_visible()
        wide = "document.documentElement.scrollWidth > innerWidth"
        assert not await chat.page.evaluate(wide)
        box = chat.page.locator("#message")
        await expect(box).to_have_css("direction", direction)
        field, button = await box.bounding_box(), await chat.page.locator("#send").bounding_box()
        assert field is not None
        assert button is not None
        assert (button["x"] > field["x"] + field["width"] / 2) is (direction == "ltr")
        await box.fill("hello")
        await expect(box).to_have_css("direction", "ltr")


async def test_all_languages_have_the_same_texts_and_all_that_the_page_asks_for(chat: ChatPage) -> None:
    await chat.open()
    english, *others = await chat.page.evaluate("""async () => Promise.all(
        ["en", "zh", "es", "hi", "ar"].map((name) => import(`/static/i18n/${name}.js`))
    ).then((modules) => modules.map((module) => module.default))""")
    for other in others:
        assert english.keys() == other.keys()
        assert all(_holes(english[key]) == _holes(other[key]) for key in english)
    page = "".join(_sources())
    asked = re.findall(r'\bt\("(\w+)"|data-(?:text|label|placeholder|example)="(\w+)"', page)
    assert {a or b for a, b in asked} <= english.keys()
    by_name = ("status_", "theme_", "task_", "memory_", "approve_")  # their keys are put together
    unused = {key for key in english if not key.startswith(by_name) and f'"{key}"' not in page}
    assert unused == set()


def _holes(text: str) -> set[str]:
    return {part.partition("}")[0] for part in text.split("{")[1:]}


def _sources() -> list[str]:
    files: list[Path] = [*STATIC.glob("*.js"), *STATIC.glob("*.html")]
    return [file.read_text(encoding="utf-8") for file in files]


async def test_on_a_phone_the_list_is_a_drawer_and_nothing_is_wider_than_the_screen(
    browser: Browser, bot: FakeBot
) -> None:
    bot.add_session(
        "Talk", ("a", "| a | b |\n|---|---|\n| " + "wide " * 40 + "| x |\n\n```\n" + "x" * 300 + "\n```")
    )
    async with chat_page(browser, bot.address, viewport=PHONE, is_mobile=True, has_touch=True) as chat:
        await chat.open()
        await expect(chat.page.get_by_role("link", name="Talk")).to_be_hidden()
        await chat.page.get_by_role("button", name="Conversations").click()
        await expect(chat.page.get_by_role("button", name="Close")).to_be_focused()
        await chat.page.keyboard.press("Escape")
        await expect(chat.page.get_by_role("button", name="Conversations")).to_be_focused()
        await chat.page.get_by_role("button", name="Conversations").click()
        await chat.page.get_by_role("link", name="Talk").click()
        await expect(chat.answers).to_have_count(1)
        await expect(chat.page.get_by_role("link", name="Talk")).to_be_hidden()
        widths = await chat.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert widths[0] <= widths[1]
        size = await chat.box.evaluate("(box) => parseFloat(getComputedStyle(box).fontSize)")
        assert size >= 16, "smaller text makes phones zoom in"


async def test_the_theme_can_be_chosen_and_is_remembered(chat: ChatPage) -> None:
    await chat.open()
    paper = "getComputedStyle(document.body).backgroundColor"
    light = await chat.page.evaluate(paper)
    await chat.page.get_by_role("button", name="Theme: as the system").click()
    await chat.page.get_by_role("button", name="Theme: light").click()
    await expect(chat.page.get_by_role("button", name="Theme: dark")).to_be_visible()
    dark = await chat.page.evaluate(paper)
    assert dark != light
    await chat.reload()
    await expect(chat.page.get_by_role("button", name="Theme: dark")).to_be_visible()
    assert await chat.page.evaluate(paper) == dark


async def test_without_a_session_cookie_the_page_asks_to_sign_in_and_comes_back(
    chat: ChatPage, bot: FakeBot
) -> None:
    session = bot.add_session("Talk", ("How?", "So."))
    bot.token = "correct horse"
    await chat.page.goto(f"{chat.address}/#/c/{session}")
    await expect(chat.page).to_have_url(LOGIN)
    await chat.usable()
    await chat.page.get_by_label("Access token").fill("wrong")
    await chat.page.keyboard.press("Enter")
    await expect(chat.page.get_by_role("alert")).to_have_text("This token was not accepted.")
    await chat.page.get_by_label("Access token").fill("correct horse")
    await chat.page.keyboard.press("Enter")
    await expect(chat.answers.locator(".body")).to_have_text(["So."])
    assert await chat.page.evaluate("document.cookie") == ""
    assert not any("correct" in url for url in chat.requests)
    await chat.page.get_by_role("button", name="Sign out").click()
    await expect(chat.page).to_have_url(LOGIN)


async def test_a_message_that_meets_an_expired_sign_in_is_sent_after_it(chat: ChatPage, bot: FakeBot) -> None:
    await chat.open()
    bot.token = "correct horse"
    await chat.send("precious words")
    await expect(chat.page).to_have_url(LOGIN)
    await chat.page.get_by_label("Access token").fill("correct horse")
    await chat.page.keyboard.press("Enter")
    await expect(chat.finished.locator(".body")).to_have_text("You said: precious words")
    assert bot.sent() == ["precious words"]
