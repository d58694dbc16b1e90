import json
from typing import Any

from fastapi.testclient import TestClient

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
    counts = {count["code"]: (count["count"], count["published"]) for count in found["counts"]["rows"]}
    assert counts["others"] == (3, 7) and counts["human-error"] == (3, 8) and counts["overpenalized-details"] == (0, 45)
    assert [row["by_coder"] for row in found["counts"]["rows"]][-2:] == [{"Ann": 1, "Bob": 2}, {"Ann": 2, "Bob": 1}]
    assert {sum(row["by_coder"].values()) for row in found["counts"]["rows"][:-2]} == {0}
    [kappa] = found["kappas"]["rows"]
    # They agree on 2 of 3; by chance on (2 * 1 + 1 * 2) / 9.
    assert abs(kappa["kappa"] - (2 / 3 - 4 / 9) / (1 - 4 / 9)) < 1e-12


def test_undo_sends_the_code_before(client: TestClient) -> None:
    code(client, 1, "Ann", "others")
    before = code(client, 1, "Ann", "human-error")
    code(client, 1, "Ann", before)
    assert client.get("/api/coding/coded", params=OF).json()["codings"] == [["s0", "Ann", "others"]]


def test_an_exported_set_comes_back_with_the_same_counts(client: TestClient) -> None:
    for sample in range(1, 21):
        code(client, sample, "Ann", ("others", "human-error", "misjudged-grammar")[sample % 3])
    exported = client.get("/api/coding/coded-set.json", params=OF)
    counts = client.get("/api/coding/coded", params=OF).json()["counts"]
    for sample in range(1, 21):
        code(client, sample, "Ann", None)
    body = {"dataset": "judged", "metric": "M", "content": json.loads(exported.text)}
    answer = client.post("/api/coding/coded-set", json=body)
    assert answer.json() == {"codings": 20, "new": 20, "changed": 0, "codebook": "expert"}
    assert client.get("/api/coding/coded", params=OF).json()["counts"] == counts


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
