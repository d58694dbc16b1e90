"""Rows and columns of the tables of calibration: error sizes and bins."""

from dataclasses import dataclass

from ui.services.tables import SHOWN_INTERVAL, Column, Table, count, number, text


@dataclass(frozen=True, slots=True)
class ErrorSize:
    """The size of a score's errors on one scale."""

    label: str
    scale: str
    n: int
    mean_error: float | None  # mean of score - human; None on the rank and calibrated scales, where it is always 0
    mean_absolute_error: float  # mean of |score - human|
    mean_absolute_error_low: float | None  # 95 % interval, bootstrap over images
    mean_absolute_error_high: float | None


@dataclass(frozen=True, slots=True)
class BinRow:
    """A bin of samples with neighbouring scores. All scores and judgements are in [0, 1]."""

    label: str
    n: int
    low: float
    high: float
    score: float
    human: float
    ci_low: float | None  # 95 % interval of the human mean, bootstrap over images
    ci_high: float | None


@dataclass(frozen=True, slots=True)
class ScoreCurve:
    """The data for the plots of one score. All values are in [0, 1]."""

    label: str
    fit: tuple[tuple[float, float], ...]  # (score, human) points of the isotonic fit, which never falls
    binned_error: float


@dataclass(frozen=True, slots=True)
class Calibrations:
    """All tables and curves that compare scores with human judgements on the original scale."""

    errors: Table[ErrorSize]
    bins: Table[BinRow]
    curves: list[ScoreCurve]


SIZES = (
    text("score", "label"),
    text("error", "scale"),
    count("n", "n"),
    number("mean error", "mean_error", undefined=""),
    number("mean |error|", "mean_absolute_error"),
    Column("95 % interval", ("mean_absolute_error_low", "mean_absolute_error_high"), "interval"),
)
BINS = (
    text("score", "label"),
    count("n", "n"),
    number("from", "low"),
    number("to", "high"),
    number("mean score", "score"),
    number("mean judgement", "human"),
    SHOWN_INTERVAL,
)
