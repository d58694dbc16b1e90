"""A small judged data set in a workplace of its own, and a client of its routes."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import Depends, FastAPI, Request
from fastapi.testclient import TestClient

from core.datasets.base import Record
from core.types import EvaluationError, Explanation, ImageRef, Score
from tests.conftest import copied
from tests.ui.remembered_types import remember_types
from ui.report.study_reports import StudyReports
from ui.services.analysis.analyst import Analyst
from ui.services.long_work import LongWorks
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings
from ui.web.access.checks import OWNER
from ui.web.access.refusals import add_refusals
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


async def _by_the_owner(request: Request) -> None:
    """Send a request as somebody at this machine."""
    request.scope["capscope.visitor"] = OWNER


@pytest.fixture
def client(workplace: Workplace) -> TestClient:
    remember_types()
    app = FastAPI(dependencies=[Depends(_by_the_owner)])
    add_refusals(app)
    analyst = Analyst(workplace)
    app.include_router(analyse_routes(workplace, analyst, LongWorks(), StudyReports(analyst)))
    app.include_router(coding_routes(workplace))
    app.include_router(plotly_route())
    return TestClient(app)
