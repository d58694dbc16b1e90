"""List samples on which two scores disagree, the largest gap first.

The Analyse page and reports use these lists. They also show which score is closer to people's judgements.
"""

from dataclasses import dataclass, replace

import numpy as np

from core.analysis.score_table import Mask, falling
from core.analysis.slice_conditions import Parting, Range
from core.arrays import Floats
from core.statistics.bootstrap import Interval, clustered_mean_interval
from core.statistics.disagreements import right_together
from core.types import ErrorScale
from ui.services.analysis.analyst import Analyst
from ui.services.tables import Column, Table, count, number, text

SCALES: dict[ErrorScale, str] = {"plain": "as they are", "rank": "by rank", "calibrated": "calibrated"}


@dataclass(frozen=True, slots=True)
class PartedRow:
    """A sample on which two scores disagree. Scores are rescaled to [0, 1]."""

    id: int
    key: str
    image: str | None  # address of the picture's thumbnail; None: the picture was not found
    caption: str
    human: float | None  # mean human judgement, [0, 1]; None: not judged
    first: float
    second: float
    first_error: float | None  # error of `first`, on the scale that the user chose; None: not judged
    second_error: float | None
    gap: float


@dataclass(frozen=True, slots=True)
class PartedPage:
    """One page of the samples on which two scores disagree, the largest gap first."""

    total: int
    first: int  # rank of the first row, from 1
    first_label: str
    second_label: str
    rows: list[PartedRow]


@dataclass(frozen=True, slots=True)
class NearRow:
    """How often one score is close to people's judgements, and how large its errors are.

    A row is about the first of two scores, about the second, or about their difference (first - second). Shares are
    times 100.
    """

    score: str
    n: int
    right: float  # percent of samples whose error is below the tolerance
    right_low: float | None  # lower end of the 95 % interval of `right` (bootstrap over images)
    right_high: float | None
    alone: int | None  # number of samples on which only this score is right
    mean_absolute_error: float  # mean of |score - human|
    mean_absolute_error_low: float | None  # lower end of the mean's 95 % interval (bootstrap over images)
    mean_absolute_error_high: float | None


def parted(
    analyst: Analyst, dataset: str, chosen: Parting, offset: int, limit: int, slice_name: str | None
) -> PartedPage:
    """Return a page of the samples on which two scores disagree. Raises NotFound."""
    table, gaps = analyst.table(dataset), analyst.gaps(dataset, replace(chosen, gap=Range()))
    order = falling(np.where(gaps > 0, gaps, np.nan), analyst.chosen(dataset, slice_name))
    shown = order[offset : offset + limit].tolist()
    pair = (chosen.first, chosen.second)
    units = [table.metric(one).unit for one in pair]
    errors = [analyst.signed_errors(dataset, one, chosen.errors) for one in pair]
    pictures = analyst.pictures(table.ids[shown].tolist())
    rows = [
        PartedRow(
            id=int(table.ids[i]),
            key=table.keys[i],
            image=pictures.get(int(table.ids[i])),
            caption=table.captions[i],
            human=_known(table.human[i]),
            first=float(units[0][i]),
            second=float(units[1][i]),
            first_error=_known(errors[0][i]),
            second_error=_known(errors[1][i]),
            gap=float(gaps[i]),
        )
        for i in shown
    ]
    return PartedPage(len(order), offset + 1, table.metric(chosen.first).label, table.metric(chosen.second).label, rows)


def nearer(analyst: Analyst, dataset: str, chosen: Parting, slice_name: str | None) -> Table[NearRow]:
    """Return how close each of two scores is to people's judgements.

    Only samples with both scores and a human judgement count. If there are none, the table is empty. Raises NotFound.
    """
    table, within = analyst.table(dataset), analyst.chosen(dataset, slice_name)
    pair = (chosen.first, chosen.second)
    errors = [_within(analyst.signed_errors(dataset, one, chosen.errors), within) for one in pair]
    known = np.isfinite(errors[0]) & np.isfinite(errors[1])
    title = (
        f"Which score is closer to human judgement? Errors {SCALES[chosen.errors]}; a score is right if its error is "
        f"below {chosen.tolerance:g}"
    )
    if not known.any():
        return Table(title, _NEAR, [])
    first, second = (np.abs(error[known]) for error in errors)
    found = right_together(errors[0], errors[1], table.images, chosen.tolerance)
    image = table.images[known]

    def row(name: str, right: int, share: Interval | None, alone: int | None, error: Floats) -> NearRow:
        ends = _ends(clustered_mean_interval(error, image))
        return NearRow(name, found.n, 100 * right / found.n, *_ends(share, 100), alone, float(error.mean()), *ends)

    labels = [table.metric(one).label for one in pair]
    both = found.both
    rows = [
        row(labels[0], both + found.first, found.share_first, found.first, first),
        row(labels[1], both + found.second, found.share_second, found.second, second),
        row(" − ".join(labels), found.first - found.second, found.difference, None, first - second),
    ]
    return Table(title, _NEAR, rows)


_NEAR = (
    text("score", "score"),
    count("n", "n"),
    number("right, %", "right", 1),
    Column("95 % interval", ("right_low", "right_high"), "interval", 1),
    count("only this score is right", "alone", undefined=""),
    number("mean |error|", "mean_absolute_error"),
    Column("95 % interval", ("mean_absolute_error_low", "mean_absolute_error_high"), "interval"),
)


def _within(values: Floats, within: Mask | None) -> Floats:
    return values if within is None else np.where(within, values, np.nan)


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _ends(interval: Interval | None, times: float = 1) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (times * interval.low, times * interval.high)
