import json
from typing import Any

from fastapi.testclient import TestClient

from tests.ui.analyse.asking import exact, table

OF = {"dataset": "judged", "metric": "M", "codebook": "expert"}


def code(client: TestClient, sample: int, coder: str, key: str | None) -> Any:
    body = {"sample": sample, "metric": "M", "codebook": "expert", "coder": coder, "code": key}
    answer = client.put("/api/coding/codes", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()["before"]


def test_two_coders_counts_and_kappa_come_in_the_papers_form(client: TestClient) -> None:
    for sample, first, second in (
        (1, "others", "others"),
        (2, "others", "human-error"),
        (3, "human-error", "human-error"),
    ):
        assert code(client, sample, "Ann", first) is None and code(client, sample, "Bob", second) is None
    found = client.get("/api/coding/coded", params=OF).json()
    counts = {row["code"]: row for row in table(found, "Coded errors of M (expert)")}
    others, human = counts["Others"], counts["Human Annotation Errors"]
    assert (others["all"], others["Ann"], others["Bob"], others["published (of 100)"]) == ("3", "2", "1", "7")
    assert (human["all"], human["Ann"], human["Bob"], human["published (of 100)"]) == ("3", "1", "2", "8")
    assert counts["Overpenalization of Captions Lacking Details"]["all"] == "0"
    low, high = others["95 % interval of the share, %"].split(" to ")
    assert others["share, %"] == "50.0" and float(low) < 50 < float(high)  # one unit
    [kappa] = exact(found, "Agreement between coders")
    # They agree on 2 of 3; by chance on (2 * 1 + 1 * 2) / 9.
    assert abs(kappa["Cohen’s κ"] - (2 / 3 - 4 / 9) / (1 - 4 / 9)) < 1e-12


def test_undo_sends_the_code_before(client: TestClient) -> None:
    code(client, 1, "Ann", "others")
    before = code(client, 1, "Ann", "human-error")
    code(client, 1, "Ann", before)
    assert client.get("/api/coding/coded", params=OF).json()["codings"] == [["s0", "Ann", "others"]]


def test_an_exported_set_comes_back_with_the_same_counts(client: TestClient) -> None:
    for sample in range(1, 21):
        code(client, sample, "Ann", ("others", "human-error", "misjudged-grammar")[sample % 3])
    exported = client.get("/api/coding/coded-set.json", params=OF)
    counts = client.get("/api/coding/coded", params=OF).json()["tables"]
    for sample in range(1, 21):
        code(client, sample, "Ann", None)
    body = {"dataset": "judged", "metric": "M", "content": json.loads(exported.text)}
    answer = client.post("/api/coding/coded-set", json=body)
    assert answer.json() == {"codings": 20, "new": 20, "changed": 0, "codebook": "expert"}
    assert client.get("/api/coding/coded", params=OF).json()["tables"] == counts


def test_a_broken_set_or_codebook_is_refused_in_words(client: TestClient) -> None:
    body = {"dataset": "judged", "metric": "M", "content": {"codebook": {}}}
    answer = client.post("/api/coding/coded-set", json=body)
    assert answer.status_code == 400 and "export a coded set to see an example" in answer.json()["detail"]
    answer = client.post("/api/coding/codebooks", json={"name": "x", "codes": []})
    assert answer.status_code == 400 and "1 to 9 codes" in answer.json()["detail"]


def test_an_own_codebook_can_be_used_at_once(client: TestClient) -> None:
    book = {"name": "mine", "codes": [{"key": "a", "label": "A"}]}
    assert client.post("/api/coding/codebooks", json=book).status_code == 201
    assert [b["name"] for b in client.get("/api/coding/codebooks").json()] == ["expert", "polos", "mine"]
    body = {"sample": 1, "metric": "M", "codebook": "mine", "coder": "Ann", "code": "a"}
    assert client.put("/api/coding/codes", json=body).status_code == 200
