"""Effects of raters and of positions on ratings.

The module measures how severe raters are, how long they take, and how an explanation's position on the page changes its
ratings. Answers on scales of different lengths are compared as shares of their scale: 0 is the scale's lowest point, 1
its highest.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean, median

import numpy as np

from core.arrays import Bools
from core.statistics.bootstrap import DRAWS, SEED, mean_interval
from core.studies.asking.criteria import ABSTAIN
from core.studies.results.export import RatingRecord
from core.studies.results.rating_columns import RatingColumns, columns_of, numbered

Scales = Mapping[str, Sequence[int]]  # key: criterion; value: its points in ascending order, without abstention


@dataclass(frozen=True, slots=True)
class RaterSummary:
    """Summary of one rater's ratings."""

    rater: str
    items: int
    n: int  # number of the rater's answers, including abstentions
    abstain_rate: float  # [0, 1]
    seconds: float  # median time per item in seconds
    mean: float | None  # mean answer as a share of the criterion's scale, [0, 1]; None: only abstentions
    severity: float | None  # other raters' mean answer minus this rater's, same questions, [-1, 1]; None: no others
    compared: int  # number of answers to questions that other raters answered too
    note: str  # reason why a value is undefined; empty: all values are defined


@dataclass(frozen=True, slots=True)
class PositionEffect:
    """How much answers at one position on the page differ from the mean answer on the same page."""

    criterion: str
    position: int  # position of the explanation on the page; 1: the first from the left
    n: int  # answers
    difference: float | None  # mean of (answer - the rater's mean answer on the same page), as a share of the scale
    ci_low: float | None  # 95 % interval of the difference, bootstrap over items; None: one item only
    ci_high: float | None


def rater_summaries(records: Iterable[RatingRecord] | RatingColumns, scales: Scales) -> tuple[RaterSummary, ...]:
    """Return a summary of each rater, sorted by the rater's code.

    records: the ratings that are not excluded.
    """
    of = records if isinstance(records, RatingColumns) else columns_of(records)
    shares = _shares(of, scales)
    milder = _milder(of, shares)
    order = sorted(range(len(of.raters)), key=lambda rater: of.raters[rater])
    return tuple(_summary(of, of.rater == rater, shares, milder) for rater in order if (of.rater == rater).any())


def position_effects(
    records: Iterable[RatingRecord] | RatingColumns, scales: Scales, draws: int = DRAWS, seed: int = SEED
) -> tuple[PositionEffect, ...]:
    """Return for every criterion how an explanation's position on the page affects answers.

    Returns () if no page shows several explanations.
    """
    every = records if isinstance(records, RatingColumns) else columns_of(records)
    of = every.where(every.point > ABSTAIN)
    page = numbered(of.criterion, of.sample, of.item, of.rater)
    beside = (np.bincount(page) > 1)[page] if len(page) else np.zeros(0, np.bool_)
    of, page = of.where(beside), page[beside]
    shares, pages = _shares(of, scales), defaultdict[int, list[int]](list)
    for n, number in enumerate(page.tolist()):
        pages[number].append(n)
    criterion, position, sample = of.criterion.tolist(), of.position.tolist(), of.sample.tolist()
    differences: dict[tuple[int, int], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for answers in pages.values():
        mean = fmean(shares[n] for n in answers)
        for n in answers:
            differences[criterion[n], position[n]][sample[n]].append(shares[n] - mean)
    order = list(dict.fromkeys(criterion for criterion, _ in differences))
    keys = sorted(differences, key=lambda key: (order.index(key[0]), key[1]))
    return tuple(_effect(of.criteria[key[0]], key[1], list(differences[key].values()), draws, seed) for key in keys)


def _shares(of: RatingColumns, scales: Scales) -> list[float]:
    """Return each answer as a share of its scale (0: lowest point, 1: highest).

    For abstentions the result has no meaning.
    """
    points = [scales[name] for name in of.criteria]
    low = np.array([scale[0] for scale in points], np.int64)
    length = np.array([scale[-1] - scale[0] for scale in points], np.int64)
    shares: list[float] = ((of.point - low[of.criterion]) / length[of.criterion]).tolist()
    return shares


def _milder(of: RatingColumns, shares: Sequence[float]) -> list[float | None]:
    """Return the mean answer of other raters minus each answer.

    The other raters' answers are to the same question. The differences are shares of the scale. An entry is None for an
    abstention, or if no other rater answered the question.
    """
    question = numbered(of.item, of.explanation, of.criterion).tolist()
    raters, given = of.rater.tolist(), (of.point > ABSTAIN).tolist()
    asked: dict[int, dict[int, float]] = defaultdict(dict)  # question -> rater -> answer as a share of the scale
    for n, number in enumerate(question):
        if given[n]:
            asked[number][raters[n]] = shares[n]
    mean = cache(lambda *others: fmean(others))  # cached, because the same few answers occur again and again
    differences: list[float | None] = [None] * len(question)
    for n, number in enumerate(question):
        others = asked[number] if given[n] else {}
        if len(others) > 1:
            differences[n] = mean(*(share for rater, share in others.items() if rater != raters[n])) - shares[n]
    return differences


def _summary(of: RatingColumns, mine: Bools, shares: Sequence[float], milder: Sequence[float | None]) -> RaterSummary:
    own = of.where(mine)
    item = numbered(own.item)
    longest = np.zeros(int(item.max()) + 1, np.int64)  # visible time of each item until its last answer, in ms
    np.maximum.at(longest, item, own.duration_ms)
    places = np.flatnonzero(mine).tolist()
    given = [shares[n] for n, point in zip(places, own.point.tolist(), strict=True) if point > ABSTAIN]
    differences = [one for n in places if (one := milder[n]) is not None]
    alone = "" if differences else "no other rater answered the same questions"
    return RaterSummary(
        rater=of.raters[own.rater[0]],
        items=len(longest),
        n=len(own),
        abstain_rate=int((own.point == ABSTAIN).sum()) / len(own),
        seconds=median(longest.tolist()) / 1000,
        mean=fmean(given) if given else None,
        severity=fmean(differences) if differences else None,
        compared=len(differences),
        note=alone if given else "gave no rating on the scale",
    )


def _effect(criterion: str, position: int, by_item: Sequence[Sequence[float]], draws: int, seed: int) -> PositionEffect:
    sums, counts = np.array([sum(item) for item in by_item]), np.array([len(item) for item in by_item])
    interval = mean_interval(sums.astype(float), counts.astype(np.int64), draws, seed)
    low, high = (interval.low, interval.high) if interval else (None, None)
    return PositionEffect(criterion, position, int(counts.sum()), float(sums.sum() / counts.sum()), low, high)
