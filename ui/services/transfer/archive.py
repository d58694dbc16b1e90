"""Write a study's archive, and open an archive as a temporary data folder."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import BadFile, BadImage, BadSetting
from core.images.pictures import published
from storage.engine.database_file import check_database
from storage.engine.migration import refusal
from storage.study_types import Study
from storage.transfer.archive import is_archive, unpack_archive, write_archive
from ui.services.workplace import DATABASE, PICTURES, Workplace, open_workplace
from ui.settings import Settings

SUFFIX = ".capscope.db"


def archive_study(workplace: Workplace, study: Study, to: Path, with_pictures: bool = False) -> int:
    """Write a study's archive to a file whose name ends in SUFFIX. Return the number of included pictures.

    Raises BadSetting if the file cannot be written.
    """
    if not to.name.endswith(SUFFIX):
        raise BadSetting(f"The name of an archive must end in {SUFFIX}. Found: {to.name}.")
    try:
        with tempfile.TemporaryDirectory(prefix=".capscope-archive-", dir=to.absolute().parent) as folder:
            made = Path(folder) / DATABASE
            with workplace.repository.database.read() as connection:
                pictures = write_archive(connection, study.id, made, _bare if with_pictures else None)
            made.replace(to)
    except OSError as error:
        raise BadSetting(f"Cannot write {to}: {error.strerror}.") from error
    return pictures


@contextmanager
def opened_archive(path: Path) -> Iterator[Workplace]:
    """Open a copy of an archive as a temporary data folder. The archive itself is not changed. Raises BadFile."""
    if not path.is_file():
        raise BadFile(path, "this file does not exist")
    if problem := refusal(check_database(path)):
        raise BadFile(path, problem)
    if not is_archive(path):
        raise BadFile(path, "this is not the archive of a study")
    with tempfile.TemporaryDirectory(prefix="capscope-archive-") as name:
        folder = Path(name)
        shutil.copyfile(path, folder / DATABASE)
        unpack_archive(folder / DATABASE, folder / PICTURES)
        workplace = open_workplace(Settings(data_dir=folder))
        workplace.repository.database.is_archive = True
        try:
            yield workplace
        finally:
            workplace.repository.close()


def _bare(path: Path) -> bytes | None:
    """Return a picture without its metadata, or None if the file is missing or broken."""
    try:
        return published(path, path.name)[0] if path.is_file() else None
    except BadImage:
        return None
