"""No rater's browser learns which metric wrote an explanation: whole studies are walked, every byte looked at."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from core.types import Score
from storage.study_types import Study
from storage.types import Search
from tests.making import METRICS, import_rows, make_study, rows
from tests.ui.conftest import client_of, save
from ui.services.importing.importing import import_files
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings

CAPTIONERS = ("QuokkaNet XL", "Wombatron-7B", "numbat")


@dataclass
class Rater:
    """A browser that keeps everything the server ever sends it, and the addresses it was sent to."""

    browser: TestClient
    seen: list[tuple[str, bytes]] = field(default_factory=list)  # where it stood, what it was

    def get(self, path: str, expected: int = 200) -> httpx.Response:
        return self._keep(self.browser.get(path), expected)

    def post(self, path: str, body: dict[str, Any], expected: int = 200) -> httpx.Response:
        return self._keep(self.browser.post(path, json=body), expected)

    def _keep(self, answer: httpx.Response, expected: int) -> httpx.Response:
        assert answer.status_code == expected, (answer.url, answer.text[:300])
        self.seen.append((f"address of {answer.url}", str(answer.url).encode()))
        self.seen += [(f"header {name} of {answer.url}", value.encode()) for name, value in answer.headers.items()]
        self.seen.append((f"body of {answer.url}", answer.content))
        return answer


def walk(app: FastAPI, study: Study, code: str) -> Rater:
    """Rate a study from the first visit to the end, as the page does, and once through the ways things go wrong."""
    rater = Rater(client_of(app))
    for path in ("/", f"/rate?study={study.id}", "/config", "/theme.css"):
        rater.get(path)
    rater.get("/api/rate/session")
    rater.post("/api/rate/session", {"code": code})
    rater.post("/api/rate/session", {"code": code}, expected=409)
    rater.get("/api/rate/session")
    rater.get("/api/rate/studies")
    _answer_everything(rater, study)
    rater.get(f"/api/rate/studies/{study.id}/items?start=1&count=20")
    rater.get("/api/rate/studies/99999/items", expected=404)
    rater.get("/api/rate/items/never-given-out/image", expected=404)
    return rater


def _answer_everything(rater: Rater, study: Study) -> None:
    place = 0
    while found := rater.get(f"/api/rate/studies/{study.id}/items?count=3&start={place + 1}").json()["items"]:
        for item in found:
            place = item["place"]
            if item["image"]:
                rater.get(item["image"], expected=403 if study.design.veil and not item["open"] else 200)
            questions = [(panel, key) for key in study.design.criteria for panel in range(1, len(item["panels"]) + 1)]
            saves = [save(item, key, 2, panel=panel) for panel, key in questions]
            saves.append(save(item) | {"kind": "reveal"})
            refused = [save(item, "beauty"), save(item, panel=99), save(item, point=9)]
            results = rater.post("/api/rate/saves", {"saves": [*saves, *refused]}).json()["results"]
            assert [result["saved"] for result in results] == [True] * len(saves) + [False] * len(refused)
            if item["image"]:
                rater.get(item["image"])


def secrets_of(workplace: Workplace, study: Study) -> set[str]:
    """Return what would give a metric away: names, signatures, sample keys, picture names, checksums, paths."""
    samples = workplace.repository.samples.search(Search(study.dataset, ""), 0, 100).samples
    found: set[str] = set()
    for stored in samples:
        image = stored.sample.image
        found |= {stored.sample.system or ""}
        found |= {stored.sample.key, image.name, image.name.rsplit(".", 1)[0]}
        found |= {image.sha256, str(image.path)} if image.path else set()
        for outcome in stored.outcomes:
            found |= {outcome.metric, outcome.signature}
    return {secret for secret in found if secret}


def hits(rater: Rater, secrets: set[str]) -> list[tuple[str, str]]:
    """Return where a secret shows as a word of its own, in any case; what was sent twice is looked at once."""
    found = []
    for low, where in {content.lower(): where for where, content in rater.seen}.items():
        for secret in secrets:
            word = secret.lower().encode()
            if word in low and re.search(rb"(?<![a-z0-9])" + re.escape(word) + rb"(?![a-z0-9])", low):
                found.append((where, secret))
    return found


@pytest.fixture(params=["expert-single", "expert-side-by-side"])
def form(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def blind(app_of: Callable[[Workplace], FastAPI], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Nine samples of three metrics, and studies whose names tell."""
    folder = tmp_path_factory.mktemp("blind")
    workplace = open_workplace(Settings(data_dir=folder / "data"))
    captioned = [row | {"system": CAPTIONERS[number % 3]} for number, row in enumerate(rows(9))]
    import_rows(workplace, folder / "files", captioned)
    make_study(workplace, "quokkanet xl, first round")
    make_study(workplace, "zorkscore against the others")
    make_study(workplace, "pilot for BlimpCap", metrics=("ZorkScore",))
    yield workplace, app_of(workplace)
    workplace.repository.close()


