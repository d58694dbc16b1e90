"""What raters see in EXPERT's two forms stays what it was, byte for byte, however forms are made.

tests/ui/recorded/expert_forms.json was written before forms were data. It may only gain keys that say what has always
been so; ADDED names each with its value.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from core.studies.asking.criteria import NO_PICTURE
from tests.making import HOSTILE, import_rows, make_study, rows, score
from tests.ui.conftest import client_of
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings

RECORDED = Path(__file__).parent / "recorded" / "expert_forms.json"
ADDED: dict[str, dict[str, Any]] = {
    # how many items a rater can still get has many values
    "queue": {"stopped": None, "free": ..., "epoch": ..., "practice": [], "held_at": None, "skipped": 0},
    "study": {"rates": "explanation", "shows_score": True, "practice": 0, "stopped": None}
    | {"minutes": ...}  # the recorded minutes did not count the time to read the welcome
    | {"without_picture": ..., "of_items": ..., "asks_first": False}
    | {"done": 0, "missing": ..., "evaluator": "Evaluator {number}"}
    | {"practice_until_right": False, "example": None}
    | {"hourly_pay": None, "gates": [], "reward": None, "contact": ""},
    "item": {"references": [], "practice": False, "report": None},
    "panel": {"caption": None, "sentences": [], "remark": None},
    "criterion": {"compares": False, "needs_picture": True, "unseen": ...},
}
STUDIES: dict[str, dict[str, Any]] = {
    "one": {"form": "single"},
    "beside": {"form": "side_by_side"},
    "plain": {"form": "single", "veil": False, "metrics": ("ZorkScore",)},
    "alike": {"form": "side_by_side", "uniform": True, "raters_per_item": 2, "size": 3},
    "fewer": {"form": "side_by_side", "metrics": ("BlimpCap", "QuuxEval"), "criteria": ("factuality",)},
}


def payloads(workplace: Workplace, app: FastAPI) -> dict[str, str]:
    """Return the bytes that a rater's browser is sent of every study, ids of assignments by their place."""
    found: dict[str, str] = {}
    for name, asked in STUDIES.items():
        study = make_study(workplace, name, **asked)
        browser = client_of(app)
        assert browser.post("/api/rate/session", json={"code": f"R-{name}"}).status_code == 200
        told = next(one for one in browser.get("/api/rate/studies").json() if one["id"] == study.id)
        found[f"{name}: study"] = json.dumps(told, ensure_ascii=False)
        for veiled in (True, False):
            answer = browser.get(f"/api/rate/studies/{study.id}/items?start=1&count=20")
            items = answer.json()["items"]
            text = answer.text
            for item in items:
                text = text.replace(item["id"], f"assignment-{item['place']}")
            found[f"{name}: items{'' if veiled else ', once answered'}"] = text
            if veiled:
                _answer(browser, told, items)
    return found


def _answer(browser: Any, told: dict[str, Any], items: list[dict[str, Any]]) -> None:
    saves = [
        {"key": f"{item['id']}-{n}-{c['key']}", "assignment": item["id"], "kind": "rating", "age_ms": 0, "panel": n}
        | {"criterion": c["key"], "point": 1 + (item["place"] + n) % 4}
        for item in items
        for c in told["criteria"]
        for n in range(1, len(item["panels"]) + 1)
    ]
    results = browser.post("/api/rate/saves", json={"saves": saves}).json()["results"]
    assert all(result["saved"] for result in results)


def without_added(value: Any, kind: str) -> Any:
    """Take out what may have been added, seeing that it says what was always so."""
    added = ADDED[kind]
    assert all(told is ... or value[key] == told for key, told in added.items())
    return {key: held for key, held in value.items() if key not in added}


def as_recorded(name: str, text: str) -> str:
    """Return a payload as it was before anything was added."""
    read = json.loads(text)
    if name.endswith("study"):
        unseen = {one["key"]: one["unseen"] and one["unseen"]["point"] for one in read["criteria"]}
        assert all(point == (None if key == "consistency" else NO_PICTURE) for key, point in unseen.items())
        read["criteria"] = [without_added(one, "criterion") for one in read["criteria"]]
        if read["is_most"]:  # it said how many items there are in all
            read["instructions"] = [text.replace(" up to 3 data", " 3 data") for text in read["instructions"]]
        told = {"shared" if key == "is_most" else key: held for key, held in without_added(read, "study").items()}
        return json.dumps(told, ensure_ascii=False)
    for item in read["items"]:
        item["panels"] = [without_added(panel, "panel") for panel in item["panels"]]
    read["items"] = [without_added(item, "item") for item in read["items"]]
    return json.dumps(without_added(read, "queue"), ensure_ascii=False, separators=(",", ":"))


def without_unseen(name: str, text: str) -> str:
    """Return a recorded payload without minutes, and without the answer for a missing picture: the point 0 then."""
    if not name.endswith("study"):
        return text
    read = json.loads(text)
    del read["minutes"]
    for criterion in read["criteria"]:
        del criterion["unseen"]
    return json.dumps(read, ensure_ascii=False)


@pytest.fixture(scope="module")
def sent(app_of: Callable[[Workplace], FastAPI], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What is sent now of the studies that were recorded."""
    folder = tmp_path_factory.mktemp("forms")
    workplace = open_workplace(Settings(data_dir=folder / "data"))
    samples = rows(5)
    samples[1] |= {"image": "missing-1.png", "caption": HOSTILE}
    samples[2]["scores"][0] |= score("ZorkScore", 0.123456789) | {"rationales": {"overall": f"It is {HOSTILE} — 0.5."}}
    import_rows(workplace, folder / "files", samples)
    found = payloads(workplace, app_of(workplace))
    workplace.repository.close()
    return found


def test_every_payload_of_experts_forms_is_the_recorded_one(sent: dict[str, str]) -> None:
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert list(recorded) == list(sent) and len(recorded) == 3 * len(STUDIES)
    for name, text in recorded.items():
        assert as_recorded(name, sent[name]) == without_unseen(name, text), name
    assert re.search(r"NOT to evaluate the given score itself", recorded["one: study"])
