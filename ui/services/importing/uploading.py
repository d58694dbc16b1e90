"""Import data from a browser: receive files, preview them, then import them in a separate process."""

import asyncio
import re
import secrets
import shutil
import subprocess
import threading
import unicodedata
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any

from core.errors import BadSetting, NotFound, QueueFull, StorageFull
from core.files import written_whole
from core.network import Downloads
from ui.services.importing.import_pictures import ROOM
from ui.services.importing.import_process import (
    CANCELLED,
    ENDED_EARLY,
    REFUSED,
    ImportJob,
    ImportRequest,
    Progress,
    end,
    followed,
    start,
)
from ui.services.workplace import Workplace

INCOMING = "incoming"  # folder of uploaded files in the data folder
MOST = 12  # maximum number of imports at a time
MOST_BYTES = 8_000_000_000  # maximum number of bytes of all files of one import
MOST_FILES = 20
KEPT_S = 12 * 3600.0  # seconds from the last request about an import until the import's files are deleted
LOOK_TOO_LONG = "The preview of the file takes too much time or memory."
_ODD = re.compile(r"[^\w. ()+-]+")
_LONGEST_NAME = 200  # bytes; of a longer name, the end is kept


@dataclass(eq=False, slots=True)
class UploadedImport:
    """One import, from its first file to its end."""

    owner: str
    folder: Path
    progress: Progress = Progress()
    asked_at: float = field(default_factory=monotonic)
    process: subprocess.Popen[bytes] | None = None


