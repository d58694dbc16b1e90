"""The benchmark of a data set's files is stored with the data set."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.datasets.base import Record
from core.types import ImageRef, Score
from ui.services.workplace import Workplace


def put(workplace: Workplace, numbers: Sequence[int], benchmark: str | None, dataset: str = "mine") -> None:
    scores = (Score("M", 0.5, "M|1"),)
    records = [Record(Path("f"), n, f"{n}.jpg", f"Dog {n}.", key=f"k{n}", human=0.5, scores=scores) for n in numbers]
    images = {record.image: ImageRef(record.image) for record in records}
    workplace.repository.add_records(dataset, records, images, pytest.fail, benchmark=benchmark)


def test_a_data_set_keeps_the_benchmark_of_its_files_under_any_name(workplace: Workplace) -> None:
    analysis = workplace.repository.analysis
    put(workplace, [1, 2], "flickr8k-cf")
    put(workplace, [1, 2], None)  # scores from elsewhere
    assert analysis.benchmark("mine") == "flickr8k-cf"
    assert analysis.imported_from("flickr8k-cf") == ("mine",)
    assert [one.benchmark for one in analysis.scored_datasets()] == ["flickr8k-cf"]
    assert analysis.benchmark("other") is None and analysis.imported_from("nebula") == ()


def test_data_imported_before_get_their_benchmark_from_a_repeated_import(workplace: Workplace) -> None:
    put(workplace, [1, 2], None)
    put(workplace, [1, 2], "nebula")
    assert workplace.repository.analysis.benchmark("mine") == "nebula"


def test_files_of_several_sources_have_no_benchmark_together(workplace: Workplace) -> None:
    analysis = workplace.repository.analysis
    put(workplace, [1], None)
    put(workplace, [2], "nebula")
    assert analysis.benchmark("mine") is None
    put(workplace, [1], "nebula", "other")
    put(workplace, [2], "polaris", "other")
    assert analysis.benchmark("other") is None
