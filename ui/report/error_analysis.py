"""The report's part on errors of scores.

It shows how far scores are from people's judgements, which of two scores is closer to them, and calibration. It also
shows errors within categories of captions, and regions that captions omit.
"""

from collections.abc import Iterator
from itertools import combinations

from core.analysis.column_names import part_name
from core.analysis.slice_conditions import Parting
from core.errors import BadSetting
from core.types import RAW
from ui.report.figures import calibration_svg
from ui.report.html import figures, heading, paragraph, table
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.calibrations import calibrations
from ui.services.analysis.categories import by_category
from ui.services.analysis.disagreements import nearer
from ui.services.analysis.metric_agreement import AgreementDesk
from ui.services.analysis.omissions import OmissionDesk

_NONE = "Nothing to show."


def error_parts(analyst: Analyst, desk: AgreementDesk, dataset: str) -> Iterator[str]:
    """Yield the HTML of the report's section on score errors, tables before plots.

    Without human judgements, yield only the part about regions that captions omit.
    """
    metrics = list(analyst.table(dataset).compared)
    yield heading("Errors")
    try:
        calibration = calibrations(analyst, dataset, metrics, None)
    except BadSetting as error:
        yield paragraph(str(error))
    else:
        yield heading(calibration.errors.title, 3) + table(calibration.errors, _NONE)
        yield from _pairs(analyst, dataset)
        yield heading(calibration.bins.title, 3) + table(calibration.bins, _NONE)
        yield figures([calibration_svg(one, calibration.bins.rows) for one in calibration.curves])
        for one in by_category(analyst, desk, dataset, metrics, None):
            yield heading(one.title, 3) + table(one, _NONE)
    yield from _omissions(OmissionDesk(analyst), dataset)


def _pairs(analyst: Analyst, dataset: str) -> Iterator[str]:
    """Yield a table for each pair of scores that is compared.

    The pairs are all pairs of metrics, and each metric's smoothed score with its raw score.
    """
    compared = analyst.table(dataset).compared
    smoothed = [name for name, column in compared.items() if column.has_raw]
    pairs = [*combinations(compared, 2), *((name, part_name(name, RAW)) for name in smoothed)]
    for first, second in pairs:
        found = nearer(analyst, dataset, Parting(first, second, errors="calibrated"), None)
        if found.rows:
            yield heading(found.title, 3) + table(found, _NONE)


def _omissions(desk: OmissionDesk, dataset: str) -> Iterator[str]:
    for metric in desk.metrics(dataset):
        omissions = desk.omissions(dataset, metric)
        yield heading(f"What captions do not mention, by {omissions.metric}")
        yield table(omissions.shares, _NONE) + heading(omissions.labels.title, 3) + table(omissions.labels, _NONE)
