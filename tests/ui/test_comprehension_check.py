"""The comprehension check over HTTP: two attempts, decided by the server, kept in exports, bundles and copies."""

import json

import pytest
from fastapi.testclient import TestClient

from core.studies.planning.recruitment import End, Platform
from storage.study_types import Study
from tests.core.studies.test_form_gates import CHECK, CRITERION, EVIDENCE, HEAD
from tests.ui.conftest import Site

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


def test_a_panel_gets_its_code_for_failed_checks_and_else_the_one_for_screened_out() -> None:
    panel = Platform("P", "id", screened_out=End("OUT"), failed_check=End("CHECK"))
    arrival = panel.arrival("id=k7")
    assert arrival is not None
    assert panel.way_back("failed_check", arrival).code == "CHECK"
    assert panel.way_back("failed_gold", arrival).code == "OUT"
