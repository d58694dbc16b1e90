"""A study's report: ratings of each metric's explanations, which metrics differ, and how far raters agree.

All results work on one table: a row for each answer, as exports have them. Results compare ratings of the same `unit`
and call a metric by its `label`; `compared` adds these two columns.

Shares of points are computed over all ratings of a metric and criterion. Intervals and tests use the unit, because
ratings of one item are not independent. Abstentions (0) and missing pictures (-1) are counted separately and never
averaged.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pandas as pd

from core.statistics.bootstrap import DRAWS, SEED, mean_interval
from core.statistics.rater_agreement import DRAWS as AGREEMENT_DRAWS
from core.statistics.rater_agreement import Agreement, agreement
from core.statistics.significance import SignedRank, holm, signed_rank
from core.studies.asking.criteria import ABSTAIN, NO_PICTURE

Scales = Mapping[str, Sequence[int]]  # key: criterion; value: its points in ascending order, without abstention


def counted(ratings: pd.DataFrame) -> pd.DataFrame:
    """Return only the ratings that results include."""
    return ratings[ratings["left_out"] == ""]


def compared(ratings: pd.DataFrame, labels: Mapping[tuple[str, str], str]) -> pd.DataFrame:
    """Return ratings with the columns `label` and `unit`.

    labels: a name for each metric and signature, since one metric with two settings becomes two metrics. The unit is
    the sample. In some studies a rater judged one explanation in several items, beside explanations of different
    metrics; there, the unit is the item.
    """
    metrics = zip(ratings["metric"], ratings["signature"], strict=True)
    is_paired = ratings.duplicated(["sample", "metric", "signature", "rater", "criterion"]).any()
    return ratings.assign(
        label=pd.Series([labels.get(one, one[0]) for one in metrics], ratings.index, dtype=object),
        unit=ratings["item"] if is_paired else ratings["sample"],
    )


def shares(ratings: pd.DataFrame, scales: Scales) -> list[float]:
    """Return each answer as a share of its scale: 0 for the lowest point, 1 for the highest."""
    ends = {criterion: (points[0], points[-1]) for criterion, points in scales.items()}
    pairs = zip(ratings["criterion"], ratings["rating"].tolist(), strict=True)
    return [(point - ends[key][0]) / (ends[key][1] - ends[key][0]) for key, point in pairs]


@dataclass(frozen=True, slots=True)
class CriterionSummary:
    """The ratings of one metric on one criterion.

    A value is None if there are too few ratings to define it.
    """

    metric: str
    criterion: str
    n: int  # number of ratings with a point of the scale
    mean: float | None  # mean of the ratings in `n`, in points
    sd: float | None  # standard deviation of the ratings in `n`, ddof 1
    ci_low: float | None  # 95 % interval of the mean, bootstrap over items
    ci_high: float | None
    abstain_rate: float  # share of abstentions among all ratings, [0, 1]
    no_picture_rate: float  # share of "the picture is missing" among all ratings, [0, 1]

    @property
    def note(self) -> str:
        """The reason why a figure is undefined; "" if all figures are defined."""
        if self.mean is None:
            return (
                "the pictures are missing, so there are no ratings to average"
                if self.no_picture_rate
                else "every rater chose “cannot judge”, so there are no ratings to average"
            )
        one_rating = "there is only one rating, so there is no standard deviation" if self.sd is None else ""
        one_item = "there is only one item, so there is no interval" if self.ci_low is None else ""
        return "; ".join(reason for reason in (one_rating, one_item) if reason)


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """A paired test between two metrics on one criterion.

    `p` is None if it is undefined. Then `note` gives the reason.
    """

    criterion: str
    metric_a: str
    metric_b: str
    n_items: int  # number of items with ratings of both metrics
    mean_difference: float | None  # mean over items of metric_a - metric_b in points
    statistic: float | None  # Wilcoxon's min(W+, W-)
    p: float | None  # two-sided
    p_holm: float | None  # p value after Holm's correction over all criteria and comparisons of the study
    note: str


@dataclass(frozen=True, slots=True)
class StudyReport:
    """Summaries and tests, with metrics and criteria in order of first appearance.

    Undefined figures are None, never NaN.
    """

    rows: tuple[CriterionSummary, ...]
    tests: tuple[MetricComparison, ...]


def report(ratings: pd.DataFrame, draws: int = DRAWS, seed: int = SEED) -> StudyReport:
    """Summarise a study's ratings (see the module). `draws` and `seed` are for the bootstrap."""
    metrics, criteria = ratings["label"].unique().tolist(), ratings["criterion"].unique().tolist()
    cells = dict(iter(ratings.groupby(["label", "criterion"], sort=False)))
    rows = [
        _summary(metric, criterion, cells[metric, criterion], draws, seed)
        for metric in metrics
        for criterion in criteria
        if (metric, criterion) in cells
    ]
    return StudyReport(tuple(rows), tuple(_comparisons(ratings, metrics, criteria)))


