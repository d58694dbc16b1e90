"""Limits by address behind a proxy: a stranger locks nobody out, and a class of thirty comes in."""

from collections.abc import Callable
from dataclasses import replace
from ipaddress import ip_network
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from core.studies.planning.platforms import PRESETS
from tests.making import make_study
from tests.ui.conftest import PASSWORD, with_password
from ui.services.accounts.passwords import PER_ADDRESS
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace
from ui.setting_values import PublicUrl
from ui.settings import Settings

LAB = PublicUrl("https", "lab.example")
PUBLIC = Settings(public_url=LAB, warm=False)
pytestmark = pytest.mark.usefixtures("cheap")
STRANGER, COLLEAGUE = "203.0.113.9", "198.51.100.7"


def browser_of(app: FastAPI, said: str | None = None, client: str = "127.0.0.1") -> TestClient:
    headers = {} if said is None else {"X-Forwarded-For": said}
    return TestClient(app, base_url=LAB.origin, client=(client, 1), follow_redirects=False, headers=headers)


def sign_in(browser: TestClient, name: str, password: str) -> int:
    return browser.post("/sign-in", data={"name": name, "password": password, "next": "/"}).status_code


def test_behind_a_proxy_that_names_nobody_a_stranger_locks_nobody_else_out(
    workplace: Workplace, api_of: Callable[..., FastAPI]
) -> None:
    app = api_of(workplace, Judge(workplace), PUBLIC)
    with_password(workplace.repository, "ada", "admin")
    guessing = browser_of(app)
    assert {sign_in(guessing, f"name {number}", "wrong password") for number in range(PER_ADDRESS)} == {401}
    assert sign_in(guessing, "another", "wrong password") == 401 and sign_in(browser_of(app), "ada", PASSWORD) == 303


def test_a_stranger_whom_the_proxy_names_is_locked_out_alone(
    workplace: Workplace, api_of: Callable[..., FastAPI]
) -> None:
    app = api_of(workplace, Judge(workplace), replace(PUBLIC, trusted_proxies=(ip_network("127.0.0.1"),)))
    with_password(workplace.repository, "ada", "admin")
    guessing = browser_of(app, STRANGER)
    assert {sign_in(guessing, f"name {number}", "wrong password") for number in range(PER_ADDRESS)} == {401}
    assert sign_in(guessing, "another", "wrong password") == 429
    assert sign_in(browser_of(app, COLLEAGUE), "ada", PASSWORD) == 303


def rater(app: FastAPI, token: str, address: str = STRANGER) -> TestClient:
    at = browser_of(app, client=address)
    at.headers |= {"X-Capscope": "1", "X-Capscope-Link": token}
    return at


def enter(app: FastAPI, token: str, code: str, address: str = STRANGER) -> Any:
    return rater(app, token, address).post("/api/rate/session", json={"code": code})


def test_a_class_of_thirty_comes_in_from_one_address_and_a_flood_of_codes_does_not(
    birds: Workplace, api_of: Callable[..., FastAPI]
) -> None:
    app, study, workplace = api_of(birds, Judge(birds), PUBLIC), make_study(birds), birds
    token = workplace.repository.links.make(study.id)[1]
    answers = [enter(app, token, f"C{number}") for number in range(62)]
    assert [answer.status_code for answer in answers] == [200] * 60 + [429] * 2
    assert answers[-1].json()["kind"] == "busy" and 3500 < int(answers[-1].headers["retry-after"]) <= 3600
    assert enter(app, token, "ELSEWHERE", COLLEAGUE).status_code == 200  # others come in all the while
    other = workplace.repository.links.make(study.id)[1]
    assert enter(app, other, "OTHER").status_code == 200
    personal = workplace.repository.links.make(study.id, "MINE")[1]
    assert [enter(app, personal, "").status_code for _ in range(2)] == [200, 200]


def test_people_of_a_panel_are_counted_once_each(birds: Workplace, api_of: Callable[..., FastAPI]) -> None:
    app, study = api_of(birds, Judge(birds), replace(PUBLIC, new_raters=2)), make_study(birds)
    token = birds.repository.links.make(study.id, panel=PRESETS[0])[1]

    def arrive(person: str) -> int:
        query = f"{PRESETS[0].person}={person}"
        return rater(app, token).post("/api/rate/arrival", json={"query": query}).status_code

    assert [arrive(person) for person in ("p1", "p1", "p2", "p1", "p3", "p2")] == [200, 200, 200, 200, 429, 200]
