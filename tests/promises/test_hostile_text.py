"""Hostile text passes every export and figure as text: no cell is a formula, no row is torn, nothing is markup."""

import io
import json
from urllib.parse import urlencode

import pandas as pd
import pytest
from fastapi.testclient import TestClient

from core.csv_text import csv_text, neutralised
from core.studies.planning.platforms import PRESETS
from tests.making import import_rows, make_study, rows, score
from tests.ui.conftest import client_of, save
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace

PAYLOADS = (
    "A bare\rcarriage return",
    "two\nlines",
    "\r\n=cmd|' /C calc'!A0",
    '=HYPERLINK("http://evil.example","click")',
    "+1+1",
    "-2+3",
    "@SUM(1)",
    "＝1＋1",
    "\t=1",
    "'=1",
    '"quoted", with a comma',
    "line\u2028separator\x85and\x0bmore",
    '<a href="https://evil.example">metric</a>',
    "<script>alert(1)</script>&lt;b&gt;",
)
FORMULAS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")


@pytest.fixture
def browser(birds: Workplace) -> TestClient:
    """A browser of a site whose data set `hostile` has each payload as a caption."""
    from ui.web.server import build_api

    samples = [
        sample | {"caption": payload, "references": [payload], "scores": [score("ZorkScore", 0.1 * (at % 10))]}
        for at, (sample, payload) in enumerate(zip(rows(len(PAYLOADS)), PAYLOADS, strict=True))
    ]
    import_rows(birds, birds.data_dir / "hostile", samples, "hostile")
    return client_of(build_api(birds, Judge(birds)))


def read(text: str) -> pd.DataFrame:
    """Read a CSV as researchers do."""
    return pd.read_csv(io.StringIO(text.lstrip("\ufeff")), keep_default_na=False, dtype=str)


def assert_whole(table: pd.DataFrame, column: str) -> None:
    """Check that each payload is in one cell of its own, unchanged but for the ' before a formula."""
    assert sorted(set(table[column])) == sorted(map(neutralised, PAYLOADS))
    cells = [cell for name in table for cell in table[name] if not cell.lstrip("-").replace(".", "").isdigit()]
    assert not [cell for cell in cells if cell.startswith(FORMULAS)]


def test_ratings_and_notes_are_exported_whole(birds: Workplace, browser: TestClient) -> None:
    study = make_study(birds, "hostile study", dataset="hostile")
    browser.post("/api/rate/session", json={"code": "K7"})
    done = 0
    while done < len(PAYLOADS):
        queue = browser.get(f"/api/rate/studies/{study.id}/items?count=20").json()["items"]
        for item in queue:
            note = {"key": f"hostile-note-{done}", "assignment": item["id"], "kind": "note", "age_ms": 0}
            saves = [save(item), note | {"text": PAYLOADS[PAYLOADS.index(item["caption"])]}]
            results = browser.post("/api/rate/saves", json={"saves": saves}).json()["results"]
            assert all(one["saved"] for one in results), results
            done += 1
    table = read(browser.get(f"/api/studies/{study.id}/export.csv").content.decode("utf-8"))
    assert len(table) == len(PAYLOADS)
    assert_whole(table, "caption")
    lines = browser.get(f"/api/studies/{study.id}/export.jsonl").text.rstrip("\n").split("\n")
    assert {json.loads(line)["caption"] for line in lines} == set(PAYLOADS)
    parquet = pd.read_parquet(io.BytesIO(browser.get(f"/api/studies/{study.id}/export.parquet").content))
    assert set(parquet["caption"]) == set(PAYLOADS)


def test_the_data_of_a_plot_are_exported_whole(browser: TestClient) -> None:
    answer = browser.get("/api/analyse/data.csv", params={"dataset": "hostile", "metric": "ZorkScore"})
    assert answer.status_code == 200, answer.text
    table = read(answer.text)
    assert len(table) == len(PAYLOADS)
    assert_whole(table, "caption")


def test_figures_have_no_markup_of_peoples_names(birds: Workplace, browser: TestClient) -> None:
    """Plotly makes links and tags of the names, titles and tick labels that it gets."""
    names = ('<a href="https://evil.example">A</a>', "<b>B</b> & <i>C</i>")
    import_rows(birds, birds.data_dir / "marked", rows(8, names), "marked")
    study = make_study(birds, "marked", dataset="marked", metrics=names, veil=False)
    browser.post("/api/rate/session", json={"code": "K7"})
    for item in browser.get(f"/api/rate/studies/{study.id}/items?count=20").json()["items"]:
        assert browser.post("/api/rate/saves", json={"saves": [save(item)]}).json()["results"][0]["saved"]
    asked = [
        ("distributions", {}),
        ("study", {}),
        *(("plot", {"plot": kind}) for kind in ("human", "level", "metrics")),
    ]
    drawn = []
    for key, options in asked:
        found = browser.get(f"/api/analyse/section/{key}", params={"dataset": "marked", **options}).json()
        drawn += [one["figure"] for one in found["figures"]]
    texts = json.dumps(drawn).replace("<extra></extra>", "")
    assert len(drawn) == 7 and "<" not in texts
    assert "&lt;a href=" in texts and "&lt;b&gt;B&lt;/b&gt; &amp; &lt;i&gt;" in texts


def test_samples_are_exported_whole(browser: TestClient) -> None:
    lines = browser.get("/api/samples.jsonl", params={"dataset": "hostile"}).text.rstrip("\n").split("\n")
    assert {json.loads(line)["caption"] for line in lines} == set(PAYLOADS)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_one_writer_quotes_and_guards_every_cell(payload: str) -> None:
    table = read(csv_text([["number", "text"], [-0.5, payload], [2, "plain"]]))
    assert table.to_numpy().tolist() == [["-0.5", neutralised(payload)], ["2", "plain"]]
    assert neutralised(payload) in (payload, f"'{payload}")


@pytest.mark.parametrize("given", [*PAYLOADS, "=HYPERLINK(9)", "a b", "é"])
def test_an_id_of_a_platform_that_is_no_id_identifies_nobody(given: str) -> None:
    prolific = PRESETS[0]
    assert prolific.arrival(urlencode({"PROLIFIC_PID": given})) is None
    assert prolific.arrival("PROLIFIC_PID=5f1a2b&STUDY_ID=s.1&SESSION_ID=a@b.org") == "5f1a2b"
