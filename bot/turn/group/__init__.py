"""Whether a message in a group is for the bot: a judgement over the last messages, with its reasons.

`GroupState` is what a running bot keeps of one chat: tell it every message with `see`, ask it with
`judge`. `explain` does the same for a written-down conversation.
"""

from bot.turn.group.records import OURS, Bot, GroupMessage, GroupSettings, Verdict
from bot.turn.group.state import GroupState

__all__ = ["OURS", "Bot", "GroupMessage", "GroupSettings", "GroupState", "Verdict"]
