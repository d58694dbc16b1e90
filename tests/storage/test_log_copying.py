"""The log of an SQLite database is copied beside the work of writers, never by one of them."""

import time
from pathlib import Path

import pytest
from sqlalchemy import text

from storage.engine import database_file
from storage.engine.database import open_database

LONGER_THAN_SQLITE_LETS_IT_BE = 8_000_000  # bytes: its own limit is 1,000 pages of 4,096
SAFETY_S = 60.0


def test_a_long_log_is_copied_by_no_writer_but_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With SQLite's own way an answer waited 1.5 s after a reader of long had let the log grow to 300 MB."""
    path = tmp_path / "capscope.db"
    for every_s in (1_000.0, 0.01):
        monkeypatch.setattr(database_file, "COPY_EVERY_S", every_s)
        database = open_database(f"sqlite:///{path}")
        before = path.stat().st_size
        with database.write() as connection:
            connection.execute(text("CREATE TABLE IF NOT EXISTS much (content)"))
            connection.execute(text(f"INSERT INTO much VALUES (zeroblob({LONGER_THAN_SQLITE_LETS_IT_BE}))"))
        with database.write() as connection:
            connection.execute(text("INSERT INTO much VALUES (1)"))
        if every_s > SAFETY_S:
            assert path.stat().st_size == before
        end = time.monotonic() + SAFETY_S
        while every_s < SAFETY_S and path.stat().st_size < before + LONGER_THAN_SQLITE_LETS_IT_BE:
            assert time.monotonic() < end
            time.sleep(0.01)
        database.close()
