"""Store studies, list them, change their state and settings, and copy them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Connection, Select, func, insert, select, update

from core.errors import AlreadyExists, NotFound
from core.studies.design import State, StudyDesign, changed, check_step
from core.studies.planning.gold import Controls
from core.studies.planning.minutes import ReadingLoad
from core.studies.planning.plan import StudyPlan
from core.studies.results.export import COLUMNS
from core.studies.results.flow import StudyRater
from storage.data.datasets import find_dataset
from storage.engine.database import Operations, utc_now
from storage.rating.assignment import study_controls
from storage.rating.gold import rated_columns
from storage.rating.item_reports import ReportedItem, reported_items
from storage.rating.raters import raters_of
from storage.rating.ratings import ratings_table
from storage.rating.reading import plan_reading, study_reading
from storage.rating.rules import rules, set_stamp, stored_design
from storage.study_types import Study
from storage.tables import (
    DatasetRow,
    ErasureRow,
    GoldRow,
    ImageRow,
    ItemRow,
    ItemScoreRow,
    SampleRow,
    ScoreRow,
    StudyCriterionRow,
    StudyRow,
)

if TYPE_CHECKING:
    import pandas as pd


class Studies(Operations):
    """Operations on studies."""

    def add(self, plan: StudyPlan, state: State = "running") -> Study:
        """Store a planned study with its items. Raises AlreadyExists if the name is taken."""
        with self._database.write() as connection:
            dataset_id = find_dataset(connection, plan.design.dataset)
            study_id = _add_study(connection, plan.design, state, dataset_id, plan.strata)
            _add_items(connection, plan, study_id)
            return read_studies(connection, StudyRow.id == study_id)[0]

    def all(self) -> tuple[Study, ...]:
        """Return every study, newest first."""
        with self._database.read() as connection:
            return read_studies(connection)

    def overview(self) -> tuple[tuple[Study, tuple[StudyRater, ...]], ...]:
        """Return every study, newest first, with the raters who joined it, in the order of joining."""
        with self._database.read() as connection:
            every = [(study, raters_of(connection, rules(connection, study.id))) for study in read_studies(connection)]
        joined = [[(one.number, one) for one in raters if one.number is not None] for _, raters in every]
        return tuple((study, tuple(one for _, one in sorted(of))) for (study, _), of in zip(every, joined, strict=True))

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

    def raters(self, study_id: int) -> tuple[StudyRater, ...]:
        """Return a study's raters, also those without items, in the order of arrival. Raises NotFound."""
        with self._database.read() as connection:
            return raters_of(connection, rules(connection, study_id))

    def reported(self, study_id: int) -> tuple[ReportedItem, ...]:
        """Return raters' reports on items, in the order of the items."""
        with self._database.read() as connection:
            return reported_items(connection, study_id)

    def reading(self, study_ids: Iterable[int]) -> dict[int, ReadingLoad]:
        """Return how much text each study has, and how long raters took for items; key: study."""
        with self._database.read() as connection:
            return {study: study_reading(connection, study) for study in study_ids}

    def controls(self, study_id: int) -> Controls:
        """Return which practice and gold items a new rater can get. Raises NotFound."""
        with self._database.read() as connection:
            return study_controls(connection, rules(connection, study_id))

    def plan_reading(self, plan: StudyPlan) -> ReadingLoad:
        """Return how much text a planned study has, before it is stored."""
        with self._database.read() as connection:
            return plan_reading(connection, [(item.sample, item.scores) for item in plan.items])

    def ratings(self, study_id: int) -> "pd.DataFrame":
        """Return every rating of a study, see storage.rating.ratings. Raises NotFound."""
        with self._database.read() as connection:
            return ratings_table(connection, study_id)

    def records(self, study_id: int) -> Iterator[Any]:
        """Yield every rating of a study as a named tuple of an export's columns. A missing value is None."""
        table = self.ratings(study_id)[list(COLUMNS)].astype(object)
        yield from table.where(table.notna(), None).itertuples(index=False, name="Rating")

    def step(self, study_id: int, state: State, stamp: str | None = None) -> None:
        """Change a study's state. stamp: see set_stamp. Raises NotFound, ChangedMeanwhile, BadSetting."""
        with self._database.write() as connection:
            of = rules(connection, study_id)
            set_stamp(connection, study_id, stamp)
            check_step(of.state, state)
            # starting a closed study again also lets new raters join it
            design = changed(of.design, new_raters=True) if of.state == "closed" else of.design
            _set(connection, study_id, state=state, design=design.json())

    def settle(self, study_id: int, stamp: str | None = None, **options: Any) -> None:
        """Change options of a study's design. stamp: see set_stamp. Raises NotFound, ChangedMeanwhile, BadSetting.

        Raters who have already answered the questions before the items are not asked again.
        """
        with self._database.write() as connection:
            of = rules(connection, study_id)
            set_stamp(connection, study_id, stamp)
            _set(connection, study_id, design=changed(of.design, **options).json())

    def duplicate(self, study_id: int, name: str) -> int:
        """Copy a study, with its items and gold items, as a draft. Return the draft's number.

        Raises NotFound, AlreadyExists, BadSetting.
        """
        with self._database.write() as connection:
            design = rules(connection, study_id).design.copied(name)
            dataset, strata = connection.execute(
                select(StudyRow.dataset_id, StudyRow.strata).where(StudyRow.id == study_id)
            ).one()
            new = _add_study(connection, design, "draft", dataset, strata)
            _copy_items(connection, study_id, new)
            return new


