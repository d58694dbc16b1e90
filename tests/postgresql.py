"""A PostgreSQL of the tests' own, on a socket in a folder of its own, that forgets everything. No test lives here."""

import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from storage.tables import Table

DEBIAN = Path("/usr/lib/postgresql")
USER = "capscope"
READY = "database system is ready to accept connections"
FAST = {  # nothing here must survive a power cut
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "autovacuum": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "shared_buffers": "32MB",
    "max_connections": "200",
    "listen_addresses": "",
    "jit": "off",
}

_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class Postgres:
    """A server that runs."""

    folder: Path
    version: int  # 15 of 15.18
    _open: dict[str, Any] = field(default_factory=dict)  # connections by database
    _kept: set[str] = field(default_factory=set)  # databases that can be put back

    def url(self, database: str) -> str:
        """Return the address of one of its databases."""
        return f"postgresql+psycopg://{USER}@/{database}?host={self.folder}"

    def do(self, *statements: str, database: str = "postgres") -> None:
        """Run statements, each on its own, over a connection that stays open: beginning one takes 15 ms."""
        import psycopg

        if database not in self._open:
            self._open[database] = psycopg.connect(self.url(database).replace("+psycopg", ""), autocommit=True)
        for statement in statements:
            self._open[database].execute(statement)

    def close(self) -> None:
        """Close every connection."""
        while self._open:
            self._open.popitem()[1].close()

    def keep(self, database: str) -> None:
        """Keep a database's rows as they are now, for put_back."""
        names = Table.metadata.tables
        made = (f"CREATE TABLE kept.{name} AS SELECT * FROM public.{name}" for name in names)
        self.do("CREATE SCHEMA kept", *made, database=database)
        self._kept.add(database)

    def put_back(self, database: str) -> str:
        """Let a database hold what was kept of it, some milliseconds' work; returns its address."""
        tables = Table.metadata.sorted_tables
        gone = (f"DELETE FROM public.{table.name}" for table in tables)
        rows = (f"INSERT INTO public.{table.name} SELECT * FROM kept.{table.name}" for table in tables)
        counts = (
            f"SELECT setval('{table.name}_id_seq', coalesce((SELECT max(id) FROM {table.name}), 0) + 1, false)"
            for table in tables
            if table.autoincrement_column is not None
        )
        unguarded = "SET LOCAL session_replication_role = replica"  # no trigger, no foreign key
        self.do("; ".join(("BEGIN", unguarded, *gone, *rows, *counts, "COMMIT")), database=database)
        return self.url(database)

    @contextmanager
    def copy(self, template: str) -> Iterator[str]:
        """Copy a database that nobody uses for the time of the block; returns the copy's address."""
        name = f"{template}_{next(_numbers)}"
        if template in self._kept:
            self.put_back(template)
            self._open.pop(template).close()  # who copies a database must be alone
        how = " STRATEGY file_copy" if self.version >= 15 else ""  # a fifth of the time of what has been usual since
        self.do(f"CREATE DATABASE {name} TEMPLATE {template}{how}")
        yield self.url(name)
        self.do(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, or None where there is none."""
    versions = sorted(DEBIAN.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    found = versions[-1] if versions else shutil.which("initdb")
    return None if found is None else Path(found).parent


@contextmanager
def running(bin_: Path, **settings: str) -> Iterator[Postgres]:
    """Run a server as nobody special, which PostgreSQL demands; it ends with this process, however that ends."""
    named = tempfile.gettempdir()
    short = named if len(named) < 60 else "/tmp"  # a socket's path is 107 characters at most
    folder = Path(tempfile.mkdtemp(prefix="capscope-pg-", dir=short))
    try:
        shutil.chown(folder, *_owner())
        _run(bin_ / "initdb", "-D", folder / "data", "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N")
        options = [f"-c{name}={value}" for name, value in (FAST | settings).items()]
        command = _command(bin_ / "postgres", "-D", folder / "data", "-k", folder, *options)
        server = subprocess.Popen(command, cwd="/", stderr=subprocess.PIPE, text=True)
        try:
            assert server.stderr is not None
            said = []
            for line in server.stderr:
                said.append(line)
                if READY in line:
                    break
            else:
                raise RuntimeError("".join(said))
            threading.Thread(target=deque, args=(server.stderr, 0), daemon=True).start()
            made = Postgres(folder, int((folder / "data" / "PG_VERSION").read_text()))
            yield made
            made.close()
        finally:
            server.send_signal(signal.SIGQUIT)  # at once: nothing is to be kept
            server.wait()
    finally:
        shutil.rmtree(folder)


def _owner() -> tuple[str, str] | tuple[int, int]:
    return ("postgres", "postgres") if os.geteuid() == 0 else (os.geteuid(), os.getegid())


def _command(*command: object) -> list[str]:
    plain = list(map(str, command))
    if os.geteuid() != 0:
        return plain
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--pdeathsig=QUIT", *plain]


def _run(*command: object) -> None:
    ran = subprocess.run(_command(*command), cwd="/", capture_output=True, text=True)
    if ran.returncode:
        raise RuntimeError(ran.stderr)
