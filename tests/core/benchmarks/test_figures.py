"""Figures of a benchmark: every metric and variant by its rule, and comparisons of metrics."""

import pytest

from core.analysis.score_table import ScoreTable
from core.benchmarks.figures import correlated, rule_of
from core.types import Pair
from tests.core.tables import NAN, table_of

HUMAN, JUDGED = [1.0, 2.0, 3.0, 4.0], [(n, n) for n in (1, 2, 3, 4)]
RISING = [0.0, 0.1, 0.2, 0.3]


def test_every_metric_and_variant_has_a_figure_and_raw_only_where_there_is_a_raw_score() -> None:
    scores = {"M": RISING, "CLIPScore": [1 - value for value in RISING]}
    table = table_of(scores, HUMAN, JUDGED, raw={"M": [0.0, 0.0, 0.1, 0.2]})
    found = correlated("flickr8k-expert", table, tuple(table.metrics))
    taus = {one: (row.n, row.tau("b")) for one, row in found.taus.items()}
    assert set(taus) == {("M", "smoothed"), ("M", "raw"), ("CLIPScore", "")} and found.accuracies == ()
    assert taus["M", "smoothed"][0] == 8
    assert taus["CLIPScore", ""][1] == pytest.approx(-(taus["M", "smoothed"][1] or 0))


def paired(*categories: str) -> ScoreTable:
    pairs = [Pair(f"{category}#1", n, 0, category) for category in categories for n in (0, 1)]
    return table_of({"M": [0.9, 0.1] * len(categories)}, pair=pairs)


def test_a_mean_stands_beneath_the_whole_categories_of_a_benchmark_only() -> None:
    every = correlated("pascal50s", paired("HC", "HI", "HM", "MM"), ["M"]).accuracies
    assert [(row.category, row.n) for row in every][3:] == [("MM", 1), ("mean", 4)]
    for some in (("HC", "HI", "HM"), ("HC", "HI", "HM", "MM", "XX")):
        assert "mean" not in {row.category for row in correlated("pascal50s", paired(*some), ["M"]).accuracies}


def test_captions_of_own_data_count_once_with_their_mean() -> None:
    rule = rule_of("mine", table_of({"M": [0.1]}, [0.5], [(1, 2)]))
    assert rule is not None and not rule.per_judgement
    assert rule_of("mine", paired("HC")) is None


def test_metrics_are_compared_on_the_samples_that_both_scored() -> None:
    table = table_of({"M": RISING, "N": [NAN, *(1 - value for value in RISING[1:])]}, HUMAN, JUDGED)
    differences = correlated("flickr8k-expert", table, ("M", "N")).differences
    assert [found.quantity for found in differences] == ["tau_b", "tau_c"]
    for found in differences:
        assert (found.first, found.second, found.n) == (("M", ""), ("N", ""), 6)
        assert found.difference == pytest.approx(2)  # one in the people's order, one in the reverse


def test_captions_whose_judgements_the_rule_cannot_count_are_told_and_not_dropped() -> None:
    table = table_of({"M": RISING[:3]}, [1.0, NAN, 3.0], JUDGED[:3])  # no scale is known, so it has no mean
    (row,) = correlated("mine", table, ["M"]).taus.values()
    assert row.tau("c") is None and row.note.startswith("1 judged captions have only single judgements")
