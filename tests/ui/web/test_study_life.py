"""The Studies page's routes about the life of a study, as a browser and as the log see them."""

import itertools
from typing import Any

from fastapi.testclient import TestClient

from tests.making import METRICS, answer_all
from tests.ui.conftest import WRITE, Site

_names = itertools.count()


def post(client: TestClient, study: int, what: str, **body: Any) -> Any:
    return client.post(f"/api/studies/{study}/{what}", json=body, headers=WRITE)


def card(client: TestClient, study: int) -> dict[str, Any]:
    return next(one for one in client.get("/api/studies").json() if one["id"] == study)


def step(client: TestClient, study: int, **body: Any) -> Any:
    return post(client, study, "state", stamp=card(client, study)["course"]["stamp"], **body)


def deeds(site: Site, count: int) -> list[tuple[str, str]]:
    return [(entry.deed, entry.object) for entry in reversed(site.workplace.repository.audit.newest(count))]


def test_a_study_goes_from_draft_to_archive_and_the_log_says_so(site: Site, client: TestClient) -> None:
    name = f"life {next(_names)}"
    draft = {"name": name, "dataset": "birds", "state": "draft", "raters_per_item": 2, "items_per_rater": 3}
    made = client.post("/api/studies", json=draft, headers=WRITE).json()
    assert (made["course"]["state"], made["course"]["items_per_rater"]) == ("draft", 3)
    study = made["id"]
    assert step(client, study, state="closed").status_code == 400
    assert step(client, study, state="pilot", pilot_items=2).status_code == 200
    for state in ("running", "paused", "running", "closed", "archived"):
        tag = client.get("/api/studies").headers["etag"]
        assert step(client, study, state=state).status_code == 200
        assert card(client, study)["course"]["state"] == state
        assert client.get("/api/studies").headers["etag"] != tag
    steps = ["draft to pilot", "pilot to running", "running to paused", "paused to running", "running to closed"]
    steps.append("closed to archived")
    assert deeds(site, 6) == [("study's state changed", f"study {name}: {step}") for step in steps]


def test_settings_come_with_their_zone_and_nonsense_is_refused(site: Site, client: TestClient) -> None:
    study = site.study(metrics=METRICS[:1], raters_per_item=1).id
    body: dict[str, Any] = {
        "stamp": "never",
        "deadline": "2026-12-31T18:00:00+02:00",
        "items_per_rater": 4,
        "hold_hours": 1.5,
    }
    put = client.put(f"/api/studies/{study}/course", json=body, headers=WRITE)
    course = card(client, study)["course"]
    assert (put.status_code, course["deadline"], course["hold_hours"]) == (200, "2026-12-31T16:00:00Z", 1.5)
    for wrong in ({"hold_hours": 0}, {"items_per_rater": 0}, {"hold_hours": "many"}, {"deadline": "soon"}):
        found = client.put(
            f"/api/studies/{study}/course", json=body | {"stamp": course["stamp"]} | wrong, headers=WRITE
        )
        assert found.status_code == 422
    assert card(client, study)["course"] == course


def test_raters_are_released_excluded_exported_and_erased(site: Site, client: TestClient) -> None:
    repository, study = site.workplace.repository, site.study(metrics=METRICS[:1], raters_per_item=1, size=3)
    rater, gone = (repository.raters.add(f"LIFE{next(_names)}") for _ in range(2))
    answer_all(repository, study, rater)
    assert post(client, study.id, "raters/release", codes=[gone.code]).status_code == 404
    assert post(client, study.id, "raters/exclude", code=rater.code, reason="too fast").status_code == 200
    assert card(client, study.id)["raters"][0]["excluded"] == "too fast"
    report = client.get(f"/api/studies/{study.id}/report").json()
    assert report["ratings"]["rows"] == []
    left_out = {"rater": rater.code, "why": "rater excluded: too fast", "ratings": 9, "sentences": None}
    assert report["left_out"]["rows"] == [left_out]
    exported = client.get(f"/api/studies/{study.id}/export.jsonl").text.splitlines()
    assert len(exported) == 9 and all('"left_out": "rater excluded: too fast"' in line for line in exported)
    assert post(client, study.id, "raters/include", code=rater.code).json() == {"number": 3}
    taken = client.get(f"/api/studies/{study.id}/raters/{rater.code}/everything.json")
    assert taken.headers["content-disposition"] == f'attachment; filename="rater-{rater.code}.json"'
    assert {"raters", "ratings", "events"} <= taken.json().keys()
    erase = {"code": rater.code, "keep_ratings": True}
    assert post(client, study.id, "raters/erase", **erase, typed="OTHER").status_code == 400
    assert post(client, study.id, "raters/erase", **erase, typed=rater.code.lower()).status_code == 200
    assert card(client, study.id)["raters"][0]["code"] == f"erased {rater.id}"
    assert deeds(site, 1) == [("rater erased", f"rater number {rater.id}, ratings kept")]


