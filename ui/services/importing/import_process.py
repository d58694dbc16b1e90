"""Describe an import that a user requested in a browser, and start the process that previews or imports the files."""

import json
import logging
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from subprocess import PIPE
from typing import Any, Literal

from core.datasets import format_named
from core.datasets.base import Layout, ignore_progress
from core.errors import BadSetting
from core.installation import IMPORT_ROOT
from core.network import Downloads

_log = logging.getLogger("capscope")
REFUSED = ".refused.csv"  # CSV file in the job's folder with every refused row and picture
WRITING = "Writing"  # name of the last step of an import; once it begins, the import cannot be cancelled
_OPTION = re.compile(r" \(--[^)]*\)")
State = Literal["receiving", "waiting", "running", "done", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of an import. The process sends each one as a line of JSON."""

    state: State = "receiving"
    what: str = ""  # name of the current step
    done: int = 0
    total: int = 0
    problem: str = ""  # reason why nothing was imported; "": no problem
    result: dict[str, Any] = field(default_factory=dict)  # result of the import or preview


CANCELLED = Progress("cancelled", problem="The import was cancelled. Nothing was imported.")
ENDED_EARLY = Progress(
    "failed",
    problem="The process that reads the file ended too early, because it took too much memory or was stopped. Nothing "
    "was imported.",
)


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """The files to import and the options."""

    files: tuple[str, ...] = ()  # names of the files to import, in the folder of uploaded files
    format: str = ""
    dataset: str = ""
    layout: Layout = Layout()
    images: tuple[str, ...] = ()  # names of uploaded ZIP files with pictures
    skip_bad: bool = False

    @property
    def accepted(self) -> Layout:
        """Return the layout without the parts that the request's format does not accept."""
        fmt = format_named(self.format)
        columns = {ours: name for ours, name in self.layout.columns.items() if ours != name}
        layout = replace(self.layout, columns=columns) if fmt.takes_layout else Layout(system=self.layout.system)
        return replace(layout, metric=self.layout.metric if fmt.takes_metric else None)


@dataclass(frozen=True, slots=True)
class ImportJob:
    """A request with all values that the process needs.

    It is sent through a pipe, so that nobody else sees the password in the database's address.
    """

    folder: Path  # folder of uploaded files; the process runs in this folder, so that messages name files without paths
    request: ImportRequest
    data_dir: Path
    database: str | None
    who: str  # name that the log shows for the person who started the import
    look: bool = False  # True: only preview the file
    published: str = ""  # name of published data to fetch and import, instead of uploaded files
    downloads: Downloads = Downloads()  # settings of downloads, which may contain a proxy's password


def page_words(text: str) -> str:
    """Return a message for a page: without the command's options, which messages name in brackets."""
    return _OPTION.sub("", text)


def start(job: ImportJob) -> subprocess.Popen[bytes]:
    """Start a process that does a job. It ends when its standard input is closed, also by the end of this process.

    Raises BadSetting if this computer has no free memory, processes or open files left.
    """
    environment = {**os.environ, "PYTHONPATH": str(IMPORT_ROOT), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", f"{__package__}.import_worker"]
    try:
        process = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, cwd=IMPORT_ROOT, env=environment)
    except OSError as error:
        _log.exception("An import cannot be started.")
        raise BadSetting("This computer cannot start the process that reads the file. Try again later.") from error
    assert process.stdin is not None
    with suppress(OSError):  # the process may have ended already, which `followed` tells
        pickle.dump(job, process.stdin)
        process.stdin.flush()
    return process


def followed(process: subprocess.Popen[bytes], tell: Callable[[Progress], None] = ignore_progress) -> Progress:
    """Wait until a process ends, and return its last progress. `tell` gets each earlier progress."""
    last = ENDED_EARLY
    with process:
        for line in process.stdout or ():
            if line.endswith(b"\n"):  # otherwise the process ended while it wrote this line
                now = Progress(**json.loads(line))
                if now.state == "running":
                    tell(now)
                else:
                    last = now
        was_cancelled = process.stdin is not None and process.stdin.closed
        end(process)
    return CANCELLED if last is ENDED_EARLY and was_cancelled else last


def end(process: subprocess.Popen[bytes]) -> None:
    """Ask a process to end. An import that is already writing to the database is completed."""
    if process.stdin is not None:
        with suppress(OSError, ValueError):  # the process may have ended before it read everything
            process.stdin.close()
