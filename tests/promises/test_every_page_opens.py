"""Every page, section and export opens with no data, with one sample, without pictures, and with 10,000 samples."""

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.making import answer_all, import_rows, make_study, rows
from tests.ui.conftest import client_of
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace

PAGES = ("/studies", "/studies/new", "/studies/import", "/studies/published", "/people")
LISTS = ("/api/datasets", "/api/samples", "/api/analyse/datasets", "/healthz")
OF_A_DATA_SET = (
    "/api/filters",
    "/api/analyse/report.html",
    "/api/analyse/metrics",
    "/api/analyse/slices",
    "/api/samples.jsonl",
)
OF_A_METRIC = ("/api/analyse/data.csv", "/api/analyse/parts", "/api/coding/coded")
OF_A_STUDY = ("/studies/{}", "/studies/{}/gold", "/studies/{}/progress", "/api/studies/{}/report.html")
EXPORTS = ("export.csv", "export.jsonl", "export.parquet", "archive")


@pytest.fixture
def opened(workplace: Workplace) -> TestClient:
    """A browser of a site whose data folder is empty."""
    from ui.web.server import build_api  # imports Gradio

    return client_of(build_api(workplace, Judge(workplace)))


def without_metrics(count: int) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name != "scores"} for row in rows(count)]


def opens(client: TestClient, path: str, **query: str) -> str:
    answer = client.get(path, params=query)
    assert answer.status_code == 200, (path, query, answer.text[:300])
    return answer.text


def test_without_data_every_page_opens_and_says_what_to_do(opened: TestClient) -> None:
    for path in (*PAGES, *LISTS):
        opens(opened, path)
    others = ("/studies/1", "/api/samples/1", "/api/images/1", "/api/analyse/section/agreement")
    for path in (*OF_A_DATA_SET, *OF_A_METRIC, *others):
        answer = opened.get(path, params={"dataset": "none", "metric": "none", "codebook": "expert"})
        assert answer.status_code in (200, 404), (path, answer.text[:300])
        assert answer.status_code == 200 or "There is no" in answer.text, (path, answer.text[:300])


@pytest.mark.parametrize(
    "samples",
    [
        pytest.param(rows(1), id="one sample"),
        pytest.param(without_metrics(2), id="samples without metrics"),
        pytest.param([row | {"image": f"missing-{at}.png"} for at, row in enumerate(rows(3))], id="no pictures"),
        pytest.param(rows(10_000, ["ZorkScore"]), id="many", marks=pytest.mark.slow),
    ],
)
def test_with_data_every_page_section_and_export_opens(
    opened: TestClient, workplace: Workplace, tmp_path: Path, samples: list[dict[str, Any]]
) -> None:
    drawn = samples if len(samples) < 100 else [row | {"image": "missing.png"} for row in samples]
    import_rows(workplace, tmp_path, drawn)
    scored = "scores" in samples[0]
    asked = {"metrics": ("ZorkScore",), "size": 1} if scored else {"form": "thumb"}
    study = make_study(workplace, "one", **asked)
    for path in (*PAGES, *LISTS):
        opens(opened, path)
    query = {"dataset": "birds"} | ({"metric": "ZorkScore", "codebook": "expert"} if scored else {})
    for path in (*OF_A_DATA_SET, *(OF_A_METRIC if scored else ())):
        opens(opened, path, **query)
    for one in json.loads(opens(opened, "/api/analyse/sections", **query)):
        if not one["lacks"]:
            found = json.loads(opens(opened, f"/api/analyse/section/{one['key']}", **query))
            assert found["tables"] or found["figures"] or found["notes"] or found["extra"], one
    first = json.loads(opens(opened, "/api/samples", dataset="birds"))["samples"][0]["id"]
    opens(opened, f"/api/samples/{first}")
    for rater in ("K1", "K2"):  # before and after somebody has rated
        for path in OF_A_STUDY:
            opens(opened, path.format(study.id))
        for name in EXPORTS:
            opens(opened, f"/api/studies/{study.id}/{name}")
        answer_all(workplace.repository, study, workplace.repository.raters.add(rater))
