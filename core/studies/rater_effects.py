"""What comes from raters and places rather than from explanations: severity, time, and where on the page a text stood.

Answers on scales of different lengths are compared as shares of their scale: 0 its lowest point, 1 its highest.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

import numpy as np

from core.statistics.bootstrap import DRAWS, SEED, mean_interval
from core.studies.criteria import ABSTAIN
from core.studies.export import RatingRecord

Scales = Mapping[str, Sequence[int]]  # criterion -> its points, abstention not among them, ascending


@dataclass(frozen=True, slots=True)
class RaterSummary:
    """How one rater rated."""

    rater: str
    items: int
    n: int  # answers, abstentions included
    abstain_rate: float  # [0, 1]
    seconds: float  # an item, median
    mean: float | None  # of the answers as shares of their scales, [0, 1]; None: only abstentions
    severity: float | None  # others' answers to the same questions minus this rater's, mean, [-1, 1]; None: no others
    compared: int  # answers that others gave, too
    note: str  # why a figure is undefined, or nothing


@dataclass(frozen=True, slots=True)
class PositionEffect:
    """How answers about explanations at one place of the page differ from those about all explanations beside them."""

    criterion: str
    position: int  # 1: the first from the left
    n: int  # answers
    difference: float | None  # mean of answer - mean of the same rater's answers on the same page, share of the scale
    ci_low: float | None  # 95 %, bootstrap over items; None: ratings of one item give none
    ci_high: float | None


def rater_summaries(records: Sequence[RatingRecord], scales: Scales) -> tuple[RaterSummary, ...]:
    """Summarise each rater, by code. records: those that count."""
    asked: dict[tuple[str, ...], dict[str, float]] = defaultdict(dict)  # question -> rater -> share
    by_rater: dict[str, list[RatingRecord]] = defaultdict(list)
    for record in records:
        by_rater[record.rater].append(record)
        if record.rating > ABSTAIN:
            asked[_question(record)][record.rater] = _share(record, scales)
    return tuple(_summary(code, by_rater[code], asked, scales) for code in sorted(by_rater))


def position_effects(
    records: Iterable[RatingRecord], scales: Scales, draws: int = DRAWS, seed: int = SEED
) -> tuple[PositionEffect, ...]:
    """Return the effect of each place, for every criterion; nothing where explanations stand alone."""
    pages: dict[tuple[str, str, int, str], list[tuple[int, float]]] = defaultdict(list)
    for record in records:
        if record.rating > ABSTAIN:
            page = (record.criterion, record.sample, record.item, record.rater)
            pages[page].append((record.panel_position, _share(record, scales)))
    differences: dict[tuple[str, int], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for (criterion, sample, _, _), answers in pages.items():
        if len(answers) > 1:
            mean = fmean(share for _, share in answers)
            for position, share in answers:
                differences[criterion, position][sample].append(share - mean)
    order = list(dict.fromkeys(criterion for criterion, _ in differences))
    keys = sorted(differences, key=lambda key: (order.index(key[0]), key[1]))
    return tuple(_effect(*key, list(differences[key].values()), draws, seed) for key in keys)


def _summary(
    code: str, records: Sequence[RatingRecord], asked: Mapping[tuple[str, ...], Mapping[str, float]], scales: Scales
) -> RaterSummary:
    longest: dict[int, int] = defaultdict(int)  # an item's last answer tells how long it was in sight
    for record in records:
        longest[record.item] = max(longest[record.item], record.duration_ms)
    given = [record for record in records if record.rating > ABSTAIN]
    milder = [
        fmean(share for rater, share in asked[_question(record)].items() if rater != code) - _share(record, scales)
        for record in given
        if len(asked[_question(record)]) > 1
    ]
    alone = "" if milder else "nobody else answered the same questions"
    return RaterSummary(
        rater=code,
        items=len(longest),
        n=len(records),
        abstain_rate=sum(record.rating == ABSTAIN for record in records) / len(records),
        seconds=median(longest.values()) / 1000,
        mean=fmean(_share(record, scales) for record in given) if given else None,
        severity=fmean(milder) if milder else None,
        compared=len(milder),
        note=alone if given else "gave no point of a scale",
    )


def _effect(criterion: str, position: int, by_item: Sequence[Sequence[float]], draws: int, seed: int) -> PositionEffect:
    sums, counts = np.array([sum(item) for item in by_item]), np.array([len(item) for item in by_item])
    interval = mean_interval(sums.astype(float), counts.astype(np.int64), draws, seed)
    low, high = (interval.low, interval.high) if interval else (None, None)
    return PositionEffect(criterion, position, int(counts.sum()), float(sums.sum() / counts.sum()), low, high)


def _question(record: RatingRecord) -> tuple[str, ...]:
    return str(record.item), record.metric, record.signature, record.criterion


def _share(record: RatingRecord, scales: Scales) -> float:
    points = scales[record.criterion]
    return (record.rating - points[0]) / (points[-1] - points[0])
