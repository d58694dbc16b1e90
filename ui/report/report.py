"""Write reports of a data set and of a study, as one stand-alone HTML file with everything that Analyse shows."""

from collections.abc import Iterator

from core.errors import BadSetting, NotFound
from core.long_work.progress import Progress, no_progress
from core.signature import VERSION
from core.statistics.bootstrap import SEED
from ui.report.html import figures, heading, page, paragraph, table
from ui.services.analysis import SECTIONS, found_in
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.coding import coded_tables
from ui.services.analysis.section import Asked, Found
from ui.services.analysis.study import of_results, results


def dataset_report_html(analyst: Analyst, dataset: str, progress: Progress = no_progress) -> str:
    """Return the report of a data set. Raises NotFound."""
    about = paragraph(
        f"{len(analyst.table(dataset)):,} captions. Ratings of studies are in the studies' reports. Computed by "
        f"Capscope {VERSION}. Random numbers use the seed {SEED}, so the same data give the same figures."
    )
    return page(f"Report: {dataset}", [about, *dataset_parts(analyst, dataset, progress)])


def report_html(analyst: Analyst, study_id: int, progress: Progress = no_progress) -> str:
    """Return the report of a study, and below its results everything about its data set. Raises NotFound."""
    progress("Results of the study", 0, 1)
    found = results(analyst, study_id)
    progress("Results of the study", 1, 1)
    about = [paragraph(f"Data set {found.study.dataset}."), heading("Results")]
    parts = dataset_parts(analyst, found.study.dataset, progress)
    return page(f"Report: {found.study.name}", [*about, *_parts(of_results(found)), *parts])


def dataset_parts(analyst: Analyst, dataset: str, progress: Progress) -> Iterator[str]:
    """Yield the HTML parts of a data set's report: its sections, the coded errors, and the agreement in its slices."""
    here = analyst.table(dataset)
    sections = [one for one in SECTIONS if one.in_report and not one.needs(analyst, dataset, here)]
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
                yield from (heading(one.title) + table(one) for one in coded_tables(coded, column.label))
