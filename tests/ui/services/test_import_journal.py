"""What imports keep is noted, so that nothing of one that was killed or refused stays."""

import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import AlreadyExists
from tests.making import files_of, zipped
from tests.ui.services.test_bringing import PHOTOS, TABLE, left
from ui.services.importing import uploaded_import
from ui.services.importing.import_job import ImportRequest
from ui.services.importing.import_journal import INCOMING, journal
from ui.services.importing.importing import import_files
from ui.services.importing.uploading import Bringing
from ui.services.workplace import Workplace

KILLED_AT = """
import os, sys
from pathlib import Path
from ui.services.importing.importing import import_files
from ui.services.workplace import open_workplace
from ui.settings import Settings

def progress(what, done, total):
    if what == "Reading pictures" and done == 100:
        os._exit(9)

files = [Path(name) for name in sys.argv[2:]]
import_files(open_workplace(Settings(data_dir=Path(sys.argv[1]))), "csv", files[:1], None, files[1:], progress=progress)
"""


@pytest.fixture
def given(tmp_path: Path) -> list[Path]:
    """A table, and a ZIP file with its pictures."""
    table, photos = tmp_path / "mine.csv", tmp_path / "photos.zip"
    table.write_text(TABLE)
    photos.write_bytes(zipped(*PHOTOS))
    return [table, photos]


def _killed(workplace: Workplace, given: list[Path]) -> None:
    command = [sys.executable, "-c", KILLED_AT, str(workplace.data_dir), *map(str, given)]
    assert subprocess.run(command, check=False).returncode == 9
    assert len(left(workplace)) >= 100


def test_pictures_of_a_killed_import_by_command_go_with_the_next_command(
    workplace: Workplace, given: list[Path], tmp_path: Path
) -> None:
    _killed(workplace, given)
    other = tmp_path / "other.csv"
    other.write_text("image,caption\nnone.png,A dog.\n")
    import_files(workplace, "csv", [other])
    assert left(workplace) == files_of(workplace.data_dir / INCOMING) == []


def test_pictures_of_a_killed_import_by_command_go_with_the_next_start_of_a_server(
    workplace: Workplace, given: list[Path]
) -> None:
    _killed(workplace, given)
    Bringing(workplace, None).clear()
    assert left(workplace) == files_of(workplace.data_dir / INCOMING) == []


def test_a_command_leaves_alone_what_other_imports_are_about_to_read(
    workplace: Workplace, given: list[Path], tmp_path: Path
) -> None:
    bringing = Bringing(workplace, None)
    key = bringing.begin("ann")
    bringing.receive("ann", key, "mine.csv", 0, TABLE.encode())
    with journal(workplace) as other:
        other.write_text(f"{tmp_path / 'kept.png'}\n")
        (tmp_path / "kept.png").touch()
        import_files(workplace, "csv", given[:1], None, given[1:])
        assert other.exists() and (tmp_path / "kept.png").exists()
    assert [path.name for path in files_of(workplace.data_dir / INCOMING)] == ["mine.csv"]
    bringing.close()


def test_an_import_whose_process_cannot_be_started_fails_in_words_and_can_be_begun_anew(
    workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    bringing = Bringing(workplace, None)
    key = bringing.begin("ann")
    bringing.receive("ann", key, "mine.csv", 0, b"image,caption\n1.png,A dog.\n")
    with monkeypatch.context() as full:
        full.setattr(uploaded_import, "start", _no_memory)
        bringing.start("ann", key, ImportRequest(("mine.csv",), "csv"))
        bringing._working.submit(int).result()
    assert bringing.progress("ann", key).state == "failed"
    assert "cannot start the process" in bringing.progress("ann", key).problem
    bringing.start("ann", key, ImportRequest(("mine.csv",), "csv"))
    bringing._working.submit(int).result()
    assert bringing.progress("ann", key).state == "done"
    bringing.close()


def _no_memory(*_: object) -> None:
    raise OSError(12, "Cannot allocate memory")


def _taken(*_: object) -> None:
    raise AlreadyExists("somebody was quicker")
