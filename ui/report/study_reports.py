"""Cache reports of studies until their data change.

Each process has its own cache. The database shows whether data have changed, so processes need not notify each other.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from threading import Lock
from typing import TypeVar

from core.long_work.progress import no_progress
from core.studies.results.report import MetricComparison
from storage.study_types import Study
from ui.report.dataset import dataset_parts
from ui.report.page import study_page
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.kept_results import Kept
from ui.services.long_work import turn
from ui.services.studies.excluded_ratings import LeftOutRow, left_out_table
from ui.services.studies.study_results import StudyResults, nothing_counts, rating_tables, study_results
from ui.services.studies.study_tables import RatedMetric
from ui.services.tables import Table

RESULTS_KEPT = 8  # maximum number of studies whose results stay in memory; each takes about 100 kB
FILES_KEPT = 8  # maximum number of cached report pages, and of cached archives; a page of 10,000 items takes 0.7 MB
MOST_BYTES = 20_000_000  # maximum bytes of all cached report pages; the same limit for all cached archives
DATASETS_KEPT = 2  # maximum number of data sets for which the report's part on the data set is cached

_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class StudySummary:
    """Means of every metric's ratings, tests between the metrics, and excluded ratings."""

    study: str
    overlay: bool
    nothing: str  # reason why there are no results; "": there are results
    ratings: Table[RatedMetric]
    tests: Table[MetricComparison]
    left_out: Table[LeftOutRow]


def _one(_: object) -> int:
    return 1


def _bytes_of(page: str) -> int:
    return len(page.encode())


@dataclass(frozen=True, slots=True)
class _Asked:
    """The key of a cached report: a study and the versions of the data in the report."""

    study: Study
    stamp: Hashable
    of_dataset: Hashable  # version of the data that the report's part on the data set uses; ratings rarely change it


class StudyReports:
    """Computes reports of studies and caches the latest ones.

    All methods raise NotFound. Summaries are fast and wait only for other summaries. Other reports are made one at a
    time.
    """

    def __init__(self, analyst: Analyst) -> None:
        self._analyst = analyst
        # A report takes a processor core for seconds. So only one thread at a time makes reports. Waiting threads may
        # then find their report in the cache.
        self._quick, self._slow = Lock(), Lock()
        self._summaries = Kept(self._summarise, RESULTS_KEPT, RESULTS_KEPT, _one)
        self._results = Kept(self._work_out, RESULTS_KEPT, RESULTS_KEPT, _one)
        self._pages = Kept(self._write_page, FILES_KEPT, MOST_BYTES, _bytes_of)
        self._datasets = Kept(self._write_dataset, DATASETS_KEPT, DATASETS_KEPT, _one)

    def summary(self, study_id: int) -> StudySummary:
        """Return a study's mean ratings, tests between metrics, and excluded ratings."""
        return self._kept(self._summaries, self._quick, study_id)

    def results(self, study_id: int) -> StudyResults:
        """Return all results of a study."""
        return self._kept(self._results, self._slow, study_id)

    def page(self, study_id: int) -> str:
        """Return a study's report as a stand-alone HTML page."""
        return self._kept(self._pages, self._slow, study_id)

    def _kept(self, make: Kept[_Made], lock: Lock, study_id: int) -> _Made:
        found = make.known(self._asked(study_id))
        if found is not None:
            return found
        with turn(lock, "Waiting until another report is finished"):
            # Look up the newest version of the data, because ratings may have changed while this thread waited.
            return make(self._asked(study_id))

    def _asked(self, study_id: int) -> _Asked:
        repository = self._analyst.workplace.repository
        study = repository.studies.get(study_id)
        samples, (ratings, others) = (
            self._analyst.stamp(study.dataset),
            repository.analysis.report_stamp(study.dataset),
        )
        by_ratings = any(one.criterion is not None for one in repository.slices.all(study.dataset))
        of_dataset = (samples, others, ratings if by_ratings else None)
        return _Asked(study, (samples, ratings, others), of_dataset)

    def _summarise(self, asked: _Asked) -> StudySummary:
        workplace, study = self._analyst.workplace, asked.study
        every = workplace.repository.studies.columns(study.id)
        ratings, tests = rating_tables(workplace, study, every)
        left_out = left_out_table(every)
        nothing = "" if ratings.rows else nothing_counts(left_out)
        return StudySummary(study.name, bool(study.overlay), nothing, ratings, tests, left_out)

    def _work_out(self, asked: _Asked) -> StudyResults:
        table = self._analyst.table(asked.study.dataset)
        return study_results(self._analyst.workplace, asked.study, table)

    def _write_page(self, asked: _Asked) -> str:
        parts = self._datasets(asked.study.dataset, asked.of_dataset)
        return study_page(self._results(asked), parts)

    def _write_dataset(self, dataset: str, _stamp: Hashable) -> tuple[str, ...]:
        return tuple(dataset_parts(self._analyst, dataset, no_progress))
