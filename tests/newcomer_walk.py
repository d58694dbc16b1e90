"""A walk through a house in which a newcomer has added one of each kind; run by tests/test_newcomer.py over its copy.

Its one argument is a data folder with the study "before", made before anything was added.
"""

import csv
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from core.datasets import format_named, raise_bad
from core.metrics.evaluator import Evaluator
from core.models import ModelSettings
from core.studies.planning.study_request import StudyRequest
from tests.making import picture
from ui.commands import build_cli
from ui.report.report import report_html
from ui.services.analysis.agreement import of_files
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.study import results as study_results
from ui.services.importing.importing import import_files
from ui.services.scoring.judging import Judge
from ui.services.scoring.score_runs import run_scoring
from ui.services.scoring.scoring_plan import plan_scoring
from ui.services.studies import study_actions as services
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings
from ui.web.server import build_api

ROWS = [(f"toy-{n}.png", " ".join(["word"] * (n + 1)), 1 + n % 7) for n in range(7)]  # more words, more points


def main(folder: Path) -> None:
    workplace = open_workplace(Settings(data_dir=folder))
    scored_file = scored(workplace, folder)
    judge = Judge(workplace)
    browser = TestClient(build_api(workplace, judge), base_url="http://127.0.0.1", headers={"X-Capscope": "1"})
    agreement(browser, scored_file, folder)
    routed(browser)
    inspected(browser)
    asked(browser, workplace)
    rated(browser, workplace, folder)
    judge.close()
    workplace.repository.close()


def scored(workplace: Workplace, folder: Path) -> Path:
    """Import the toy's file and score it; two pictures are nowhere. Returns the scores as a file of our own form."""
    file = folder / "toy.tsv"
    file.write_text("".join(f"{image}\t{caption}\t{point}\n" for image, caption, point in ROWS))
    for image, _, _ in ROWS[:-2]:
        picture(folder / "pictures" / image)
    import_files(workplace, "toy", [file], "toys", image_folders=[folder / "pictures"])
    evaluator = Evaluator()
    report = run_scoring(workplace, evaluator, plan_scoring(workplace, evaluator, "wordcount", "toys", ModelSettings()))
    assert (report.scored, report.errors) == (len(ROWS), 0), report
    scores = folder / "scores.jsonl"
    lines = ({"image": i, "caption": c, "scores": [{"metric": "WordCount", "value": len(c) / 99}]} for i, c, _ in ROWS)
    scores.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    result = folder / "toy_results.json"  # whose name says the benchmark, and so the scale of the judgements
    result.write_text(json.dumps([{"image_file": "a.png", "caption": "a", "expert_score": 0.5, "human_score": 4}]))
    (record,) = format_named("expert-results").read(result, raise_bad)
    assert record.human == 0.5
    return scores


def agreement(browser: TestClient, scores: Path, folder: Path) -> None:
    """The benchmark's tau and published figure stand on the page, on the command line the same tau."""
    query = {"dataset": "toys", "metric": "WordCount", "rule": "toy"}
    (found, *_) = browser.get("/api/analyse/section/agreement", params=query).json()["tables"]
    (row,) = [dict(zip(found["heads"], line, strict=True)) for line in found["lines"]]
    assert (row["captions"]["text"], row["τ-b"]["text"], row["τ-b"]["strong"]) == (str(len(ROWS)), "100.00", True)
    assert row["published"]["text"] == "τ-b 12.3 (Toy); τ-b 45.6 (Words)"
    (table, *_) = of_files("toy", folder / "toy.tsv", [scores]).tables
    assert table.rows[0]["tau_b"] == 100.0


def routed(browser: TestClient) -> None:
    """The new route answers with what the new format has imported, and it is in the table of routes."""
    found = browser.get("/api/longest-caption", params={"dataset": "toys"})
    assert (found.status_code, found.json()) == (200, {"caption": ROWS[-1][1]}), found.text


def inspected(browser: TestClient) -> None:
    """A metric without weights is ready even where there is no picture, and its parts are explained."""
    found = browser.get("/api/samples", params={"dataset": "toys", "text": ROWS[-1][1]}).json()
    sample = browser.get(f"/api/samples/{found['samples'][0]['id']}").json()
    (score,) = sample["scores"]
    assert score["meanings"] == {"words": "How many words the caption has."}
    ready = browser.get(f"/api/samples/{sample['id']}/metrics").json()
    of = {one["metric"]: one for one in ready}
    assert (of["WordCount"]["ready"], of["WordCount"]["needs"], of["WordCount"]["shows_regions"]) == (True, [], False)
    answer = browser.post("/api/judge", json={"sample": sample["id"], "metric": "WordCount", "caption": "two words"})
    assert '"words":2.0' in answer.text, answer.text


def asked(browser: TestClient, workplace: Workplace) -> None:
    """The new form is offered, and asked for by nobody who has not named it."""
    experts = ["consistency", "factuality", "informativeness"]
    offered = {
        form["key"]: [one["key"] for one in form["criteria"]] for form in browser.get("/api/studies/forms").json()
    }
    assert next(iter(offered)) == "expert-single" and offered["expert-single"] == experts
    assert offered["toy-form"] == ["clarity", "fit", "factuality"]
    draft = {"name": "after", "dataset": "toys", "seed": 1}
    made = browser.post("/api/studies", json=draft)
    assert made.status_code == 201, made.text
    told = {study["title"]: study for study in browser.get("/api/rate/studies").json()}
    for name in ("before", "after"):
        assert [criterion["key"] for criterion in told[name]["criteria"]] == experts
        assert "the following three criteria:" in told[name]["instructions"][-1]


