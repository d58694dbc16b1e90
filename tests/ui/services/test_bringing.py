"""Imports in a process of their own: cancelled, killed, and files that are made to harm."""

import gzip
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadSetting, NotFound, QueueFull, StorageBusy, StorageFull
from storage import Repository
from storage.types import Search
from tests.making import files_of, zipped
from tests.wait_until import wait_until
from ui.services.importing import received_files
from ui.services.importing import uploading as bringing_module
from ui.services.importing.import_job import ImportJob, ImportRequest
from ui.services.importing.import_process import is_at_work, looked, start
from ui.services.importing.received_files import plain_name
from ui.services.importing.uploading import INCOMING, MOST_EACH, Bringing
from ui.services.workplace import PICTURES, THUMBNAILS, Workplace

PHOTOS = [f"{number}.png" for number in range(150)]
TABLE = "image,caption\n" + "".join(f"{name},A dog {name}.\n" for name in PHOTOS)
SHORT = "image,caption\n" + "".join(f"{n}.png,A dog {n}.\n" for n in range(2_000))
LONG = "image,caption\n" + "".join(f"{n}.png,A dog {n}.\n" for n in range(200_000))


@pytest.fixture
def bringing(workplace: Workplace) -> Iterator[Bringing]:
    made = Bringing(workplace, None)
    yield made
    made.close()


def job_of(workplace: Workplace, folder: Path, *images: str) -> ImportJob:
    request = ImportRequest(("mine.csv",), "csv", images=images)
    return ImportJob(folder, request, False, workplace.data_dir.resolve(), None, "ann")


def folder_with(workplace: Workplace, **files: str | bytes) -> Path:
    folder = workplace.data_dir / INCOMING / "one"
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name.replace("_", ".")).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def left(workplace: Workplace) -> list[Path]:
    return [path for name in (PICTURES, THUMBNAILS) for path in files_of(workplace.data_dir / name)]


def told_until(process: Any, wanted: str) -> dict[str, Any]:
    """Read what a process tells until it does something; returns what it told last."""
    told: dict[str, Any] = {}
    for line in process.stdout:
        told = json.loads(line)
        if told.get("what") == wanted:
            break
    return told


def comes_to(bringing: Bringing, key: str, step: str) -> None:
    """Wait until an import takes a step whose name begins so."""

    def is_there() -> bool:
        progress = bringing.progress("ann", key)
        assert progress.state in ("waiting", "running")
        return progress.what.startswith(step)

    wait_until(is_there, step, longest_pause_s=0.01)  # the step may be short


@pytest.mark.parametrize("step", ["Looking for pictures", "Reading pictures"])
def test_what_a_killed_import_had_kept_goes_with_the_next_start(workplace: Workplace, step: str) -> None:
    folder = folder_with(workplace, mine_csv=TABLE, photos_zip=zipped(*PHOTOS))
    process = start(job_of(workplace, folder, "photos.zip"))
    assert told_until(process, step)["what"] == step
    process.kill()
    process.communicate()
    assert left(workplace)
    Bringing(workplace, None).clear()
    assert left(workplace) == files_of(workplace.data_dir / INCOMING) == []
    assert not workplace.repository.samples.has_any()


def test_pictures_that_a_data_set_has_stay_when_a_killed_import_had_them_too(
    workplace: Workplace, bringing: Bringing
) -> None:
    folder = folder_with(workplace, mine_csv=TABLE, photos_zip=zipped(*PHOTOS[:3]))
    process = start(job_of(workplace, folder, "photos.zip"))
    assert "done" in told_until(process, "nothing")
    process.communicate()
    (folder / ".kept.txt").write_text("".join(f"{path}\n" for path in left(workplace)))
    assert len(left(workplace)) == 6
    bringing.clear()
    assert len(left(workplace)) == 6 and not folder.exists()


