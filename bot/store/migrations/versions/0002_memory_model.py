"""What a memory is: kind, certainty, provenance, versions and times; what people set for theirs."""

import sqlalchemy as sa
from alembic import op

from bot.store.tables import UtcTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("memories", sa.Column("status", sa.String(), nullable=False, server_default="active"))
    op.add_column("memories", sa.Column("visibility", sa.String(), nullable=False, server_default="private"))
    op.add_column("memories", sa.Column("confidence", sa.Float(), nullable=False, server_default="1"))
    op.add_column("memories", sa.Column("provenance", sa.JSON(), nullable=True))
    op.add_column("memories", sa.Column("slot", sa.String(), nullable=False, server_default=""))
    op.add_column("memories", sa.Column("value", sa.Text(), nullable=False, server_default=""))
    op.add_column("memories", sa.Column("version", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("memories", sa.Column("supersedes", sa.BigInteger(), nullable=True))
    op.add_column("memories", sa.Column("true_from", UtcTime(), nullable=True))
    op.add_column("memories", sa.Column("true_until", UtcTime(), nullable=True))
    op.add_column("memories", sa.Column("expires_at", UtcTime(), nullable=True))
    op.drop_index(op.f("ix_memories_person_id"), table_name="memories")
    op.create_index(op.f("ix_memories_person_id_kind"), "memories", ["person_id", "kind"], unique=False)
    op.create_index(op.f("ix_memories_scope_slot"), "memories", ["scope", "slot"], unique=False)
    op.create_table(
        "memory_people",
        sa.Column("person_id", sa.String(), nullable=False),
        sa.Column("paused", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("updated_at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", name=op.f("pk_memory_people")),
    )
    op.create_table(
        "memory_wishes",
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("person_id", sa.String(), nullable=False),
        sa.Column("wish", sa.JSON(), nullable=False),
        sa.Column("expires_at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_memory_wishes")),
    )
    op.create_index(op.f("ix_memory_wishes_person_id"), "memory_wishes", ["person_id"], unique=False)
