"""Compare a data set's scores with human judgements: errors, calibration, and thresholds.

Errors are measured on three scales. A threshold separates captions that a score calls good from the others.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import get_args

import numpy as np

from core.analysis.score_table import ScoreTable
from core.arrays import Floats
from core.errors import BadSetting
from core.long_work.parallel import computed
from core.statistics.bootstrap import Interval, clustered_mean_interval, clustered_mean_intervals
from core.statistics.calibration import Calibration, calibration
from core.statistics.score_thresholds import Cuts, at_or_above, cuts
from core.types import ErrorScale
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.calibration_tables import (
    BEST,
    BINS,
    CUTS,
    SIZES,
    BinRow,
    Calibrations,
    CutRow,
    ErrorSize,
    ScoreCurve,
)
from ui.services.analysis.disagreements import SCALES
from ui.services.tables import Table

GOOD_FROM = 0.5  # smallest human judgement of a good caption, [0, 1]
SHOWN_CUTS = 10  # the table shows every 10th threshold


@dataclass(frozen=True, slots=True, eq=False)
class _Score:
    name: str
    label: str
    scale: tuple[float, float]
    found: Calibration
    cuts: Cuts


def calibrations(
    analyst: Analyst, dataset: str, metrics: Sequence[str], slice_name: str | None, good_from: float = GOOD_FROM
) -> Calibrations:
    """Return errors, calibration and thresholds of some metrics' scores. Raises NotFound, BadSetting."""
    whole, within = analyst.table(dataset), analyst.chosen(dataset, slice_name)
    table = whole if within is None else whole.where(within)
    scores = _scores(table, metrics, good_from)
    if not scores:
        raise BadSetting(f"No sample of {dataset} has both a score and a human judgement of its caption.")

    def measured(one: _Score) -> tuple[list[ErrorSize], CutRow]:
        errors = {scale: analyst.signed_errors(dataset, one.name, scale) for scale in get_args(ErrorScale)}
        chosen = {scale: error if within is None else error[within] for scale, error in errors.items()}
        return _measured(one, chosen, table, good_from)

    results = computed("Computing errors and thresholds", measured, scores)
    sizes = [size for of_score, _ in results for size in of_score]
    shown, of_people = range(0, len(scores[0].cuts.cuts), SHOWN_CUTS), f"rated {good_from:g} or higher by people"
    return Calibrations(
        Table("Mean errors", SIZES, sizes),
        Table("Calibration: human judgement of captions with similar scores", BINS, list(_bins(scores))),
        Table(f"Best thresholds for good captions, {of_people}", BEST, [best for _, best in results]),
        Table(
            f"Thresholds for good captions, {of_people}", CUTS, [_cut(one, place) for one in scores for place in shown]
        ),
        [_curve(one) for one in scores],
        good_from,
        [_IN_SAMPLE],
    )


_IN_SAMPLE = (
    "“Commoner answer” is the accuracy of the same answer for all captions: “good” or “not good”, whichever is more "
    "frequent. The best threshold is chosen and measured on the same captions, so its accuracy is a little lower on "
    "other captions. Calibrated errors avoid this, because each image is calibrated with the other images."
)


def _scores(table: ScoreTable, metrics: Sequence[str], good_from: float) -> list[_Score]:
    def calibrated(name: str) -> _Score | None:
        column = table.metric(name)
        unit = column.unit
        calibrated_scores, cut = calibration(unit, table.human, table.images), cuts(unit, table.human, good_from)
        if calibrated_scores is None or cut is None:
            return None
        return _Score(name, column.label, column.scale, calibrated_scores, cut)

    calibrated_scores = computed("Calibrating scores", calibrated, table.with_raw(metrics))
    return [one for one in calibrated_scores if one is not None]


def _measured(
    one: _Score, errors: Mapping[ErrorScale, Floats], table: ScoreTable, good_from: float
) -> tuple[list[ErrorSize], CutRow]:
    """Return a score's errors on each scale, and its best threshold.

    The intervals come from a bootstrap over images. Scores of the same samples use the same random draws of images.
    """
    unit = table.metric(one.name).unit
    both = np.isfinite(unit) & np.isfinite(table.human)
    place = _best_place(one.cuts)
    right = at_or_above(unit[both], float(one.cuts.cuts[place])) == (table.human[both] >= good_from)
    known = {
        scale: error for scale, error in errors.items() if np.isfinite(error).any()
    }  # a scale without errors is omitted, such as "calibrated" if there is only one image
    whole = [scale for scale, error in known.items() if np.array_equal(np.isfinite(error), both)]
    columns = [*(np.abs(known[scale][both]) for scale in whole), right.astype(float)]
    *of_whole, of_cut = clustered_mean_intervals(columns, table.images[both])
    intervals = dict(zip(whole, of_whole, strict=True))
    sizes = []
    for scale, error in known.items():
        at = np.isfinite(error)
        size = np.abs(error[at])
        interval = intervals[scale] if scale in intervals else clustered_mean_interval(size, table.images[at])
        offset = float(error[at].mean()) if scale == "plain" else None
        sizes.append(ErrorSize(one.label, SCALES[scale], len(size), offset, float(size.mean()), *_ends(interval)))
    low, high = _ends(of_cut, 100)
    return sizes, replace(_cut(one, place), ci_low=low, ci_high=high)


def _ends(interval: Interval | None, times: float = 1) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (times * interval.low, times * interval.high)


def _bins(scores: Sequence[_Score]) -> Iterator[BinRow]:
    for one in scores:
        for part in one.found.bins:
            yield BinRow(one.label, part.n, part.low, part.high, part.score, part.human, *_ends(part.interval))


def _best_place(found: Cuts) -> int:
    """Return the index of the threshold with the highest balanced accuracy.

    If balanced accuracy is undefined, use accuracy. Among equal thresholds, return the lowest.
    """
    return int(np.argmax(found.balanced if np.isfinite(found.balanced).all() else found.accuracy))


def _cut(one: _Score, place: int) -> CutRow:
    cut, (low, high) = float(one.cuts.cuts[place]), one.scale
    return CutRow(
        label=one.label,
        cut=cut,
        on_scale=low + cut * (high - low),
        n=one.cuts.n,
        said=int(one.cuts.called_good[place]),
        accuracy=100 * float(one.cuts.accuracy[place]),
        ci_low=None,
        ci_high=None,
        balanced=_percent(one.cuts.balanced[place]),
        precision=_percent(one.cuts.precision[place]),
        recall=_percent(one.cuts.recall[place]),
        commoner=100 * max(one.cuts.good, one.cuts.n - one.cuts.good) / one.cuts.n,
    )


def _curve(one: _Score) -> ScoreCurve:
    balanced = [None if np.isnan(value) else value for value in one.cuts.balanced.tolist()]
    at, accuracy = one.cuts.cuts.tolist(), one.cuts.accuracy.tolist()
    return ScoreCurve(one.label, one.found.fit, one.found.binned_error, at, accuracy, balanced)


def _percent(value: float) -> float | None:
    return 100 * float(value) if np.isfinite(value) else None
