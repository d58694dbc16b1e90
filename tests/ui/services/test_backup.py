"""Backups: whole while people rate, checked, and put back as they were."""

import hashlib
import os
import re
import sqlite3
import stat
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from core.errors import BadFile
from storage.study_types import Rater
from tests.command_line import command_line
from tests.making import answer_all, import_rows, make_study, picture, rating, rows
from ui.services.key_file import Secret
from ui.services.studies.study_actions import export_study
from ui.services.transfer.backup import SUMS, back_up, backups, restore
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings


@pytest.fixture
def rated(tmp_path: Path) -> Iterator[Workplace]:
    """A study that one rater has answered, a picture of somebody's own, and a key."""
    workplace = open_workplace(Settings(data_dir=tmp_path / "data"))
    import_rows(workplace, tmp_path / "files", rows(3))
    answer_all(workplace.repository, make_study(workplace), workplace.repository.raters.add("K7"))
    picture(workplace.data_dir / "pictures" / "0123456789abcdef.png")
    Secret(workplace.data_dir / "secret.key")
    yield workplace
    workplace.repository.close()


def exported(data_dir: Path, to: Path) -> bytes:
    workplace = open_workplace(Settings(data_dir=data_dir))
    export_study(workplace, workplace.repository.studies.named("demo"), to)
    workplace.repository.close()
    return to.read_bytes()


def test_what_is_restored_elsewhere_is_the_same_to_the_byte(rated: Workplace, tmp_path: Path) -> None:
    made = back_up(rated.data_dir, tmp_path / "backups")
    assert (made.counts["raters"], made.counts["events"], made.counts["samples"]) == (1, 27, 3)
    restore(made.folder, tmp_path / "other")
    assert exported(tmp_path / "other", tmp_path / "1.csv") == exported(rated.data_dir, tmp_path / "2.csv")
    for name in ("secret.key", "pictures/0123456789abcdef.png"):
        assert (tmp_path / "other" / name).read_bytes() == (rated.data_dir / name).read_bytes()
    small = [path.relative_to(rated.data_dir) for path in (rated.data_dir / "thumbnails").rglob("*.webp")]
    assert len(small) == 3 and all((tmp_path / "other" / name).is_file() for name in small)


def test_a_backup_is_for_its_owner_and_checked_by_common_tools(rated: Workplace, tmp_path: Path) -> None:
    folder = back_up(rated.data_dir, tmp_path / "backups").folder
    assert {stat.S_IMODE(path.stat().st_mode) for path in (folder, folder.parent)} == {0o700}
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*") if path.is_file()} == {0o600}
    subprocess.run(["sha256sum", "--check", "--strict", SUMS], cwd=folder, check=True, capture_output=True)


def test_a_backup_while_people_rate_holds_every_answer_acknowledged_before_it(tmp_path: Path, rated: Workplace) -> None:
    repository, acknowledged, enough, end = rated.repository, list[str](), Event(), Event()
    study = make_study(rated, "busy")

    def rate(rater: Rater) -> None:
        (item,) = repository.desk.queue(study.id, rater, 1, 1).items
        while not end.is_set():
            save = rating(item)
            repository.save(rater, [save])
            acknowledged.append(save.key)
            enough.set() if len(acknowledged) > 50 else None

    with ThreadPoolExecutor(4) as pool:
        try:
            work = [pool.submit(rate, repository.raters.add(f"B{number}")) for number in range(4)]
            for _ in range(5):
                assert enough.wait(60)
                enough.clear()
                before = set(acknowledged)
                made = back_up(rated.data_dir, tmp_path / "backups")
                with sqlite3.connect(made.folder / "capscope.db") as connection:
                    there = {key for (key,) in connection.execute("SELECT request_key FROM events")}
                connection.close()
                assert before <= there and len(before) >= 50
        finally:
            end.set()
        assert [one.result() for one in work] == [None] * 4


def test_only_the_newest_backups_are_kept_and_equal_files_take_space_once(rated: Workplace, tmp_path: Path) -> None:
    to = tmp_path / "backups"
    made = [back_up(rated.data_dir, to).folder for _ in range(3)]
    picture = [os.stat(folder / "pictures" / "0123456789abcdef.png") for folder in made]
    assert len({found.st_ino for found in picture}) == 1
    (to / "notes").mkdir()
    last = back_up(rated.data_dir, to, keep=2).folder
    assert backups(to) == [made[2], last] and (to / "notes").is_dir()


