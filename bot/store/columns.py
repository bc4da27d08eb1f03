"""What tables are made of: the one schema, and the kinds of columns that more than one table has."""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, MetaData, String, TypeDecorator
from sqlalchemy.engine import Dialect
from typing_extensions import override

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class UtcTime(TypeDecorator[datetime]):
    """A moment, kept as whole microseconds since 1970 UTC: it sorts, compares and never loses a zone."""

    impl = BigInteger
    cache_ok = True

    @override
    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        return None if value is None else (value - _EPOCH) // _MICROSECOND

    @override
    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        return None if value is None else moment(value)


def moment(stored: int) -> datetime:
    """The moment that a `UtcTime` column holds, for statements whose columns have no types."""
    return _EPOCH + stored * _MICROSECOND


# SQLite grows an INTEGER PRIMARY KEY by itself; BIGINT would not.
SerialId = BigInteger().with_variant(Integer, "sqlite")


def conversation_column(*, nullable: bool = False) -> Column[Any]:
    return Column(
        "conversation_id",
        String,
        ForeignKey("conversations.id", ondelete="CASCADE"),
        nullable=nullable,
    )
