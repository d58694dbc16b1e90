"""The rules R1-R11 against attackers, over HTTP. What keeps metrics from raters is in test_blinding.py."""

import hashlib
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from core.errors import BadSetting
from storage.types import Search
from tests.making import HOSTILE, make_study, rows
from tests.ui.conftest import Site, client_of, save
from ui.services.accounts.attempt_counter import ATTEMPT_SECONDS, ATTEMPTS, Throttle
from ui.services.key_file import Secret, make_key
from ui.web.files.bundles import app_files

FILES = app_files()
SCRIPT = FILES.address("capscope.js")
PAGES = ["/", "/rate", "/studies", "/inspect"]
EVERY_KIND = {
    "a page": ("GET", "/", 200),
    "our script": ("GET", SCRIPT, 200),
    "a picture": ("GET", "/api/images/1", 200),
    "a write that is refused": ("POST", "/api/rate/session", 422),
}


def first_item(browser: TestClient, study: int) -> dict[str, Any]:
    found: dict[str, Any] = browser.get(f"/api/rate/studies/{study}/items?count=1").json()["items"][0]
    return found


# -- headers, on every kind of response (R1, R4)


@pytest.mark.parametrize(("method", "path", "status"), EVERY_KIND.values(), ids=EVERY_KIND)
def test_every_kind_of_response_has_the_security_headers(
    site: Site, client: TestClient, method: str, path: str, status: int
) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["object-src"] == "'none'"
    assert policy["base-uri"] == policy["form-action"] == policy["connect-src"] == "'self'"
    assert not re.search(r"\*|https?:", answer.headers["content-security-policy"])
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert len(answer.headers.get_list("content-security-policy")) == 1


def test_no_proxy_keeps_what_is_somebodys(client: TestClient) -> None:
    kept = {"/": "private, no-cache", "/api/datasets": "no-store", "/nothing/at/all": "no-store", "/config": "no-store"}
    kept |= {"/api/images/1": "private, max-age=31536000, immutable", SCRIPT: "public, max-age=31536000, immutable"}
    assert {path: client.get(path).headers["cache-control"] for path in kept} == kept


# -- hosts and origins (R8)


def test_this_machine_is_served_under_each_of_its_names_and_a_foreign_host_is_refused(client: TestClient) -> None:
    own = ("127.0.0.1", "127.0.0.1:7860", "localhost:7860", "LOCALHOST", "[::1]", "[::1]:7860")
    foreign = ("evil.example", "127.0.0.1.evil.example", "192.168.0.1", "", "127.0.0.1@evil.example")
    foreign += ("evil.example#127.0.0.1", "127.0.0.1:7860, evil.example")
    for path in ("/", "/api/datasets", SCRIPT):
        assert {client.get(path, headers={"host": host}).status_code for host in own} == {200}
        assert {client.get(path, headers={"host": host}).status_code for host in foreign} == {400}


@pytest.mark.parametrize(
    ("site_", "mode", "dest", "status"),
    [
        ("cross-site", "no-cors", "image", 403),  # <img src=...> on any page of the web
        ("same-site", "no-cors", "image", 403),  # or of another server on this machine
        ("cross-site", "navigate", "iframe", 403),
        ("cross-site", "cors", "empty", 403),
        ("cross-site", "navigate", "document", 200),  # a link in a letter
        ("same-origin", "no-cors", "image", 200),
        ("none", "navigate", "document", 200),
    ],
)
def test_pages_of_other_sites_get_no_pictures_and_no_data(
    client: TestClient, site_: str, mode: str, dest: str, status: int
) -> None:
    sent = {"sec-fetch-site": site_, "sec-fetch-mode": mode, "sec-fetch-dest": dest}
    for path in ("/api/images/1", "/api/datasets"):
        assert client.get(path, headers=sent).status_code == status


