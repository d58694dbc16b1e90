"""How long writing takes, and how long raters' saves wait meanwhile: scores, copies, deletions, bundles.

Raters save in a process of their own and in threads of this one, as in a server that does the work. Beside their waits
stand those of the same raters while nobody else writes: on a machine that does other work, too, these may be longer
than the limit already.
"""

import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

from sqlalchemy import select

from core.metrics.evaluator import Evaluator
from core.models import ModelSettings
from core.studies.planning.study_request import StudyRequest
from storage.data.hidden import hide
from storage.tables import DatasetRow
from storage.types import Search
from tests.benchmarks.growth import DATASET, large_data, rows, sizes, slope
from tests.benchmarks.growth_killed import Named
from tests.benchmarks.growth_killed import run as killed
from tests.benchmarks.rows import Row
from tests.benchmarks.studies import workplace
from tests.benchmarks.waiting import Waits, make_rated_study, other_process, this_process
from ui.services.scoring.score_runs import run_scoring
from ui.services.scoring.scoring_plan import plan_scoring
from ui.services.studies.actions import create_study
from ui.services.transfer.bundle import import_bundle, write_bundle
from ui.services.workplace import DATABASE, Workplace

LEAST_A_SECOND = 5_000.0
MOST_COPY_S = {100_000: 1.0, 1_000_000: 8.0}
MOST_WAIT_MS = 100.0
LARGEST_BUNDLE = 100_000  # samples: a bundle is read into a database of its own first
MEANWHILE = 20_000  # samples that are scored while raters save
ALONE_S = 3.0
ITEMS = 1_000  # of the bundle's study

_PLAIN_SCORE = """INSERT INTO scores (sample_id, metric, signature, value, scale_low, scale_high, components,
  rationales, phrases, regions, explained) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_PLAIN_DATASET = "INSERT INTO datasets (name, notice, created_at) VALUES ('plain', '', '2026-01-01 12:00:00.000000')"

Waited = dict[str, tuple[Waits, Waits]]  # by work: of the raters of another process, and of this one


def run() -> list[Row]:
    """Measure at each size, then kill the same work at many moments."""
    score, copy, plain_score, plain_copy = ({} for _ in range(4))
    waits: list[Row] = []
    for size in sizes():
        with tempfile.TemporaryDirectory() as name:
            data = Path(name)
            large_data(data, size)
            plain_score[size], plain_copy[size] = _plainly(data, _score_plainly), _plainly(data, _copy_plainly)
            with workplace(data) as place:
                make_rated_study(place, data / "rated")
                score[size] = _timed(partial(_score, place, "alone", size))
                copy[size] = _timed(partial(_copy, place, "alone"))
                waits += _waits(place, size)
    grows = slope(score)
    rated = [
        Row(
            f"score with a trivial metric, {size:,}", size / seconds, "samples/s", size / plain_score[size],
            "sqlite3, batches of 1,000", least=LEAST_A_SECOND,
            note=f"slope {grows:.2f}" if grows is not None and size == max(score) else "",
        )
        for size, seconds in score.items()
    ]  # fmt: skip
    copied = rows("data set out of a whole list", copy, MOST_COPY_S, plain_copy, "INSERT ... SELECT at once")
    return [*rated, *copied, *waits, *killed()]


def _waits(place: Workplace, size: int) -> list[Row]:
    """Return how long saves wait while others write, beside how long they wait while nobody does."""
    waited: Waited = {"nothing": _meanwhile(place, lambda: time.sleep(ALONE_S))}
    waited["a score run"] = _meanwhile(place, lambda: _score(place, "meanwhile", MEANWHILE))
    waited["a copy"] = _meanwhile(place, lambda: _copy(place, "meanwhile"))
    waited["a deletion of a data set"] = _meanwhile(place, lambda: _delete(place, "meanwhile"))
    if size <= LARGEST_BUNDLE:
        study = create_study(place, StudyRequest("captions", DATASET, seed=0, form="thumb", size=ITEMS))
        write_bundle(place, study, place.data_dir / "study.zip")
        waited["a bundle"] = _meanwhile(
            place, lambda: import_bundle(place, place.data_dir / "study.zip", "taken in", "taken in")
        )
    alone = waited.pop("nothing")
    return [
        Row(
            f"p99 of saves in {where} during {what}, {size:,}", waits.p99, "ms", before.p99, "nobody else",
            most=MOST_WAIT_MS, holds=waits.is_sound, note=waits.note,
        )
        for what, both in waited.items()
        for where, waits, before in zip(("another process", "the same process"), both, alone, strict=True)
    ]  # fmt: skip


def _meanwhile(place: Workplace, work: Callable[[], object]) -> tuple[Waits, Waits]:
    with other_process(place.data_dir, 3) as others, this_process(place.repository, place.data_dir, 3) as ours:
        work()
    return others.waits(), ours.waits()


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _score(place: Workplace, signature: str, limit: int) -> None:
    Named.run = signature
    evaluator = Evaluator((Named,))
    run_scoring(place, evaluator, plan_scoring(place, evaluator, Named.name, DATASET, ModelSettings(), limit))


def _copy(place: Workplace, name: str) -> None:
    place.repository.copy_samples(DATASET, place.repository.samples.ids(Search(DATASET)), name)


def _delete(place: Workplace, name: str) -> None:
    database = place.repository.database
    with database.write() as connection:
        hide(connection, connection.scalars(select(DatasetRow.id).where(DatasetRow.name == name)).one())
    place.repository.delete_hidden()


def _plainly(data: Path, work: Callable[[sqlite3.Connection], None]) -> float:
    """Return how long sqlite3 alone takes for the same on a copy of the database."""
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / DATABASE
        shutil.copyfile(data / DATABASE, copy)
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            connection.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON")
            return _timed(lambda: work(connection))


def _score_plainly(connection: sqlite3.Connection) -> None:
    samples = connection.cursor().execute("SELECT id, candidate FROM samples ORDER BY id")
    while some := samples.fetchmany(1_000):
        scores = [(one, "Plain", "Plain|1", len(text), 0, 100, "{}", "{}", "[]", "[]", 0) for one, text in some]
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(_PLAIN_SCORE, scores)
        connection.execute("COMMIT")


def _copy_plainly(connection: sqlite3.Connection) -> None:
    """Copy the only data set with numbers that lie as far apart everywhere."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(_PLAIN_DATASET)
    (made,) = connection.execute("SELECT max(id) FROM datasets").fetchone()
    moved = {"dataset_id": str(made)}
    for table, number in (("images", "image_id"), ("samples", "sample_id"), ("scores", "")):
        (largest,) = connection.execute(f"SELECT max(id) FROM {table}").fetchone()
        names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        moved["id"] = f"id + {largest}"
        values = ", ".join(moved.get(name, f'"{name}"') for name in names)
        connection.execute(f"INSERT INTO {table} SELECT {values} FROM {table}")
        moved[number] = f"{number} + {largest}"
    connection.execute("COMMIT")
