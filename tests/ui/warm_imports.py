"""Importing processes that start at once: one process loads their code once, and forks for each import.

A forked process is a process of its own, with its own input, output and memory; it can be killed like any other. Tests
of the process itself start it anew: tests/ui/services/test_bringing.py. No test lives here.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
LONGEST_REQUEST = 2**20  # bytes: the variables of an environment


class Forked:
    """What import_process uses of subprocess.Popen."""

    def __init__(self, forking: socket.socket, environment: Mapping[str, str]) -> None:
        read, self._input = os.pipe()
        output, written = os.pipe()
        ending, ended = os.pipe()
        socket.send_fds(forking, [json.dumps(dict(environment)).encode()], [read, written, 2, ended])
        for taken in (read, written, ended):
            os.close(taken)
        self.stdin = open(self._input, "wb")
        self.stdout = open(output, "rb")
        self._ending = open(ending, encoding="ascii")
        self._lock = threading.Lock()
        self.pid = int(self._ending.readline())
        self.returncode: int | None = None

    def kill(self) -> None:
        """End the process, as Popen.kill does."""
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """Wait for the end of the process, as Popen.wait does."""
        with self._lock:
            if self.returncode is None:
                self.returncode = int(self._ending.read())
                self._ending.close()
            return self.returncode


@contextmanager
def forking() -> Iterator[socket.socket]:
    """Run the process that forks; it ends with this block, or with this process."""
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-m", "tests.ui.warm_imports", str(theirs.fileno())]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])
    theirs.close()
    with ours:
        yield ours
    process.wait()


def fork_imports(patch: pytest.MonkeyPatch, forking: socket.socket) -> None:
    """Let import_process fork its processes instead of starting them."""
    from ui.services.importing import import_process

    def popen(*_: object, env: Mapping[str, str], **__: Any) -> Forked:
        return Forked(forking, env)

    patch.setattr(import_process, "subprocess", SimpleNamespace(Popen=popen, PIPE=subprocess.PIPE))


def main() -> None:
    """Fork for every message until the socket is closed."""
    from ui.services.importing import import_worker, importing  # noqa: F401
    from ui.services.workplace import open_workplace  # noqa: F401

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # watchers leave no zombies
    asked = socket.socket(fileno=int(sys.argv[1]))
    while True:
        request, files, _, _ = socket.recv_fds(asked, LONGEST_REQUEST, 4)
        if not request:
            return
        if os.fork() == 0:
            asked.close()
            _watch(json.loads(request), files)
            os._exit(0)
        for file in files:
            os.close(file)


def _watch(environment: dict[str, str], files: list[int]) -> None:
    """Fork the process that imports, and tell its number and how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    *standard, ended = files
    pid = os.fork()
    if pid == 0:
        os.close(ended)
        _import(environment, standard)
    for file in standard:
        os.close(file)
    os.write(ended, f"{pid}\n".encode())
    os.write(ended, str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())


def _import(environment: dict[str, str], standard: list[int]) -> None:
    from ui.services.importing import import_worker

    for target, source in enumerate(standard):
        os.dup2(source, target)
        os.close(source)
    os.environ.clear()
    os.environ.update(environment)
    try:
        code = import_worker.main()
    except BaseException:  # noqa: BLE001 as Python does with an exception that nobody handles
        traceback.print_exc()
        code = 1
    os._exit(code)


if __name__ == "__main__":
    main()
