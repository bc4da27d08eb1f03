"""The tables of what the bot does with tools; `bot.store.tables` has them with all others."""

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from bot.store.columns import UtcTime, conversation_column, metadata

# One call of a tool in a turn, from the model's wish to its result. What a person is asked about it stands
# here as well: an approval is for exactly this call.
tool_calls = Table(
    "tool_calls",
    metadata,
    Column("id", String, primary_key=True),
    Column("run_id", String, ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    conversation_column(nullable=True),
    Column("person_id", String, nullable=False),  # in whose name
    Column("round", Integer, nullable=False),
    Column("place", Integer, nullable=False),  # among the calls of the round
    Column("call_id", String, nullable=False),  # the model's
    Column("tool", String, nullable=False),
    Column("toolset", String, nullable=False, default=""),
    Column("effect", String, nullable=False, default=""),
    Column("arguments", JSON(none_as_null=True), nullable=True),  # None: what came was no object
    Column("raw", Text, nullable=False, default=""),  # what came instead
    Column("digest", String, nullable=False, default=""),  # what an approval is bound to
    # requested pending_approval approved running, or for good: completed failed denied expired cancelled
    # unknown (it may have happened)
    Column("status", String, nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    Column("result", Text, nullable=True),  # as the model sees it
    Column("is_error", Boolean, nullable=False, default=False),
    Column("untrusted", Boolean, nullable=False, default=False),  # the result was written by others
    Column("reason", String, nullable=False, default=""),  # why it is asked for
    Column("doubt", Boolean, nullable=False, default=False),  # asked because it may have happened
    Column("decided_by", String, nullable=True),
    Column("decided_at", UtcTime, nullable=True),
    Column("expires_at", UtcTime, nullable=True),
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
    UniqueConstraint("run_id", "round", "place"),
    Index(None, "conversation_id", "status"),
    Index(None, "person_id", "created_at"),
)

# What was approved for good in a conversation.
tool_grants = Table(
    "tool_grants",
    metadata,
    Column(
        "conversation_id",
        String,
        ForeignKey("conversations.id", ondelete="CASCADE"),
        primary_key=True,
    ),
    Column("toolset", String, primary_key=True),
    Column("tool", String, primary_key=True),
    Column("person_id", String, nullable=False),  # who said so
    Column("at", UtcTime, nullable=False),
)

# What people used up of their day (UTC) in turns with tools.
tool_usage = Table(
    "tool_usage",
    metadata,
    Column("person_id", String, primary_key=True),
    Column("day", String, primary_key=True),  # 2026-03-01
    Column("calls", Integer, nullable=False, default=0),
    Column("tokens", Integer, nullable=False, default=0),
    Column("cost", Float, nullable=False, default=0.0),  # in the unit of the prices
)
