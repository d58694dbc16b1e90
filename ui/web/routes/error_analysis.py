"""Routes of error analysis: disagreements of scores, calibration, categories, omissions, and the report."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from core.analysis.slice_conditions import TOLERANCE, Parting
from core.types import ErrorScale, Parted
from ui.services.analysis.calibration_tables import Calibrations
from ui.services.analysis.calibrations import calibrations
from ui.services.analysis.captioners import CaptionerComparison, compare_captioners
from ui.services.analysis.categories import CategoryRow, by_category
from ui.services.analysis.disagreements import NearRow, PartedPage, nearer, parted
from ui.services.analysis.omissions import OmissionPage, Omissions
from ui.services.analysis.score_relations import Relations, relations
from ui.services.analysis.several_datasets import MetricRow, several_datasets, table_of
from ui.services.tables import Table
from ui.web.routes import Place
from ui.web.routes.dependencies import AgreementDep, AnalystDep, OmittedDep, WritingDep
from ui.web.routes.long_work import followed

PAGE = 12  # number of samples per page; few, because the page shows the picture of each sample
Name = Annotated[str, Query(max_length=500)]
Metrics = Annotated[list[str], Query(alias="metric", max_length=20)]
SliceName = Annotated[str | None, Query(alias="slice", max_length=200)]


@dataclass(frozen=True, slots=True)
class ListedPartings(PartedPage):
    """A page of samples on which two scores disagree."""

    page_size: int


@dataclass(frozen=True, slots=True)
class SeveralJson:
    """A table of how well metrics agree with people on several data sets."""

    table: Table[MetricRow]
    remarks: tuple[str, ...]  # sentences about data sets that are missing in the table, and about undefined values


@dataclass(frozen=True, slots=True)
class ListedOmissions(OmissionPage):
    """A page of captions that omit something in the picture."""

    page_size: int


def asked_parting(
    first: Name,
    second: Name,
    by: Parted = "scores",
    errors: ErrorScale = "plain",
    tolerance: Annotated[float, Query(gt=0, lt=1)] = TOLERANCE,
) -> Parting:
    """Return which two scores to compare, and how.

    The values come from the parameters of a request. Raises BadSetting.
    """
    return Parting(first, second, by, errors=errors, tolerance=tolerance)


AskedParting = Annotated[Parting, Depends(asked_parting)]


ROUTER = APIRouter(prefix="/api/analyse", dependencies=[Depends(followed)])


@ROUTER.get("/partings")
def partings(
    dataset: str, chosen: AskedParting, analyst: AnalystDep, page: Place = 1, slice_name: SliceName = None
) -> ListedPartings:
    """Return a page of samples on which two scores disagree."""
    found = parted(analyst, dataset, chosen, (page - 1) * PAGE, PAGE, slice_name)
    return ListedPartings(found.total, found.first, found.first_label, found.second_label, found.rows, PAGE)


@ROUTER.get("/nearer")
def nearer_to_people(
    dataset: str, chosen: AskedParting, analyst: AnalystDep, slice_name: SliceName = None
) -> Table[NearRow]:
    """Return which of two scores is closer to human judgements."""
    return nearer(analyst, dataset, chosen, slice_name)


@ROUTER.get("/calibration")
def calibration(
    dataset: str,
    metric: Metrics,
    analyst: AnalystDep,
    slice_name: SliceName = None,
) -> Calibrations:
    """Return how well metrics' scores are calibrated to human judgements."""
    return calibrations(analyst, dataset, metric, slice_name)


@ROUTER.get("/categories")
def categories(
    dataset: str, metric: Metrics, analyst: AnalystDep, agreement: AgreementDep, slice_name: SliceName = None
) -> list[Table[CategoryRow]]:
    """Return agreement with people by category of captions."""
    return by_category(analyst, agreement, dataset, metric, slice_name)


@ROUTER.get("/captioners")
def captioners(
    dataset: str,
    analyst: AnalystDep,
    metric: Metrics = [],  # noqa: B006  # FastAPI copies it
    slice_name: SliceName = None,
) -> CaptionerComparison:
    """Return the comparison of a data set's captioners.

    It has mean scores, ranks and agreement with people.
    """
    return compare_captioners(analyst, dataset, metric, slice_name)


@ROUTER.get("/relations")
def score_relations(dataset: str, metric: Metrics, analyst: AnalystDep, slice_name: SliceName = None) -> Relations:
    """Return distributions of scores and human judgements, and correlations between metrics."""
    return relations(analyst, dataset, metric, slice_name)


@ROUTER.get("/several")
def several(dataset: Annotated[list[str], Query(min_length=1, max_length=20)], analyst: AnalystDep) -> SeveralJson:
    """Return metrics' agreement with people on several data sets.

    The result is one table.
    """
    figures, remarks = several_datasets(analyst.workplace, dataset, [])
    return SeveralJson(table_of(figures), remarks)


@ROUTER.get("/left-out/metrics")
def telling(dataset: str, omitted: OmittedDep) -> list[str]:
    """List the metrics that state which regions captions mention."""
    return omitted.metrics(dataset)


@ROUTER.get("/left-out")
def omissions(dataset: str, metric: Name, omitted: OmittedDep, slice_name: SliceName = None) -> Omissions:
    """Return the objects that captions omit."""
    return omitted.omissions(dataset, metric, slice_name)


@ROUTER.get("/left-out/captions")
def omitting(
    dataset: str, metric: Name, omitted: OmittedDep, page: Place = 1, slice_name: SliceName = None
) -> ListedOmissions:
    """Return a page of captions that omit something in the picture."""
    found = omitted.page(dataset, metric, (page - 1) * PAGE, PAGE, slice_name)
    return ListedOmissions(found.total, found.first, found.rows, PAGE)


@ROUTER.get("/report.html")
def report(dataset: str, analyst: AnalystDep, writing: WritingDep) -> Response:
    """Return a data set's report as an HTML page."""
    from ui.report.page import dataset_report_html  # imported late, because this imports pandas and scipy

    with writing:
        text = dataset_report_html(analyst, dataset)
    headers = {"content-disposition": 'attachment; filename="report.html"', "cache-control": "no-store"}
    return Response(text, media_type="text/html; charset=utf-8", headers=headers)
