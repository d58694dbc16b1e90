"""Import of the 4,237-row file of Polaris with explanations, and export of 48,000 ratings in every form.

Each runs in a process of its own, so that peak memory is its own; imports of libraries and the making of data are
left out of the times.
"""

import json
import multiprocessing
import os
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from core.studies.export import SUFFIXES
from core.studies.shipped_forms import form_named
from tests.benchmarks.memory import peak_mb
from tests.benchmarks.rows import Row
from tests.benchmarks.studies import make_study, workplace
from ui.services import studies as services
from ui.services.imports import import_files

CRITERIA = form_named("expert-single").criteria
ITEMS, RATERS = 800, 20  # 48,000 ratings with three criteria
EXPORT_MOST_S = 5.0
SHARED = Path(os.environ.get("CAPSCOPE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
POLARIS = SHARED / "data" / "expert" / "polaris_exp_val.json"
Spent = tuple[int, float, float, float]  # what was counted, seconds, of the processor too, MB the memory grew by
Work = Callable[[Path], Spent]
_TIME = "2026-01-01 12:00:00.000000"


def run() -> list[Row]:
    """Import, then export."""
    with tempfile.TemporaryDirectory() as name:
        return [_imported(Path(name) / "import"), *_exported(Path(name) / "export")]


def _imported(data_dir: Path) -> Row:
    if not POLARIS.is_file():
        return Row("import of polaris_exp_val.json", None, "rows/s", note=f"needs {POLARIS}")
    samples, seconds, busy, _ = _apart(_import, data_dir)
    note = f"{seconds:.1f} s, {busy:.1f} s of it processor time"
    return Row(f"import of {samples:,} rows", samples / seconds, "rows/s", note=note)


def _exported(data_dir: Path) -> list[Row]:
    with workplace(data_dir) as place:
        make_study(place, data_dir / "files", ITEMS)
    _rate_everything(data_dir / "capscope.db")
    rows = []
    for suffix in SUFFIXES:
        count, seconds, busy, grown = _apart(_export, data_dir / f"ratings{suffix}")
        note = f"processor time {busy:.1f} s, memory +{grown:.0f} MB"
        whole = count == ITEMS * RATERS * len(CRITERIA)
        what = f"export of {count:,} ratings to {suffix}"
        rows.append(Row(what, seconds, "s", most=EXPORT_MOST_S, holds=whole, note=note))
    return rows


def _apart(work: Work, path: Path) -> Spent:
    """Run a piece of work in a fresh process."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, (path,))


def _import(data_dir: Path) -> Spent:
    with workplace(data_dir) as place:
        return _spent(lambda: import_files(place, "polaris-exp", [POLARIS]).counts.samples)


def _export(path: Path) -> Spent:
    import pyarrow.parquet  # noqa: F401 - a library's start is not the export's

    with workplace(path.parent) as place:
        (study,) = place.repository.studies.all()
        return _spent(lambda: services.export_study(place, study, path))


def _spent(work: Callable[[], int]) -> Spent:
    before, start, busy = peak_mb(), time.perf_counter(), time.process_time()
    count = work()
    return count, time.perf_counter() - start, time.process_time() - busy, peak_mb() - before


def _rate_everything(database: Path) -> None:
    """Let 20 raters answer everything: the rows that saving would write, in bulk."""
    numbers = random.Random(0)
    with sqlite3.connect(database) as connection:
        query = "SELECT items.id, score_id FROM items JOIN item_scores ON item_id = items.id WHERE study_id = 1"
        items = connection.execute(f"{query} ORDER BY items.place").fetchall()
        connection.executemany("INSERT INTO raters VALUES (?, ?, ?)", [(r, f"R{r}", _TIME) for r in _raters()])
        joined = [(1, r, r - 1, len(items)) for r in _raters()]
        connection.executemany("INSERT INTO participations VALUES (?, ?, ?, ?)", joined)
        given = [
            (f"{r}-{item}", 1, item, r, place, json.dumps([score]), _TIME, _TIME, "")
            for r in _raters()
            for place, (item, score) in enumerate(items, 1)
        ]
        assignment = "id, study_id, item_id, rater_id, place, panels, revealed_at, finished_at, note"
        connection.executemany(f"INSERT INTO assignments ({assignment}) VALUES (?,?,?,?,?,?,?,?,?)", given)
        ratings = [
            (item, score, r, c.key, 1, min(c.points), max(c.points), numbers.randint(1, 4), _TIME, _TIME, 9_000)
            for r in _raters()
            for item, score in items
            for c in CRITERIA
        ]
        rating = "item_id, score_id, rater_id, criterion, study_id, lowest, highest, point, started_at, submitted_at"
        connection.executemany(f"INSERT INTO ratings ({rating}, duration_ms) VALUES (?,?,?,?,?,?,?,?,?,?,?)", ratings)


def _raters() -> range:
    return range(1, RATERS + 1)
