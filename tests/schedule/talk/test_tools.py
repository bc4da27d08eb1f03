"""The set `schedule`: what a model prepares is asked about, and kept only after a person's yes."""

from bot.domain.ports import Toolset
from bot.schedule.firing import Rules as FiringRules
from bot.schedule.room import Jobs, JobSettings
from bot.schedule.tools import schedule_tools
from bot.store.engine import Store
from bot.turn import tasks
from tests.fakes.clock import ManualClock
from tests.fakes.models import ScriptedModel
from tests.fakes.tools import calls
from tests.schedule.talk.talking import BERLIN, MEMBERS, kept, say
from tests.turn.house import House


def tools_of(store: Store, clock: ManualClock) -> Toolset:
    rules = FiringRules(tasks.start, (), woken=lambda: None)
    return schedule_tools(store, clock, Jobs(store, clock, rules, JobSettings("Europe/Berlin")))


def house(store: Store, clock: ManualClock, model: ScriptedModel) -> House:
    tools = tools_of(store, clock)
    return House(store, clock, model, rules=MEMBERS, talk=BERLIN, toolsets=[tools])


CREATE = ("schedule_create", {"text": "call mum", "when": "tomorrow at 17:00"})


async def test_a_prepared_reminder_is_kept_after_a_yes_and_not_before(
    store: Store, clock: ManualClock
) -> None:
    model = ScriptedModel(calls(CREATE), "Shall I?")
    async with house(store, clock, model).running() as bot:
        await say(bot, "could you look after my mother a bit")
        [result] = model.requests[-1].messages[-1].parts
        assert "call mum" in str(getattr(result, "text", ""))
        assert kept(bot) == []
        await say(bot, "yes")
        assert [(job.text, job.plan.zone) for job in kept(bot)] == [("call mum", "Europe/Berlin")]


async def test_a_prepared_reminder_is_gone_after_a_no(store: Store, clock: ManualClock) -> None:
    model = ScriptedModel(calls(CREATE), "Shall I?")
    async with house(store, clock, model).running() as bot:
        await say(bot, "could you look after my mother a bit")
        await say(bot, "no")
        assert kept(bot) == []


async def test_tasks_are_listed_paused_and_deleted_only_after_a_yes(store: Store, clock: ManualClock) -> None:
    model = ScriptedModel(calls(CREATE), "Shall I?")
    async with house(store, clock, model).running() as bot:
        await say(bot, "could you look after my mother a bit")
        await say(bot, "yes")
        [job] = kept(bot)
        named = {"id": job.id}
        model.script(calls(("schedule_list", {}), ("schedule_pause", named)), "Paused.")
        await say(bot, "hold that thing with my mother")
        assert [one.state for one in kept(bot)] == ["paused"]
        model.script(calls(("schedule_delete", named)), "Delete it?")
        await say(bot, "get rid of the thing with my mother")
        assert [one.state for one in kept(bot)] == ["paused"]
        await say(bot, "yes")
        assert [one.state for one in kept(bot)] == ["cancelled"] or kept(bot) == []


async def test_the_tasks_of_another_person_do_not_exist(store: Store, clock: ManualClock) -> None:
    model = ScriptedModel(calls(CREATE), "Shall I?")
    async with house(store, clock, model).running() as bot:
        await say(bot, "could you look after my mother a bit")
        await say(bot, "yes")
        [job] = kept(bot)
        model.script(calls(("schedule_list", {}), ("schedule_pause", {"id": job.id})), "Hm.")
        await say(bot, "hold that thing with my mother", user="ben")
        assert [one.state for one in kept(bot)] == ["active"]


async def test_a_time_that_is_none_is_told_to_the_model(store: Store, clock: ManualClock) -> None:
    model = ScriptedModel(calls(("schedule_create", {"text": "x", "when": "purple"})), "Hm.")
    async with house(store, clock, model).running() as bot:
        await say(bot, "could you look after my mother a bit")
        result = model.requests[-1].messages[-1].parts[0]
        assert getattr(result, "is_error", False)
        assert kept(bot) == []
