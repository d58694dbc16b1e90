"""Python's memory in work that makes many small values."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_VALUES = 50_000  # new ones before the collector looks for circles among them; Python's own number is 700


@contextmanager
def rarely_collected() -> Iterator[None]:
    """Let Python's collector look for circles less often within the block.

    Rows of a file hold no circles and are freed without it, but at 700 new values it looks at all rows in hand again
    and again: an eighth of an import's time.
    """
    before = gc.get_threshold()
    gc.set_threshold(max(_VALUES, before[0]) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
