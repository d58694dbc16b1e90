"""Describe an import that a user requested in a browser, and start the process that previews or imports the files."""

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.datasets import format_named
from core.datasets.base import Layout
from core.installation import IMPORT_ROOT
from core.network import Downloads

REFUSED = ".refused.csv"  # CSV file in the job's folder with every refused row and picture


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """The files to import and the options."""

    files: tuple[str, ...] = ()  # names of the files to import, in the folder of uploaded files
    format: str = ""
    dataset: str = ""
    layout: Layout = Layout()
    metric: str | None = None
    images: tuple[str, ...] = ()  # where the pictures are: names of uploaded ZIP files, and folders of this computer
    skip_bad: bool = False

    @property
    def layout_of_format(self) -> Layout:
        """Return the part of the layout that the request's format accepts."""
        fmt = format_named(self.format)
        columns = {ours: name for ours, name in self.layout.columns.items() if ours != name}
        layout = replace(self.layout, columns=columns) if fmt.takes_layout else Layout()
        return replace(layout, system=self.layout.system if fmt.takes_system else None)

    @property
    def metric_of_format(self) -> str | None:
        """Return the metric's name if the format accepts one."""
        return self.metric if format_named(self.format).takes_metric else None


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


def start(job: ImportJob) -> subprocess.Popen[bytes]:
    """Start a process that does a job. It ends when its standard input is closed, also by the end of this process.

    Raises OSError if this computer has no free memory, processes or open files left.
    """
    environment = {**os.environ, "PYTHONPATH": str(IMPORT_ROOT), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", f"{__package__}.import_worker"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=IMPORT_ROOT, env=environment)
    assert process.stdin is not None
    try:
        pickle.dump(job, process.stdin)
        process.stdin.flush()
    except OSError:  # the process has ended already
        end(process)
        raise
    return process


def messages(process: subprocess.Popen[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the messages of a process. The last one has "done" or "problem", unless the process ended too early."""
    for line in process.stdout or ():
        if line.endswith(b"\n"):  # otherwise the process ended while it wrote this line
            yield json.loads(line)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def end(process: subprocess.Popen[bytes]) -> None:
    """Ask a process to end. An import that is already writing to the database is completed."""
    if process.stdin is not None:
        with suppress(OSError, ValueError):  # the process may have ended before it read everything
            process.stdin.close()
