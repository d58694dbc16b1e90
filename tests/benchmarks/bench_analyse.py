"""The first plot of Analyse over 42,166 samples with four metrics, asked of a server that has just started."""

import tempfile
import time
from pathlib import Path

import httpx

from tests.benchmarks.growth import DATASET, METRICS, large_data
from tests.benchmarks.rows import Row
from tests.benchmarks.serving import ours

SAMPLES, MOST_S = 42_166, 1.0


def run() -> list[Row]:
    """Ask for the plot once, and once more for what later visits take."""
    with tempfile.TemporaryDirectory() as name:
        large_data(Path(name), SAMPLES, (*METRICS, "A", "B"))
        with ours(Path(name)) as server, httpx.Client(base_url=server.url, timeout=60, trust_env=False) as client:
            first, later = (_seconds(client) for _ in range(2))
    return [
        Row(f"first plot of Analyse, {SAMPLES:,} × 4", first, "s", most=MOST_S),
        Row("the same plot again", later, "s"),
    ]


def _seconds(client: httpx.Client) -> float:
    began = time.perf_counter()
    client.get("/api/analyse/section/plot", params={"dataset": DATASET}).raise_for_status()
    return time.perf_counter() - began
