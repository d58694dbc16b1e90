"""A database that is deleted, replaced, full or damaged while it is in use: what is said to be stored, is."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from core.errors import BadFile, StorageFull, StorageUnavailable
from storage import Repository, open_repository
from storage.engine.database_file import lock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "capscope.db"


@pytest.fixture
def repository(path: Path) -> Iterator[Repository]:
    opened = open_repository(path)
    opened.raters.add("K1")
    yield opened
    opened.close()


def delete_all(path: Path) -> None:
    for file in path.parent.glob("capscope.db*"):
        file.unlink()


def delete_log(path: Path) -> None:
    path.with_name("capscope.db-wal").unlink()


def put_copy_in_place(path: Path) -> None:
    shutil.copyfile(path, path.with_name("copy"))
    os.replace(path.with_name("copy"), path)


def remove_folder_and_begin_anew(path: Path) -> None:
    shutil.rmtree(path.parent)
    path.parent.mkdir()
    open_repository(path).close()


@pytest.mark.parametrize("harm", [delete_all, delete_log, put_copy_in_place, remove_folder_and_begin_anew])
def test_what_is_written_to_a_file_that_has_lost_its_name_is_not_acknowledged(
    repository: Repository, path: Path, harm: Callable[[Path], None]
) -> None:
    harm(path)
    with pytest.raises(StorageUnavailable, match="deleted, moved or replaced"):
        repository.raters.add("K2")
    with pytest.raises(StorageUnavailable, match="restore a backup"):
        repository.raters.named("K1")


def test_a_file_that_goes_during_the_transaction_is_noticed_before_anything_is_acknowledged(
    repository: Repository, path: Path
) -> None:
    with pytest.raises(StorageUnavailable), repository.database.write() as connection:
        connection.execute(text("UPDATE raters SET code = 'K3'"))
        delete_all(path)


def test_a_file_that_grows_while_two_threads_look_at_its_size_is_not_called_cut(
    repository: Repository, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stat, looks = Path.stat, iter((True,))

    def slow(of: Path) -> os.stat_result:
        seen = stat(of)
        if next(looks, False):  # the other thread looks at the grown file between this look and its comparison
            with path.open("ab") as file:
                file.write(bytes(4096))
            repository.database.check()
        return seen

    monkeypatch.setattr(Path, "stat", slow)
    repository.database.check()


def test_a_file_that_comes_back_to_its_place_is_used_again(repository: Repository, path: Path) -> None:
    os.rename(path, path.with_name("elsewhere"))
    with pytest.raises(StorageUnavailable):
        repository.raters.add("K2")
    os.rename(path.with_name("elsewhere"), path)
    assert repository.raters.add("K2").code == "K2"


def test_a_log_that_other_processes_have_emptied_is_still_the_same(repository: Repository, path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    other.close()
    assert repository.raters.add("K2").code == "K2"


def test_a_full_disk_is_told_and_saving_goes_on_once_there_is_room(repository: Repository) -> None:
    def fill(pages: int) -> None:
        with repository.database.engine.connect() as connection:
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    fill(1)  # no page more than there are
    with pytest.raises(StorageFull, match="is full, so nothing was stored"), repository.database.write() as connection:
        connection.execute(text("CREATE TABLE more AS SELECT zeroblob(100000)"))
    fill(1_000_000)
    assert repository.raters.add("K2").code == "K2"


def test_a_damaged_database_is_told(path: Path) -> None:
    made = open_repository(path)
    with made.database.read() as connection:
        root = connection.scalar(text("SELECT rootpage FROM sqlite_master WHERE name = 'raters'"))
        size = connection.scalar(text("PRAGMA page_size"))
    made.close()
    with path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xff" * size)
    repository = open_repository(path)
    damaged = pytest.raises(StorageUnavailable, match="is damaged: stop Capscope and restore a backup")
    with damaged, repository.database.read() as connection:
        connection.execute(text("SELECT * FROM raters")).all()
    repository.close()


def test_a_database_in_use_cannot_be_locked_for_its_exchange_and_the_other_way_round(
    repository: Repository, path: Path
) -> None:
    with pytest.raises(BadFile, match="Capscope or another command is using the database"):
        lock(path, exclusive=True)
    repository.close()
    held = lock(path, exclusive=True)
    with pytest.raises(BadFile, match="being restored"):
        open_repository(path)
    os.close(held)
