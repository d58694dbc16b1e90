"""What `score` refuses on Ray before anything starts; what Ray does is in tests/core/engines."""

import importlib.util
from pathlib import Path

import pytest

from core.engines import ray_workers
from core.types import EvaluationError, Score
from storage.types import Search
from tests.command_line import Run
from tests.making import write_rows
from ui.services.workplace import Workplace


def test_without_ray_it_is_said_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(ray_workers, "find_spec", lambda name: None if name == "ray" else find(name))
    rows = [{"image": "a.png", "caption": "A dog.", "references": ["A dog."]}]
    assert run("import", "jsonl", write_rows(tmp_path, rows, "few.jsonl")).code == 0
    ran = run("score", "BLEU-4", "--dataset", "few", "--option", "workers=2")
    assert ran.code == 2 and "need the package Ray. Install it: pip install '.[scale]'" in ran.err
    ran = run("score", "BLEU-4", "--dataset", "few", "--option", "workers=none")
    assert ran.code == 2 and "workers must be a whole number" in ran.err


def test_several_outcomes_are_kept_together_or_not_at_all(birds: Workplace) -> None:
    def stored() -> dict[int, float | None]:
        samples = birds.repository.samples.many([1, 2])
        return {
            one.id: outcome.value if isinstance(outcome, Score) else None
            for one in samples
            for outcome in one.outcomes
            if outcome.metric == "M"
        }

    scores, samples = birds.repository.scores, birds.repository.samples
    good = [(1, Score("M", 0.5, "M|s")), (2, EvaluationError("M", "M|s", "other", "Nothing."))]
    with pytest.raises(Exception, match="(?i)constraint"):
        scores.save_all([*good, (999, Score("M", 0.5, "M|s"))])
    assert stored() == {}
    scores.save_all(good)
    scores.save_all([(1, Score("M", 0.9, "M|s")), (2, Score("M", 0.25, "M|s"))])
    assert stored() == {1: 0.5, 2: 0.25}  # a score stays, an error gives way
    assert len(samples.ids(Search("birds"))) == 6
