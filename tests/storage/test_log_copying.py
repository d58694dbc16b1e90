"""The log of an SQLite database is copied beside the work of writers, never by one of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from storage.engine.database import Database, open_database
from storage.engine.database_file import COPY_EVERY as EVERY
from storage.engine.short_transactions import COPY_EVERY, Portions

LONGER_THAN_SQLITE_LETS_IT_BE = 8_000_000  # bytes: its own limit is 1,000 pages of 4,096


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "capscope.db"


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    opened = open_database(f"sqlite:///{path}")
    with opened.write() as connection:
        connection.execute(text("CREATE TABLE much (content)"))
    yield opened
    opened.close()


def _write_much(database: Database, lasting: bool) -> None:
    with database.write(lasting=lasting) as connection:
        connection.execute(text(f"INSERT INTO much VALUES (zeroblob({LONGER_THAN_SQLITE_LETS_IT_BE}))"))


def test_a_writer_who_waits_for_the_disk_does_not_copy_a_long_log(database: Database, path: Path) -> None:
    """With SQLite's own way an answer waited 1.5 s after a reader of long had let the log grow to 300 MB."""
    before = path.stat().st_size
    _write_much(database, lasting=True)
    _write_much(database, lasting=True)
    assert path.stat().st_size == before


def test_the_log_is_copied_after_some_transactions(database: Database, path: Path) -> None:
    _write_much(database, lasting=True)
    for _ in range(EVERY):
        with database.write() as connection:
            connection.execute(text("INSERT INTO much VALUES (1)"))
    assert database._file is not None
    database._file.close()  # waits for who copies; the other connections stay open
    assert path.stat().st_size > LONGER_THAN_SQLITE_LETS_IT_BE


def test_long_work_copies_the_log_between_its_transactions(database: Database, path: Path) -> None:
    portions = Portions(database)
    for _ in range(COPY_EVERY):
        with portions.write() as connection:
            connection.execute(text(f"INSERT INTO much VALUES (zeroblob({LONGER_THAN_SQLITE_LETS_IT_BE // 20}))"))
    before = path.stat().st_size
    with portions.write():
        assert path.stat().st_size > before + LONGER_THAN_SQLITE_LETS_IT_BE


def test_a_log_that_cannot_be_copied_stops_nobody(database: Database) -> None:
    assert database._file is not None
    database._file._anchor.close()
    database.copy_log()
    with database.write() as connection:
        connection.execute(text("INSERT INTO much VALUES (1)"))


def test_the_log_is_copied_while_others_hold_the_database(database: Database, path: Path) -> None:
    _write_much(database, lasting=True)
    with database.write():
        database.copy_log()
        assert path.stat().st_size > LONGER_THAN_SQLITE_LETS_IT_BE
