"""Studies: stored as planned, listed with the progress of their raters, read out as records."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, func, insert, select

from core.criteria import criterion_named
from core.errors import AlreadyExists, NotFound
from core.export import RatingRecord
from core.study import StudyPlan
from storage.database import Database, new_id, utc_now
from storage.desk import still_free
from storage.samples import find_dataset
from storage.tables import (
    AssignmentRow,
    DatasetRow,
    EventRow,
    ImageRow,
    ItemRow,
    ItemScoreRow,
    ParticipationRow,
    RaterRow,
    RatingRow,
    SampleRow,
    ScoreRow,
    StudyCriterionRow,
    StudyRow,
)
from storage.values import RaterProgress, Study


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
            rows = connection.execute(_progress_query(study_id)).all()
            free = [still_free(connection, study_id, row.id, row.offered) for row in rows]
            return tuple(_progress(row, more) for row, more in zip(rows, free, strict=True))

    def records(self, study_id: int) -> Iterator[RatingRecord]:
        """Yield every rating of a study, by item, rater, panel and criterion, as one state of the database."""
        with self._database.read() as connection:
            changed = _changed_after_image(connection, study_id)
            for row in connection.execution_options(yield_per=5_000).execute(_records_query(study_id)):
                yield _record(row, changed)


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
        points = {"lowest": criterion.lowest, "highest": criterion.highest}
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


def _progress_query(study_id: int) -> Any:
    assigned = (
        select(
            AssignmentRow.rater_id,
            func.count(AssignmentRow.finished_at).label("done"),
            func.count().label("assigned"),
        )
        .where(AssignmentRow.study_id == study_id)
        .group_by(AssignmentRow.rater_id)
        .subquery()
    )
    longest = (
        select(
            RatingRow.rater_id,
            RatingRow.item_id,
            func.max(RatingRow.duration_ms).label("ms"),
            func.max(RatingRow.submitted_at).label("last"),
        )
        .where(RatingRow.study_id == study_id)
        .group_by(RatingRow.rater_id, RatingRow.item_id)
        .subquery()
    )
    spent = select(longest.c.rater_id, func.sum(longest.c.ms).label("ms"), func.max(longest.c.last).label("last"))
    rated = spent.group_by(longest.c.rater_id).subquery()
    return (
        select(
            RaterRow.id,
            RaterRow.code,
            func.coalesce(assigned.c.done, 0).label("done"),
            func.coalesce(assigned.c.assigned, 0).label("assigned"),
            ParticipationRow.offered,
            func.coalesce(rated.c.ms, 0).label("ms"),
            rated.c.last,
        )
        .join(ParticipationRow, ParticipationRow.rater_id == RaterRow.id)
        .outerjoin(assigned, assigned.c.rater_id == RaterRow.id)
        .outerjoin(rated, rated.c.rater_id == RaterRow.id)
        .where(ParticipationRow.study_id == study_id)
        .order_by(ParticipationRow.number)
    )


def _progress(row: Any, free: int) -> RaterProgress:
    total = row.assigned + free
    return RaterProgress(code=row.code, done=row.done, total=total, minutes=row.ms / 60_000, last_seen=row.last)


def _changed_after_image(connection: Connection, study_id: int) -> frozenset[tuple[str, int, str]]:
    """Return (assignment, score, criterion) of the answers that were changed once the picture was in sight."""
    query = (
        select(EventRow.assignment_id, EventRow.score_id, EventRow.criterion)
        .join(AssignmentRow, AssignmentRow.id == EventRow.assignment_id)
        .where(
            AssignmentRow.study_id == study_id,
            EventRow.kind == "rating",
            EventRow.old_point.is_not(None),
            EventRow.old_point != EventRow.new_point,
            EventRow.at > AssignmentRow.revealed_at,
        )
    )
    return frozenset((row.assignment_id, row.score_id, row.criterion) for row in connection.execute(query))


def _records_query(study_id: int) -> Any:
    return (
        select(
            StudyRow.name,
            StudyRow.form,
            ItemRow.place + 1,
            ItemRow.stratum,
            SampleRow.key,
            ImageRow.name,
            SampleRow.candidate,
            SampleRow.human,
            ScoreRow.metric,
            ScoreRow.signature,
            ScoreRow.value,
            RaterRow.code,
            RatingRow.criterion,
            RatingRow.point,  # up to here in RatingRecord's order
            RatingRow.score_id,
            AssignmentRow.panels,
            RatingRow.started_at,
            RatingRow.submitted_at,
            RatingRow.duration_ms,
            AssignmentRow.revealed_at,
            AssignmentRow.id,
            AssignmentRow.note,
        )
        .join_from(RatingRow, StudyRow, StudyRow.id == RatingRow.study_id)
        .join(ItemRow, ItemRow.id == RatingRow.item_id)
        .join(SampleRow, SampleRow.id == ItemRow.sample_id)
        .join(ImageRow, ImageRow.id == SampleRow.image_id)
        .join(ScoreRow, ScoreRow.id == RatingRow.score_id)
        .join(RaterRow, RaterRow.id == RatingRow.rater_id)
        .join(
            AssignmentRow,
            (AssignmentRow.item_id == RatingRow.item_id) & (AssignmentRow.rater_id == RatingRow.rater_id),
        )
        .where(RatingRow.study_id == study_id)
        .order_by(ItemRow.place, RatingRow.rater_id, RatingRow.score_id, RatingRow.criterion)
    )


def _record(row: Any, changed: frozenset[tuple[str, int, str]]) -> RatingRecord:
    # by position: a row's columns by name took half the time of reading
    *described, criterion, point, score_id, panels, started, submitted, duration_ms, revealed, assignment, note = row
    was_changed = (assignment, score_id, criterion) in changed
    times = (started, submitted, duration_ms, revealed)
    values: tuple[Any, ...] = (*described, criterion, point, panels.index(score_id) + 1, *times, was_changed, note)
    return RatingRecord(*values)
