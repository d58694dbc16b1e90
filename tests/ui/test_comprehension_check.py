"""The comprehension check over HTTP: two attempts, decided by the server, kept in exports, bundles and copies."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from core.studies.planning.recruitment import End, Platform
from core.studies.results.methods import paragraph
from storage.study_types import Study
from tests.core.studies.test_form_gates import CHECK, CRITERION, EVIDENCE, HEAD
from tests.ui.conftest import Site
from ui.services.studies import study_actions as services
from ui.services.studies.study_results import design
from ui.services.transfer.bundle import import_bundle, write_bundle

SECOND = '[[check]]\nquestion = "And the picture?"\nchoices = ["Yes", "No"]\nright = "No"\nwhy = "Not the picture."\n'
SINGLE = HEAD.format(layout="single", rates="") + CRITERION + CHECK + SECOND
PAIR = HEAD.format(layout="side_by_side", rates="") + CRITERION.replace("points", "compares = true\npoints")
RIGHT, WRONG = ["The explanation", "No"], ["The score", "No"]


def checked(site: Site, form: str = SINGLE) -> tuple[Study, str]:
    study = site.study(size=2, form_text=form)
    return study, f"/api/rate/studies/{study.id}"


def attempt(rater: TestClient, path: str, number: int, answers: list[str]) -> dict[str, object]:
    answer = rater.post(f"{path}/visit/check", json={"attempt": number, "answers": answers})
    assert answer.status_code == 200, answer.text
    found: dict[str, object] = answer.json()
    return found


def test_a_rater_gets_items_only_after_the_check_and_reads_why_an_answer_was_wrong(
    site: Site, rater: TestClient
) -> None:
    study, path = checked(site)
    visit = rater.get(f"{path}/visit").json()
    assert (visit["stage"], visit["check"]["attempt"], visit["check"]["attempts"]) == ("check", 1, 2)
    assert "You judge" not in json.dumps(visit)  # nothing tells the right answer before the first attempt
    refused = rater.get(f"{path}/items")
    assert (refused.status_code, refused.json()["detail"]) == (404, "Answer the questions about the task first.")
    again = attempt(rater, path, 1, WRONG)
    assert again == rater.get(f"{path}/visit").json()  # a reload shows the same
    questions = again["check"]["questions"]  # type: ignore[index]
    assert [(one["given"], one["why"]) for one in questions] == [
        ("The score", "You judge what the explanation says."),
        ("No", ""),
    ]
    assert rater.get(f"{path}/items").status_code == 404
    assert attempt(rater, path, 2, RIGHT)["stage"] == "rate"
    assert rater.get(f"{path}/items").json()["items"]
    assert rater.post(f"{path}/visit/check", json={"attempt": 3, "answers": RIGHT}).status_code in (400, 422)
    outcomes = site.workplace.repository.checks.outcomes(study.id)
    assert (outcomes.passed, outcomes.failed) == (1, 0)


def test_a_rater_who_fails_twice_rates_nothing_and_no_route_leads_past_it(site: Site, rater: TestClient) -> None:
    study, path = checked(site)
    attempt(rater, path, 1, WRONG)
    ended = attempt(rater, path, 2, WRONG)
    assert (ended["stage"], ended["check"]) == ("failed_check", None)
    assert rater.get(f"{path}/visit").json()["stage"] == "failed_check"
    assert rater.get(f"{path}/items").status_code == 404
    for number in (1, 2):
        sent = rater.post(f"{path}/visit/check", json={"attempt": number, "answers": RIGHT})
        assert sent.status_code == 400
    assert rater.post(f"{path}/visit/answers", json={"answers": []}).status_code == 400
    assert rater.post(f"{path}/visit/consent", json={"yes": True}).json()["stage"] == "failed_check"
    assert rater.get(f"{path}/items").status_code == 404
    assert not list(site.workplace.repository.studies.records(study.id))
    (participant,) = site.workplace.repository.participants.of(study.id)
    assert (participant.state, participant.screened_out) == ("screened_out", "failed the check")


def test_a_repeated_request_does_not_use_up_the_second_attempt(site: Site, rater: TestClient) -> None:
    _, path = checked(site)
    attempt(rater, path, 1, WRONG)
    twice = rater.post(f"{path}/visit/check", json={"attempt": 1, "answers": WRONG})
    assert twice.status_code == 400 and "sent before" in twice.json()["detail"]
    early = rater.post(f"{path}/visit/check", json={"attempt": 2, "answers": ["The score", "Maybe"]})
    assert early.status_code == 400  # an answer that the check does not offer uses up nothing either
    assert rater.get(f"{path}/visit").json()["check"]["attempt"] == 2
    assert attempt(rater, path, 2, RIGHT)["stage"] == "rate"


def test_a_check_is_not_answered_before_consent(site: Site, rater: TestClient) -> None:
    _, path = checked(site, SINGLE + '[entry]\nconsent = "We keep your answers."\n')
    assert rater.get(f"{path}/visit").json()["stage"] == "consent"
    assert rater.post(f"{path}/visit/check", json={"attempt": 1, "answers": RIGHT}).status_code == 400
    assert rater.post(f"{path}/visit/consent", json={"yes": True}).json()["stage"] == "check"
    assert attempt(rater, path, 1, RIGHT)["stage"] == "rate"


@pytest.mark.parametrize("form", [EVIDENCE + CHECK, PAIR + CHECK])
def test_forms_for_sentences_and_pairs_have_a_check_as_well(site: Site, rater: TestClient, form: str) -> None:
    _, path = checked(site, form)
    assert rater.get(f"{path}/items").status_code == 404
    assert attempt(rater, path, 1, ["The explanation"])["stage"] == "rate"
    assert rater.get(f"{path}/items").status_code == 200


def test_the_answers_are_exported_with_their_outcome_and_methods_count_who_failed(
    site: Site, client: TestClient, newcomer: Callable[[], TestClient], tmp_path: Path
) -> None:
    study, path = checked(site)
    fails = newcomer()
    attempt(fails, path, 1, WRONG)
    attempt(fails, path, 2, WRONG)
    attempt(newcomer(), path, 1, RIGHT)
    place = site.workplace
    assert services.export_checks(place, study, tmp_path / "checks.jsonl") == 6
    rows = [json.loads(line) for line in (tmp_path / "checks.jsonl").read_text().splitlines()]
    found = [(row["attempt"], row["answer"], row["right"], row["outcome"]) for row in rows]
    assert found.count((2, "The score", False, "failed")) == 1 and found.count((1, "No", True, "passed")) == 1
    assert client.get(f"/api/studies/{study.id}/checks.csv").text.count("\n") >= 6
    words = paragraph(design(place, study), [])
    assert "two attempts at a comprehension check of 2 questions; 1 rater passed, 1 failed" in words

    write_bundle(place, study, tmp_path / "bundle.zip")
    taken, _ = import_bundle(place, tmp_path / "bundle.zip", "taken in", "birds taken in")
    assert list(place.repository.checks.records(taken.id))[0].outcome == "failed"
    assert len(list(place.repository.checks.records(taken.id))) == 6
    copy = place.repository.studies.get(place.repository.life.duplicate(study.id, f"copy of {study.name}"))
    assert [one.question for one in copy.asks.check] == ["What do you judge?", "And the picture?"]
    assert not list(place.repository.checks.records(copy.id))


def test_a_panel_gets_its_code_for_failed_checks_and_else_the_one_for_screened_out() -> None:
    panel = Platform("P", "id", screened_out=End("OUT"), failed_check=End("CHECK"))
    arrival = panel.arrival("id=k7")
    assert arrival is not None
    assert panel.way_back("failed_check", arrival).code == "CHECK"
    assert panel.way_back("failed_gold", arrival).code == "OUT"
