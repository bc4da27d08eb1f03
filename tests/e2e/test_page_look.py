"""What can be measured of the look and the accessibility of the page."""

from typing import Any

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.page_driver import PHONE, ChatPage, chat_page
from tests.e2e.page_server import FakeBot, Script

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

RICH = """# Title

Text with **bold**, `code`, [a link](https://docs.example/) and ![a picture](https://e.example/p.png).

```python
def f(x):  # a comment
    return "text" if x > 10 else None
```

> quoted

| a | b |
|---|--:|
| 1 | 2 |
"""

# The text colour of each visible text against the first opaque colour below it, after WCAG 2.2.
CONTRAST = """() => {
    const rgb = (text) => {
        const context = new OffscreenCanvas(1, 1).getContext("2d");
        context.fillStyle = text;
        context.fillRect(0, 0, 1, 1);
        return [...context.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => {
        const [x, y, z] = [r, g, b].map((c) =>
            c <= 10 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
        return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const paper = (node) => {
        for (let at = node; at; at = at.parentElement) {
            const colour = rgb(getComputedStyle(at).backgroundColor);
            if (colour[3] === 255) return colour;
        }
        return [255, 255, 255, 255];
    };
    const poor = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode.data.trim();
        const node = walker.currentNode.parentElement;
        if (!text || !node.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
        if (node.closest("noscript, .visually-hidden, .skip")) continue;
        const [a, b] = [light(rgb(getComputedStyle(node).color)), light(paper(node))].sort((x, y) => y - x);
        const ratio = (a + 0.05) / (b + 0.05);
        if (ratio < 4.5) poor.push(`${text.slice(0, 30)}: ${ratio.toFixed(2)}`);
    }
    return poor;
}"""

# Each control has a name; each is at least 24 by 24 (WCAG 2.2, 2.5.8).
CONTROLS = """() => {
    const all = document.querySelectorAll("button, input, textarea, a[href]:not(.markdown a, .skip)");
    const controls = [...all].filter((node) => node.checkVisibility({visibilityProperty: true}));
    const name = (node) => node.ariaLabel || node.textContent.trim() || node.labels?.[0]?.textContent;
    const small = (node) => ["width", "height"].some((side) => node.getBoundingClientRect()[side] < 24);
    return {
        count: controls.length,
        nameless: controls.filter((node) => !name(node)).map((node) => node.outerHTML),
        small: controls.filter(small).map((node) => node.outerHTML),
    };
}"""


async def fill(chat: ChatPage, bot: FakeBot) -> None:
    """A page with everything on it: notice, list, rich answer, failed answer, refused message."""
    bot.notice = {"kind": "demo-model", "text": "This is a tiny demonstration model."}
    bot.add_session("An older talk", ("a", "b"))
    await chat.open()
    bot.scripts.extend([Script([RICH]), Script(["Half"], error=("unavailable", "Overloaded."))])
    await chat.ask("hello")
    await chat.send("again")
    await expect(chat.answers.last).to_contain_text("Overloaded.")
    bot.fail("POST /v1/messages", 422)
    await chat.send("and again")
    await expect(chat.questions.last).to_contain_text("not accepted")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [None, PHONE], ids=["desktop", "phone"])
async def test_every_text_has_enough_contrast_and_every_control_a_name_and_room(
    browser: Browser, bot: FakeBot, scheme: str, viewport: dict[str, int] | None
) -> None:
    options: dict[str, Any] = {"color_scheme": scheme} | ({"viewport": viewport} if viewport else {})
    async with chat_page(browser, bot.address, **options) as chat:
        await chat.open()
        await expect(chat.page.locator("[data-example]").first).to_be_visible()
        assert await chat.page.evaluate(CONTRAST) == []
        await fill(chat, bot)
        assert await chat.page.evaluate(CONTRAST) == []
        controls = await chat.page.evaluate(CONTROLS)
        assert controls["count"] > 8
        assert controls["nameless"] == controls["small"] == []
        await chat.page.keyboard.press("Escape")
        await chat.page.locator("#scroller").focus()
        await chat.page.keyboard.press("?")
        await expect(chat.page.get_by_role("dialog", name="Keyboard")).to_be_visible()
        assert await chat.page.evaluate(CONTRAST) == []


