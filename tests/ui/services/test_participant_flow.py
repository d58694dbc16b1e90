"""The flow of a study's participants in methods, report and bundle."""

import json
import zipfile
from pathlib import Path

from core.studies.asking.questionnaire import Questionnaire, questions_of
from core.studies.results.participants import participant_flow
from tests.making import METRICS, answer_all, make_study
from ui.report.page import report_html
from ui.services.analysis.analyst import Analyst
from ui.services.studies.study_results import study_results
from ui.services.transfer.bundle import opened_bundle, write_bundle
from ui.services.workplace import Workplace

FLOW = (
    "4 arrived, 1 screened out (1: answers before the first item that do not fit the study), "
    "2 rated at least one item, 1 finished, "
    "1 excluded (1: <b>too</b> fast), 1 not finished (1: before the first item)"
)


def test_methods_report_and_bundle_state_the_participant_flow(birds: Workplace, tmp_path: Path) -> None:
    repository = birds.repository
    study = make_study(birds, metrics=METRICS[:1], size=3)
    repository.visits.set_entry(study.id, Questionnaire("", questions_of("Do you see colours? = yes / no!")))
    for code, answer in (("A", "yes"), ("B", "yes"), ("C", "yes"), ("D", "no")):
        rater = repository.raters.add(code)
        repository.visits.answer(study.id, rater, None, [answer])
        if code in "AB":
            answer_all(repository, study, rater)
        elif code == "C":
            repository.desk.queue(study.id, rater)
    repository.life.exclude(study.id, "B", "<b>too</b> fast")

    found = study_results(birds, study, Analyst(birds).table(study.dataset))
    assert {fact.fact: fact.value for fact in found.methods.rows}["Participants"] == FLOW
    assert f"Participants: {FLOW}." in found.paragraph
    page = report_html(birds, study)
    assert ">Participant flow</h2>" in page and "1: &lt;b&gt;too&lt;/b&gt; fast" in page and "<b>too" not in page
    bundle = tmp_path / "study.zip"
    write_bundle(birds, study, bundle)
    with zipfile.ZipFile(bundle) as archive:
        steps = json.loads(archive.read("protocol.json"))["participant_flow"]
    assert [(step["step"], step["participants"]) for step in steps if step["participants"]][:2] == [
        ("arrived", 4),
        ("screened out", 1),
    ]
    with opened_bundle(bundle) as (theirs, same):
        assert participant_flow(theirs.repository.participants.of(same.id)) == participant_flow(
            repository.participants.of(study.id)
        )
        assert ">Participant flow</h2>" in report_html(theirs, same)
