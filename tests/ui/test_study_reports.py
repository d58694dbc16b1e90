"""Reports of studies are kept until something that they show changes, in this process or another."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from core.analysis.slices import Slice
from core.errors import Cancelled
from core.long_work.progress import reporting
from storage.study_types import Study
from tests.making import answer_all, import_rows, make_study, rating, rows
from ui.report import study_reports
from ui.report.study_reports import StudyReports
from ui.services.analysis.analyst import Analyst
from ui.services.workplace import Workplace

KINDS: dict[str, Callable[[StudyReports, int], object]] = {
    "summary": StudyReports.summary,
    "results": StudyReports.results,
    "page": StudyReports.page,
}


def rated(birds: Workplace, **request: Any) -> Study:
    study = make_study(birds, **request)
    for number, point in enumerate((2, 3, 4)):
        answer_all(birds.repository, study, birds.repository.raters.add(f"R{number}"), point)
    return study


def answer(birds: Workplace, study: Study) -> None:
    rater = birds.repository.raters.named("R0")
    (item,) = birds.repository.desk.queue(study.id, rater, 1, 1).items
    birds.repository.save(rater, [rating(item, point=1)])


def cut_out(birds: Workplace, study: Study) -> None:
    birds.repository.slices.save(study.dataset, Slice("dogs", caption="dog"))


CHANGES: dict[str, Callable[[Workplace, Study], object]] = {
    "an answer": answer,
    "an excluded rater": lambda birds, study: birds.repository.life.exclude(study.id, "R1", "too fast"),
    "an erased rater": lambda birds, study: birds.repository.erasures.erase_rater("R2", keep_ratings=True),
    "a state of the study": lambda birds, study: birds.repository.life.step(study.id, "paused"),
    "a slice": cut_out,
    "an epoch, as after a restore": lambda birds, _: birds.repository.epochs.renew(),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_is_worked_out_once_while_nothing_changes(birds: Workplace, kind: str) -> None:
    study, reports = rated(birds), StudyReports(Analyst(birds))
    first = KINDS[kind](reports, study.id)
    assert KINDS[kind](reports, study.id) is first


@pytest.mark.parametrize("change", CHANGES)
def test_a_report_is_worked_out_anew_after_whatever_it_shows_has_changed(birds: Workplace, change: str) -> None:
    study = rated(birds, metrics=("ZorkScore",))
    reports, others = StudyReports(Analyst(birds)), StudyReports(Analyst(birds))
    before = {kind: make(reports, study.id) for kind, make in KINDS.items()}
    others.page(study.id)  # another process has it, too
    CHANGES[change](birds, study)
    for kind, make in KINDS.items():
        after = make(reports, study.id)
        assert after is not before[kind]
        assert make(others, study.id) == after


def test_a_kept_report_does_not_wait_while_another_one_is_worked_out(
    birds: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, other, reports = make_study(birds), make_study(birds, "other"), StudyReports(Analyst(birds))
    first, begun, goes_on = reports.summary(kept.id), Event(), Event()

    def wait(*_: object) -> None:
        begun.set()
        goes_on.wait(30)

    monkeypatch.setattr(study_reports, "left_out_table", wait)
    with ThreadPoolExecutor() as threads:
        slow = threads.submit(reports.summary, other.id)
        begun.wait(30)
        try:
            assert threads.submit(reports.summary, kept.id).result(timeout=10) is first
        finally:
            goes_on.set()
        assert slow.result().study == "other"


def test_another_answer_changes_the_figures_of_a_kept_report(birds: Workplace) -> None:
    study, reports = rated(birds), StudyReports(Analyst(birds))
    before = reports.summary(study.id).ratings.rows
    answer(birds, study)
    assert reports.summary(study.id).ratings.rows != before


def test_a_new_import_into_the_data_set_makes_the_page_anew(birds: Workplace, tmp_path: Path) -> None:
    study, reports = rated(birds), StudyReports(Analyst(birds))
    before = reports.page(study.id)
    import_rows(birds, tmp_path / "more", [one | {"id": f"more-{n}"} for n, one in enumerate(rows(3))])
    assert reports.page(study.id) != before


def test_no_more_reports_are_kept_than_the_bound_says(birds: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study_reports, "RESULTS_KEPT", 2)
    reports = StudyReports(Analyst(birds))
    studies = [make_study(birds, f"study {number}") for number in range(3)]
    first = [reports.summary(study.id) for study in studies]
    assert reports.summary(studies[2].id) is first[2]
    assert reports.summary(studies[0].id) is not first[0]


def test_an_answer_leaves_what_a_page_says_of_the_data_set(birds: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    study, reports, made = rated(birds), StudyReports(Analyst(birds)), list[str]()
    parts = study_reports.dataset_parts
    monkeypatch.setattr(study_reports, "dataset_parts", lambda *asked: made.append("parts") or parts(*asked))
    before = reports.page(study.id)
    answer(birds, study)
    assert reports.page(study.id) != before
    assert made == ["parts"]


def test_who_waits_for_another_report_hears_so_and_can_give_up(birds: Workplace) -> None:
    study, reports, told = rated(birds), StudyReports(Analyst(birds)), list[str]()

    def give_up(what: str, done: int, total: int) -> None:
        told.append(what)
        raise Cancelled(what)

    with reports._slow, reporting(give_up), pytest.raises(Cancelled):
        reports.results(study.id)
    assert told == ["Waiting until another report is finished"]
