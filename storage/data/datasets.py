"""Find and summarise data sets, count their changes, and keep the benchmark whose files they were imported from."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, func, select, update

from core.errors import NotFound
from core.installation import COMMAND
from storage.data.hidden_datasets import VISIBLE
from storage.engine.sql import listed
from storage.tables import DatasetCountRow, DatasetRow, SampleRow
from storage.types import DatasetSummary

_COUNTED = update(DatasetRow).values(changes=DatasetRow.changes + 1)


def find_dataset(connection: Connection, name: str) -> int:
    """Return a data set's id. Raises NotFound, which lists the existing names."""
    dataset_id = connection.scalar(select(DatasetRow.id).where(DatasetRow.name == name))
    if dataset_id is None:
        names = connection.scalars(select(DatasetRow.name).where(VISIBLE).order_by(DatasetRow.name)).all()
        first = f"Import a data set first, with: {COMMAND} import FORMAT FILE"
        there = f"Data sets: {', '.join(names)}" if names else first
        raise NotFound(f"There is no data set {name!r}. {there}.")
    return dataset_id


def count_change(connection: Connection, dataset_id: int) -> None:
    """Increase a data set's counter of changes by 1.

    Every writer of samples, scores or errors calls this function in its transaction.
    """
    connection.execute(_COUNTED.where(DatasetRow.id == dataset_id))


def count_changes(connection: Connection, sample_ids: Sequence[int]) -> None:
    """Increase the counters of changes of these samples' data sets (see count_change)."""
    given = listed(sample_ids)
    of_samples = select(SampleRow.dataset_id).where(SampleRow.id.in_(select(given.c.value)))
    connection.execute(_COUNTED.where(DatasetRow.id.in_(of_samples)))


def dataset_summaries(connection: Connection) -> tuple[DatasetSummary, ...]:
    """Return a summary of every data set, sorted by name."""
    counts: dict[int, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    kept = select(*DatasetCountRow.__table__.columns).where(DatasetCountRow.number > 0)
    for row in connection.execute(kept.order_by(DatasetCountRow.metric)):
        counts[row.dataset_id][row.counted][row.metric] = row.number
    datasets = select(DatasetRow.id, DatasetRow.name, DatasetRow.notice).where(VISIBLE).order_by(DatasetRow.name)
    return tuple(_summary(row.name, row.notice, counts[row.id]) for row in connection.execute(datasets))


def _summary(name: str, notice: str, of: Mapping[str, Mapping[str, int]]) -> DatasetSummary:
    """Return a summary. of: counts by what is counted, then by metric; the metric is "" if there is none."""
    return DatasetSummary(
        name=name,
        notice=notice,
        samples=of["samples"].get("", 0),
        scores={metric: of["scores"].get(metric, 0) for metric in sorted({*of["scores"], *of["errors"]})},
        explained=dict(of["explained"]),
        images_found=of["found"].get("", 0),
        images_missing=of["missing"].get("", 0),
        annotated=of["annotated"].get("", 0),
    )


def keep_benchmark(connection: Connection, dataset: str, benchmark: str | None, read: int, added: int) -> None:
    """Store from which benchmark a data set was imported.

    benchmark: the benchmark of the imported files; None: these files belong to no benchmark. read, added: numbers of
    samples that the import read and added. If the import did not read all samples of the data set, some come from other
    files. Then the benchmark is not stored. If these other files belong to another benchmark, the stored benchmark is
    removed.
    """
    if benchmark is None:
        return
    row = connection.execute(select(DatasetRow.id, DatasetRow.benchmark).where(DatasetRow.name == dataset)).one()
    samples = connection.scalar(select(func.count()).where(SampleRow.dataset_id == row.id))
    is_whole, is_mixed = read == samples, added > 0 and row.benchmark not in (None, benchmark)
    if is_whole or is_mixed:
        changed = update(DatasetRow).where(DatasetRow.id == row.id)
        connection.execute(changed.values(benchmark=benchmark if is_whole else None))


def stored_benchmark(connection: Connection, dataset: str) -> str | None:
    """Return the benchmark whose files a data set was imported from; None: unknown, or no such data set."""
    return connection.scalar(select(DatasetRow.benchmark).where(DatasetRow.name == dataset))
