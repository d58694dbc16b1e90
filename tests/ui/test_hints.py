"""Hints at sentences: never before the first whole answer, for those alone who may see them, and kept in the log."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import text

from core.regions import masks
from core.types import ImageRegion
from storage.study_types import Study
from storage.types import Search
from tests.making import import_rows, make_study, rows
from tests.ui.conftest import client_of
from ui.services.studies.evidence_results import evidence_results
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings

SIZE = (48, 64)
SAID = "The image shows a dog. There is a cat on a sofa. There is no car. The caption fits."
FORM = (Path(__file__).parents[2] / "core" / "studies" / "forms" / "evidence.toml").read_text(encoding="utf-8")
WRONG = {"verdict": "wrong", "kind": "object", "severity": "minor"}


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workplace]:
    """Two pictures with a dog and a car on each, and a caption that tells of a dog and a cat."""
    folder = tmp_path_factory.mktemp("hints")
    found = open_workplace(Settings(data_dir=folder / "data"))
    samples = rows(2, ("ZorkScore",))
    for sample in samples:
        sample["caption"] = "A dog and a cat."
        sample["scores"][0]["rationales"] = {"overall": SAID}
    import_rows(found, folder / "files", samples)
    places = [ImageRegion(masks.full(SIZE), SIZE, label) for label in ("car", "dog")]
    regions = {sample["image"]: places for sample in samples}
    found.repository.annotate("birds", regions, ("dog", "cat", "car", "person"))
    yield found
    found.repository.close()


@pytest.fixture(scope="module")
def app(workplace: Workplace, app_of: Any) -> FastAPI:
    built: FastAPI = app_of(workplace)
    return built


class Rated:
    """A rater's browser in a study, at the first item."""

    def __init__(self, app: FastAPI, study: Study, code: str) -> None:
        self.browser: TestClient = client_of(app)
        assert self.browser.post("/api/rate/session", json={"code": code}).status_code == 200
        self.study, self._saved = study, 0
        self.item = self.look()

    def look(self) -> Any:
        return self.browser.get(f"/api/rate/studies/{self.study.id}/items?start=1&count=1").json()["items"][0]

    def say(self, sentence: int, **said: Any) -> None:
        self._saved += 1
        save = {"key": f"{self.item['id']}-{self._saved}", "assignment": self.item["id"], "kind": "sentence"}
        save |= {"age_ms": 0, "panel": 1, "sentence": sentence, "said": said}
        (result,) = self.browser.post("/api/rate/saves", json={"saves": [save]}).json()["results"]
        assert result["saved"], result

    def hints(self, sentence: int, panel: int = 1) -> Any:
        asked = {"panel": panel, "sentence": sentence}
        return self.browser.post(f"/api/rate/items/{self.item['id']}/hints", json=asked)


def study_with(workplace: Workplace, name: str, hints: str) -> Study:
    return make_study(workplace, name, form_text=FORM.replace('hints = "never"', f'hints = "{hints}"'), veil=False)


def test_hints_come_after_the_first_whole_answer_and_say_where_things_are(app: FastAPI, workplace: Workplace) -> None:
    study = study_with(workplace, "after", "after")
    rated = Rated(app, study, "H1")
    assert rated.item["hints"] is True and "dog" not in json.dumps(rated.item["panels"][0]["sentences"][1])
    assert rated.hints(1).status_code == 422 and rated.hints(1).json()["kind"] == "bad_rating"
    rated.say(2, verdict="wrong")
    assert rated.hints(2).status_code == 422  # its kind is still to be said
    rated.say(2, **WRONG)
    (cat,) = rated.hints(2).json()  # nobody looked for sofas
    assert (cat["where"], cat["stance"], cat["regions"], cat["start"]) == ("caption", "said", [], 11)
    rated.say(1, verdict="right")
    assert [(one["where"], one["regions"]) for one in rated.hints(1).json()] == [("picture", [1])]
    rated.say(3, verdict="right")
    assert [(one["where"], one["stance"]) for one in rated.hints(3).json()] == [("picture", "denied")]
    rated.say(4, verdict="beside")
    assert rated.hints(4).json() == []
    shown = [one["judgement"]["hint_shown"] for one in rated.look()["panels"][0]["sentences"]]
    assert shown == [True, True, True, False]
    assert rated.hints(9).status_code == 422 and rated.hints(1, panel=2).status_code == 422
    assert Rated(app, study, "H2").browser.post(
        f"/api/rate/items/{rated.item['id']}/hints", json={"panel": 1, "sentence": 1}
    ).status_code == 404  # fmt: skip


