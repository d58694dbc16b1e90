"""Copy all rows of a database into another one of the same or another kind."""

from collections.abc import Iterator

from sqlalchemy import Connection, Table, func, insert, select

from core.errors import AlreadyExists, BadData
from storage.engine.database import Database
from storage.rating.assignment.item_holders import UNCOUNTED, count_takers
from storage.tables import DatasetCountRow
from storage.tables import Table as Ours

AT_A_TIME = 1_000  # rows


def copy_rows(source: Connection, target: Database) -> dict[str, int]:
    """Copy all rows that a transaction sees into an empty database.

    Either all rows are copied or none. Return the number of rows; key: table. Raises AlreadyExists if the target has
    rows, and BadData if fewer rows arrived than were read.
    """
    counted = DatasetCountRow.__table__  # not copied, because triggers count the samples and scores that are inserted
    # Sorted so that each table comes after the tables to which it refers.
    tables = [table for table in Ours.metadata.sorted_tables if table is not counted]
    with target.write() as connection:
        filled = {name: rows for name, rows in _counts(connection, tables).items() if rows}
        if filled:
            listing = ", ".join(f"{name} ({rows:,})" for name, rows in filled.items())
            raise AlreadyExists(f"The target database already contains data: {listing}. Choose an empty database.")
        for table in tables:
            for rows in _read(source, table):
                if table.name == "items":
                    rows = [row | {"takers": UNCOUNTED} for row in rows]
                connection.execute(insert(table), rows)
            if table.autoincrement_column is not None:
                target.dialect.count_on(connection, table.name)
        count_takers(connection)
        there, here = _counts(source, tables), _counts(connection, tables)
        if there != here:
            differing = [f"{name}: {there[name]:,} and {here[name]:,}" for name in there if there[name] != here[name]]
            raise BadData(f"the databases have different numbers of rows: {'; '.join(differing)}; nothing was moved")
    return here


def _counts(connection: Connection, tables: list[Table]) -> dict[str, int]:
    return {table.name: connection.scalar(select(func.count()).select_from(table)) or 0 for table in tables}


def _read(connection: Connection, table: Table) -> Iterator[list[dict[str, object]]]:
    """Yield the rows of a table in batches, in key order."""
    query = select(table).order_by(*table.primary_key.columns)
    result = connection.execute(query, execution_options={"yield_per": AT_A_TIME}).mappings()
    for rows in result.partitions():
        yield [dict(row) for row in rows]
