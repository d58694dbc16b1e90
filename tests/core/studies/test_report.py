import itertools
import json
import math
import random
import statistics
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.studies.results.report import StudyReport
from core.studies.results.report import report as report_of
from tests.core.studies.frames import RatingRow, rows_table


def report(ratings: list[RatingRow], **more: int) -> StudyReport:
    return report_of(rows_table(ratings), **more)


def rows(metric: str, points: dict[int, list[int]], criterion: str = "Consistency") -> list[RatingRow]:
    """Ratings of one metric: item -> one point a rater."""
    return [
        RatingRow(item, metric, f"r{k}", criterion, point)
        for item, given in points.items()
        for k, point in enumerate(given)
    ]


def only(result: StudyReport):  # type: ignore[no-untyped-def]
    (row,) = result.rows
    return row


def test_mean_sd_and_abstain_rate_by_hand() -> None:
    row = only(report(rows("A", {1: [4, 3], 2: [2, 0], 3: [3, 0]})))
    assert (row.n, row.mean, row.abstain_rate) == (4, 3.0, pytest.approx(1 / 3))
    assert row.sd == pytest.approx(math.sqrt(2 / 3))


def test_only_abstentions_leave_every_figure_but_the_rate_undefined() -> None:
    row = only(report(rows("A", {1: [0], 2: [0]})))
    assert (row.n, row.mean, row.sd, row.ci_low, row.ci_high, row.abstain_rate) == (0, None, None, None, None, 1.0)


def test_the_interval_agrees_with_drawing_items_one_by_one() -> None:
    pick = random.Random(5)
    points = {item: [pick.randint(1, 4) for _ in range(pick.randint(1, 4))] for item in range(60)}
    row = only(report(rows("A", points), draws=20_000))
    means = sorted(_drawn_mean(points, pick) for _ in range(4000))
    assert row.ci_low == pytest.approx(means[100], abs=0.02)
    assert row.ci_high == pytest.approx(means[3899], abs=0.02)


def _drawn_mean(points: dict[int, list[int]], pick: random.Random) -> float:
    drawn = pick.choices(list(points.values()), k=len(points))
    return statistics.fmean(itertools.chain.from_iterable(drawn))


def test_metrics_are_compared_on_the_items_they_share() -> None:
    a = {item: [4, 4 - item % 2] for item in range(8)} | {90: [1]}
    b = {item: [1 + item % 3, 2] for item in range(8)} | {91: [4]}
    (test,) = report(rows("A", a) + rows("B", b)).tests
    assert (test.metric_a, test.metric_b, test.n_items) == ("A", "B", 8)
    assert test.mean_difference == pytest.approx(np.mean([(8 - i % 2 - 3 - i % 3) / 2 for i in range(8)]))
    assert test.p == pytest.approx(2 / 2**8)
    assert test.p_holm == test.p


def test_every_pair_and_criterion_is_tested_and_holm_covers_all_of_them() -> None:
    pick = random.Random(1)
    ratings = [
        RatingRow(item, metric, "r", criterion, pick.randint(1, 4))
        for item in range(20)
        for metric in "ABC"
        for criterion in ("Consistency", "Factuality")
    ]
    tests = report(ratings).tests
    assert len({(t.criterion, t.metric_a, t.metric_b) for t in tests}) == 6
    smallest = min(tests, key=lambda t: t.p)
    assert smallest.p_holm == pytest.approx(min(1.0, 6 * smallest.p))


def test_float_dust_between_equal_means_does_not_make_a_difference() -> None:
    a = rows("A", {item: [1, 2, 2] for item in range(6)})
    b = rows("B", {item: [1, 1, 1, 3, 3, 1] for item in range(6)})
    (test,) = report(a + b).tests
    assert (test.p, test.p_holm, test.mean_difference) == (None, None, 0.0)
    assert test.note == "both metrics have the same mean rating on every item rated for both"


@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.sampled_from("AB"), st.sampled_from(["r", "s"]), st.integers(0, 4)),
        max_size=40,
    )
)
def test_no_table_of_ratings_ever_gives_nan(table: list[tuple[int, str, str, int]]) -> None:
    result = report([RatingRow(i, m, r, "Factuality", p) for i, m, r, p in table], draws=50)
    json.dumps(asdict(result), allow_nan=False)
    for row in result.rows:
        assert row.ci_low is None or row.ci_low <= row.mean + 1e-9 or row.n < 4


def test_two_metrics_with_fewer_than_six_shared_items_are_not_tested_and_do_not_weaken_other_tests() -> None:
    points = {item: [4] for item in range(9)}
    lower = {item: [1 + item % 2] for item in range(9)}
    few = {item: [2] for item in range(5)}
    alone = report(rows("A", points) + rows("B", lower)).tests
    found = {
        (one.metric_a, one.metric_b): one for one in report(rows("A", points) + rows("B", lower) + rows("C", few)).tests
    }
    assert found["A", "C"].p is None and found["A", "C"].note == "fewer than 6 items rated for both metrics"
    assert (found["A", "C"].n_items, found["A", "C"].mean_difference) == (5, 2.0)
    assert found["A", "B"].p_holm == alone[0].p_holm is not None
