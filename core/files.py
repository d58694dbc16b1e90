"""Files that appear whole or not at all: nobody ever reads half of one, whatever is killed when."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_whole(path: Path, durable: bool = False) -> Iterator[Path]:
    """Yield the path of a file to write beside `path`, which takes its place when the block ends well.

    An error in the block leaves `path` as it was and nothing beside it. durable: the content is on the disk before it
    gets its name, so that a power cut leaves the old file or the new one. Raises OSError, also without the folder.
    """
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        yield unfinished
        if durable:
            with unfinished.open("rb+") as file:
                os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def remove_with_leftovers(path: Path) -> None:
    """Delete a file, and what killed writers of it have left beside it."""
    for leftover in [path, *path.parent.glob(f".{path.name}.*.part")]:
        leftover.unlink(missing_ok=True)
