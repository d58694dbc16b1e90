"""Signing in by a password, or by a proxy, signing out, and the pages around it."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from ipaddress import ip_network
from typing import Literal

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from core.errors import BadSetting, NotSignedIn, TooManyAttempts
from storage import Repository
from tests.making import HOSTILE
from tests.ui.conftest import CHEAP, PASSWORD, with_password
from ui.services.accounts.passwords import PER_ACCOUNT, PER_ADDRESS, PER_GUESSER, Passwords, check_password
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace
from ui.setting_values import PublicUrl
from ui.settings import Settings

BASE = "https://127.0.0.1"
PUBLIC = Settings(public_url=PublicUrl("https", "127.0.0.1"), warm=False)
pytestmark = pytest.mark.usefixtures("cheap")


@pytest.fixture
def app(workplace: Workplace, api_of: Callable[..., FastAPI]) -> FastAPI:
    return api_of(workplace, Judge(workplace), PUBLIC)


def browser_of(app: FastAPI, address: str = "192.0.2.1", base: str = BASE) -> TestClient:
    return TestClient(app, base_url=base, client=(address, 1), follow_redirects=False)


def sign_in(browser: TestClient, name: str = "ada", password: str = PASSWORD, wanted: str = "/") -> httpx.Response:
    return browser.post("/sign-in", data={"name": name, "password": password, "next": wanted})


# -- passwords


def test_the_page_says_how_to_make_the_first_account_until_there_is_one(app: FastAPI, workplace: Workplace) -> None:
    browser = browser_of(app)
    assert "user add NAME --role admin</code>" in browser.get("/sign-in").text
    with_password(workplace.repository)
    page = browser.get("/sign-in").text
    assert "user add" not in page and "ask an admin for a link" in page


def test_a_link_leads_to_a_page_that_sets_a_password_and_signs_in(workplace: Workplace, app: FastAPI) -> None:
    browser = browser_of(app)
    workplace.repository.accounts.add("ada", "admin")
    token = workplace.repository.accounts.new_link("ada", timedelta(hours=1))
    page = browser.get(f"/password/{token}")
    assert page.status_code == 200 and "<strong>ada</strong> (admin)" in page.text
    assert browser.post(f"/password/{token}", data={"password": PASSWORD, "again": f"{PASSWORD}!"}).status_code == 400
    short = browser.post(f"/password/{token}", data={"password": "short", "again": "short"})
    assert short.status_code == 400 and "12 to 200 characters" in short.text
    done = browser.post(f"/password/{token}", data={"password": PASSWORD, "again": PASSWORD})
    assert (done.status_code, done.headers["location"]) == (303, "/")
    assert browser.get("/api/datasets").status_code == 200
    again = browser.get(f"/password/{token}")
    assert again.status_code == 410 and "This link was already used" in again.text
    assert PASSWORD not in "".join(str(entry) for entry in workplace.repository.audit.all())


@pytest.mark.parametrize("password", ["x" * 11, "x" * 201, "aaaaaaaaaaaaaaaa", "capscope-2026", "ada@lab.example"])
def test_what_is_easily_guessed_is_no_password(password: str) -> None:
    with pytest.raises(BadSetting):
        check_password(password, "ada@lab.example")


def test_passwords_are_stored_by_argon2(repository: Repository) -> None:
    with_password(repository)
    known = repository.accounts.password_of("ada")
    assert known is not None and known[1].startswith("$argon2id$v=19$m=8,t=1,p=1$")


def test_a_wrong_name_and_a_wrong_password_look_the_same(workplace: Workplace, app: FastAPI) -> None:
    with_password(workplace.repository)
    workplace.repository.accounts.add("without", "viewer")
    answers = [sign_in(browser_of(app), name, "wrong password") for name in ("ada", "without", "nobody")]
    assert {answer.status_code for answer in answers} == {401}
    assert len({re.sub(r"ada|without|nobody", "X", answer.text) for answer in answers}) == 1


def test_what_is_no_accounts_name_may_be_a_password_and_stays_out_of_the_log(
    workplace: Workplace, app: FastAPI
) -> None:
    with_password(workplace.repository)
    for name in ("ada", "correct horse battery"):
        sign_in(browser_of(app), name, "wrong password")
    told = [one.object for one in workplace.repository.audit.all() if one.deed == "sign-in failed"]
    assert told == ["account ada", "a name without an account"]


def test_guessing_ends_for_one_address_and_not_for_the_accounts_owner(workplace: Workplace, app: FastAPI) -> None:
    with_password(workplace.repository)
    stranger = browser_of(app, "203.0.113.9")
    statuses = [sign_in(stranger, password=f"wrong password {n}").status_code for n in range(PER_GUESSER + 1)]
    assert statuses == [401] * PER_GUESSER + [429]
    assert sign_in(stranger).status_code == 429
    assert sign_in(browser_of(app)).status_code == 303


def test_guessing_from_many_addresses_ends(repository: Repository) -> None:
    passwords = Passwords(repository, CHEAP)
    for number in range(PER_ACCOUNT):
        with pytest.raises(NotSignedIn):
            passwords.check("ada", PASSWORD, f"198.51.100.{number}")
    with pytest.raises(TooManyAttempts):
        passwords.check("ada", PASSWORD, "192.0.2.1")


def test_one_address_cannot_try_one_password_on_every_account(repository: Repository) -> None:
    passwords = Passwords(repository, CHEAP)
    for number in range(PER_ADDRESS):
        with pytest.raises(NotSignedIn):
            passwords.check(f"name {number}", PASSWORD, "2001:db8::1")
    with pytest.raises(TooManyAttempts):
        passwords.check("another", PASSWORD, "2001:db8::ffff")
    with pytest.raises(NotSignedIn):
        passwords.check("another", PASSWORD, "2001:db9::1")


# -- sessions and cookies


@pytest.mark.parametrize(("scheme", "starts"), [("https", "__Host-capscope_"), ("http", "capscope_")])
def test_cookies_are_out_of_reach_and_bound_to_this_host_where_there_is_https(
    workplace: Workplace, api_of: Callable[..., FastAPI], scheme: Literal["http", "https"], starts: str
) -> None:
    with_password(workplace.repository)
    app = api_of(workplace, Judge(workplace), replace(PUBLIC, public_url=PublicUrl(scheme, "127.0.0.1")))
    (cookie,) = sign_in(browser_of(app, base=f"{scheme}://127.0.0.1")).headers.get_list("set-cookie")
    flags = {part.strip().lower() for part in cookie.split(";")[1:]}
    assert cookie.startswith(starts) and {"httponly", "samesite=lax", "path=/"} <= flags
    assert ("secure" in flags) == (scheme == "https")


def test_signing_out_ends_the_session_wherever_its_cookie_was_copied_to(workplace: Workplace, app: FastAPI) -> None:
    with_password(workplace.repository)
    browser, thief = browser_of(app), browser_of(app)
    sign_in(browser)
    thief.cookies.update(browser.cookies)
    assert thief.get("/api/datasets").status_code == 200
    sign_in(browser)  # again, which ends the earlier session
    assert thief.get("/api/datasets").status_code == 401 and browser.get("/api/datasets").status_code == 200
    thief.cookies.update(browser.cookies)
    assert thief.get("/api/datasets").status_code == 200
    left = browser.post("/sign-out")
    assert left.headers["location"] == "/sign-in" and left.headers["clear-site-data"] == '"cache"'
    assert thief.get("/api/datasets").status_code == browser.get("/api/datasets").status_code == 401
    deeds = [(one.actor, one.deed, one.address) for one in workplace.repository.audit.all()]
    assert deeds == [("ada", deed, "192.0.2.1") for deed in ("signed in", "signed in", "signed out")]


@pytest.mark.parametrize(
    ("wanted", "leads"),
    [
        ("/studies?x=1", "/studies?x=1"),
        *[(bad, "/") for bad in ("//evil.example", "/\\evil.example", "https://evil.example", "evil", "", "/a\nb")],
    ],
)
def test_signing_in_leads_to_pages_of_ours_only(workplace: Workplace, app: FastAPI, wanted: str, leads: str) -> None:
    with_password(workplace.repository)
    assert sign_in(browser_of(app), wanted=wanted).headers["location"] == leads


def test_plain_pages_run_no_script_of_their_own_and_show_hostile_text_as_text(
    workplace: Workplace, app: FastAPI
) -> None:
    with_password(workplace.repository)
    browser = browser_of(app)
    shown = [sign_in(browser, HOSTILE, "wrong password"), browser.get("/sign-in", params={"next": f"/{HOSTILE}"})]
    sign_in(browser)
    workplace.repository.audit.add(HOSTILE, "study made", HOSTILE)
    shown += [browser.get(path) for path in ("/people", "/people/log")]
    shown.append(browser.post("/people", data={"name": HOSTILE, "role": HOSTILE}))
    for page in shown:
        assert "<img src=x" not in page.text and "<script>" not in page.text and " style=" not in page.text
        policy = page.headers["content-security-policy"]
        assert "unsafe" not in policy and "default-src 'none'" in policy and "form-action 'self'" in policy
        assert page.headers["cache-control"] == "no-store" and page.headers["referrer-policy"] == "same-origin"


# -- people


def test_an_admin_makes_accounts_gives_roles_and_closes_them(workplace: Workplace, app: FastAPI) -> None:
    with_password(workplace.repository)
    admin = browser_of(app)
    sign_in(admin)
    made = admin.post("/people", data={"name": "Eve@lab.example", "role": "viewer"})
    (token,) = re.findall(rf'value="{BASE}/password/([\w-]{{32}})"', made.text)
    account = workplace.repository.accounts.of_link(token)

    assert token not in admin.get("/people").text
    assert admin.post("/people", data={"name": "eve@lab.example", "role": "viewer"}).status_code == 400
    assert admin.post(f"/people/{account.id}/role", data={"role": "researcher"}).status_code == 303
    assert workplace.repository.accounts.get(account.id).role == "researcher"
    assert admin.post(f"/people/{account.id}/close").status_code == 303
    assert admin.post(f"/people/{account.id}/link").status_code == 400
    assert admin.post(f"/people/{account.id}/open").status_code == 303
    own = workplace.repository.accounts.named("ada")
    assert "only admin" in admin.post(f"/people/{own.id}/close").text
    told = [(one.deed, one.object) for one in workplace.repository.audit.all()][1:]
    assert told == [
        ("account made", "account eve@lab.example"),
        ("role changed", "account eve@lab.example, researcher"),
        ("account closed", "account eve@lab.example"),
        ("account opened", "account eve@lab.example"),
    ]
    lines = admin.get("/people/log.csv").text.splitlines()
    assert lines[0] == "at,actor,deed,object,address" and len(lines) == 7  # with this one


# -- a proxy that signs people in


def test_only_a_listed_proxy_names_an_account(workplace: Workplace, api_of: Callable[..., FastAPI]) -> None:
    accounts = workplace.repository.accounts
    accounts.add("ada@lab.example", "researcher")
    led = replace(PUBLIC, user_header="X-Forwarded-Email", trusted_proxies=(ip_network("192.0.2.0/24"),))
    app = api_of(workplace, Judge(workplace), led)

    def status(address: str, name: str, path: str = "/api/datasets") -> int:
        headers = {"x-forwarded-email": name, "x-forwarded-for": "192.0.2.7"}
        return browser_of(app, address).get(path, headers=headers).status_code

    assert status("192.0.2.1", "Ada@lab.example") == 200
    assert status("192.0.2.1", "ada@lab.example", "/people") == 403
    assert status("192.0.2.1", "eve@lab.example") == 401
    assert status("198.51.100.1", "ada@lab.example") == 401
    accounts.change("ada@lab.example", disabled=True)
    assert status("192.0.2.1", "ada@lab.example") == 401