def test_a_whole_study_never_names_a_metric_to_its_raters(blind: Any, form: str) -> None:
    workplace, app = blind
    study = make_study(workplace, f"blind {form}", form=form)
    secrets = secrets_of(workplace, study)
    assert {*METRICS, *CAPTIONERS, "secretkey-0", "secretpicture-8.png"} <= secrets
    for code in (f"A-{form[7:]}", f"B-{form[7:]}"):
        rater = walk(app, study, code)
        assert hits(rater, secrets) == []
        everything = b"".join(content for _, content in rater.seen).lower()
        assert all(
            name.lower().encode() not in everything for name in (*METRICS, *CAPTIONERS)
        )  # not even inside a word
        assert workplace.repository.studies.raters(study.id)[-1].done == study.items


def test_the_scan_finds_a_metric_that_is_named(blind: Any) -> None:
    workplace, app = blind
    study = make_study(workplace, "seen")
    rater = Rater(client_of(app))
    rater.get(f"/studies/{study.id}")  # for researchers: names metrics
    assert {secret for _, secret in hits(rater, secrets_of(workplace, study))} >= set(METRICS)


def test_a_study_whose_name_tells_is_known_to_raters_by_a_number(blind: Any) -> None:
    workplace, app = blind
    titles = {study["id"]: study["title"] for study in client_of(app).get("/api/rate/studies").json()}
    for name in ("zorkscore against the others", "pilot for BlimpCap", "quokkanet xl, first round"):
        study = workplace.repository.studies.named(name)
        assert titles[study.id] == f"Study {study.id}"


def test_nothing_about_a_panel_follows_its_metric_but_the_explanation_itself(blind: Any) -> None:
    workplace, app = blind
    study = make_study(workplace, "shapes", form="expert-side-by-side")
    browser = client_of(app)
    browser.post("/api/rate/session", json={"code": "shapes"})
    found = browser.get(f"/api/rate/studies/{study.id}/items?count=20").json()["items"]
    assert {tuple(sorted(panel)) for item in found for panel in item["panels"]} == {
        ("answers", "caption", "rationales", "scale", "value")
    }
    # the paragraph is the first metric's: over the study it stands at every place equally often
    places = [n for item in found for n, panel in enumerate(item["panels"]) if len(panel["rationales"]) == 1]
    assert sorted(places) == [0, 0, 0, 1, 1, 1, 2, 2, 2]


def decimals(value: float) -> int:
    return len(str(value).partition(".")[2])


def test_scores_come_with_three_decimals_whatever_the_metric_gave(blind: Any) -> None:
    workplace, app = blind
    study = make_study(workplace, "decimals", form="expert-side-by-side")
    rater = walk(app, study, "decimals")
    samples = workplace.repository.samples.search(Search(study.dataset, ""), 0, 100).samples
    values = [outcome.value for stored in samples for outcome in stored.outcomes if isinstance(outcome, Score)]
    exact = {str(value) for value in values if decimals(value) > 3}
    sent = b"".join(content for where, content in rater.seen if where.startswith("body of") and b'"scale"' in content)
    assert len(exact) > 10
    told = {str(panel["value"]) for _, panel in _panels(rater, study)}
    assert told and not told & exact and all(len(value.partition(".")[2]) <= 3 for value in told)
    assert not re.search(rb'"value": ?[0-9.]*[0-9]{4}', sent)


