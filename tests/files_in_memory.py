"""Tests keep their files in memory where the machine lets them: SQLite waits for the disk after every write.

A third of the time of tests that write is such waiting. No test lives here.
"""

import os
import shutil
import tempfile
from pathlib import Path

SHARED_MEMORY = Path("/dev/shm")
ENOUGH_BYTES = 4 * 2**30


def keep_files_in_memory() -> None:
    """Make temporary files in memory, this process's and its children's, unless TMPDIR names another folder."""
    if "TMPDIR" not in os.environ and _has_room(SHARED_MEMORY):
        os.environ["TMPDIR"] = tempfile.tempdir = str(SHARED_MEMORY)


def _has_room(folder: Path) -> bool:
    """Whether a folder in memory holds what tests write, and programs that they install there can run."""
    if not folder.is_dir() or os.statvfs(folder).f_flag & os.ST_NOEXEC:
        return False
    return os.access(folder, os.W_OK) and shutil.disk_usage(folder).free >= ENOUGH_BYTES