WRITES = [
    ("POST", "/api/rate/session"),
    ("DELETE", "/api/rate/session"),
    ("POST", "/api/rate/saves"),
    ("PUT", "/api/analyse/slices"),
    ("POST", "/api/things"),
]


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_a_write_from_another_origin_or_without_our_header_is_refused(
    site: Site, client: TestClient, method: str, path: str
) -> None:
    for origin in ("http://evil.example", "https://127.0.0.1.evil.example", "null", "", "http://127.0.0.1:9999"):
        assert client.request(method, path, headers={"origin": origin}).status_code == 403
    plain = TestClient(site.app, base_url="http://127.0.0.1")
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert plain.request(method, path, content=b"code=A", headers=form).status_code == 403


def test_a_form_of_another_site_whose_origin_was_taken_away_is_refused(client: TestClient) -> None:
    sent = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    for of in ("cross-site", "same-site"):
        answer = client.post("/sign-out", headers=sent | {"sec-fetch-site": of}, follow_redirects=False)
        assert answer.status_code == 403


def test_no_other_site_is_let_in_by_cors(rater: TestClient) -> None:
    sent = {"origin": "http://evil.example", "access-control-request-method": "POST"}
    for path in ("/", "/api/datasets", "/config", SCRIPT):
        for method in ("GET", "OPTIONS"):
            assert "access-control-allow-origin" not in rater.request(method, path, headers=sent).headers


# -- who a rater is (R6, R7)


def cookie_of(site: Site, value: str) -> TestClient:
    browser = client_of(site.app)
    browser.cookies.set(f"{Secret(site.workplace.data_dir / 'secret.key').cookie_name}_rater", value)
    return browser


def test_a_cookie_that_this_server_did_not_give_is_nobody(site: Site, rater: TestClient) -> None:
    (good,) = rater.cookies.values()
    secret = Secret(site.workplace.data_dir / "secret.key")
    number = site.workplace.repository.raters.named(rater.code).id
    forged = [
        *(good[:-1], good.lower(), f"{good}.{good}", hashlib.sha256(good.encode()).hexdigest()),
        *(str(number), rater.code, secret.digest(str(number)), secret.return_key(number)),
        *("", "..", "1", "%", HOSTILE.replace(";", "")),
    ]
    assert cookie_of(site, good).get("/api/rate/session").json()["rater"]["code"] == rater.code
    for cookie in forged:
        browser = cookie_of(site, cookie)
        assert browser.get("/api/rate/session").json() == {"rater": None, "given": None, "panel": None}, cookie
        assert browser.post("/api/rate/saves", json={"saves": []}).status_code == 401, cookie


def test_who_signs_out_is_out_wherever_the_cookie_was_copied_to(site: Site, rater: TestClient) -> None:
    (copied,) = rater.cookies.values()
    assert cookie_of(site, copied).get("/api/rate/session").json()["rater"]["code"] == rater.code
    assert rater.delete("/api/rate/session").status_code == 200 and not rater.cookies
    assert cookie_of(site, copied).get("/api/rate/session").json()["rater"] is None


def test_another_raters_item_is_not_there_for_pictures_and_saves(
    site: Site, newcomer: Callable[[], TestClient]
) -> None:
    ours, theirs = newcomer(), newcomer()
    study = site.study(size=1, veil=False)
    item = first_item(ours, study.id)
    assert ours.get(f"/api/rate/items/{item['id']}/image").status_code == 200
    assert theirs.get(f"/api/rate/items/{item['id']}/image").status_code == 404
    for sent in (save(item), save(item) | {"kind": "reveal"}, save(item) | {"kind": "note", "text": "mine"}):
        assert theirs.post("/api/rate/saves", json={"saves": [sent]}).status_code == 404
    own = first_item(theirs, study.id)
    results = theirs.post("/api/rate/saves", json={"saves": [save(item), save(own)]}).json()["results"]
    assert [result["saved"] for result in results] == [False, True]
    after = ours.get(f"/api/rate/studies/{study.id}/items").json()["items"][0]
    assert (after["panels"][0]["answers"], after["revealed"], after["note"]) == ({}, False, "")


