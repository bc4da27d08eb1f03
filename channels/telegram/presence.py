"""What the Telegram channel tells of the bot, and what it can find out about people in groups."""

from bot.domain.conversation import Inbound
from bot.turn.group import Bot
from bot.turn.rooms import Presence
from channels.telegram.client import Client, Refused, Unanswered
from channels.telegram.contents import CHANNEL
from channels.telegram.parts import Me

_MANAGES = {"creator", "administrator"}


def presence_of(me: Me, client: Client) -> Presence:
    """The bot as it is in its groups."""

    async def is_chat_admin(inbound: Inbound) -> bool:
        chat_id, user_id = inbound.conversation.chat_id, inbound.speaker.user_id
        if chat_id == user_id:  # an admin who speaks in the name of the group
            return True
        try:
            member = await client.call("getChatMember", chat_id=int(chat_id), user_id=int(user_id))
        except (Refused, Unanswered):
            return False
        return member["status"] in _MANAGES

    return Presence(
        bot=Bot(me.username, me.name),
        speaker_id=f"{CHANNEL}:{me.id}",
        hears_all=me.reads_all,
        is_chat_admin=is_chat_admin,
    )