def test_an_answer_that_changed_after_its_hint_is_told_by_the_order_of_events(
    app: FastAPI, workplace: Workplace
) -> None:
    study = study_with(workplace, "changed", "after")
    rated = Rated(app, study, "C1")
    for sentence in (1, 2, 3, 4):
        rated.say(sentence, verdict="right", hint_shown=True)  # a browser does not say what was shown
        assert len(rated.hints(sentence).json()) == (sentence != 4)
    rated.hints(1)
    rated.say(2, **WRONG)
    rated.say(3, verdict="unclear")
    rated.say(3, verdict="right")
    records = {one.sentence: one for one in workplace.repository.studies.evidence(study.id)}
    assert [(records[n].hint_shown, records[n].before_hint, records[n].verdict) for n in (1, 2, 3, 4)] == [
        (True, "right", "right"),
        (True, "right", "wrong"),
        (True, "right", "right"),
        (False, None, "right"),
    ]
    with workplace.repository.database.read() as connection:
        query = text("SELECT text FROM events WHERE kind = 'sentence' AND assignment_id = :item ORDER BY id")
        every = [json.loads(one) for one in connection.scalars(query, {"item": rated.item["id"]})]
    logged = [one for one in every if "hints" in one]
    assert [(one["sentence"], one["verdict"], one["hint_shown"]) for one in logged] == [
        *((1, "right", True), (2, "right", True), (3, "right", True))
    ]
    assert logged[1]["hints"][0]["where"] == "caption"
    found = evidence_results(workplace, study)
    assert found is not None
    assert [(row.what, row.count, row.n) for row in found.hints.rows] == [
        ("verdict changed after the hint", 1, 3),
        ("right → wrong", 1, 3),
    ]
    analysed = client_of(app).get("/api/analyse/studies", params={"dataset": "birds"}).json()
    assert {"id": study.id, "name": "changed", "criteria": []} in analysed  # it asks for evidence alone
    (row,) = client_of(app).get(f"/api/analyse/studies/{study.id}").json()["evidence"]["absences"]["rows"]
    assert (row["metric"], row["things"], row["absent"]) == ("ZorkScore", 4, 2)  # dog there, cat not, on two pictures


def test_half_of_the_raters_see_hints_and_nobody_where_the_form_has_none(app: FastAPI, workplace: Workplace) -> None:
    study = study_with(workplace, "half", "half")
    raters = [Rated(app, study, f"F{number}") for number in range(4)]
    seen = [rated.item["hints"] for rated in raters]
    assert seen[0] != seen[1] and seen[2] != seen[3]
    for rated in raters:
        rated.say(1, verdict="right")
        assert rated.hints(1).status_code == (200 if rated.item["hints"] else 404)
    plain = Rated(app, make_study(workplace, "plain", form="evidence", veil=False), "P1")
    plain.say(1, verdict="right")
    assert plain.item["hints"] is False and plain.hints(1).status_code == 404
    told = [one for one in plain.browser.get("/api/rate/studies").json() if one["id"] in (study.id, plain.study.id)]
    assert [one["evidence"] for one in told] == [True, True]  # which study has hints is not told


def test_inspect_reads_any_text_sentence_by_sentence_against_a_samples_regions(
    app: FastAPI, workplace: Workplace
) -> None:
    sample = workplace.repository.samples.search(Search("birds"), 0, 1).samples[0].id
    said = "The image shows a dog. There is a <b>person</b> and no cat."
    read = client_of(app).post(f"/api/samples/{sample}/sentences", json={"text": said}).json()
    assert [said[one["start"] : one["end"]] for one in read] == [said[:22], said[23:]]
    found = [[(said[s["start"] :][h["start"] : h["end"]], h["where"], h["stance"]) for h in s["hints"]] for s in read]
    assert found == [
        [("dog", "picture", "said")],
        [("person", "nowhere", "said"), ("cat", "caption", "denied")],
    ]
    assert client_of(app).post("/api/samples/999999/sentences", json={"text": said}).status_code == 404
