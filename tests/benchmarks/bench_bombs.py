"""Four pictures at once that are small as files and as large as is allowed in memory, while somebody rates.

They are brought as one's own (decoded once) and then asked for in full (decoded and converted). The memory is that of
the server and of the processes in which it decodes, all together.
"""

import asyncio
import io
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import psutil
from PIL import Image

from core.images.pictures import MAX_PIXELS
from tests.benchmarks.bench_saving import AtWork, entered
from tests.benchmarks.rows import Row, percentile
from tests.benchmarks.serving import Running, ours
from tests.benchmarks.studies import make_study, workplace

SIDE = int(MAX_PIXELS**0.5)
ITEMS = 400
MOST_MB, MOST_MS = 1000.0, 200.0
_THINK_S, _LOOK_S = 0.3, 0.02
_WRITES = {"X-Capscope": "1"}


def run() -> list[Row]:
    """Bring four bombs at once, ask for the ones that must be converted, and save answers meanwhile."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with workplace(folder / "data") as place:
            make_study(place, folder / "files", ITEMS)
        with ours(folder / "data") as server:
            server.rest()
            return asyncio.run(_measured(server))


def bombs() -> Iterator[tuple[str, bytes]]:
    """Yield four pictures of as many pixels as are taken."""
    size = (SIDE, SIDE)
    for kind, image in (
        ("PNG", Image.new("RGBA", size, (10, 20, 30, 128))),
        ("PNG", Image.fromarray(np.zeros(size, np.uint16))),
        ("GIF", Image.new("P", size)),
        ("WEBP", Image.new("RGBA", size, (1, 2, 3, 100))),
    ):
        file = io.BytesIO()
        image.save(file, kind, **({"lossless": True} if kind == "WEBP" else {}))
        yield kind, file.getvalue()


async def _measured(server: Running) -> list[Row]:
    files = list(bombs())
    memory: list[float] = []
    times: list[float] = []
    done = asyncio.Event()
    before = _megabytes(server.process)
    async with httpx.AsyncClient(timeout=300, trust_env=False) as client:
        rater = await entered(client, server, "R1")
        watching = [asyncio.create_task(_watch(server, memory, done)), asyncio.create_task(_rate(rater, times, done))]
        start = time.perf_counter()
        taken = await asyncio.gather(*(_bring(client, server, *file) for file in files))
        shown = await asyncio.gather(*(client.get(f"{server.url}/api/images/{one}") for one in taken for _ in range(2)))
        seconds = time.perf_counter() - start
        done.set()
        await asyncio.gather(*watching)
    right = all(answer.is_success for answer in shown)
    largest = max(len(content) for _, content in files) / 1000
    note = f"{len(files)} files of at most {largest:.0f} kB, {SIDE} x {SIDE} px, each shown twice; {seconds:.0f} s"
    return [
        Row("peak memory with four bombs at once", max(memory), "MB", most=MOST_MB, holds=right, note=note),
        Row("a save meanwhile, p95", percentile(times, 95), "ms", most=MOST_MS, note=f"{len(times)} saves"),
        Row("memory before and after", _megabytes(server.process), "MB", before, "before"),
    ]


async def _bring(client: httpx.AsyncClient, server: Running, kind: str, content: bytes) -> int:
    """Bring a picture; returns the number by which it is asked for."""
    files = {"picture": (f"bomb.{kind.lower()}", content)}
    brought = await client.post(
        f"{server.url}/api/own", files=files, data={"caption": f"A {kind}, {len(content)} bytes."}, headers=_WRITES
    )
    brought.raise_for_status()
    sample = (await client.get(f"{server.url}/api/samples/{brought.json()['id']}")).json()
    return int(sample["image"].rpartition("/")[2])


async def _rate(rater: AtWork, times: list[float], done: asyncio.Event) -> None:
    for answer in rater.answers:
        if done.is_set():
            return
        start = time.perf_counter()
        problem = await rater.send(answer)
        assert not problem, problem
        times.append(1000 * (time.perf_counter() - start))
        await asyncio.sleep(_THINK_S)


async def _watch(server: Running, memory: list[float], done: asyncio.Event) -> None:
    while not done.is_set():
        memory.append(_megabytes(server.process))
        await asyncio.sleep(_LOOK_S)


def _megabytes(process: psutil.Process) -> float:
    """Return the resident memory of a process and of those that it has started."""
    total = 0
    for one in (process, *process.children(recursive=True)):
        try:
            total += one.memory_info().rss
        except psutil.NoSuchProcess:
            pass  # it has just ended
    return total / 1e6
