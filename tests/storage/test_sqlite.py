"""How writers get along on SQLite: each takes its place at once, and waits there."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from queue import Queue

import pytest
from sqlalchemy import event, text

from tests.making import opened_again
from ui.services.workplace import Workplace


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


def test_a_connection_is_set_up_for_many_writers(birds: Workplace) -> None:
    with birds.repository.database.read() as connection:

        def pragma(name: str) -> object:
            return connection.scalar(text(f"PRAGMA {name}"))

        assert pragma("journal_mode") == "wal"
        assert pragma("foreign_keys") == 1
        assert pragma("busy_timeout") >= 5_000
        assert pragma("synchronous") == 2  # FULL: an acknowledged answer survives a power cut


def test_a_writing_transaction_takes_its_place_at_once_and_a_reading_one_does_not(birds: Workplace) -> None:
    begun: list[str] = []
    database = birds.repository.database
    with database.write() as connection:
        connection.connection.dbapi_connection.set_trace_callback(begun.append)
    with database.write():
        pass
    with database.read():
        pass
    assert [statement for statement in begun if statement.startswith("BEGIN")] == ["BEGIN IMMEDIATE", "BEGIN"]


def test_a_writer_who_has_only_read_so_far_lets_no_other_process_between(birds: Workplace) -> None:
    """Without a place taken at the start, the second one here would end with "database is locked" at once."""
    steps = Queue[str]()
    other = opened_again(birds)  # takes no turns with the first, like another process

    @event.listens_for(other.database.engine, "checkout")
    def tell_statements(connection: sqlite3.Connection, *_: object) -> None:
        connection.set_trace_callback(steps.put)

    def second() -> None:
        with other.database.write() as connection:
            notice = connection.scalar(text("SELECT notice FROM datasets"))
            steps.put("has read")
            connection.execute(text("UPDATE datasets SET notice = :next"), {"next": f"{notice}, second"})

    with ThreadPoolExecutor(1) as pool:
        with birds.repository.database.write() as connection:
            connection.scalar(text("SELECT notice FROM datasets"))
            waiting = pool.submit(second)
            while steps.get(timeout=60) not in ("BEGIN IMMEDIATE", "has read"):
                pass
            connection.execute(text("UPDATE datasets SET notice = 'first'"))
        waiting.result()
    assert birds.repository.samples.datasets()[0].notice == "first, second"
    other.close()
