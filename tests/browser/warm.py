"""Servers that start at once: a process imports the app and builds it once, and forks whenever a server is asked for.

A forked server is a process of its own with a data folder, a log and a port of its own; it can be killed like any
other. Nothing is open and no thread has begun when it is forked. What a start of `python app.py` alone shows is
tested with one; see Server.start.
"""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]


class Warm:
    """The process that forks."""

    def __init__(self) -> None:
        command = [sys.executable, "-W", "ignore", "-m", "tests.browser.warm"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def fork(self, arguments: Sequence[str], log: Path, environ: Mapping[str, str] | None = None) -> int:
        """Run `python app.py` with these arguments, and variables beside ours; returns its process id."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{json.dumps([str(log), dict(environ or {}), *arguments])}\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


@cache
def warm() -> Warm:
    """Return the one of this run; it ends with the process that asked for it, whose end closes its input."""
    return Warm()


def main() -> None:
    """Fork for every line of standard input."""
    import app

    _build_once()
    assert threading.active_count() == 1, threading.enumerate()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # servers that end leave no zombies
    os.environ["CAPSCOPE_WARM"] = "0"  # models are loaded by the tests that look at something
    for line in sys.stdin:
        log, environ, *arguments = json.loads(line)
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _redirect(log)
            os._exit(app.main(arguments, {**os.environ, **environ}))
        print(pid, flush=True)


def _build_once() -> None:
    """Build an app for nobody: whatever it reads of types is known to those that are forked."""
    from core.models.parser import import_spacy
    from ui.services.workplace import open_workplace
    from ui.settings import Settings
    from ui.web.server import build_app  # imports Gradio, which takes longest

    import_spacy()  # this and what follows would be loaded by each server that needs it
    for library in ("pandas", "scipy.special", "scipy.stats"):
        import_module(library)
    with TemporaryDirectory() as folder:
        workplace = open_workplace(Settings(data_dir=Path(folder)))
        build_app(workplace)
        workplace.repository.close()


def _redirect(log: str) -> None:
    written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for target, source in ((0, os.open(os.devnull, os.O_RDONLY)), (1, written), (2, written)):
        os.dup2(source, target)


if __name__ == "__main__":
    main()
