"""Define naming rules for constraints, and column types that work in SQLite and PostgreSQL."""

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


LONG = BigInteger().with_variant(Integer, "sqlite")  # SQLite's integers always have up to 64 bits


def where(condition: str) -> dict[str, Any]:
    """Return the arguments that limit an index to rows that meet a condition."""
    return {"sqlite_where": text(condition), "postgresql_where": text(condition)}


def as_text(json_column: Any) -> Cast[str]:
    """Return a JSON column as its stored text.

    Comparing the texts is faster than parsing the values.
    """
    return cast(json_column, String)


NEVER = "never"  # stamp of settings that nobody has changed


class Table(DeclarativeBase):
    """Base of all tables."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map = {dict[str, Any]: JSON, list[Any]: JSON}
