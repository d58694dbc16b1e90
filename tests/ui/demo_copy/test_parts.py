"""Recorded answers in files: found again by their questions, pictures beside them, long texts written once."""

import json
from typing import Any

import pytest

from core.errors import ModelUnavailable
from tests.loops import run_async
from ui.demo_copy.asking import Asker, question
from ui.demo_copy.parts import LONG, Part, Pictures, index

OUTLINE = "M0 0V4" * LONG


class FakeAsker(Asker):
    """Pictures without an app."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def picture(self, path: str) -> tuple[bytes, str]:
        self.asked.append(path)
        return (b"small", "image/webp") if path.endswith("small") else (b"large", "image/jpeg")


def read(part: Part, place: int) -> Any:
    """Return an answer as ui/static/recorded/recording.js puts it together, written anew."""
    content = json.loads(part.content())

    def whole(value: Any) -> Any:
        if isinstance(value, list):
            return [whole(one) for one in value]
        if isinstance(value, dict):
            return content["texts"][value["$text"]] if "$text" in value else {k: whole(v) for k, v in value.items()}
        return value

    return whole(content["answers"][place])


def test_a_request_is_named_as_the_scripts_name_it() -> None:
    body = {"sample": 3, "metric": "HICE-S", "keep": False, "caption": 'Zwei „Äpfel" auf 1\u2028Tisch'}
    said = '{"caption":"Zwei „Äpfel\\" auf 1\u2028Tisch","keep":false,"metric":"HICE-S","sample":3}'
    assert question("POST", "/api/judge", body) == f"POST /api/judge {said}"
    assert question("GET", "/api/samples?page=1") == "GET /api/samples?page=1"


def test_answers_come_back_whole_and_the_same_answer_is_written_once() -> None:
    part = Part("x", Pictures(FakeAsker()))
    answer = {"regions": [{"path": OUTLINE, "label": "bus"}, {"path": OUTLINE, "label": "bus"}, None], "total": 2.5}

    async def keep() -> None:
        await part.keep(answer, "GET", "/api/x")
        await part.keep(answer, "GET", "/api/x?again")
        part.keep_event({"outcome": OUTLINE}, "/api/judge", {"b": 1, "a": 2})

    run_async(keep())
    assert json.loads(index([part])) == {
        "GET /api/x": ["/recorded/x.json", 0],
        "GET /api/x?again": ["/recorded/x.json", 0],
        'POST /api/judge {"a":2,"b":1}': ["/recorded/x.json", 1],
    }
    assert read(part, 0) == {"json": answer} and read(part, 1) == {"event": {"outcome": OUTLINE}}
    assert part.content().count(OUTLINE.encode()) == 1
    assert part.content().count(b'"bus"') == 2  # a short text costs less than what would point to it


def test_pictures_lie_beside_the_answers_each_once_and_other_texts_stay() -> None:
    asker = FakeAsker()
    pictures = Pictures(asker)
    part = Part("x", pictures)
    kept = ["/api/images/1/other", "see /api/images/1", "/api/imagesx/1"]
    answer = {"image": "/api/images/1", "thumbnail": "/api/images/1/small", "again": ["/api/images/1"], "kept": kept}
    run_async(part.keep(answer, "GET", "/api/samples/1"))
    found = read(part, 0)["json"]
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
