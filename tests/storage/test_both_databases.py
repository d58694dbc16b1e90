"""SQLite and PostgreSQL keep the same promises: tables, save, next items of two raters, import, export, delete."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import func, select, text
from sqlalchemy.exc import IntegrityError

from core.types import Score
from storage.engine.migration import REVISIONS
from storage.tables import EventRow, RatingRow, Table
from storage.types import Search
from tests.making import METRICS, import_rows, make_study, rating, rows
from tests.postgresql import Postgres
from ui.services.transfer.dataset_export import export_dataset
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workplace]:
    """A workplace with a data set of six samples, on either kind of database."""
    address = None
    if request.param == "postgresql":
        server: Postgres = request.getfixturevalue("postgres")
        address = server.new()
    opened = open_workplace(Settings(data_dir=tmp_path / "data", database=address))
    import_rows(opened, tmp_path / "files", rows(6))
    yield opened
    opened.repository.close()


def test_tables_are_those_of_the_metadata(place: Workplace) -> None:
    with place.repository.database.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Table.metadata) == []
        assert context.get_current_revision() == REVISIONS[-1]


def test_an_answer_is_stored_once_and_its_log_cannot_be_changed(place: Workplace) -> None:
    study = make_study(place)
    rater = place.repository.raters.add("K1")
    item = place.repository.desk.queue(study.id, rater, None, 1).items[0]
    answer = rating(item)
    assert place.repository.save(rater, [answer]) == place.repository.save(rater, [answer]) == (None,)
    with place.repository.database.read() as connection:
        counts = [connection.scalar(select(func.count()).select_from(table)) for table in (EventRow, RatingRow)]
    assert counts == [1, 1]
    for deed in ("UPDATE events SET text = ''", "DELETE FROM events"):
        with pytest.raises(IntegrityError, match="only be added"), place.repository.database.write() as connection:
            connection.execute(text(deed))


def test_two_raters_at_once_share_items_and_no_item_gets_too_many_raters(place: Workplace) -> None:
    study = make_study(place, metrics=METRICS[:1], raters_per_item=1)
    raters = [place.repository.raters.add(code) for code in ("A", "B")]
    with ThreadPoolExecutor(2) as pool:
        queues = list(pool.map(lambda rater: place.repository.desk.queue(study.id, rater, None, 3).items, raters))
    assert [len(queue) for queue in queues] == [3, 3]
    with place.repository.database.read() as connection:
        held = connection.execute(text("SELECT place, takers FROM items ORDER BY place")).all()
    assert [tuple(row) for row in held] == [(number, 1) for number in range(6)]


def test_import_search_scores_and_export(place: Workplace, tmp_path: Path) -> None:
    samples = place.repository.samples
    (found,) = samples.datasets()
    assert (found.samples, found.images_found, dict(found.scores)) == (6, 6, {metric: 6 for metric in METRICS})
    ids = samples.ids(Search("birds"))
    place.repository.scores.save(ids[0], Score("New", 0.5, "New|1"))
    assert samples.ids(Search("birds", metric="New")) == ids[:1]
    caption = next(iter(samples.many(ids[:1]))).sample.candidate
    assert ids[0] in samples.ids(Search("birds", text=caption.upper()))
    order = samples.ids(Search("birds", metric="New", sort="score"))
    assert order == ids[:1]
    import_rows(place, tmp_path / "more", rows(8), "more")
    assert [one.samples for one in samples.datasets()] == [6, 8]
    (tmp_path / "out").mkdir()
    export_dataset(place, "more", "jsonl", tmp_path / "out")
    assert len((tmp_path / "out" / "samples.jsonl").read_text().splitlines()) == 8
