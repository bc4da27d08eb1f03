"""How many memories a scope holds, and what became of its codes, so that a search need not look."""

from alembic import op

from bot.store.search import count_memories

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    count_memories(op.get_bind())
