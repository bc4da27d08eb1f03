"""Jobs: what people wish for later, each time that it fires, and the calendars that read it."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _jobs()
    _firings()


def _jobs() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("person_id", sa.String(), nullable=False),
        sa.Column("for_name", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("locale", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=True),
        sa.Column("rrule", sa.String(), nullable=False),
        sa.Column("cron", sa.String(), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("next_due", sa.BigInteger(), nullable=True),
        sa.Column("snoozed_until", sa.BigInteger(), nullable=True),
        sa.Column("last_due", sa.BigInteger(), nullable=True),
        sa.Column("last_error", sa.String(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("fired", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"],
            ["conversations.id"],
            name=op.f("fk_jobs_conversation_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
    )
    op.create_index(op.f("ix_jobs_conversation_id"), "jobs", ["conversation_id"], unique=False)
    op.create_index(op.f("ix_jobs_person_id_state"), "jobs", ["person_id", "state"], unique=False)
    op.create_index(op.f("ix_jobs_state_next_due"), "jobs", ["state", "next_due"], unique=False)


def _firings() -> None:
    op.create_table(
        "firings",
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("retry_at", sa.BigInteger(), nullable=True),
        sa.Column("error", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_firings_job_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("job_id", "due", name=op.f("pk_firings")),
    )
    op.create_index(op.f("ix_firings_run_id"), "firings", ["run_id"], unique=False)
    op.create_index(op.f("ix_firings_state_kind"), "firings", ["state", "kind"], unique=False)
    op.create_table(
        "job_feeds",
        sa.Column("secret_hash", sa.String(), nullable=False),
        sa.Column("person_id", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("secret_hash", name=op.f("pk_job_feeds")),
        sa.UniqueConstraint("person_id", name=op.f("uq_job_feeds_person_id")),
    )
