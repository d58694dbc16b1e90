"""What `score --dataset` is going to do is counted by the database, and only what is judged is read."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from core.errors import ModelUnavailable
from core.metrics.evaluator import Evaluator
from core.models import ModelSettings
from core.types import EvaluationError, Sample, Score
from tests.making import import_rows, rows, values_of
from tests.ui.fake_metrics import Lengths
from ui.services.scoring import score_runs, scoring_plan
from ui.services.workplace import Workplace

MARK = "Lengths|capscope:test"


def plan(place: Workplace, **more: object) -> scoring_plan.ScoringPlan:
    return scoring_plan.plan_scoring(place, Evaluator((Lengths,)), "Lengths", "birds", ModelSettings(), **more)  # type: ignore[arg-type]


@pytest.fixture
def place(workplace: Workplace, tmp_path: Path) -> Workplace:
    """Six samples, one of them scored and one with an error."""
    import_rows(workplace, tmp_path / "files", rows(6))
    workplace.repository.scores.save(1, Score("Lengths", 7.0, MARK, (0.0, 100.0)))
    workplace.repository.scores.save(2, EvaluationError("Lengths", MARK, "no_score", "Nothing."))
    return workplace


@pytest.mark.parametrize(
    ("asked", "wanted", "known", "left"),
    [
        ({}, [3, 4, 5, 6], 2, 0),
        ({"limit": 2}, [3, 4], 2, 2),
        ({"shard": scoring_plan.Shard(1, 2)}, [3, 5], 2, 2),
        ({"limit": 9}, [3, 4, 5, 6], 2, 0),
    ],
    ids=str,
)
def test_a_plan_tells_what_is_known_what_is_judged_now_and_what_is_left(
    place: Workplace, asked: dict[str, object], wanted: list[int], known: int, left: int
) -> None:
    found = plan(place, **asked)
    assert ([one.id for one in found.wanted], found.known, found.left) == (wanted, known, left)


def test_captions_of_a_picture_are_judged_side_by_side_however_many_are_read_at_a_time(
    place: Workplace, tmp_path: Path
) -> None:
    of_two = [{"id": f"t{n}", "image": f"{n % 2}.jpg", "caption": f"Caption {n}."} for n in range(4)]
    import_rows(place, tmp_path / "more", of_two, dataset="two")
    parts = place.repository.scores.unscored("two", MARK).parts(3)
    assert [[one.sample.key for one in part] for part in parts] == [["t0", "t2", "t1"], ["t3"]]


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ModelUnavailable])
def test_what_was_made_before_a_run_ends_early_is_stored(
    place: Workplace, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    monkeypatch.setattr(Lengths, "needs_image", False)
    judged = iter([None, None, error("It ends here.")])

    def ends() -> None:
        problem = next(judged)
        if problem is not None:
            raise problem

    monkeypatch.setattr(Lengths, "first", staticmethod(ends))
    made = scoring_plan.plan_scoring(place, Evaluator((Lengths,)), "Lengths", "birds", ModelSettings(batch_size=1))
    with pytest.raises(error):
        score_runs.run_scoring(place, Evaluator((Lengths,)), made)
    assert sorted(values_of(place.repository, "birds", MARK)) == [1, 3, 4]
    monkeypatch.undo()
    assert [one.id for one in plan(place).wanted] == [5, 6]


def test_a_faulty_metric_costs_outcomes_that_are_stored_and_never_the_run(
    workplace: Workplace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NaN used to end in an error of the database, an exception in a traceback."""
    faults = iter([float("nan"), 1e9, None])

    def signed(self: Lengths, samples: Sequence[Sample]) -> Iterator[Score]:
        for _ in samples:
            value = next(faults, 5.0)
            if value is None:
                raise RuntimeError("worn out")
            yield Score("Lengths", value, MARK, (0.0, 100.0))

    monkeypatch.setattr(Lengths, "score", signed)
    import_rows(workplace, tmp_path / "files", rows(4))
    evaluator = Evaluator((Lengths,))
    made = scoring_plan.plan_scoring(workplace, evaluator, "Lengths", "birds", ModelSettings(batch_size=1))
    report = score_runs.run_scoring(workplace, evaluator, made)
    assert (report.scored, report.errors) == (1, 3)
    assert [(found.kind, found.count) for found in report.error_kinds] == [("failed", 3)]
    assert values_of(workplace.repository, "birds", MARK) == {4: 5.0}
