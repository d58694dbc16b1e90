"""Rows and columns of the tables of calibration: error sizes, bins and thresholds."""

from dataclasses import dataclass

from ui.services.tables import INTERVAL, SHOWN_INTERVAL, Column, Table, count, number, text


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
class CutRow:
    """The result of calling captions good if their score is at or above a threshold. Shares are times 100."""

    label: str
    cut: float  # the threshold, [0, 1]
    on_scale: float  # the threshold on the metric's own scale
    n: int
    said: int  # number of captions whose score is at or above the threshold
    accuracy: float
    ci_low: float | None  # 95 % interval of the accuracy, bootstrap over images; None: not computed for this threshold
    ci_high: float | None
    balanced: float | None  # balanced accuracy; None: people call every caption good, or no caption
    precision: float | None
    recall: float | None
    commoner: float  # accuracy of always giving the more frequent judgement


@dataclass(frozen=True, slots=True)
class ScoreCurve:
    """The data for the plots of one score. All values are in [0, 1]."""

    label: str
    fit: tuple[tuple[float, float], ...]  # (score, human) points of the isotonic fit, which never falls
    binned_error: float
    cuts: list[float]
    accuracy: list[float]
    balanced: list[float | None]


@dataclass(frozen=True, slots=True)
class Calibrations:
    """All tables and curves that compare scores with human judgements on the original scale."""

    errors: Table[ErrorSize]
    bins: Table[BinRow]
    best: Table[CutRow]
    cuts: Table[CutRow]
    curves: list[ScoreCurve]
    good_from: float
    remarks: list[str]


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
CUTS = (
    text("score", "label"),
    number("threshold", "cut", 2),
    count("called good", "said"),
    number("accuracy, %", "accuracy", 1),
    number("balanced, %", "balanced", 1),
    number("precision, %", "precision", 1, undefined="none"),
    number("recall, %", "recall", 1, undefined="none"),
)
BEST = (
    *CUTS[:2],
    number("on its scale", "on_scale"),
    count("n", "n"),
    *CUTS[2:4],
    Column("95 % interval", INTERVAL, "interval", 1),
    number("commoner answer, %", "commoner", 1),
    *CUTS[4:],
)
