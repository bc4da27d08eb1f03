"""What chats refused, so that it is not tried there again."""

from alembic import op

from bot.store.tables import chat_abilities

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    chat_abilities.create(op.get_bind(), checkfirst=True)
