"""Data that people bring through their browser: files in parts, a look into them, then an import in the background."""

import json
import logging
import secrets
import shutil
import subprocess
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from core.errors import BadSetting, NotFound, QueueFull, StorageUnavailable
from ui.services.importing.import_apart import REFUSED
from ui.services.importing.import_job import WRITING, ImportJob, ImportRequest
from ui.services.importing.import_journal import INCOMING, clear_folders
from ui.services.importing.import_pictures import clear_kept
from ui.services.importing.import_process import KEPT, NOT_STARTED, close, looked, start
from ui.services.importing.import_progress import CANCELLED, Progress, ended
from ui.services.importing.received import plain_name, write_part
from ui.services.workplace import Workplace

_log = logging.getLogger("capscope")
MOST_EACH, MOST = 3, 12  # imports that one account, and all, may have at a time
KEPT_S = 12 * 3600.0  # that an import stays which nobody asks about
PATIENCE_S = 5.0  # for a process that was told to give up


@dataclass(eq=False, slots=True)
class Brought:
    """One import, from its first file to its end."""

    owner: str
    folder: Path
    progress: Progress = Progress()
    asked_at: float = field(default_factory=monotonic)
    process: subprocess.Popen[str] | None = None
    given_up: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def is_at_work(self) -> bool:
        """Whether it waits for its turn or runs."""
        return self.progress.state in ("waiting", "running")


