"""A database moved to PostgreSQL and back: nothing is lost or written over, nobody goes on with the old one."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import AlreadyExists, BadData, BadFile, BadSetting
from storage.transfer import moving
from tests.command_line import command_line
from tests.making import answer_all, make_study, note, reveal
from tests.postgresql import Postgres
from ui.services.studies.study_actions import export_study
from ui.services.transfer.backup import back_up, restore
from ui.services.transfer.moving import move
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings


@pytest.fixture
def address(postgres: Postgres) -> str:
    """The address of a database with tables and no rows."""
    return postgres.put_back("empty")


@pytest.fixture
def folder(birds: Workplace) -> Path:
    """A data folder that nobody uses, with a study that somebody has answered."""
    repository, study = birds.repository, make_study(birds, form="side_by_side", size=3, raters_per_item=2)
    rater = repository.raters.add("K7")
    answer_all(repository, study, rater)
    (item,) = repository.desk.queue(study.id, rater, 1, 1).items
    repository.save(rater, [reveal(item), note(item, "blurréd 🐦")])
    repository.links.enter(repository.links.make(study.id, "K7", 2)[0], "", "Firefox")
    repository.accounts.add("ada", "admin")
    repository.audit.add("ada", "study made", "study 1")
    repository.close()
    return birds.data_dir


def exported(settings: Settings, to: Path) -> bytes:
    workplace = open_workplace(settings)
    export_study(workplace, workplace.repository.studies.named("demo"), to)
    workplace.repository.close()
    return to.read_bytes()


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_there_and_back_a_study_is_exported_as_the_same_bytes(
    folder: Path, address: str, tmp_path: Path, form: str
) -> None:
    own, moved = Settings(data_dir=folder), Settings(data_dir=folder, database=address)
    before = exported(own, tmp_path / f"1.{form}")
    there = move(own, address)
    assert there.file == folder / "capscope.db.moved" and there.file.is_file()
    assert exported(moved, tmp_path / f"2.{form}") == before
    back = move(moved, "sqlite")
    assert back.file == folder / "capscope.db"
    assert exported(own, tmp_path / f"3.{form}") == before
    assert there.rows == back.rows
    counts = {name: back.rows[name] for name in ("samples", "ratings", "events", "sessions", "audit")}
    assert counts == {"samples": 6, "ratings": 27, "events": 29, "sessions": 1, "audit": 1}


def test_what_is_moved_can_be_gone_on_with(folder: Path, address: str) -> None:
    """New rows get numbers of their own, however many were copied."""
    move(Settings(data_dir=folder), address)
    workplace = open_workplace(Settings(data_dir=folder, database=address))
    repository = workplace.repository
    rater = repository.raters.add("K8")
    answer_all(repository, repository.studies.named("demo"), rater)
    assert [one.done for one in repository.studies.progress(1)] == [3, 3]
    repository.audit.add("ada", "study made", "study 2")
    make_study(workplace, "second")
    repository.close()


def test_whoever_forgets_where_the_database_is_now_does_not_begin_with_an_empty_one(folder: Path, address: str) -> None:
    move(Settings(data_dir=folder), address)
    with pytest.raises(BadSetting, match="moved to PostgreSQL.*CAPSCOPE_DATABASE"):
        open_workplace(Settings(data_dir=folder))


def test_a_database_in_use_is_not_moved(folder: Path, address: str) -> None:
    own = Settings(data_dir=folder)
    running = open_workplace(own)
    with pytest.raises(BadFile, match="Capscope or another command is using the database"):
        move(own, address)
    running.repository.close()
    move(own, address)
    moved = replace(own, database=address)
    running = open_workplace(moved)
    running.repository.raters.has_some()
    with pytest.raises(BadSetting, match="Capscope or another command is using the database"):
        move(moved, "sqlite")
    running.repository.close()
    assert sorted(path.name for path in folder.iterdir() if path.suffix == ".db" or "moving" in path.name) == []


def test_nothing_is_written_over(folder: Path, address: str, tmp_path: Path) -> None:
    own, other = Settings(data_dir=folder), Settings(data_dir=tmp_path / "other", database=address)
    workplace = open_workplace(other)
    workplace.repository.raters.add("K9")
    workplace.repository.close()
    with pytest.raises(AlreadyExists, match=r"database already contains data: raters \(1\)"):
        move(own, address)
    with pytest.raises(AlreadyExists, match="A database already exists in"):
        move(replace(own, database=address), "sqlite")
    assert sorted(path.name for path in folder.glob("capscope.db*")) == ["capscope.db"]


@pytest.mark.parametrize(
    ("database", "to", "told"),
    [
        (None, "sqlite", "already in the data folder"),
        (None, "mysql://a/b", "must be an address such as postgresql"),
        ("postgresql+psycopg://a/b", "postgresql+psycopg://a/c", "already in PostgreSQL"),
    ],
)
def test_a_move_that_leads_nowhere_is_refused(tmp_path: Path, database: str | None, to: str, told: str) -> None:
    with pytest.raises(BadSetting, match=told):
        move(Settings(data_dir=tmp_path, database=database), to)


def test_a_move_stops_where_counts_differ_and_keeps_nothing(
    folder: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = moving._read
    monkeypatch.setattr(moving, "_read", lambda c, table: iter(()) if table.name == "audit" else read(c, table))
    with pytest.raises(BadData, match="different numbers of rows.*audit: 1 and 0"):
        move(Settings(data_dir=folder), address)
    assert (folder / "capscope.db").is_file()
    monkeypatch.setattr(moving, "_read", read)
    assert move(Settings(data_dir=folder), address).rows["audit"] == 1


def test_a_backup_of_postgresql_is_one_that_any_data_folder_takes(folder: Path, address: str, tmp_path: Path) -> None:
    before = exported(Settings(data_dir=folder), tmp_path / "1.csv")
    move(Settings(data_dir=folder), address)
    backup = back_up(folder, tmp_path / "backups", database=address)
    assert (backup.counts["raters"], backup.counts["events"], backup.counts["samples"]) == (1, 29, 6)
    assert sorted(path.name for path in backup.folder.iterdir()) == ["SHA256SUMS", "capscope.db", "thumbnails"]
    restore(backup.folder, tmp_path / "other")
    assert exported(Settings(data_dir=tmp_path / "other"), tmp_path / "2.csv") == before


def test_the_commands_say_what_comes_next(
    folder: Path, address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = command_line(folder, capsys)
    done = run("move-to", address)
    assert "Both databases have the same number of rows" in done.out and "From now on, start Capscope" in done.out
    assert "demo" in run("study", "list", CAPSCOPE_DATABASE=address).out
    assert "29 log entries of 1 raters" in run("backup", tmp_path / "backups", CAPSCOPE_DATABASE=address).out
    refused = run("restore", tmp_path / "backups", CAPSCOPE_DATABASE=address)
    assert refused.code == 2 and "Unset CAPSCOPE_DATABASE and restore" in refused.err
    done = run("move-to", "sqlite", CAPSCOPE_DATABASE=address)
    assert "start Capscope without CAPSCOPE_DATABASE" in done.out
    assert "demo" in run("study", "list").out
