"""Print progress as lines, for logs: the part done, the speed, and the time left."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from core.long_work.progress import Progress

EVERY_S = 30.0  # seconds between two lines of progress


class ProgressLines:
    """Prints progress of the running work as lines, and knows when the work started."""

    def __init__(self) -> None:
        self._begun: dict[str, tuple[float, int]] = {}  # kind of work -> (first report's time in s, steps done by then)
        self._now: tuple[str, int, int] | None = None
        self._lock = threading.Lock()

    def note(self, what: str, done: int, total: int) -> None:
        """Store the progress of the work for the next printed line."""
        with self._lock:
            self._begun.setdefault(what, (monotonic(), done))
            self._now = (what, done, total)

    def line(self, now: float) -> str | None:
        """Return a line about the running work; None for finished work.

        now: the present time in seconds, from the same clock as the start time.
        """
        with self._lock:
            if self._now is None or self._now[1] >= self._now[2]:
                return None
            what, done, total = self._now
            since, first = self._begun[what]
        rate = (done - first) / max(now - since, 1e-9)
        if not rate:
            return f"{what}: {done:,} of {total:,}, no progress in {duration(now - since)}"
        speed = f"{rate:.1f}/s" if rate >= 1 else f"{60 * rate:.1f}/min"
        left = duration((total - done) / rate)
        return f"{what}: {done:,} of {total:,} ({100 * done / total:.1f} %), {speed}, {left} left"


def duration(seconds: float) -> str:
    """Return a time in words, such as 2 h 5 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min"
    if whole < 48 * 3600:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 86400:,} days"


@contextmanager
def progress_lines() -> Iterator[Progress]:
    """Print a progress line every 30 s while a long job runs.

    The line goes to standard error, also if the job makes no progress.
    """
    lines, ended = ProgressLines(), threading.Event()
    thread = threading.Thread(target=_print_lines, args=(lines, ended), name="progress", daemon=True)
    thread.start()
    try:
        yield lines.note
    finally:
        ended.set()
        thread.join()


def _print_lines(lines: ProgressLines, ended: threading.Event) -> None:
    while not ended.wait(EVERY_S):
        line = lines.line(monotonic())
        if line is not None:
            print(line, file=sys.stderr, flush=True)