# With fewer items, a two-sided Wilcoxon test cannot reach p < 0.05. Holm's correction would still count such a test
# and make the other tests weaker.
FEWEST_ITEMS = 6


def _summary(metric: str, criterion: str, cell: pd.DataFrame, draws: int, seed: int) -> CriterionSummary:
    given = cell[cell["rating"] > ABSTAIN]
    n = len(given)
    items = given.groupby("unit")["rating"].agg(["sum", "count"])
    interval = mean_interval(items["sum"].to_numpy(float), items["count"].to_numpy(float), draws, seed)
    return CriterionSummary(
        metric=metric,
        criterion=criterion,
        n=n,
        mean=float(given["rating"].mean()) if n else None,
        sd=float(given["rating"].std(ddof=1)) if n > 1 else None,
        ci_low=interval.low if interval else None,
        ci_high=interval.high if interval else None,
        abstain_rate=float((cell["rating"] == ABSTAIN).mean()),
        no_picture_rate=float((cell["rating"] == NO_PICTURE).mean()),
    )


def _comparisons(ratings: pd.DataFrame, metrics: list[str], criteria: list[str]) -> list[MetricComparison]:
    given = ratings[ratings["rating"] > ABSTAIN]
    means = given.groupby(["criterion", "label", "unit"])["rating"].mean()
    tests = [_comparison(means, criterion, a, b) for criterion in criteria for a, b in combinations(metrics, 2)]
    adjusted = holm([test.p for test in tests])
    return [replace(test, p_holm=p) for test, p in zip(tests, adjusted, strict=True)]


def _comparison(means: "pd.Series[float]", criterion: str, a: str, b: str) -> MetricComparison:
    shared = pd.concat([_item_means(means, criterion, a), _item_means(means, criterion, b)], axis=1, join="inner")
    first, second = shared.to_numpy(float).T
    outcome = signed_rank(first, second)
    if 0 < len(shared) < FEWEST_ITEMS:
        reason = f"fewer than {FEWEST_ITEMS} items rated for both metrics"
        outcome = SignedRank(outcome.mean_difference, None, None, reason)
    difference = None if len(shared) == 0 else float(np.mean(first - second))
    return MetricComparison(criterion, a, b, len(shared), difference, outcome.statistic, outcome.p, None, outcome.note)


def _item_means(means: "pd.Series[float]", criterion: str, metric: str) -> "pd.Series[float]":
    cell = means[(means.index.get_level_values(0) == criterion) & (means.index.get_level_values(1) == metric)]
    return cell.droplevel([0, 1])


@dataclass(frozen=True, slots=True)
class PointShare:
    """Share of one point among the ratings of one metric on one criterion."""

    metric: str
    criterion: str
    point: int  # point of the scale; 0: abstained; -1: no picture
    count: int
    share: float  # share of all ratings of the metric on the criterion, [0, 1]


def rating_distribution(ratings: pd.DataFrame, points: Mapping[str, Sequence[int]]) -> tuple[PointShare, ...]:
    """Return how often each point was given, for each metric and criterion, in order of first appearance.

    Points that nobody gave are included. points: for each criterion all its points, including 0 if raters may abstain.
    Points that occur but are not listed are added.
    """
    shares = []
    for (metric, criterion), cell in ratings.groupby(["label", "criterion"], sort=False):
        given = Counter(cell["rating"].tolist())
        every = sorted({*points.get(criterion, ()), *given})
        shares += [PointShare(metric, criterion, one, given[one], given[one] / given.total()) for one in every]
    return tuple(shares)


@dataclass(frozen=True, slots=True)
class CriterionAgreement:
    """Raters' agreement on one criterion, for one metric's explanations or for all explanations."""

    criterion: str
    metric: str | None  # name of the metric; None: all metrics together
    agreement: Agreement


def study_agreement(
    ratings: pd.DataFrame, scales: Scales, draws: int = AGREEMENT_DRAWS, seed: int = SEED
) -> tuple[CriterionAgreement, ...]:
    """Return the agreement of a study's raters (see the module).

    For a criterion that is not in `scales`, only the points that raters gave are used. For each criterion, the first
    result is for all metrics together. With several metrics, one result per metric follows, in order of first
    appearance. Raises BadData.
    """
    agreements = []
    for criterion, rows in ratings[ratings["rating"] > ABSTAIN].groupby("criterion", sort=False):
        metrics = rows["label"].unique().tolist()
        for metric in [None, *(metrics if len(metrics) > 1 else [])]:
            of = rows if metric is None else rows[rows["label"] == metric]
            units, scale = of.groupby(["unit", "label"], sort=False).ngroup(), scales.get(criterion)
            found = agreement(units, of["rater"], of["rating"], scale=scale, draws=draws, seed=seed)
            agreements.append(CriterionAgreement(criterion, metric, found))
    return tuple(agreements)
