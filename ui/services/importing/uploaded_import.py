"""One import from a browser: its folder, its progress and its process."""

import json
import logging
import subprocess
import threading
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, Literal

from ui.services.importing.import_job import WRITING, ImportJob
from ui.services.importing.import_process import NOT_STARTED, close, start
from ui.services.importing.import_worker import REFUSED

_log = logging.getLogger("capscope")
PATIENCE_S = 5.0  # seconds for which a cancelled process may go on
State = Literal["receiving", "waiting", "running", "done", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of an import."""

    state: State = "receiving"
    what: str = ""  # name of the current step
    done: int = 0
    total: int = 0
    problem: str = ""  # reason why nothing was imported; "": no problem
    kind: str = ""  # kind of the problem: "rows", "file", "cancelled"
    result: dict[str, Any] = field(default_factory=dict)  # result of the import in the format of import_worker


CANCELLED = Progress("cancelled", problem="The import was cancelled. Nothing was imported.", kind="cancelled")


def ended(last: dict[str, Any], cancelled: bool) -> Progress:
    """Return the final progress of an import.

    last: the last message of the import's process. cancelled: whether the import was cancelled.
    """
    if "done" in last and "what" not in last:
        return Progress("done", result=last["done"])
    if "problem" in last:
        kind = last.pop("kind")
        return Progress(
            "cancelled" if kind == "cancelled" else "failed", problem=last.pop("problem"), kind=kind, result=last
        )
    if cancelled:
        return CANCELLED
    problem = "The process that reads the file ended too early, because it took too much memory or was stopped."
    return Progress("failed", problem=f"{problem} Nothing was imported.", kind="file")


@dataclass(eq=False, slots=True)
class UploadedImport:
    """One import, from its first file to its end."""

    owner: str
    folder: Path
    progress: Progress = Progress()
    asked_at: float = field(default_factory=monotonic)
    process: subprocess.Popen[str] | None = None
    cancelled: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def is_at_work(self) -> bool:
        """Return whether the import waits for its turn or runs."""
        return self.progress.state in ("waiting", "running")

    def run(self, job: ImportJob) -> bool:
        """Run the process of a job to its end.

        Returns False if the import was cancelled before the process started, or if the process cannot be started.
        """
        with self.lock:
            if self.cancelled:
                return False
            try:
                (self.folder / REFUSED).unlink(missing_ok=True)
                self.process = process = start(job)
            except OSError:
                _log.exception("An import cannot be started.")
                self.progress = Progress("failed", problem=NOT_STARTED, kind="file")
                return False
            self.progress = Progress("running", "Starting")
        last: dict[str, Any] = {}
        try:
            for line in process.stdout or ():
                last = json.loads(line)
                if "what" in last:
                    self.progress = Progress("running", last["what"], last["done"], last["total"])
            process.wait()
        finally:
            with self.lock:
                self.process = None
                close(process)
                self.progress = ended(last, self.cancelled)
        return True

    def cancel(self) -> None:
        """Cancel the import unless it is already writing to the database."""
        with self.lock:
            self.cancelled = True
            if self.progress.state == "waiting":
                self.progress = CANCELLED
        self.end_process()

    def end_process(self) -> None:
        """End the import's process, and kill it if it is too slow.

        First the process is asked to end. A process that is already writing to the database is not killed, because it
        is nearly finished.
        """
        with self.lock:
            process = self.process
            if process is None or process.stdin is None:
                return
            process.stdin.close()
        timer = threading.Timer(PATIENCE_S, self._kill, (process,))
        timer.daemon = True
        timer.start()

    def _kill(self, process: subprocess.Popen[str]) -> None:
        with self.lock:
            if self.process is process and self.progress.what != WRITING:
                process.kill()


def remove_files(folder: Path, *but: str) -> None:
    """Delete the files of a folder, except those with the names `but`."""
    for path in folder.iterdir():
        if path.name not in but:
            path.unlink(missing_ok=True)