class Bringing:
    """The imports of a server: one runs at a time, the others wait."""

    def __init__(self, workplace: Workplace, database: str | None, folders: Sequence[Path] = ()) -> None:
        """database: the address of a PostgreSQL; folders: those of this computer that pictures may be taken from."""
        self._workplace, self._database = workplace, database
        self._place = workplace.data_dir.resolve() / INCOMING
        self.folders = tuple(folders)
        self._all: dict[str, Brought] = {}
        self._lock = threading.Lock()
        self._looks: set[subprocess.Popen[str]] = set()
        self._working = ThreadPoolExecutor(1, "importing")
        self.looking = ThreadPoolExecutor(2, "looking")  # those who wait for a look keep no thread from raters

    def begin(self, owner: str) -> str:
        """Make room for an import; returns its id, which nobody can guess. Raises QueueFull."""
        with self._lock:
            self._forget_old()
            mine = [key for key, one in self._all.items() if one.owner == owner]
            idle = [key for key in mine if not self._all[key].is_at_work]
            if len(mine) >= MOST_EACH and idle:
                self._remove(idle[0])
            elif len(mine) >= MOST_EACH or len(self._all) >= MOST:
                raise QueueFull("Too many imports are on their way. Wait until one has ended, then try again.")
            key = secrets.token_urlsafe(16)
            folder = self._place / secrets.token_hex(8)
            folder.mkdir(mode=0o700, parents=True)
            self._all[key] = Brought(owner, folder)
        return key

    def receive(self, owner: str, key: str, name: str, offset: int, part: bytes) -> str:
        """Write a part of a file; returns what the file is called here. The same part may come twice.

        Raises BadSetting for a part that does not follow, too many files or bytes; StorageFull before the disk is full.
        """
        one = self._mine(owner, key)
        with one.lock:
            if one.progress.state != "receiving":
                raise BadSetting("This import has begun; begin another one for more files.")
            return write_part(one.folder, name, offset, part)

    def remove_file(self, owner: str, key: str, name: str) -> None:
        """Take a received file away again."""
        one = self._mine(owner, key)
        with one.lock:
            if one.progress.state == "receiving":
                (one.folder / plain_name(name)).unlink(missing_ok=True)

    def look(self, owner: str, key: str, request: ImportRequest) -> dict[str, Any]:
        """Return what import_apart finds in the first file. Raises BadSetting, NotFound, Cancelled."""
        one = self._mine(owner, key)
        self._check(one, request)
        return looked(self._job(one, request, True), self._looks)

    def start(self, owner: str, key: str, request: ImportRequest) -> None:
        """Let an import run when its turn comes. Raises BadSetting for one that has begun, or for another's files."""
        one = self._mine(owner, key)
        self._check(one, request)
        with one.lock:
            if one.progress.state not in ("receiving", "failed", "cancelled"):
                raise BadSetting("This import has begun already.")
            one.progress, one.given_up = Progress("waiting"), False
        self._working.submit(self._run, one, self._job(one, request, False))

    def progress(self, owner: str, key: str) -> Progress:
        """Return how an import goes. Raises NotFound."""
        return self._mine(owner, key).progress

    def refused(self, owner: str, key: str) -> Path:
        """Return the table of what an import refused. Raises NotFound."""
        path = self._mine(owner, key).folder / REFUSED
        if not path.is_file():
            raise NotFound("Nothing of this import was refused.")
        return path

    def cancel(self, owner: str, key: str) -> None:
        """Give an import up, unless it writes already."""
        one = self._mine(owner, key)
        with one.lock:
            one.given_up = True
            if one.progress.state == "waiting":
                one.progress = CANCELLED
        _give_up(one)

    def drop(self, owner: str, key: str) -> None:
        """Give an import up and forget its files. Raises NotFound."""
        self.cancel(owner, key)
        with self._lock:
            if not self._all[key].is_at_work:
                self._remove(key)

    def close(self) -> None:
        """Give up what runs; what was received goes with the next start."""
        for one in list(self._all.values()):
            one.given_up = True
            _give_up(one)
        for process in list(self._looks):
            process.kill()
        self._working.shutdown(wait=False, cancel_futures=True)
        self.looking.shutdown(wait=False, cancel_futures=True)

    def _mine(self, owner: str, key: str) -> Brought:
        one = self._all.get(key)
        if one is None or one.owner != owner:
            raise NotFound("This import is not known: Capscope was restarted meanwhile, or it was left for long.")
        one.asked_at = monotonic()
        return one

    def _check(self, one: Brought, request: ImportRequest) -> None:
        """Raise BadSetting where a request names what was not received."""
        if not request.files:
            raise BadSetting("Choose a file first.")
        allowed = {str(folder) for folder in self.folders}
        for name in (*request.files, *(image for image in request.images if image not in allowed)):
            if name != plain_name(name) or not (one.folder / name).is_file():
                raise BadSetting(f"There is no file {name!r:.80} in this import; choose it once more.")

    def _job(self, one: Brought, request: ImportRequest, look: bool) -> ImportJob:
        return ImportJob(one.folder, request, look, self._workplace.data_dir.resolve(), self._database, one.owner)

    def _run(self, one: Brought, job: ImportJob) -> None:
        with one.lock:
            if one.given_up:
                return
            try:
                (one.folder / REFUSED).unlink(missing_ok=True)
                one.process = process = start(job)
            except OSError:
                _log.exception("An import cannot be started.")
                one.progress = Progress("failed", problem=NOT_STARTED, kind="file")
                return
            one.progress = Progress("running", "Starting")
        last: dict[str, Any] = {}
        try:
            for line in process.stdout or ():
                last = json.loads(line)
                if "what" in last:
                    one.progress = Progress("running", last["what"], last["done"], last["total"])
            process.wait()
        finally:
            with one.lock:
                one.process = None
                close(process)
                one.progress = ended(last, one.given_up)
        with _failure_logged():
            self._workplace.repository.delete_hidden()  # if it was killed
            clear_kept(self._workplace.repository, one.folder / KEPT)
        if one.progress.state == "done":
            _remove_files(one.folder, REFUSED, KEPT)

    def clear_soon(self) -> None:
        """Clear, before the first import but beside raters' answers: large data sets take minutes to delete."""
        self._working.submit(self._clear, list(self._place.glob("*")))

    def clear(self) -> None:
        """Delete what a server that was ended has left. Call it where no other server works on the data folder."""
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
        if (folder / KEPT).exists():  # not cleared yet: the next start does it, where the import's end does not
            _remove_files(folder, KEPT)
        else:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _failure_logged() -> Iterator[None]:
    """Log why something cannot be cleared now: nobody waits for it, and the next start clears what is left."""
    try:
        yield
    except (StorageUnavailable, OSError):
        _log.exception("What imports left cannot be cleared now. The next start of Capscope clears it.")


def _give_up(one: Brought) -> None:
    """Tell an import's process to give up, and end it where it does not, unless it writes: then it is nearly done."""
    with one.lock:
        process = one.process
        if process is None or process.stdin is None:
            return
        process.stdin.close()
    timer = threading.Timer(PATIENCE_S, _end, (one, process))
    timer.daemon = True
    timer.start()


def _end(one: Brought, process: subprocess.Popen[str]) -> None:
    with one.lock:
        if one.process is process and one.progress.what != WRITING:
            process.kill()


def _remove_files(folder: Path, *but: str) -> None:
    for path in folder.iterdir():
        if path.name not in but:
            path.unlink(missing_ok=True)
