"""A chat over time: orders, other bots, pauses, restarts."""

import json

import pytest

from bot.turn.group import GroupMessage, GroupSettings, GroupState
from bot.turn.group.explain import read_moment
from bot.turn.group.judge import is_question, leaves_open
from tests.turn.group.moments import moments
from tests.turn.group.talk import DONKEY, Talk


def test_an_order_to_be_quiet_holds_until_the_bot_is_called_again() -> None:
    talk = Talk()
    talk.hear("Ann", "@donkey_bot what's new?")
    talk.say("Rain in the north.")
    assert talk.hear("Ann", "Donkey, be quiet").decision == "observe"
    assert talk.state.quiet
    assert talk.hear("Ann", "and in the south?").decision == "observe"
    assert talk.hear("Ben", "Donkey, what about the south?").decision == "respond"
    assert not talk.state.quiet


def test_an_order_by_mention_or_reply_is_obeyed_too() -> None:
    talk = Talk()
    talk.hear("小明", "@donkey_bot 讲个笑话")
    talk.say("从前有一头小毛驴。")
    assert talk.hear("小红", "@donkey_bot 闭嘴").decision == "observe"
    assert talk.hear("小红", "安静", reply_to="BOT").decision == "observe"
    assert talk.state.quiet


def test_people_who_ask_each_other_for_quiet_do_not_silence_the_bot() -> None:
    talk = Talk()
    talk.hear("Ann", "Ben, be quiet")
    talk.hear("Ann", "the kids should be quiet now")
    assert not talk.state.quiet


@pytest.mark.pain("25")
@pytest.mark.pain("P043")
def test_other_bots_get_no_answer_by_default() -> None:
    talk = Talk()
    for text in ("@donkey_bot hello", "Donkey, hello", "/start@donkey_bot"):
        assert talk.hear("news_bot", text, is_bot=True).decision == "ignore"
        assert talk.hear("news_bot", text, is_bot=True, reply_to="BOT").decision == "ignore"


@pytest.mark.pain("25")
@pytest.mark.pain("P043")
def test_an_allowed_bot_gets_a_few_answers_an_hour_and_only_to_mentions() -> None:
    talk = Talk(settings=GroupSettings(allow_bots=True, bot_answers_per_hour=2))
    answers = 0
    for turn in range(50):
        if talk.hear("news_bot", f"@donkey_bot what of {turn}?", is_bot=True).decision == "respond":
            answers += 1
            talk.say(f"That is {turn}.")
    assert answers == 2
    assert talk.hear("news_bot", "@donkey_bot and now?", is_bot=True, after=3700).decision == "respond"
    assert talk.hear("news_bot", "a reply", is_bot=True, reply_to="BOT", after=3700).decision == "ignore"


@pytest.mark.pain("P043")
def test_the_same_text_of_an_allowed_bot_is_answered_once() -> None:
    talk = Talk(settings=GroupSettings(allow_bots=True))
    assert talk.hear("news_bot", "@donkey_bot hello there", is_bot=True).decision == "respond"
    talk.say("Hello.")
    assert talk.hear("news_bot", "@donkey_bot  Hello there", is_bot=True).decision == "ignore"


@pytest.mark.pain("P046")
def test_a_quote_of_the_bot_for_somebody_else_is_ignored() -> None:
    talk = Talk()
    talk.hear("Ben", "@donkey_bot tell us a joke")
    talk.say("No.")
    verdict = talk.hear("Ben", "@ann send me the cat video", reply_to="BOT")
    assert verdict.decision == "ignore"
    assert "ann" in verdict.reasons[0]
    assert talk.hear("Ben", "@donkey_bot @ann who is right?", reply_to="BOT").decision == "respond"


def test_a_follow_up_is_answered_within_the_window_only() -> None:
    for after, decision in ((20.0, "respond"), (170.0, "respond"), (200.0, "ignore")):
        talk = Talk()
        talk.hear("Ann", "@donkey_bot weather in Berlin?")
        talk.say("Sunny.")
        assert talk.hear("Ann", "and tomorrow?", after=after).decision == decision


def test_the_cool_down_keeps_the_bot_out_of_the_talk_of_others() -> None:
    decisions = []
    for cooldown in (0.0, 60.0):
        talk = Talk(settings=GroupSettings(cooldown_s=cooldown))
        talk.hear("Ann", "Donkey, who won the game?")
        talk.say("The Reds won 3:1.")
        decisions.append(talk.hear("Ben", "the reds had how many fans there?", after=25).decision)
    assert decisions == ["respond", "observe"]


def test_a_verdict_is_unsure_only_where_the_score_left_it_open() -> None:
    talk = Talk()
    talk.hear("Ann", "Donkey, who won the game?")
    talk.say("The Reds won 3:1.")
    assert not talk.hear("Ann", "thanks").unsure
    assert not talk.hear("Ann", "Donkey, be quiet").unsure
    assert not talk.hear("Ann", "@donkey_bot hi").unsure


