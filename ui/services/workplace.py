"""Open the data folder for pages and commands."""

import fcntl
import logging
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from core.errors import BadFile, BadSetting
from core.installation import COMMAND
from core.metrics import Metric
from core.metrics.plugins import known_metrics
from storage import Repository, open_repository
from storage.data.pictures import Pictures
from ui.services.key_file import make_key
from ui.settings import Settings

_log = logging.getLogger(__name__)
DATABASE, KEY = "capscope.db", "secret.key"
SERVING = "serving.lock"  # file in the data folder that the folder's server locks; it has the server's address
THUMBNAILS, PICTURES = "thumbnails", "pictures"
WAY_BACK = f"restore a backup ({COMMAND} restore), or delete the file to start with an empty database"
_SIGNS_OF_USE = (KEY, THUMBNAILS, PICTURES)


@dataclass(frozen=True, slots=True)
class Workplace:
    """An open data folder."""

    repository: Repository
    pictures: Pictures
    data_dir: Path
    plugin: tuple[str, ...] = ()  # the user's own metrics, as in core.metrics.plugins

    @property
    def metrics(self) -> tuple[type[Metric], ...]:
        """Return every available metric. Raises BadSetting.

        Plugins are loaded at the first call.
        """
        return known_metrics(self.plugin)


def open_workplace(settings: Settings) -> Workplace:
    """Open the data folder. If it is missing, make it.

    Raises BadSetting if that is not possible.
    """
    folder = settings.data_dir
    try:
        # The folder is private, because it contains raters' answers and the key that links answers to raters.
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        way_out = "Name another folder with --data-dir or CAPSCOPE_DATA."
        raise BadSetting(f"Cannot create the data folder {folder}: {error.strerror}. {way_out}") from error
    _warn_if_open(folder)
    repository = open_repository(settings.database or _own_database(folder))
    return Workplace(repository, Pictures(folder / THUMBNAILS, folder / "converted"), folder, settings.plugin)


def _warn_if_open(folder: Path) -> None:
    """Warn if other users of this machine can read the data folder.

    Capscope makes a new data folder readable only for its owner. A folder that already existed may have wider
    permissions.
    """
    mode = stat.S_IMODE(folder.stat().st_mode)
    if mode & 0o077:
        _log.warning(
            "Other users of this computer can read the data folder %s (mode %03o). To stop this, run: chmod 700 %s",
            folder,
            mode,
            folder,
        )


def _own_database(folder: Path) -> Path:
    """Return the path of the data folder's own database file. Raises BadFile, BadSetting."""
    database = folder / DATABASE
    if database.is_file() and not database.stat().st_size and any((folder / name).exists() for name in _SIGNS_OF_USE):
        raise BadFile(database, f"the database is empty (0 bytes), but its folder was used before; {WAY_BACK}")
    return database


def hold_for_serving(folder: Path, address: str) -> None:
    """Lock a data folder for a server until this process ends, and store the server's address in the locked file.

    Raises BadSetting if another server uses the folder.
    """
    held = os.open(folder / SERVING, os.O_RDWR | os.O_CREAT, 0o600)
    if not _locked(held):
        os.close(held)
        raise BadSetting(
            f"Another Capscope process already uses the data folder {folder.resolve()}. Stop that process, or name "
            "another folder with --data-dir."
        )
    os.truncate(held, 0)
    os.write(held, address.encode())


def served_at(folder: Path) -> str | None:
    """Return the address of the server that uses a data folder, or None if no server runs."""
    try:
        held = os.open(folder / SERVING, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        return None if _locked(held) else os.read(held, 2_000).decode() or None
    finally:
        os.close(held)


def _locked(held: int) -> bool:
    """Try to lock an open file. Return whether this process has the lock now. held: the file's descriptor."""
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def check_key(workplace: Workplace) -> None:
    """Raise BadSetting if there are raters but no key file.

    Capscope never replaces a missing key by itself. With another key, browsers would be logged out and all return keys
    would change.
    """
    if not (workplace.data_dir / KEY).exists() and workplace.repository.raters.has_some():
        raise BadSetting(
            f"{KEY} is missing in {workplace.data_dir}. This key identifies the raters. Restore it from a backup. If "
            "the key is lost, write 64 random hexadecimal digits into this file: all raters then need new return keys."
        )


def ensure_key(workplace: Workplace) -> None:
    """Make a data folder's key file if there are no raters yet.

    Call this function only while no server runs, and before raters are added. A server with raters does not start
    without the key.
    """
    key = workplace.data_dir / KEY
    if not key.exists() and not workplace.repository.raters.has_some():
        make_key(key)
