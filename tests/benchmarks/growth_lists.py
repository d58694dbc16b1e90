"""How lists, searches, the data sets' counts and exports grow with the data.

Each page is asked for once of a server that has just started, so nothing is kept from an earlier one; sqlite3 does the
same. Exports run in a process of their own, whose largest memory stands beside them. As a program:
`python -m tests.benchmarks.growth_lists DATA_DIR FORM` exports and tells seconds and MB as JSON.
"""

import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from storage.types import Search
from tests.benchmarks.growth import DATASET, METRICS, large_data, rows, sizes
from tests.benchmarks.memory import peak_mb
from tests.benchmarks.rows import Row
from tests.benchmarks.serving import ROOT
from tests.benchmarks.studies import workplace
from ui.services.analysis import listing
from ui.services.analysis.analyst import Analyst
from ui.services.transfer.dataset_export import export_dataset
from ui.services.workplace import DATABASE

PAGE = 25
COUNTS = "data sets"
EXPORTS = {"jsonl": "share as jsonl", "list": "list as samples.jsonl"}
MOST_PAGE_S = {100_000: 0.15, 1_000_000: 1.0}
MOST_SUMMARY_S = {100_000: 0.1, 1_000_000: 0.2}
MOST_EXPORT_S = {100_000: 12.0, 1_000_000: 120.0}
MOST_EXPORT_MB = 300.0

BY_SCORE = Search(DATASET, metric=METRICS[0], sort="score", falling=True)
BY_ERROR = Search(DATASET, metric=METRICS[0], sort="error", falling=True)
_COUNTED = "SELECT count(*) FROM samples UNION ALL SELECT count(value) FROM scores GROUP BY metric"
_LIST = "SELECT id FROM samples ORDER BY id LIMIT 25"
_LIKE = "SELECT id FROM samples WHERE candidate LIKE '%{}%'"
_SCORES = "SELECT sample_id FROM scores WHERE metric = 'CIDEr' ORDER BY value DESC LIMIT 25"
_ERRORS = """SELECT samples.id FROM samples JOIN scores ON sample_id = samples.id AND metric = 'CIDEr'
ORDER BY abs(value - human) DESC LIMIT 25"""
PAGES: dict[str, tuple[Search, int, str]] = {  # search, page from 0, the same in SQL
    "first page": (Search(DATASET), 0, _LIST),
    "page 1,000": (Search(DATASET), 999, f"{_LIST} OFFSET 24975"),
    "search for a rare text": (Search(DATASET, "number 99"), 0, _LIKE.format("number 99")),
    "search for a text in one of seven": (Search(DATASET, "red"), 0, _LIKE.format("red")),
    "sort by score": (BY_SCORE, 0, _SCORES),
    "sort by error": (BY_ERROR, 0, _ERRORS),
}

Seconds = defaultdict[str, dict[int, float]]  # by what was done and by size


def run() -> list[Row]:
    """Measure at each size."""
    seconds, beside, memory = Seconds(dict), Seconds(dict), Seconds(dict)
    for size in sizes():
        with tempfile.TemporaryDirectory() as name:
            large_data(Path(name), size)
            _pages(Path(name), size, seconds, beside)
            for form in EXPORTS:
                command = [sys.executable, "-m", "tests.benchmarks.growth_lists", name, form]
                told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
                seconds[form][size], memory[form][size] = json.loads(told)
    made = rows(COUNTS, seconds[COUNTS], MOST_SUMMARY_S, beside[COUNTS], "sqlite3")
    for what in PAGES:
        made += rows(what, seconds[what], MOST_PAGE_S, beside[what], "sqlite3")
    for form, what in EXPORTS.items():
        made += rows(what, seconds[form], MOST_EXPORT_S, notes=[f"{mb:,.0f} MB" for mb in memory[form].values()])
        made.append(Row(f"{what}, most memory", max(memory[form].values()), "MB", most=MOST_EXPORT_MB))
    return made


def _pages(data: Path, size: int, seconds: Seconds, beside: Seconds) -> None:
    with closing(sqlite3.connect(data / DATABASE)) as connection:
        for what, sql in {COUNTS: _COUNTED, **{what: sql for what, (_, _, sql) in PAGES.items()}}.items():
            beside[what][size] = _timed(lambda: connection.execute(sql).fetchall())  # noqa: B023 - now
    with workplace(data) as place:
        samples = place.repository.samples
        samples.datasets()
        seconds[COUNTS][size] = _timed(samples.datasets)
        for what, (wanted, page, _) in PAGES.items():
            like = Search("none such", wanted.text, metric=wanted.metric, sort=wanted.sort)
            samples.search(like, 0, PAGE)  # the statement is compiled
            seconds[what][size] = _timed(lambda: samples.search(wanted, page * PAGE, PAGE))  # noqa: B023 - now


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def main(data_dir: str, form: str) -> None:
    """Export the data set, and tell how long it took and how much memory."""
    to = Path(data_dir) / f"out-{form}"
    with workplace(Path(data_dir)) as place:
        began = time.perf_counter()
        if form == "list":
            with to.open("w") as file:
                file.writelines(listing.lines(Analyst(place), Search(DATASET), None))
        else:
            export_dataset(place, DATASET, form, to)
        print(json.dumps([time.perf_counter() - began, peak_mb()]))


if __name__ == "__main__":
    main(*sys.argv[1:])
