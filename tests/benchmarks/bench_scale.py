"""HICE-S by labels on a Ray cluster of this machine's, with one and two workers, beside the plain loop over a data set.

What is measured is the time from the first outcomes to the last, so that starting Ray and loading models stand apart.
Two workers can only be faster where two cores are idle: look at the load.
"""

import json
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from PIL import Image

from app import main
from core.engines.ray_data import AT_A_TIME, Cluster
from core.long_work.progress import Progress
from core.metrics.evaluator import Evaluator
from core.models import ModelSettings
from tests.benchmarks.rows import NotHere, Row
from ui.services.scoring import score_runs, scoring_plan
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings

SAMPLES, PICTURES = 640, 8
FASTER = 1.7  # two workers than the plain loop, at least, on two idle cores
WORDS = ("dog", "cat", "hill", "tree", "man", "bus", "ball", "woman", "bird", "house")


def run() -> list[Row]:
    """Score the same captions three times, each in a data folder of its own."""
    if find_spec("ray") is None:
        raise NotHere("needs Ray: make test-scale installs it")
    plain = _rates(lambda place, plan, told: score_runs.run_scoring(place, Evaluator(place.metrics), plan, told))
    rows = [Row("captions a second, HICE-S by labels, plain loop", plain[0], "captions/s", note=_after(plain[1]))]
    for workers in (1, 2):
        cluster = Cluster(workers=workers)
        found = _rates(lambda place, plan, told, cluster=cluster: score_runs.run_on_cluster(place, plan, cluster, told))
        row = Row(
            f"the same on Ray, {workers} worker{'s' if workers > 1 else ''}",
            found[0],
            "captions/s",
            theirs=plain[0],
            other="plain loop",
            least=FASTER * plain[0] if workers == 2 else None,
            note=_after(found[1]),
        )
        rows.append(row)
    return rows


def _after(seconds: float) -> str:
    return f"first outcomes after {seconds:.0f} s"


def _rates(score: Callable[[Workplace, scoring_plan.ScoringPlan, Progress], object]) -> tuple[float, float]:
    """Return captions a second from the first outcomes on, and how long those took."""
    with tempfile.TemporaryDirectory() as name:
        workplace = _data(Path(name))
        try:
            plan = scoring_plan.plan_scoring(
                workplace, Evaluator(workplace.metrics), "HICE-S", "field", ModelSettings()
            )
            seen: list[tuple[int, float]] = []
            begun = time.perf_counter()
            score(workplace, plan, lambda what, done, total: seen.append((done, time.perf_counter())))
            assert (
                seen[-1][0] == SAMPLES and len(workplace.repository.scores.values("field", plan.signature)) == SAMPLES
            )
            first = next(one for one in seen if one[0] >= AT_A_TIME)
            return (SAMPLES - first[0]) / (seen[-1][1] - first[1]), first[1] - begun
        finally:
            workplace.repository.close()


def _data(folder: Path) -> Workplace:
    """Return a data folder with captions of pictures that have three regions each."""
    shapes = [[10, 10, 300, 10, 300, 200, 10, 200], [50, 60, 200, 60, 200, 300, 50, 300], [5, 5, 60, 5, 60, 60, 5, 60]]
    for number in range(PICTURES):
        Image.new("RGB", (500, 375), (number * 30, 90, 120)).save(folder / f"{number}.jpg")
    images = [{"id": n, "file_name": f"{n}.jpg", "width": 500, "height": 375} for n in range(PICTURES)]
    regions = [
        {"id": 3 * n + k, "image_id": n, "category_id": (n + k) % len(WORDS), "segmentation": [shapes[k]]}
        for n in range(PICTURES)
        for k in range(3)
    ]
    kinds = [{"id": number, "name": word} for number, word in enumerate(WORDS)]
    (folder / "instances.json").write_text(json.dumps({"images": images, "annotations": regions, "categories": kinds}))
    rows = [
        {
            "image": f"{n % PICTURES}.jpg",
            "caption": f"A {WORDS[n % 10]} and a {WORDS[n % 7]} near the {WORDS[n % 9]} {n}.",
        }
        for n in range(SAMPLES)
    ]
    (folder / "field.jsonl").write_text("\n".join(map(json.dumps, rows)))
    command = ["import", "jsonl", str(folder / "field.jsonl"), "--regions", str(folder / "instances.json")]
    assert main(command, {"CAPSCOPE_DATA": str(folder / "data")}) == 0
    return open_workplace(Settings(data_dir=folder / "data"))
