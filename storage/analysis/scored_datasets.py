"""List the data sets that can be analysed."""

from dataclasses import dataclass

from sqlalchemy import Connection, false, func, or_, select

from storage.data.hidden_datasets import VISIBLE
from storage.tables import DatasetCountRow, DatasetRow, SampleRow, ScoreRow


@dataclass(frozen=True, slots=True)
class ScoredDataset:
    """A data set with scores, which can be analysed."""

    name: str
    samples: int
    judged: bool  # True: people judged the captions, or chose between two captions
    rated: bool  # True: people judged captions separately, not in pairs
    annotated: int  # number of pictures with regions
    notice: str  # a warning for everyone who sees the data set's data, or ""
    captioners: bool  # True: at least two captioners are known
    benchmark: str | None  # benchmark whose files were imported into the data set; None: unknown


def scored_datasets(connection: Connection) -> tuple[ScoredDataset, ...]:
    """Return the data sets that have a score.

    Data sets with human judgements come first. Within both groups, the largest data sets come first.
    """
    samples = select(func.count()).where(SampleRow.dataset_id == DatasetRow.id).scalar_subquery()
    scored = select(ScoreRow.id).join(SampleRow).where(SampleRow.dataset_id == DatasetRow.id).exists()
    of_dataset = select(SampleRow.id).where(SampleRow.dataset_id == DatasetRow.id)
    rated = of_dataset.where(SampleRow.human.is_not(None)).exists()
    judged = or_(rated, of_dataset.where(SampleRow.pair.is_not(None)).exists())
    of_annotated = DatasetCountRow.dataset_id == DatasetRow.id, DatasetCountRow.counted == "annotated"
    annotated = select(func.coalesce(func.sum(DatasetCountRow.number), 0)).where(*of_annotated).scalar_subquery()
    named = SampleRow.dataset_id == DatasetRow.id, SampleRow.system.is_not(None)
    first, last = (select(of(SampleRow.system)).where(*named).scalar_subquery() for of in (func.min, func.max))
    several = func.coalesce(first < last, false())
    facts = (
        judged.label("judged"),
        rated.label("rated"),
        annotated,
        DatasetRow.notice,
        several,
        DatasetRow.benchmark,
    )
    query = select(DatasetRow.name, samples, *facts).where(VISIBLE, scored)
    rows = connection.execute(query.order_by(judged.desc(), samples.desc(), DatasetRow.name))
    return tuple(ScoredDataset(*row) for row in rows)
