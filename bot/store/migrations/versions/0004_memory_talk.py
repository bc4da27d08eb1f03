"""Memories in the order they were said, and by who said them."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(op.f("ix_memories_scope_id"), "memories", ["scope", "id"], unique=False)
    op.create_index(op.f("ix_memories_scope_name"), "memories", ["scope", "name"], unique=False)
