"""What `score --engine ray` refuses before anything starts; what it does is in tests/core/engines."""

import importlib.util
from pathlib import Path

import pytest

from core.engines import ray_data
from core.types import EvaluationError, Score
from storage.types import Search
from tests.command_line import Run, command_line
from ui.services.workplace import Workplace


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    return command_line(tmp_path / "data", capsys)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--workers", "4"), "work only with --engine ray"),
        (("--ship-pictures",), "work only with --engine ray"),
        (("--engine", "slurm"), "There is no other engine"),
        (("--engine", "ray", "--strict-reference"), "--strict-reference cannot be used"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    run: Run, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], told: str
) -> None:
    monkeypatch.setattr(ray_data, "find_spec", lambda name: object())
    ran = run("score", "HICE-S", "--dataset", "birds", *options)
    assert ran.code == 2 and told in ran.err


def test_without_ray_it_is_said_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(ray_data, "find_spec", lambda name: None if name == "ray" else find(name))
    ran = run("score", "HICE-S", "--dataset", "birds", "--engine", "ray")
    assert ran.code == 2 and "--engine ray needs the package Ray. Install it: pip install '.[scale]'" in ran.err
    assert run("score", "HICE-S", "--image", "a.png", "--caption", "A dog.", "--engine", "ray").code == 2


def test_several_outcomes_are_kept_together_or_not_at_all(birds: Workplace) -> None:
    scores, samples = birds.repository.scores, birds.repository.samples
    good = [(1, Score("M", 0.5, "M|s")), (2, EvaluationError("M", "M|s", "other", "Nothing."))]
    with pytest.raises(Exception, match="(?i)constraint"):
        scores.save_all([*good, (999, Score("M", 0.5, "M|s"))])
    assert scores.values("birds", "M|s") == {}
    scores.save_all(good)
    scores.save_all([(1, Score("M", 0.9, "M|s")), (2, Score("M", 0.25, "M|s"))])
    assert scores.values("birds", "M|s") == {1: 0.5, 2: 0.25}  # a score stays, an error gives way
    assert len(samples.ids(Search("birds"))) == 6
