"""The routes about errors, beside a naive reading of the same thirty-two samples."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from core.datasets.base import Record
from core.regions.masks import encode
from core.types import Explanation, ImageRef, Phrase, Region, Score
from ui.services.workplace import Workplace

OF = {"dataset": "judged"}
M = {n: (n * 7 % 30) / 30 for n in range(30)}  # what the fixtures hold, on [0, 1]
N = {n: n % 5 / 8 for n in range(32)}
HUMAN = {n: n % 4 / 3 for n in range(30)} | {31: 0.0}
PAIR = {"first": "M", "second": "N"}


def get(client: TestClient, path: str, **query: object) -> Any:
    answer = client.get(f"/api/analyse/{path}", params={**OF, **query})
    assert answer.status_code == 200, answer.text
    return answer.json()


def save(client: TestClient, name: str, **conditions: Any) -> None:
    body = {"dataset": "judged", "slice": {"name": name, **conditions}}
    answer = client.put("/api/analyse/slices", json=body)
    assert answer.status_code == 200, answer.text


def members(client: TestClient, name: str) -> int:
    return int(get(client, "members", slice=name)["samples"])


def test_samples_are_listed_by_how_far_two_scores_part(client: TestClient) -> None:
    found = get(client, "partings", **PAIR)
    gaps = {n: abs(M[n] - N[n]) for n in M if M[n] != N[n]}
    assert found["total"] == len(gaps) + 1  # the thirty-first has M 0.5 and N 0.25
    row = found["rows"][0]
    assert row["gap"] == pytest.approx(max(gaps.values()))
    assert (row["first"], row["second"]) == (M[row["id"] - 1], N[row["id"] - 1])
    assert row["first_error"] == pytest.approx(M[row["id"] - 1] - HUMAN[row["id"] - 1])
    assert row["image"] is None  # the picture was not found
    shown = [r["gap"] for page in (1, 2, 3) for r in get(client, "partings", **PAIR, page=page)["rows"]]
    assert shown == sorted(shown, reverse=True) and len(shown) == found["total"]
    raw = get(client, "partings", first="M", second="M#raw")
    assert raw["second_label"] == "M raw"
    assert raw["rows"][0]["gap"] == pytest.approx(max(abs(v - round(v, 1)) for v in M.values()))


@pytest.mark.parametrize("side", ["first", "second"])
def test_where_one_alone_is_right_is_that_of_a_loop_and_becomes_a_slice(client: TestClient, side: str) -> None:
    right = {n: (abs(M[n] - HUMAN[n]) < 0.25, abs(N[n] - HUMAN[n]) < 0.25) for n in M}
    wanted = {n for n, (first, second) in right.items() if (first, second) == (side == "first", side == "second")}
    by = f"{side} right"
    found = get(client, "partings", **PAIR, by=by)
    assert found["total"] == len(wanted)
    assert {row["id"] - 1 for row in found["rows"]} <= wanted
    save(client, "alone", parting={"first": {"metric": "M"}, "second": {"metric": "N"}, "by": by})
    assert members(client, "alone") == len(wanted)
    table = get(client, "nearer", **PAIR)
    rows = {row["score"]: row for row in table["rows"]}
    place = side == "second"
    assert rows["MN"[place]]["alone"] == len(wanted)
    assert rows["MN"[place]]["right"] == pytest.approx(100 * np.mean([kind[place] for kind in right.values()]))
    assert rows["M − N"]["right"] == pytest.approx(rows["M"]["right"] - rows["N"]["right"])
    assert rows["M"]["mean_absolute_error"] == pytest.approx(np.mean([abs(M[n] - HUMAN[n]) for n in M]))
    difference = rows["M − N"]
    assert difference["mean_absolute_error_low"] < difference["mean_absolute_error"]
    assert difference["mean_absolute_error"] < difference["mean_absolute_error_high"]


def test_two_scores_of_one_name_or_of_none_are_refused(client: TestClient) -> None:
    for query, status, words in (
        ({"first": "M", "second": "M"}, 400, "two different scores"),
        ({"first": "M", "second": "X"}, 404, "no scores of 'X'"),
        ({**PAIR, "by": "x"}, 422, ""),
    ):
        answer = client.get("/api/analyse/partings", params={**OF, **query})
        assert answer.status_code in (status, 400) and words in answer.text, answer.text
    body = {
        "dataset": "judged",
        "slice": {"name": "s", "parting": {"first": {"metric": "X"}, "second": {"metric": "M"}}},
    }
    assert client.put("/api/analyse/slices", json=body).status_code == 404


def test_a_lasso_and_words_become_slices(client: TestClient) -> None:
    low, high = 0.2, 0.75
    square = [[low, -0.1], [high, -0.1], [high, 0.5], [low, 0.5]]
    save(client, "drawn", lasso={"x": {"metric": "M"}, "y": None, "corners": square})
    assert members(client, "drawn") == sum(low < M[n] < high and HUMAN[n] < 0.5 for n in M)
    correlations = client.get("/api/analyse/correlations", params={**OF, "metric": "M", "slice": "drawn"})
    assert "depends on the human judgements" in correlations.json()["remarks"][0]
    save(client, "worded", caption="3, 7, 99")
    assert members(client, "worded") == 2
    save(client, "explained", explanation="why 4, why 5", metric="N")
    assert members(client, "explained") == 2


def test_errors_by_rank_and_calibrated_are_listed_by_their_size(client: TestClient) -> None:
    for scale in ("rank", "calibrated"):
        listed = get(client, "errors", metric="M", scale=scale)
        sizes = [abs(row["error"]) for row in listed["rows"]]
        assert listed["total"] == 30 and sizes == sorted(sizes, reverse=True)
        table = get(client, "calibration", metric=["M"])["errors"]["rows"]
        of = {row["scale"]: row for row in table if row["label"] == "M"}
        every = sizes + [abs(row["error"]) for row in get(client, "errors", metric="M", scale=scale, page=2)["rows"]]
        assert of["by rank" if scale == "rank" else scale]["mean_absolute_error"] == pytest.approx(np.mean(every))


def test_calibration_bins_are_those_of_a_loop(client: TestClient) -> None:
    found = get(client, "calibration", metric=["M", "N"])
    assert [curve["label"] for curve in found["curves"]] == ["M", "M raw", "N"]
    assert sum(row["n"] for row in found["bins"]["rows"] if row["label"] == "N") == 31
    save(client, "none", human={"low": 0.9, "high": 0.95})
    answer = client.get("/api/analyse/calibration", params={**OF, "metric": "M", "slice": "none"})
    assert answer.status_code == 400 and "No sample of" in answer.json()["detail"]


def test_categories_are_tables_of_every_score(client: TestClient) -> None:
    tables = get(client, "categories", metric=["M", "N"])
    assert [table["title"] for table in tables] == ["By human level", "By caption length", "By kind of words"]
    rows = tables[0]["rows"]
    assert [row["label"] for row in rows[:3]] == ["M", "M raw", "N"]
    lowest = [n for n in range(30) if n % 4 == 0]
    assert rows[0]["n"] == len(lowest) and rows[0]["mean_error"] == pytest.approx(np.mean([M[n] for n in lowest]))
    assert rows[0]["tau_b"] is None and "all human judgements are equal" in rows[0]["note"]
    body = {"sample": 4, "metric": "M", "codebook": "expert", "coder": "Ann", "code": "others"}
    assert client.put("/api/coding/codes", json=body).status_code == 200
    assert get(client, "categories", metric="M")[-1]["title"] == "By error code"
    [example] = get(client, "examples", metric="M", codebook="expert")
    assert (example["id"], example["code"], example["coders"]) == (4, "Others", ["Ann"])
    assert (example["value"], example["human"]) == (M[3], HUMAN[3])
    assert example["raw"] == round(M[3], 1)  # rounded on purpose: stored so


def test_shares_of_codes_have_wilsons_intervals_over_coded_samples(client: TestClient) -> None:
    for coder in ("Ann", "Bob"):
        for sample in range(1, 5):
            code = "others" if sample < 4 else "human-error"
            body = {"sample": sample, "metric": "M", "codebook": "expert", "coder": coder, "code": code}
            assert client.put("/api/coding/codes", json=body).status_code == 200
    counts = client.get("/api/coding/coded", params={**OF, "metric": "M", "codebook": "expert"}).json()["counts"]
    row = next(row for row in counts["rows"] if row["code"] == "others")
    assert (row["count"], row["share"]) == (6, 0.75)
    assert (row["ci_low"], row["ci_high"]) == (pytest.approx(30.06, abs=0.01), pytest.approx(95.44, abs=0.01))
    assert "4 coded samples" in counts["title"]


def region(label: str, mentioned: bool, full: bool = False) -> Region:
    mask = np.ones((2, 2), dtype=bool)
    return Region(encode(mask), (2, 2), label, full, 0.5, 0, mentioned)


def test_what_captions_leave_out_needs_no_human_judgement(client: TestClient, workplace: Workplace) -> None:
    told = {
        0: (region("dog", True), region("cup", False), region("", True, full=True)),
        1: (region("dog", False), region("cup", False)),
    }
    records = []
    for n, regions in told.items():
        explanation = Explanation({}, (Phrase("a dog", (0, 5), 0.5, 0, "correct"),), regions, 0.5, "labels")
        score = Score("H", 0.5, "H", components={"precision": 0.5 + n / 4, "recall": n / 2}, explanation=explanation)
        records.append(Record(Path("f"), n, f"{n}.jpg", f"a dog {n}", key=f"c{n}", scores=(score,)))
    workplace.repository.add_records("coco", records, {r.image: ImageRef(r.image) for r in records}, pytest.fail)
    of = {"dataset": "coco", "metric": "H"}
    assert client.get("/api/analyse/left-out/metrics", params=of).json() == ["H"]
    assert get(client, "left-out/metrics") == []
    found = client.get("/api/analyse/left-out", params=of).json()
    assert [(r["label"], r["captions"], r["left_out"], r["share"]) for r in found["labels"]["rows"]] == [
        ("cup", 2, 2, 1.0),
        ("dog", 2, 1, 0.5),
    ]
    heads = [column["head"] for column in found["labels"]["columns"]]
    assert heads == ["label", "captions of pictures with this label", "captions that omit it", "share"]
    assert {r["name"]: (r["n"], r["mean"]) for r in found["shares"]["rows"]} == {
        "precision": (2, 0.625),
        "recall": (2, 0.25),
    }
    assert sum(found["histograms"][0]["counts"]) == 2
    rows = client.get("/api/analyse/left-out/captions", params=of).json()["rows"]
    assert [(r["key"], r["labels"], r["regions_left_out"]) for r in rows] == [
        ("c1", ["cup", "dog"], 2),
        ("c0", ["cup"], 1),
    ]
    answer = client.get("/api/analyse/left-out", params={**of, "metric": "X"})
    assert answer.status_code == 404


def test_the_report_comes_as_a_file_that_the_browser_does_not_open(client: TestClient) -> None:
    answer = client.get("/api/analyse/report.html", params=OF)
    assert answer.headers["content-disposition"].startswith("attachment")
    assert "<h1>Report: judged</h1>" in answer.text
    for words in ("Which score is closer", "Calibration", "By human level", "Mean errors"):
        assert words in answer.text
    assert client.get("/api/analyse/report.html", params={"dataset": "none"}).status_code == 404
