"""A small judged data set in a workplace of its own, and a client of its routes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from core.datasets.base import Record
from core.types import EvaluationError, Explanation, ImageRef, Score
from ui.services.analysis import Analyst
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings
from ui.web.refusals import add_refusals
from ui.web.routes.analyse import analyse_routes
from ui.web.routes.coding import coding_routes
from ui.web.routes.plotly import plotly_route


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


@pytest.fixture
def workplace(tmp_path: Path) -> Iterator[Workplace]:
    opened = open_workplace(Settings(data_dir=tmp_path / "data"))
    records = [record(n, n % 4 / 3, (n * 7 % 30) / 30, n % 5 / 4) for n in range(30)]
    records += [record(30, None, 0.5), record(31, 0.0, None)]
    opened.repository.add_records("judged", records, {r.image: ImageRef(r.image) for r in records}, pytest.fail)
    yield opened
    opened.repository.close()


@pytest.fixture
def client(workplace: Workplace) -> TestClient:
    app = FastAPI()
    add_refusals(app)
    app.include_router(analyse_routes(workplace, Analyst(workplace)))
    app.include_router(coding_routes(workplace))
    app.include_router(plotly_route())
    return TestClient(app)