def _set(connection: Connection, study_id: int, **values: Any) -> None:
    connection.execute(update(StudyRow).where(StudyRow.id == study_id).values(values))


def _add_study(connection: Connection, design: StudyDesign, state: State, dataset: int, strata: Iterable[Any]) -> int:
    if connection.scalar(select(StudyRow.id).where(StudyRow.name == design.name)) is not None:
        raise AlreadyExists(f"A study named {design.name!r} already exists. Choose another name.")
    # Numbers are never used twice, because open pages identify studies by number.
    last = (connection.scalar(select(func.max(number))) or 0 for number in (StudyRow.id, ErasureRow.study))
    study_id, form = max(last) + 1, design.asked()
    values = {"id": study_id, "name": design.name, "dataset_id": dataset, "state": state, "design": design.json()}
    values |= {
        "raters_per_item": design.raters_per_item,
        "strata": [list(stratum) for stratum in strata],
        "created_at": utc_now(),
    }
    connection.execute(insert(StudyRow).values(values))
    for place, criterion in enumerate(form.criteria):
        lowest, highest = criterion.bounds
        row = {"study_id": study_id, "criterion": criterion.key, "place": place, "lowest": lowest, "highest": highest}
        connection.execute(insert(StudyCriterionRow).values(row))
    return study_id


def _add_items(connection: Connection, plan: StudyPlan, study_id: int) -> None:
    first = (connection.scalar(select(func.max(ItemRow.id))) or 0) + 1
    items, scores = [], []
    for place, item in enumerate(plan.items, -plan.design.practice):
        item_id = first + place + plan.design.practice
        columns = {"study_id": study_id, "place": place, "sample_id": item.sample, "stratum": item.stratum}
        items.append({"id": item_id, "role": "practice" if place < 0 else "item", **columns})
        scores += [{"item_id": item_id, "place": n, **rated_columns(rated)} for n, rated in enumerate(item.scores)]
    connection.execute(insert(ItemRow), items)
    connection.execute(insert(ItemScoreRow), scores)


