"""What a turn can do with: its model, with the tools that are there for this person in this place."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.agent.react import Limits, Reacting
from bot.agent.step import MAYBE, Steps
from bot.config.policy import PolicySettings
from bot.domain.conversation import ConversationKind, Inbound
from bot.domain.message import Document, File, Image, Message, Quote, Reply
from bot.domain.ports import ChatModel, Clock
from bot.domain.run import Run
from bot.domain.tool import RunContext
from bot.events.log import EventLog
from bot.i18n.catalogue import translate
from bot.policy.ledger import Ledger
from bot.store.engine import Store
from bot.tools.gate import Gated
from bot.turn import gate
from bot.turn.desk import Desk
from bot.turn.gate import Rules


@dataclass(frozen=True, slots=True)
class Place:
    """Where a turn is and what was said before. `foreign`: files or skills of others are among it.

    `skill` is the active one, "" for none.
    """

    kind: ConversationKind
    past: Sequence[Message]
    foreign: bool = False
    skill: str = ""


class Hands:
    """Gives turns their tools, once it was told of the gate; `desk` takes what people decide about them."""

    def __init__(
        self,
        store: Store,
        events: EventLog,
        clock: Clock,
        rules: Rules,
        policy: PolicySettings | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.desk = Desk(store, events, clock, policy or PolicySettings())
        self._gate: Gated | None = None
        self._store = store
        self._clock = clock
        self._rules = rules
        self._limits = limits or Limits()

    def employ(self, gated: Gated) -> None:
        """The gate, which is made after what turns are made of: tools may use all of it."""
        self._gate = gated

    async def take(self, run: Run, inbound: Inbound, place: Place, model: ChatModel) -> Reacting | None:
        """The model with its tools; None where there are none.

        A request that brings its own context has none: there is no chat in which a person could be asked.
        """
        gated = self._gate
        if gated is None or gated.is_empty or place.kind == "stateless":
            return None
        role = gate.known_role(inbound, self._rules)
        stored = None if role else await self._store.read(gate.role_in, inbound, self._rules)
        context = RunContext(
            run_id=run.id,
            conversation_id=inbound.conversation.id,
            person_id=inbound.speaker.id,
            role=role or stored or "stranger",
            is_private=place.kind == "private",
            locale=inbound.locale,
            zone=inbound.zone,
            skill=place.skill,
        )
        tools = await gated.tools(context)
        if not tools and run.attempt == 1:
            return None
        ledger = Ledger(self._store, self._clock, run, context)
        said = inbound.text
        if context.is_private:
            said = "\n".join([said, *(message.text for message in place.past if message.role == "user")])
        steps = Steps(gated, ledger, context, tainted=is_tainted(inbound, place), said=said)
        policy = gated.policy
        taken_up = run.attempt > 1
        return Reacting(model, tools, steps, ledger, policy, self._clock, self._limits, taken_up=taken_up)


def is_tainted(inbound: Inbound, place: Place) -> bool:
    """Whether what others wrote stands in a prompt: files, quotes, and all of a group: its talk, what is
    remembered of it, its title and the names in it."""
    brought = any(isinstance(part, Document | Quote | Image | File) for part in inbound.parts)
    return brought or place.foreign or place.kind == "group"


async def after_stop(acting: Reacting, reply: Reply, locale: str) -> Reply:
    """Say what was under way when a turn was stopped: it may have happened."""
    if reply.status != "stopped" or not acting.steps.under_way:
        return reply
    await acting.steps.abandon(MAYBE)
    names = ", ".join(sorted({tool.name for _, tool in acting.steps.under_way.values()}))
    return replace(reply, text=f"{reply.text}\n\n{translate('approval.maybe', locale, tools=names)}")
