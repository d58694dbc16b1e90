"""Copy SQLite's write-ahead log into the database file in the background.

By default, SQLite copies the whole log in the commit that makes it long. During a long read nothing can be copied, and
the log grows. The next commit after the read then copies hundreds of megabytes. If that commit stores a rater's answer,
the rater waits.

So a thread copies the log after some transactions, and a long job copies it between two of its transactions.
"""

import sqlite3
from contextlib import suppress
from threading import Lock, Thread

EVERY = 100  # the log is copied each time this process has made this many durable transactions


class LogCopying:
    """Copy a database's log after every `EVERY` transactions, in a background thread."""

    def __init__(self, connection: sqlite3.Connection, every: int = EVERY) -> None:
        """Use a connection only for copying the log, after `every` transactions.

        Several threads must be able to use the connection in turn.
        """
        self._connection, self._every = connection, every
        self._lock, self._copying, self._count = Lock(), Lock(), 0
        self._thread: Thread | None = None

    def written(self) -> None:
        """Count a transaction. Start a copy if one is due and none is running."""
        with self._lock:
            self._count += 1
            if self._count < self._every or (self._thread is not None and self._thread.is_alive()):
                return
            self._count = 0
            self._thread = Thread(target=self.copy, name="copying the log", daemon=True)
            self._thread.start()

    def copy(self) -> None:
        """Copy as much of the log as possible now.

        The function returns when the copy has ended.
        """
        with self._copying, suppress(sqlite3.Error):  # a full or broken disk also stops the next reader or writer
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def close(self) -> None:
        """Wait until no copy is running."""
        with self._lock:
            if self._thread is not None:
                self._thread.join()
