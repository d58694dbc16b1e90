"""Imports in a process of their own: cancelled, killed, and files that are made to harm."""

import gzip
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.datasets import FORMATS
from core.errors import BadSetting, NotFound, QueueFull, StorageFull
from storage.types import Search
from tests.loops import run_async
from tests.making import files_of, zipped
from tests.wait_until import wait_until
from ui.services.importing import uploading
from ui.services.importing.import_process import ImportJob, ImportRequest, Progress, followed, page_words, start
from ui.services.importing.uploading import INCOMING, MOST, MOST_FILES, Bringing, plain_name
from ui.services.workplace import PICTURES, THUMBNAILS, Workplace

PHOTOS = [f"{number}.png" for number in range(150)]
TABLE = "image,caption\n" + "".join(f"{name},A dog {name}.\n" for name in PHOTOS)
SHORT = "image,caption\n" + "".join(f"{n}.png,A dog {n}.\n" for n in range(2_000))
LONG = "image,caption\n" + "".join(f"{n}.png,A dog {n}.\n" for n in range(200_000))
MINE = ImportRequest(("mine.csv",), "csv", "mine")


@pytest.fixture
def bringing(workplace: Workplace) -> Iterator[Bringing]:
    made = Bringing(workplace, None)
    yield made
    made.close()


def receive(bringing: Bringing, key: str, name: str, *parts: str | bytes) -> str:
    async def content() -> AsyncIterator[bytes]:
        for part in parts:
            yield part.encode() if isinstance(part, str) else part

    return run_async(bringing.receive("ann", key, name, content()))


def job_with(workplace: Workplace, look: bool = False, **files: str | bytes) -> ImportJob:
    """Put files into a folder of uploaded files; returns a job about the first one."""
    folder = workplace.data_dir / INCOMING / "one"
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name.replace("_", ".")).write_bytes(content.encode() if isinstance(content, str) else content)
    images = ("photos.zip",) if "photos_zip" in files else ()
    request = ImportRequest(("mine.csv",), "" if look else "csv", images=images)
    return ImportJob(folder, request, workplace.data_dir.resolve(), None, "ann", look)


def left(workplace: Workplace) -> list[Path]:
    return [path for name in (PICTURES, THUMBNAILS) for path in files_of(workplace.data_dir / name)]


def ended(bringing: Bringing, key: str) -> Progress:
    wait_until(lambda: bringing.progress("ann", key).state not in ("waiting", "running"), "the import to end")
    return bringing.progress("ann", key)


@pytest.mark.parametrize("is_killed", [True, False], ids=["the import is killed", "the server is killed"])
def test_a_killed_import_leaves_nothing(workplace: Workplace, is_killed: bool) -> None:
    process = start(job_with(workplace, mine_csv=TABLE, photos_zip=zipped(*PHOTOS)))
    assert process.stdin is not None

    def stop(progress: Progress) -> None:
        if progress.what == "Reading pictures":
            process.kill() if is_killed else process.stdin.close()  # type: ignore[union-attr]

    assert followed(process, stop).state == ("failed" if is_killed else "cancelled")
    assert not workplace.repository.samples.datasets()
    assert is_killed or left(workplace) == []
    again = Bringing(workplace, None)
    again.clear_soon()
    again._working.submit(int).result()
    assert files_of(workplace.data_dir / INCOMING) == []
    again.close()


def test_a_running_import_can_be_cancelled_and_begun_anew(workplace: Workplace, bringing: Bringing) -> None:
    key = bringing.begin("ann")
    receive(bringing, key, "mine.csv", LONG)
    receive(bringing, key, "first rows.csv", SHORT[:100], SHORT[100:])
    bringing.start("ann", key, MINE)
    wait_until(lambda: bringing.progress("ann", key).what.startswith("Reading"), "the import", longest_pause_s=0.01)
    with pytest.raises(BadSetting, match="has already started"):
        bringing.start("ann", key, MINE)
    with pytest.raises(BadSetting, match="Start another import for more files"):
        receive(bringing, key, "more.csv", "x")
    bringing.cancel("ann", key)
    assert ended(bringing, key).state == "cancelled"
    assert not workplace.repository.samples.datasets()
    bringing.start("ann", key, ImportRequest(("first rows.csv",), "csv", "mine"))
    assert ended(bringing, key).result["samples_added"] == 2_000
    assert len(workplace.repository.samples.ids(Search("mine"))) == 2_000


