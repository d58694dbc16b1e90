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
from dataclasses import dataclass
from pathlib import Path

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
    bin: Path

    def new(self) -> str:
        """Make an empty database; return its address."""
        name = f"capscope_{next(_numbers)}"
        _run(self.bin / "createdb", "-h", self.folder, "-U", USER, name)
        return f"postgresql+psycopg://{USER}@/{name}?host={self.folder}"


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, or None where there is none."""
    versions = sorted(DEBIAN.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    found = versions[-1] if versions else shutil.which("initdb")
    return None if found is None else Path(found).parent


@contextmanager
def running(bin_: Path) -> Iterator[Postgres]:
    """Run a server as nobody special, which PostgreSQL demands; it ends with this process, however that ends."""
    named = tempfile.gettempdir()
    short = named if len(named) < 60 else "/tmp"  # a socket's path is 107 characters at most
    folder = Path(tempfile.mkdtemp(prefix="capscope-pg-", dir=short))
    try:
        shutil.chown(folder, *_owner())
        _run(bin_ / "initdb", "-D", folder / "data", "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N")
        options = [f"-c{name}={value}" for name, value in FAST.items()]
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
            yield Postgres(folder, bin_)
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
