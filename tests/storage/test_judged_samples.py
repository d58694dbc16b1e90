from pathlib import Path

import pytest

from core.benchmarks.columns import with_scores
from core.datasets.base import Record
from core.errors import NotFound
from core.types import EvaluationError, ImageRef, Pair, Score
from storage import open_repository


def test_stored_scores_come_with_their_judgements_pairs_and_raw_scores(tmp_path: Path) -> None:
    repository = open_repository(tmp_path / "capscope.db")
    error = EvaluationError("N", "N", "no_score", "no number")
    record = Record(
        Path("f"), 1, "0.jpg", "a dog", key="HC#1/0", human=0.5, judgements=(1.0, 2.0),
        scores=(Score("M", 0.4, "M", components={"raw": 0.5}), error), pair=Pair("HC#1", 0, 1, "HC"),
    )  # fmt: skip
    repository.add_records("d", [record], {"0.jpg": ImageRef("0.jpg")}, pytest.fail)
    found = with_scores(repository.analysis.judged("d"), repository.analysis.table("d"))
    assert list(found) == ["M"]
    assert (found["M"].human.tolist(), found["M"].judgements.tolist(), found["M"].counts.tolist()) == (
        [0.5],
        [1, 2],
        [2],
    )
    assert found["M"].pair.tolist() == [Pair("HC#1", 0, 1, "HC")]
    assert (found["M"].smoothed.tolist(), found["M"].raw.tolist()) == ([0.4], [0.5])
    with pytest.raises(NotFound, match="elsewhere"):
        repository.analysis.judged("elsewhere")
    repository.close()
