"""Watching raters, gold over HTTP."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from storage.study_types import Study
from tests.making import CRITERIA, METRICS
from tests.ui.conftest import Site, save

Newcomer = Callable[[], TestClient]


def all_items(rater: TestClient, study: Study) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while True:
        items = rater.get(f"/api/rate/studies/{study.id}/items?start={len(found) + 1}&count=20").json()["items"]
        if not items:
            return found
        found += items


def answer(rater: TestClient, items: list[dict[str, Any]], point: int, ms: int = 30_000) -> None:
    saves = [save(item, key, point, in_sight_ms=ms) for item in items for key in CRITERIA]
    results = rater.post("/api/rate/saves", json={"saves": saves}).json()["results"]
    assert all(one["saved"] for one in results)


def approve(client: TestClient, study: Study, role: str, making: str, count: int) -> list[dict[str, Any]]:
    wanted = {"making": making, "count": count, "seed": 1}
    made = client.post(f"/api/studies/{study.id}/controls/proposals", json=wanted).json()
    chosen = [{name: one[name] for name in ("making", "sample", "scores")} for one in made]
    answer = client.post(f"/api/studies/{study.id}/controls", json={"role": role, "items": chosen})
    assert answer.status_code == 201, answer.text
    return list(answer.json())


def test_a_rater_who_hurries_is_flagged_and_how_often_gold_comes_can_be_set(
    site: Site, client: TestClient, newcomer: Newcomer
) -> None:
    study = site.study()
    hurried, steady = newcomer(), newcomer()
    answer(hurried, all_items(hurried, study), 3, ms=120)
    answer(steady, all_items(steady, study), 4)
    found = client.get(f"/api/studies/{study.id}/monitor").json()
    assert [row["items"] for row in found["table"]["rows"]] == [study.items] * 2
    assert found["flagged"] == [{"code": hurried.code, "flags": ["fast"]}]  # type: ignore[attr-defined]
    often = {"gold_every": 9, "repeat_every": None, "stamp": found["stamp"]}
    assert client.put(f"/api/studies/{study.id}/watch", json=often).json()["gold_every"] == 9


def test_gold_and_repeats_look_like_every_other_item_on_the_wire(
    site: Site, client: TestClient, newcomer: Newcomer
) -> None:
    study = site.study(metrics=METRICS[:1])
    controls = approve(client, study, "gold", "swapped", 2)
    assert [one["role"] for one in controls] == ["gold", "gold"]
    assert all(one["made"]["criterion"] == "factuality" and one["made"]["highest"] == 2 for one in controls)
    client.put(
        f"/api/studies/{study.id}/watch", json={"stamp": "never", "thresholds": {}, "gold_every": 2, "repeat_every": 2}
    )
    rater = newcomer()
    items = all_items(rater, study)
    assert len(items) == study.items + 2
    shapes = {(tuple(item), len(item["id"]), item["practice"], item["image"][:16]) for item in items}
    assert len(shapes) == 1
    assert not any(word in str(items) for word in ("gold", "repeat", "control", "swapped", "expected"))
    for item in items:
        assert rater.get(f"/api/rate/items/{item['id']}/feedback").status_code == 404
    answer(rater, items, 4)
    (row,) = client.get(f"/api/studies/{study.id}/monitor").json()["table"]["rows"]
    assert (row["items"], row["gold"]) == (study.items, "0 of 2")
    gone = client.delete(f"/api/studies/{study.id}/controls/{controls[0]['item']}").json()
    assert [(one["retired_at"] is not None, one["given"]) for one in gone] == [(True, 1), (False, 1)]
    exported = client.get(f"/api/studies/{study.id}/export.jsonl").text.splitlines()
    assert sum('"role": "gold"' in line for line in exported) == 2 * len(CRITERIA)


def test_practice_tells_what_would_have_been_right(site: Site, client: TestClient, newcomer: Newcomer) -> None:
    study = site.study(metrics=METRICS[:1])

    def welcomed() -> dict[str, Any]:
        (found,) = (one for one in newcomer().get("/api/rate/studies").json() if one["id"] == study.id)
        return dict(found)

    assert welcomed()["practice"] == 0
    (made,) = approve(client, study, "training", "turned", 1)
    assert (welcomed()["practice"], welcomed()["items"]) == (1, study.items)
    rater = newcomer()
    first = rater.get(f"/api/rate/studies/{study.id}/items?count=1").json()["items"][0]
    assert first["practice"]
    assert rater.get(f"/api/rate/items/{first['id']}/feedback").status_code == 404
    answer(rater, [first], 4)
    told = rater.get(f"/api/rate/items/{first['id']}/feedback").json()
    assert (told["given"], told["right"]) == ({"consistency": [4]}, {"consistency": [1, 2]})
    assert newcomer().get(f"/api/rate/items/{first['id']}/feedback").status_code == 404


def test_what_no_criterion_of_the_study_judges_is_not_made(site: Site, client: TestClient) -> None:
    study = site.study(criteria=("consistency",))
    assert client.get(f"/api/studies/{study.id}/controls/makings").json() == ["turned"]
    wanted = {"making": "swapped", "count": 1, "seed": 1}
    refused = client.post(f"/api/studies/{study.id}/controls/proposals", json=wanted)
    assert refused.status_code == 400 and "Factuality" in refused.json()["detail"]


def test_who_is_excluded_is_flagged_no_more(site: Site, client: TestClient, newcomer: Newcomer) -> None:
    study = site.study(metrics=METRICS[:1])
    for point, ms in ((4, 30_000), (3, 30_000), (1, 100)):
        rater = newcomer()
        answer(rater, all_items(rater, study), point, ms)
    code = rater.code  # type: ignore[attr-defined]
    before = client.get(f"/api/studies/{study.id}/monitor").json()
    assert code in {one["code"] for one in before["flagged"]}
    out = {"code": code, "reason": "in a hurry"}
    assert client.post(f"/api/studies/{study.id}/raters/exclude", json=out).status_code < 300
    after = client.get(f"/api/studies/{study.id}/monitor").json()
    assert code not in {one["code"] for one in after["flagged"]}
    assert sorted(row["excluded"] for row in after["table"]["rows"]) == ["", "", "rater excluded: in a hurry"]


@pytest.mark.parametrize("path", ["monitor", "controls"])
def test_a_study_that_is_not_there_is_not_found(client: TestClient, path: str) -> None:
    assert client.get(f"/api/studies/99999/{path}").status_code == 404


def test_a_rater_who_fails_gold_is_stopped_reads_an_ending_and_counts_again_when_a_manager_says_so(
    site: Site, client: TestClient, newcomer: Newcomer
) -> None:
    study = site.study(metrics=METRICS[:1])
    approve(client, study, "gold", "swapped", 2)
    path = f"/api/studies/{study.id}"
    rules: dict[str, Any] = {"thresholds": {}, "gold_every": 2, "repeat_every": None}
    set_once = client.put(f"{path}/watch", json=rules | {"stamp": "never", "stop_after_gold": 1}).json()
    assert set_once["stop_after_gold"] == 1
    kept = client.put(f"{path}/watch", json=rules | {"stamp": set_once["stamp"]}).json()
    assert kept["stop_after_gold"] == 1  # the dialog of thresholds does not send the number
    refused = client.put(f"{path}/watch", json=rules | {"stamp": kept["stamp"], "stop_after_gold": 0})
    assert refused.status_code == 422
    rater = newcomer()
    answer(rater, all_items(rater, study), 4)
    rated = f"/api/rate/studies/{study.id}"
    visit = rater.get(f"{rated}/visit").json()
    assert (visit["stage"], visit["end"]) == ("failed_gold", None)
    stopped = rater.get(f"{rated}/items?start=1").json()
    assert (stopped["stopped"], stopped["items"]) == ("failed_gold", [])
    exported = client.get(f"{path}/export.csv").text
    assert "rater excluded: failed 1 gold item" in exported
    code = rater.code  # type: ignore[attr-defined]
    assert client.post(f"{path}/raters/include", json={"code": code}).status_code == 200
    assert rater.get(f"{rated}/visit").json()["stage"] == "done"
    assert "rater excluded" not in client.get(f"{path}/export.csv").text


def test_a_stop_that_can_never_happen_is_warned_of_before_and_after_it_is_set(site: Site, client: TestClient) -> None:
    study = site.study(metrics=METRICS[:1])
    path = f"/api/studies/{study.id}"

    def warned(query: str = "") -> str:
        return " ".join(client.get(f"{path}/workload{query}").json()["warnings"])

    assert warned() == warned("?gold_every=2") == ""  # the stop is off
    assert "a rater gets no gold item" in warned("?gold_every=2&stop_after_gold=1")
    approve(client, study, "gold", "swapped", 2)
    assert warned("?gold_every=2&stop_after_gold=1") == ""
    rules = {"thresholds": {}, "gold_every": study.items, "repeat_every": None, "stop_after_gold": 2}
    client.put(f"{path}/watch", json=rules | {"stamp": "never"})
    assert warned().startswith(
        "Raters are never stopped at 2 failed gold items, because a rater gets at most 1 gold item."
    )
    assert warned("?stop_after_gold=0") == warned("?stop_after_gold=1") == ""
