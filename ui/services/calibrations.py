"""A data set's scores beside people's judgement: errors on three scales, calibration, and cuts for good captions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import get_args

import numpy as np

from core.analysis.score_table import ScoreName, ScoreTable
from core.arrays import Floats
from core.errors import BadSetting
from core.parallel import computed
from core.statistics.bootstrap import clustered_mean_interval
from core.statistics.calibration import Calibration, calibration
from core.statistics.cuts import Cuts, at_or_above, cuts
from core.types import ErrorScale
from ui.services.analysis import Analyst
from ui.services.partings import SCALES
from ui.services.tables import INTERVAL, Column, Table, count, number, text

GOOD_FROM = 0.5  # human judgement, [0, 1], from which people call a caption good
SHOWN_CUTS = 10  # steps between cuts in the table


@dataclass(frozen=True, slots=True)
class ErrorSize:
    """How far a score is from people on one scale."""

    label: str
    scale: str
    n: int
    mean_error: float | None  # mean of score - human as they are; None: the other scales have none by their making
    mean_absolute_error: float  # mean of |score - human|
    mean_absolute_error_low: float | None  # 95 %, bootstrap over images
    mean_absolute_error_high: float | None


@dataclass(frozen=True, slots=True)
class BinRow:
    """Some samples with neighbouring scores, all on [0, 1]."""

    label: str
    n: int
    low: float
    high: float
    score: float
    human: float
    ci_low: float | None  # 95 % of the human mean, bootstrap over images
    ci_high: float | None


@dataclass(frozen=True, slots=True)
class CutRow:
    """What comes of calling a caption good from a cut upwards; shares times 100."""

    label: str
    cut: float  # [0, 1]
    on_scale: float  # the cut on the metric's own scale
    n: int
    said: int  # captions at or above the cut
    accuracy: float
    ci_low: float | None  # 95 %, bootstrap over images; None: not worked out for every cut
    ci_high: float | None
    balanced: float | None  # None: people call all captions good, or none
    precision: float | None
    recall: float | None
    commoner: float  # accuracy of giving every caption the commoner answer


@dataclass(frozen=True, slots=True)
class ScoreCurve:
    """What the plots of one score are drawn from, all on [0, 1]."""

    label: str
    fit: tuple[tuple[float, float], ...]  # (score, human) of the never falling fit
    binned_error: float
    cuts: list[float]
    accuracy: list[float]
    balanced: list[float | None]


@dataclass(frozen=True, slots=True)
class Calibrations:
    """How scores compare with people's judgement along their scales."""

    errors: Table[ErrorSize]
    bins: Table[BinRow]
    best: Table[CutRow]
    cuts: Table[CutRow]
    curves: list[ScoreCurve]
    good_from: float
    remarks: list[str]


@dataclass(frozen=True, slots=True, eq=False)
class _Score:
    name: ScoreName
    label: str
    scale: tuple[float, float]
    found: Calibration
    cuts: Cuts


def calibrations(
    analyst: Analyst, dataset: str, metrics: Sequence[str], slice_name: str | None, good_from: float = GOOD_FROM
) -> Calibrations:
    """Return errors, calibration and cuts of every score of some metrics. Raises NotFound, BadSetting."""
    whole, within = analyst.table(dataset), analyst.chosen(dataset, slice_name)
    table = whole if within is None else whole.where(within)
    scores = _scores(table, metrics, good_from)
    if not scores:
        raise BadSetting(f"No sample here has a score and a human judgement of its caption in {dataset}.")

    def size(of: tuple[_Score, ErrorScale]) -> list[ErrorSize]:
        one, scale = of
        error = analyst.signed_errors(dataset, one.name, scale)
        return _size(one.label, scale, error if within is None else error[within], table)

    sizes = computed("Working out errors", size, [*product(scores, get_args(ErrorScale))])
    best = computed("Looking for the best cuts", lambda one: _best(one, table, good_from), scores)
    shown, of_people = range(0, len(scores[0].cuts.cuts), SHOWN_CUTS), f"judged {good_from:g} or higher by people"
    return Calibrations(
        Table("Mean errors", _SIZES, [row for rows in sizes for row in rows]),
        Table("Calibration: what people say of captions with neighbouring scores", _BINS, list(_bins(scores))),
        Table(f"Best cuts for good captions, {of_people}", _BEST, best),
        Table(f"Cuts for good captions, {of_people}", _CUTS, [_cut(one, place) for one in scores for place in shown]),
        [_curve(one) for one in scores],
        good_from,
        [_IN_SAMPLE],
    )


