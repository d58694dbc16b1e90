"""Recorded answers in files: found again by their questions, pictures beside them."""

import json
from typing import Any

import pytest

from core.errors import ModelUnavailable
from tests.loops import run_async
from ui.demo_copy.asking import Asker, question
from ui.demo_copy.parts import Part, Pictures, index


class FakeAsker(Asker):
    """Pictures without an app."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def picture(self, path: str) -> tuple[bytes, str]:
        self.asked.append(path)
        return (b"small", "image/webp") if path.endswith("small") else (b"large", "image/jpeg")


def test_a_request_is_named_as_the_scripts_name_it() -> None:
    body = {"sample": 3, "metric": "HICE-S", "keep": False, "caption": 'Zwei „Äpfel" auf 1\u2028Tisch'}
    said = '{"caption":"Zwei „Äpfel\\" auf 1\u2028Tisch","keep":false,"metric":"HICE-S","sample":3}'
    assert question("POST", "/api/judge", body) == f"POST /api/judge {said}"
    assert question("GET", "/api/samples?page=1") == "GET /api/samples?page=1"


def test_answers_are_found_by_their_requests() -> None:
    part = Part("x", Pictures(FakeAsker()))

    async def keep() -> None:
        await part.keep({"total": 2.5}, "GET", "/api/x")
        part.keep_event({"outcome": "a"}, "/api/judge", {"b": 1, "a": 2})

    run_async(keep())
    judged = 'POST /api/judge {"a":2,"b":1}'
    assert json.loads(index([part])) == {"GET /api/x": "/recorded/x.json", judged: "/recorded/x.json"}
    assert json.loads(part.content()) == {"GET /api/x": {"json": {"total": 2.5}}, judged: {"event": {"outcome": "a"}}}


def test_pictures_lie_beside_the_answers_each_once_and_other_texts_stay() -> None:
    asker = FakeAsker()
    pictures = Pictures(asker)
    part = Part("x", pictures)
    kept = ["/api/images/1/other", "see /api/images/1", "/api/imagesx/1"]
    answer = {"image": "/api/images/1", "thumbnail": "/api/images/1/small", "again": ["/api/images/1"], "kept": kept}
    run_async(part.keep(answer, "GET", "/api/samples/1"))
    found = part.answers["GET /api/samples/1"]["json"]
    assert found["kept"] == kept and found["again"] == [found["image"]]
    assert found["image"].endswith(".jpg") and found["thumbnail"].endswith(".webp")
    assert {f"/{path}": content for path, content in pictures.files.items()} == {
        found["image"]: b"large",
        found["thumbnail"]: b"small",
    }
    assert asker.asked == ["/api/images/1", "/api/images/1/small"]


def test_where_nothing_can_be_judged_the_command_says_why() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        body = b'data: {"what": "Loading"}\n\ndata: {"problem": {"kind": "failed", "detail": "spaCy is missing."}}\n\n'
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body})

    with pytest.raises(ModelUnavailable, match=r"returned none: spaCy is missing\."):
        run_async(Asker(app).outcome({}))
