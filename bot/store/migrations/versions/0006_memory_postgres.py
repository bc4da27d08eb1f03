"""The indexes of memories on PostgreSQL; nothing on SQLite, which has its own."""

from alembic import op

from bot.store.search import create_postgres_search

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_postgres_search(op.get_bind())
