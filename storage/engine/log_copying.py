"""Copying SQLite's write-ahead log into the database file, beside the work of those who write.

By default SQLite lets the commit that makes the log long copy all of it. While somebody reads for long, nothing can be
copied and the log grows; the next commit then copies hundreds of megabytes. That commit may be a rater's answer.

So a thread copies the log after some answers, and long work copies it itself between two of its transactions.
"""

import sqlite3
from contextlib import suppress
from threading import Lock, Thread

EVERY = 100  # lasting transactions of this process


class LogCopying:
    """Copies a database's log after every so many transactions, in a thread that nobody waits for."""

    def __init__(self, connection: sqlite3.Connection, every: int = EVERY) -> None:
        """connection: one that nobody else uses, and that several threads may use one after the other."""
        self._connection, self._every = connection, every
        self._lock, self._copying, self._count = Lock(), Lock(), 0
        self._thread: Thread | None = None

    def written(self) -> None:
        """Count a transaction; begin to copy where it is time and nobody copies."""
        with self._lock:
            self._count += 1
            if self._count < self._every or (self._thread is not None and self._thread.is_alive()):
                return
            self._count = 0
            self._thread = Thread(target=self.copy, name="copying the log", daemon=True)
            self._thread.start()

    def copy(self) -> None:
        """Copy what can be copied now, and wait for it."""
        with self._copying, suppress(sqlite3.Error):  # a full or broken disk: whoever writes or reads next is told
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def close(self) -> None:
        """Wait until nobody copies."""
        with self._lock:
            if self._thread is not None:
                self._thread.join()
