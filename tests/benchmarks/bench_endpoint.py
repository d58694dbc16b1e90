"""Scores a second from a model server, beside what its slowness allows, and the memory of a long run.

The server is a process of its own that takes 200 ms a request and computes nothing, so that what is measured is
everything else: opening and padding pictures, requests, reading digits, a transaction a sample.
"""

import json
import tempfile
import time
from pathlib import Path

import numpy as np
import psutil
from PIL import Image

from app import main
from core.metrics.evaluator import Evaluator
from core.models import Endpoint, ModelSettings
from tests.benchmarks.rows import Row
from tests.benchmarks.serving import bare
from ui.services.scoring.score_runs import run_scoring
from ui.services.scoring.scoring_plan import plan_scoring
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings

DELAY_S = 0.2
AT_A_TIME = {1: 40, 8: 320, 32: 1_280}  # samples, by how many are asked about at a time: 8 s each at best
SHARE = 0.9  # of the ideal rate, at least
LONG, PICTURES = 20_000, 200
FLAT_MB = 30.0  # that memory may rise over the last nine tenths of a long run


def run() -> list[Row]:
    """Measure rates, then memory with a server that answers at once."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        workplace = data(folder)
        try:
            with bare("slow_model", folder, str(DELAY_S)) as server:
                rows = [rate(workplace, server.url, parallel, count) for parallel, count in AT_A_TIME.items()]
            with bare("slow_model", folder, "0") as server:
                return [*rows, memory(workplace, server.url)]
        finally:
            workplace.repository.close()


def data(folder: Path) -> Workplace:
    """Return a data folder with 20,000 captions of photographs' size on 200 pictures."""
    random = np.random.default_rng(0)
    for number in range(PICTURES):
        pixels = random.integers(0, 255, (6, 8, 3), dtype=np.uint8)
        Image.fromarray(pixels).resize((500, 375), Image.Resampling.BICUBIC).save(folder / f"{number}.jpg")
    rows = [{"image": f"{n % PICTURES}.jpg", "caption": f"caption number {n} of this one"} for n in range(LONG)]
    (folder / "long.jsonl").write_text("\n".join(map(json.dumps, rows)))
    command = ["import", "jsonl", str(folder / "long.jsonl"), "--images", str(folder)]
    assert main(command, {"CAPSCOPE_DATA": str(folder / "data")}) == 0
    return open_workplace(Settings(data_dir=folder / "data"))


def settings(url: str, parallel: int, strict: bool = False) -> ModelSettings:
    """Return what asks that server, so many at a time; strict only makes another signature."""
    return ModelSettings(endpoint=Endpoint(f"{url.rstrip('/')}/v1", parallel=parallel), strict_reference=strict)


def rate(workplace: Workplace, url: str, parallel: int, count: int) -> Row:
    """Score some samples, so many at a time."""
    evaluator = Evaluator()
    plan = plan_scoring(workplace, evaluator, "FLEUR", "long", settings(url, parallel), limit=count)
    start = time.perf_counter()
    report = run_scoring(workplace, evaluator, plan)
    seconds = time.perf_counter() - start
    ideal = parallel / DELAY_S
    return Row(
        f"scores a second over a server of {DELAY_S * 1000:.0f} ms, {parallel} at a time",
        count / seconds,
        "scores/s",
        theirs=ideal,
        other="ideal",
        least=SHARE * ideal,
        holds=report.scored == count,
    )


def memory(workplace: Workplace, url: str) -> Row:
    """Score everything; how far memory rises after the first tenth."""
    evaluator, process = Evaluator(), psutil.Process()
    plan = plan_scoring(workplace, evaluator, "FLEUR", "long", settings(url, 32, strict=True))
    seen: list[float] = []

    def note(what: str, done: int, total: int) -> None:
        if done % 200 == 0:
            seen.append(process.memory_info().rss / 1e6)

    start = time.perf_counter()
    report = run_scoring(workplace, evaluator, plan, note)
    seconds = time.perf_counter() - start
    rise = max(seen) - max(seen[: len(seen) // 10])
    return Row(
        f"memory that {LONG:,} samples over a server take after the first tenth",
        rise,
        "MB",
        most=FLAT_MB,
        holds=report.scored == LONG,
        note=f"{LONG / seconds:.0f} scores/s with a server that answers at once; {max(seen):.0f} MB in all",
    )
