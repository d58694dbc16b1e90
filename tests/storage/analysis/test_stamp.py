"""Stamps change with the samples and outcomes of a data set, or with what its reports show, and only then."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.datasets.base import Record
from core.types import EvaluationError, Explanation, ImageRef, Outcome, Score
from storage import Repository
from tests.making import answer_all, make_study, rating
from ui.services.workplace import Workplace

FAILED = EvaluationError("M", "M|v:1", "no_score", "It said nothing.")
OTHERWISE = EvaluationError("M", "M|v:1", "out_of_range", "It said 7.")
SCORED = Score("M", 0.5, "M|v:1")
EXPLAINED = Score("M", 0.5, "M|v:1", explanation=Explanation({"overall": "Because."}))


def take_in(
    repository: Repository, key: str = "s", *scores: Outcome, dataset: str = "d", human: float | None = None
) -> None:
    record = Record(Path("f"), 1, "a.jpg", f"caption {key}", key=key, human=human, scores=scores)
    repository.add_records(dataset, [record], {"a.jpg": ImageRef("a.jpg")}, pytest.fail)


@pytest.mark.parametrize(
    ("before", "after"),
    [(FAILED, SCORED), (FAILED, OTHERWISE), (None, SCORED), (None, FAILED)],
    ids=["an error becomes a score", "an error becomes another", "a score is added", "an error is added"],
)
def test_the_stamp_follows_every_outcome_that_is_saved(
    repository: Repository, before: Outcome | None, after: Outcome
) -> None:
    take_in(repository, "s", *([before] if before else []))
    stamp = repository.analysis.stamp("d")
    repository.scores.save(1, after)
    assert repository.analysis.stamp("d") != stamp


@pytest.mark.parametrize(
    "change",
    [
        lambda repository: take_in(repository, "t", SCORED),
        lambda repository: take_in(repository, "s", human=0.5),
        lambda repository: take_in(repository, "s", EXPLAINED),
        lambda repository: repository.epochs.renew(),
    ],
    ids=["a sample", "a human judgement", "an explanation", "a restore"],
)
def test_the_stamp_follows_what_an_import_adds(repository: Repository, change: Callable[[Repository], None]) -> None:
    take_in(repository, "s", SCORED)
    stamp = repository.analysis.stamp("d")
    change(repository)
    assert repository.analysis.stamp("d") != stamp


def test_what_changes_nothing_leaves_the_stamp(repository: Repository) -> None:
    take_in(repository, "s", SCORED)
    stamp = repository.analysis.stamp("d")
    take_in(repository, "s", SCORED)
    repository.scores.save(1, FAILED)
    take_in(repository, "s", SCORED, dataset="another")
    assert repository.analysis.stamp("d") == stamp


def answer(birds: Workplace) -> None:
    rater = birds.repository.raters.named("K7")
    (item,) = birds.repository.desk.queue(1, rater, 1, 1).items
    birds.repository.save(rater, [rating(item, point=1)])


def code(birds: Workplace) -> None:
    birds.repository.scores.save(1, SCORED)
    birds.repository.codings.set(1, "M", "expert", "Ann", "others")


CHANGES: dict[str, Callable[[Workplace], object]] = {
    "an answer": answer,
    "a code": code,
    "an exclusion": lambda birds: birds.repository.managing.exclude(1, "K7", "too fast"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_stamp_of_reports_changes_with_what_they_show_and_with_nothing_else(birds: Workplace, change: str) -> None:
    study = make_study(birds, size=4)
    answer_all(birds.repository, study, birds.repository.raters.add("K7"))
    before = birds.repository.analysis.report_stamp()
    birds.repository.raters.add("NOBODY")
    assert birds.repository.analysis.report_stamp() == before
    CHANGES[change](birds)
    assert birds.repository.analysis.report_stamp() != before