def test_a_study_is_duplicated_and_deleted_by_its_name(site: Site, client: TestClient) -> None:
    study, name = site.study(metrics=METRICS[:1]), f"copy {next(_names)}"
    copy = post(client, study.id, "copies", name=name).json()["number"]
    assert card(client, copy)["course"]["state"] == "draft"
    assert post(client, study.id, "copies", name=name).status_code == 409
    assert post(client, copy, "delete", name="another").status_code == 400
    assert post(client, copy, "delete", name=name).json() == {"number": 0}
    assert copy not in [one["id"] for one in client.get("/api/studies").json()]
    assert post(client, copy, "delete", name=name).status_code == 404
    assert deeds(site, 2) == [("study duplicated", f"study {study.name}: {name}"), ("study deleted", f"study {name}")]


def test_what_somebody_changed_meanwhile_is_refused_by_name_and_the_log_says_nothing(
    site: Site, client: TestClient
) -> None:
    study = site.study(metrics=METRICS[:1], raters_per_item=1).id
    monitor, entry = (client.get(f"/api/studies/{study}/{part}").json() for part in ("monitor", "entry"))
    assert {monitor["stamp"], entry["stamp"], card(client, study)["course"]["stamp"]} == {"never"}
    hours = {"deadline": None, "items_per_rater": None, "hold_hours": 5}
    watch = {"thresholds": {}, "gold_every": 5, "repeat_every": None}
    for method, part, body in (
        ("PUT", "course", hours),
        ("POST", "state", {"state": "paused"}),
        ("PUT", "entry", {"consent": "Agree?", "before": "", "after": ""}),
        ("PUT", "watch", watch),
    ):
        address = f"/api/studies/{study}/{part}"
        assert client.request(method, address, json=body, headers=WRITE).status_code == 422  # without a stamp
        opened = card(client, study)["course"]["stamp"] if part == "state" else "never"
        first, second = (
            client.request(method, address, json=body | {"stamp": opened}, headers=WRITE) for _ in range(2)
        )
        assert first.status_code == 200
        assert (second.status_code, second.json()["kind"]) == (409, "changed_meanwhile")
        assert (
            second.json()["detail"]
            == "Not saved, because somebody at this machine changed the same settings meanwhile."
        )
    stamps = [client.get(f"/api/studies/{study}/{part}").json()["stamp"] for part in ("monitor", "entry")]
    assert len({*stamps, "never", card(client, study)["course"]["stamp"]}) == 4
    told = [deed for deed, _ in deeds(site, 4)]
    assert told == [f"study's {what} changed" for what in ("settings", "state", "questions", "quality settings")]


def test_a_saved_entry_comes_with_the_stamp_for_the_next_change(site: Site, client: TestClient) -> None:
    address, stamp = f"/api/studies/{site.study(metrics=METRICS[:1]).id}/entry", "never"
    for consent in ("one", "two", "three"):
        body = {"consent": consent, "before": "", "after": "", "stamp": stamp}
        stamp = client.put(address, json=body, headers=WRITE).json()["stamp"]
    found = client.get(address).json()
    assert (found["consent"], found["stamp"]) == ("three", stamp)
