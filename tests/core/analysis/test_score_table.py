import base64
import csv
import io

import numpy as np
import pytest

from core.analysis.score_table import MetricColumn, ScoreTable, falling
from core.benchmarks.columns import JudgedColumn
from core.errors import NotFound
from ui.web.json.plots import columns_csv, plot_columns

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


def test_a_part_of_a_table_keeps_its_columns_in_step() -> None:
    part = table_of([0.0, 0.1, 0.2], [0.3, 0.4, 0.5]).where(np.array([True, False, True]))
    assert (len(part), part.ids.tolist(), [*part.keys], part.metrics["M"].value.tolist()) == (
        2,
        [7, 9],
        ["s0", "s2"],
        [0.3, 0.5],
    )


def test_a_metric_without_scores_is_named_with_those_there_are() -> None:
    with pytest.raises(NotFound, match="'N' here. Metrics with scores: M"):
        table_of([0.0], [0.0]).error("N")


def test_plots_get_float32_in_base64() -> None:
    columns = plot_columns("7", table_of([0.25, NAN], [0.5, 0.75]), ["M"])
    assert np.frombuffer(base64.b64decode(columns.human), "<f4").tolist()[0] == 0.25
    assert np.isnan(np.frombuffer(base64.b64decode(columns.human), "<f4")[1])
    assert np.frombuffer(base64.b64decode(columns.ids), "<i4").tolist() == [7, 8]
    assert columns.metrics[0].raw is None and not columns.metrics[0].has_raw
    assert columns.groups.names == ("0–0.2", "0.2–0.4", "0.4–0.6", "0.6–0.8", "0.8–1")
    assert np.frombuffer(base64.b64decode(columns.groups.of), "i1").tolist() == [1, -1]


def said_by(judgements: list[float], counts: list[int]) -> JudgedColumn:
    """Return what people said of as many samples, each of an image of its own."""
    number, unknown = np.arange(len(counts)), np.full(len(counts), NAN)
    none = np.full(len(counts), None)
    return JudgedColumn(number, number, unknown, np.array(judgements), np.array(counts), none, unknown, unknown)


def test_the_csv_is_exact_and_no_formula_for_a_spreadsheet() -> None:
    one = columns_csv(table_of([0.1], [0.5], label="=HYPERLINK(1)"), ["M"], said_by([], [0]), {})
    assert next(csv.reader(io.StringIO("".join(one))))[6] == "'=HYPERLINK(1)"
    text = columns_csv(
        table_of([0.1, NAN], [1 / 3, 0.5]), ["M"], said_by([1.0, 0.1, 3.5], [2, 1]), {7: "a/1.jpg", 8: "=2.jpg"}
    )
    assert list(csv.reader(io.StringIO("".join(text)))) == [
        ["sample", "image", "caption", "judgements", "human", "level", "M"],
        ["s0", "a/1.jpg", "'=caption 0", "1 0.10000000000000001", "0.1", "", str(1 / 3)],
        ["s1", "'=2.jpg", "'=caption 1", "3.5", "", "", "0.5"],
    ]
