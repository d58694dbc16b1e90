"""The data set's part of a report: agreement with people, captioners, plots, errors, error codes, and slices."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from core.analysis.score_table import HumanGroups, MetricColumn, ScoreTable, human_groups
from core.benchmarks.correlation import DRAWS
from core.errors import BadSetting
from core.long_work.progress import Progress
from ui.report.error_analysis import error_parts
from ui.report.figures import Axis, density_svg, levels_svg
from ui.report.html import figures, heading, paragraph, table
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.captioners import compare_captioners
from ui.services.analysis.coding import coded_tables
from ui.services.analysis.human_agreement import people_agreement
from ui.services.analysis.largest_errors import largest_errors
from ui.services.analysis.metric_agreement import AgreementDesk
from ui.services.tables import Table, number, text

ERRORS = 25  # number of largest errors listed for each metric


def dataset_parts(analyst: Analyst, dataset: str, progress: Progress) -> Iterator[str]:
    """Yield the HTML parts of a data set's report.

    The parts about the whole data set come first, then those about its slices (saved filters).
    """
    desk = AgreementDesk(analyst)
    slices = [one.name for one in analyst.workplace.repository.slices.all(dataset)]
    yield heading("Agreement of metrics with human judgement")
    for place, name in enumerate((None, *slices)):
        progress("Agreement with people", place, 1 + len(slices))
        if name is not None:
            yield heading(f"Slice: {name}")
        yield from _agreement(desk, dataset, list(analyst.table(dataset).compared), name)
        if name is None:
            yield from _people(desk, dataset)
            yield from _captioners(analyst, dataset)
        yield from _figures(analyst.table(dataset, name), _groups(analyst, dataset, name))
    progress("Agreement with people", 1 + len(slices), 1 + len(slices))
    yield from error_parts(analyst, desk, dataset)
    for column in analyst.table(dataset).compared.values():
        yield _errors(analyst, dataset, column)
    yield from _codes(analyst, dataset)


def _figures(part: ScoreTable, groups: HumanGroups) -> Iterator[str]:
    """Yield the plots of a data set.

    They show four things: score against human judgement, score distributions by level of human judgement, raw against
    smoothed score, and metric against metric.
    """
    columns = list(part.metrics.values())
    human = Axis("human judgement, rescaled to 0–1", part.human, (0.0, 1.0))
    of = {column.name: Axis(column.label, column.value, column.scale) for column in columns}
    raw = [Axis(f"{c.label} before smoothing", c.raw, c.scale) for c in columns if c.has_raw]
    smoothed = [of[column.name] for column in columns if column.has_raw]
    yield figures([density_svg(axis, human) for axis in of.values()])
    yield figures([levels_svg(axis, groups) for axis in of.values()])
    yield figures([density_svg(before, after) for before, after in zip(raw, smoothed, strict=True)])
    pairs = (pair for pair in combinations(of.values(), 2) if _share_any(*pair))
    yield figures([density_svg(first, second) for first, second in pairs])


def _share_any(first: Axis, second: Axis) -> bool:
    """Return whether any sample has values on both axes of a plot.

    If two metrics have scored different samples, their plot would be empty.
    """
    return bool((np.isfinite(first.values) & np.isfinite(second.values)).any())


def _groups(analyst: Analyst, dataset: str, slice_name: str | None) -> HumanGroups:
    """Return the groups of samples by level of human judgement.

    Plots need them. Levels come from the whole data set, so that plots of slices (saved filters) can be compared. For a
    slice, only its samples are in the groups.
    """
    whole = analyst.table(dataset)
    groups = human_groups(whole.human, whole.levels)
    return replace(groups, of=groups.of[analyst.members(dataset, slice_name).mask]) if slice_name else groups


def _agreement(desk: AgreementDesk, dataset: str, metrics: Sequence[str], slice_name: str | None) -> Iterator[str]:
    if not metrics:
        yield paragraph("These captions have no scores yet.")
        return
    try:
        correlations = desk.correlations(dataset, metrics, None, slice_name)
    except BadSetting as error:
        yield paragraph(str(error))
        return
    yield from (paragraph(remark, "notice") for remark in correlations.remarks)
    if correlations.taus.rows:
        published = (
            " Published figures are those of the papers."
            if any(row.published for row in correlations.taus.rows)
            else ""
        )
        intervals = f"Intervals are bootstrapped over images with {DRAWS:,} resamples."
        yield paragraph(f"{correlations.taus.title}. {correlations.counted} {intervals}{published}", "quiet")
        yield table(correlations.taus, "")
    if correlations.accuracies.rows:
        intervals = f"Intervals are bootstrapped over images with {DRAWS:,} resamples."
        yield paragraph(
            f"{correlations.accuracies.title}. {intervals} Published figures are those of the papers.", "quiet"
        )
        yield table(correlations.accuracies, "")
    compared: tuple[Table[Any], ...] = (correlations.differences, correlations.accuracy_differences)
    yield from (heading(one.title, 3) + table(one, "") for one in compared if one.rows)


def _people(desk: AgreementDesk, dataset: str) -> Iterator[str]:
    agreement = people_agreement(desk, dataset, None)
    if agreement.taus.rows:
        yield heading("How well people agree with one another")
    for one in (agreement.taus, agreement.coefficients):
        if one.rows:
            yield heading(one.title, 3) + table(one, "")
    yield from (paragraph(remark, "quiet") for remark in agreement.remarks)


def _captioners(analyst: Analyst, dataset: str) -> Iterator[str]:
    """Yield the comparison of captioners. Yields nothing for fewer than two captioners."""
    if len(analyst.captioners(dataset).names) < 2:
        return
    yield heading("Captioners")
    try:
        comparison = compare_captioners(analyst, dataset, list(analyst.table(dataset).compared), None)
    except BadSetting as error:  # raised if there are too many captioners
        yield paragraph(str(error))
        return
    own: tuple[Table[Any], ...] = (comparison.captioners, comparison.agreement)
    yield from (heading(one.title, 3) + table(one, "") for one in own if one.rows)
    yield from (paragraph(remark, "quiet") for remark in comparison.remarks)


_ERRORS = (
    text("sample", "key"),
    text("caption", "caption"),
    number("human", "human"),
    number("metric", "value"),
    number("metric − human", "error"),
)


def _errors(analyst: Analyst, dataset: str, column: MetricColumn) -> str:
    errors = largest_errors(analyst, dataset, column.name, 0, ERRORS)
    shown = (
        (f"The table shows the {len(errors.rows)} largest of {errors.total:,} errors. Both scores are rescaled to 0–1.")
        if errors.rows
        else ""
    )
    listed = table(Table("", _ERRORS, list(errors.rows)), "No sample has both a score and a human judgement.")
    return heading(f"Largest errors of {column.label}") + (paragraph(shown, "quiet") if shown else "") + listed


def _codes(analyst: Analyst, dataset: str) -> Iterator[str]:
    codings = analyst.workplace.repository.codings
    books = codings.codebooks()
    for column in analyst.table(dataset).metrics.values():
        for book in books:
            coded = codings.coded(dataset, column.name, book.name)
            if coded.codings:
                tables = coded_tables(coded)
                yield heading(f"Coded errors of {column.label} ({book.name})")
                yield table(tables.counts, "") + table(
                    tables.kappas, "Only one person has coded errors, so there is no κ."
                )
