"""Analyse with 10,000 to 1,000,000 samples: the wait for its plot in a real browser, its statistics, its memory.

Each visit has an empty browser cache. A plot can be pointed at when the plotting library has drawn it and takes clicks.
The picture before it takes clicks as well; the note says when. Statistics are asked for over HTTP when the samples and
scores are in the server's memory, each for the first time.
"""

import sqlite3
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, sync_playwright
from scipy.stats import kendalltau

from tests.benchmarks.growth import DATASET, METRICS, large_data, rows, sizes
from tests.benchmarks.rows import NotHere, Row
from tests.benchmarks.serving import Running, ours
from tests.chromium import CHROMIUM, QUIET

VIEW: Any = {"width": 1366, "height": 768}
PATIENCE_S = 600.0
MOST_WITH_INTERVALS = 100_000  # samples up to which the bootstrap is timed
FIRST, LATER, MEMORY = "first visit after a start", "later visit", "server's memory, at most"
_STATISTICS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "agreement": ("correlations", {"intervals": False}),
    "calibration": ("calibration", {}),
    "by category": ("categories", {}),
    "intervals of agreement": ("correlations", {}),
}
_MOST: Mapping[str, Mapping[int, float]] = {
    FIRST: {100_000: 2.5, 1_000_000: 10},
    LATER: {100_000: 1.5, 1_000_000: 3},
    "agreement": {100_000: 0.5, 1_000_000: 5},
    "by category": {100_000: 2, 1_000_000: 20},
    "calibration": {100_000: 1, 1_000_000: 8},
    "intervals of agreement": {100_000: 10},
}
_MOST_MB = {1_000_000: 1200.0}
# Resolves with the times since navigation of the first picture and of the plot that can be pointed at.
_DRAWN = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const plot = () => document.querySelector(".plot");
  while (!plot()?.dataset.samples) await frame();
  const first = performance.now();
  while (!plot().querySelector(".main-svg") || plot().querySelector(".plot-preview")) await frame();
  while (plot().whole === undefined) await frame();
  await plot().whole;
  await frame();
  await frame();
  return [first, performance.now()];
}"""


@dataclass(slots=True)
class _Found:
    """What was measured, by the number of samples."""

    seconds: dict[str, dict[int, float]] = field(default_factory=dict)
    theirs: dict[str, dict[int, float]] = field(default_factory=dict)
    notes: dict[str, list[str]] = field(default_factory=dict)
    mb: dict[int, float] = field(default_factory=dict)


def run() -> list[Row]:
    """Measure every size."""
    if not Path(CHROMIUM).exists():
        raise NotHere("needs Chromium: install Debian's package chromium")
    found = _Found()
    for size in sizes():
        with tempfile.TemporaryDirectory() as name:
            _measure(found, Path(name), size)
    named = [
        row
        for what, seconds in found.seconds.items()
        for row in rows(
            f"Analyse: {what}",
            seconds,
            _MOST.get(what, {}),
            found.theirs.get(what),
            _OTHERS.get(what, ""),
            found.notes.get(what, ()),
        )
    ]
    memory = [Row(f"Analyse: {MEMORY}, {size:,}", mb, "MB", most=_MOST_MB.get(size)) for size, mb in found.mb.items()]
    return [*named, *memory]


_OTHERS = {FIRST: "rows by sqlite3", "agreement": "taus by scipy"}


def _measure(found: _Found, folder: Path, size: int) -> None:
    database = large_data(folder, size)
    found.theirs.setdefault(FIRST, {})[size] = _plain_rows(database)
    found.theirs.setdefault("agreement", {})[size] = _plain_taus(database)
    with ours(folder) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        for what in (FIRST, LATER):
            first, drawn = _visit(browser, server)
            found.seconds.setdefault(what, {})[size] = drawn
            found.notes.setdefault(what, []).append(f"takes clicks after {first:.2f} s, before the library is there")
        browser.close()
        for what, (path, query) in _STATISTICS.items():
            if what != "intervals of agreement" or size <= MOST_WITH_INTERVALS:
                found.seconds.setdefault(what, {})[size] = _asked(server, path, query)
        status = Path(f"/proc/{server.process.pid}/status").read_text()
        found.mb[size] = int(status.partition("VmHWM:")[2].split()[0]) / 1024


def _visit(browser: Browser, server: Running) -> tuple[float, float]:
    """Return seconds to the first picture and to the plot that can be pointed at; no statistics are asked for."""
    page = browser.new_context(viewport=VIEW).new_page()
    page.set_default_timeout(1000 * PATIENCE_S)
    for later in ("correlations", "calibration", "categories"):
        page.route(f"**/api/analyse/{later}?*", lambda route: route.abort())  # is asked for by itself below
    page.goto(f"{server.url}/analyse?dataset={DATASET}", wait_until="commit")
    first, drawn = page.evaluate(_DRAWN)
    page.context.close()
    server.rest()
    return first / 1000, drawn / 1000


def _asked(server: Running, path: str, query: dict[str, Any]) -> float:
    with httpx.Client(base_url=server.url, timeout=PATIENCE_S, trust_env=False) as client:
        start = time.perf_counter()
        client.get(f"/api/analyse/{path}", params={"dataset": DATASET, "metric": METRICS, **query}).raise_for_status()
        return time.perf_counter() - start


def _plain_rows(database: Path) -> float:
    """Return what it takes to fetch the same rows with Python's driver."""
    start = time.perf_counter()
    with sqlite3.connect(database) as connection:
        connection.execute("SELECT id, key, candidate, human, judgements, image_id FROM samples").fetchall()
        connection.execute(
            "SELECT metric, signature, sample_id, value, scale_low, scale_high FROM scores WHERE value IS NOT NULL"
        ).fetchall()
    connection.close()
    return time.perf_counter() - start


def _plain_taus(database: Path) -> float:
    """Return what scipy takes for the same taus, once the numbers are there."""
    query = "SELECT value, human FROM scores JOIN samples ON samples.id = sample_id WHERE metric = ? AND value NOT NULL"
    with sqlite3.connect(database) as connection:
        columns = [[*zip(*connection.execute(query, (metric,)), strict=True)] for metric in METRICS]
    connection.close()
    start = time.perf_counter()
    for score, human in columns:
        for variant in ("b", "c"):
            kendalltau(score, human, variant=variant)
    return time.perf_counter() - start
