from typing import Any

import numpy as np
from fastapi.testclient import TestClient

from core.studies.design import StudyDesign
from storage.study_types import Save
from tests.ui.analyse.asking import section, table
from ui.services.studies import study_actions as services
from ui.services.workplace import Workplace

OF = {"dataset": "judged"}


def save(client: TestClient, **conditions: Any) -> Any:
    return client.put("/api/analyse/slices", json={"dataset": "judged", "slice": conditions})


def get(client: TestClient, path: str, **query: object) -> Any:
    answer = client.get(f"/api/analyse/{path}", params={**OF, **query})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_slice_can_be_removed_and_mistakes_are_told(client: TestClient) -> None:
    save(client, name="a", phrase="number")
    assert client.delete("/api/analyse/slices", params={**OF, "name": "a"}).status_code == 200
    for answer, words in (
        (client.delete("/api/analyse/slices", params={**OF, "name": "a"}), "no slice 'a'"),
        (save(client, name="b", score={"low": 1}), "also needs a metric"),
        (save(client, name="b", metric="M"), "The slice b has no condition"),
        (save(client, name="b", metric="X", score={"low": 1}), "no scores of 'X'"),
        (client.get("/api/analyse/section/errors", params={**OF, "metric": "M", "slice": "b"}), "Slices: none yet"),
    ):
        assert answer.status_code in (400, 404) and words in answer.json()["detail"]
    save(client, name="none", human={"low": 0.9, "high": 0.95})
    answer = client.get("/api/analyse/section/agreement", params={**OF, "metric": "M", "slice": "none"})
    assert answer.status_code == 400 and "Choose another metric or slice" in answer.json()["detail"]


def rated_study(workplace: Workplace, raters: int = 3) -> int:
    study = services.create_study(workplace, StudyDesign("S", "judged", seed=1, metrics=("M",), veil=False))
    for number in range(raters):
        rater = workplace.repository.raters.add(f"K{number}")
        for item in workplace.repository.desk.queue(study.id, rater, None, 12).items:
            point = 1 + (item.place + number // 2) % 4
            saves = [
                Save(f"{number}-{item.place}-{name}", item.id, "rating", 0, panel=1, criterion=name, point=point)
                for name in ("consistency", "factuality")
            ]
            assert set(workplace.repository.save(rater, saves)) == {None}
    return study.id


def test_a_studys_results_hold_means_agreement_and_errors(client: TestClient, workplace: Workplace) -> None:
    study = rated_study(workplace)
    found = section(client, "study", study=str(study))
    rows = table(found, "Ratings")
    assert {(row["metric"], row["criterion"]) for row in rows} == {("M", "consistency"), ("M", "factuality")}
    names = [
        row["coefficient"] for row in table(found, "Agreement between raters") if row["criterion"] == "consistency"
    ]
    assert names == ["alpha nominal", "alpha ordinal", "alpha interval", "exact", "within one", "AC1", "AC2 quadratic"]
    assert [figure["title"].partition(" on ")[0] for figure in found["figures"]] == [
        "Mean ratings",
        "Distribution of ratings",
    ]
    assert section(client, "study", study="S")["tables"] == found["tables"]


def test_a_sample_that_was_imported_meanwhile_shifts_no_rating(workplace: Workplace) -> None:
    rated_study(workplace)
    analysis = workplace.repository.analysis
    ids = analysis.table("judged")["id"]
    means = analysis.mean_points("judged", "factuality", ids)
    for known in (ids[:-1], ids[1:], ids[::2]):  # columns that were read before the other samples came
        found = analysis.mean_points("judged", "factuality", known)
        assert np.array_equal(found, means[np.isin(ids, known)], equal_nan=True)