def test_a_uniform_study_shows_all_explanations_in_one_layout_without_long_numbers(blind: Any) -> None:
    workplace, app = blind
    study = make_study(workplace, "alike", form="expert-side-by-side", uniform=True)
    panels = _panels(Rater(client_of(app)), study, "alike")
    assert {tuple(one["aspect"] for one in panel["rationales"]) for _, panel in panels} == {("overall",)}
    assert not [text for text in _texts(panels) if re.search(r"[0-9]\.[0-9]{3}", text)]
    assert [text for text in _texts(panels) if re.fullmatch(r"The fluency at 0\.\d\d?\. The relevance .*", text)]
    assert all(decimals(panel["value"]) <= 2 for _, panel in panels)
    told = next(one for one in client_of(app).get("/api/rate/studies").json() if one["id"] == study.id)
    assert "aspects" not in " ".join(told["instructions"])


def _panels(rater: Rater, study: Study, code: str = "") -> list[tuple[str, dict[str, Any]]]:
    if code:
        rater.post("/api/rate/session", {"code": code})
    found = rater.get(f"/api/rate/studies/{study.id}/items?start=1&count=20").json()["items"]
    return [(item["id"], panel) for item in found for panel in item["panels"]]


def _texts(panels: list[tuple[str, dict[str, Any]]]) -> list[str]:
    return [rationale["text"] for _, panel in panels for rationale in panel["rationales"]]


def test_ids_and_addresses_are_the_raters_own(blind: Any) -> None:
    workplace, app = blind
    study = make_study(workplace, "addresses", form="expert-side-by-side")
    ids = []
    for code in ("own-1", "own-2"):
        browser = client_of(app)
        browser.post("/api/rate/session", json={"code": code})
        found = browser.get(f"/api/rate/studies/{study.id}/items?count=20").json()["items"]
        assert all(item["image"] == f"/api/rate/items/{item['id']}/image" for item in found)
        ids += [item["id"] for item in found]
    assert len(set(ids)) == 18


def test_pictures_come_with_headers_that_say_nothing(blind: Any) -> None:
    workplace, app = blind
    study = make_study(workplace, "headers", veil=False)
    browser = client_of(app)
    browser.post("/api/rate/session", json={"code": "headers"})
    found = browser.get(f"/api/rate/studies/{study.id}/items?count=20").json()["items"]
    answers = [browser.get(item["image"]) for item in found]
    assert {frozenset(answer.headers) for answer in answers} == {frozenset(answers[0].headers)}
    assert not {"etag", "last-modified", "x-sendfile", "server", "link"} & set(answers[0].headers)
    assert {answer.headers["content-disposition"] for answer in answers} == {"inline"}


def test_the_published_explanations_stay_blind(
    app_of: Callable[[Workplace], FastAPI], tmp_path: Path, shared_dir: Path
) -> None:
    path = shared_dir / "data" / "published" / "explanations.jsonl"
    workplace = open_workplace(Settings(data_dir=tmp_path / "data"))
    import_files(workplace, "jsonl", [path], "published")
    app = app_of(workplace)
    for form in ("expert-single", "expert-side-by-side"):
        study = make_study(workplace, f"published {form}", dataset="published", form=form)
        secrets = secrets_of(workplace, study)
        assert {"FLEUR", "EXPERT", "CLAIR"} <= secrets
        for code in (f"A-{form[7:]}", f"B-{form[7:]}"):
            assert hits(walk(app, study, code), secrets) == []
    assert {json.loads(line)["id"] for line in path.read_text(encoding="utf-8").splitlines()} <= secrets
    workplace.repository.close()
