"""How well people agree with one another, beside scipy and the package krippendorff, and what a table's n counts."""

import csv
import io
import json
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from fastapi.testclient import TestClient
from scipy.stats import kendalltau, pearsonr, spearmanr

from core.datasets.base import Record
from core.signature import VERSION
from core.statistics.bootstrap import SEED
from core.types import ImageRef, Score
from tests.ui.analyse.conftest import record
from ui.report.page import dataset_report_html
from ui.services.analysis.analyst import Analyst
from ui.services.importing.importing import import_files
from ui.services.workplace import Workplace

JUDGED = [(1, 2, 1), (3, 3, 4), (2, 2), (4, 4, 4), (1, 3, 2), (1, 1, 2), (3, 4, 4), (2,)]


@pytest.fixture
def several(client: TestClient, workplace: Workplace) -> TestClient:
    """Captions two an image, with three judgements, two or one."""
    records = [
        Record(
            Path("f"), n, f"{n // 2}.jpg", f"caption {n}", key=f"s{n}", human=(np.mean(said) - 1) / 3, judgements=said,
            scores=(Score("M", (n * 3 % 7) / 7, "M"),),
        )
        for n, said in enumerate(JUDGED)
    ]  # fmt: skip
    workplace.repository.add_records("several", records, {r.image: ImageRef(r.image) for r in records}, pytest.fail)
    return client


def get(client: TestClient, path: str, **query: object):  # type: ignore[no-untyped-def]
    answer = client.get(f"/api/analyse/{path}", params={"dataset": "several", **query})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_people_stand_beside_one_another_as_metrics_stand_beside_people(several: TestClient) -> None:
    found = get(several, "people")
    [tau] = found["taus"]["rows"]
    pairs = [(np.mean(said[:i] + said[i + 1 :]), own) for said in JUDGED[:7] for i, own in enumerate(said)]
    assert tau["n"] == len(pairs) == 20
    for letter in ("b", "c"):
        expected = 100 * kendalltau(*zip(*pairs, strict=True), variant=letter).statistic
        assert tau[f"tau_{letter}"] == pytest.approx(expected)
        assert tau[f"tau_{letter}_low"] < expected < tau[f"tau_{letter}_high"]
    rows = {row["name"]: row for row in found["coefficients"]["rows"]}
    table = np.full((3, len(JUDGED)), np.nan)
    for caption, said in enumerate(JUDGED):
        table[: len(said), caption] = said
    alpha = krippendorff.alpha(reliability_data=table, level_of_measurement="ordinal")
    assert rows["alpha ordinal"]["value"] == pytest.approx(alpha)
    assert (rows["exact"]["captions"], rows["exact"]["judgements"]) == (7, 21)


def test_a_slice_has_its_own_agreement_and_captions_judged_once_have_none(
    several: TestClient, workplace: Workplace
) -> None:
    body = {"dataset": "several", "slice": {"name": "low", "human": {"high": 0.3}}}
    assert several.put("/api/analyse/slices", json=body).status_code == 200
    low = [said for said in JUDGED if (np.mean(said) - 1) / 3 < 0.3]
    assert get(several, "people", slice="low")["taus"]["rows"][0]["n"] == sum(map(len, low)) == 6
    once = [record(n, n / 5, 0.5) for n in range(4)]
    once = [r.__class__(**{f: getattr(r, f) for f in r.__dataclass_fields__} | {"judgements": ()}) for r in once]
    workplace.repository.add_records("once", once, {r.image: ImageRef(r.image) for r in once}, pytest.fail)
    assert get(several, "people", dataset="once")["taus"]["rows"] == []


def test_a_table_says_what_its_n_counts(several: TestClient) -> None:
    said = get(several, "correlations", metric="M")["counted"]
    assert said == "n is the number of single judgements: 21 of 8 captions of 4 images."
    said = get(several, "correlations", metric="M", benchmark="polaris")["counted"]
    assert said == "n is the number of captions; each has the mean of its human ratings: 8 captions of 4 images."


