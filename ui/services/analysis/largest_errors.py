"""List the samples with the largest errors of a metric."""

from dataclasses import dataclass

from core.types import ErrorScale
from ui.services.analysis.analyst import Analyst


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """A sample with its score, its human judgement and the difference between them (the error)."""

    id: int
    key: str
    image: str | None  # address of the picture's thumbnail; None: the picture was not found
    caption: str
    human: float  # mean human judgement, not rounded, [0, 1]
    value: float  # the metric's score, not rounded, rescaled to [0, 1]
    error: float  # value - human on the scale that the user chose: unchanged values, ranks, or calibrated scores


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """One page of the samples with the largest errors."""

    total: int  # number of samples with a score and a human judgement
    first: int  # rank of the first row, from 1
    rows: tuple[ErrorRow, ...]


def largest_errors(
    analyst: Analyst,
    dataset: str,
    metric: str,
    offset: int,
    limit: int,
    slice_name: str | None = None,
    scale: ErrorScale = "plain",
) -> ErrorPage:
    """Return a page of the samples, the largest |metric - human| first. Raises NotFound."""
    whole, error, order = analyst.ranked_errors(dataset, metric, slice_name, scale)
    shown = order[offset : offset + limit]
    unit, pictures = whole.metric(metric).unit, analyst.pictures(whole.ids[shown].tolist())
    rows = tuple(
        ErrorRow(
            id=int(whole.ids[i]),
            key=whole.keys[i],
            image=pictures.get(int(whole.ids[i])),
            caption=whole.captions[i],
            human=float(whole.human[i]),
            value=float(unit[i]),
            error=float(error[i]),
        )
        for i in shown
    )
    return ErrorPage(len(order), offset + 1, rows)