class Bringing:
    """Runs the imports that browsers send to a server. Only one runs at a time, and the others wait."""

    def __init__(self, workplace: Workplace, database: str | None, downloads: Downloads | None = None) -> None:
        """Import into an opened data folder (workplace), one import at a time.

        database: the address of a PostgreSQL database; None: the data folder's own database.
        """
        self._workplace, self._database = workplace, database
        self._downloads = downloads or Downloads()
        self._data_dir = workplace.data_dir.resolve()
        self._all: dict[str, UploadedImport] = {}
        self._lock = threading.Lock()
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._working = ThreadPoolExecutor(1, "importing")
        # Previews have separate threads, so that they do not delay raters
        self.looking = ThreadPoolExecutor(2, "looking")

    def begin(self, owner: str) -> str:
        """Register an import and return its id, which cannot be guessed. Raises QueueFull."""
        with self._lock:
            now = monotonic()
            working = ("waiting", "running")
            idle = sorted((one.asked_at, key) for key, one in self._all.items() if one.progress.state not in working)
            if len(self._all) >= MOST and not idle:
                raise QueueFull("Too many imports are waiting. Wait until one has ended, then try again.")
            for place, (asked_at, key) in enumerate(idle):
                if now - asked_at > KEPT_S or (place == 0 and len(self._all) >= MOST):
                    shutil.rmtree(self._all.pop(key).folder, ignore_errors=True)
            key = secrets.token_urlsafe(16)
            folder = self._data_dir / INCOMING / secrets.token_hex(8)
            folder.mkdir(mode=0o700, parents=True)
            self._all[key] = UploadedImport(owner, folder)
        return key

    async def receive(self, owner: str, key: str, name: str, content: AsyncIterator[bytes]) -> str:
        """Write a file and return its safe name.

        Raises BadSetting for too many files or bytes. Raises StorageFull if too little of the disk would stay free for
        raters' answers.
        """
        one, called = self._mine(owner, key), plain_name(name)
        if one.progress.state != "receiving":
            raise BadSetting("This import has already started. Start another import for more files.")
        there = {file.name: file.stat().st_size for file in one.folder.iterdir()}
        there.pop(called, None)
        if len(there) >= MOST_FILES:
            raise BadSetting(f"One import may have at most {MOST_FILES} files. Import the other files separately.")
        size = sum(there.values())
        with written_whole(one.folder / called) as unfinished, unfinished.open("wb") as file:
            async for part in content:
                size += len(part)
                if size > MOST_BYTES:
                    most = f"{MOST_BYTES / 1e9:.0f} GB"
                    raise BadSetting(f"The files are larger than {most}. Import them with the command `import`.")
                if shutil.disk_usage(one.folder).free < len(part) + ROOM:
                    raise StorageFull
                await asyncio.to_thread(file.write, part)
        return called

    def look(self, owner: str, key: str, request: ImportRequest) -> dict[str, Any]:
        """Return a preview of the first file, made by import_worker. Raises BadSetting, NotFound."""
        job = self._job(owner, key, request)
        return looked(replace(job, look=True), self._processes)

    def start(self, owner: str, key: str, request: ImportRequest) -> None:
        """Queue an import. Raises BadSetting if it was started before, or if a file was not uploaded."""
        job, one = self._job(owner, key, request), self._mine(owner, key)
        with self._lock:
            if one.progress.state not in ("receiving", "failed", "cancelled"):
                raise BadSetting("This import has already started.")
            one.progress = Progress("waiting")
        self._working.submit(self._run, one, job)

    def get(self, owner: str, name: str) -> str:
        """Queue the fetch and import of published data.

        Return the import's id. Raises QueueFull.
        """
        key = self.begin(owner)
        one = self._all[key]
        one.progress = Progress("waiting")
        job = ImportJob(one.folder, ImportRequest(), self._data_dir, self._database, owner, published=name)
        self._working.submit(self._run, one, replace(job, downloads=self._downloads))
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
        with self._lock:
            if one.progress.state == "waiting":
                one.progress = CANCELLED
            if one.process is not None:
                end(one.process)

    def close(self) -> None:
        """Cancel running imports. The next start deletes their files."""
        for process in list(self._processes):
            end(process)
        self._working.shutdown(wait=False, cancel_futures=True)
        self.looking.shutdown(wait=False, cancel_futures=True)

    def clear_soon(self) -> None:
        """Delete data and files of imports that an ended server left unfinished, in the background.

        Large data sets take minutes to delete, and raters' answers must not wait. Call it only if no other server uses
        the data folder.
        """
        self._working.submit(self._clear, list((self._data_dir / INCOMING).glob("*")))

    def _clear(self, folders: Sequence[Path]) -> None:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
        self._workplace.repository.delete_hidden()

    def _mine(self, owner: str, key: str) -> UploadedImport:
        one = self._all.get(key)
        if one is None or one.owner != owner:
            raise NotFound(
                "This import no longer exists, because Capscope was restarted or the import was unused for too "
                "long. Start a new import."
            )
        one.asked_at = monotonic()
        return one

    def _job(self, owner: str, key: str, request: ImportRequest) -> ImportJob:
        """Return the job for a request. Raises NotFound. Raises BadSetting if its files were not uploaded."""
        one = self._mine(owner, key)
        if not request.files:
            raise BadSetting("Choose a file first.")
        for name in (*request.files, *request.images):
            if name != plain_name(name) or not (one.folder / name).is_file():
                raise BadSetting(f"There is no file {name!r:.80} in this import. Choose the file again.")
        return ImportJob(one.folder, request, self._data_dir, self._database, owner)

    def _run(self, one: UploadedImport, job: ImportJob) -> None:

        def tell(progress: Progress) -> None:
            one.progress = progress

        with self._lock:
            if one.progress.state != "waiting":
                return
            (one.folder / REFUSED).unlink(missing_ok=True)
            try:
                one.process = start(job)
            except BadSetting as error:
                one.progress = Progress("failed", problem=str(error))
                return
            one.progress = Progress("running", "Starting")
        self._processes.add(one.process)
        ended = followed(one.process, tell)
        self._processes.discard(one.process)
        with self._lock:
            one.process, one.progress = None, ended
        if ended.state == "done":
            for path in one.folder.iterdir():
                if path.name != REFUSED:
                    path.unlink(missing_ok=True)


def looked(job: ImportJob, processes: set[subprocess.Popen[bytes]]) -> dict[str, Any]:
    """Return a preview of a job's file. Raises BadSetting.

    processes: a set that contains the process while it runs.
    """
    process = start(job)
    processes.add(process)
    ended = followed(process)
    processes.discard(process)
    if ended.state != "done":
        raise BadSetting(LOOK_TOO_LONG if ended is ENDED_EARLY else ended.problem)
    return ended.result


def plain_name(name: str) -> str:
    """Return a safe file name, as similar to the sender's as possible.

    It is not a path and does not begin with a dot. A safe name stays the same.
    """
    last = re.split(r"[\\/]", unicodedata.normalize("NFC", name))[-1]
    return _ODD.sub("_", last).encode()[-_LONGEST_NAME:].decode(errors="ignore").strip(" .") or "file"