def test_an_import_ends_when_its_server_does_and_leaves_nothing(workplace: Workplace) -> None:
    folder = folder_with(workplace, mine_csv=TABLE, photos_zip=zipped(*PHOTOS))
    process = start(job_of(workplace, folder, "photos.zip"))
    told_until(process, "Looking for pictures")
    assert is_at_work(folder)
    Bringing(workplace, None).clear()
    assert folder.exists()  # another server has begun meanwhile: what is at work is left to the start after that
    assert process.stdin is not None
    process.stdin.close()  # as the system does when the server is killed
    last = json.loads(process.stdout.readlines()[-1])  # type: ignore[union-attr]
    process.wait()
    assert last["kind"] == "cancelled" and left(workplace) == [] and not is_at_work(folder)
    assert not workplace.repository.samples.has_any()


def test_a_running_import_can_be_cancelled_and_begun_anew(workplace: Workplace, bringing: Bringing) -> None:
    key = bringing.begin("ann")
    bringing.receive("ann", key, "mine.csv", 0, LONG.encode())
    bringing.receive("ann", key, "first rows.csv", 0, SHORT.encode())
    bringing.start("ann", key, ImportRequest(("mine.csv",), "csv", "mine"))
    comes_to(bringing, key, "Reading")
    bringing.cancel("ann", key)
    bringing._working.submit(int).result()
    assert bringing.progress("ann", key).state == "cancelled"
    assert not workplace.repository.samples.has_any()
    bringing.start("ann", key, ImportRequest(("first rows.csv",), "csv", "mine"))
    bringing._working.submit(int).result()
    assert bringing.progress("ann", key).result["samples_added"] == 2_000
    assert len(workplace.repository.samples.ids(Search("mine"))) == 2_000


def test_a_line_of_a_gigabyte_is_refused_in_words_also_where_it_is_packed(workplace: Workplace) -> None:
    zeros = gzip.compress(bytes(10_000_000)) * 100
    folder = folder_with(workplace, mine_csv=zeros)
    job = ImportJob(folder, ImportRequest(("mine.csv",)), True, workplace.data_dir.resolve(), None, "ann")
    with pytest.raises(BadSetting, match="line 1 has more than 64,000,000 bytes"):
        looked(job)


def test_the_disk_never_fills_up(workplace: Workplace, bringing: Bringing, monkeypatch: pytest.MonkeyPatch) -> None:
    key = bringing.begin("ann")
    usage = shutil.disk_usage(workplace.data_dir)
    monkeypatch.setattr(received_files.shutil, "disk_usage", lambda _: usage._replace(free=received_files.ROOM + 2))
    bringing.receive("ann", key, "mine.csv", 0, b"ab")
    with pytest.raises(StorageFull):
        bringing.receive("ann", key, "mine.csv", 2, b"abc")


def test_an_account_has_three_imports_and_idle_ones_make_room(workplace: Workplace, bringing: Bringing) -> None:
    keys = [bringing.begin("ann") for _ in range(MOST_EACH + 1)]
    with pytest.raises(NotFound, match="no longer exists, because Capscope was restarted"):
        bringing.progress("ann", keys[0])
    assert len(list((workplace.data_dir / INCOMING).iterdir())) == MOST_EACH
    for key in keys[1:]:
        bringing.receive("ann", key, "mine.csv", 0, LONG.encode())
        bringing.start("ann", key, ImportRequest(("mine.csv",), "csv"))
    with pytest.raises(QueueFull, match="Too many imports"):
        bringing.begin("ann")
    bringing.begin("bob")
    with pytest.raises(BadSetting, match="has already started"):
        bringing.start("ann", keys[-1], ImportRequest(("mine.csv",), "csv"))
    with pytest.raises(BadSetting, match="Start another import for more files"):
        bringing.receive("ann", keys[-1], "more.csv", 0, b"x")