def change(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1] + b"!")


def leave_out(path: Path) -> None:
    path.unlink()


def link(path: Path) -> None:
    path.rename(path.with_name("moved"))
    path.symlink_to(path.with_name("moved"))


@pytest.mark.parametrize("harm", [change, leave_out, link])
@pytest.mark.parametrize("name", ["capscope.db", "secret.key", "pictures/0123456789abcdef.png"])
def test_a_broken_backup_is_refused_before_anything_is_changed(
    rated: Workplace, tmp_path: Path, harm: Callable[[Path], None], name: str
) -> None:
    folder = back_up(rated.data_dir, tmp_path / "backups").folder
    harm(folder / name)
    with pytest.raises(BadFile, match="differs from its checksum in SHA256SUMS"):
        restore(folder, tmp_path / "other")
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("name", ["../../outside", "/etc/passwd", "pictures/../../outside", "app.py"])
def test_a_backup_that_would_write_elsewhere_is_refused(rated: Workplace, tmp_path: Path, name: str) -> None:
    folder = back_up(rated.data_dir, tmp_path / "backups").folder
    with (folder / SUMS).open("a") as sums:
        sums.write(f"{'0' * 64}  {name}\n")
    with pytest.raises(BadFile, match="each line must have a checksum"):
        restore(folder, tmp_path / "other")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE samples SET dataset_id = 99", "a row of samples refers to a missing row of datasets"),
        (
            "CREATE TRIGGER quiet AFTER INSERT ON raters BEGIN DELETE FROM ratings; END",
            "foreign code, the trigger or view quiet",
        ),
    ],
)
def test_a_database_that_is_not_sound_is_not_restored(rated: Workplace, tmp_path: Path, change: str, told: str) -> None:
    folder = back_up(rated.data_dir, tmp_path / "backups").folder
    with closing(sqlite3.connect(folder / "capscope.db")) as connection:
        connection.execute(change)
        connection.commit()
    digest = hashlib.sha256((folder / "capscope.db").read_bytes()).hexdigest()
    sums = (folder / SUMS).read_text()
    (folder / SUMS).write_text(re.sub(r"\w{64}(?=  capscope\.db)", digest, sums))
    with pytest.raises(BadFile, match=told):
        restore(folder, tmp_path / "other")


def test_what_was_there_before_is_kept_aside_with_its_log(rated: Workplace, tmp_path: Path) -> None:
    made = back_up(rated.data_dir, tmp_path / "backups")
    rated.repository.raters.add("LATER")
    lost = tmp_path / "crashed"  # as after a power cut: the newest rows are in the log alone
    lost.mkdir()
    for file in rated.data_dir.glob("capscope.db*"):
        (lost / file.name).write_bytes(file.read_bytes())
    _, aside = restore(tmp_path / "backups", lost)
    with sqlite3.connect(aside / "capscope.db") as connection:
        assert connection.execute("SELECT count(*) FROM raters").fetchone() == (2,)
    connection.close()
    opened = open_workplace(Settings(data_dir=lost))
    assert opened.repository.raters.add("LATER").code == "LATER" and made.counts["raters"] == 1
    opened.repository.close()


def test_the_commands_say_what_they_did(tmp_path: Path, rated: Workplace, capsys: pytest.CaptureFixture[str]) -> None:
    run = command_line(rated.data_dir, capsys)
    assert "log entries: 27, raters: 1, samples: 3" in run("backup", tmp_path / "backups", "--keep", 2).out
    assert run("backup", tmp_path / "backups", "--json").json["counts"]["events"] == 27
    assert "Capscope or another command is using the database" in run("restore", tmp_path / "backups").err
    assert "before-restore-" in run("restore", tmp_path / "backups", "--data-dir", tmp_path / "new").out
    assert "there is no database to back up" in run("backup", tmp_path, "--data-dir", tmp_path / "nowhere").err
    (tmp_path / "file").touch()
    assert "Cannot write a backup" in run("backup", tmp_path / "file").err
