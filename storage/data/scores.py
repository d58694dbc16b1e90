"""Store metrics' scores of samples, and find samples without a score."""

from collections.abc import Iterable

from sqlalchemy import or_, select

from core.errors import ErrorKind
from core.types import Outcome
from storage.data.datasets import count_changes, find_dataset
from storage.data.outcome_columns import outcome_columns
from storage.data.stored_samples import SampleList, ids_of
from storage.engine.database import Operations
from storage.engine.sql import upsert
from storage.tables import SampleRow, ScoreRow

# Kinds of errors of a model's answer. The same model would give the same answer again, so it is not asked again.
ANSWERED: tuple[ErrorKind, ...] = ("no_score", "out_of_range", "merged_digits")


class Scores(Operations):
    """Operations on metrics' scores of samples."""

    def unscored(self, dataset: str, signature: str) -> SampleList:
        """Return the samples without a score of this signature. Captions of the same picture are adjacent.

        A sample whose model answered without a score is not returned. A sample with another error is. signature: a text
        with the metric and all its settings. Raises NotFound.
        """
        with self._database.read() as connection:
            of_dataset = SampleRow.dataset_id == find_dataset(connection, dataset)
            has_outcome = or_(ScoreRow.value.is_not(None), ScoreRow.error_kind.in_(ANSWERED))
            known = select(ScoreRow.sample_id).where(ScoreRow.signature == signature, has_outcome)
            query = select(SampleRow.id).where(of_dataset, SampleRow.id.not_in(known))
            ids = ids_of(connection, query.order_by(SampleRow.image_id, SampleRow.id))
        return SampleList(self._database, ids, with_outcomes=False, with_regions=True)

    def save(self, sample_id: int, outcome: Outcome) -> None:
        """Store a score or an error of a sample.

        A stored score is not replaced. A stored error is replaced.
        """
        self.save_all([(sample_id, outcome)])

    def save_all(self, outcomes: Iterable[tuple[int, Outcome]]) -> None:
        """Store the scores and errors of several samples, all or none.

        See `save` for what is replaced.
        """
        rows = [{"sample_id": sample_id} | outcome_columns(outcome) for sample_id, outcome in outcomes]
        if not rows:
            return
        columns = [column.name for column in ScoreRow.__table__.columns if column.name not in ("id", "sample_id")]
        with self._database.write() as connection:
            statement = upsert(connection, ScoreRow)
            statement = statement.on_conflict_do_update(
                index_elements=["sample_id", "signature"],
                set_={name: statement.excluded[name] for name in columns},
                where=ScoreRow.value.is_(None),
            )
            stored = connection.execute(statement, rows, execution_options={"preserve_rowcount": True})
            if stored.rowcount:
                count_changes(connection, [row["sample_id"] for row in rows])
