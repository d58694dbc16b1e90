"""Who reaches which study: every route of a study with every role and right, and every list."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from core.analysis.slices import slice_json
from storage.accounts.study_rights import RIGHTS, Share
from storage.study_types import Study
from tests.making import answer_all, make_study
from tests.ui.conftest import WRITE, client_of
from tests.ui.web.test_access import House, house, path_of
from ui.services.scoring.judging import Judge
from ui.services.studies.study_actions import create_study

__all__ = ["house"]
ROLES = ("viewer", "researcher", "admin")


def routes() -> Iterator[tuple[str, object]]:
    from ui.web.access.route_table import TABLE

    for who in ROLES:
        for route in TABLE[who]:  # type: ignore[index]
            yield who, route


def hidden(house: House, name: str | None = None, right: str | None = None) -> Study:
    """Create the first study one of "maker" alone, and perhaps share it."""
    repository, study = house.workplace.repository, house.studies[0]
    if "maker" not in [account.name for account in repository.accounts.all()]:
        repository.accounts.add("maker", "researcher")
    repository.rights.share(study.id, "maker", "own")
    repository.rights.share(study.id, None, None)
    if name is not None:
        repository.rights.share(study.id, name, right)  # type: ignore[arg-type]
    return study


def refused(browser: TestClient, route: object, path: str) -> str:
    """Return "not there", "not allowed", or "in" for a request that reached its route."""
    answer = browser.request(route.method, path)  # type: ignore[attr-defined]
    if answer.status_code == 404 and "There is no study number" in answer.text:
        return "not there"
    return "not allowed" if answer.status_code == 403 else "in"


def test_the_table_states_the_right_that_each_route_of_a_study_needs() -> None:
    stated = [(route, route.right is not None) for _, route in routes()]  # type: ignore[attr-defined]
    assert [route for route, is_stated in stated if is_stated != ("{study_id}" in route.path)] == []  # type: ignore[attr-defined]
    assert {route.right for _, route in routes()} == {None, *RIGHTS}  # type: ignore[attr-defined]


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("right", [None, *RIGHTS])
def test_each_role_with_each_right_reaches_exactly_its_routes_of_a_study(
    house: House, role: str, right: str | None
) -> None:
    house.workplace.repository.accounts.add("bystander", "admin")
    house.account(role, "somebody")
    study = hidden(house, "somebody", right)
    wrong = []
    for who, route in routes():
        needed = route.right  # type: ignore[attr-defined]
        if needed is None:
            continue
        held = "own" if role == "admin" else "see" if role == "viewer" and right else right
        expected = "in" if held and RIGHTS.index(held) >= RIGHTS.index(needed) else "not allowed"  # type: ignore[arg-type]
        expected = expected if held else "not there"
        if ROLES.index(role) < ROLES.index(who):
            expected = "not allowed"  # the same answer as for a study that does not exist
        path = path_of(route, house)  # type: ignore[arg-type]
        found = refused(house.account(role, "somebody"), route, path)
        wrong += [(route, found, expected)] if found != expected else []
        if held is None:  # word for word as for a study that is not there
            browser = house.account(role, "somebody")
            other = path.replace(f"/studies/{study.id}", "/studies/7777")
            answers = [browser.request(route.method, one) for one in (path, other)]  # type: ignore[attr-defined]
            assert answers[0].text == answers[1].text.replace("7777", str(study.id))
    assert wrong == []


@pytest.mark.parametrize("spelling", ["0{}", "+{}", "{}.0", "%20{}", "{}%0A", "%EF%BC%91", "{}_", "-{}", "{}%00"])
def test_another_spelling_of_a_number_opens_no_hidden_study(house: House, spelling: str) -> None:
    study = hidden(house)
    browser = house.account("researcher")
    for rest in ("report", "links", "export.csv", "monitor"):
        answer = browser.get(f"/api/studies/{spelling.format(study.id)}/{rest}")
        assert answer.status_code == 404 and "first" not in answer.text


def test_no_list_names_a_hidden_study_or_its_raters(house: House) -> None:
    study, repository = hidden(house), house.workplace.repository
    answer_all(repository, study, repository.raters.add("SECRETRATER"))
    number = next(one for one in range(1, 50) if repository.analysis.ratings(one))
    for role in ("viewer", "researcher"):
        browser = house.account(role)
        assert [one["name"] for one in browser.get("/api/studies").json()] == ["second"]
        assert [one["name"] for one in browser.get("/api/analyse/studies?dataset=birds").json()] == ["second"]
        assert browser.get(f"/api/analyse/samples/{number}/ratings").json() == []
    admin = house.account("admin")
    assert len(admin.get("/api/studies").json()) == 2
    assert {one["rater"] for one in admin.get(f"/api/analyse/samples/{number}/ratings").json()} == {"SECRETRATER"}
    researcher = house.account("researcher")
    assert [one["title"] for one in researcher.get("/api/rate/studies").json()] == ["second"]
    question = {"items": 10, "ratings_per_item": 2, "like": "first", "difference": 0.5}
    told = researcher.post("/api/studies/forecast", json=question)
    assert told.status_code == 404 and "Studies: second" in told.json()["detail"]
    assert "Studies: second" in researcher.post("/api/studies/forecast", json=question | {"like": "x"}).text


def test_a_forecast_learns_from_a_study_that_is_shared(house: House) -> None:
    house.account("researcher")
    hidden(house, "researcher@lab.example", "see")
    question = {"items": 10, "ratings_per_item": 2, "like": "first", "difference": 0.5}
    told = house.account("researcher").post("/api/studies/forecast", json=question)
    assert told.status_code == 400 and "too few ratings" in told.json()["detail"]


def test_a_kept_list_is_not_shown_after_a_study_was_taken_away(house: House) -> None:
    house.account("researcher")
    hidden(house, "researcher@lab.example", "run")
    browser, repository = house.account("researcher"), house.workplace.repository
    first = browser.get("/api/studies")
    same = {"if-none-match": first.headers["etag"]}
    assert browser.get("/api/studies", headers=same).status_code == 304
    repository.rights.share(house.studies[0].id, "researcher@lab.example", "see")
    assert [one["right"] for one in browser.get("/api/studies", headers=same).json()] == ["run", "see"]
    repository.rights.share(house.studies[0].id, "researcher@lab.example", None)
    assert [one["name"] for one in browser.get("/api/studies", headers=same).json()] == ["second"]
    assert house.account("researcher", "other").get("/api/studies", headers=same).status_code == 200


def test_the_criteria_and_ratings_of_a_hidden_study_are_in_no_slice(house: House) -> None:
    repository = house.workplace.repository
    from core.analysis.slices import Range, Slice

    answer_all(repository, house.studies[0], repository.raters.add("K7"), 1)
    browser = house.account("researcher")
    low = Slice("low", criterion="consistency", rating=Range(1, 2))
    body = {"dataset": "birds", "slice": slice_json(low)}
    assert browser.put("/api/analyse/slices", json=body).status_code == 200

    def samples() -> tuple[int, int]:
        shown = browser.get("/api/analyse/slices?dataset=birds").json()["slices"][0]["samples"]
        return shown, browser.get("/api/analyse/members?dataset=birds&slice=low").json()["samples"]

    assert min(samples()) > 0
    hidden(house)
    assert samples() == (0, 0)
    repository.rights.share(house.studies[1].id, None, None)
    assert browser.get("/api/analyse/slices?dataset=birds").json()["criteria"] == []


def test_an_account_rates_without_a_link_only_in_studies_that_it_may_run(house: House) -> None:
    browser, (first, second) = house.account("researcher"), house.studies
    assert browser.post("/api/rate/session", json={"code": "TRY"}).status_code == 200
    assert browser.get(f"/api/rate/studies/{first.id}/items").status_code == 200
    hidden(house, "researcher@lab.example", "see")
    for path in (f"{first.id}/items", f"{first.id}/visit", f"0{first.id}/items", f"{first.id}/standing"):
        assert browser.get(f"/api/rate/studies/{path}").status_code == 404
    assert browser.get(f"/api/rate/studies/{second.id}/items").status_code == 200
    assert house.rater(0, "A1").get(f"/api/rate/studies/{first.id}/items").status_code == 200  # by a link


def test_who_makes_or_copies_a_study_owns_it_shares_it_and_deletes_it(house: House) -> None:
    maker, other = house.account("researcher", "anna"), house.account("researcher", "ben")
    made = maker.post("/api/studies", json={"name": "third", "dataset": "birds"}).json()
    assert (made["right"], made["everyone"]) == ("own", None)
    path = f"/api/studies/{made['id']}"
    assert other.get(f"{path}/report").status_code == 404
    assert other.put(f"{path}/shares", json={"account": "ben", "right": "own"}).status_code == 404
    shared = maker.put(f"{path}/shares", json={"account": "BEN", "right": "see"}).json()
    assert shared == [{"account": "anna", "right": "own"}, {"account": "ben", "right": "see"}]
    told = other.put(f"{path}/shares", json={"account": "ben", "right": "own"})
    assert (told.status_code, told.json()["kind"]) == (403, "not_allowed")
    copy = other.post(f"{path}/copies", json={"name": "fourth"}).json()["number"]
    assert house.workplace.repository.rights.shares(copy) == (Share("ben", "own"),)
    assert maker.get(f"/api/studies/{copy}/report").status_code == 404
    assert other.post(f"{path}/delete", json={"name": "third"}).status_code == 403
    assert maker.post(f"{path}/delete", json={"name": "third"}).status_code == 200
    deeds = [(one.actor, one.object) for one in house.workplace.repository.audit.all() if one.deed == "study shared"]
    assert deeds == [("anna", "study third, access of BEN: see")]


def test_what_sharing_refuses_leaves_everything_as_it_was(house: House) -> None:
    repository, study = house.workplace.repository, hidden(house)
    repository.accounts.add("gone", "viewer")
    repository.accounts.change("gone", disabled=True)
    path, admin = f"/api/studies/{study.id}/shares", house.account("admin")
    for body, status in (
        ({"account": None, "right": "own"}, 400),
        ({"account": "nobody", "right": "see"}, 404),
        ({"account": "gone", "right": "see"}, 400),
        ({"account": "maker", "right": "see"}, 400),  # the only owner
        ({"account": "maker", "right": None}, 400),
        ({"account": "maker", "right": "rule"}, 422),
        ({"account": "", "right": "see"}, 422),
    ):
        assert admin.put(path, json=body).status_code == status, body
    assert admin.get(path).json() == [{"account": "maker", "right": "own"}]


def test_a_changed_role_and_a_closed_account_change_rights_at_the_next_request(house: House) -> None:
    repository, study = house.workplace.repository, house.studies[0]
    browser = house.account("researcher", "somebody")
    hidden(house, "somebody", "own")
    path = f"/api/studies/{study.id}"
    assert browser.get(f"{path}/links").status_code == 200
    repository.accounts.change("somebody", role="viewer")
    assert (browser.get(f"{path}/links").status_code, browser.get(f"{path}/report").status_code) == (403, 200)
    repository.accounts.change("somebody", role="researcher")
    assert browser.get(f"{path}/links").status_code == 200
    repository.accounts.change("somebody", disabled=True)
    assert browser.get(f"{path}/report").status_code == 401
    repository.accounts.change("somebody", disabled=False)
    assert house.account("researcher", "somebody").get(f"{path}/links").status_code == 200


def test_without_sign_in_every_study_is_owned_and_later_accounts_may_run_it(birds: object, api_of: object) -> None:
    browser = client_of(api_of(birds, Judge(birds)))  # type: ignore[operator,arg-type]
    made = browser.post("/api/studies", json={"name": "local", "dataset": "birds"}, headers=WRITE).json()
    assert (made["right"], made["everyone"]) == ("own", "run")
    assert [one["right"] for one in browser.get("/api/studies").json()] == ["own"]
    assert browser.get(f"/api/studies/{made['id']}/shares").json() == [{"account": None, "right": "run"}]


def test_the_queue_of_programs_names_no_study(house: House) -> None:
    hidden(house)
    assert not re.search("study|studies", house.account("viewer").get("/gradio_api/info").text, re.IGNORECASE)


def test_a_study_made_for_an_account_belongs_to_it(house: House) -> None:
    from dataclasses import replace

    from core.studies.planning.study_request import StudyRequest

    account = house.workplace.repository.accounts.add("anna", "researcher")
    study = create_study(replace(house.workplace, account=account), StudyRequest(name="hers", dataset="birds", seed=1))
    assert house.workplace.repository.rights.shares(study.id) == (Share("anna", "own"),)
    assert make_study(house.workplace, "ours").id in house.workplace.repository.rights.of_everyone()
