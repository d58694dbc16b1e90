import math
from collections import Counter, defaultdict
from collections.abc import Collection
from itertools import groupby
from statistics import mean, median
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from core.statistics.rater_agreement import agreement
from core.studies.rater_quality.measures import study_quality
from core.studies.rater_quality.types import ROLES, Answers, GivenItems, RaterQuality

# rater, role, seconds, words, and the answers: (unit, criterion, point, lowest, highest)
Row = tuple[int, str, float, int, list[tuple[int, int, int, int, int]]]


def columns(rows: list[Row], left_out: Collection[int] = ()) -> tuple[GivenItems, Answers]:
    given = GivenItems(
        rater=np.array([row[0] for row in rows], dtype=np.int64),
        role=np.array([ROLES.index(row[1]) for row in rows], dtype=np.int64),
        seconds=np.array([row[2] for row in rows], dtype=float),
        words=np.array([row[3] for row in rows], dtype=np.int64),
        counts=np.array([place not in left_out for place in range(len(rows))], dtype=bool),
    )
    cells = [(place, *answer) for place, row in enumerate(rows) for answer in row[4]]
    table = np.array(cells, dtype=np.int64).reshape(-1, 6)
    return given, Answers(*table.T)


def measured(rows: list[Row], scales: tuple[int, ...] = (4,), raters: int = 2) -> tuple[RaterQuality, ...]:
    return study_quality(*columns(rows), scales, raters).raters


def one(unit: int, point: int, criterion: int = 0) -> tuple[int, int, int, int, int]:
    return (unit, criterion, point, 0, 0)


def test_time_is_the_median_over_the_studys_own_items_and_all_of_it_is_paid() -> None:
    rows: list[Row] = [
        (0, "training", 100.0, 50, [one(9, 3)]),
        (0, "item", 10.0, 50, [one(0, 3)]),
        (0, "item", 30.0, 60, [one(1, 3)]),
        (0, "item", 20.0, 80, [one(2, 3)]),
        (0, "gold", 50.0, 10, [(8, 0, 3, 1, 2)]),
        (0, "repeat", 30.0, 50, [one(0, 4)]),
    ]
    found, nobody = measured(rows)
    assert (found.items, found.answers, found.minutes) == (3, 3, 4.0)
    assert found.item_seconds == 20.0
    assert found.word_seconds == 0.25  # of 0.2, 0.5, 0.25
    assert (nobody.items, nobody.minutes, nobody.item_seconds, nobody.word_seconds) == (0, 0.0, None, None)


def test_runs_and_entropy_are_of_one_criterion_and_know_nothing_of_gold() -> None:
    points = [3, 3, 4, 3, 3, 3, 1]
    rows: list[Row] = [(0, "item", 1.0, 1, [one(n, point), one(n, 2, 1)]) for n, point in enumerate(points)]
    rows.insert(4, (0, "gold", 1.0, 1, [(20, 0, 1, 1, 2)]))
    found = measured(rows, (4, 2))[0]
    assert found.longest_run == 7  # the second criterion's
    first = -(5 / 7 * math.log2(5 / 7) + 2 * (1 / 7) * math.log2(1 / 7))
    assert found.entropy == pytest.approx((first / 2 + 0) / 2)  # of at most two bits, of at most one
    assert measured([(0, "item", 1.0, 1, row[4][:1]) for row in rows if row[1] == "item"])[0].longest_run == 3


def test_gold_is_passed_within_its_bounds_and_repeats_are_set_beside_the_first_answer() -> None:
    rows: list[Row] = [
        (0, "item", 1.0, 1, [one(0, 3)]),
        (0, "item", 1.0, 1, [one(1, 1)]),
        (0, "item", 1.0, 1, [one(2, 0)]),
        (0, "gold", 1.0, 1, [(10, 0, 2, 1, 2)]),
        (0, "gold", 1.0, 1, [(11, 0, 3, 1, 2)]),
        (0, "gold", 1.0, 1, [(12, 0, 4, 0, 0)]),  # a question that asks nothing of the answer
        (0, "repeat", 1.0, 1, [one(0, 4)]),
        (0, "repeat", 1.0, 1, [one(1, 1)]),
        (0, "repeat", 1.0, 1, [one(2, 3)]),  # abstained first
        (1, "item", 1.0, 1, [one(0, 1)]),
        (1, "repeat", 1.0, 1, [one(0, 4)]),
    ]
    first, second = measured(rows)
    assert (first.gold, first.gold_passed) == (2, 1)
    assert (first.repeats, first.repeats_equal, first.repeats_within_one) == (2, 1, 2)
    assert (second.repeats, second.repeats_equal, second.repeats_within_one) == (1, 0, 0)
    assert first.abstained == pytest.approx(1 / 3)


