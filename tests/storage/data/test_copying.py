"""Making a data set of another one's samples: how much work the database does for it."""

from pathlib import Path

from sqlalchemy import Connection, select

from storage.data.copying import copy_samples
from storage.tables import DatasetRow, SampleRow
from tests.making import import_rows, rows
from ui.services.workplace import Workplace

STEP = 100  # instructions of SQLite's machine between two counts


def instructions(connection: Connection, dataset: int, ids: list[int], name: str) -> int:
    """Return how many instructions SQLite needs to copy samples, in STEPs: a time that no other program changes."""
    counted = [0]

    def count() -> None:
        counted[0] += 1

    raw = connection.connection.driver_connection
    assert raw is not None
    raw.set_progress_handler(count, STEP)
    assert copy_samples(connection, dataset, ids, name) == len(ids)
    raw.set_progress_handler(None, STEP)
    return counted[0]


def test_four_times_the_samples_are_about_four_times_the_work(workplace: Workplace, tmp_path: Path) -> None:
    work = []
    for count in (100, 400):
        samples = [one | {"image": "secretpicture-0.png"} for one in rows(count)]
        import_rows(workplace, tmp_path, samples, str(count))
        with workplace.repository.database.write() as connection:
            dataset = connection.scalar(select(DatasetRow.id).where(DatasetRow.name == str(count)))
            assert dataset is not None
            ids = list(connection.scalars(select(SampleRow.id).where(SampleRow.dataset_id == dataset)))
            work.append(instructions(connection, dataset, ids, f"copy of {count}"))
    assert work[1] < 6 * work[0]  # 4 and what the indexes grow by; a list searched for each sample needs 16


def test_a_sample_named_twice_comes_once_where_it_is_named_first(workplace: Workplace, tmp_path: Path) -> None:
    import_rows(workplace, tmp_path, rows(3))
    with workplace.repository.database.write() as connection:
        dataset = connection.scalar(select(DatasetRow.id))
        assert dataset is not None
        first, second, _ = connection.scalars(select(SampleRow.id).order_by(SampleRow.id))
        assert copy_samples(connection, dataset, [second, first, second], "twice") == 2
        made = select(SampleRow.key).join(DatasetRow).where(DatasetRow.name == "twice").order_by(SampleRow.id)
        keys = list(connection.scalars(made))
    assert keys == [rows(3)[1]["id"], rows(3)[0]["id"]]
