"""Store studies, list them with their raters' progress, and read their ratings."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, func, insert, select

from core.errors import AlreadyExists, NotFound
from core.studies.asking.questionnaire import Questionnaire, questionnaire_json
from core.studies.planning.control_places import Controls
from core.studies.planning.duration import ReadingLoad
from core.studies.planning.life_cycle import StudySchedule
from core.studies.planning.plan import StudyPlan
from core.studies.results.dictionary import COLUMNS
from storage.data.datasets import find_dataset
from storage.engine.database import Database, utc_now
from storage.rating.assignment.assignment_rules import schedule_values
from storage.rating.assignment.gold_schedule import study_controls
from storage.rating.content.study_forms import add_form, rated_columns
from storage.rating.results.progress import raters_progress
from storage.rating.results.ratings import ratings_table
from storage.rating.results.reading_load import plan_reading, studies_reading
from storage.rating.studies.study_numbers import next_study
from storage.rating.studies.study_rows import read_studies
from storage.study_types import RaterProgress, Study
from storage.tables import (
    ItemRow,
    ItemScoreRow,
    StudyCourseRow,
    StudyCriterionRow,
    StudyEntryRow,
    StudyRow,
)

if TYPE_CHECKING:
    import pandas as pd


class Studies:
    """Operations on studies."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, plan: StudyPlan, course: StudySchedule) -> Study:
        """Store a planned study with its items. Raises AlreadyExists if the name is taken."""
        request = plan.request
        with self._database.write() as connection:
            dataset_id = find_dataset(connection, request.dataset)
            if connection.scalar(select(StudyRow.id).where(StudyRow.name == request.name)) is not None:
                raise AlreadyExists(f"A study named {request.name!r} already exists. Choose another name.")
            study_id = _add_study(connection, plan, dataset_id)
            _add_items(connection, plan, study_id)
            connection.execute(insert(StudyCourseRow).values(study_id=study_id, **schedule_values(course)))
            return read_studies(connection, StudyRow.id == study_id)[0]

    def has_any(self) -> bool:
        """Return whether any study is stored."""
        with self._database.read() as connection:
            return connection.scalar(select(StudyCourseRow.study_id).limit(1)) is not None

    def all(self) -> tuple[Study, ...]:
        """Return every study, newest first."""
        with self._database.read() as connection:
            return read_studies(connection)

    def overview(self) -> tuple[tuple[Study, tuple[RaterProgress, ...]], ...]:
        """Return every study, newest first, with its raters' progress.

        The raters are in the order of joining.
        """
        with self._database.read() as connection:
            progress = raters_progress(connection)
            return tuple((study, progress.get(study.id, ())) for study in read_studies(connection))

    def get(self, study_id: int) -> Study:
        """Return one study. Raises NotFound."""
        with self._database.read() as connection:
            studies = read_studies(connection, StudyRow.id == study_id)
        if not studies:
            raise NotFound(f"There is no study number {study_id}.")
        return studies[0]

    def named(self, name: str) -> Study:
        """Return the study that has this name.

        Raises NotFound, whose message lists the existing names.
        """
        studies = self.all()
        for study in studies:
            if study.name == name:
                return study
        there = f"Studies: {', '.join(s.name for s in studies)}" if studies else "There is no study yet"
        raise NotFound(f"There is no study {name!r}. {there}.")

    def progress(self, study_id: int) -> tuple[RaterProgress, ...]:
        """Return every rater's progress in a study, in the order of joining."""
        with self._database.read() as connection:
            return raters_progress(connection, StudyRow.id == study_id).get(study_id, ())

    def reading(self, study_ids: Iterable[int]) -> dict[int, ReadingLoad]:
        """Return how much text each study has, and its items' times.

        key: study. The times are how long raters took for items.
        """
        with self._database.read() as connection:
            return studies_reading(connection, study_ids)

    def controls(self, study_ids: Iterable[int]) -> dict[int, Controls]:
        """Return which control items a new rater of each study can get.

        Control items are practice items and gold items (with known answers). key: study.
        """
        with self._database.read() as connection:
            return study_controls(connection, study_ids)

    def plan_reading(self, plan: StudyPlan) -> ReadingLoad:
        """Return how much text a planned study has, before it is stored."""
        with self._database.read() as connection:
            return plan_reading(connection, [(item.sample, item.scores) for item in plan.items])

    def ratings(self, study_id: int) -> "pd.DataFrame":
        """Return every rating of a study, see storage.rating.results.ratings."""
        with self._database.read() as connection:
            return ratings_table(connection, study_id)

    def records(self, study_id: int) -> Iterator[Any]:
        """Yield every rating of a study as a named tuple of an export's columns. A missing value is None."""
        table = self.ratings(study_id)[list(COLUMNS)].astype(object)
        yield from table.where(table.notna(), None).itertuples(index=False, name="Rating")


def _add_study(connection: Connection, plan: StudyPlan, dataset_id: int) -> int:
    request = plan.request
    study_id = next_study(connection)
    values = {
        "id": study_id,
        "name": request.name,
        "dataset_id": dataset_id,
        "form": plan.form.layout,
        "strata": [list(stratum) for stratum in plan.strata],
        "created_at": utc_now(),
        **plan.design.options(),
    }
    connection.execute(insert(StudyRow).values(values))
    add_form(connection, study_id, plan.form)
    if plan.form.entry != Questionnaire():
        connection.execute(insert(StudyEntryRow).values(study_id=study_id, entry=questionnaire_json(plan.form.entry)))
    for place, criterion in enumerate(plan.form.criteria):
        lowest, highest = criterion.bounds
        row = {"study_id": study_id, "criterion": criterion.key, "place": place, "lowest": lowest, "highest": highest}
        connection.execute(insert(StudyCriterionRow).values(row))
    return study_id


def _add_items(connection: Connection, plan: StudyPlan, study_id: int) -> None:
    first = (connection.scalar(select(func.max(ItemRow.id))) or 0) + 1
    items, scores = [], []
    for place, item in enumerate(plan.items):
        item_id = first + place
        columns = {"study_id": study_id, "place": place, "sample_id": item.sample, "stratum": item.stratum}
        items.append({"id": item_id, **columns})
        scores += [{"item_id": item_id, "place": n, **rated_columns(rated)} for n, rated in enumerate(item.scores)]
    connection.execute(insert(ItemRow), items)
    connection.execute(insert(ItemScoreRow), scores)
