"""How lists, searches, the data sets' counts and exports grow with the data.

Each page is asked for once of a server that has just started, so nothing is kept from an earlier one. Exports run in a
process of their own, whose largest memory and processor time stand beside them. sqlite3 and pandas do the same.
"""

import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from storage.types import Search
from tests.benchmarks.growth import DATASET, METRICS, large_data, rows, sizes
from tests.benchmarks.rows import Row
from tests.benchmarks.studies import workplace
from ui.services.workplace import DATABASE

PAGE = 25
MOST_PAGE_S = {100_000: 0.15, 1_000_000: 1.0}
MOST_SUMMARY_S = {100_000: 0.1, 1_000_000: 0.2}
MOST_EXPORT_S = {100_000: 12.0, 1_000_000: 120.0}
MOST_EXPORT_MB = 300.0
PANDAS = "pandas"

BY_SCORE = Search(DATASET, metric=METRICS[0], sort="score", falling=True)
BY_ERROR = Search(DATASET, metric=METRICS[0], sort="error", falling=True)
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
    "search for two letters": (Search(DATASET, "ed"), 0, _LIKE.format("ed")),
    "sort by score": (BY_SCORE, 0, _SCORES),
    "sort by score, page 1,000": (BY_SCORE, 999, f"{_SCORES} OFFSET 24975"),
    "sort by error": (BY_ERROR, 0, _ERRORS),
}

EXPORT = """
import json, sys, time
from pathlib import Path
from tests.benchmarks.memory import peak_mb
from tests.benchmarks.studies import workplace
from ui.services.transfer.dataset_export import export_dataset
from ui.services.analysis.listing import Listing
from ui.services.analysis.analyst import Analyst
from storage.types import Search
data, form, to = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
with workplace(data) as place:
    began = time.perf_counter()
    if form == "list":
        with to.open("w") as file:
            file.writelines(Listing(Analyst(place)).lines(Search("large"), None))
    else:
        export_dataset(place, "large", form, to)
    print(json.dumps([time.perf_counter() - began, peak_mb(), time.process_time()]))
"""
PANDAS_EXPORT = """
import json, sqlite3, sys, time
import pandas
began = time.perf_counter()
with sqlite3.connect(sys.argv[1]) as connection:
    samples = pandas.read_sql('SELECT s.*, i.name FROM samples s JOIN images i ON i.id = s.image_id', connection)
    scores = pandas.read_sql("SELECT sample_id, metric, signature, value, scale_low FROM scores", connection)
wide = scores.pivot(index="sample_id", columns="metric", values="value")
samples.join(wide, on="id").to_json(sys.argv[2], orient="records", lines=True)
print(json.dumps([time.perf_counter() - began, 0, time.process_time()]))
"""


def run() -> list[Row]:
    """Measure at each size."""
    seconds: dict[str, dict[int, float]] = {}
    beside: dict[str, dict[int, float]] = {}
    memory: dict[str, dict[int, float]] = {}
    busy: dict[str, dict[int, float]] = {}
    for size in sizes():
        with tempfile.TemporaryDirectory() as name:
            data = Path(name)
            large_data(data, size)
            _pages(data, size, seconds, beside)
            for form in ("jsonl", "list"):
                spent, peak, worked = _in_a_process(EXPORT, str(data), form, str(data / f"out-{form}"))
                seconds.setdefault(form, {})[size], memory.setdefault(form, {})[size] = spent, peak
                busy.setdefault(form, {})[size] = worked
            pandas, _, _ = _in_a_process(PANDAS_EXPORT, str(data / DATABASE), str(data / "pandas.jsonl"))
            beside.setdefault("jsonl", {})[size] = beside.setdefault("list", {})[size] = pandas
    made = rows("data sets", seconds["data sets"], MOST_SUMMARY_S, beside["data sets"], "sqlite3")
    for what in PAGES:
        made += rows(what, seconds[what], MOST_PAGE_S, beside[what], "sqlite3")
    for form in ("jsonl", "list"):
        what = "list as samples.jsonl" if form == "list" else f"share as {form}"
        notes = [f"{memory[form][size]:,.0f} MB, {busy[form][size]:.1f} s of a processor" for size in memory[form]]
        made += rows(what, seconds[form], MOST_EXPORT_S, beside.get(form), PANDAS, notes)
        made.append(Row(f"{what}, most memory", max(memory[form].values()), "MB", most=MOST_EXPORT_MB))
    return made


def _pages(data: Path, size: int, seconds: dict[str, dict[int, float]], beside: dict[str, dict[int, float]]) -> None:
    plain = "SELECT count(*) FROM samples UNION ALL SELECT count(value) FROM scores GROUP BY metric"
    with closing(sqlite3.connect(data / DATABASE)) as connection:
        for what, (_, _, sql) in {**PAGES, "data sets": (None, 0, plain)}.items():
            beside.setdefault(what, {})[size] = _timed(lambda: connection.execute(sql).fetchall())  # noqa: B023 - now
    with workplace(data) as place:
        samples = place.repository.samples
        samples.has_any()
        seconds.setdefault("data sets", {})[size] = _timed(samples.datasets)
        for what, (wanted, page, _) in PAGES.items():
            samples.search(
                Search("none such", wanted.text, metric=wanted.metric, sort=wanted.sort), 0, PAGE
            )  # compiled
            spent = _timed(lambda: samples.search(wanted, page * PAGE, PAGE))  # noqa: B023 - now
            seconds.setdefault(what, {})[size] = spent


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _in_a_process(code: str, *arguments: str) -> tuple[float, float, float]:
    ran = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    spent, peak, worked = json.loads(ran.stdout.splitlines()[-1])
    return spent, peak, worked