def _copy_items(connection: Connection, study_id: int, new: int) -> None:
    retired = select(GoldRow.item_id).where(GoldRow.study_id == study_id, GoldRow.retired_at.is_not(None))
    own = (ItemRow.study_id == study_id, ItemRow.id.not_in(retired))
    old = connection.execute(select(*ItemRow.__table__.columns).where(*own).order_by(ItemRow.id)).mappings().all()
    first = (connection.scalar(select(func.max(ItemRow.id))) or 0) + 1
    ids = {row["id"]: first + nth for nth, row in enumerate(old)}
    untaken = {"study_id": new, "takers": 0}
    connection.execute(insert(ItemRow), [{**row, "id": ids[row["id"]], **untaken} for row in old])
    of_items = select(*ItemScoreRow.__table__.columns).join(ItemRow, ItemRow.id == ItemScoreRow.item_id)
    scores = connection.execute(of_items.where(*own)).mappings().all()
    connection.execute(insert(ItemScoreRow), [{**row, "item_id": ids[row["item_id"]]} for row in scores])
    gold = select(*GoldRow.__table__.columns).where(GoldRow.study_id == study_id, GoldRow.retired_at.is_(None))
    copied = [{**row, "item_id": ids[row["item_id"]], "study_id": new} for row in connection.execute(gold).mappings()]
    if copied:
        connection.execute(insert(GoldRow), copied)


def read_studies(connection: Connection, *of: ColumnElement[bool]) -> tuple[Study, ...]:
    """Return the studies that meet all conditions, newest first.

    The function needs only two SQL statements for any number of studies.
    """
    metrics: dict[int, list[str]] = defaultdict(list)
    for study, name in connection.execute(_METRICS.where(*of)):
        metrics[study].append(name)
    return tuple(_study(row, tuple(metrics[row.id])) for row in connection.execute(_STUDIES.where(*of)))


def _study(row: Any, metrics: tuple[str, ...]) -> Study:
    design, form = stored_design(row.design)
    return Study(
        id=row.id,
        name=row.name,
        dataset=row.dataset,
        notice=row.notice,
        state=row.state,
        design=design,
        asks=form,
        strata=tuple((name, count) for name, count in row.strata),
        metrics=metrics,
        items=row.items,
        captions=row.captions,
        without_picture=row.without_picture,
        panels=(row.last_panel or 0) + 1,
        created_at=row.created_at,
        stamp=row.stamp,
    )


_OWN = (ItemRow.study_id == StudyRow.id, ItemRow.place >= 0)
_COUNTS = (
    select(func.count(func.coalesce(ItemScoreRow.caption, ItemRow.sample_id).distinct()))
    .join(ItemRow, ItemRow.id == ItemScoreRow.item_id)
    .where(*_OWN)
    .scalar_subquery()
    .label("captions"),
    select(func.count()).select_from(ItemRow).where(*_OWN).scalar_subquery().label("items"),
    select(func.max(ItemScoreRow.place))
    .join(ItemRow, ItemRow.id == ItemScoreRow.item_id)
    .where(ItemRow.study_id == StudyRow.id)
    .scalar_subquery()
    .label("last_panel"),
    select(func.count())
    .select_from(ItemRow)
    .join(SampleRow, SampleRow.id == ItemRow.sample_id)
    .join(ImageRow, ImageRow.id == SampleRow.image_id)
    .where(*_OWN, ImageRow.path.is_(None))
    .scalar_subquery()
    .label("without_picture"),
)
_STUDIES: Select[Any] = (
    select(*StudyRow.__table__.columns, DatasetRow.name.label("dataset"), DatasetRow.notice)
    .add_columns(*_COUNTS)
    .join(DatasetRow, DatasetRow.id == StudyRow.dataset_id)
    .order_by(StudyRow.id.desc())
)
_METRICS = (
    select(StudyRow.id, ScoreRow.metric)
    .join(ItemRow, ItemRow.study_id == StudyRow.id)
    .join(ItemScoreRow, ItemScoreRow.item_id == ItemRow.id)
    .join(ScoreRow, ScoreRow.id == ItemScoreRow.score_id)
    .distinct()
    .order_by(ScoreRow.metric)
)