def test_the_key_of_a_data_folder_is_made_at_first_use_and_private(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        Secret(tmp_path / "secret.key")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "secret.key").stat().st_mode) == 0o600
    assert re.fullmatch(r"[0-9a-f]{64}", (tmp_path / "secret.key").read_text())


def test_a_process_that_makes_the_key_at_the_same_moment_keeps_the_first_one(tmp_path: Path) -> None:
    make_key(tmp_path / "secret.key")
    first = (tmp_path / "secret.key").read_text()
    make_key(tmp_path / "secret.key")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"secret.key": first}


def test_the_key_stays_and_every_folder_has_its_own(tmp_path: Path) -> None:
    first, again, other = (Secret(tmp_path / name) for name in ("a", "a", "b"))
    assert first.return_key(7) == again.return_key(7) not in (other.return_key(7), first.return_key(8))
    assert first.cookie_name == again.cookie_name != other.cookie_name


def test_a_key_that_was_cut_off_is_refused_instead_of_used(tmp_path: Path) -> None:
    """A crash while the file is made must not leave cookies that anybody can forge."""
    (tmp_path / "secret.key").write_text("short")
    with pytest.raises(BadSetting, match=r"secret\.key .* delete the file"):
        Secret(tmp_path / "secret.key")


# -- guessing return keys (R8)


def test_wrong_return_keys_are_throttled_and_the_right_one_with_them(rater: TestClient, client: TestClient) -> None:
    wrong = {"code": rater.code, "return_key": "AAAAAAAA"}
    statuses = [client.post("/api/rate/session", json=wrong).status_code for _ in range(ATTEMPTS + 1)]
    assert statuses == [409] * ATTEMPTS + [429]
    right = {"code": rater.code, "return_key": rater.return_key}
    assert client.post("/api/rate/session", json=right).status_code == 429
    assert client.get("/api/rate/session").json() == {"rater": None, "given": None, "panel": None}


def test_whoever_guesses_keeps_the_rater_out_at_no_other_address(site: Site, rater: TestClient) -> None:
    attacker, owner = (client_of(site.app, client=(address, 1)) for address in ("203.0.113.5", "198.51.100.7"))
    for _ in range(ATTEMPTS + 1):
        guess = attacker.post("/api/rate/session", json={"code": rater.code, "return_key": "AAAAAAAA"})
    assert guess.status_code == 429
    right = {"code": rater.code, "return_key": rater.return_key}
    assert owner.post("/api/rate/session", json=right).status_code == 200


def test_spelling_a_code_otherwise_does_not_start_the_count_again(rater: TestClient, client: TestClient) -> None:
    spellings = [rater.code, rater.code.lower(), f" {rater.code} ", f"{rater.code}\t", *[rater.code] * (ATTEMPTS - 3)]
    sent = [{"code": code, "return_key": "A"} for code in spellings]
    assert [client.post("/api/rate/session", json=one).status_code for one in sent][-1] == 429


def test_a_wrong_key_does_not_tell_which_codes_exist(rater: TestClient, client: TestClient) -> None:
    known = client.post("/api/rate/session", json={"code": rater.code, "return_key": "A"})
    unknown = client.post("/api/rate/session", json={"code": "NEVER-SEEN", "return_key": "A"})
    assert known.status_code == unknown.status_code == 409
    assert known.text.replace(rater.code, "X") == unknown.text.replace("NEVER-SEEN", "X")


def test_a_throttle_opens_again_after_a_while() -> None:
    now = [0.0]
    throttle = Throttle(clock=lambda: now[0])
    for _ in range(ATTEMPTS):
        assert not throttle.is_closed("A")
        throttle.fail("A")
    assert throttle.is_closed("A") and not throttle.is_closed("B")
    now[0] = ATTEMPT_SECONDS - 0.1
    assert throttle.is_closed("A")
    now[0] = ATTEMPT_SECONDS
    assert not throttle.is_closed("A")