def test_every_tau_can_be_worked_out_from_the_csv_beside_the_plot(several: TestClient) -> None:
    text = several.get("/api/analyse/data.csv", params={"dataset": "several", "metric": "M"}).text
    rows = list(csv.DictReader(io.StringIO(text)))
    pairs = [(float(row["M"]), float(said)) for row in rows for said in row["judgements"].split()]
    [ours] = get(several, "correlations", metric="M")["taus"]["rows"]
    assert ours["tau_b"] == pytest.approx(100 * kendalltau(*zip(*pairs, strict=True)).statistic)
    assert ours["pearson"] == pytest.approx(100 * pearsonr(*zip(*pairs, strict=True)).statistic)
    assert ours["spearman"] == pytest.approx(100 * spearmanr(*zip(*pairs, strict=True)).statistic)
    assert len({row["image"] for row in rows}) == 4


def test_the_report_says_how_people_agree_what_n_counts_and_how_intervals_were_made(
    several: TestClient, workplace: Workplace
) -> None:
    written = dataset_report_html(Analyst(workplace), "several")
    for words in (
        "How well people agree with one another",
        "mean of the other judgements",
        "n is the number of single judgements: 21 of 8 captions of 4 images.",
        "Intervals are bootstrapped over images with 1,000 resamples.",
    ):
        assert words in written
    assert "Published figures" not in written
    assert (
        f"Computed by Capscope {VERSION}. Random numbers use the seed {SEED}, so the same data give the same" in written
    )


def test_a_report_on_data_whose_scores_are_all_errors_says_so(client: TestClient, workplace: Workplace) -> None:
    failed = [record(n, n / 5, None) for n in range(4)]
    failed = [
        r.__class__(**{f: getattr(r, f) for f in r.__dataclass_fields__} | {"scores": r.scores[1:]}) for r in failed
    ]
    workplace.repository.add_records("failed", failed, {r.image: ImageRef(r.image) for r in failed}, pytest.fail)
    answer = client.get("/api/analyse/report.html", params={"dataset": "failed"})
    assert answer.status_code == 200 and "How well people agree with one another" in answer.text


def test_scores_that_people_gave_themselves_are_drawn_and_never_compared_with_people(
    workplace: Workplace, client: TestClient, tmp_path: Path
) -> None:
    rows = [
        {"SYS": "X", "hyp": f"dog {n}", "image": f"{n}.jpg", "P": 1 + n % 5, "R": 1 + n % 4, "human_score": n % 6}
        for n in range(30)
    ]
    path = tmp_path / "thumb.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_files(workplace, "thumb", [path], "thumb")
    known = client.get("/api/analyse/metrics", params={"dataset": "thumb"}).json()
    assert [(one["name"], one["by_people"]) for one in known] == [("THumB precision", True), ("THumB recall", True)]
    alone = client.get("/api/analyse/correlations", params={"dataset": "thumb", "metric": "THumB recall"})
    related = client.get(
        "/api/analyse/relations", params={"dataset": "thumb", "metric": [one["name"] for one in known]}
    )
    assert related.json()["related"]["title"] == "Correlations between scores of people × 100"
    assert alone.status_code == 400 and "These scores of thumb are human judgements" in alone.json()["detail"]
    own = [{"image": row["image"], "caption": row["hyp"], "id": f"thumb#{n + 1}"} for n, row in enumerate(rows)]
    scored = tmp_path / "own.jsonl"
    lines = (row | {"scores": [{"metric": "M", "value": n % 7 / 7}]} for n, row in enumerate(own))
    scored.write_text("".join(json.dumps(row) + "\n" for row in lines))
    import_files(workplace, "jsonl", [scored], "thumb")
    every = {"dataset": "thumb", "metric": ["M", "THumB precision", "THumB recall"]}
    found = client.get("/api/analyse/correlations", params=every).json()
    assert {row["metric"] for row in found["taus"]["rows"]} == {"M"} and found["differences"]["rows"] == []
    assert len(client.get("/api/analyse/points", params=every).json()["metrics"]) == 3
    written = dataset_report_html(Analyst(workplace), "thumb")
    assert "Largest errors of M" in written and "Largest errors of THumB" not in written
