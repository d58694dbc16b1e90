"""What all tables share: how constraints are called, and types that both databases have."""

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Cast,
    Integer,
    MetaData,
    String,
    cast,
    text,
)
from sqlalchemy.orm import DeclarativeBase

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


LONG = BigInteger().with_variant(Integer, "sqlite")  # SQLite's numbers have 64 bits wherever they are needed


def where(sqlite: str, postgresql: str | None = None) -> dict[str, Any]:
    """Return the arguments of an index that holds only the rows of a condition; postgresql: as for SQLite if None."""
    return {"sqlite_where": text(sqlite), "postgresql_where": text(postgresql or sqlite)}


def as_text(json_column: Any) -> Cast[str]:
    """Return what a JSON column holds as the text that was stored: what is only compared need not be parsed."""
    return cast(json_column, String)


class Table(DeclarativeBase):
    """Base of all tables."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map = {dict[str, Any]: JSON, list[Any]: JSON}