# -- paths and pictures (R1)


@pytest.mark.parametrize(
    "path", ["/api/images/{}", "/api/images/{}/small", "/api/rate/items/{}/image", "/api/samples/{}", "/capscope/{}"]
)
def test_routes_know_ids_and_never_paths(rater: TestClient, path: str) -> None:
    for identity in ("..%2f..%2fsecret.key", "%2e%2e/%2e%2e/secret.key", "%2fetc%2fpasswd", "1%00.png"):
        answer = rater.get(path.format(identity))
        assert answer.status_code in (400, 404, 422) and "root:" not in answer.text


@pytest.mark.parametrize(
    "content",
    [b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", b"%!PS-Adobe-3.0 EPSF-3.0\n"],
)
def test_what_can_hold_a_script_is_never_served(
    site: Site, client: TestClient, import_file: Callable[..., str], tmp_path: Path, content: bytes
) -> None:
    (sample,) = rows(1)
    sample["image"] = "missing-picture.png"
    (tmp_path / sample["image"]).write_bytes(content)
    name = import_file([sample])
    (found,) = client.get("/api/samples", params={"dataset": name}).json()["samples"]
    assert found["image"] is None
    assert client.get(f"/api/images/{picture_id(site, name)}").status_code == 404


def picture_id(site: Site, dataset: str) -> int:
    return site.workplace.repository.samples.search(Search(dataset, ""), 0, 1).samples[0].image_id


def test_a_picture_that_turned_into_something_else_after_the_import_is_not_served(
    site: Site, client: TestClient, import_file: Callable[..., str], tmp_path: Path
) -> None:
    (sample,) = rows(1)
    name = import_file([sample])
    address = f"/api/images/{picture_id(site, name)}"
    small = client.get(f"{address}/small").content
    (tmp_path / sample["image"]).write_bytes(b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")
    answer = client.get(address)
    assert (answer.headers["content-type"], answer.content) == ("image/webp", small)


# -- what of Gradio is open (R1, R2)


def test_gradio_keeps_no_history_shares_nothing_and_counts_nobody(client: TestClient) -> None:
    config = client.get("/config").json()
    assert not config.get("run_history")
    assert not config.get("mcp_server")
    assert not config.get("analytics_enabled")
    assert not config.get("show_error")
    assert config.get("vibe_mode") in (None, False)
    assert not config.get("space_id")
    offered = [one["api_name"] for one in config["dependencies"]]
    assert offered == []  # nothing can be called past our own routes


# -- text of strangers (R4, R5)


@pytest.mark.parametrize("path", [*PAGES, "/config", f"/?study={HOSTILE}", "/?__theme=%22%3E%3Cscript%3Ealert(1)"])
def test_no_page_holds_stored_or_sent_text(site: Site, rater: TestClient, path: str) -> None:
    page = rater.get(path).text
    assert "<img src=x" not in page  # the list of studies shows stored names, escaped
    assert "<script>alert" not in page
    assert all(sample["caption"] not in page for sample in site.samples)


def test_an_export_is_a_download_whose_name_ends_as_its_kind_does(site: Site, rater: TestClient) -> None:
    study = make_study(site.workplace, '"; filename=evil.html', dataset="birds", size=1)
    for suffix in (".csv", ".jsonl", ".parquet"):
        answer = rater.get(f"/api/studies/{study.id}/export{suffix}")
        assert answer.headers["content-disposition"] == f'attachment; filename="filename-evil.html{suffix}"'
        assert "html" not in answer.headers["content-type"]


# -- limits (R10)


def test_an_export_leaves_no_file_behind(
    site: Site, rater: TestClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    study = site.study(size=1)
    assert rater.get(f"/api/studies/{study.id}/export.csv").status_code == 200
    assert list(tmp_path.iterdir()) == []
