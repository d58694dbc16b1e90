"""Reports and skips over the routes and commands, as managers and raters use them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from storage.study_types import Study
from tests.making import METRICS, import_rows, make_study, rows
from tests.ui.conftest import client_of
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace

SKIP = {"reason": "cannot_judge", "words": "<b>Japanese</b>", "skip": True}


@pytest.fixture
def study(workplace: Workplace, tmp_path: Path) -> Study:
    import_rows(workplace, tmp_path / "files", rows(3))
    return make_study(workplace, metrics=METRICS[:1])


@pytest.fixture
def manager(workplace: Workplace, api_of: Callable[..., FastAPI]) -> TestClient:
    return client_of(api_of(workplace, Judge(workplace)))


def skip_first(rater: TestClient, study: Study) -> None:
    item = rater.get(f"/api/rate/studies/{study.id}/items?count=3").json()["items"][0]
    save = {"key": "report-1", "assignment": item["id"], "kind": "report", "age_ms": 0, "said": SKIP}
    (result,) = rater.post("/api/rate/saves", json={"saves": [save]}).json()["results"]
    assert result["saved"], result


def test_a_rater_skips_and_the_manager_reads_the_report(manager: TestClient, study: Study) -> None:
    manager.post("/api/rate/session", json={"code": "ANNA"})  # one browser may be both: nobody signs in here
    skip_first(manager, study)
    seen = manager.get(f"/api/rate/studies/{study.id}/items?count=3&start=1").json()
    assert (seen["items"][0]["report"], seen["resume"]) == (SKIP, 2)
    page = manager.get(f"/studies/{study.id}").text
    assert all(words in page for words in ("ANNA", "cannot judge", ", 1 skipped"))


def test_a_report_without_content_is_refused_and_takes_nothing_back(manager: TestClient, study: Study) -> None:
    manager.post("/api/rate/session", json={"code": "ANNA"})
    skip_first(manager, study)
    item = manager.get(f"/api/rate/studies/{study.id}/items?count=1&start=1").json()["items"][0]
    save = {"key": "report-2", "assignment": item["id"], "kind": "report", "age_ms": 0}
    for wrong in ({}, {"text": "I skip it."}):
        (result,) = manager.post("/api/rate/saves", json={"saves": [save | wrong]}).json()["results"]
        assert not result["saved"] and "said" in result["refusal"]["detail"]
    (result,) = manager.post("/api/rate/saves", json={"saves": [save | {"said": None}]}).json()["results"]
    assert result["saved"] and "cannot judge" not in manager.get(f"/studies/{study.id}").text
