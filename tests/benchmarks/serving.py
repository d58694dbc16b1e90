"""Servers in processes of their own, ours and bare Gradio ones, and waiting for them."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 120.0
_PAUSE_S = 0.01  # between two looks


@dataclass(frozen=True, slots=True)
class Running:
    """A server that answers."""

    url: str
    log: Path
    seconds: float  # from its start to the first byte of its first page
    processor_s: float  # processor time it took for that, user and system


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def ours(data_dir: Path, byte_code: bool | None = None, door: bool = False) -> Iterator[Running]:
    """Run `python app.py` on a data folder; byte_code as for `bare`; door: people have to sign in."""
    port = free_port()
    address = {"CAPSCOPE_PUBLIC_URL": f"http://127.0.0.1:{port}"} if door else {}
    data_dir.mkdir(parents=True, exist_ok=True)
    command = ["app.py", "--port", str(port), "--data-dir", str(data_dir)]
    with _serving(command, port, data_dir / "server.log", byte_code, address) as server:
        yield server


@contextmanager
def bare(module: str, folder: Path, *arguments: str, byte_code: bool | None = None) -> Iterator[Running]:
    """Run a bare Gradio app: a module of this package that takes a port, then its own arguments.

    byte_code: whether Python may write it, if that is not left to the environment.
    """
    port = free_port()
    folder.mkdir(parents=True, exist_ok=True)
    command = ["-m", f"tests.benchmarks.{module}", str(port), *arguments]
    with _serving(command, port, folder / f"{module}.log", byte_code) as server:
        yield server


@contextmanager
def _serving(
    arguments: Sequence[str], port: int, log: Path, byte_code: bool | None, variables: Mapping[str, str] = {}
) -> Iterator[Running]:
    environment = os.environ | {"GRADIO_ANALYTICS_ENABLED": "False", "NO_PROXY": "127.0.0.1,localhost"} | variables
    if byte_code is not None:
        environment["PYTHONDONTWRITEBYTECODE"] = "" if byte_code else "1"  # empty is as good as unset
    with log.open("wb") as output:
        start = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, *arguments], cwd=ROOT, env=environment, stdout=output, stderr=output
        )
        try:
            while not _first_byte(port):
                if process.poll() is not None or time.perf_counter() - start > PATIENCE_S:
                    raise RuntimeError(f"The server did not come up:\n{log.read_text()}")
                time.sleep(_PAUSE_S)
            seconds = time.perf_counter() - start
            busy = psutil.Process(process.pid).cpu_times()
            yield Running(f"http://127.0.0.1:{port}", log, seconds, busy.user + busy.system)
        finally:
            process.terminate()
            process.wait()


def _first_byte(port: int) -> bool:
    """Ask for the first page; returns whether it, or the way to it, is answered."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
            connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
            return connection.recv(12).endswith((b" 200", b" 303"))
    except OSError:
        return False