def rated(browser: TestClient, workplace: Workplace, folder: Path) -> None:
    """Seven points with abstention and two without, from raters' answers to figures, report and export."""
    criteria = ("clarity", "fit", "factuality")
    study = services.create_study(workplace, StudyRequest("scales", "toys", seed=1, form="toy-form"))
    assert study.criteria == criteria
    for code, shift in (("A1", 0), ("B2", 1)):
        assert browser.post("/api/rate/session", json={"code": code}).status_code == 200
        items = browser.get(f"/api/rate/studies/{study.id}/items?count=10").json()["items"]
        for item in items:
            n = len(item["caption"].split()) - 1
            point = 0 if n == 0 else 1 + (n + shift) % 7
            given = {"clarity": point, "fit": 1 + (n + shift) % 2, "factuality": 1 + n % 4}
            saves = [save(item, code, key, point) for key, point in given.items()]
            assert [one["saved"] for one in results(browser, *saves)] == [True] * 3
            refused = results(browser, save(item, code, "clarity", 8), save(item, code, "fit", 3))
            assert [one["saved"] for one in refused] == [False, False]
        browser.delete("/api/rate/session")
    found = browser.get("/api/analyse/section/study", params={"dataset": "toys", "study": study.id}).json()
    assert [one["title"] for one in found["figures"]][:2] == [
        "Mean ratings on the scale 1–7", "Distribution of ratings on the scale 1–7",
    ]  # fmt: skip
    shown(asdict(study_results(Analyst(workplace), study.id)))
    page = report_html(workplace, study, lambda *_: None)
    for text in ("1–7", "1–2", "1–4", "clarity", ">7<"):
        assert text in page, text
    exported = folder / "ratings.csv"
    services.export_study(workplace, study, exported)
    with exported.open(newline="") as file:
        points = {(row["criterion"], int(row["rating"])) for row in csv.DictReader(file)}
    assert {point for key, point in points if key == "clarity"} == set(range(8))
    assert {point for key, point in points if key == "fit"} == {1, 2}
    printed(folder)


def save(item: dict[str, Any], code: str, criterion: str, point: int) -> dict[str, Any]:
    key = f"{code}-{item['id'][:20]}-{criterion}-{point}"
    sent = {"key": key, "assignment": item["id"], "kind": "rating", "age_ms": 0, "panel": 1}
    return sent | {"criterion": criterion, "point": point}


def results(browser: TestClient, *saves: dict[str, Any]) -> list[dict[str, Any]]:
    answer = browser.post("/api/rate/saves", json={"saves": saves})
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["results"]
    return found


def shown(found: dict[str, Any]) -> None:
    """Figures and statistics go by each criterion's own scale."""
    assert [(len(one["points"]), one["criteria"]) for one in found["scales"]] == [
        (7, ["clarity"]), (2, ["fit"]), (4, ["factuality"]),
    ]  # fmt: skip
    rows = {row["criterion"]: row for row in found["means"]["rows"]}
    assert {key: row["scale"] for key, row in rows.items()} == {"clarity": "1–7", "fit": "1–2", "factuality": "1–4"}
    assert rows["clarity"]["abstain_rate"] == 2 / (2 * len(ROWS)) and rows["fit"]["abstain_rate"] == 0
    given = {key: [one["point"] for one in found["distribution"]["rows"] if one["criterion"] == key] for key in rows}
    assert given == {"clarity": list(range(8)), "fit": [1, 2], "factuality": [1, 2, 3, 4]}
    assert found["low"] == "3 or less on the scale 1–7, 1 or less on the scale 1–2, 2 or less on the scale 1–4"
    agreed: dict[str, dict[str, float]] = {key: {} for key in rows}
    for one in found["agreement"]["rows"]:
        agreed[one["criterion"]][one["name"]] = one["value"]
    assert agreed["fit"]["exact"] == 0.0 and agreed["factuality"]["exact"] == 1.0
    assert agreed["clarity"]["within one"] == pytest.approx(5 / 6)  # but for 7 against 1; an abstention is no point
    assert {row["criterion"] for row in found["rating_errors"]["rows"]} == set(rows)


def printed(folder: Path) -> None:
    """The command line's report names the scales, and makes a study of some criteria of a form."""
    from typer.testing import CliRunner

    run, cli = CliRunner(), build_cli(Settings(data_dir=folder))
    out = run.invoke(cli, ["report", "scales"], env={"COLUMNS": "200"})
    assert out.exit_code == 0 and "1–7" in out.output and "1–2" in out.output, out.output
    out = run.invoke(
        cli, ["study", "create", "more", "--dataset", "toys", "--form", "toy-form", "--criteria", "fit,clarity"]
    )
    assert out.exit_code == 0, out.output
    out = run.invoke(cli, ["study", "create", "none", "--dataset", "toys", "--criteria", "beauty"])
    assert out.exit_code != 0


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    print("walked")
