"""The static copy of the demo in a browser: first paint, first overlay; its size, and how long it takes to write.

Served as plain files from this machine, each time by a browser that has seen none of them.
"""

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from playwright.sync_api import Browser, sync_playwright

from tests.benchmarks.bench_start_to_overlay import DRAWN
from tests.benchmarks.rows import NotHere, Row
from tests.benchmarks.serving import ROOT
from tests.chromium import CHROMIUM, QUIET
from tests.plain_files import QuietFiles

RUNS = 5
MOST_PAINT_S, MOST_MB = 1.5, 1.0
_MEGABYTE = 1_000_000
_PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"


def run() -> Iterator[Row]:
    """Write the copy, then open it anew several times."""
    if not Path(CHROMIUM).exists():
        raise NotHere("needs Chromium: install Debian's package chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        copy = Path(folder) / "sub" / "demo"
        start = time.perf_counter()
        command = [sys.executable, "app.py", "demo", "export", str(copy)]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        seconds = time.perf_counter() - start
        served = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietFiles, directory=folder))
        Thread(target=served.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        address = f"http://127.0.0.1:{served.server_address[1]}/sub/demo/"
        opened = [_open(browser, address) for _ in range(RUNS)]
        browser.close()
        served.shutdown()
        files = [path for path in copy.rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files if path.parent.name != "pictures")
    paint, overlay = (statistics.median(times) for times in zip(*opened, strict=True))
    yield Row("static demo, first paint", paint, "s", most=MOST_PAINT_S)
    yield Row("static demo, first overlay", overlay, "s")
    yield Row("static demo without photographs", size / _MEGABYTE, "MB", most=MOST_MB, note=f"{len(files)} files")
    yield Row("static demo written", seconds, "s", note="models loaded, captions judged")


def _open(browser: Browser, address: str) -> tuple[float, float]:
    """Return the seconds to the first paint and to the first overlay, in a profile of its own."""
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    page = context.new_page()
    start = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.evaluate(DRAWN)
    seconds = time.perf_counter() - start
    painted = float(page.evaluate(_PAINTED))
    context.close()
    return painted, seconds
