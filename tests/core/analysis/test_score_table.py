"""Columns of scores and of their components, their labels, and groups of human judgements."""

import numpy as np
import pytest

from core.analysis.score_table import (
    FIFTHS,
    LONGEST_PART,
    MetricColumn,
    Parts,
    falling,
    human_groups,
    metric_labels,
    part_columns,
)
from core.errors import NotFound
from core.signature import signature
from tests.core.tables import NAN, table_of

COMPONENTS = [{"precision": 0.5, "digits": [0.1]}, {"precision": 1.5}, {"nothing": "x"}]
TABLE = table_of({"M": [0.1, 0.2, 0.3]}, [0.0, 0.5, 1.0], raw={"M": [0.0, NAN, 0.5]})


def own(scale: tuple[float, float] = (0.0, 1.0)) -> MetricColumn:
    return table_of({"M": [0.1, 0.2, 0.3]}, scale=scale).metric("M")


def parts(_: str) -> Parts:
    return part_columns(own(), np.arange(3), COMPONENTS)


WITH_PARTS = table_of({"M": [0.1, 0.2, 0.3]}, raw={"M": [0.0, NAN, 0.5]}, parts=parts)


def test_a_part_has_its_metrics_scale_unless_its_values_leave_it() -> None:
    wide = WITH_PARTS.metric("M#precision")
    assert (wide.label, wide.metric, wide.own, wide.part) == ("M precision", "M", "M", "precision")
    assert wide.scale == (0.0, 1.5) and wide.unit.tolist()[:2] == [0.5 / 1.5, 1.0]
    assert part_columns(own((0, 2)), np.arange(1), [{"p": 1.0}])["p"].scale == (0, 2)
    assert part_columns(own(), np.arange(2), [{"p": -1.0}, {"p": -0.5}])["p"].scale == (-1.0, 0.0)
    some = WITH_PARTS.where(np.array([True, False, True])).metric("M#precision")
    assert some.scale == (0.0, 1.5) and np.array_equal(some.value, [0.5, NAN], equal_nan=True)


def test_scores_before_smoothing_are_a_part_like_others() -> None:
    raw = WITH_PARTS.metric("M#raw")
    assert np.array_equal(raw.value, [0.0, NAN, 0.5], equal_nan=True) and not raw.has_raw
    assert WITH_PARTS.with_raw(["M", "M#raw", "M#precision"]) == ("M", "M#raw", "M#precision")


def test_a_missing_part_is_refused_by_its_name() -> None:
    assert WITH_PARTS.find("M#digits") is WITH_PARTS.find("N#precision") is None
    with pytest.raises(NotFound, match="scores of 'M' have no component 'recall'"):
        WITH_PARTS.metric("M#recall")
    with pytest.raises(NotFound, match="no scores of 'N#recall' here"):
        WITH_PARTS.metric("N#recall")


def test_equal_values_keep_the_order_of_the_data() -> None:
    values = np.array([0.5, NAN, NAN, 0.5])
    assert falling(values).tolist() == [0, 3]
    assert falling(values, np.array([False, True, True, True])).tolist() == [3]


def test_a_few_levels_are_the_groups_and_without_levels_judgement_is_cut_into_fifths() -> None:
    found = human_groups(np.array([0.1, 0.2, 0.3]), np.array([2.0, 1.0, NAN]))
    assert (found[1], found[2].tolist()) == (("1", "2"), [1, 0, -1])
    fifths = human_groups(np.array([0.0, 0.19, 0.2, 0.99, 1.0, NAN]), np.full(6, NAN))
    assert (fifths[1], fifths[2].tolist()) == (FIFTHS, [0, 0, 1, 4, 4, -1])


def test_several_signatures_are_told_apart_by_the_settings_in_which_they_differ() -> None:
    small, large = (("F", signature("F", model=model, prompt="p1")) for model in ("7b", "13b"))
    other, adapted = ("Polos", signature("Polos", model="x")), ("F", signature("F", adapter="a", model="7b"))
    plain = ("F", signature("F", model="7b"))
    assert metric_labels([small, large, other]) == {small: "F (model:7b)", large: "F (model:13b)", other: "Polos"}
    assert metric_labels([plain, adapted]) == {plain: "F (no adapter)", adapted: "F (adapter:a)"}
    long = "x" * LONGEST_PART
    versions = [("F", signature("F", model=long + end)) for end in "ab"]
    assert metric_labels(versions) == {version: version[1] for version in versions}
