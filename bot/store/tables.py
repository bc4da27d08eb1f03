"""Every table of the product. Rooms write to their own; the schema is one, for SQLite and PostgreSQL.

A column that names a person is called `person_id`; deleting a conversation takes its rows along.
"""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from bot.store.columns import SerialId as SerialId
from bot.store.columns import UtcTime as UtcTime
from bot.store.columns import conversation_column
from bot.store.columns import metadata as metadata
from bot.store.tool_tables import tool_calls as tool_calls
from bot.store.tool_tables import tool_grants as tool_grants
from bot.store.tool_tables import tool_usage as tool_usage

people = Table(
    "people",
    metadata,
    Column("id", String, primary_key=True),  # channel:user
    Column("channel", String, nullable=False),
    Column("user_id", String, nullable=False),
    Column("name", String, nullable=False, default=""),
    Column("role", String, nullable=False),  # owner admin member stranger
    Column("locale", String, nullable=False, default=""),
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
)

pairings = Table(
    "pairings",
    metadata,
    Column("code", String, primary_key=True),
    Column("person_id", String, ForeignKey("people.id", ondelete="CASCADE"), nullable=False, unique=True),
    Column("chat_id", String, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime, nullable=False),
    # An admin said no: the person hears nothing more, until this expires or an admin says yes.
    Column("denied", Boolean, nullable=False, default=False, server_default=false()),
)

conversations = Table(
    "conversations",
    metadata,
    Column("id", String, primary_key=True),  # channel:chat#thread
    Column("channel", String, nullable=False),
    Column("chat_id", String, nullable=False),
    Column("thread_id", String, nullable=False, default=""),
    Column("kind", String, nullable=False),  # private group stateless
    Column("title", String, nullable=False, default=""),
    Column("session", Integer, nullable=False, default=1),  # grows with /new; old turns stay readable
    Column("person_id", String, nullable=True),  # who began it; the only one in a private one
    Column("unreachable", String, nullable=False, default=""),  # why nothing can be sent; "" is well
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
    Index(None, "channel", "updated_at"),
)

