"""Keep journals: lists of the files that imports store.

With a journal, the files of a killed import can be deleted. The journal is in a folder below `incoming` in the data
folder. The importing process locks a file in that folder. This shows other processes that the import is still running.
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

INCOMING = "incoming"  # folder of uploaded files and journals in the data folder
_COMMANDS = "command-"  # prefix of folders for imports that the command line makes without a server


@contextmanager
def journal(workplace: Workplace) -> Iterator[Path]:
    """Delete files that remain from killed `import` commands, then yield a new journal.

    Raises StorageUnavailable if these files cannot be deleted now.
    """
    place = workplace.data_dir / INCOMING
    clear_folders(workplace, list(place.glob(f"{_COMMANDS}*")))
    name = secrets.token_hex(8)
    made, folder = place / f".{name}", place / f"{_COMMANDS}{name}"
    made.mkdir(mode=0o700, parents=True)
    held = hold(made)
    made.rename(folder)  # renamed only after locking, because other processes find the folder by its new name
    try:
        yield folder / KEPT
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(held)


def clear_folders(workplace: Workplace, folders: Iterable[Path]) -> None:
    """Delete the folders of ended imports, and the files in their journals. Files that a data set uses are kept."""
    # Folders in use are skipped, because the import process of a killed server may still be running.
    left = [folder for folder in folders if not is_at_work(folder)]
    if left:
        workplace.repository.delete_hidden()  # first, because clear_kept() deletes no files that a data set uses
    for folder in left:
        clear_kept(workplace.repository, folder / KEPT)
        shutil.rmtree(folder, ignore_errors=True)
