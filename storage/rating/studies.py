"""Studies: stored as planned, listed with the progress of their raters, read out as records."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, func, insert, select

from core.errors import AlreadyExists, NotFound
from core.studies.criteria import criterion_named
from core.studies.export import RatingRecord
from core.studies.planning import StudyPlan
from storage.data.samples import find_dataset
from storage.database import Database, new_id, utc_now
from storage.rating.progress import raters_progress
from storage.rating.records import rating_records
from storage.tables import DatasetRow, ItemRow, ItemScoreRow, ScoreRow, StudyCriterionRow, StudyRow
from storage.types import RaterProgress, Study


class Studies:
    """Verbs on studies."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, plan: StudyPlan) -> Study:
        """Store a planned study with its items. Raises AlreadyExists where the name is taken."""
        request = plan.request
        with self._database.write() as connection:
            dataset_id = find_dataset(connection, request.dataset)
            if connection.scalar(select(StudyRow.id).where(StudyRow.name == request.name)) is not None:
                raise AlreadyExists(f"There is already a study called {request.name!r}; choose another name.")
            study_id = _add_study(connection, plan, dataset_id)
            _add_items(connection, plan, study_id)
            return _study(connection, connection.execute(_STUDIES.where(StudyRow.id == study_id)).one())

    def has_any(self) -> bool:
        """Return whether there is any study."""
        with self._database.read() as connection:
            return connection.scalar(select(StudyRow.id).limit(1)) is not None

    def all(self) -> tuple[Study, ...]:
        """Return every study, newest first."""
        with self._database.read() as connection:
            rows = connection.execute(_STUDIES.order_by(StudyRow.id.desc())).all()
            return tuple(_study(connection, row) for row in rows)

    def get(self, study_id: int) -> Study:
        """Return one study. Raises NotFound."""
        with self._database.read() as connection:
            row = connection.execute(_STUDIES.where(StudyRow.id == study_id)).first()
            if row is None:
                raise NotFound(f"There is no study number {study_id}.")
            return _study(connection, row)

    def named(self, name: str) -> Study:
        """Return the study of that name. Raises NotFound, naming those there are."""
        studies = self.all()
        for study in studies:
            if study.name == name:
                return study
        there = f"there are {', '.join(s.name for s in studies)}" if studies else "there is none yet"
        raise NotFound(f"There is no study {name!r}; {there}.")

    def progress(self, study_id: int) -> tuple[RaterProgress, ...]:
        """Return how far every rater of a study has come, in the order of joining."""
        with self._database.read() as connection:
            return raters_progress(connection, study_id)

    def records(self, study_id: int) -> Iterator[RatingRecord]:
        """Yield every rating of a study, by item, rater, panel and criterion, as one state of the database."""
        with self._database.read() as connection:
            yield from rating_records(connection, study_id)


def _add_study(connection: Connection, plan: StudyPlan, dataset_id: int) -> int:
    request = plan.request
    values = {
        "name": request.name,
        "dataset_id": dataset_id,
        "form": request.form,
        "veil": request.veil,
        "overlay": request.overlay,
        "raters_per_item": request.raters_per_item,
        "seed": request.seed,
        "strata": [list(stratum) for stratum in plan.strata],
        "created_at": utc_now(),
    }
    study_id = new_id(connection.execute(insert(StudyRow).values(values)))
    for place, key in enumerate(request.criteria):
        criterion = criterion_named(key)
        points = {"lowest": min(criterion.points), "highest": max(criterion.points)}
        row = {"study_id": study_id, "criterion": key, "place": place, **points}
        connection.execute(insert(StudyCriterionRow).values(row))
    return study_id


def _add_items(connection: Connection, plan: StudyPlan, study_id: int) -> None:
    first = (connection.scalar(select(func.max(ItemRow.id))) or 0) + 1
    items, scores = [], []
    for place, item in enumerate(plan.items):
        item_id = first + place
        columns = {"study_id": study_id, "place": place, "sample_id": item.sample, "stratum": item.stratum}
        items.append({"id": item_id, **columns})
        scores += [{"item_id": item_id, "score_id": score, "place": n} for n, score in enumerate(item.scores)]
    connection.execute(insert(ItemRow), items)
    connection.execute(insert(ItemScoreRow), scores)


_STUDIES = select(*StudyRow.__table__.columns, DatasetRow.name.label("dataset"), DatasetRow.notice).join(
    DatasetRow, DatasetRow.id == StudyRow.dataset_id
)


def _study(connection: Connection, row: Any) -> Study:
    criteria = select(StudyCriterionRow.criterion).where(StudyCriterionRow.study_id == row.id)
    scores = select(ScoreRow.metric).join(ItemScoreRow, ItemScoreRow.score_id == ScoreRow.id)
    scores = scores.join(ItemRow, ItemRow.id == ItemScoreRow.item_id).where(ItemRow.study_id == row.id)
    panels = select(func.max(ItemScoreRow.place)).join(ItemRow, ItemRow.id == ItemScoreRow.item_id)
    return Study(
        id=row.id,
        name=row.name,
        dataset=row.dataset,
        notice=row.notice,
        form=row.form,
        veil=row.veil,
        overlay=row.overlay,
        raters_per_item=row.raters_per_item,
        seed=row.seed,
        strata=tuple((name, count) for name, count in row.strata),
        criteria=tuple(connection.scalars(criteria.order_by(StudyCriterionRow.place))),
        metrics=tuple(connection.scalars(scores.distinct().order_by(ScoreRow.metric))),
        items=connection.scalar(select(func.count()).where(ItemRow.study_id == row.id)) or 0,
        panels=(connection.scalar(panels.where(ItemRow.study_id == row.id)) or 0) + 1,
        created_at=row.created_at,
    )
