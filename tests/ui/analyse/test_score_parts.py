"""Parts of scores wherever Analyse shows scores: tables, plots, errors, slices, files, and the choice of columns."""

import base64
import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from core.datasets.base import Record
from core.signature import BY_PEOPLE, signature
from core.types import ImageRef, Score
from ui.services.workplace import Workplace

PRECISION = [(n * 7 % 20) / 20 for n in range(20)]


def record(number: int) -> Record:
    """A sample judged by THumB's people and by HICE-S, whose precision orders captions as people do."""
    parts = {"precision": PRECISION[number], "recall": 1 - PRECISION[number], "phrase_fallback": 0.0}
    people = Score("THumB precision", 1 + 4 * PRECISION[number], signature("THumB precision", **BY_PEOPLE), (1.0, 5.0))
    scores = (Score("HICE-S", (number % 5) / 5, "H", components=parts), people)
    human = PRECISION[number]
    return Record(
        Path("f"), number, f"{number}.jpg", f"caption {number}", key=f"s{number}", human=human, scores=scores,
        judgements=(human, human),
    )  # fmt: skip


@pytest.fixture(autouse=True)
def parts(workplace: Workplace) -> None:
    records = [record(number) for number in range(20)]
    workplace.repository.add_records("parts", records, {r.image: ImageRef(r.image) for r in records}, pytest.fail)


def get(client: TestClient, path: str, **query: Any) -> Any:
    answer = client.get(f"/api/analyse/{path}", params={"dataset": "parts", **query})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_choice_of_columns_names_parts_with_their_meaning(client: TestClient) -> None:
    listed = get(client, "parts", metric="HICE-S")
    assert [(one["name"], one["scored"]) for one in listed] == [
        ("HICE-S#precision", 20), ("HICE-S#recall", 20), ("HICE-S#phrase_fallback", 20),
    ]  # fmt: skip
    assert listed[0]["meaning"].startswith("How well the caption’s phrases match the picture")
    assert client.get("/api/analyse/parts", params={"dataset": "parts", "metric": "X"}).status_code == 404


def test_chosen_parts_stand_after_their_metric_and_unknown_ones_are_ignored(client: TestClient) -> None:
    known = get(client, "metrics", part=["HICE-S#recall", "HICE-S#nothing", "HICE-S", "X#recall"])
    assert [(one["name"], one["label"], one["own"], one["part"]) for one in known] == [
        ("HICE-S", "HICE-S", "HICE-S", ""),
        ("HICE-S#recall", "HICE-S recall", "HICE-S", "recall"),
        ("THumB precision", "THumB precision", "THumB precision", ""),
    ]
    assert [one["beside_people"] for one in known] == [["HICE-S#precision", "THumB precision"], [], []]


def test_agreement_of_a_part_stands_beside_its_metrics_without_the_metrics_published_figures(
    client: TestClient,
) -> None:
    found = get(client, "correlations", metric=["HICE-S", "HICE-S#precision"], benchmark="flickr8k-expert")
    rows = [(row["label"], row["variant"], row["n"]) for row in found["taus"]["rows"]]
    assert rows == [("HICE-S", "", 40), ("HICE-S precision", "precision", 40)]
    assert found["taus"]["rows"][1]["tau_b"] == pytest.approx(100)
    published = [{one["value"] for one in row["published"]} for row in found["taus"]["rows"]]
    assert published == [{55.9, 56.4}, set()]
    assert {(row["first_label"], row["second_label"]) for row in found["differences"]["rows"]} == {
        ("HICE-S", "HICE-S precision")
    }


def test_a_raw_score_that_is_also_chosen_by_itself_has_one_row(client: TestClient) -> None:
    answer = client.get(
        "/api/analyse/correlations", params={"dataset": "judged", "metric": ["M", "M#raw"], "intervals": False}
    )
    assert [(row["metric"], row["variant"]) for row in answer.json()["taus"]["rows"]] == [
        ("M", "smoothed"),
        ("M", "raw"),
    ]


def test_plots_and_files_hold_parts(client: TestClient) -> None:
    points = get(client, "points", metric=["HICE-S#precision"])["metrics"][0]
    values = np.frombuffer(base64.b64decode(points["value"]), "<f4")
    assert points["label"] == "HICE-S precision" and values.tolist() == pytest.approx(PRECISION)  # float32
    counted = get(client, "density", x="HICE-S#precision", y="HICE-S#recall", left=0, right=1, bottom=0, top=1)
    assert counted["samples"] == 20
    text = client.get("/api/analyse/data.csv", params={"dataset": "parts", "metric": "HICE-S#precision"}).text
    assert [float(row["HICE-S precision"]) for row in csv.DictReader(text.splitlines())] == PRECISION


def test_errors_disagreements_calibration_and_categories_take_parts(client: TestClient) -> None:
    errors = get(client, "errors", metric="HICE-S#recall")
    assert errors["rows"][0]["error"] == pytest.approx(1.0)  # recall is 1 where people say 0
    near = get(client, "nearer", first="HICE-S#precision", second="HICE-S#recall")["rows"]
    assert [(row["score"], row["right"]) for row in near][0] == ("HICE-S precision", 100.0)
    assert (
        get(client, "partings", first="HICE-S#precision", second="HICE-S#recall")["first_label"] == "HICE-S precision"
    )
    sizes = get(client, "calibration", metric=["HICE-S#precision"])["errors"]["rows"]
    assert {row["label"] for row in sizes} == {"HICE-S precision"}
    assert any(
        row["label"] == "HICE-S precision"
        for table in get(client, "categories", metric=["HICE-S#precision"])
        for row in table["rows"]
    )


def test_a_part_is_compared_with_peoples_own_precision(client: TestClient) -> None:
    related = get(client, "relations", metric=["HICE-S#precision", "THumB precision"])["related"]["rows"]
    assert [(row["first"], row["second"], row["pearson"]) for row in related] == [
        ("HICE-S precision", "THumB precision", pytest.approx(100))
    ]


def test_a_slice_by_a_part_holds_its_samples_and_outlives_the_part(client: TestClient, workplace: Workplace) -> None:
    low = {"name": "imprecise", "metric": "HICE-S#precision", "score": {"high": 0.25}}
    assert client.put("/api/analyse/slices", json={"dataset": "parts", "slice": low}).status_code == 200
    unknown = {"name": "x", "metric": "HICE-S#nothing", "score": {"high": 0.25}}
    assert client.put("/api/analyse/slices", json={"dataset": "parts", "slice": unknown}).status_code == 404
    assert [one["samples"] for one in get(client, "slices")["slices"]] == [5]
    inside = get(client, "correlations", metric=["HICE-S#recall"], slice="imprecise")
    assert inside["taus"]["rows"][0]["n"] == 10  # two judgements each
    lasso = {"x": "HICE-S#precision", "y": None, "corners": [[-0.1, -0.1], [0.31, -0.1], [0.31, 1], [-0.1, 1]]}
    drawn = client.post("/api/analyse/lasso", json={"dataset": "parts", "lasso": lasso})
    assert drawn.json()["samples"] == 7
