"""Every form, from the wizard to a bundle that was taken in elsewhere: what holds of one form holds of all."""

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from core.studies.results.disputes import FEWEST_POINTS_APART
from tests.command_line import command_line
from tests.conftest import copied
from tests.making import import_rows
from tests.ui.conftest import client_of
from tests.ui.forms_played import FORMS, SHIPPED, Sitting, drafts, samples
from ui.report.page import report_html
from ui.services.scoring.judging import Judge
from ui.services.transfer.bundle import import_bundle
from ui.services.workplace import Workplace

Draft = tuple[str, dict[str, Any]]
EMPTY = ("Nobody has rated", "No rating counts")


@dataclass(frozen=True)
class Played:
    """A study that two raters have rated to its end."""

    client: TestClient  # of whoever runs the study
    workplace: Workplace
    study: dict[str, Any]  # as the Studies page has it
    sittings: tuple[Sitting, Sitting]

    def get(self, path: str) -> Any:
        return self.client.get(f"/api/studies/{self.study['id']}{path}").raise_for_status()

    @cached_property
    def page(self) -> str:
        """The report as a file, read once the tests before have decided what is disputed."""
        return str(self.get("/report.html").text)

    @property
    def verdicts(self) -> int:
        return sum(one.verdicts for one in self.sittings)

    @property
    def ratings(self) -> int:
        """How many ratings are stored: a comparison is stored for both of what it compares."""
        asked = sum(one.given for one in self.sittings) - self.verdicts
        return asked * (2 if any(one["compares"] for one in self.sittings[0].study["criteria"]) else 1)


@pytest.fixture(scope="module")
def desk(empty_folder: Path, api_of: Callable[[Workplace, Judge], FastAPI], tmp_path_factory: Any) -> Iterator[Any]:
    """A data folder with pictures, captions and explanations, and the app over it."""
    folder = tmp_path_factory.mktemp("forms")
    with copied(empty_folder, folder / "data") as workplace:
        import_rows(workplace, folder / "files", samples())
        yield workplace, api_of(workplace, Judge(workplace))


@pytest.fixture(scope="module", params=list(drafts()), ids=lambda draft: draft[0])
def played(request: pytest.FixtureRequest, desk: tuple[Workplace, FastAPI]) -> Played:
    """Make a study of a form as the wizard does, start it, and let two raters answer everything."""
    (workplace, app), (name, asked) = desk, request.param
    manager = client_of(app)
    if "form_text" in asked:
        manager.post("/api/studies/forms", json={"text": asked["form_text"]}).raise_for_status()
    draft = asked | {"name": name, "dataset": "birds", "state": "draft", "size": 3, "seed": 3}
    assert manager.post("/api/studies/preview", json=draft).raise_for_status().json()["items"] == 3
    made = manager.post("/api/studies", json=draft).raise_for_status().json()
    for nobody in ("/report", "/report.html", "/monitor", "/disputes", "/paper.zip"):  # before anybody has come
        manager.get(f"/api/studies/{made['id']}{nobody}").raise_for_status()
    manager.post(f"/api/studies/{made['id']}/state", json={"state": "running", "stamp": "never"}).raise_for_status()
    sittings = tuple(sitting(app, made["id"], lean) for lean in (0, 1))
    (study,) = [one for one in manager.get("/api/studies").json() if one["id"] == made["id"]]
    return Played(manager, workplace, study, (sittings[0], sittings[1]))


def sitting(app: FastAPI, study: int, lean: int) -> Sitting:
    rater = client_of(app)
    rater.post("/api/rate/session", json={"code": f"F{study}-{lean}"}).raise_for_status()
    (told,) = [one for one in rater.get("/api/rate/studies").json() if one["id"] == study]
    assert 1 <= told["minutes"] <= 10
    assert not any("criterion" in words for words in told["instructions"] if "Kriterium" in str(told["instructions"]))
    here = Sitting(rater, told, lean)
    here.play()
    return here


def test_the_forms_played_are_those_of_the_folder() -> None:
    assert len(SHIPPED) == len(list(FORMS.glob("*.toml")))


def test_all_that_raters_said_is_there(played: Played) -> None:
    assert [(one["done"], one["total"]) for one in played.study["raters"]] == [(3, 3), (3, 3)]
    assert played.study["finished"] == 6
    rows = list(csv.DictReader(io.StringIO(played.get("/export.csv").content.decode("utf-8-sig"))))
    assert (len(rows), {row["left_out"] for row in rows} <= {""}) == (played.ratings, True)
    assert played.study["evidence"] == bool(played.verdicts)
    if not played.verdicts:
        return
    judged = list(csv.DictReader(io.StringIO(played.get("/evidence.csv").content.decode("utf-8-sig"))))
    assert len(judged) == played.verdicts
    missing = [row["not_given"] for row in judged if row["verdict"] == "wrong"]
    assert len(missing) == sum(one.wrong for one in played.sittings)
    assert missing.count("place") == played.sittings[0].wrong and set(missing) <= {"place", ""}