@given(st.text(max_size=300))
def test_a_files_name_is_made_plain_once_and_for_all(name: str) -> None:
    plain = plain_name(name)
    assert plain == plain_name(plain) and 0 < len(plain.encode()) <= 201
    assert not set(plain) & set("/\\\0<>\"'=\n") and not plain.startswith(".")


def test_a_look_ends_with_its_server(workplace: Workplace) -> None:
    folder = folder_with(workplace, mine_csv=gzip.compress(b"\n" * 10_000_000) * 200)
    request = ImportRequest(("mine.csv",))
    process = start(ImportJob(folder, request, True, workplace.data_dir.resolve(), None, "ann"))
    process.communicate(timeout=60)  # closes its standard input; the file alone takes minutes to read
    assert process.returncode == 0


def test_an_import_that_does_not_give_up_is_ended_and_leaves_nothing(
    workplace: Workplace, bringing: Bringing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.services.importing.uploaded_import.PATIENCE_S", 0.0)
    key = bringing.begin("ann")
    bringing.receive("ann", key, "mine.csv", 0, TABLE.encode())
    bringing.receive("ann", key, "photos.zip", 0, zipped(*PHOTOS))
    bringing.start("ann", key, ImportRequest(("mine.csv",), "csv", images=("photos.zip",)))
    comes_to(bringing, key, "Looking")
    bringing.cancel("ann", key)
    bringing._working.submit(int).result()
    assert bringing.progress("ann", key).state == "cancelled" and left(workplace) == []


def busy(*_: object) -> int:
    raise StorageBusy


@pytest.mark.parametrize("verb", ["delete_hidden", "clear_kept"])
def test_an_import_ends_and_can_be_dropped_also_where_nothing_can_be_cleared_after_it(
    workplace: Workplace,
    bringing: Bringing,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    verb: str,
) -> None:
    key = bringing.begin("ann")
    bringing.receive("ann", key, "mine.csv", 0, TABLE.encode())
    where = (Repository, verb) if verb == "delete_hidden" else (bringing_module, verb)
    monkeypatch.setattr(*where, busy)
    bringing.start("ann", key, ImportRequest(("mine.csv",), "csv"))
    bringing._working.submit(int).result()
    assert bringing.progress("ann", key).state == "done"
    assert "next start" in caplog.text
    bringing.drop("ann", key)
    with pytest.raises(NotFound):
        bringing.progress("ann", key)


def test_what_a_killed_import_had_kept_goes_with_the_next_start_also_where_the_import_was_dropped(
    workplace: Workplace, bringing: Bringing, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = bringing.begin("ann")
    bringing.receive("ann", key, "mine.csv", 0, TABLE.encode())
    bringing.receive("ann", key, "photos.zip", 0, zipped(*PHOTOS))
    with monkeypatch.context() as held:
        held.setattr(Repository, "delete_hidden", busy)
        held.setattr("ui.services.importing.uploaded_import.PATIENCE_S", 0.0)
        bringing.start("ann", key, ImportRequest(("mine.csv",), "csv", images=("photos.zip",)))
        comes_to(bringing, key, "Reading pictures")
        process = next(iter(bringing._all.values())).process
        assert process is not None
        process.kill()
        bringing._working.submit(int).result()
    assert bringing.progress("ann", key).state == "failed" and left(workplace)
    bringing.drop("ann", key)
    Bringing(workplace, None).clear()
    assert left(workplace) == files_of(workplace.data_dir / INCOMING) == []


def test_a_clearing_at_the_start_that_fails_is_logged_and_leaves_everything_to_the_next(
    workplace: Workplace, bringing: Bringing, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    folder = folder_with(workplace, mine_csv=TABLE)
    with monkeypatch.context() as held:
        held.setattr(Repository, "delete_hidden", busy)
        bringing.clear_soon()
        bringing._working.submit(int).result()
    assert "next start" in caplog.text and folder.exists()
    bringing.clear()
    assert not folder.exists()
