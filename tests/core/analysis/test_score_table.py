import numpy as np

from core.analysis.score_table import MetricColumn, ScoreTable, falling

NAN = float("nan")


def table_of(
    human: list[float], values: list[float], scale: tuple[float, float] = (0.0, 1.0), label: str = "M"
) -> ScoreTable:
    size = len(human)
    column = MetricColumn("M", "M", label, scale, np.array(values), np.full(size, NAN))
    ids, names = np.arange(size) + 7, [f"s{i}" for i in range(size)]
    return ScoreTable(
        ids, names, [f"=caption {i}" for i in range(size)], np.array(human), np.full(size, NAN), {"M": column}, ids
    )


def test_errors_are_ranked_by_distance_on_the_rescaled_metric() -> None:
    table = table_of([0.0, 1.0, 0.5], [1.0, 1.0, 2.0], scale=(0.0, 2.0))
    assert table.error("M").tolist() == [0.5, -0.5, 0.5]
    assert falling(np.abs(table_of([0.0, 1.0, 0.5], [0.25, 0.125, 0.5]).error("M"))).tolist() == [1, 0, 2]


def test_equal_errors_keep_the_order_of_the_data_and_unknown_ones_are_left_out() -> None:
    table = table_of([0.0, NAN, 0.5, 1.0], [0.5, 0.5, NAN, 0.5])
    assert falling(np.abs(table.error("M"))).tolist() == [0, 3]
    assert falling(np.abs(table.error("M")), np.array([False, True, True, True])).tolist() == [3]