def test_the_correlation_is_with_the_mean_of_the_others_within_each_criterion() -> None:
    # rater 0 gives 1, 2, 3, 4 where the others give 1, 2, 3, 4; the second criterion is answered 4 throughout
    rows: list[Row] = [
        (rater, "item", 1.0, 1, [one(unit, unit + 1), one(unit, 4, 1)]) for rater in range(3) for unit in range(4)
    ]
    assert [found.correlation for found in measured(rows, (4, 4), 3)] == pytest.approx([1.0] * 3)
    rows[:4] = [(0, "item", 1.0, 1, [one(unit, 4 - unit), one(unit, 4, 1)]) for unit in range(4)]
    found = measured(rows, (4, 4), 3)
    assert found[0].correlation == pytest.approx(-1.0)
    assert found[0].shared == 8
    # of rater 1 the others' means are 2.5 everywhere, so that nothing can go with them
    assert found[1].correlation is None


def test_nobody_is_set_beside_answers_that_do_not_count() -> None:
    # rater 2 turns everything round, and counts no more
    points = {0: (1, 2, 3, 4), 1: (1, 2, 3, 4), 2: (4, 3, 2, 1)}
    rows: list[Row] = [
        (rater, "item", 1.0, 1, [one(unit, point)]) for rater in points for unit, point in enumerate(points[rater])
    ]
    everybody = study_quality(*columns(rows), (4,), 3)
    assert everybody.alpha is not None and everybody.alpha < 0.5
    found = study_quality(*columns(rows, range(8, 12)), (4,), 3)
    assert found.alpha == 1.0
    assert [rater.correlation for rater in found.raters] == pytest.approx([1.0, 1.0, -1.0])
    assert found.raters[2].alpha_without == found.alpha
    assert [rater.answers for rater in found.raters] == [4, 4, 4]  # all are still measured by themselves


def test_a_study_without_answers_is_measured_as_nothing() -> None:
    found = study_quality(*columns([]), (4,), 1)
    assert found.alpha is None
    assert (found.raters[0].answers, found.raters[0].entropy, found.raters[0].correlation) == (0, None, None)


# ---- an independent version, rater by rater and answer by answer


def naive(
    rows: list[Row], left_out: Collection[int], scales: tuple[int, ...], raters: int
) -> tuple[float | None, list[dict[str, Any]]]:
    counted = [row for place, row in enumerate(rows) if place not in left_out]
    return _alpha(counted, scales, None), [_naive_rater(rows, counted, scales, rater) for rater in range(raters)]


def _alpha(rows: list[Row], scales: tuple[int, ...], without: int | None) -> float | None:
    found = []
    for criterion, scale in enumerate(scales):
        cells = [
            (unit, rater, point)
            for rater, role, _, _, answers in rows
            for unit, asked, point, _, _ in answers
            if role == "item" and asked == criterion and point and rater != without
        ]
        units, by, values = zip(*cells, strict=True) if cells else ((), (), ())
        coefficients = agreement(units, by, values, scale=range(1, scale + 1), draws=2).coefficients
        value = next(one.value for one in coefficients if one.name == "alpha ordinal")
        if value is not None:
            found.append(value)
    return mean(found) if found else None


