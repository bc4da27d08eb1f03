"""The first schema."""

from alembic import op

from bot.store.search import create_search
from bot.store.tables import metadata

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    metadata.create_all(op.get_bind())
    create_search(op.get_bind())
