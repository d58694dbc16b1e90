"""The memory of a server that does everything again and again: import, list, search, copy, Analyse and exports.

Each round brings a file of its own, so that nothing is answered from what the round before left behind. What counts is
the memory that is the server's alone after a round, when it has come to rest.
"""

import csv
import io
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

from tests.benchmarks.growth import DATASET, METRICS, large_data, sizes
from tests.benchmarks.rows import Row
from tests.benchmarks.serving import Running, ours
from tests.benchmarks.studies import workplace
from tests.benchmarks.waiting import make_rated_study, other_process
from ui.web.access.security import WRITE_HEADER

ROUNDS, WARM_UP = 10, 3  # of which the first few fill what is kept on purpose
BROUGHT = 10_000  # rows that a round imports
MOST_RATIO = 1.1  # after the last round, beside the memory after the warm-up
MOST_WAIT_MS = 100.0
_LOOK_S = 0.2


def run() -> list[Row]:
    """Go through the rounds on the largest but one data set, while raters save."""
    size = sizes()[-2:][0]
    with tempfile.TemporaryDirectory() as name:
        data = Path(name)
        large_data(data, size)
        with workplace(data) as place:
            make_rated_study(place, data / "rated")
        with ours(data) as server, other_process(data) as raters:
            after = [_round(server, number) for number in range(ROUNDS)]
        waits = raters.waits()
    told = ", ".join(f"{mb:,.0f}" for mb in after)
    what = f"server's own memory after {ROUNDS} rounds of everything, {size:,} samples"
    return [
        Row(what, after[-1], "MB", after[WARM_UP - 1], f"after {WARM_UP}", most_ratio=MOST_RATIO, note=told),
        Row(
            "p99 of raters' saves meanwhile", waits.p99, "ms", most=MOST_WAIT_MS, holds=waits.is_sound, note=waits.note
        ),
    ]


def _round(server: Running, number: int) -> float:
    """Do everything once; returns the MB that are the server's alone, children not counted."""
    headers = {WRITE_HEADER: "1"}
    with httpx.Client(base_url=server.url, headers=headers, timeout=600, trust_env=False) as client:
        made = f"round-{number}"
        _import(client, made)
        for dataset in (made, DATASET):
            _look(client, dataset)
            _analyse(client, dataset)
        chosen = {"dataset": DATASET, "text": f"number {number + 1}"}
        copied = _told(client.post("/api/datasets", json={"name": f"{made}-copy", "samples": chosen}))
        assert copied["samples"] > 100
    server.rest()
    return float(server.process.memory_full_info().uss) / 2**20


def _import(client: httpx.Client, name: str) -> None:
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerow(["image", "caption", "human", *(f"score:{metric}" for metric in METRICS)])
    for row in range(BROUGHT):
        writer.writerow([f"{row // 5}.jpg", f"{name} shows dog {row}", row % 101 / 100, row % 97 / 96, row % 89 / 88])
    key = _told(client.post("/api/imports"))["id"]
    path = f"/api/imports/{key}"
    content = table.getvalue().encode()
    called = _told(client.put(f"{path}/files", params={"name": "rows.csv", "offset": 0}, content=content))["name"]
    _told(client.post(f"{path}/start", json={"files": [called], "format": "csv", "dataset": name}))
    while (state := _told(client.get(path)))["state"] in ("waiting", "running"):
        time.sleep(_LOOK_S)
    assert state["state"] == "done", state


def _look(client: httpx.Client, dataset: str) -> None:
    _told(client.get("/api/datasets"))
    asked: tuple[dict[str, Any], ...] = (
        {},
        {"page": 100},
        {"text": "dog"},
        {"sort": "score", "metric": METRICS[0], "falling": True},
    )
    for more in asked:
        _told(client.get("/api/samples", params={"dataset": dataset, **more}))


def _analyse(client: httpx.Client, dataset: str) -> None:
    chosen = {"dataset": dataset, "metric": list(METRICS)}
    _told(client.get("/api/analyse/points", params=chosen))
    _told(client.get("/api/analyse/correlations", params=chosen | {"intervals": False}))
    _told(client.get("/api/analyse/categories", params=chosen))
    _told(client.get("/api/analyse/calibration", params=chosen))
    _told(client.get("/api/analyse/errors", params={"dataset": dataset, "metric": METRICS[0]}))
    for path, query in (("/api/analyse/data.csv", chosen), ("/api/samples.jsonl", {"dataset": dataset})):
        with client.stream("GET", path, params=query) as answer:
            assert answer.is_success and sum(map(len, answer.iter_bytes())) > BROUGHT


def _told(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text[:500]
    return answer.json()
