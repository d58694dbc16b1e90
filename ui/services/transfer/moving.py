"""Move a data folder's database to PostgreSQL, or back. Pictures and keys stay in the folder."""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from core.errors import AlreadyExists, BadFile, BadSetting
from storage import open_repository
from storage.engine.database_file import copy_database, lock
from storage.transfer.moving import copy_rows
from ui.services.workplace import DATABASE, MOVED
from ui.setting_values import database_url
from ui.settings import Settings

OWN_FILE = "sqlite"  # name for the data folder's own database on the command line


@dataclass(frozen=True, slots=True)
class Moved:
    """The result of moving a database."""

    rows: Mapping[str, int]  # key: table; value: number of rows, which was counted in the old and in the new database
    file: Path  # the new database file in the data folder; after a move to PostgreSQL, the old file, which is kept


def move(settings: Settings, to: str) -> Moved:
    """Copy the database to PostgreSQL, or back into the data folder.

    settings: the settings with the old database. to: a PostgreSQL address, or "sqlite" for the data folder. Nobody may
    use the old database during the move, and the target must have no database. If the function raises BadSetting,
    BadFile or AlreadyExists, nothing has changed.
    """
    try:
        return _into_folder(settings) if to == OWN_FILE else _out_of_folder(settings, to)
    except OSError as error:
        raise BadSetting(f"Cannot move the database of {settings.data_dir}: {error.strerror}.") from error


def _out_of_folder(settings: Settings, to: str) -> Moved:
    file, address = settings.data_dir / DATABASE, database_url(to, "The address of the new database")
    if settings.database is not None:
        raise BadSetting(f"The database is already in PostgreSQL. `move-to {OWN_FILE}` moves it into the data folder.")
    if not file.is_file():
        raise BadFile(file, "there is no database to move; name the data folder with --data-dir")
    open_repository(file).close()  # opening the file applies migrations, as every start does
    kept = file.with_name(MOVED)
    if kept.exists():
        raise AlreadyExists(f"The file {kept} from an earlier move still exists. Move this file to another folder.")
    with _alone(file) as folder:
        copy_database(file, folder / DATABASE)
        rows = _copied(folder / DATABASE, address)
        file.rename(kept)
    return Moved(rows, kept)


def _into_folder(settings: Settings) -> Moved:
    file = settings.data_dir / DATABASE
    if settings.database is None:
        raise BadSetting(
            "The database is already in the data folder, because CAPSCOPE_DATABASE does not name another database."
        )
    if file.exists():
        raise AlreadyExists(f"A database already exists in {file}. Move this file to another folder first.")
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _alone(file) as folder:
        rows = _copied(settings.database, folder / DATABASE)
        (folder / DATABASE).chmod(0o600)
        (folder / DATABASE).rename(file)
    return Moved(rows, file)


@contextmanager
def _alone(file: Path) -> Iterator[Path]:
    """Lock a data folder's database, and yield a temporary folder inside the data folder."""
    held = lock(file, exclusive=True)
    try:
        with tempfile.TemporaryDirectory(prefix=".moving-", dir=file.parent) as folder:
            yield Path(folder)
    finally:
        os.close(held)


def _copied(source: Path | str, target: Path | str) -> Mapping[str, int]:
    """Copy all rows while nobody writes, then close both databases. Returns the number of rows by table."""
    with closing(open_repository(source)) as there, closing(open_repository(target)) as here:
        with there.database.write() as connection:
            there.database.dialect.check_alone(connection)
            return copy_rows(connection, here.database)
