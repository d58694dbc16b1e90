"""Measure each rater of a study: time, monotony, gold items, repeats, agreement with the other raters.

The measures are computed from columns (arrays), with a few sorts and counts per rater. So a page can update them often
while people rate. A measure alone does not decide about a rater. core.studies.rater_quality.flags compares measures
with thresholds.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.arrays import Bools, Floats, Ints
from core.studies.asking.criteria import ABSTAIN, NO_PICTURE
from core.studies.rater_quality.alpha_without import alpha_without
from core.studies.rater_quality.monotony import improbable_runs
from core.studies.rater_quality.types import GOLD, ITEM, REPEAT, Answers, GivenItems, RaterQuality, StudyQuality


def study_quality(given: GivenItems, answers: Answers, scales: Sequence[int], raters: int) -> StudyQuality:
    """Measure all raters, 0 to raters - 1.

    scales: number of points of each criterion, without abstention. A rater may answer the same question about a unit
    (explanation) twice only if the second answer is to a repeated item.
    """
    rater, role = given.rater[answers.given], given.role[answers.given]
    own = role == ITEM
    counts = own & given.counts[answers.given]
    shared, correlation = _with_others(rater, answers, own, counts, scales, raters)
    alphas = _alphas(rater, answers, counts & (answers.point > ABSTAIN), scales, raters)
    gold = _counted(
        (role == GOLD) & (answers.highest > 0) & (answers.point != NO_PICTURE), rater, raters, _passed(answers)
    )
    repeats = _repeats(rater, role, answers, scales, raters)
    by_item = _slices(given.rater[order := np.argsort(given.rater, kind="stable")], raters)
    by_answer = _slices(rater[own][places := np.argsort(rater[own], kind="stable")], raters)
    points, criteria = answers.point[own][places], answers.criterion[own][places]
    units, counting = answers.unit[own][places], counts[own][places]
    judged = points != NO_PICTURE  # without a picture, equal answers are no sign of carelessness
    by_rater = rater[own][places][judged]
    runs = improbable_runs(by_rater, units[judged], criteria[judged], points[judged], counting[judged], scales, raters)
    return StudyQuality(
        alpha=alphas[0],
        raters=tuple(
            RaterQuality(
                answers=len(points[by_answer[n]]),
                **_time(given, order[by_item[n]]),
                **_monotony(points[by_answer[n]], criteria[by_answer[n]], scales),
                gold=int(gold[0][n]),
                gold_passed=int(gold[1][n]),
                repeats=int(repeats[0][n]),
                repeats_equal=int(repeats[1][n]),
                repeats_within_one=int(repeats[2][n]),
                shared=int(shared[n]),
                correlation=_defined(correlation[n]),
                alpha_without=alphas[1 + n],
                run_chance=_defined(runs.chance[n]),
                unlikely_run=int(runs.length[n]),
            )
            for n in range(raters)
        ),
    )


def _slices(sorted_raters: Ints, raters: int) -> list[slice]:
    ends = np.searchsorted(sorted_raters, np.arange(raters + 1))
    return [slice(*pair) for pair in zip(ends[:-1], ends[1:], strict=True)]


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _time(given: GivenItems, places: Ints) -> dict[str, Any]:
    rated = places[given.role[places] == ITEM]
    seconds, words = given.seconds[rated], given.words[rated]
    read = words > 0
    return {
        "items": len(rated),
        "minutes": float(given.seconds[places].sum() / 60),
        "item_seconds": _median(seconds),
        "word_seconds": _median(seconds[read] / words[read]),
    }


def _median(values: Floats) -> float | None:
    return float(np.median(values)) if len(values) else None


def _monotony(points: Ints, criteria: Ints, scales: Sequence[int]) -> dict[str, Any]:
    judged = points != NO_PICTURE  # without a picture, equal answers are no sign of carelessness
    points, criteria = points[judged], criteria[judged]
    by_criterion = [points[criteria == criterion] for criterion in range(len(scales))]
    pairs = [(_entropy(given[given > ABSTAIN]), scale) for given, scale in zip(by_criterion, scales, strict=True)]
    shares = [bits / np.log2(scale) for bits, scale in pairs if bits is not None and scale > 1]
    return {
        "longest_run": max(map(_longest_run, by_criterion), default=0),
        "entropy": float(np.mean(shares)) if shares else None,
        "abstained": float((points == ABSTAIN).mean()) if len(points) else None,
    }


def _longest_run(points: Ints) -> int:
    if not len(points):
        return 0
    ends = np.flatnonzero(np.diff(points))
    return int(np.diff(np.concatenate(([-1], ends, [len(points) - 1]))).max())


def _entropy(points: Ints) -> float | None:
    """Return the entropy of a rater's points in bits (0: always the same point); None without points."""
    if not len(points):
        return None
    counts = np.bincount(points)
    shares = counts[counts > 0] / len(points)
    return float(-(shares * np.log2(shares)).sum())


