"""The Analyse page's routes: sections, the metrics and slices of a data set, and files of tables, plots and reports."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict

from core.analysis.caption_words import PHRASE_KINDS
from core.analysis.score_table import MetricColumn
from core.analysis.slices import Slice, slice_json, slice_of
from core.errors import BadSetting, NotFound
from core.metrics import meanings_of
from storage.analysis.analysis import ScoredDataset
from ui.report.latex import latex_table
from ui.report.report import dataset_report_html
from ui.services.analysis import SECTIONS, found_in
from ui.services.analysis.plot import points_csv
from ui.services.analysis.section import Asked, Found
from ui.services.tables import Table, csv_text
from ui.web.access.gates import gate
from ui.web.routes.dependencies import AnalystDep, RepositoryDep, WritingDep

Name = Annotated[str, Query(max_length=500)]
Metrics = Annotated[list[str], Query(alias="metric", max_length=40)]
Parts = Annotated[list[str], Query(max_length=20)]
SliceName = Annotated[str | None, Query(alias="slice", max_length=200)]
NOT_OPTIONS = ("dataset", "metric", "slice")
LONGEST_OPTION = 500
MOST_VALUES = 100  # a column with more different values than this is not offered as a filter


@dataclass(frozen=True, slots=True)
class ListedSection:
    """A section of the page."""

    key: str
    title: str
    lacks: str  # what the section needs and this data set or slice does not have; "": it can be shown


@dataclass(frozen=True, slots=True)
class KnownMetric:
    """A metric that has scored samples of a data set, or a component of its scores."""

    name: str
    label: str  # the column's name as people see it
    scored: int  # samples
    by_people: bool  # True: people gave these scores, so they are not compared with people's judgements
    own: str  # column with the whole scores
    part: str  # component that the column contains, such as "precision"; "": whole scores
    meaning: str  # meaning of the component; "": unknown, or whole scores


class SliceBody(BaseModel):
    """A slice (saved filter of samples) to store, and its data set."""

    model_config = ConfigDict(extra="forbid")
    dataset: str
    slice: dict[str, Any]  # as core.analysis.slices.slice_json returns it


@dataclass(frozen=True, slots=True)
class KnownSlice:
    """A saved slice (filter of samples)."""

    slice: Slice
    samples: int  # number of samples that the filter selects


@dataclass(frozen=True, slots=True)
class Slices:
    """A data set's slices (saved filters), and values for a new filter."""

    slices: list[KnownSlice]
    phrases: list[str]  # kinds of words that filters offer
    criteria: list[str]  # criteria on which samples were rated
    systems: list[str]  # captioners
    own: dict[str, list[str]]  # key: column of the researcher's own table; value: its different values
    codes: list[tuple[str, str]]  # key and label of each error code


def asked_of(
    request: Request,
    dataset: Annotated[list[str], Query(max_length=20)] = [],  # noqa: B006 - FastAPI makes a fresh one
    metric: Metrics = [],  # noqa: B006
    slice_name: SliceName = None,
) -> Asked:
    """Return what a request asks of a section. All other parameters are the section's options."""
    options = {
        name: value[:LONGEST_OPTION]
        for name, value in request.query_params.items()
        if name not in NOT_OPTIONS and value
    }
    return Asked(tuple(dataset), tuple(metric), slice_name or None, options)


AskedDep = Annotated[Asked, Depends(asked_of)]
ROUTER = APIRouter(prefix="/api/analyse")


@ROUTER.get("/datasets", **gate("viewer"))
def datasets(repository: RepositoryDep) -> list[ScoredDataset]:
    """List the data sets that have scores."""
    return list(repository.analysis.scored_datasets())


@ROUTER.get("/metrics", **gate("viewer"))
def metrics(dataset: Name, analyst: AnalystDep, part: Parts = []) -> list[KnownMetric]:  # noqa: B006
    """List the metrics that scored a data set, each followed by the asked columns of its components."""
    table = analyst.table(dataset)
    asked = [column for column in map(table.find, part) if column is not None and column.part]
    columns = [c for own in table.metrics.values() for c in (own, *(one for one in asked if one.own == own.name))]
    return list(map(_known, columns))


def _known(column: MetricColumn, meaning: str = "") -> KnownMetric:
    scored = int(np.isfinite(column.value).sum())
    return KnownMetric(column.name, column.label, scored, column.by_people, column.own, column.part, meaning)


@ROUTER.get("/parts", **gate("viewer"))
def parts(dataset: Name, metric: Name, analyst: AnalystDep) -> list[KnownMetric]:
    """List the components of a metric's scores: those with a known meaning first."""
    table = analyst.table(dataset)
    known = table.parts(table.metric(metric).own)
    meanings = meanings_of(table.metric(metric).metric, analyst.workplace.metrics)
    order = [*(part for part in meanings if part in known), *sorted(known.keys() - meanings.keys())]
    return [_known(known[part], meanings.get(part, "")) for part in order]


