"""A slice of the captions that a metric did not read to their end."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from core.datasets.base import Record
from core.types import ImageRef, Score
from tests.ui.analyse.test_slices_and_studies import get, save
from ui.services.workplace import Workplace

TRUNCATED = {"truncated": (77.0, 103.0), "cosine": 0.5}
OTHERS = {"truncated_references": 2.0, "cosine": 0.5}


def test_a_slice_holds_the_captions_that_a_metric_cut_and_no_others(client: TestClient, workplace: Workplace) -> None:
    given = [("CLIPScore", TRUNCATED), ("CLIPScore", OTHERS), ("RefCLIPScore", TRUNCATED), ("CLIPScore", TRUNCATED)]
    records = [
        Record(Path("g"), n, "0.jpg", f"long {n}", key=f"long{n}", scores=(Score(name, 0.5, name, (0, 2.5), parts),))
        for n, (name, parts) in enumerate(given)
    ]
    workplace.repository.add_records("judged", records, {"0.jpg": ImageRef("0.jpg")}, pytest.fail)
    assert save(client, name="cut", truncated="CLIPScore").status_code == 200
    assert save(client, name="cut by nobody", truncated="M").status_code == 200
    found = {one["slice"]["name"]: one["samples"] for one in get(client, "slices")["slices"]}
    assert found == {"cut": 2, "cut by nobody": 0}
    assert save(client, name="odd", truncated=3).status_code == 400
