"""The benchmark whose files a data set was imported from.

The benchmark's rules apply even if the data set has another name.
"""

from sqlalchemy import Connection, func, select, update

from storage.tables import DatasetRow, SampleRow


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
