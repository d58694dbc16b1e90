"""The types that the scripts are checked against are those of the routes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import BaseModel

from ui.services.scoring.judging import Judge
from ui.services.workplace import open_workplace
from ui.settings import Settings
from ui.web.wire import TARGET, wire_types


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


def test_the_declarations_are_those_of_the_routes(tmp_path: Path) -> None:
    workplace = open_workplace(Settings(data_dir=tmp_path))
    made = wire_types(build_api(workplace, Judge(workplace)))
    workplace.repository.close()
    assert TARGET.read_text(encoding="utf-8") == made, "the routes' types have changed: run `make wire`"


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
