"""Names of columns, and parts of scores as columns of a score table."""

import numpy as np
import pytest

from core.analysis.score_table import MetricColumn, ScoreTable, part_column
from core.errors import NotFound

NAN = float("nan")
SIGNATURE = "FLEUR|model:llava-13b|capscope:0.2.0"


def table(scale: tuple[float, float] = (0.0, 1.0)) -> ScoreTable:
    ids, unknown = np.arange(3), np.full(3, NAN)
    own = MetricColumn("M", "M", "M", scale, np.array([0.1, 0.2, 0.3]), np.array([0.0, NAN, 0.5]))
    read: list[tuple[str, str]] = []

    def part(metric: str, name: str) -> MetricColumn | None:
        read.append((metric, name))
        return part_column(own, name, np.array([0.5, 1.5, NAN])) if name == "precision" else None

    return ScoreTable(ids, ["a", "b", "c"], ["x", "y", "z"], np.array([0.0, 0.5, 1.0]), unknown, {"M": own}, ids, part)


def test_a_part_has_its_metrics_scale_unless_its_values_leave_it() -> None:
    wide = table().metric("M#precision")
    assert (wide.label, wide.metric, wide.own, wide.part) == ("M precision", "M", "M", "precision")
    assert wide.scale == (0.0, 1.5) and wide.unit.tolist()[:2] == [0.5 / 1.5, 1.0]
    assert table((0.0, 2.0)).metric("M").scale == part_column(table((0.0, 2.0)).metric("M"), "p", np.ones(3)).scale
    assert part_column(table().metric("M"), "p", np.array([-1.0, -0.5, NAN])).scale == (-1.0, 0.0)


def test_scores_before_smoothing_are_a_part_like_others() -> None:
    raw = table().metric("M#raw")
    assert np.array_equal(raw.value, [0.0, NAN, 0.5], equal_nan=True) and not raw.has_raw
    assert table().with_raw(["M", "M#raw", "M#precision"]) == ("M", "M#raw", "M#precision")


def test_a_part_of_some_samples_keeps_the_scale_of_all() -> None:
    some = table().where(np.array([True, False, True]))
    assert some.metric("M#precision").scale == (0.0, 1.5)
    assert np.array_equal(some.metric("M#precision").value, [0.5, NAN], equal_nan=True)


def test_a_missing_part_is_refused_by_its_name() -> None:
    assert table().find("M#recall") is None and table().find("N#recall") is None
    with pytest.raises(NotFound, match="scores of 'M' have no component 'recall'"):
        table().metric("M#recall")
    with pytest.raises(NotFound, match="no scores of 'N#recall' here"):
        table().metric("N#recall")
