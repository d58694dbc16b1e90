"""Write reports of a data set and of a study, as one stand-alone HTML file with everything that Analyse shows."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from threading import Lock

from core.errors import BadSetting, NotFound
from core.long_work.progress import Progress, no_progress
from core.signature import VERSION
from core.statistics.bootstrap import SEED
from core.studies.results.report import MetricComparison
from storage.study_types import Study
from ui.report.html import figures, heading, page, paragraph, table
from ui.services.analysis import SECTIONS, facts, found_in
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.coding import coded_tables
from ui.services.analysis.section import Asked, Found
from ui.services.analysis.study import of_results, results
from ui.services.long_work import turn
from ui.services.studies.excluded_ratings import LeftOutRow, left_out_table
from ui.services.studies.study_results import StudyResults, nothing_counts, rating_tables
from ui.services.studies.study_tables import RatedMetric
from ui.services.tables import Table
from ui.services.workplace import Workplace


def dataset_report_html(
    analyst: Analyst, dataset: str, progress: Progress = no_progress, before: Sequence[str] = ()
) -> str:
    """Return the report of a data set. before: HTML parts for the beginning of the page. Raises NotFound."""
    about = paragraph(
        f"{len(analyst.table(dataset)):,} captions. Ratings of studies are in the studies' reports. Computed by "
        f"Capscope {VERSION}. Random numbers use the seed {SEED}, so the same data give the same figures."
    )
    return page(f"Report: {dataset}", [*before, about, *dataset_parts(analyst, dataset, progress)])


def report_html(workplace: Workplace, study: Study, progress: Progress = no_progress) -> str:
    """Return the report of a study as HTML, with everything about its data set."""
    analyst = Analyst(workplace)
    progress("Results of the study", 0, 1)
    found = results(analyst, study.id)
    progress("Results of the study", 1, 1)
    return study_page(found, dataset_parts(analyst, study.dataset, progress))


def study_page(found: StudyResults, of_dataset: Iterable[str]) -> str:
    """Return a page with a study's results, and below them the parts about its data set."""
    about = [paragraph(f"Data set {found.dataset}."), heading("Results")]
    return page(f"Report: {found.study}", [*about, *_parts(of_results(found)), *of_dataset])


def dataset_parts(analyst: Analyst, dataset: str, progress: Progress) -> Iterator[str]:
    """Yield the HTML parts of a data set's report: its sections, the coded errors, and the agreement in its slices."""
    known = facts(analyst, dataset, None)
    sections = [one for one in SECTIONS if one.in_report and not one.needs(known)]
    slices = [one.name for one in analyst.workplace.repository.slices.all(dataset)]
    steps = len(sections) + len(slices)
    for place, section in enumerate(sections):
        progress("Writing the report", place, steps)
        if section.key == "errors":  # a list for each metric
            for column in analyst.table(dataset).compared.values():
                asked = Asked((dataset,), options={"metric": column.name})
                yield from _section(analyst, section.key, f"Largest errors of {column.label}", asked)
        else:
            yield from _section(analyst, section.key, section.title, Asked((dataset,)))
    yield from _codes(analyst, dataset)
    for place, name in enumerate(slices, len(sections)):
        progress("Writing the report", place, steps)
        yield from _section(analyst, "agreement", f"Slice: {name}", Asked((dataset,), slice=name))
    progress("Writing the report", steps, steps)


def _section(analyst: Analyst, key: str, title: str, asked: Asked) -> Iterator[str]:
    yield heading(title)
    try:
        yield from _parts(found_in(analyst, key, asked))
    except (BadSetting, NotFound) as error:
        yield paragraph(str(error))


def _parts(found: Found) -> Iterator[str]:
    yield from (paragraph(note, "quiet") for note in found.notes)
    yield from (heading(one.title, 3) + table(one) for one in found.tables)
    yield figures(found.figures)


def _codes(analyst: Analyst, dataset: str) -> Iterator[str]:
    codings = analyst.workplace.repository.codings
    for column in analyst.table(dataset).metrics.values():
        for book in codings.codebooks():
            coded = codings.coded(dataset, column.name, book.name)
            if coded.codings:
                yield from (heading(one.title) + table(one) for one in coded_tables(coded, column.label) if one.rows)


@dataclass(frozen=True, slots=True)
class StudySummary:
    """Means of every metric's ratings, tests between the metrics, and excluded ratings."""

    study: str
    overlay: bool
    nothing: str  # reason why there are no results; "": there are results
    ratings: Table[RatedMetric]
    tests: Table[MetricComparison]
    left_out: Table[LeftOutRow]


class StudyReports:
    """Computes reports of studies. All methods raise NotFound. Results and pages are made one at a time."""

    def __init__(self, analyst: Analyst) -> None:
        self._analyst, self._slow = analyst, Lock()

    def summary(self, study_id: int) -> StudySummary:
        """Return a study's mean ratings, tests between metrics, and excluded ratings."""
        workplace = self._analyst.workplace
        study = workplace.repository.studies.get(study_id)
        every = workplace.repository.studies.ratings(study.id)
        ratings, tests = rating_tables(workplace, study, every)
        left_out = left_out_table(every)
        nothing = "" if ratings.rows else nothing_counts(left_out)
        return StudySummary(study.name, bool(study.design.overlay), nothing, ratings, tests, left_out)

    def results(self, study_id: int) -> StudyResults:
        """Return all results of a study."""
        with turn(self._slow, "Waiting until another report is finished"):
            return results(self._analyst, study_id)

    def page(self, study_id: int) -> str:
        """Return a study's report as a stand-alone HTML page."""
        found = self.results(study_id)
        with turn(self._slow, "Waiting until another report is finished"):
            return study_page(found, dataset_parts(self._analyst, found.dataset, no_progress))