def _naive_rater(rows: list[Row], counted: list[Row], scales: tuple[int, ...], rater: int) -> dict[str, Any]:
    mine = [row for row in rows if row[0] == rater]
    items = [row for row in mine if row[1] == "item"]
    given = {(unit, criterion): point for row in items for unit, criterion, point, _, _ in row[4]}
    runs, entropies = [0], []
    for criterion, scale in enumerate(scales):
        points = [point for row in items for _, asked, point, _, _ in row[4] if asked == criterion]
        runs += [len(list(group)) for _, group in groupby(points)]
        counts = Counter(point for point in points if point)
        if counts:
            total = counts.total()
            bits = -sum(n / total * math.log2(n / total) for n in counts.values())
            entropies.append(bits / math.log2(scale))
    gold = [low <= point <= high for row in mine if row[1] == "gold" for _, _, point, low, high in row[4] if high]
    apart = [
        abs(given[unit, criterion] - point)
        for row in mine
        if row[1] == "repeat"
        for unit, criterion, point, _, _ in row[4]
        if point and given.get((unit, criterion))
    ]
    pairs = _pairs(mine, [row for row in counted if row[0] != rater])
    return {
        "items": len(items),
        "answers": len([answer for row in items for answer in row[4]]),
        "minutes": sum(row[2] for row in mine) / 60,
        "item_seconds": median(row[2] for row in items) if items else None,
        "word_seconds": median(row[2] / row[3] for row in items) if items else None,
        "longest_run": max(runs),
        "entropy": mean(entropies) if entropies else None,
        "abstained": mean(point == 0 for row in items for _, _, point, _, _ in row[4]) if given else None,
        "gold": len(gold),
        "gold_passed": sum(gold),
        "repeats": len(apart),
        "repeats_equal": apart.count(0),
        "repeats_within_one": sum(distance <= 1 for distance in apart),
        "shared": sum(map(len, pairs.values())),
        "correlation": _correlation(pairs),
        "alpha_without": _alpha(counted, scales, rater),
    }


def _pairs(mine: list[Row], theirs: list[Row]) -> dict[int, list[tuple[float, float]]]:
    """Return, by criterion, a rater's points beside the mean of the others'."""
    others: dict[tuple[int, int], list[int]] = defaultdict(list)
    for _, role, _, _, answers in theirs:
        for unit, criterion, point, _, _ in answers:
            if role == "item" and point:
                others[unit, criterion].append(point)
    pairs: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for _, role, _, _, answers in mine:
        for unit, criterion, point, _, _ in answers:
            if role == "item" and point and others[unit, criterion]:
                pairs[criterion].append((point, mean(others[unit, criterion])))
    return pairs


def _correlation(pairs: dict[int, list[tuple[float, float]]]) -> float | None:
    centred = []
    for some_pairs in pairs.values():
        x, y = (mean(pair[n] for pair in some_pairs) for n in (0, 1))
        centred += [(a - x, b - y) for a, b in some_pairs]
    spread = math.sqrt(sum(a * a for a, _ in centred) * sum(b * b for _, b in centred))
    return sum(a * b for a, b in centred) / spread if spread > 1e-9 else None


POINTS = some.integers(0, 4)
CELLS = some.lists(some.tuples(some.integers(0, 3), some.integers(0, 6)), unique=True, max_size=16)


@given(cells=CELLS, data=some.data())
def test_the_columns_say_what_counting_answer_by_answer_says(cells: list[tuple[int, int]], data: Any) -> None:
    def row(rater: int, role: str, unit: int, bounds: tuple[int, int] = (0, 0)) -> Row:
        answers = [(unit, criterion, data.draw(POINTS), *bounds) for criterion in range(2)]
        return (rater, role, data.draw(some.floats(0, 90)), data.draw(some.integers(1, 99)), answers)

    rows = [row(rater, "item", unit) for rater, unit in cells]
    for rater, unit in data.draw(some.lists(some.sampled_from(cells), unique=True)) if cells else []:
        rows.append(row(rater, "repeat", unit))
        rows.append(row(rater, "gold", 7 + unit, data.draw(some.sampled_from([(0, 0), (1, 2), (3, 4)]))))
    scales = (4, 4)
    left_out = data.draw(some.sets(some.integers(0, len(rows)), max_size=4))
    found = study_quality(*columns(rows, left_out), scales, 4)
    alpha, raters = naive(rows, left_out, scales, 4)
    assert found.alpha == (None if alpha is None else pytest.approx(alpha))
    for quality, expected in zip(found.raters, raters, strict=True):
        for name, value in expected.items():
            got = getattr(quality, name)
            assert got == value if value is None or isinstance(value, int) else got == pytest.approx(value), name
