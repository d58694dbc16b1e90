"""Questions that a manager changes while a rater reads them, over HTTP."""

import pytest
from fastapi.testclient import TestClient

from core.studies.asking.questionnaire import questions_of
from tests.making import make_study
from tests.ui.conftest import Site


@pytest.mark.parametrize(
    ("shown", "changed", "answer"),
    [
        ("Are you a student? = yes! / no", "Are you a student? = yes / no!", "no"),
        ("How old are you? = 18..99", "How old are you? = 30..99", "41"),
        ("How are you? (optional)", "How are you?", "fine"),
    ],
)
def test_an_answer_to_a_question_that_was_changed_but_for_its_text_is_not_stored(
    site: Site, rater: TestClient, shown: str, changed: str, answer: str
) -> None:
    visits = site.workplace.repository.visits
    study = make_study(site.workplace, f"asked {changed}", size=1)
    site.workplace.repository.studies.settle(study.id, before=questions_of(shown))
    path = f"/api/rate/studies/{study.id}/visit"
    stamp = rater.get(path).json().get("stamp")
    site.workplace.repository.studies.settle(study.id, before=questions_of(changed))
    refused = rater.post(f"{path}/answers", json={"answers": [answer], "stamp": stamp})
    assert (refused.status_code, visits.answers(study.id)) == (400, {})
    assert "changed after you opened it" in refused.json()["detail"]
    body = {"answers": [answer], "stamp": rater.get(path).json()["stamp"]}
    assert rater.post(f"{path}/answers", json=body).status_code == 200
    assert [*visits.answers(study.id)] == [rater.code]
