"""A metric that scored one data set under two settings is two metrics, on the page and in the report."""

from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from core.studies.planning.study_request import StudyRequest
from core.types import Explanation, ImageRef, Score
from storage.study_types import Save
from tests.ui.analyse.conftest import record
from ui.report.page import report_html
from ui.services.studies import study_actions as services
from ui.services.workplace import Workplace

SMALL, LARGE = "F|model:7b|capscope:1", "F|model:13b|capscope:1"
NAMES = {"F (model:7b)", "F (model:13b)"}


@pytest.fixture
def study(workplace: Workplace) -> int:
    """A study whose raters saw explanations of F under both settings."""
    scores = [
        [Score("F", (n * step % 10) / 10, signature, explanation=Explanation({"overall": signature}))
         for step, signature in ((3, SMALL), (7, LARGE))]
        for n in range(10)
    ]  # fmt: skip
    records = [replace(record(n, n % 4 / 3, None), scores=tuple(scores[n])) for n in range(10)]
    workplace.repository.add_records("two", records, {r.image: ImageRef(r.image) for r in records}, pytest.fail)
    made = services.create_study(workplace, StudyRequest("two", "two", seed=1, form="side_by_side", veil=False))
    for number in range(2):
        rater = workplace.repository.raters.add(f"T{number}")
        for item in workplace.repository.desk.queue(made.id, rater, None, 12).items:
            saves = [
                Save(f"answer-{number}-{item.place}-{panel.place}", item.id, "rating", 0, panel=panel.place,
                     criterion="factuality", point=1 + (item.place + panel.place) % 4)
                for panel in item.panels
            ]  # fmt: skip
            assert set(workplace.repository.save(rater, saves)) == {None}
    return made.id


def get(client: TestClient, path: str, **query: Any) -> Any:
    answer = client.get(f"/api/analyse/{path}", params={"dataset": "two", **query})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_page_names_them_by_what_differs(client: TestClient, study: int) -> None:
    assert {metric["label"] for metric in get(client, "metrics")} == NAMES
    found = get(client, "correlations", metric=[SMALL, LARGE])
    assert {row["label"] for row in found["taus"]["rows"]} == NAMES
    for difference in found["differences"]["rows"]:
        assert {difference["first_label"], difference["second_label"]} == NAMES


def test_a_studys_results_keep_them_apart(client: TestClient, study: int) -> None:
    found = get(client, f"studies/{study}")
    assert {row["metric"] for row in found["means"]["rows"]} == NAMES
    assert [(row["n"]) for row in found["means"]["rows"]] == [20, 20]
    assert {row["metric"] for row in found["rating_errors"]["rows"]} == NAMES
    assert {one["metric"] for one in found["agreement"]["rows"]} == NAMES | {"all"}
    assert len(found["tests"]["rows"]) == 1


def test_the_report_keeps_them_apart(workplace: Workplace, study: int) -> None:
    page = report_html(workplace, workplace.repository.studies.get(study))
    for name in NAMES:
        assert f"<td>{name}</td>" in page and f"<h2>Largest errors of {name}</h2>" in page


def test_the_command_lines_report_keeps_them_apart(workplace: Workplace, study: int) -> None:
    found = services.study_report(workplace, workplace.repository.studies.get(study))
    assert {row.metric for row in found.rows} == NAMES
