"""Importing tables of 10,000 to 1,000,000 samples: time, memory, the same file again, and raters' waits meanwhile.

Each import is a process of its own, as on the command line and by the page. As a program:
`python -m tests.benchmarks.growth_import DATA_DIR FILE DATASET` imports a file and tells seconds and MB as JSON.
"""

import csv
import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from tests.benchmarks.growth import CAPTIONS_A_PICTURE, METRICS, STEPS, rows, sizes
from tests.benchmarks.memory import peak_mb
from tests.benchmarks.rows import Row
from tests.benchmarks.serving import ROOT
from tests.benchmarks.studies import make_study, workplace
from tests.benchmarks.waiting import ITEMS, raters_at_work
from ui.services.importing.importing import import_files

MOST_S = {100_000: 20.0, 1_000_000: 200.0}
MOST_AGAIN_S = {100_000: 10.0}
MOST_MB = {10_000: 300.0, 100_000: 300.0, 1_000_000: 500.0}
MOST_WAIT_MS = 100.0
FORMS = ("csv", "jsonl", "parquet")  # names of formats and endings, but for Parquet
_FORMATS = {"parquet": "huggingface"}
_REFERENCES = ["a dog near a table", "one cat on the street"]
_AT_A_TIME = 10_000


def run() -> list[Row]:
    """Import each form at each size, the CSV once more, and the CSV while raters save."""
    seconds: dict[str, dict[int, float]] = {form: {} for form in FORMS}
    again, plain, waits = dict[int, float](), dict[int, float](), list[Row]()
    memory: dict[str, dict[int, float]] = {form: {} for form in FORMS}
    for size in sizes():
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for form in FORMS:
                file = write(folder, form, size)
                seconds[form][size], memory[form][size] = _imported(folder / form, file)
                if form == "csv":
                    again[size], _ = _imported(folder / form, file)
                    plain[size] = _plainly(file, folder / "plain.db")
                    waits.append(_waited(folder / "waits", file, size))
    timed = [
        row
        for form in FORMS
        for row in rows(f"import {form}", seconds[form], MOST_S, plain, "csv and sqlite3 at once", _notes(memory[form]))
    ]
    peaks = [
        Row(f"import {form}, peak memory, {size:,}", mb, "MB", most=MOST_MB.get(size))
        for form in FORMS
        for size, mb in memory[form].items()
    ]
    return [*timed, *peaks, *rows("import csv, the same file again", again, MOST_AGAIN_S), *waits]


def write(folder: Path, form: str, size: int) -> Path:
    """Write a file of so many samples with two references, a human score and two metrics each."""
    file = folder / f"large-{size}.{form}"
    _WRITERS[form](file, size)
    return file


def _write_csv(file: Path, size: int) -> None:
    with file.open("w", newline="") as table:
        writer = csv.writer(table)
        writer.writerow(["id", "image", "caption", "references", "human", *(f"score:{metric}" for metric in METRICS)])
        for n in range(size):
            key, image, caption, human, scores = _sample(n)
            writer.writerow([key, image, caption, json.dumps(_REFERENCES), human, *scores])


def _write_jsonl(file: Path, size: int) -> None:
    with file.open("w") as lines:
        for n in range(size):
            lines.write(json.dumps(_object(n)) + "\n")


def _write_parquet(file: Path, size: int) -> None:
    schema = pa.Table.from_pylist([_object(0)]).schema
    with parquet.ParquetWriter(file, schema) as writer:
        for start in range(0, size, _AT_A_TIME):
            part = [_object(n) for n in range(start, min(start + _AT_A_TIME, size))]
            writer.write_table(pa.Table.from_pylist(part, schema))


_WRITERS: Mapping[str, Callable[[Path, int], None]] = {
    "csv": _write_csv,
    "jsonl": _write_jsonl,
    "parquet": _write_parquet,
}


def _sample(n: int) -> tuple[str, str, str, float, list[float]]:
    scores = [n * (7907 + place * 13) % 10007 / 10007 for place in range(len(METRICS))]
    return f"{n:07d}", f"{n // CAPTIONS_A_PICTURE:07d}.jpg", f"a red dog near number {n}", n % STEPS / 100, scores


def _object(n: int) -> dict[str, object]:
    key, image, caption, human, values = _sample(n)
    scores = [{"metric": metric, "value": value} for metric, value in zip(METRICS, values, strict=True)]
    own = {"id": key, "image": image, "caption": caption, "references": _REFERENCES}
    return own | {"human": human, "scores": scores}


def _imported(data_dir: Path, file: Path, dataset: str = "large") -> tuple[float, float]:
    """Import a file in a process of its own; returns its seconds, without those of starting, and its peak MB."""
    command = [sys.executable, "-m", "tests.benchmarks.growth_import", str(data_dir), str(file), dataset]
    told = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    return told["seconds"], told["mb"]


def _plainly(file: Path, database: Path) -> float:
    """Read the rows and insert them into one table in one transaction; returns the seconds."""
    start = time.perf_counter()
    with sqlite3.connect(database) as connection, file.open(newline="") as table:
        connection.execute("CREATE TABLE plain (id PRIMARY KEY, image, caption, refs, human, one, two)")
        reader = csv.reader(table)
        next(reader)
        connection.executemany("INSERT INTO plain VALUES (?, ?, ?, ?, ?, ?, ?)", reader)
    connection.close()
    return time.perf_counter() - start


def _waited(data_dir: Path, file: Path, size: int) -> Row:
    """Import while six raters save from another process; beside it, the same raters' waits with nothing else to do."""
    with workplace(data_dir) as place:
        make_study(place, data_dir / "rated", ITEMS)
    with raters_at_work(data_dir) as alone:
        time.sleep(3.0)
    with raters_at_work(data_dir) as waits:
        _imported(data_dir, file)
    is_sound = waits.lost == waits.refused == 0
    what = f"p99 of raters' saves in another process while a CSV is imported, {size:,}"
    return Row(what, waits.p99, "ms", alone.p99, "nothing", most=MOST_WAIT_MS, holds=is_sound, note=waits.note)


def _notes(memory: Mapping[int, float]) -> list[str]:
    return [f"{mb:,.0f} MB" for mb in memory.values()]


def main(data_dir: str, file: str, dataset: str) -> None:
    """Import a file, and tell how long it took and how much memory."""
    path = Path(file)
    with workplace(Path(data_dir)) as place:
        start = time.perf_counter()
        form = path.suffix[1:]
        import_files(place, _FORMATS.get(form, form), [path], dataset)
        print(json.dumps({"seconds": time.perf_counter() - start, "mb": peak_mb()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
