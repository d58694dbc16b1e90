"""Judging on Ray clusters on this machine, with workers and drivers that are killed. `pytest -m scale` runs them.

Most share one cluster that runs, which each run comes to by its address; starting one takes longer than judging.
"""

import json
import os
import signal
from collections.abc import Callable, Collection, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from core.engines.ray_workers import TRIES, Cluster
from core.metrics.evaluator import Evaluator
from core.models import ModelSettings
from core.types import EvaluationError, Explanation, Outcome, Score
from storage.types import Search
from tests.making import picture, write_rows
from tests.nearly import nearly
from ui.services.importing.annotations import annotate
from ui.services.importing.importing import import_files
from ui.services.scoring import score_runs, scoring_plan
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings

pytestmark = pytest.mark.scale
ROOT = Path(__file__).parents[3]
TROUBLE = "tests.core.engines.trouble"
WORDS = ("A dog runs on grass.", "Two dogs sleep.", "A cat and a dog.", "The hill is green.", "A dog is on the hill.")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A cluster with two cores that runs: runs come to it and leave it again."""
    clusters = pytest.importorskip("ray.cluster_utils", reason="needs Ray")
    unwatched = {"include_dashboard": False, "include_log_monitor": False, "no_monitor": True}
    running = clusters.Cluster(
        True, head_node_args={"num_cpus": 2, "num_gpus": 1, "object_store_memory": 200_000_000, **unwatched}
    )
    yield running.address
    running.shutdown()


@pytest.fixture
def field(tmp_path: Path) -> Callable[..., Workplace]:
    """A data set "field" on six annotated pictures, with a caption a row; and metrics of one's own."""

    def made(captions: int, *plugin: str, deadly: Collection[int] = (), held: Collection[int] = ()) -> Workplace:
        for number in range(6):
            picture(tmp_path / f"{number}.png", f"#{number}{number}8899")
        rows = [
            {
                "id": f"s{n}",
                "image": f"{n % 6}.png",
                "caption": f"{WORDS[n % 5]} {'deadly ' * (n in deadly)}{'held ' * (n in held)}{n}",
                "references": [WORDS[(n + 1) % 5], WORDS[(n + 2) % 5]],
            }
            for n in range(captions)
        ]
        images = [{"id": n, "file_name": f"{n}.png", "width": 64, "height": 48} for n in range(6)]
        shapes = [[4, 4, 40, 4, 40, 30, 4, 30], [2, 2, 20, 2, 20, 20, 2, 20]]
        regions = [
            {"id": 2 * n + k, "image_id": n, "category_id": k + 1, "segmentation": [shapes[k]]}
            for n in range(6)
            for k in range(2)
        ]
        kinds = [{"id": 1, "name": "dog"}, {"id": 2, "name": "hill"}]
        instances = tmp_path / "instances.json"
        instances.write_text(json.dumps({"images": images, "annotations": regions, "categories": kinds}))
        settings = Settings(data_dir=tmp_path / "data", plugin=tuple(f"{TROUBLE}:{name}" for name in plugin))
        workplace = open_workplace(settings)
        import_files(workplace, "jsonl", [write_rows(tmp_path, rows, "field.jsonl")])
        annotate(workplace, "field", instances)
        return workplace

    return made


def workers(of: int) -> list[Any]:
    """Return the processes below one that hold a metric."""
    import psutil

    def is_one(process: Any) -> bool:
        try:
            return "Worker" in " ".join(process.cmdline())
        except psutil.Error:  # it has just ended
            return False

    return [one for one in psutil.Process(of).children(recursive=True) if is_one(one)]


def outcomes(workplace: Workplace, metric: str) -> dict[str, list[Outcome]]:
    samples = workplace.repository.samples
    return {
        one.sample.key: [outcome for outcome in one.outcomes if outcome.metric == metric]
        for one in samples.many(samples.ids(Search("field")))
    }


def on_ray(
    workplace: Workplace,
    evaluator: Evaluator,
    metric: str,
    settings: ModelSettings,
    cluster: Cluster,
    kill: bool = False,
) -> score_runs.ScoringReport:
    """Score the data set; kill a worker as soon as something has come back."""
    plan = scoring_plan.plan_scoring(workplace, evaluator, metric, "field", settings)
    killed: list[int] = []
    earlier = workers(os.getpid())  # some of a run before may still be leaving

    def once(what: str, done: int, total: int) -> None:
        if kill and not killed and 0 < done < total:
            victim = next(one for one in workers(os.getpid()) if one not in earlier)
            killed.append(victim.pid)
            victim.send_signal(signal.SIGKILL)

    report = score_runs.run_scoring(workplace, evaluator, replace(plan, cluster=cluster), once)
    assert bool(killed) == kill
    return report


def here(workplace: Workplace, evaluator: Evaluator, metric: str, settings: ModelSettings) -> dict[str, Outcome]:
    """Judge the same samples in this process, one machine's way."""
    settings = scoring_plan.with_own_regions(evaluator.kind(metric), settings)
    samples = [one.sample for one in workplace.repository.scores.unscored("field", "by nobody")]
    return {
        sample.key: outcome
        for sample, outcome in zip(samples, evaluator.evaluate(metric, samples, settings), strict=True)
    }


def plain(explanation: Explanation) -> Any:
    """Return an explanation as JSON knows it."""
    return json.loads(json.dumps(asdict(explanation), default=dict))


def test_a_killed_worker_costs_no_sample_and_scores_are_those_of_one_machine(
    address: str, field: Callable[..., Workplace]
) -> None:
    workplace, settings = field(300), ModelSettings()
    evaluator = Evaluator(workplace.metrics)
    report = on_ray(workplace, evaluator, "HICE-S", settings, Cluster(address), kill=True)
    assert (report.scored, report.errors) == (300, 0)
    found, expected = outcomes(workplace, "HICE-S"), here(workplace, evaluator, "HICE-S", settings)
    assert len(found) == 300
    for key, (outcome,) in found.items():
        same = expected[key]
        assert isinstance(outcome, Score) and isinstance(same, Score)
        assert outcome.value == pytest.approx(same.value, abs=1e-9)
        assert plain(outcome.explanation) == nearly(plain(same.explanation), 1e-9)
        assert outcome.signature == same.signature
    workplace.repository.close()


def test_samples_that_end_their_worker_become_outcomes_that_say_so(
    address: str, field: Callable[..., Workplace], tmp_path: Path
) -> None:
    workplace = field(80, "Deadly", deadly=(42, 43))
    settings = ModelSettings(options={"notes": str(tmp_path)})
    cluster = Cluster(address, gpus_per_worker=1.0)  # there is one GPU, so a second worker would never begin
    report = on_ray(workplace, Evaluator(workplace.metrics), "Deadly", settings, cluster)
    assert (report.scored, report.errors) == (78, 2)
    found = outcomes(workplace, "Deadly")
    assert all(len(each) == 1 for each in found.values())
    for key in ("s42", "s43"):
        (outcome,) = found[key]
        assert isinstance(outcome, EvaluationError) and outcome.kind == "other"
        assert "stopped each time: with this sample among others, and with this sample alone" in outcome.message
        assert 3 <= len(list(tmp_path.glob(f"{key}-*"))) <= TRIES + 3  # so often it was begun
    sizes = {outcome.components["bytes"] for (outcome,) in found.values() if isinstance(outcome, Score)}
    assert sizes == {float((tmp_path / f"{n}.png").stat().st_size) for n in range(6)}
    workplace.repository.close()
