"""Atomic writes: readers see either the old file or the whole new file."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_whole(path: Path, durable: bool = False) -> Iterator[Path]:
    """Yield a temporary path, whose file replaces `path` when the `with` block succeeds.

    If the block fails, `path` is unchanged and the temporary file is deleted. durable: whether the content is written
    to the disk before the file is renamed. If so, a power failure leaves either the old or the new file, never a
    damaged one. Raises OSError, for example if the folder is missing.
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
