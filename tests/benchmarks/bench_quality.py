"""Watching raters: 50 of them with 1,000 items each, from columns to flags, and the whole look of a page at them."""

import tempfile
import time
from pathlib import Path

import numpy as np
from sqlalchemy import insert, select, update

from core.studies.rater_quality.flags import Thresholds, flags
from core.studies.rater_quality.measures import study_quality
from core.studies.rater_quality.types import Answers, GivenItems
from storage.engine.database import utc_now
from storage.tables import AssignmentRow, EventRow, ItemRow, ItemScoreRow, ParticipationRow, RaterRow, RatingRow
from tests.benchmarks.rows import Row
from tests.benchmarks.studies import make_study, workplace
from ui.services.studies.rater_quality import Monitor

RATERS, ITEMS, CRITERIA = 50, 1_000, ("consistency", "factuality", "informativeness")
MOST_MS = 200.0
TURNS = 5


def run() -> list[Row]:
    """Measure."""
    given, answers = _columns()
    scales = [4] * len(CRITERIA)
    times = []
    for _ in range(TURNS):
        start = time.perf_counter()
        found = study_quality(given, answers, scales, RATERS)
        flagged = [flags(rater, Thresholds()) for rater in found.raters]
        times.append(1000 * (time.perf_counter() - start))
    whole, again = _page(given, answers)
    size = f"{RATERS} raters × {ITEMS:,} items × {len(CRITERIA)} criteria; best of {TURNS}"
    held = len(flagged) == RATERS and found.alpha is not None
    return [
        Row("raters measured from columns", min(times), "ms", most=MOST_MS, holds=held, note=size),
        Row("a study's first look, read from SQLite", whole, "ms", note="answers read, measured, flagged"),
        Row(
            "a look after 50 new answers",
            again,
            "ms",
            most=MOST_MS,
            note=f"what the open page asks for; best of {TURNS}",
        ),
    ]


def _columns() -> tuple[GivenItems, Answers]:
    numbers = np.random.default_rng(0)
    pairs, asked = RATERS * ITEMS, len(CRITERIA)
    given = GivenItems(
        rater=np.repeat(np.arange(RATERS), ITEMS),
        role=np.zeros(pairs, dtype=np.int64),
        seconds=numbers.gamma(4, 8, pairs),
        words=numbers.integers(50, 120, pairs),
        counts=np.ones(pairs, dtype=bool),
    )
    unit = np.tile(np.repeat(np.arange(ITEMS), asked), RATERS)
    criterion = np.tile(np.arange(asked), pairs)
    quality = numbers.normal(3, 1, ITEMS * asked)[unit * asked + criterion]
    point = np.clip(np.round(quality + numbers.normal(0, 0.7, len(unit))), 1, 4).astype(np.int64)
    none = np.zeros_like(point)
    return given, Answers(np.repeat(np.arange(pairs), asked), unit, criterion, point, none, none)


def _page(given: GivenItems, answers: Answers) -> tuple[float, float]:
    """Return how long the first look takes and one after some answers, in ms."""
    with tempfile.TemporaryDirectory() as folder, workplace(Path(folder) / "data") as place:
        study = make_study(place, Path(folder) / "files", ITEMS)
        now, database = utc_now(), place.repository.database
        with database.write() as connection:
            items = connection.scalars(select(ItemRow.id).order_by(ItemRow.place)).all()
            scores = dict(connection.execute(select(ItemScoreRow.item_id, ItemScoreRow.score_id)).all())  # type: ignore[arg-type]
            people = [{"id": n + 1, "code": f"R{n}", "created_at": now} for n in range(RATERS)]
            connection.execute(insert(RaterRow), people)
            parts = [{"study_id": study.id, "rater_id": n + 1, "number": n} for n in range(RATERS)]
            connection.execute(insert(ParticipationRow), parts)
            row = {"study_id": study.id, "note": "", "panels": []}
            assigned = [
                {**row, "id": f"{n}-{place}", "item_id": item, "rater_id": n + 1, "place": place, "finished_at": now}
                for n in range(RATERS)
                for place, item in enumerate(items, 1)
            ]
            connection.execute(insert(AssignmentRow), assigned)
            rating = {"study_id": study.id, "started_at": now, "submitted_at": now, "highest": 4}
            columns = (answers.given, answers.unit, answers.criterion, answers.point)
            ratings = [
                {
                    **rating,
                    "rater_id": int(given.rater[one]) + 1,
                    "item_id": items[unit],
                    "score_id": scores[items[unit]],
                    "criterion": CRITERIA[criterion],
                    "lowest": 1 if criterion == 0 else 0,
                    "point": point,
                    "duration_ms": int(1000 * given.seconds[one]),
                }
                for one, unit, criterion, point in zip(*(column.tolist() for column in columns), strict=True)
            ]
            connection.execute(insert(RatingRow), ratings)
        monitor = Monitor(place)
        start = time.perf_counter()
        monitor.look(study.id)
        first, again = 1000 * (time.perf_counter() - start), []
        for turn in range(TURNS):
            with database.write() as connection:
                connection.execute(update(RatingRow).where(RatingRow.item_id == items[turn]).values(point=1 + turn % 2))
                event = {"at": now, "received_at": now, "kind": "rating", "criterion": CRITERIA[0], "new_point": 1}
                rows = [
                    {**event, "rater_id": n + 1, "request_key": f"key-{n}-{turn}", "assignment_id": f"{n}-{turn + 1}"}
                    for n in range(RATERS)
                ]
                connection.execute(insert(EventRow), rows)
            start = time.perf_counter()
            monitor.look(study.id)
            again.append(1000 * (time.perf_counter() - start))
        return first, min(again)
