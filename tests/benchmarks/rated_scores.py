"""A large data set with scores by three metrics and ratings by four people, made for benchmarks."""

from pathlib import Path

import numpy as np
from sqlalchemy import insert, select

from core.datasets.base import Record
from core.studies.asking.criteria import criterion_named
from core.studies.asking.form_file import form_named
from core.studies.design import StudyDesign
from core.types import Explanation, ImageRef, Score
from storage.engine.database import utc_now
from storage.tables import AssignmentRow, ItemRow, ItemScoreRow, ParticipationRow, RatingRow
from ui.services.studies import study_actions as services
from ui.services.workplace import Workplace

SAMPLES, METRICS, RATERS = 42_166, ("A", "B", "C"), 4
IMAGES = 8_000
DATASET, CRITERION = "big", "factuality"
_WORDS = "a man two dogs are running in front of the red house with people standing next to car on grass often".split()


def fill(workplace: Workplace, samples: int = SAMPLES) -> None:
    """Import the samples and have every rater judge every explanation on one criterion."""
    draw = np.random.default_rng(0)
    human, noise = draw.integers(0, 5, samples) / 4, draw.random((samples, len(METRICS)))
    values = 0.4 * human[:, None] + 0.6 * noise
    lengths = draw.integers(5, 15, samples).tolist()
    captions = [
        " ".join(words[:n]) for n, words in zip(lengths, draw.choice(_WORDS, (samples, 14)).tolist(), strict=True)
    ]
    why = Explanation({"overall": "It names what is in the picture."})
    records = [
        Record(
            Path("f"), n, f"{n % IMAGES}.jpg", f"{captions[n]} {n}", key=str(n), human=float(human[n]),
            judgements=(float(human[n]),),
            scores=tuple(
                Score(m, float(v), m, components={"raw": round(float(v), 1)}, explanation=why)
                for m, v in zip(METRICS, values[n], strict=True)
            ),
        )
        for n in range(samples)
    ]  # fmt: skip
    workplace.repository.add_records(DATASET, records, {r.image: ImageRef(r.image) for r in records}, print)
    study = services.create_study(
        workplace, StudyDesign("S", DATASET, form="expert-side-by-side", metrics=METRICS, seed=1)
    )
    for number in range(RATERS):
        _rate(workplace, study.id, number)


def _rate(workplace: Workplace, study_id: int, number: int) -> None:
    """Write a rater's ratings straight into the tables; by the desk all of them would take hours."""
    repository, now = workplace.repository, utc_now()
    rater = repository.raters.add(f"R{number}")
    with repository.database.write() as connection:
        items = connection.scalars(select(ItemRow.id).where(ItemRow.study_id == study_id).order_by(ItemRow.id)).all()
        panels: dict[int, list[int]] = {}
        for item, score in connection.execute(select(ItemScoreRow.item_id, ItemScoreRow.score_id)):
            panels.setdefault(item, []).append(score)
        of = {"study_id": study_id, "rater_id": rater.id}
        asked = {"revealed_at": None, "finished_at": now, "note": ""}
        answered = {"started_at": now, "submitted_at": now, "duration_ms": 1000, "criterion": CRITERION}
        answered |= dict(
            zip(
                ("lowest", "highest"),
                criterion_named(CRITERION, form_named("expert-single").criteria).bounds,
                strict=True,
            )
        )
        assignments = [
            {"id": f"{number}-{item}", "item_id": item, "place": place, "panels": panels[item], **of, **asked}
            for place, item in enumerate(items, 1)
        ]
        ratings = [
            {"item_id": item, "score_id": score, "point": 1 + (place * (number + 1) + score) % 4, **of, **answered}
            for place, item in enumerate(items, 1)
            for score in panels[item]
        ]
        connection.execute(insert(ParticipationRow).values(**of, number=number))
        connection.execute(insert(AssignmentRow), assignments)
        connection.execute(insert(RatingRow), ratings)
