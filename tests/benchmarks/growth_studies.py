"""Studies of 1,000 to 100,000 items, three raters an item: the next item at any moment, and reports."""

import os
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import text
from ui.report.study_reports import StudyReports

from storage.study_types import Study
from tests.benchmarks.growth import rows
from tests.benchmarks.large_study import RATERS, large_study
from tests.benchmarks.rows import Row, percentile
from tests.benchmarks.studies import workplace
from tests.making import CRITERIA, rating
from ui.services.analysis.analyst import Analyst
from ui.services.workplace import Workplace

SIZES = (1_000, 10_000, 100_000)
SHARES = {"at the start": 0.0, "at half": 0.5, "at 95 %": 0.95}
REQUESTS = 1_000  # by 20 raters at random, each of whom answers the item before; 2 % are a first one after a start
NEXT_S = 0.015
REPORTS: dict[str, Callable[[StudyReports, int], object]] = {
    "report": StudyReports.summary,
    "report.html": StudyReports.page,
    "paper": StudyReports.paper,
    "Analyse study": StudyReports.results,
}
LIMITS_S = {"report": 1.5, "report.html": 4.0, "paper": 3.0, "Analyse study": 2.0}  # of 10,000 items
AGAIN_S = 0.05


def run() -> list[Row]:
    """Measure in this process, without HTTP."""
    found: list[Row] = []
    for when, share in SHARES.items():
        waits = {size: _next_items(size, share) for size in _sizes()}
        p95 = {size: percentile(of, 95) for size, of in waits.items()}
        notes = [f"median {1000 * percentile(of, 50):.1f} ms" for of in waits.values()]
        found += rows(f"next item {when}, p95", p95, dict.fromkeys(p95, NEXT_S), notes=notes)
    first: dict[str, dict[int, float]] = {name: {} for name in REPORTS}
    again: dict[str, dict[int, float]] = {name: {} for name in REPORTS}
    for size in _sizes():
        for name, (once, twice) in _reports(size).items():
            first[name][size], again[name][size] = once, twice
    for name in REPORTS:
        found += rows(name, first[name], {10_000: LIMITS_S[name]})
        found += rows(f"{name}, again", again[name], dict.fromkeys(again[name], AGAIN_S))
    return found


def _sizes() -> tuple[int, ...]:
    most = int(os.environ.get("CAPSCOPE_GROWTH_MAX", SIZES[-1]))
    return tuple(size for size in SIZES if size <= most)


def _next_items(size: int, share: float) -> list[float]:
    """Return how long requests for an item took, in seconds, the first of each rater included."""
    with tempfile.TemporaryDirectory() as folder:
        study = large_study(Path(folder), size, share, answers=False)
        with workplace(Path(folder)) as place:
            return _asked(place, study)


def _asked(place: Workplace, study: Study) -> list[float]:
    repository, chance = place.repository, random.Random(1)
    raters = [repository.raters.named(f"R{number}") for number in range(RATERS)]
    spent, held = [], {}
    for _ in range(REQUESTS):
        rater = chance.choice(raters)
        for item in held.pop(rater.id, ()):
            repository.save(rater, [rating(item, criterion) for criterion in CRITERIA])
        start = time.perf_counter()
        queue = repository.desk.queue(study.id, rater, None, 1)
        spent.append(time.perf_counter() - start)
        held[rater.id] = queue.items
    with repository.database.read() as connection:
        most = connection.scalar(text("SELECT max(takers) FROM items"))
    assert most is not None and most <= (study.raters_per_item or 0)
    return spent


def _reports(size: int) -> dict[str, tuple[float, float]]:
    """Return how many seconds each report takes, and the same again."""
    with tempfile.TemporaryDirectory() as folder:
        study = large_study(Path(folder), size)
        with workplace(Path(folder)) as place:
            Analyst(place).table(study.dataset)  # imports what all reports need
            return {name: _twice(StudyReports(Analyst(place)), make, study) for name, make in REPORTS.items()}


def _twice(reports: StudyReports, make: Callable[[StudyReports, int], object], study: Study) -> tuple[float, float]:
    marks = [time.perf_counter()]
    for _ in range(2):
        make(reports, study.id)
        marks.append(time.perf_counter())
    return marks[1] - marks[0], marks[2] - marks[1]
