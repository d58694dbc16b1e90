"""What takes long to make is made once for all processes of a run. No test lives here."""

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that the first process to ask for it makes; nobody may change what is in it."""
    top = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        top = top.parent  # which the processes of a run share
    folder, begun = top / f"once-{name}", top / f"begun-{name}"
    with (top / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            shutil.rmtree(begun, ignore_errors=True)  # of a process that failed
            begun.mkdir()
            make(begun)
            begun.rename(folder)
    return folder
