"""Parts of scores, read on demand from the stored components."""

from pathlib import Path

import numpy as np
import pytest

from core.datasets.base import Record
from core.types import EvaluationError, ImageRef, Score
from storage.analysis import analysis, chunks
from ui.services.workplace import Workplace


def fill(workplace: Workplace) -> None:
    """Store two data sets whose samples take turns, scored by M under two signatures and by N."""
    for start in range(0, 20, 5):
        for dataset in ("d", "e"):
            records = [record(dataset, number) for number in range(start, start + 5)]
            images = {one.image: ImageRef(one.image) for one in records}
            workplace.repository.add_records(dataset, records, images, pytest.fail)


def record(dataset: str, number: int) -> Record:
    of_a = {"precision": number / 20, "digits": (0.1, 0.9), "raw": 0.5}
    scores = (
        Score("M", 0.5, "M|a", components=of_a if number % 2 else {"raw": 0.5}),
        Score("M", 0.5, "M|b", components={"precision": 1.0}),
        Score("N", 0.5, "N", components={"recall": 1 if dataset == "d" else 0})
        if number % 3
        else EvaluationError("N", "N", "other", "none"),
    )
    return Record(Path("f"), number, "p.jpg", f"{dataset} {number}", key=f"{dataset}{number}", scores=scores)


def test_a_part_is_read_for_one_signature_of_one_data_set(
    workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "WINDOW", 7)
    fill(workplace)
    table, numbers = workplace.repository.analysis.table("e"), np.arange(20)
    precision = table.metric("M|a#precision")
    assert np.array_equal(precision.value, np.where(numbers % 2, numbers / 20, np.nan), equal_nan=True)
    assert table.metric("M|b#precision").value.tolist() == [1.0] * 20
    recall = table.metric("N#recall")  # whole numbers are numbers; a score with an error has no parts
    assert np.array_equal(recall.value, np.where(numbers % 3, 0.0, np.nan), equal_nan=True)
    assert table.find("M|a#digits") is None and table.find("M|a#nothing") is None  # lists are no column


def test_a_part_is_read_once_and_not_before_it_is_asked_for(
    workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(workplace)
    read: list[str] = []
    real = analysis.part_values
    monkeypatch.setattr(analysis, "part_values", lambda *of: (read.append(of[-1]), real(*of))[1])
    table = workplace.repository.analysis.table("d")
    assert not read
    table.metric("N#recall")
    table.where(np.arange(20) < 5).metric("N#recall")
    assert read == ["recall"]
