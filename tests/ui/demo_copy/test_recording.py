"""Recorded answers in files: found again by their questions, pictures beside them."""

import json
from typing import Any

import pytest
from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse

from core.errors import ModelUnavailable
from tests.loops import run_async
from ui.demo_copy.recording import Recorder, question

APP = FastAPI()
ANSWER = {
    "image": "/api/images/1",
    "thumbnail": "/api/images/1/small",
    "again": ["/api/images/1"],
    "kept": ["/api/images/1/other", "see /api/images/1", "/api/imagesx/1"],
}


@APP.get("/api/images/1")
def large() -> Response:
    return Response(b"large", media_type="image/jpeg")


@APP.get("/api/images/1/small")
def small() -> Response:
    return Response(b"small", media_type="image/webp")


@APP.post("/api/judge")
def judge(body: dict[str, Any]) -> Response:
    if body["caption"]:
        return JSONResponse("a")
    return JSONResponse({"kind": "model_unavailable", "detail": "spaCy is missing."}, 500)


def test_a_request_is_named_as_the_scripts_name_it() -> None:
    body = {"sample": 3, "metric": "HICE-S", "keep": False, "caption": 'Zwei „Äpfel" auf 1\u2028Tisch'}
    said = '{"caption":"Zwei „Äpfel\\" auf 1\u2028Tisch","keep":false,"metric":"HICE-S","sample":3}'
    assert question("POST", "/api/judge", body) == f"POST /api/judge {said}"
    assert question("GET", "/api/samples?page=1") == "GET /api/samples?page=1"


def test_answers_are_found_by_their_requests_and_pictures_lie_beside_them_each_once() -> None:
    recorder = Recorder(APP)

    async def keep() -> None:
        await recorder.keep("x", ANSWER, "GET", "/api/samples/1")
        await recorder.keep_outcome("x", {"caption": "A dog."})

    run_async(keep())
    files = recorder.files()
    judged = 'POST /api/judge {"caption":"A dog."}'
    assert json.loads(files["recorded/index.json"]) == {
        "GET /api/samples/1": "/recorded/x.json",
        judged: "/recorded/x.json",
    }
    answers = json.loads(files["recorded/x.json"])
    assert answers[judged] == "a"
    found = answers["GET /api/samples/1"]
    assert found["kept"] == ANSWER["kept"] and found["again"] == [found["image"]]
    assert found["image"].endswith(".jpg") and found["thumbnail"].endswith(".webp")
    pictures = {f"/{path}": content for path, content in files.items() if path.startswith("pictures/")}
    assert pictures == {found["image"]: b"large", found["thumbnail"]: b"small"}


def test_where_nothing_can_be_judged_the_command_says_why() -> None:
    with pytest.raises(ModelUnavailable, match=r"failed: spaCy is missing\."):
        run_async(Recorder(APP).keep_outcome("x", {"caption": ""}))
