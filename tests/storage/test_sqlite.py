"""How writers get along on SQLite: each takes its place at once, and waits there."""

import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from core.errors import StorageBusy
from tests.making import address, make_study
from ui.services.workplace import DATABASE, Workplace

ROOT = Path(__file__).resolve().parents[2]
PROCESSES = 2
COUNT_UP = """
import sys
from pathlib import Path
from storage import open_repository
from storage.study_types import Rater, Save

repository = open_repository(sys.argv[1])
rater = repository.raters.add(sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
done = 0
for place in range(1, int(sys.argv[3]) + 1):
    (item,) = repository.desk.queue(1, rater, place, 1).items
    save = Save(f"key-{place:08}", item.id, "rating", 0, panel=1, criterion="consistency", point=1 + place % 4)
    done += repository.save(rater, [save]) == (None,)
print(done)
"""


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


def test_processes_that_read_then_write_never_find_the_database_locked_and_lose_nothing(birds: Workplace) -> None:
    study, items = make_study(birds), 10
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", COUNT_UP, address(birds), f"K{n}", str(items)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for n in range(PROCESSES)
    ]
    assert [worker.stdout.readline() for worker in workers] == ["ready\n"] * PROCESSES
    for worker in workers:  # all are let go once all are ready
        worker.stdin.write("go\n")
        worker.stdin.flush()
    results = [worker.communicate(timeout=180) for worker in workers]
    assert results == [(f"{items}\n", "")] * PROCESSES
    records = list(birds.repository.studies.records(study.id))
    assert Counter(record.rater for record in records) == {f"K{n}": items for n in range(PROCESSES)}
