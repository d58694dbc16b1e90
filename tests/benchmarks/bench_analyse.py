"""How long the Analyse page's data take at 42,166 samples, 3 metrics and 4 raters, in SQLite.

Run: python -m tests.benchmarks.bench_analyse. Prints one line a figure.
"""

import gzip
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import insert

from core.datasets.base import Record
from core.settings import Settings
from core.study import StudyRequest
from core.types import Explanation, ImageRef, Score
from storage.database import utc_now
from storage.tables import AssignmentRow, ItemRow, ItemScoreRow, ParticipationRow, RatingRow
from ui import services
from ui.routes.analyse import analyse_routes
from ui.services import Workplace, open_workplace

SAMPLES, METRICS, RATERS = 42_166, ("A", "B", "C"), 4
OF = {"dataset": "big"}


def fill(workplace: Workplace) -> None:
    """Import the samples, have every rater judge every item on one criterion."""
    draw = np.random.default_rng(0)
    human, values = draw.integers(0, 5, SAMPLES) / 4, draw.random((SAMPLES, len(METRICS)))
    why = Explanation({"overall": "Because."})
    records = [
        Record(
            Path("f"), n, f"{n % 8000}.jpg", f"a caption of number {n}", key=str(n), human=float(human[n]),
            judgements=(float(human[n]),),
            scores=tuple(
                Score(m, float(v), m, components={"raw": round(float(v), 1)}, explanation=why)
                for m, v in zip(METRICS, values[n], strict=True)
            ),
        )
        for n in range(SAMPLES)
    ]  # fmt: skip
    workplace.repository.add_records("big", records, {r.image: ImageRef(r.image) for r in records}, print)
    study = services.create_study(workplace, StudyRequest("S", "big", form="side_by_side", metrics=METRICS, seed=1))
    rate(workplace, study.id)


def rate(workplace: Workplace, study_id: int) -> None:
    """Write the ratings straight into the tables; by the desk it would take hours."""
    repository, now = workplace.repository, utc_now()
    with repository.database.write() as connection:
        items = connection.execute(
            ItemRow.__table__.select().where(ItemRow.study_id == study_id).order_by(ItemRow.id)
        ).all()
        panels: dict[int, list[int]] = {}
        for row in connection.execute(ItemScoreRow.__table__.select()):
            panels.setdefault(row.item_id, []).append(row.score_id)
    for number in range(RATERS):
        rater = repository.raters.add(f"R{number}")
        assignments, ratings = [], []
        for place, item in enumerate(items, 1):
            one = {"study_id": study_id, "item_id": item.id, "rater_id": rater.id}
            times = {"revealed_at": None, "finished_at": now, "note": ""}
            assignments.append({"id": f"{number}-{place}", "place": place, "panels": panels[item.id], **one, **times})
            point = {"criterion": "factuality", "lowest": 1, "highest": 4, "point": 1 + (place * number) % 4}
            when = {"started_at": now, "submitted_at": now, "duration_ms": 1000}
            ratings += [{"score_id": score, **one, **point, **when} for score in panels[item.id]]
        with repository.database.write() as connection:
            joined = {"study_id": study_id, "rater_id": rater.id, "number": number, "offered": len(items)}
            connection.execute(insert(ParticipationRow).values(joined))
            connection.execute(insert(AssignmentRow), assignments)
            connection.execute(insert(RatingRow), ratings)


def timed(name: str, limit_ms: float, call: Callable[[], Any]) -> Any:
    """Print how long a call takes, beside what it may take."""
    start = time.perf_counter()
    result = call()
    print(f"{name}: {1000 * (time.perf_counter() - start):.0f} ms (goal {limit_ms:.0f} ms)", flush=True)
    return result


def main() -> None:
    """Fill a data folder and ask for what the page asks for."""
    with tempfile.TemporaryDirectory() as folder:
        workplace = open_workplace(Settings(data_dir=Path(folder)))
        fill(workplace)
        app = FastAPI()
        app.include_router(analyse_routes(workplace))
        client = TestClient(app)

        def points(**query: Any) -> Any:
            return client.get("/api/analyse/points", params={**OF, "metric": list(METRICS), **query})

        answer = timed("first plot's data, 3 metrics", 1500, points)
        size = len(gzip.compress(answer.content)) / 2**20
        print(f"payload: {size:.2f} MB compressed, {len(answer.content) / 2**20:.2f} MB plain (goal 1 MB compressed)")
        for name, conditions in (
            ("human", {"human": {"low": 0.5}}),
            ("phrase", {"phrase": "number"}),
            ("rating", {"criterion": "factuality", "rating": {"high": 2}}),
        ):
            body = {"dataset": "big", "slice": {"name": name, **conditions}}
            client.put("/api/analyse/slices", json=body).raise_for_status()
            timed(f"filter change by {name}", 300, lambda name=name: points(slice=name))
        query = {**OF, "metric": "A", "page": 3}
        timed("a page of 25 errors", 100, lambda: client.get("/api/analyse/errors", params=query).raise_for_status())
        workplace.repository.close()


if __name__ == "__main__":
    main()
