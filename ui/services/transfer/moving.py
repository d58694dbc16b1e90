"""Moving a data folder's database to PostgreSQL, and back into the folder. Pictures and keys stay where they are."""

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
from ui.settings import Settings, database_url

OWN_FILE = "sqlite"  # the word for the data folder's own database


@dataclass(frozen=True, slots=True)
class Moved:
    """What has been moved."""

    rows: Mapping[str, int]  # by table, counted on both sides
    file: Path  # of the data folder: where the database is now, or where it is kept as it was


def move(settings: Settings, to: str) -> Moved:
    """Copy the database that settings name to a PostgreSQL's address, or into the data folder ("sqlite").

    Nobody may use it meanwhile, and none may be there. Raises BadSetting, BadFile, AlreadyExists; nothing has changed
    then.
    """
    try:
        return _into_folder(settings) if to == OWN_FILE else _out_of_folder(settings, to)
    except OSError as error:
        raise BadSetting(f"Cannot move the database of {settings.data_dir}: {error.strerror}.") from error


def _out_of_folder(settings: Settings, to: str) -> Moved:
    file, address = settings.data_dir / DATABASE, database_url(to, "The address to move to")
    if settings.database is not None:
        raise BadSetting(f"The database is PostgreSQL already; `move-to {OWN_FILE}` brings it into the data folder.")
    if not file.is_file():
        raise BadFile(file, "there is no database to move; name its folder with --data-dir")
    open_repository(file).close()  # brought up to date as at any start
    kept = file.with_name(MOVED)
    if kept.exists():
        raise AlreadyExists(f"There is already a database that was moved before, {kept}; put it somewhere else.")
    with _alone(file) as folder:
        copy_database(file, folder / DATABASE)
        rows = _copied(folder / DATABASE, address)
        file.rename(kept)
    return Moved(rows, kept)


def _into_folder(settings: Settings) -> Moved:
    file = settings.data_dir / DATABASE
    if settings.database is None:
        raise BadSetting("The database is the data folder's own already: CAPSCOPE_DATABASE names no other one.")
    if file.exists():
        raise AlreadyExists(f"There is already a database in {file}; move it aside first.")
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _alone(file) as folder:
        rows = _copied(settings.database, folder / DATABASE)
        (folder / DATABASE).chmod(0o600)
        (folder / DATABASE).rename(file)
    return Moved(rows, file)


@contextmanager
def _alone(file: Path) -> Iterator[Path]:
    """Keep everybody else from a data folder's database; returns a folder beside it that is gone afterwards."""
    held = lock(file, exclusive=True)
    try:
        with tempfile.TemporaryDirectory(prefix=".moving-", dir=file.parent) as folder:
            yield Path(folder)
    finally:
        os.close(held)


def _copied(source: Path | str, target: Path | str) -> Mapping[str, int]:
    """Copy all rows while nobody writes; both databases are closed afterwards."""
    with closing(open_repository(source)) as there, closing(open_repository(target)) as here:
        with there.database.write() as connection:
            there.database.dialect.check_alone(connection)
            return copy_rows(connection, here.database)
