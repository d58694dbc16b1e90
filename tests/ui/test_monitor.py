"""The monitor's routes: where a study stands, one rater's work, and changes of several raters; and the command."""

import itertools
from typing import Any

import pytest
from fastapi.testclient import TestClient

from storage.study_types import Study
from tests.making import HOSTILE, METRICS, answer_all
from tests.ui.conftest import WRITE, Site

_codes = itertools.count()


def joined(site: Site, study: Study, count: int, done: int = 0) -> list[str]:
    """Let new raters get the study's items, and the first `done` of them answer all; returns their codes."""
    repository = site.workplace.repository
    raters = [repository.raters.add(f"MON{next(_codes)}") for _ in range(count)]
    for number, rater in enumerate(raters):
        repository.desk.queue(study.id, rater)
        if number < done:
            answer_all(repository, study, rater, point=2)
    return [rater.code for rater in raters]


def small(site: Site) -> Study:
    return site.study(metrics=METRICS[:1], raters_per_item=3, size=3)


def look(client: TestClient, study: Study) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/api/studies/{study.id}/participants").raise_for_status().json()
    return found


def bulk(client: TestClient, study: Study, **body: Any) -> Any:
    return client.post(f"/api/studies/{study.id}/raters/bulk", json=body, headers=WRITE)


def test_the_monitor_says_where_a_study_stands(site: Site, client: TestClient) -> None:
    study = small(site)
    first, second = joined(site, study, 2, done=1)
    answer = client.get(f"/api/studies/{study.id}/participants")
    found = answer.json()
    assert answer.headers["cache-control"] == "no-store"
    assert (found["now"]["finished"], found["now"]["arrived"]) == (1, 1) and sum(found["now"].values()) == 2
    assert found["days"][-1]["day"] == "in all" and found["days"][-1]["arrived"] == 2
    assert found["missing"] == 6 and [one["missing"] for one in found["short"]] == [2, 2, 2]
    words = "Not known yet, because fewer than 10 item ratings were"
    assert found["end"]["at"] is None and found["end"]["words"].startswith(words)
    assert [(one["code"], one["state"]) for one in found["raters"]] == [(first, "finished"), (second, "arrived")]


def test_without_a_number_of_ratings_the_raters_who_came_tell_what_is_missing(site: Site, client: TestClient) -> None:
    study = site.study(metrics=METRICS[:1], raters_per_item=None, size=4)
    joined(site, study, 2)
    found = look(client, study)
    assert not found["shares_items"] and found["short"] == [] and found["missing"] == 8


def test_several_raters_are_excluded_included_and_released_in_one_step(site: Site, client: TestClient) -> None:
    study = small(site)
    codes = joined(site, study, 3)
    reply = bulk(client, study, codes=[*codes[:2], codes[0]], action="exclude", reason=f"hasty {HOSTILE}")
    assert reply.json() == {"raters": 2, "items": 0}
    by_code = {one["code"]: one for one in look(client, study)["raters"]}
    assert [by_code[code]["state"] for code in codes] == ["excluded", "excluded", "arrived"]
    assert by_code[codes[0]]["why"] == f"hasty {HOSTILE}"
    newest = site.workplace.repository.audit.newest(1)[0]
    assert newest.deed == "several raters changed" and f"exclude {codes[0]}, {codes[1]}: hasty" in newest.object
    assert bulk(client, study, codes=codes[:2], action="include").status_code == 200
    assert look(client, study)["now"]["excluded"] == 0
    assert bulk(client, study, codes=codes[2:], action="release").json() == {"raters": 1, "items": 3}


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"reason": ""}, 400),
        ({"reason": "x" * 400}, 400),
        ({"action": "erase"}, 422),
        ({"codes": []}, 422),
        ({"codes": ["A"] * 1001}, 422),
        ({"more": 1}, 422),
    ],
)
def test_a_wrong_change_changes_nobody(site: Site, client: TestClient, change: dict[str, Any], status: int) -> None:
    study = small(site)
    codes = joined(site, study, 2)
    assert (
        bulk(client, study, **{"codes": codes, "action": "exclude", "reason": "hasty"} | change).status_code == status
    )
    assert look(client, study)["now"]["excluded"] == 0


def test_raters_of_another_study_are_neither_changed_nor_shown(site: Site, client: TestClient) -> None:
    study, other = small(site), small(site)
    (mine,), (theirs,) = joined(site, study, 1), joined(site, other, 1)
    assert bulk(client, study, codes=[mine, theirs], action="exclude", reason="hasty").status_code == 404
    assert look(client, study)["now"]["excluded"] == look(client, other)["now"]["excluded"] == 0
    assert client.get(f"/api/studies/{study.id}/raters/{theirs}/work").status_code == 404
    assert client.get(f"/api/studies/{10**6}/participants").status_code == 404
    assert client.get(f"/api/studies/{10**6}/raters/{mine}/work").status_code == 404


def test_a_raters_work_is_shown_item_by_item(site: Site, client: TestClient) -> None:
    study = small(site)
    (code,) = joined(site, study, 1, done=1)
    answer = client.get(f"/api/studies/{study.id}/raters/{code}/work")
    items = answer.json()["items"]
    assert answer.headers["cache-control"] == "no-store" and [one["place"] for one in items] == [1, 2, 3]
    assert all(one["finished_at"].endswith("Z") and len(one["answers"]) == 3 for one in items)
    assert {given["point"] for one in items for given in one["answers"]} == {2}