def test_quality_shows_what_the_form_asks_for(played: Played) -> None:
    found = played.get("/monitor").json()
    first, second = found["table"]["rows"]
    assert first["items"] == second["items"] == 3 and first["minutes"] > 0
    heads = {column["head"] for column in found["table"]["columns"]}
    assert ("sentences" in heads) == bool(played.verdicts)
    assert ("longest run" in heads) == bool(played.ratings)
    assert (first["sentences"] or 0) + (second["sentences"] or 0) == played.verdicts
    watch = {"thresholds": found["thresholds"] | {"item_seconds": 3000}, "gold_every": None, "repeat_every": None}
    watch |= {"stamp": found["stamp"]}
    played.client.put(f"/api/studies/{played.study['id']}/watch", json=watch).raise_for_status()


def test_disputed_questions_can_be_decided(played: Played) -> None:
    disputes = played.get("/disputes").json()["disputes"]
    scales = [len([g for g in one["guidelines"] if g["point"]]) for one in played.sittings[0].study["criteria"]]
    assert bool(disputes) == any(scale // 2 >= FEWEST_POINTS_APART for scale in scales)
    for one in disputes[:1]:
        body = {"criterion": one["criterion"], "point": one["points"][-1], "reason": "subjective"}
        address = f"/api/studies/{played.study['id']}/disputes/{one['item']}/{one['score']}"
        played.client.post(address, json=body).raise_for_status()
        after = played.get("/disputes").json()["disputes"]
        assert [now["decision"]["point"] for now in after if now["decision"]] == [body["point"]]


def test_sentences_on_which_raters_differ_can_be_decided(played: Played) -> None:
    disputes = played.get("/disputes").json()["sentences"]
    assert bool(disputes) == bool(played.verdicts)
    if not disputes:
        return
    evidence = [json.loads(line) for line in played.get("/evidence.jsonl").text.splitlines() if line]
    verdicts: dict[tuple[str, ...], list[str]] = {}
    for row in evidence:
        verdicts.setdefault((row["item"], row["metric"], row["sentence"]), []).append(row["verdict"])
    apart = {key: said for key, said in verdicts.items() if len(set(said)) > 1}
    assert sorted(sorted(said["verdict"] for said in one["said"]) for one in disputes) == sorted(
        map(sorted, apart.values())
    )
    before = played.get("/report").json()["evidence"]
    for one in disputes[:1]:
        address = f"/api/studies/{played.study['id']}/disputes/{one['item']}/{one['score']}/sentences/{one['number']}"
        body = {"verdict": "wrong", "kind": "text", "severity": "minor", "reason": "ambiguous", "words": " See. "}
        for wrong in ({"kind": None}, {"verdict": "right"}, {"verdict": "false"}, {"severity": "huge"}):
            assert played.client.post(address, json=body | wrong).status_code == 422
        assert played.client.post(f"{address}000", json=body).status_code == 404
        after = played.client.post(address, json=body).raise_for_status().json()["sentences"]
        assert (len(after), after[0]["decision"]) == (len(disputes), None if len(after) > 1 else after[0]["decision"])
        (decided,) = [now for now in after if now["decision"]]
        assert decided["decision"].items() >= {"verdict": "wrong", "kind": "text", "severity": "minor"}.items()
        assert (decided["decision"]["words"], decided["text"]) == ("See.", one["text"])
        rows = [json.loads(line) for line in played.get("/evidence.jsonl").text.splitlines()]
        (text,) = {row["text"] for row in rows if row["decided"]}
        assert text == one["text"]
        assert [row["verdict"] for row in rows] == [row["verdict"] for row in evidence]  # judgements never change
        assert {row["decided_kind"] for row in rows if row["decided"] == "wrong"} == {"text"}
    now, decided = (played.get(f"/report{what}").json()["evidence"] for what in ("", "?adjudicated=true"))
    assert now == before
    shares = {(row["metric"], row["by"], row["group"]): row for row in decided["shares"]["rows"]}
    kinds = [row["count"] for (_, by, group), row in shares.items() if (by, group) == ("kind of error", "text")]
    assert sum(kinds) == 1  # no rater said so
    verdicts_now = [row["n"] for (_, by, group), row in shares.items() if (by, group) == ("verdict", "wrong")]
    assert sum(verdicts_now) == played.verdicts - 1  # one in the place of two
    whole = [[row for row in one["shares"]["rows"] if row["by"] == "whole explanation"] for one in (before, decided)]
    assert whole[0] == whole[1]
    assert decided["agreement"] == before["agreement"]


def test_the_report_counts_every_answer(played: Played) -> None:
    found = played.get("/report").json()
    assert found["nothing"] == "" and not found["left_out"]["rows"]
    assert sum(row["n"] for row in found["ratings"]["rows"]) == played.ratings
    assert (found["evidence"] is None) == (not played.verdicts)
    page = played.page
    assert not any(words in page for words in EMPTY)
    assert "Methods" in page
    if not played.verdicts:
        return
    shares = found["evidence"]["shares"]["rows"]
    judged = [row for row in shares if (row["by"], row["group"]) == ("verdict", "wrong")]
    assert sum(row["n"] for row in judged) == found["evidence"]["judgements"] == played.verdicts
    assert sum(row["count"] for row in judged) == sum(one.wrong for one in played.sittings)
    assert all(row["ci_low"] is not None for row in judged if len({r["metric"] for r in judged}) == 1)
    alpha = found["evidence"]["agreement"]["rows"][0]
    assert alpha["name"].startswith("α") and alpha["n"] == played.verdicts // 2 and alpha["value"] is not None
    places = {row["place"] for row in found["evidence"]["places"]["rows"]}
    assert places == {"a box", "no place given"}
    assert {row["rater"] for row in found["evidence"]["rater_table"]["rows"]} == {
        one["code"] for one in played.study["raters"]
    }
    for words in (
        "Sentences of explanations",
        "Agreement on evidence",
        "Positions that raters marked",
        "Raters of sent",
    ):
        assert words in page


def test_a_paper_gets_every_table(played: Played) -> None:
    with zipfile.ZipFile(io.BytesIO(played.get("/paper.zip").content)) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    assert not any(words in files["methods.txt"] for words in EMPTY)
    assert ("tables/ratings.tex" in files) == bool(played.ratings)
    for name in ("sentences-of-explanations", "agreement-on-evidence", "raters-of-sentences"):
        assert ({f"tables/{name}.tex", f"tables/{name}.csv"} <= set(files)) == bool(played.verdicts)
    assert ("figures/errors-on-pictures.svg" in files) == bool(played.verdicts)
    assert all(text.strip() for text in files.values())


def test_a_bundle_gives_the_same_report(played: Played, empty_folder: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle.zip"
    bundle.write_bytes(played.get("/bundle.zip").content)
    ours = played.page
    with copied(empty_folder, tmp_path / "elsewhere") as elsewhere:
        study, _ = import_bundle(elsewhere, bundle)
        assert report_html(elsewhere, study) == ours


def test_the_command_line_says_the_same(played: Played, capsys: pytest.CaptureFixture[str]) -> None:
    run = command_line(played.workplace.data_dir, capsys)
    name = played.study["name"]
    told = run("report", name, "--json").json
    assert sum(row["n"] for row in told["rows"]) == played.ratings
    assert told.get("evidence", {}).get("judgements", 0) == played.verdicts
    printed = run("report", name)
    assert printed.code == 0 and not any(words in printed.out for words in EMPTY)
    assert ("Sentences of explanations" in printed.out) == bool(played.verdicts)


def test_a_study_whose_ratings_do_not_count_says_so(
    desk: tuple[Workplace, FastAPI], capsys: pytest.CaptureFixture[str]
) -> None:
    workplace, app = desk
    manager = client_of(app)
    draft = {"name": "nobody counts", "dataset": "birds", "form": "evidence", "size": 1, "seed": 3}
    study = manager.post("/api/studies", json=draft | {"state": "running"}).raise_for_status().json()["id"]
    code = sitting(app, study, 0).client.get("/api/rate/session").json()["rater"]["code"]
    manager.post(f"/api/studies/{study}/raters/exclude", json={"code": code, "reason": "hasty"}).raise_for_status()
    found = manager.get(f"/api/studies/{study}/report").json()
    assert found["nothing"].startswith("No rating counts so far")
    (row,) = found["left_out"]["rows"]
    assert (row["rater"], row["ratings"], row["sentences"]) == (code, None, 3)
    page = manager.get(f"/api/studies/{study}/report.html").text
    assert "No rating counts so far" in page and "Nobody has rated" not in page
    printed = command_line(workplace.data_dir, capsys)("report", "nobody counts").out
    assert "No rating counts so far" in printed and "Nobody has rated" not in printed
