import csv
import io
import json
from typing import Any

import pytest
from fastapi.testclient import TestClient
from PIL import Image
from pyarrow import parquet

from core.studies.asking.form_file import form_named
from storage.types import Search
from tests.making import HOSTILE, METRICS
from tests.ui.conftest import Site, save

KEYS = [criterion.key for criterion in form_named("expert-single").criteria]


def items(browser: TestClient, study: int, start: int | None = None, count: int = 3) -> dict[str, Any]:
    place = "" if start is None else f"&start={start}"
    answer = browser.get(f"/api/rate/studies/{study}/items?count={count}{place}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def send(browser: TestClient, *saves: dict[str, Any]) -> list[dict[str, Any]]:
    body = json.dumps({"saves": saves})  # with what no text can hold written as \\u escapes
    answer = browser.post("/api/rate/saves", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 200, answer.text
    return answer.json()["results"]


# -- who rates


def test_a_newcomer_is_nobody_until_a_code_is_given(client: TestClient) -> None:
    assert client.get("/api/rate/session").json() == {"rater": None, "given": None, "panel": None}
    entered = client.post("/api/rate/session", json={"code": " nc-1 "}).json()["rater"]
    assert entered["code"] == "NC-1"
    assert client.get("/api/rate/session").json()["rater"] == entered


def test_a_code_that_is_taken_is_refused_with_a_way_on(rater: TestClient, client: TestClient) -> None:
    answer = client.post("/api/rate/session", json={"code": rater.code.lower()})
    assert answer.status_code == 409
    assert answer.json()["detail"] == (f"The code {rater.code} is taken. Choose another one, or give its return key.")
    assert client.get("/api/rate/session").json() == {"rater": None, "given": None, "panel": None}


def test_a_rater_comes_back_in_another_browser_with_the_return_key(
    site: Site, rater: TestClient, client: TestClient
) -> None:
    study = site.study(size=3)
    first = items(rater, study.id)
    body = {"code": rater.code, "return_key": f" {rater.return_key.lower()} "}
    assert client.post("/api/rate/session", json=body).status_code == 200
    assert items(client, study.id) == first


@pytest.mark.parametrize("code", ["", " ", "a b", "x" * 25, "ä", "<b>", "a/b", "٣", "ß1", "ﬀ", "ſ"])
def test_a_code_of_another_shape_is_refused(client: TestClient, code: str) -> None:
    answer = client.post("/api/rate/session", json={"code": code})
    assert answer.status_code == 400
    assert "1 to 24 letters, digits, - or _" in answer.json()["detail"]


# -- what comes next


def test_the_studies_tell_raters_what_they_need(site: Site, client: TestClient) -> None:
    made = site.study(size=4, veil=False)
    (study,) = [study for study in client.get("/api/rate/studies").json() if study["id"] == made.id]
    facts = {"id", "title", "notice", "form", "items", "practice", "done", "is_most", "minutes", "veil", "overlay"}
    facts |= {"without_picture", "of_items", "missing", "evaluator", "asks_first"}
    facts |= {"contact"}
    assert set(study) == {*facts, "criteria", "instructions", "rates", "shows_score", "stopped"}
    assert (study["is_most"], study["minutes"], study["stopped"]) == (False, 4, None)
    assert (study["title"], study["items"], study["form"], study["veil"]) == (made.name, 4, "single", False)
    assert [criterion["key"] for criterion in study["criteria"]] == KEYS
    assert [len(criterion["guidelines"]) for criterion in study["criteria"]] == [4, 4, 5]
    assert "4 data samples" in study["instructions"][1]


def test_items_come_with_everything_the_page_shows(site: Site, rater: TestClient) -> None:
    study = site.study(size=4)
    queue = items(rater, study.id)
    assert (queue["total"], queue["done"], queue["resume"]) == (4, 0, 1)
    assert [item["place"] for item in queue["items"]] == [1, 2, 3]
    item = queue["items"][0]
    assert set(item) == {
        *("id", "place", "caption", "image", "image_size", "panels", "open", "revealed", "finished", "note", "regions"),
        "report",
        *("references", "practice"),
    }
    assert item["caption"] in {sample["caption"] for sample in site.samples}
    assert item["image_size"] == [64, 48]
    (panel,) = item["panels"]
    assert set(panel) == {"value", "scale", "rationales", "answers", "caption"}
    assert panel["scale"] == [0, 1]
    assert all(set(rationale) == {"aspect", "text"} for rationale in panel["rationales"])


def test_a_picture_is_refused_until_what_is_judged_without_it_is_stored(site: Site, rater: TestClient) -> None:
    study = site.study(size=1)
    (item,) = items(rater, study.id)["items"]
    answer = rater.get(item["image"])
    assert (item["open"], answer.status_code, answer.json()["kind"]) == (False, 403, "veiled")
    assert send(rater, save(item, "consistency"))[0]["saved"]
    assert rater.get(item["image"]).status_code == 200
    assert items(rater, study.id)["items"][0]["open"] is True


def test_the_picture_of_an_item_is_the_one_that_was_imported(site: Site, rater: TestClient) -> None:
    study = site.study(size=1, veil=False)
    (item,) = items(rater, study.id)["items"]
    answer = rater.get(item["image"])
    assert answer.headers["content-type"] == "image/webp"
    (sample,) = [sample for sample in site.samples if sample["caption"] == item["caption"]]
    found = site.workplace.repository.samples.search(Search("birds", sample["id"]), 0, 1).samples[0]
    shown, original = Image.open(io.BytesIO(answer.content)), Image.open(found.sample.image.path)
    assert shown.size == original.size and abs(shown.getpixel((5, 5))[1] - original.getpixel((5, 5))[1]) < 4


def test_a_missing_picture_is_no_address_and_blocks_nothing(site: Site, rater: TestClient) -> None:
    study = site.study(dataset="hostile", metrics=METRICS, form="expert-side-by-side")
    (item,) = items(rater, study.id)["items"]
    assert (item["image"], item["image_size"]) == (None, None)
    assert rater.get(f"/api/rate/items/{item['id']}/image").status_code == 404
    assert send(rater, save(item))[0]["saved"]


# -- what was answered


def test_a_rated_study_resumes_reports_and_exports(site: Site, rater: TestClient) -> None:
    study = site.study(metrics=METRICS[:2], size=2)
    while batch := items(rater, study.id, None, 1)["items"]:
        points = {"consistency": 2, "factuality": 3, "informativeness": 0}
        results = send(rater, *(save(batch[0], key, point) for key, point in points.items()))
        assert [result["saved"] for result in results] == [True] * 3
    end = items(rater, study.id)
    assert len(end.pop("epoch")) == 16
    assert end == {
        "total": 4,
        "free": 0,
        "ahead": 20,
        "done": 4,
        "skipped": 0,
        "resume": 5,
        "items": [],
        "stopped": None,
        "practice": [],
    }
    assert all(item["finished"] for item in items(rater, study.id, 1, 4)["items"])

    table = rater.get(f"/api/studies/{study.id}/export.csv")
    assert len(list(csv.DictReader(io.StringIO(table.text)))) == 12
    lines = rater.get(f"/api/studies/{study.id}/export.jsonl").text.splitlines()
    assert {json.loads(line)["rater"] for line in lines} == {rater.code}
    columns = parquet.read_table(io.BytesIO(rater.get(f"/api/studies/{study.id}/export.parquet").content))
    assert columns.num_rows == 12


def test_a_repeated_save_is_answered_alike_and_done_once(site: Site, rater: TestClient) -> None:
    study = site.study(size=1)
    (item,) = items(rater, study.id)["items"]
    first = save(item, point=4)
    stored = [{"key": first["key"], "saved": True, "refusal": None}]
    assert send(rater, first) == stored
    assert send(rater, save(item, point=1))[0]["saved"]
    assert send(rater, first) == stored
    assert items(rater, study.id)["items"][0]["panels"][0]["answers"] == {"consistency": 1}


@pytest.mark.parametrize("point", [True, False, 2.0, None, "2", 0, 5, -1, 2.5, [2], {"point": 2}, 10**30])
def test_a_point_of_another_type_is_refused(site: Site, rater: TestClient, point: Any) -> None:
    (item,) = items(rater, site.study(size=1, veil=False).id)["items"]
    (result,) = send(rater, save(item, "factuality", point))
    assert (result["saved"], bool(result["refusal"]["detail"])) == (False, True)


BAD = {
    "a short key": {"key": "short"},
    "a key that is no text": {"key": {"a": 1}},
    "a key of half characters": {"key": "\ud800" * 8},
    "another kind": {"kind": "delete"},
    "an age in words": {"age_ms": "1"},
    "a panel that is not there": {"panel": 4},
    "an enormous panel": {"panel": 10**30},
    "an unknown criterion": {"criterion": "beauty"},
    "an extra field": {"rater": 1},
    "an endless note": {"kind": "note", "text": "x" * 4_001},
    "a field whose name is half a character": {"\ud800": 1},
}


@pytest.mark.parametrize("change", BAD.values(), ids=BAD)
def test_a_bad_save_is_refused_with_a_reason_and_holds_up_no_other(
    site: Site, rater: TestClient, change: dict[str, Any]
) -> None:
    (item,) = items(rater, site.study(size=1).id)["items"]
    results = send(rater, save(item, "consistency"), save(item) | change, save(item, "informativeness"))
    assert [result["saved"] for result in results] == [True, False, True]
    assert results[1]["refusal"]["detail"]
    assert set(items(rater, site_study_of(rater, item))["items"][0]["panels"][0]["answers"]) == {
        "consistency",
        "informativeness",
    }


def site_study_of(browser: TestClient, item: dict[str, Any]) -> int:
    """Return the newest study in which the rater has this item."""
    for study in browser.get("/api/rate/studies").json():
        if item["id"] in {one["id"] for one in items(browser, study["id"])["items"]}:
            return study["id"]
    raise AssertionError("no study has this item")


def test_a_lifted_veil_and_a_note_come_back_after_a_reload(site: Site, rater: TestClient) -> None:
    study = site.study(size=1)
    (item,) = items(rater, study.id)["items"]
    assert (item["revealed"], item["note"]) == (False, "")
    bare = {"assignment": item["id"], "age_ms": 0}
    send(
        rater,
        bare | {"kind": "reveal", "key": "reveal-1"},
        bare | {"kind": "note", "key": "note-0001", "text": HOSTILE},
    )
    (item,) = items(rater, study.id)["items"]
    assert (item["revealed"], item["note"]) == (True, HOSTILE)


@pytest.mark.parametrize(("text", "odd"), [("sun \ud83c", "half of a character"), ("a\0b", "the character NUL")])
def test_a_note_that_cannot_be_stored_is_refused_in_words_and_the_answers_beside_it_are_stored(
    site: Site, rater: TestClient, text: str, odd: str
) -> None:
    study = site.study(size=1)
    (item,) = items(rater, study.id)["items"]
    remark = {"assignment": item["id"], "age_ms": 0, "kind": "note", "key": "note-0001", "text": text}
    refused, stored = send(rater, remark, save(item))
    assert (refused["saved"], stored["saved"]) == (False, True)
    assert refused["refusal"]["detail"].startswith(f"The note holds {odd}")
    assert items(rater, study.id)["items"][0]["note"] == ""


@pytest.mark.parametrize("odd", ["a\0b", "a\ud800", "\udc00"])
def test_no_text_with_nul_or_half_a_character_is_taken_in(
    site: Site, client: TestClient, rater: TestClient, odd: str
) -> None:
    study = site.study(size=1)
    book = {"name": "odd", "codes": [{"key": "a", "label": odd}]}
    chosen = {"dataset": "birds", "slice": {"name": "odd", "caption": odd}}
    sent: list[tuple[str, str, Any]] = [
        ("POST", "/api/coding/codebooks", book),
        ("PUT", "/api/analyse/slices", chosen),
    ]
    for method, path, body in sent:
        answer = client.request(method, path, content=json.dumps(body), headers={"content-type": "application/json"})
        assert answer.status_code in (400, 422), (path, answer.text)
        assert "which cannot be stored" in answer.json()["detail"], (path, answer.text)
    if odd.isascii():
        entry = {"stamp": "never", "consent": odd}
        answer = client.post(f"/studies/{study.id}/entry", data=entry)
        assert answer.status_code == 400 and "which cannot be stored" in answer.text
    assert client.get("/api/samples?text=%00").status_code == client.get("/api/rate/items/%00/image").status_code == 400


# -- browsing


def test_data_sets_are_listed_with_what_they_hold(client: TestClient) -> None:
    (birds,) = [found for found in client.get("/api/datasets").json() if found["name"] == "birds"]
    assert (birds["samples"], birds["images_found"], birds["images_missing"]) == (6, 6, 0)
    assert birds["explained"] == dict.fromkeys(METRICS, 6)


def test_samples_are_found_a_page_at_a_time(client: TestClient) -> None:
    found = client.get("/api/samples", params={"dataset": "birds"}).json()
    assert (found["total"], found["page_size"], len(found["samples"])) == (6, 25, 6)
    assert client.get("/api/samples", params={"dataset": "birds", "page": 2}).json()["samples"] == []
    assert client.get("/api/samples", params={"dataset": "birds", "text": "number 3"}).json()["total"] == 1
    one = found["samples"][0]
    whole = client.get(f"/api/samples/{one['id']}").json()
    assert whole == one and not any(score["links"] for score in whole["scores"])  # no regions
    assert client.get(one["image"]).headers["content-type"] == "image/webp"
    assert client.get(f"{one['image']}/small").headers["content-type"] == "image/webp"


def test_search_parameters_that_are_not_on_the_list_change_nothing(client: TestClient) -> None:
    plain = client.get("/api/samples?dataset=birds").json()
    odd = "sorted=secret&order_by=raters.code&filter[rater]=1&dataset_id=1&raters.code=A&limit=100000&offset=3"
    assert client.get(f"/api/samples?dataset=birds&{odd}").json() == plain


@pytest.mark.parametrize("text", ["%", "_", "'", '"', "\\", "' OR 1=1 --", "\u202e"])
def test_a_search_text_is_text_and_nothing_else(client: TestClient, text: str) -> None:
    answer = client.get("/api/samples", params={"dataset": "birds", "text": text})
    assert (answer.status_code, answer.json()["total"]) == (200, 0)


# -- requests of another shape


SHAPES = [
    *(("POST", "/api/rate/session", body) for body in ({}, {"code": 7}, {"code": "A", "admin": True}, [], None)),
    *(("POST", "/api/rate/saves", body) for body in ({"saves": {}}, {"saves": [1]}, {"saves": [{}] * 501})),
    *(("POST", "/api/rate/kept", body) for body in ({"keys": "k"}, {"keys": ["k" * 81]}, {"keys": ["k"] * 1001})),
    *(("GET", f"/api/rate/studies/1/items?{query}", None) for query in ("start=1.5", "start=", f"count={10**30}")),
    *(("GET", f"/api/samples?{query}", None) for query in ("page=0", f"text={'x' * 501}", "sort=secret")),
    *(("GET", f"/api/samples/{number}", None) for number in (0, -1, 2**63)),
]


def test_a_request_of_another_shape_is_refused(rater: TestClient) -> None:
    for method, path, body in SHAPES:
        assert rater.request(method, path, json=body).status_code == 422, (method, path, body)


def test_an_export_of_another_kind_is_refused(client: TestClient, site: Site) -> None:
    study = site.study(size=1)
    for suffix in (".xlsx", "/../../secret.key", ".csv/x"):
        assert client.get(f"/api/studies/{study.id}/export{suffix}").status_code in (400, 404)
