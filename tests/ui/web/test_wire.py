"""The types that the scripts are checked against are those of the routes."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ui.services.scoring.judging import Judge
from ui.services.workplace import open_workplace
from ui.settings import Settings

HIDDEN_FROM_RATERS = {
    *("metric", "metrics", "signature", "components", "score", "scores", "score_id", "encoder", "outcome"),
    *("sample", "sample_id", "dataset", "human", "judgements", "image_id", "image_name", "sha256"),
}


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global build_api
    from ui.web.server import build_api


def test_no_answer_to_a_rater_has_a_field_for_a_metric_a_sample_or_a_file(tmp_path: Path) -> None:
    workplace = open_workplace(Settings(data_dir=tmp_path))
    schema = build_api(workplace, Judge(workplace)).openapi()
    workplace.repository.close()
    of_raters = [methods for path, methods in schema["paths"].items() if path.startswith("/api/rate/")]
    answers = [method["responses"] for methods in of_raters for method in methods.values()]
    told = fields_within(answers, schema["components"]["schemas"])
    assert {"caption", "panels", "rationales", "value"} <= told
    assert not told & HIDDEN_FROM_RATERS


def fields_within(answers: object, known: dict[str, Any]) -> set[str]:
    """Return the names of all fields of the types that answers are made of."""
    found: set[str] = set()
    types: set[str] = set()
    waiting = json.dumps(answers)
    while more := set(re.findall(r'#/components/schemas/([^"]+)"', waiting)) - types:
        types |= more
        found |= {field for name in more for field in known[name].get("properties", {})}
        waiting = json.dumps([known[name] for name in more])
    return found