# What the bot keeps of a group to judge its messages. All topics of a chat share the names in it.
group_states = Table(
    "group_states",
    metadata,
    Column("conversation_id", String, ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, nullable=False),  # grows with each change
    Column("state", JSON, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
)

# What people set for a whole chat: mode, language, quiet hours.
chat_settings = Table(
    "chat_settings",
    metadata,
    Column("channel", String, primary_key=True),
    Column("chat_id", String, primary_key=True),
    Column("key", String, primary_key=True),
    Column("value", String, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("id", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("key", String, nullable=False),
    conversation_column(nullable=True),
    Column("payload", JSON, nullable=False),
    Column("status", String, nullable=False),
    Column("available_at", UtcTime, nullable=False),
    Column("holder", String, nullable=True),
    Column("lease_until", UtcTime, nullable=True),
    Column("token", Integer, nullable=False, default=0),
    Column("attempt", Integer, nullable=False, default=0),
    Column("failures", Integer, nullable=False, default=0),
    Column("result", JSON, nullable=True),
    Column("error", String, nullable=False, default=""),
    Column("created_at", UtcTime, nullable=False),
    Column("finished_at", UtcTime, nullable=True),
    UniqueConstraint("kind", "key"),
    Index(None, "status", "available_at"),
    Index(None, "conversation_id", "status"),
)

steps = Table(
    "steps",
    metadata,
    Column("run_id", String, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("key", String, primary_key=True),
    Column("status", String, nullable=False),  # prepared committed
    Column("result", JSON, nullable=True),
    Column("at", UtcTime, nullable=False),
)

inbox = Table(
    "inbox",
    metadata,
    Column("channel", String, primary_key=True),
    Column("external_id", String, primary_key=True),
    Column("run_id", String, nullable=False),
    Column("at", UtcTime, nullable=False),
)

messages = Table(
    "messages",
    metadata,
    Column("id", SerialId, primary_key=True, autoincrement=True),
    conversation_column(),
    Column("session", Integer, nullable=False),
    Column("role", String, nullable=False),  # user assistant
    Column("person_id", String, nullable=True),
    Column("name", String, nullable=False, default=""),
    Column("text", Text, nullable=False),
    Column("parts", JSON(none_as_null=True), nullable=True),  # attachments; None where there are none
    Column("run_id", String, nullable=True),
    Column("status", String, nullable=False, default="complete"),
    Column("at", UtcTime, nullable=False),
    Index(None, "conversation_id", "session", "id"),
    Index(None, "run_id"),
    Index(None, "person_id"),
)

# What stands for the older turns of a long conversation in prompts; the messages themselves stay.
summaries = Table(
    "summaries",
    metadata,
    Column("conversation_id", String, ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True),
    Column("session", Integer, primary_key=True, autoincrement=False),
    Column("first_id", BigInteger, nullable=False),  # the questions of the turns: from this one
    Column("last_id", BigInteger, nullable=False),  # to this one
    Column("text", Text, nullable=False),
    Column("messages", Integer, nullable=False),  # that it stands for
    Column("at", UtcTime, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("seq", SerialId, primary_key=True, autoincrement=True),
    Column("type", String, nullable=False),
    Column("run_id", String, nullable=True),
    conversation_column(nullable=True),
    Column("person_id", String, nullable=True),
    Column("at", UtcTime, nullable=False),
    Column("payload", JSON, nullable=False),
    Index(None, "run_id", "seq"),
    Index(None, "conversation_id", "seq"),
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("turn_id", String, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("part", Integer, primary_key=True),
    Column("message_ref", String, nullable=False),  # the channel's id of the message that was sent
    Column("text_hash", String, nullable=False),  # of the last text the channel confirmed
    Column("final", Boolean, nullable=False),
    Column("at", UtcTime, nullable=False),
)

# What a chat refused, such as drafts or rich messages.
chat_abilities = Table(
    "chat_abilities",
    metadata,
    Column("channel", String, primary_key=True),
    Column("chat_id", String, primary_key=True),
    Column("ability", String, primary_key=True),
    Column("reason", String, nullable=False),
    Column("at", UtcTime, nullable=False),
)

memories = Table(
    "memories",
    metadata,
    # AUTOINCREMENT: an id is never given twice, so a vector of a deleted memory can't fit a newer one.
    Column("id", SerialId, primary_key=True, autoincrement=True),
    Column("scope", String, nullable=False),  # who may see it: person:… or conversation:…
    Column("at", UtcTime, nullable=False),  # when it was said
    Column("conversation_id", String, nullable=True),
    Column("message_id", BigInteger, nullable=True),  # the message it is, where it is one
    Column("person_id", String, nullable=True),
    Column("kind", String, nullable=False),  # working episodic semantic procedural artifact governance
    Column("role", String, nullable=False),
    Column("name", String, nullable=False, default=""),
    Column("source", String, nullable=False, default=""),  # where it came from, e.g. message:12
    Column("importance", Float, nullable=False, default=0.0),
    Column("created_at", UtcTime, nullable=False),
    Column("text", Text, nullable=False),  # the columns above are read without it
    Column("status", String, nullable=False, server_default="active"),  # active superseded
    Column("visibility", String, nullable=False, server_default="private"),  # private workspace public
    Column("confidence", Float, nullable=False, server_default="1"),  # 0 to 1
    Column("provenance", JSON, nullable=True),  # what it was drawn from, e.g. ["message:12"]
    # What a statement is about ("favourite food" of a person) and what it says of it. Two statements
    # about the same contradict each other, and the newer closes the older.
    Column("slot", String, nullable=False, server_default=""),
    Column("value", Text, nullable=False, server_default=""),
    Column("version", Integer, nullable=False, server_default="1"),  # of what is said about a slot
    Column("supersedes", BigInteger, nullable=True),  # the id of the version before
    Column("true_from", UtcTime, nullable=True),
    Column("true_until", UtcTime, nullable=True),
    Column("expires_at", UtcTime, nullable=True),  # nobody is told it from then on
    Index(None, "scope", "at"),
    Index(None, "scope", "id"),  # a talk in the order it was said
    Index(None, "scope", "name"),
    Index(None, "conversation_id"),
    Index(None, "person_id", "kind"),
    Index(None, "scope", "slot"),
    sqlite_autoincrement=True,
)

# What people set for what is remembered of them.
memory_people = Table(
    "memory_people",
    metadata,
    Column("person_id", String, primary_key=True),
    Column("paused", Boolean, nullable=False, default=False, server_default=false()),
    Column("updated_at", UtcTime, nullable=False),
)

# What somebody was shown and may now let be forgotten.
memory_wishes = Table(
    "memory_wishes",
    metadata,
    Column("code", String, primary_key=True),
    Column("person_id", String, nullable=False),
    Column("wish", JSON, nullable=False),  # ids only, never words
    Column("expires_at", UtcTime, nullable=False),
    Index(None, "person_id"),
)

memory_vectors = Table(
    "memory_vectors",
    metadata,
    Column("memory_id", SerialId, ForeignKey("memories.id", ondelete="CASCADE"), primary_key=True),
    Column("model_id", String, primary_key=True),
    Column("vector", LargeBinary, nullable=False),  # float32, little endian, unit length
)

# The signs of a vector's numbers, kept together by model and scope: a scan of them finds the candidates
# of which the vectors proper are compared. Model and scope stand here as 64-bit hashes.
memory_codes = Table(
    "memory_codes",
    metadata,
    Column("model", BigInteger, primary_key=True, autoincrement=False),
    Column("scope", BigInteger, primary_key=True, autoincrement=False),
    Column("memory_id", SerialId, ForeignKey("memories.id", ondelete="CASCADE"), primary_key=True),
    Column("at", UtcTime, nullable=False),
    Column("bits", LargeBinary, nullable=False),
    Index(None, "memory_id"),
    sqlite_with_rowid=False,
)

memory_models = Table(
    "memory_models",
    metadata,
    Column("model_id", String, primary_key=True),
    Column("told", LargeBinary, nullable=False),  # float32: the mean vector of everyday statements
    Column("asked", LargeBinary, nullable=False),  # and of everyday questions
)

# What somebody wishes for later. A job stands in the conversation that it speaks to.
jobs = Table(
    "jobs",
    metadata,
    Column("id", String, primary_key=True),
    conversation_column(),
    Column("person_id", String, nullable=False),  # whose it is
    Column("for_name", String, nullable=False, default=""),  # another member of the group, by name
    Column("kind", String, nullable=False),  # reminder agent
    Column("text", Text, nullable=False),  # what is said, or what is to be done
    Column("locale", String, nullable=False, default=""),
    Column("state", String, nullable=False),  # active paused completed missed
    Column("reason", String, nullable=False, default=""),  # why it is paused; "" for a person did it
    Column("zone", String, nullable=False),
    Column("at", UtcTime, nullable=True),  # exactly one of these three
    Column("rrule", String, nullable=False, default=""),
    Column("cron", String, nullable=False, default=""),
    Column("plan", JSON, nullable=False),  # the rest of when it fires
    Column("next_due", UtcTime, nullable=True),
    Column("snoozed_until", UtcTime, nullable=True),
    Column("last_due", UtcTime, nullable=True),
    Column("last_error", String, nullable=False, default=""),
    Column("failures", Integer, nullable=False, default=0),  # in a row
    Column("fired", Integer, nullable=False, default=0),
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
    Index(None, "state", "next_due"),
    Index(None, "conversation_id"),
    Index(None, "person_id", "state"),
)

# One due time of a job. The key makes it one for all processes; the run that does it has the lease and
# the fencing token.
firings = Table(
    "firings",
    metadata,
    Column("job_id", String, ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("due", UtcTime, primary_key=True),
    Column("state", String, nullable=False),  # open done failed missed
    Column("kind", String, nullable=False),  # of the job: reminder agent
    Column("run_id", String, nullable=True),  # of its newest attempt
    Column("attempt", Integer, nullable=False, default=0),
    Column("retry_at", UtcTime, nullable=True),  # when the next attempt begins
    Column("error", String, nullable=False, default=""),
    Column("at", UtcTime, nullable=False),  # when it fired
    Column("ended_at", UtcTime, nullable=True),
    Index(None, "state", "kind"),
    Index(None, "run_id"),
)

# The secret addresses at which people's calendars read their jobs; the secrets are kept as hashes.
job_feeds = Table(
    "job_feeds",
    metadata,
    Column("secret_hash", String, primary_key=True),
    Column("person_id", String, nullable=False, unique=True),
    Column("created_at", UtcTime, nullable=False),
)

# What is asked of a person about a wish for later, until it is answered: it outlasts restarts.
job_drafts = Table(
    "job_drafts",
    metadata,
    Column("code", String, primary_key=True),
    conversation_column(),
    Column("person_id", String, nullable=False),
    Column("kind", String, nullable=False),  # create change delete pick zone when
    Column("state", String, nullable=False),  # open offered confirmed cancelled replaced
    Column("data", JSON, nullable=False),
    Column("run_id", String, nullable=False),  # of the turn that showed it last
    Column("created_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime, nullable=False),
    Index(None, "conversation_id", "person_id"),
)

# Where people live, as far as clocks go. Until `until` they are in `zone`, then in `home` again.
person_zones = Table(
    "person_zones",
    metadata,
    Column("person_id", String, primary_key=True),
    Column("zone", String, nullable=False, default=""),
    Column("home", String, nullable=False, default=""),
    Column("until", UtcTime, nullable=True),
    Column("asked_at", UtcTime, nullable=True),  # they were asked, and need not be again
    Column("updated_at", UtcTime, nullable=False),
)

# The MCP servers, as they were when last heard of: another process can tell how they are.
mcp_servers = Table(
    "mcp_servers",
    metadata,
    Column("name", String, primary_key=True),
    Column("state", String, nullable=False),  # off starting ready waiting
    Column("error", String, nullable=False, default=""),
    Column("tools", Integer, nullable=False, default=0),
    Column("listed", Boolean, nullable=False),  # its tools were read at least once
    Column("at", UtcTime, nullable=False),
)

# Their tools, each pinned to what it said of itself when it was approved.
mcp_tools = Table(
    "mcp_tools",
    metadata,
    Column("server", String, primary_key=True),
    Column("tool", String, primary_key=True),
    Column("status", String, nullable=False),  # approved new changed blocked removed
    Column("digest", String, nullable=False),  # of the newest definition
    Column("definition", JSON, nullable=False),  # name, description, schema
    Column("approved_digest", String, nullable=True),
    Column("approved", JSON, nullable=True),
    Column("changed_at", UtcTime, nullable=False),
)
