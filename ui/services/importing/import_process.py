"""Start and watch the processes that preview and import files (see import_worker)."""

import fcntl
import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from core.errors import BadSetting
from core.installation import IMPORT_ROOT
from ui.services.importing.import_job import ImportJob

KEPT = ".kept.txt"  # journal in the job's folder: names of new pictures and thumbnails in the data folder
_AT_WORK = ".at-work"  # file in the job's folder that the importing process locks
NOT_STARTED = "This computer cannot start the process that reads the file. Try again later."
LOOK_S = 120.0  # seconds after which a preview is stopped


def start(job: ImportJob) -> subprocess.Popen[str]:
    """Start a process that does a job (an import or a preview).

    The process writes JSON lines. The last line has "done" or "problem". Raises OSError if this computer has no free
    memory, processes or open files left.
    """
    environment = {**os.environ, "PYTHONPATH": str(IMPORT_ROOT), "OPENBLAS_NUM_THREADS": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", f"{__package__}.import_worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        cwd=IMPORT_ROOT,
        env=environment,
    )
    assert process.stdin is not None
    try:
        process.stdin.write(json.dumps(job.as_json()) + "\n")
        process.stdin.flush()
    except OSError:  # the process has ended already
        process.kill()
        process.wait()
        close(process)
        raise
    return process


def hold(folder: Path) -> int:
    """Mark a folder as in use. Return a file descriptor.

    The mark lasts until this process ends or closes the file descriptor.
    """
    held = os.open(folder / _AT_WORK, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(held, fcntl.LOCK_EX)
    return held


def is_at_work(folder: Path) -> bool:
    """Return whether an import process uses a folder."""
    if not (folder / _AT_WORK).exists():
        return False
    with (folder / _AT_WORK).open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def looked(job: ImportJob, at_work: set[subprocess.Popen[str]] | None = None) -> dict[str, Any]:
    """Return a preview of a job's file, made by import_worker.

    at_work: a set that contains the process while it runs. Raises BadSetting.
    """
    try:
        process = start(job)
    except OSError as error:
        raise BadSetting(NOT_STARTED) from error
    running = set() if at_work is None else at_work
    running.add(process)
    timer = threading.Timer(LOOK_S, process.kill)
    timer.start()
    try:
        messages = [json.loads(line) for line in process.stdout or ()]
        process.wait()
    finally:
        timer.cancel()
        running.discard(process)
        close(process)
    if not messages:
        raise BadSetting(f"The preview of the file takes more than {LOOK_S:.0f} s or too much memory.")
    if "problem" in messages[-1]:
        raise BadSetting(messages[-1]["problem"])
    preview: dict[str, Any] = messages[-1]["done"]
    return preview


def close(process: subprocess.Popen[str]) -> None:
    """Close the pipes between this process and another one."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(BrokenPipeError):  # the process may have ended before it read everything
                pipe.close()
