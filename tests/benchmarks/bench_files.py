"""Import of 200,000 rows beside pandas doing the same, of the 4,237-row file of Polaris with explanations, and export
of 48,000 ratings in every form.

Each runs in a process of its own, so that peak memory is its own; imports of libraries and the making of data are
left out of the times.
"""

import csv
import json
import multiprocessing
import os
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from core.studies.asking.shipped_forms import form_named
from core.studies.results.export import SUFFIXES
from tests.benchmarks.memory import peak_mb
from tests.benchmarks.rows import Row
from tests.benchmarks.studies import make_study, workplace
from ui.services.importing.importing import import_files
from ui.services.studies import study_actions as services

CRITERIA = form_named("expert-single").criteria
ITEMS, RATERS = 800, 20  # 48,000 ratings with three criteria
EXPORT_MOST_S = 5.0
TABLE, TABLE_ROWS, TABLE_MOST_S, TABLE_MOST_MB = "rows.csv", 200_000, 60.0, 400.0
WORDS = "a the red blue dog cat man woman bus street table sofa runs sits stands on near with of two green".split()
SHARED = Path(os.environ.get("CAPSCOPE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
POLARIS = SHARED / "data" / "expert" / "polaris_exp_val.json"
Spent = tuple[int, float, float, float]  # what was counted, seconds, of the processor too, MB the memory grew by
Work = Callable[[Path], Spent]
_TIME = "2026-01-01 12:00:00.000000"


def run() -> list[Row]:
    """Import, then export."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return [*_table_imported(folder / "table"), _imported(folder / "import"), *_exported(folder / "export")]


def _table_imported(folder: Path) -> list[Row]:
    folder.mkdir()
    words = random.Random(0)
    with (folder / TABLE).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "image", "caption", "references", "human", "score:CIDEr", "score:CLIPScore"])
        for n in range(TABLE_ROWS):
            texts = [" ".join(words.choices(WORDS, k=11)) for _ in range(4)]
            numbers = [round(words.random(), 6) for _ in range(3)]
            writer.writerow([n, f"{n // 5}.jpg", f"{texts[0]} {n}.", json.dumps(texts[1:]), *numbers])
    count, seconds, busy, grown = _apart(_import_table, folder)
    _, by_pandas, busy_pandas, grown_pandas = _apart(_by_pandas, folder)
    note = f"{busy:.1f} s of processor time; pandas from CSV to SQLite {by_pandas:.1f} s, {busy_pandas:.1f} s"
    what = f"import of {count:,} rows of CSV"
    memory = f"beside libraries; pandas {grown_pandas:.0f} MB"
    return [
        Row(what, seconds, "s", most=TABLE_MOST_S, holds=count == TABLE_ROWS, note=note),
        Row(f"{what}, memory", grown, "MB", most=TABLE_MOST_MB, note=memory),
    ]


def _import_table(folder: Path) -> Spent:
    with workplace(folder / "ours") as place:
        return _spent(lambda: import_files(place, "csv", [folder / TABLE]).counts.samples)


def _by_pandas(folder: Path) -> Spent:
    import pandas

    def copied() -> int:
        with sqlite3.connect(folder / "pandas.db") as connection:
            return int(pandas.read_csv(folder / TABLE).to_sql("samples", connection) or 0)

    return _spent(copied)


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
        joined = [(1, r, r - 1) for r in _raters()]
        connection.executemany("INSERT INTO participations (study_id, rater_id, number) VALUES (?, ?, ?)", joined)
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
