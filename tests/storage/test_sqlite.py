"""How writers get along on SQLite: each takes its place at once, and waits there."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from core.errors import StorageBusy
from ui.services.workplace import DATABASE, Workplace

ROOT = Path(__file__).resolve().parents[2]


def test_a_connection_is_set_up_for_many_writers(birds: Workplace) -> None:
    with birds.repository.database.read() as connection:

        def pragma(name: str) -> object:
            return connection.scalar(text(f"PRAGMA {name}"))

        assert pragma("journal_mode") == "wal"
        assert pragma("foreign_keys") == 1
        assert pragma("busy_timeout") >= 5_000
        assert pragma("synchronous") == 2  # FULL: an acknowledged answer survives a power cut


def test_only_writing_that_need_not_last_yet_waits_for_no_disk(birds: Workplace) -> None:
    database = birds.repository.database
    for lasting in (True, False, True):
        with database.write(lasting=lasting) as connection:
            assert connection.scalar(text("PRAGMA synchronous")) == (2 if lasting else 1)


def test_a_writer_finds_each_pause_of_more_than_two_milliseconds(
    birds: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite's own wait looks after 1, 2, 5 ... 100 ms, and missed the pauses of long work in another process."""
    waits, looks = list[float](), 50
    with closing(sqlite3.connect(birds.data_dir / DATABASE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        def wait(seconds: float) -> None:
            waits.append(seconds)
            if len(waits) == looks:
                other.execute("ROLLBACK")

        monkeypatch.setattr("storage.engine.sqlite.time.sleep", wait)
        with birds.repository.database.write():
            pass
    assert len(waits) == looks and max(waits) <= 0.002


def test_a_writer_without_patience_is_told_and_the_next_one_writes(birds: Workplace) -> None:
    database = birds.repository.database
    with database.write(), pytest.raises(StorageBusy), database.write(patience_s=0.01):
        pass
    with closing(sqlite3.connect(birds.data_dir / DATABASE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageBusy), database.write(patience_s=0.01):
            pass
    with database.write(patience_s=0.01) as connection:
        connection.execute(text("UPDATE datasets SET notice = 'written'"))
    assert birds.repository.samples.datasets()[0].notice == "written"
