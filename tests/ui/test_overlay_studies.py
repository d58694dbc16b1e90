"""Studies that show raters the regions of a metric: when, what, and never whose."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from app import main
from core.errors import NotFound
from storage.study_types import Study
from storage.types import Search
from tests.making import import_rows, make_study, rows
from tests.making_regions import hice_score, score_all
from tests.ui.conftest import client_of, save
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace


@pytest.fixture
def place(workplace: Workplace, tmp_path: Path) -> Workplace:
    """Three samples: one scored with regions, one without, one whose picture is missing."""
    samples = rows(3)
    samples[2]["image"] = "missing.png"
    import_rows(workplace, tmp_path / "files", samples)
    first = workplace.repository.samples.search(Search("birds"), 0, 1).samples[0]
    workplace.repository.scores.save(first.id, hice_score(first.sample.candidate, (48, 64)))
    return workplace


@pytest.fixture
def app_over(api_of: Callable[[Workplace, Judge], FastAPI]) -> Callable[[Workplace], FastAPI]:
    """Build the app without Gradio's pages over a data folder."""
    return lambda place: api_of(place, Judge(place, ()))


def rater_of(app: FastAPI) -> TestClient:
    browser = client_of(app)
    assert browser.post("/api/rate/session", json={"code": "overlay"}).status_code == 200
    return browser


def items(rater: TestClient, study: Study) -> dict[str, dict[str, Any]]:
    found = rater.get(f"/api/rate/studies/{study.id}/items?start=1&count=20").json()["items"]
    return {item["caption"]: item for item in found}


def open_all(rater: TestClient, study: Study) -> None:
    saves = [save(item, "consistency") for item in items(rater, study).values()]
    assert all(result["saved"] for result in rater.post("/api/rate/saves", json={"saves": saves}).json()["results"])


def study_of(place: Workplace, **request: Any) -> Study:
    return make_study(place, "shown", metrics=("ZorkScore",), **request)


def test_regions_come_once_the_veil_is_lifted_and_only_where_there_are_some(
    place: Workplace, app_over: Callable[[Workplace], FastAPI]
) -> None:
    study, rater = study_of(place, overlay=True), rater_of(app_over(place))
    assert [item["regions"] for item in items(rater, study).values()] == [None] * 3
    open_all(rater, study)
    first, second, third = (items(rater, study)[f"A caption with number {n}."] for n in range(3))
    assert (second["regions"], third["regions"]) == (None, None)
    regions = first["regions"]
    assert set(regions) == {"size", "phrases", "regions", "notice", "note", "counts"}
    assert regions["size"] == [48, 64]
    assert [phrase["text"] for phrase in regions["phrases"]] == ["A", "0."]
    assert [region["name"] for region in regions["regions"]] == ["left square", "right square", "the whole picture"]


def test_a_score_made_while_the_study_runs_changes_nothing(
    place: Workplace, app_over: Callable[[Workplace], FastAPI]
) -> None:
    study, rater = study_of(place, overlay=True, veil=False), rater_of(app_over(place))
    before = items(rater, study)
    first = place.repository.samples.search(Search("birds"), 0, 1).samples[0]
    other = replace(hice_score("Other words", (48, 64)), signature="HICE-S|cut:0.1")
    place.repository.scores.save(first.id, other)
    assert items(rater, study) == before


def test_raters_get_neither_precisions_nor_recalls(place: Workplace, app_over: Callable[[Workplace], FastAPI]) -> None:
    score_all(place.repository, "birds")
    study, rater = study_of(place, overlay=True, veil=False), rater_of(app_over(place))
    for item in items(rater, study).values():
        if links := item["regions"]:
            assert {one["precision"] for one in links["phrases"]} | {one["recall"] for one in links["regions"]} == {
                None
            }
            assert links["note"] == ""
            words = " ".join(one["words"] for one in (*links["phrases"], *links["regions"]))
            assert "supported by the picture" in words and "recision" not in words and "recall" not in words


def test_a_plan_says_for_how_many_items_regions_are_there(place: Workplace, capsys: pytest.CaptureFixture[str]) -> None:
    folder = {"CAPSCOPE_DATA": str(place.data_dir)}
    command = ["study", "create", "--dataset", "birds", "--metrics", "ZorkScore", "--set", "overlay=yes"]
    assert main([*command, "first"], folder) == 0
    told = capsys.readouterr().out
    assert "1 of 3 items have regions." in told
    assert main([*command, "second", "--json"], folder) == 0
    assert json.loads(capsys.readouterr().out)["with_regions"] == 1


def test_a_metric_that_explains_by_regions_alone_cannot_be_rated_and_that_is_said(place: Workplace) -> None:
    with pytest.raises(NotFound, match="no explanations in words of HICE-S"):
        make_study(place, "alone", metrics=("HICE-S",))
