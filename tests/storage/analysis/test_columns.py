"""Columns of a data set, read from the database: only its own samples, with progress, in little memory."""

import gc
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from core.datasets.base import Record
from core.types import EvaluationError, ImageRef, Pair, Score
from storage.analysis import columns
from tests.benchmarks.growth import DATASET, large_data
from tests.benchmarks.studies import workplace as opened_workplace
from ui.services.workplace import Workplace

MOST_BYTES = 600  # a sample, at the peak: 370, or 560 before garbage is collected; as Python objects it took 1,430
SOME = 20_000


def record(dataset: str, number: int) -> Record:
    of_a = {"precision": number / 40, "digits": (0.1, 0.9)} | ({"raw": number / 200} if number % 2 else {})
    score = Score("M", number / 100, "M|a", components=of_a)
    other = (
        Score("M", number / 100, "M|b", scale=(0, 2)) if number % 3 else EvaluationError("M", "M|b", "other", "none")
    )
    caption = f"{dataset} caption {number}, longer than what numpy keeps within a string"
    human = number / 100 if number % 4 else None
    judgements = (1.0, 2.0, 4.0)[: number % 4]
    return Record(
        Path("f"), number, f"{dataset}/{number % 5}.jpg", caption, key=f"{dataset}{number}", human=human,
        judgements=judgements, scores=(score, other), system="us" if number == 7 else None,
        pair=Pair("HC#1", 0, 1, "HC") if number == 3 else None,
    )  # fmt: skip


def fill(workplace: Workplace) -> None:
    """Store two data sets whose samples take turns."""
    for start in range(0, 40, 10):
        for dataset in ("d", "e"):
            records = [record(dataset, number) for number in range(start, start + 10)]
            images = {one.image: ImageRef(one.image) for one in records}
            workplace.repository.add_records(dataset, records, images, pytest.fail)


def test_columns_are_read_in_portions_without_another_data_sets_samples(
    workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "PORTION", 7)
    fill(workplace)
    table, numbers = workplace.repository.analysis.table("e"), np.arange(40)
    assert [*table["key"]] == [f"e{number}" for number in numbers]
    assert [*table["caption"]] == [record("e", number).candidate for number in numbers.tolist()]
    assert np.array_equal(table["human"], np.where(numbers % 4, numbers / 100, np.nan), equal_nan=True)
    medians = np.array([np.nan, 1, 1.5, 2])
    assert np.array_equal(table["level"], medians[numbers % 4], equal_nan=True)
    assert (table["counts"].tolist(), table["cluster"].tolist()) == ((numbers % 4).tolist(), (numbers % 5).tolist())
    assert table.judgements_of(np.array([3]))[0].tolist() == [1, 2, 4]
    assert len(np.unique(table["image"])) == 5 and table["picture"][3] == "e/3.jpg"
    assert table["pair"][3] == Pair("HC#1", 0, 1, "HC") and sum(pair is not None for pair in table["pair"]) == 1
    assert table.samples["captioner"].dropna().to_dict() == {7: "us"}
    first, second = table.metrics["M|a"], table.metrics["M|b"]
    assert np.array_equal(first.value, numbers / 100)
    assert np.array_equal(first.raw, np.where(numbers % 2, numbers / 200, np.nan), equal_nan=True)
    assert np.array_equal(second.value, np.where(numbers % 3, numbers / 100, np.nan), equal_nan=True)
    assert (first.scale, second.scale) == ((0, 1), (0, 2))
    assert table.metric("M|a#precision").value.tolist() == (numbers / 40).tolist()
    assert table.find("M|b#precision") is table.find("M|a#digits") is None  # lists are no column


def test_reading_columns_takes_memory_for_numbers_and_not_for_objects(tmp_path: Path) -> None:
    large_data(tmp_path, SOME)
    with opened_workplace(tmp_path) as place:
        place.repository.analysis.table(DATASET)  # what stays in memory after a first time
        gc.collect()
        tracemalloc.start()
        table = place.repository.analysis.table(DATASET)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert len(table) == SOME
    assert peak / SOME < MOST_BYTES, peak / SOME