def test_an_import_whose_process_cannot_be_started_fails_in_words_and_can_be_begun_anew(
    bringing: Bringing, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_memory(*_: object, **__: object) -> None:
        raise OSError(12, "Cannot allocate memory")

    key = bringing.begin("ann")
    receive(bringing, key, "mine.csv", SHORT)
    with monkeypatch.context() as full:
        full.setattr("subprocess.Popen", no_memory)
        bringing.start("ann", key, MINE)
        assert "cannot start the process" in ended(bringing, key).problem
    bringing.start("ann", key, MINE)
    assert ended(bringing, key).state == "done"


def test_a_line_of_a_gigabyte_is_refused_in_words_also_where_it_is_packed(workplace: Workplace) -> None:
    job = job_with(workplace, look=True, mine_csv=gzip.compress(bytes(10_000_000)) * 100)
    with pytest.raises(BadSetting, match="line 1 has more than 64,000,000 characters"):
        uploading.looked(job, set())


def test_a_preview_ends_with_its_server(workplace: Workplace) -> None:
    process = start(job_with(workplace, look=True, mine_csv=gzip.compress(b"\n" * 10_000_000) * 200))
    process.communicate(timeout=60)  # closes its standard input; the file alone takes minutes to read
    assert process.returncode is not None


def test_the_disk_never_fills_up(workplace: Workplace, bringing: Bringing, monkeypatch: pytest.MonkeyPatch) -> None:
    key = bringing.begin("ann")
    usage = shutil.disk_usage(workplace.data_dir)
    monkeypatch.setattr(uploading.shutil, "disk_usage", lambda _: usage._replace(free=uploading.ROOM + 2))
    receive(bringing, key, "mine.csv", b"ab")
    with pytest.raises(StorageFull):
        receive(bringing, key, "other.csv", b"abc")
    assert [path.name for path in files_of(workplace.data_dir / INCOMING)] == ["mine.csv"]


def test_imports_and_their_files_are_limited_and_the_oldest_idle_one_makes_room(bringing: Bringing) -> None:
    keys = [bringing.begin("ann") for _ in range(MOST + 1)]
    with pytest.raises(NotFound, match="no longer exists, because Capscope was restarted"):
        bringing.progress("ann", keys[0])
    with pytest.raises(NotFound):
        bringing.progress("bob", keys[1])
    for number in range(MOST_FILES):
        receive(bringing, keys[1], f"{number}.csv", SHORT)
    with pytest.raises(BadSetting, match="at most 20 files"):
        receive(bringing, keys[1], "more.csv", SHORT)
    for key in keys[1:]:
        bringing._all[key].progress = Progress("waiting")
    with pytest.raises(QueueFull, match="Too many imports"):
        bringing.begin("ann")


@given(st.text(max_size=300))
def test_a_files_name_is_made_plain_once_and_for_all(name: str) -> None:
    plain = plain_name(name)
    assert plain == plain_name(plain) and 0 < len(plain.encode()) <= 201
    assert not set(plain) & set("/\\\0<>\"'=\n") and not plain.startswith(".")


def test_pages_name_no_option_of_a_command() -> None:
    assert not [one.summary for one in FORMATS if "--" in page_words(one.summary)]
    expected = "expected a number from 0 to 1, unless you choose another scale{}, found '4'"
    assert page_words(expected.format(" (--human-scale LOW-HIGH)")) == expected.format("")
