"""A chat to write tests with: messages by name, eight seconds apart."""

from bot.turn.group import OURS, Bot, GroupMessage, GroupSettings, GroupState, Verdict
from bot.turn.group.records import Mode

DONKEY = Bot("donkey_bot", "Donkey", ("小驴",))
STEP_S = 8.0


class Talk:
    """A group chat and its state."""

    def __init__(
        self, bot: Bot = DONKEY, mode: Mode = "smart", settings: GroupSettings | None = None
    ) -> None:
        self.state = GroupState(bot, mode, settings)
        self.t = 0.0

    def hear(
        self, sender: str, text: str, *, after: float = STEP_S, reply_to: str = "", is_bot: bool = False
    ) -> Verdict:
        """Judge a message, then see it."""
        self.t += after
        message = GroupMessage(sender, text, self.t, reply_to=reply_to, is_bot=is_bot)
        verdict = self.state.judge(message)
        self.state.see(message)
        return verdict

    def say(self, text: str, *, to: str = "") -> None:
        """The bot's own message."""
        self.hear(OURS, text, after=3.0, reply_to=to)