@ROUTER.get("/sections", **gate("viewer"))
def sections(dataset: Name, analyst: AnalystDep, slice_name: SliceName = None) -> list[ListedSection]:
    """List the sections of the page, in order."""
    here = analyst.table(dataset, slice_name)
    return [ListedSection(one.key, one.title, one.lacks(analyst, dataset, here)) for one in SECTIONS if one.on_page]


@ROUTER.get("/section/{key}", **gate("viewer"))
def section(key: str, asked: AskedDep, analyst: AnalystDep) -> Found:
    """Return the result of a section: notes, tables, figures and controls."""
    return found_in(analyst, key, asked)


@ROUTER.get("/section/{key}/{place}.{kind}", response_class=Response, **gate("viewer"))
def table_file(key: str, place: int, kind: Literal["csv", "tex"], asked: AskedDep, analyst: AnalystDep) -> Response:
    """Return a table of a section as CSV or LaTeX. place: the table's number, from 0."""
    return file_of(found_in(analyst, key, asked).tables, place, kind)


def file_of(tables: Sequence[Table[Any]], place: int, kind: Literal["csv", "tex"]) -> Response:
    """Return one of some tables as CSV or LaTeX. Raises NotFound."""
    if not 0 <= place < len(tables):
        raise NotFound("There is no such table.")
    text = csv_text(tables[place]) if kind == "csv" else latex_table(tables[place])
    return Response(text, media_type="text/csv; charset=utf-8" if kind == "csv" else "text/x-tex; charset=utf-8")


@ROUTER.get("/data.csv", response_class=StreamingResponse, **gate("viewer", "plot's data exported"))
def data(dataset: Name, metric: Metrics, analyst: AnalystDep, slice_name: SliceName = None) -> StreamingResponse:
    """Return a plot's columns as CSV, with captioners, kept columns and error codes."""
    asked = Asked((dataset,), tuple(metric), slice_name)
    rows = points_csv(analyst, asked)
    return StreamingResponse(rows, media_type="text/csv; charset=utf-8")


@ROUTER.get("/slices", **gate("viewer"))
def slices(dataset: Name, repository: RepositoryDep, analyst: AnalystDep) -> Slices:
    """List a data set's slices (saved filters), and values for a new filter."""
    listed = [KnownSlice(one, int(analyst.mask(dataset, one).sum())) for one in repository.slices.all(dataset)]
    studies = repository.analysis.studies(dataset)
    rated = (criterion for study in studies for criterion in study.criteria)
    names = repository.analysis.captioner_names(dataset)
    values = {column: of.dropna().unique().tolist() for column, of in repository.analysis.own_values(dataset).items()}
    own = {column: sorted(of) for column, of in sorted(values.items()) if len(of) <= MOST_VALUES}
    labels = {
        f"{book.name}/{code.key}": f"{code.label} ({book.name})"
        for book in repository.codings.codebooks()
        for code in book.codes
    }
    codes = [(key, labels.get(key, key)) for key in repository.codings.used(dataset)]
    return Slices(listed, list(PHRASE_KINDS), list(dict.fromkeys(rated)), list(names), own, codes)


@ROUTER.put("/slices", **gate("researcher", "slice saved"))
def save_slice(body: SliceBody, repository: RepositoryDep, analyst: AnalystDep) -> Slice:
    """Save a slice (filter of samples)."""
    chosen = slice_of(body.slice)
    if not slice_json(chosen).keys() - {"name", "metric"}:
        raise BadSetting(f"The slice {chosen.name} has no condition, so it would be all samples. Fill in a condition.")
    for column in chosen.columns:
        analyst.table(body.dataset).metric(column)
    repository.slices.save(body.dataset, chosen)
    return chosen


@ROUTER.delete("/slices", **gate("researcher", "slice removed"))
def remove_slice(dataset: Name, name: Name, repository: RepositoryDep) -> None:
    """Remove a slice (saved filter)."""
    repository.slices.remove(dataset, name)


@ROUTER.get("/report.html", **gate("viewer", "report exported"))
def report(dataset: Name, analyst: AnalystDep, writing: WritingDep) -> Response:
    """Return a data set's report as an HTML page."""
    with writing:
        text = dataset_report_html(analyst, dataset)
    headers = {"content-disposition": 'attachment; filename="report.html"', "cache-control": "no-store"}
    return Response(text, media_type="text/html; charset=utf-8", headers=headers)