def _passed(answers: Answers) -> Bools:
    return (answers.point >= answers.lowest) & (answers.point <= answers.highest)


def _counted(chosen: Bools, rater: Ints, raters: int, *also: Bools) -> list[Ints]:
    """Return how many answers of each rater the mask `chosen` selects.

    Also returns, for each mask in `also`, how many of each rater's answers both masks select.
    """
    return [np.bincount(rater[chosen & one], minlength=raters) for one in (chosen, *also)]


def _repeats(rater: Ints, role: Ints, answers: Answers, scales: Sequence[int], raters: int) -> list[Ints]:
    """Return three counts of repeated answers for each rater.

    The first count is of all answers to repeated items. The second is of the answers equal to the rater's first answer.
    The third is of the answers that differ from the first answer by at most one point.
    """
    units = int(answers.unit.max(initial=-1)) + 1
    question = (rater * units + answers.unit) * len(scales) + answers.criterion
    given = answers.point > ABSTAIN
    first, again = (role == ITEM) & given, (role == REPEAT) & given
    answered, points = question[first], answers.point[first]
    order = np.argsort(answered)
    place = np.searchsorted(answered, question[again], sorter=order).clip(max=max(len(answered) - 1, 0))
    if not len(answered):
        return [np.zeros(raters, dtype=np.int64)] * 3
    repeated = answered[order[place]] == question[again]
    distance = np.abs(points[order[place]] - answers.point[again])
    return _counted(repeated, rater[again], raters, distance == 0, distance <= 1)


def _with_others(
    rater: Ints, answers: Answers, own: Bools, counts: Bools, scales: Sequence[int], raters: int
) -> tuple[Ints, Floats]:
    """Return each rater's number of answers to questions that other raters also answered.

    Also returns the correlation of these answers with the mean answers of the other raters.
    """
    given = own & (answers.point > ABSTAIN)
    rater, criterion, counts = rater[given], answers.criterion[given], counts[given]
    point, question = answers.point[given].astype(float), answers.unit[given] * len(scales) + criterion
    number = np.bincount(question[counts], minlength=question.max(initial=-1) + 1)
    total = np.bincount(question[counts], point[counts], minlength=len(number))
    others, sums = number[question] - counts, total[question] - point * counts
    beside = others > 0
    rater, criterion, point, means = rater[beside], criterion[beside], point[beside], sums[beside] / others[beside]
    group = rater * len(scales) + criterion
    x, y = (values - _group_means(values, group)[group] for values in (point, means))
    products = [np.bincount(rater, one, minlength=raters) for one in (x * y, x * x, y * y)]
    spread = np.sqrt(products[1] * products[2])
    shared = np.bincount(rater, minlength=raters)
    return shared, np.where(spread > 1e-9, products[0] / np.where(spread > 1e-9, spread, 1), np.nan)


def _group_means(values: Floats, group: Ints) -> Floats:
    count = np.bincount(group)
    return np.bincount(group, values) / np.maximum(count, 1)


def _alphas(rater: Ints, answers: Answers, chosen: Bools, scales: Sequence[int], raters: int) -> list[float | None]:
    """Return ordinal alpha of all raters, then without each rater.

    Each alpha is the mean over the criteria for which alpha is defined.
    """
    alphas = []
    for criterion, scale in enumerate(scales):
        of = chosen & (answers.criterion == criterion)
        alphas.append(alpha_without(rater[of], answers.unit[of], answers.point[of] - 1, scale, raters, "ordinal"))
    table = np.array(alphas).reshape(len(scales), raters + 1)
    defined = ~np.isnan(table)
    sums = np.where(defined, table, 0).sum(axis=0)
    return [float(total / n) if n else None for total, n in zip(sums, defined.sum(axis=0), strict=True)]
