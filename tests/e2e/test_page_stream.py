"""Answers that stream, break and go on: never a word lost, never one twice."""

from http import HTTPStatus

import pytest
from playwright.async_api import expect

from tests.e2e.page_driver import ChatPage
from tests.e2e.page_server import FakeBot, Script

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

WORDS = [f"word{n} " for n in range(30)]
WHOLE = "".join(WORDS).strip()


async def test_an_answer_appears_word_by_word_and_is_finished_once(chat: ChatPage, bot: FakeBot) -> None:
    bot.scripts.append(Script(WORDS, released=4))
    await chat.open()
    await chat.send("hello")
    await expect(chat.body()).to_have_text("word0 word1 word2")
    await expect(chat.finished).to_have_count(0)
    await bot.last_turn.release()
    await expect(chat.finished).to_have_count(1)
    await expect(chat.body()).to_have_text(WHOLE)
    assert bot.sent() == ["hello"]


async def test_markdown_that_arrives_in_pieces_ends_as_the_whole_would(chat: ChatPage, bot: FakeBot) -> None:
    text = "# Title\n\nSome **bold** and `code`.\n\n```python\nprint('x')\n```\n\n- a\n- b\n"
    bot.scripts.append(Script(list(text)))
    await chat.open()
    await chat.ask("hello")
    body = chat.body()
    await expect(body.locator("h3")).to_have_text("Title")
    await expect(body.locator("strong")).to_have_text("bold")
    await expect(body.locator("pre")).to_have_text("print('x')\n")
    await expect(body.locator("li")).to_have_text(["a", "b"])


async def test_a_break_in_the_middle_is_shown_and_then_no_word_is_lost_or_repeated(
    chat: ChatPage, bot: FakeBot
) -> None:
    bot.scripts.append(Script(WORDS, released=6))
    await chat.open()
    await chat.send("hello")
    await expect(chat.body()).to_contain_text("word4")
    turn = bot.last_turn
    bot.fail(f"GET /v1/turns/{turn.id}/events", 0, 503)
    await turn.cut()
    await expect(chat.page.get_by_text("Reconnecting…").first).to_be_visible()
    await expect(chat.body()).to_contain_text("word4")
    await turn.release()
    await expect(chat.finished).to_have_count(1)
    await expect(chat.body()).to_have_text(WHOLE)
    resumed = [r for r in bot.requests if r.path.endswith("/events")]
    assert {r.headers["Last-Event-ID"] for r in resumed} == {"1-5"}
    assert bot.sent() == ["hello"]


@pytest.mark.parametrize("cut_at", [0, 1, 2, 30, 31])
async def test_a_connection_that_dies_at_any_event_costs_no_word(
    chat: ChatPage, bot: FakeBot, cut_at: int
) -> None:
    bot.scripts.append(Script(WORDS, drops=[cut_at]))
    await chat.open()
    await chat.ask("hello")
    assert bot.dropped == 1
    await expect(chat.body()).to_have_text(WHOLE)
    await expect(chat.questions).to_have_count(1)
    assert bot.sent() == ["hello"]


async def test_after_a_restart_with_other_words_the_old_ones_are_gone(chat: ChatPage, bot: FakeBot) -> None:
    bot.scripts.append(Script(["The old ", "beginning ", "is long."], released=3))
    await chat.open()
    await chat.send("hello")
    await expect(chat.body()).to_have_text("The old beginning")
    bot.last_turn.restart(["New ", "words."])
    await bot.last_turn.cut()
    await expect(chat.finished).to_have_count(1)
    await expect(chat.body()).to_have_text("New words.")


async def test_a_message_whose_answer_never_began_is_sent_again_under_the_same_key(
    chat: ChatPage, bot: FakeBot
) -> None:
    bot.fail("POST /v1/messages", 0, 503)
    await chat.open()
    await chat.ask("hello")
    posts = [r for r in bot.requests if r.path == "/v1/messages"]
    assert len(posts) == 3
    assert len({r.headers["Idempotency-Key"] for r in posts}) == 1
    assert bot.sent() == ["hello"]


@pytest.mark.pain("P137")
async def test_a_reload_in_the_middle_shows_the_text_so_far_and_goes_on(chat: ChatPage, bot: FakeBot) -> None:
    bot.scripts.append(Script(WORDS, released=6))
    await chat.open()
    await chat.send("hello")
    await expect(chat.body()).to_contain_text("word4")
    await chat.reload()
    await expect(chat.body()).to_contain_text("word4")
    await expect(chat.questions).to_have_count(1)
    await bot.last_turn.release()
    await expect(chat.finished).to_have_count(1)
    await expect(chat.body()).to_have_text(WHOLE)


async def test_a_reload_before_the_server_answered_neither_loses_nor_doubles_the_message(
    chat: ChatPage, bot: FakeBot
) -> None:
    bot.scripts.append(Script(WORDS, released=0))
    await chat.open()
    async with chat.page.expect_request("**/v1/messages"):
        await chat.send("hello")
    await chat.reload()
    await expect(chat.questions).to_have_count(1)
    await bot.last_turn.release()
    await expect(chat.finished).to_have_count(1)
    await expect(chat.questions).to_have_count(1)
    assert bot.sent() == ["hello"]


