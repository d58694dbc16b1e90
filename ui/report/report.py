"""Write reports of a data set and of a study, each as one stand-alone HTML file."""

from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from core.errors import BadSetting, NotFound
from core.signature import VERSION
from core.statistics.bootstrap import SEED
from ui.services.analysis import SECTIONS, found_in
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.coding import coded_tables
from ui.services.analysis.section import Asked, Found
from ui.services.analysis.study import of_results, results
from ui.services.tables import cells

Part = tuple[str, Found]  # heading and content


def dataset_report_html(analyst: Analyst, dataset: str) -> str:
    """Return the report of a data set. Raises NotFound."""
    about = (
        f"{len(analyst.table(dataset)):,} captions. Ratings of studies are in the studies' reports. Computed by "
        f"Capscope {VERSION}. Random numbers use the seed {SEED}, so the same data give the same figures."
    )
    return _page(f"Report: {dataset}", about, [*_parts(analyst, dataset)])


def report_html(analyst: Analyst, study_id: int) -> str:
    """Return the report of a study: its results. The report of its data set is separate. Raises NotFound."""
    found = results(analyst, study_id)
    return _page(f"Report: {found.study.name}", f"Data set {found.study.dataset}.", [("Results", of_results(found))])


def _page(title: str, about: str, parts: list[Part]) -> str:
    from plotly.offline import get_plotlyjs  # imported late, because it is slow and only reports need it

    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    has_figures = any(found.figures for _, found in parts)
    return templates.get_template("report.html").render(
        title=title, about=about, parts=parts, cells=cells, has_figures=has_figures, plotly=get_plotlyjs()
    )


def _parts(analyst: Analyst, dataset: str) -> Iterator[Part]:
    """Yield the parts of a data set's report: its sections, the coded errors, and the agreement in its slices."""
    here = analyst.table(dataset)
    sections = [one for one in SECTIONS if one.in_report and not one.lacks(analyst, dataset, here)]
    for section in sections:
        if section.key == "errors":  # a list for each metric
            for column in here.compared.values():
                asked = Asked((dataset,), options={"metric": column.name})
                yield f"Largest errors of {column.label}", _found(analyst, section.key, asked)
        else:
            yield section.title, _found(analyst, section.key, Asked((dataset,)))
    yield from _codes(analyst, dataset)
    for one in analyst.workplace.repository.slices.all(dataset):
        yield f"Slice: {one.name}", _found(analyst, "agreement", Asked((dataset,), slice=one.name))


def _found(analyst: Analyst, key: str, asked: Asked) -> Found:
    try:
        return found_in(analyst, key, asked)
    except (BadSetting, NotFound) as error:
        return Found(notes=[str(error)])


def _codes(analyst: Analyst, dataset: str) -> Iterator[Part]:
    codings = analyst.workplace.repository.codings
    for column in analyst.table(dataset).metrics.values():
        every = [codings.coded(dataset, column.name, book.name) for book in codings.codebooks()]
        if tables := [table for one in every if one.codings for table in coded_tables(one, column.label)]:
            yield f"Coded errors of {column.label}", Found(tables)
