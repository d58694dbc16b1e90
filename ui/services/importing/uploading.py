"""Import data from a browser: upload in parts, preview, then import in the background."""

import logging
import secrets
import shutil
import subprocess
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

from core.errors import BadSetting, NotFound, QueueFull, StorageUnavailable
from core.network import Downloads
from ui.services.importing.import_job import ImportJob, ImportRequest
from ui.services.importing.import_journal import INCOMING, clear_folders
from ui.services.importing.import_pictures import clear_kept
from ui.services.importing.import_process import KEPT, looked
from ui.services.importing.import_worker import REFUSED
from ui.services.importing.received_files import plain_name, write_part
from ui.services.importing.uploaded_import import Progress, UploadedImport, remove_files
from ui.services.workplace import Workplace

_log = logging.getLogger("capscope")
MOST_EACH, MOST = 3, 12  # maximum number of imports at a time: of one account, and of all accounts together
KEPT_S = 12 * 3600.0  # seconds from the last request about an import until the import's files are deleted


class Bringing:
    """Runs the imports that browsers send to a server. Only one runs at a time, and the others wait."""

    def __init__(
        self,
        workplace: Workplace,
        database: str | None,
        folders: Sequence[Path] = (),
        downloads: Downloads | None = None,
    ) -> None:
        """Import into an opened data folder (workplace), one import at a time.

        database: the address of a PostgreSQL database; None: the data folder's own database. folders: folders of this
        computer whose pictures may be imported.
        """
        self._workplace, self._database = workplace, database
        self._downloads = downloads or Downloads()
        self._place = workplace.data_dir.resolve() / INCOMING
        self.folders = tuple(folders)
        self._all: dict[str, UploadedImport] = {}
        self._lock = threading.Lock()
        self._looks: set[subprocess.Popen[str]] = set()
        self._working = ThreadPoolExecutor(1, "importing")
        # Previews have separate threads, so that they do not delay raters
        self.looking = ThreadPoolExecutor(2, "looking")

    def begin(self, owner: str) -> str:
        """Register an import and return its id, which cannot be guessed. Raises QueueFull."""
        with self._lock:
            self._forget_old()
            mine = [key for key, one in self._all.items() if one.owner == owner]
            idle = [key for key in mine if not self._all[key].is_at_work]
            if len(mine) >= MOST_EACH and idle:
                self._remove(idle[0])
            elif len(mine) >= MOST_EACH or len(self._all) >= MOST:
                raise QueueFull("Too many imports are waiting. Wait until one has ended, then try again.")
            key = secrets.token_urlsafe(16)
            folder = self._place / secrets.token_hex(8)
            folder.mkdir(mode=0o700, parents=True)
            self._all[key] = UploadedImport(owner, folder)
        return key

    def receive(self, owner: str, key: str, name: str, offset: int, part: bytes) -> str:
        """Write a part of a file and return the file's safe name.

        The same part may arrive twice. Raises BadSetting for a part that leaves a gap, or for too many files or bytes.
        Raises StorageFull if too little of the disk would stay free for raters' answers.
        """
        one = self._mine(owner, key)
        with one.lock:
            if one.progress.state != "receiving":
                raise BadSetting("This import has already started. Start another import for more files.")
            return write_part(one.folder, name, offset, part)

    def look(self, owner: str, key: str, request: ImportRequest) -> dict[str, Any]:
        """Return a preview of the first file. Raises BadSetting, NotFound, Cancelled."""
        one = self._mine(owner, key)
        self._check(one, request)
        return looked(self._job(one, request, True), self._looks)

    def start(self, owner: str, key: str, request: ImportRequest) -> None:
        """Queue an import. Raises BadSetting if it was started before, or if a file was not uploaded."""
        one = self._mine(owner, key)
        self._check(one, request)
        with one.lock:
            if one.progress.state not in ("receiving", "failed", "cancelled"):
                raise BadSetting("This import has already started.")
            one.progress, one.cancelled = Progress("waiting"), False
        self._working.submit(self._run, one, self._job(one, request, False))

    def get(self, owner: str, name: str) -> str:
        """Queue the fetch and import of published data.

        Return the import's id. Raises QueueFull.
        """
        key = self.begin(owner)
        one = self._all[key]
        one.progress = Progress("waiting")
        job = self._job(one, ImportRequest(()), False)
        self._working.submit(self._run, one, replace(job, published=name, downloads=self._downloads))
        return key

    def progress(self, owner: str, key: str) -> Progress:
        """Return the progress of an import. Raises NotFound."""
        return self._mine(owner, key).progress

    def refused(self, owner: str, key: str) -> Path:
        """Return the path of the file with refused rows and pictures. Raises NotFound."""
        path = self._mine(owner, key).folder / REFUSED
        if not path.is_file():
            raise NotFound("This import has no rows with errors.")
        return path

    def cancel(self, owner: str, key: str) -> None:
        """Cancel an import unless it is already writing to the database."""
        one = self._mine(owner, key)
        one.cancel()

    def drop(self, owner: str, key: str) -> None:
        """Cancel an import and delete its uploaded files. Raises NotFound."""
        self.cancel(owner, key)
        with self._lock:
            if not self._all[key].is_at_work:
                self._remove(key)

    def close(self) -> None:
        """Cancel running imports. The next start deletes their files."""
        for one in list(self._all.values()):
            one.cancelled = True
            one.end_process()
        for process in list(self._looks):
            process.kill()
        self._working.shutdown(wait=False, cancel_futures=True)
        self.looking.shutdown(wait=False, cancel_futures=True)

    def _mine(self, owner: str, key: str) -> UploadedImport:
        one = self._all.get(key)
        if one is None or one.owner != owner:
            raise NotFound(
                "This import no longer exists, because Capscope was restarted or the import was unused for too "
                "long. Start a new import."
            )
        one.asked_at = monotonic()
        return one

    def _check(self, one: UploadedImport, request: ImportRequest) -> None:
        """Raise BadSetting if a request names files that were not uploaded."""
        if not request.files:
            raise BadSetting("Choose a file first.")
        allowed = {str(folder) for folder in self.folders}
        for name in (*request.files, *(image for image in request.images if image not in allowed)):
            if name != plain_name(name) or not (one.folder / name).is_file():
                raise BadSetting(f"There is no file {name!r:.80} in this import. Choose the file again.")

    def _job(self, one: UploadedImport, request: ImportRequest, look: bool) -> ImportJob:
        return ImportJob(one.folder, request, look, self._workplace.data_dir.resolve(), self._database, one.owner)

    def _run(self, one: UploadedImport, job: ImportJob) -> None:
        if not one.run(job):
            return
        with _failure_logged():
            self._workplace.repository.delete_hidden()  # deletes data sets that a killed import process left incomplete
            clear_kept(self._workplace.repository, one.folder / KEPT)
        if one.progress.state == "done":
            remove_files(one.folder, REFUSED, KEPT)

    def clear_soon(self) -> None:
        """Delete data and files of unfinished imports in the background, before the first import.

        Large data sets take minutes to delete, and raters' answers must not wait.
        """
        self._working.submit(self._clear, list(self._place.glob("*")))

    def clear(self) -> None:
        """Delete data and files of imports that an ended server left unfinished.

        Call it only if no other server uses the data folder.
        """
        self._clear(list(self._place.glob("*")))

    def _clear(self, folders: Sequence[Path]) -> None:
        with _failure_logged():
            self._workplace.repository.delete_hidden()
            clear_folders(self._workplace, folders)

    def _forget_old(self) -> None:
        now = monotonic()
        for key in [key for key, one in self._all.items() if not one.is_at_work and now - one.asked_at > KEPT_S]:
            self._remove(key)

    def _remove(self, key: str) -> None:
        folder = self._all.pop(key).folder
        if (folder / KEPT).exists():  # the import has ended but could not delete its files; the next start deletes them
            remove_files(folder, KEPT)
        else:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _failure_logged() -> Iterator[None]:
    """Log why a cleanup failed. No user waits for the cleanup, and the next start repeats it."""
    try:
        yield
    except (StorageUnavailable, OSError):
        _log.exception("The remaining files of imports cannot be deleted now. The next start of Capscope deletes them.")