async def test_a_screen_reader_hears_each_finished_answer_once_and_no_history(
    chat: ChatPage, bot: FakeBot
) -> None:
    session = bot.add_session("Talk", ("How?", "So."))
    await chat.page.add_init_script("""
        window.heard = [];
        addEventListener("DOMContentLoaded", () => {
            const log = document.querySelector("[role=log]");
            new MutationObserver((changes) => {
                if (log.getAttribute("aria-live") !== "polite") return;
                const added = changes.flatMap((change) => [...change.addedNodes]);
                for (const node of added) heard.push(node.querySelector?.(".body")?.textContent ?? "");
            }).observe(log, {childList: true, subtree: true});
        });""")
    await chat.open(f"/#/c/{session}")
    await expect(chat.finished).to_have_count(1)
    await expect(chat.page.locator("[role=log]")).to_have_attribute("aria-live", "polite")
    bot.scripts.append(Script(["One ", "two ", "three."], released=3))
    await chat.send("Count")
    await expect(chat.body()).to_have_text("One two")
    await bot.last_turn.release()
    await expect(chat.finished).to_have_count(2)
    heard = await chat.page.evaluate("heard")
    assert [text.strip() for text in heard] == ["Count", "One two three."]


async def test_the_keyboard_reaches_the_message_box_in_one_step_and_all_the_rest_in_order(
    chat: ChatPage, bot: FakeBot
) -> None:
    session = bot.add_session("Talk", ("a", "b"))
    await chat.open(f"/#/c/{session}")
    await expect(chat.answers).to_have_count(1)
    await chat.page.locator("#skip").focus()
    await expect(chat.page.get_by_role("link", name="Skip to the message box")).to_be_visible()
    await chat.page.keyboard.press("Enter")
    await expect(chat.box).to_be_focused()
    await expect(chat.answers).to_have_count(1)
    await chat.page.keyboard.press("Control+k")
    await expect(chat.answers).to_have_count(0)
    seen = []
    await chat.page.locator("#skip").focus()
    focused = "document.activeElement.ariaLabel || document.activeElement.textContent.trim()"
    for _ in range(10):
        await chat.page.keyboard.press("Tab")
        seen.append(await chat.page.evaluate(focused))
    assert seen == [
        "New chat", "Search conversations", "Talk", "Delete “Talk”",
        "Tasks", "Memory", "Theme: as the system", "Keyboard and help",
        "Set a reminderRemind me in 20 minutes to take the tea off",
        "Remember a dateRemember that Ada’s birthday is on 10 December",
    ]  # fmt: skip


async def test_the_shortcuts_of_the_help_do_what_it_says(chat: ChatPage, bot: FakeBot) -> None:
    session = bot.add_session("Talk", ("a", "b"))
    await chat.open(f"/#/c/{session}")
    await expect(chat.answers).to_have_count(1)
    await chat.page.keyboard.press("Control+Shift+F")
    await expect(chat.page.get_by_role("searchbox")).to_be_focused()
    await chat.page.locator("#scroller").focus()
    await chat.page.keyboard.press("/")
    await expect(chat.box).to_be_focused()
    await expect(chat.box).to_have_value("")
    await chat.page.keyboard.press("Control+k")
    await expect(chat.answers).to_have_count(0)
    await chat.box.press_sequentially("what?")
    await expect(chat.box).to_have_value("what?")
    await chat.page.locator("#scroller").focus()
    await chat.page.keyboard.press("?")
    await expect(chat.page.get_by_role("dialog", name="Keyboard")).to_contain_text("Version 0.1.0")
    await chat.page.keyboard.press("Escape")
    await expect(chat.page.get_by_role("dialog")).to_have_count(0)


async def test_on_paper_the_conversation_stands_alone(chat: ChatPage, bot: FakeBot) -> None:
    await fill(chat, bot)
    await chat.page.emulate_media(media="print")
    await expect(chat.page.locator("#sidebar")).to_be_hidden()
    await expect(chat.box).to_be_hidden()
    await expect(chat.page.locator("#notice")).to_be_hidden()
    await expect(chat.body(chat.answers.first)).to_be_visible()
    overflow = await chat.page.locator("#scroller").evaluate("(node) => getComputedStyle(node).overflowY")
    assert overflow == "visible"


async def test_with_reduced_motion_nothing_moves(browser: Browser, bot: FakeBot) -> None:
    async with chat_page(browser, bot.address, reduced_motion="reduce") as chat:
        bot.scripts.append(Script(["a", "b"], released=1))
        await chat.open()
        await chat.send("hello")
        await expect(chat.page.locator(".message.writing")).to_have_count(1)
        running = await chat.page.evaluate(
            "document.getAnimations().filter((a) => a.effect.getComputedTiming().endTime > 100).length"
        )
        assert running == 0
