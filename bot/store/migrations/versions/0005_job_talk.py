"""Wishes for later that are still talked about, and the zones in which people live."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "job_drafts",
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("person_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"],
            ["conversations.id"],
            name=op.f("fk_job_drafts_conversation_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_job_drafts")),
    )
    op.create_index(
        op.f("ix_job_drafts_conversation_id_person_id"),
        "job_drafts",
        ["conversation_id", "person_id"],
        unique=False,
    )
    op.create_table(
        "person_zones",
        sa.Column("person_id", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("home", sa.String(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.Column("asked_at", sa.BigInteger(), nullable=True),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", name=op.f("pk_person_zones")),
    )
