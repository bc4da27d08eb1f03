"""What the Telegram channel tells of the bot, and what it can find out about people in groups."""

from bot.domain.conversation import Inbound
from bot.turn.group import Bot
from bot.turn.rooms import Presence
from channels.telegram.client import Refused, Unanswered
from channels.telegram.contents import CHANNEL
from channels.telegram.courtesies import Courtesies
from channels.telegram.parts import Me

PATIENCE_S = 8.0  # somebody waits for the answer
_MANAGES = {"creator", "administrator"}


def presence_of(me: Me, courtesies: Courtesies) -> Presence:
    """The bot as it is in its groups."""

    async def is_chat_admin(inbound: Inbound) -> bool | None:
        chat_id, user_id = inbound.conversation.chat_id, inbound.speaker.user_id
        if chat_id == user_id:  # an admin who speaks in the name of the group
            return True
        try:
            member = await courtesies.call(
                "getChatMember", patience_s=PATIENCE_S, chat_id=int(chat_id), user_id=int(user_id)
            )
        except Refused as error:
            return False if error.code == 400 else None
        except Unanswered:
            return None
        return member["status"] in _MANAGES

    return Presence(
        bot=Bot(me.username, me.name),
        speaker_id=f"{CHANNEL}:{me.id}",
        hears_all=me.reads_all,
        is_chat_admin=is_chat_admin,
    )
