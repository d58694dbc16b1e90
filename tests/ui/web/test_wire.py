"""The types that the scripts are checked against are those of the routes."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import BaseModel

from ui.services.scoring.judging import Judge
from ui.services.workplace import open_workplace
from ui.settings import Settings
from ui.web.wire import TARGET, wire_types

HIDDEN_FROM_RATERS = {
    *("metric", "metrics", "signature", "components", "score", "scores", "score_id", "encoder", "outcome"),
    *("sample", "sample_id", "dataset", "human", "judgements", "image_id", "image_name", "sha256"),
}


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global build_api
    from ui.web.server import build_api


@dataclass(frozen=True)
class Finch:
    """A bird."""

    name: str
    wings: tuple[float, float] | None
    seen: dict[str, list[int]]
    note: str = ""


class Wish(BaseModel):
    """What is looked for."""

    kind: Literal["red", "blue"] = "red"


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


def test_an_answer_is_whole_and_a_request_may_leave_out_what_has_a_default() -> None:
    app = FastAPI()

    @app.post("/api/birds/{bird_id}/finch")
    def finch(bird_id: int, wish: Wish) -> Finch:
        return Finch("one", None, {})

    @app.get("/api/birds/{bird_id}")
    def bird(bird_id: int) -> list[str]:
        return []

    @app.get("/picture")
    def picture() -> Wish:
        return Wish()

    made = wire_types(app)
    fields = (
        "  name: string;\n  wings: [number, number] | null;\n  seen: Record<string, Array<number>>;\n  note: string;\n"
    )
    assert f"/** A bird. */\nexport interface Finch {{\n{fields}}}\n" in made
    assert 'export interface Wish {\n  kind?: "red" | "blue";\n}\n' in made
    ours = [line for line in made.splitlines() if "/api/birds/" in line]
    assert [line.partition(" extends ")[2] for line in ours] == [
        "`/api/birds/${Part}` ? Array<string> :",
        "`/api/birds/${Part}/finch` ? Finch :",
        "`/api/birds/${Part}/finch` ? Wish :",
    ]
    assert [line.strip() for line in made.splitlines() if "Method extends " in line and "export" not in line] == [
        'Method extends "GET" ? AnswerOfGet<Path> :',
        'Method extends "POST" ? AnswerOfPost<Path> :',
        'Method extends "POST" ? BodyOfPost<Path> :',
    ]
    assert "picture" not in made


def test_the_declarations_are_not_served(client: TestClient) -> None:
    assert TARGET.suffix == ".ts"
    head = client.get("/").text
    version = head.split('href="/capscope/')[1].split("/")[0]
    assert client.get(f"/capscope/{version}/shared/dom.js").status_code == 200
    assert client.get(f"/capscope/{version}/shared/{TARGET.name}").status_code == 404
