"""Journals of the files that imports keep, so that the files of a killed import can be deleted.

A journal lies in a folder below `incoming` in the data folder. The process that imports locks a file in it.
"""

import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ui.services.importing.import_pictures import clear_kept
from ui.services.importing.import_process import KEPT, hold, is_at_work
from ui.services.workplace import Workplace

INCOMING = "incoming"  # folder of what was received, and of journals, in the data folder
_COMMANDS = "command-"  # folders of imports without a server


@contextmanager
def journal(workplace: Workplace) -> Iterator[Path]:
    """Delete what killed imports by commands have left, then yield the journal of another one.

    Raises StorageUnavailable where that is not possible now.
    """
    place = workplace.data_dir / INCOMING
    clear_folders(workplace, list(place.glob(f"{_COMMANDS}*")))
    name = secrets.token_hex(8)
    made, folder = place / f".{name}", place / f"{_COMMANDS}{name}"
    made.mkdir(mode=0o700, parents=True)
    held = hold(made)
    made.rename(folder)  # from now on others find it, and find it locked
    try:
        yield folder / KEPT
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(held)


def clear_folders(workplace: Workplace, folders: Iterable[Path]) -> None:
    """Delete folders that nobody imports from, with the files that their journals name and no data set has."""
    left = [folder for folder in folders if not is_at_work(folder)]  # a killed server's process may be at work still
    if left:
        workplace.repository.delete_hidden()  # first, so that no data set has their pictures any more
    for folder in left:
        clear_kept(workplace.repository, folder / KEPT)
        shutil.rmtree(folder, ignore_errors=True)
