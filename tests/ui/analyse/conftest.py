"""A small judged data set in a workplace of its own, and a client of its routes."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from core.datasets.base import Record
from core.types import EvaluationError, Explanation, ImageRef, Score
from tests.conftest import copied
from tests.ui.conftest import ADDRESS, WRITE
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings


def record(number: int, human: float | None, value: float | None, other: float = 0.5) -> Record:
    """One sample, scored by M (on [0, 1], smoothed) and by N (on [0, 2])."""
    explanation = Explanation({"overall": f"Why {number}."})
    scores = [Score("N", other, "N", (0.0, 2.0), explanation=explanation)]
    if value is None:
        scores.append(EvaluationError("M", "M", "no_score", "no number"))  # type: ignore[arg-type]
    else:
        scores.append(Score("M", value, "M", components={"raw": round(value, 1)}, explanation=explanation))
    judgements = () if human is None else (1 + 3 * human,) * 3
    image = f"{number}.jpg"
    return Record(
        Path("f"), number, image, f"caption {number}", key=f"s{number}", human=human, judgements=judgements,
        scores=tuple(scores),
    )  # fmt: skip


@pytest.fixture(scope="session")
def judged_folder(empty_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the data set judged; to be copied."""
    folder = tmp_path_factory.mktemp("judged") / "data"
    shutil.copytree(empty_folder, folder)
    opened = open_workplace(Settings(data_dir=folder))
    records = [record(n, n % 4 / 3, (n * 7 % 30) / 30, n % 5 / 4) for n in range(30)]
    records += [record(30, None, 0.5), record(31, 0.0, None)]
    opened.repository.add_records("judged", records, {r.image: ImageRef(r.image) for r in records}, pytest.fail)
    opened.repository.close()
    return folder


@pytest.fixture
def workplace(judged_folder: Path, tmp_path: Path) -> Iterator[Workplace]:
    with copied(judged_folder, tmp_path / "data") as opened:
        yield opened


@pytest.fixture
def client(workplace: Workplace, api_of: Callable[[Workplace, Judge], FastAPI]) -> TestClient:
    return TestClient(api_of(workplace, Judge(workplace)), base_url=ADDRESS, headers=WRITE)