def test_the_least_score_decides_between_answer_and_silence() -> None:
    eager, shy = (Talk(settings=GroupSettings(min_score=score)) for score in (1, 100))
    for talk in (eager, shy):
        talk.hear("Ann", "Donkey, weather in Berlin?")
        talk.say("Sunny.")
    assert eager.hear("Ann", "I live in Berlin").decision == "respond"
    verdict = shy.hear("Ann", "I live in Berlin")
    assert verdict.decision == "observe"
    assert verdict.unsure


def test_a_judgement_changes_nothing() -> None:
    talk = Talk()
    talk.hear("Ann", "@donkey_bot I'll call you Pip")
    before = json.dumps(talk.state.to_dict())
    message = GroupMessage("Ben", "Donkey, be quiet. call me Al", talk.t + 5)
    first = talk.state.judge(message)
    assert talk.state.judge(message) == first
    kept = talk.state.to_dict()
    kept["members"].pop("Ben", None)
    assert json.dumps(kept) == before


def test_a_restart_in_any_moment_changes_no_verdict() -> None:
    for name, _, moment in list(moments())[::3]:
        state, last = read_moment(moment)
        kept = json.loads(json.dumps(state.to_dict()))
        again = GroupState.from_dict(kept, state.bot, state.mode, state.settings)
        assert again.judge(last).decision == state.judge(last).decision, name


def test_a_state_of_another_version_starts_empty() -> None:
    state = GroupState.from_dict({"version": 0}, DONKEY)
    assert state.last_answer_t is None


def test_a_forgotten_person_leaves_no_trace() -> None:
    talk = Talk()
    talk.hear("Zebedee", "Donkey, call me Zed. what about llamas?")
    talk.say("Fine animals.", to="Zebedee")
    talk.state.forget_member("Zebedee")
    kept = json.dumps(talk.state.to_dict())
    assert "Zebedee" not in kept
    assert "Zed" not in kept
    assert "llamas" not in kept


def test_what_is_kept_of_a_chat_is_bounded() -> None:
    talk = Talk()
    for number in range(600):
        talk.hear(f"Person{number}", f"good morning number {number}", after=1)
    kept = talk.state.to_dict()
    assert len(kept["members"]) <= 256
    assert len(kept["history"]) <= 30


def test_a_tapped_name_counts_as_a_mention() -> None:
    state = GroupState(DONKEY, "strict")
    assert state.judge(GroupMessage("Ann", "the helper, please", 1.0, mentions=("BOT",))).score == 100
    assert state.judge(GroupMessage("Ann", "go on", 1.0, calls_bot=True)).decision == "respond"
    assert state.judge(GroupMessage("Ann", "Ben should know", 1.0, mentions=("Ben",))).decision == "ignore"


@pytest.mark.parametrize("word", ["stop", "Stop!", "enough", "停", "para", "रुको", "توقف"])
def test_a_stop_with_its_name_keeps_it_quiet_until_it_is_called_again(word: str) -> None:
    talk = Talk()
    talk.hear("Ann", "Donkey, a joke please")
    talk.say("Why did the hen cross the road? Shall I tell you?")
    assert talk.hear("Ann", f"Donkey {word}").decision == "observe"
    assert talk.hear("Ann", "why did it?").decision != "respond"
    assert talk.hear("Ann", "Donkey, why did it?").decision == "respond"


@pytest.mark.parametrize("text", ["Donkey cancel", "Donkey, where do we stop?", "Donkey stop the timer"])
def test_to_cancel_or_stop_something_is_a_wish(text: str) -> None:
    assert Talk().hear("Ann", text).decision == "respond"


@pytest.mark.parametrize(
    "text", ["no thanks", "no, gracias", "no hace falta", "ahora no", "नहीं, धन्यवाद", "अभी नहीं", "لا شكرًا لك",
             "لا داعي", "不用了，谢谢"]
)  # fmt: skip
def test_an_offer_that_is_declined_is_not_taken_up(text: str) -> None:
    talk = Talk()
    talk.hear("Ann", "Donkey, when does it rain?")
    talk.say("At five. Shall I look for Saturday too?")
    assert talk.hear("Ann", text).decision != "respond"


@pytest.mark.parametrize("text", ["no, en Madrid", "नहीं, दिल्ली में", "لا، في دبي", "no, in Rome"])
def test_a_no_that_says_what_is_wanted_instead_is_answered(text: str) -> None:
    talk = Talk()
    talk.hear("Ann", "Donkey, when does it rain?")
    talk.say("Do you mean in Paris?")
    assert talk.hear("Ann", text).decision == "respond"