@pytest.mark.pain("P137")
async def test_a_server_that_stays_away_leaves_an_interrupted_answer_that_can_be_taken_up(
    chat: ChatPage, bot: FakeBot
) -> None:
    bot.scripts.append(Script(WORDS, released=6))
    await chat.page.clock.install()
    await chat.open()
    await chat.send("hello")
    await expect(chat.body()).to_contain_text("word4")
    turn = bot.last_turn
    bot.fail(f"GET /v1/turns/{turn.id}/events", *[503] * 9)
    await turn.cut()
    note = chat.answers.get_by_text("The connection was lost and the answer was interrupted.")
    for _ in range(40):
        await chat.page.clock.fast_forward(20_000)
        if await note.is_visible():
            break
    await expect(chat.body()).to_contain_text("word4")
    await turn.release()
    await chat.page.get_by_role("button", name="Try again").click()
    await expect(chat.body()).to_have_text(WHOLE)


@pytest.mark.pain("P139")
async def test_a_connection_on_which_nothing_comes_is_given_up_and_resumed(
    chat: ChatPage, bot: FakeBot
) -> None:
    bot.scripts.append(Script(WORDS, released=6))
    await chat.page.clock.install()
    await chat.open()
    await chat.send("hello")
    await expect(chat.body()).to_contain_text("word4")
    async with chat.page.expect_request("**/v1/turns/*/events"):
        await chat.page.clock.fast_forward(36_000)
        await chat.page.clock.fast_forward(2_000)
    await bot.last_turn.release()
    await chat.page.clock.resume()
    await expect(chat.body()).to_have_text(WHOLE)


async def test_the_stop_button_and_escape_end_an_answer_and_keep_its_words(
    chat: ChatPage, bot: FakeBot
) -> None:
    await chat.open()
    for press in ("button", "key"):
        bot.scripts.append(Script(WORDS, released=4))
        await chat.send("hello")
        await expect(chat.body()).to_have_text("word0 word1 word2")
        if press == "button":
            await chat.page.get_by_role("button", name="Stop the answer").click()
        else:
            await chat.page.keyboard.press("Escape")
        await expect(chat.body().locator("p")).to_have_text(["word0 word1 word2", "(stopped)"])
        # The answer says it itself: nothing beside it says it again.
        await expect(chat.answers.last.locator(".note")).to_have_count(0)
        await expect(chat.page.get_by_role("button", name="Send")).to_be_visible()
        await expect(chat.box).to_be_focused()


async def test_a_failed_answer_says_why_and_can_be_asked_for_again(chat: ChatPage, bot: FakeBot) -> None:
    bot.scripts.append(Script(["Half"], error=("unavailable", "The provider is overloaded.")))
    await chat.open()
    await chat.send("hello")
    await expect(chat.answers.last).to_contain_text("The provider is overloaded.")
    await expect(chat.body()).to_have_text("Half")
    await chat.page.get_by_role("button", name="Try again").click()
    await expect(chat.body()).to_have_text("You said: hello")
    await expect(chat.questions).to_have_count(1)


async def test_a_refused_message_can_be_edited_and_is_not_lost_by_a_reload(
    chat: ChatPage, bot: FakeBot
) -> None:
    bot.fail("POST /v1/messages", 422)
    await chat.open()
    await chat.send("hello")
    await expect(chat.questions).to_contain_text(f"This message was not accepted: {HTTPStatus(422).phrase}")
    await chat.page.get_by_role("button", name="Edit").click()
    await expect(chat.box).to_have_value("hello")
    await expect(chat.questions).to_have_count(0)
    await expect(chat.sessions).to_have_count(0)


@pytest.mark.parametrize(
    ("deltas", "status", "notes"),
    [
        (["Words", "\n\n(The connection broke here.)"], "cut", []),
        (["The provider withheld it."], "filtered", []),
        ([], "empty", ["The answer was empty."]),
    ],
)
async def test_why_an_answer_ended_is_told_once_now_and_after_a_reload(
    chat: ChatPage, bot: FakeBot, deltas: list[str], status: str, notes: list[str]
) -> None:
    bot.scripts.append(Script(deltas, status=status))
    await chat.open()
    await chat.ask("hello")
    for again in (False, True):
        if again:
            await chat.reload()
        await expect(chat.finished).to_contain_text((deltas or notes)[-1].strip())
        await expect(chat.finished.locator(".note")).to_have_text(notes)


async def test_answers_go_on_while_another_conversation_is_open(chat: ChatPage, bot: FakeBot) -> None:
    bot.scripts.append(Script(WORDS, released=4))
    await chat.open()
    await chat.send("first")
    await expect(chat.body()).to_have_text("word0 word1 word2")
    await chat.page.keyboard.press("Control+k")
    await expect(chat.answers).to_have_count(0)
    await chat.ask("second")
    await expect(chat.body()).to_have_text("You said: second")
    await bot.last_turn.release()
    await next(iter(bot.turns.values())).release()
    await expect(chat.page.locator(".session.unread")).to_have_count(1)
    await chat.page.get_by_role("link", name="first").click()
    await expect(chat.body()).to_have_text(WHOLE)
    await expect(chat.questions.locator(".body")).to_have_text(["first"])
