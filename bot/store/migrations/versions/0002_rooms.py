"""What is kept of groups, what people set for chats, and requests that were turned down."""

import sqlalchemy as sa
from alembic import op

from bot.store.tables import chat_settings, group_states

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    bind = op.get_bind()
    group_states.create(bind, checkfirst=True)
    chat_settings.create(bind, checkfirst=True)
    if "denied" not in {column["name"] for column in sa.inspect(bind).get_columns("pairings")}:
        op.add_column("pairings", sa.Column("denied", sa.Boolean, nullable=False, server_default=sa.false()))
