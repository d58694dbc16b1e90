"""From `python app.py` to the demo's first overlay on the screen, beside a bare Gradio app's first byte, by turns.

The clock starts with the process and stops in the second animation frame after the page shows coloured regions: a
browser that is open already asks for the page from the first moment on. Byte code is there; every start of ours but the
first finds its data folder made.
"""

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.benchmarks.rows import NotHere, Row
from tests.benchmarks.serving import bare, ours
from tests.chromium import CHROMIUM, QUIET

RUNS = 3
MOST_S = 5.0
DRAWN = """() => new Promise((resolve) => {
  const look = () => {
    const picture = document.querySelector(".region-layer img");
    const drawn = picture?.complete && document.querySelector("path.region.mentioned");
    if (drawn) requestAnimationFrame(() => requestAnimationFrame(resolve));
    else requestAnimationFrame(look);
  };
  look();
})"""


def run() -> Iterator[Row]:
    """Start both by turns: the first start of ours makes the demo."""
    if not Path(CHROMIUM).exists():
        raise NotHere("needs Chromium: install Debian's package chromium")
    times: list[float] = []
    bytes_: list[float] = []
    theirs: list[float] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        for _ in range(RUNS + 1):
            seconds, first_byte = overlay(browser, Path(folder) / "data")
            times.append(seconds)
            bytes_.append(first_byte)
            with bare("bare_app", Path(folder)) as server:
                theirs.append(server.seconds)
        browser.close()
    beside = statistics.median(theirs)
    note = f"first byte after {statistics.median(bytes_[1:]):.1f} s"
    yield Row(
        "start to overlay",
        statistics.median(times[1:]),
        "s",
        beside,
        "bare Gradio app, first byte",
        most=MOST_S,
        note=note,
    )
    yield Row("first start to overlay, demo made", times[0], "s", theirs[0], "bare Gradio app, first byte")


def overlay(browser: Browser, data_dir: Path) -> tuple[float, float]:
    """Return the seconds from a start to the overlay, and to the first byte."""
    start = time.perf_counter()
    with ours(data_dir, byte_code=True) as server:
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        page.goto(f"{server.url}/", wait_until="commit")
        page.evaluate(DRAWN)
        seconds = time.perf_counter() - start
        page.close()
        return seconds, server.seconds