_IN_SAMPLE = (
    "“Commoner answer” is the accuracy of calling all captions good, or none. "
    "The best cut is chosen on the captions that it is measured on: on others it will do a little worse. Calibrated "
    "errors are free of that, each image being calibrated by the others."
)


def _scores(table: ScoreTable, metrics: Sequence[str], good_from: float) -> list[_Score]:
    def calibrated(name: ScoreName) -> _Score | None:
        unit = table.unit(name)
        found, cut = calibration(unit, table.human, table.images), cuts(unit, table.human, good_from)
        if found is None or cut is None:
            return None
        return _Score(name, table.label(name), table.metric(name.metric).scale, found, cut)

    found = computed("Calibrating scores", calibrated, table.variants(metrics))
    return [one for one in found if one is not None]


def _size(label: str, scale: ErrorScale, error: Floats, table: ScoreTable) -> list[ErrorSize]:
    known = np.isfinite(error)
    if not known.any():  # captions of a single image calibrate nothing
        return []
    size = np.abs(error[known])
    interval = clustered_mean_interval(size, table.images[known])
    ends = (None, None) if interval is None else (interval.low, interval.high)
    offset = float(error[known].mean()) if scale == "plain" else None
    return [ErrorSize(label, SCALES[scale], len(size), offset, float(size.mean()), *ends)]


def _bins(scores: Sequence[_Score]) -> Iterator[BinRow]:
    for one in scores:
        for part in one.found.bins:
            ends = (None, None) if part.interval is None else (part.interval.low, part.interval.high)
            yield BinRow(one.label, part.n, part.low, part.high, part.score, part.human, *ends)


def _best(one: _Score, table: ScoreTable, good_from: float) -> CutRow:
    """Return the cut with the highest balanced accuracy, or accuracy where that is undefined; the lowest of equals."""
    ranked = one.cuts.balanced if np.isfinite(one.cuts.balanced).all() else one.cuts.accuracy
    place = int(np.argmax(ranked))
    unit = table.unit(one.name)
    known = np.isfinite(unit) & np.isfinite(table.human)
    right = at_or_above(unit[known], float(one.cuts.cuts[place])) == (table.human[known] >= good_from)
    interval = clustered_mean_interval(right.astype(float), table.images[known])
    row = _cut(one, place)
    return row if interval is None else replace(row, ci_low=100 * interval.low, ci_high=100 * interval.high)


def _cut(one: _Score, place: int) -> CutRow:
    cut, (low, high) = float(one.cuts.cuts[place]), one.scale
    return CutRow(
        label=one.label,
        cut=cut,
        on_scale=low + cut * (high - low),
        n=one.cuts.n,
        said=int(one.cuts.said[place]),
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


_SIZES = (
    text("score", "label"),
    text("error", "scale"),
    count("n", "n"),
    number("mean error", "mean_error", undefined=""),
    number("mean |error|", "mean_absolute_error"),
    Column("95 % interval", ("mean_absolute_error_low", "mean_absolute_error_high"), "interval"),
)
_BINS = (
    text("score", "label"),
    count("n", "n"),
    number("from", "low"),
    number("to", "high"),
    number("mean score", "score"),
    number("mean judgement", "human"),
    Column("95 % interval", INTERVAL, "interval"),
)
_CUTS = (
    text("score", "label"),
    number("cut", "cut", 2),
    count("called good", "said"),
    number("accuracy, %", "accuracy", 1),
    number("balanced, %", "balanced", 1),
    number("precision, %", "precision", 1, undefined="none"),
    number("recall, %", "recall", 1, undefined="none"),
)
_BEST = (
    *_CUTS[:2],
    number("on its scale", "on_scale"),
    count("n", "n"),
    *_CUTS[2:4],
    Column("95 % interval", INTERVAL, "interval", 1),
    number("commoner answer, %", "commoner", 1),
    *_CUTS[4:],
)