@pytest.mark.parametrize(
    "said, waits",
    [
        ("Which city?", True), ("Please tell me the amount.", True), ("请告诉我贷款金额、年限和利率。", True),
        ("Done. Let me know if you need more.", False), ("It is 39.", False), ("有需要随时告诉我。", False),
    ],
)  # fmt: skip
def test_a_wish_of_the_bot_waits_for_an_answer_as_a_question_does(said: str, waits: bool) -> None:
    assert leaves_open(said) is waits


def test_who_joins_in_with_a_remark_wants_no_answer_though_it_is_about_what_the_bot_said() -> None:
    talk = Talk()
    talk.hear("老周", "小驴，502 一般是什么原因")
    talk.say("多半是上游服务没有响应，比如进程挂了或者超时。")
    assert talk.hear("小陈", "果然，我刚看到进程没了").decision != "respond"


def test_a_word_of_the_bots_question_is_an_answer_to_it_and_calls_nobody() -> None:
    talk = Talk()
    talk.hear("李娜", "小驴，写一段毕业赠言")
    talk.say("好的。是写给同学还是写给老师？")
    assert talk.hear("李娜", "老师，教数学的").decision == "respond"
    talk.say("愿您桃李满天下。")
    assert talk.hear("李娜", "老师，您看这样行吗").decision == "ignore"


def test_a_yes_is_for_whoever_has_asked_last() -> None:
    for asked, decision in (("", "respond"), ("Ann, lunch at 12?", "ignore")):
        talk = Talk()
        talk.hear("Ann", "Donkey, how do I clear a paper jam?")
        talk.say("Shall I tell you for your model?")
        if asked:
            talk.hear("Ben", asked)
        assert talk.hear("Ann", "Sure").decision == decision


def test_who_cries_out_at_the_bots_question_to_somebody_does_not_answer_it() -> None:
    for text, decision in (("又开会，救命", "ignore"), ("六个人", "respond")):
        talk = Talk()
        talk.hear("周宁", "小驴，帮忙订个会议室")
        talk.say("需要多大的会议室？")
        assert talk.hear("吴敏", text).decision == decision


ABOUT_THE_ANSWER = [
    "用高压锅要多久", "可以不放糖吗", "哪个部位最好", "要焯几分钟",
    "为什么要焯水", "有没有简单的做法", "费用高不高", "酱油用生抽还是老抽",
    "孩子能吃吗", "does rye flour work too?", "which flour is best", "is a dutch oven needed",
    "how warm should the water be", "does it freeze well", "what if it's sold out", "any student discount",
]  # fmt: skip
ABOUT_THEIR_DAY = [
    "今晚吃什么", "周末有空吗", "快递到了吗", "厨房修好了吗",
    "孩子放学了吗", "妈妈知道吗", "票买好了吗", "垃圾倒了吗",
    "奶奶身体好吗", "谁买菜", "车停在哪里", "who has flour at home?",
    "are you making it tonight?", "is the tent dry", "what's for lunch", "did the parcel arrive",
    "how was the drive", "which bus did Lea take", "is there milk left",
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "answered"),
    [*((text, True) for text in ABOUT_THE_ANSWER), *((text, False) for text in ABOUT_THEIR_DAY)],
)
def test_who_joins_in_after_an_answer_asks_about_it_or_about_the_peoples_own_day(
    text: str, answered: bool
) -> None:
    talk = Talk()
    talk.hear("Ann", "小驴，红烧肉怎么做")
    talk.say("五花肉切块焯水，炒糖色后加酱油、料酒，小火炖一小时。")
    assert (talk.hear("Ben", text).decision == "respond") is answered


@pytest.mark.parametrize(
    "piece", ["哈", "嘿", "haha ", "谢谢", "嗯", "ok ", "不是", ":)", "hello ", "can you please "]
)
@pytest.mark.parametrize("lead", ["", "小驴，"])
def test_a_long_run_of_laughter_or_thanks_before_other_words_is_judged(lead: str, piece: str) -> None:
    talk = Talk()
    talk.hear("Ann", "@donkey_bot what is a fox?")
    talk.say("An animal.")
    talk.hear("Ann", f"{lead}{piece * 60}x7")
    assert talk.hear("Ann", "Donkey, what is an owl?").decision == "respond"


def test_an_answer_of_blanks_is_read() -> None:
    assert not leaves_open(f"Hi{' ' * 6000}.\nx")
    assert leaves_open(f"Hi.{' ' * 6000}Please send me the file.. ")


@pytest.mark.parametrize("text", ["能不能送到公司", "明天能不能来", "能不能带上伞"])
def test_whether_something_can_be_done_is_asked_whatever_it_is(text: str) -> None:
    assert is_question(text, text)
