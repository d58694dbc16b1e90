"""Compare a data set's scores with human judgements: errors on three scales, and calibration."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from core.analysis.score_table import ScoreTable
from core.arrays import Floats
from core.errors import BadSetting
from core.long_work.parallel import computed
from core.statistics.bootstrap import Interval, clustered_mean_interval, clustered_mean_intervals
from core.statistics.calibration import Calibration, calibration
from core.types import ErrorScale
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.calibration_tables import (
    BINS,
    SIZES,
    BinRow,
    Calibrations,
    ErrorSize,
    ScoreCurve,
)
from ui.services.analysis.disagreements import SCALES
from ui.services.tables import Table


@dataclass(frozen=True, slots=True, eq=False)
class _Score:
    name: str
    label: str
    found: Calibration


def calibrations(analyst: Analyst, dataset: str, metrics: Sequence[str], slice_name: str | None) -> Calibrations:
    """Return errors and calibration of some metrics' scores. Raises NotFound, BadSetting."""
    whole, within = analyst.table(dataset), analyst.chosen(dataset, slice_name)
    table = whole if within is None else whole.where(within)
    scores = _scores(table, metrics)
    if not scores:
        raise BadSetting(f"No sample of {dataset} has both a score and a human judgement of its caption.")

    def measured(one: _Score) -> list[ErrorSize]:
        errors = {scale: analyst.signed_errors(dataset, one.name, scale) for scale in get_args(ErrorScale)}
        chosen = {scale: error if within is None else error[within] for scale, error in errors.items()}
        return _measured(one, chosen, table)

    results = computed("Computing errors", measured, scores)
    sizes = [size for of_score in results for size in of_score]
    return Calibrations(
        Table("Mean errors", SIZES, sizes),
        Table("Calibration: human judgement of captions with similar scores", BINS, list(_bins(scores))),
        [_curve(one) for one in scores],
    )


def _scores(table: ScoreTable, metrics: Sequence[str]) -> list[_Score]:
    def calibrated(name: str) -> _Score | None:
        column = table.metric(name)
        unit = column.unit
        calibrated_scores = calibration(unit, table.human, table.images)
        if calibrated_scores is None:
            return None
        return _Score(name, column.label, calibrated_scores)

    calibrated_scores = computed("Calibrating scores", calibrated, table.with_raw(metrics))
    return [one for one in calibrated_scores if one is not None]


def _measured(one: _Score, errors: Mapping[ErrorScale, Floats], table: ScoreTable) -> list[ErrorSize]:
    """Return a score's errors on each scale.

    The intervals come from a bootstrap over images. Scores of the same samples use the same random draws of images.
    """
    unit = table.metric(one.name).unit
    both = np.isfinite(unit) & np.isfinite(table.human)
    known = {
        scale: error for scale, error in errors.items() if np.isfinite(error).any()
    }  # a scale without errors is omitted, such as "calibrated" if there is only one image
    whole = [scale for scale, error in known.items() if np.array_equal(np.isfinite(error), both)]
    columns = [np.abs(known[scale][both]) for scale in whole]
    of_whole = clustered_mean_intervals(columns, table.images[both])
    intervals = dict(zip(whole, of_whole, strict=True))
    sizes = []
    for scale, error in known.items():
        at = np.isfinite(error)
        size = np.abs(error[at])
        interval = intervals[scale] if scale in intervals else clustered_mean_interval(size, table.images[at])
        offset = float(error[at].mean()) if scale == "plain" else None
        sizes.append(ErrorSize(one.label, SCALES[scale], len(size), offset, float(size.mean()), *_ends(interval)))
    return sizes


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)


def _bins(scores: Sequence[_Score]) -> Iterator[BinRow]:
    for one in scores:
        for part in one.found.bins:
            yield BinRow(one.label, part.n, part.low, part.high, part.score, part.human, *_ends(part.interval))


def _curve(one: _Score) -> ScoreCurve:
    return ScoreCurve(one.label, one.found.fit, one.found.binned_error)
