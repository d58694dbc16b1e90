"""Error codes over HTTP: counts and kappa, own codebooks, the export of codes, and what is refused."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from core.analysis.error_coding import CODEBOOKS
from tests.ui.analyse.asking import exact, table

OF = {"dataset": "judged", "metric": "M", "codebook": "expert"}
MINE = {"name": "mine", "codes": [{"key": "a", "label": "Ä"}, {"key": "b", "label": "B"}]}
GOOD = {"key": "a", "label": "A"}


def code(client: TestClient, sample: int, coder: str, key: str | None, codebook: str = "expert") -> Any:
    body = {"sample": sample, "metric": "M", "codebook": codebook, "coder": coder, "code": key}
    answer = client.put("/api/coding/codes", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()["before"]


def coded(client: TestClient, **more: str) -> Any:
    return client.get("/api/coding/coded", params=OF | more).json()


def test_two_coders_counts_and_kappa_come_in_the_papers_form(client: TestClient) -> None:
    for sample, first, second in (
        (1, "others", "others"),
        (2, "others", "human-error"),
        (3, "human-error", "human-error"),
    ):
        assert code(client, sample, "Ann", first) is None and code(client, sample, "Bob", second) is None
    counts = {row["code"]: row for row in table(coded(client), "Coded errors of M (expert)")}
    others, human = counts["Others"], counts["Human Annotation Errors"]
    assert (others["all"], others["by Ann"], others["by Bob"], others["published (of 100)"]) == ("3", "2", "1", "7")
    assert (human["all"], human["by Ann"], human["by Bob"], human["published (of 100)"]) == ("3", "1", "2", "8")
    assert counts["Overpenalization of Captions Lacking Details"]["all"] == "0"
    low, high = others["95 % interval of the share, %"].split(" to ")
    assert others["share, %"] == "50.0" and float(low) < 50 < float(high)  # one unit
    [kappa] = exact(coded(client), "Agreement between coders")
    # They agree on 2 of 3; by chance on (2 * 1 + 1 * 2) / 9.
    assert abs(kappa["Cohen’s κ"] - (2 / 3 - 4 / 9) / (1 - 4 / 9)) < 1e-12


def test_kappa_counts_samples_that_both_coded_and_an_undefined_one_is_explained(client: TestClient) -> None:
    for sample in (1, 2):
        code(client, sample, "Ann", "others")
    code(client, 1, "Bob", "others")
    code(client, 3, "Cleo", "others")
    rows = {row["coders"]: row for row in table(coded(client), "Agreement between coders")}
    assert [(row["samples of both"], row["Cohen’s κ"]) for row in rows.values()] == [
        ("1", "undefined"), ("0", "undefined"), ("0", "undefined"),
    ]  # fmt: skip
    assert "one and the same code to all samples" in rows["Ann, Bob"]["note"]
    assert "no sample has a code from both coders" in rows["Bob, Cleo"]["note"]


def test_the_papers_codebooks_have_six_and_seven_categories_of_a_hundred_samples() -> None:
    assert [len(book.codes) for book in CODEBOOKS] == [6, 7]
    assert [sum(one.published or 0 for one in book.codes) for book in CODEBOOKS] == [100, 100]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sample": 99}, "Sample 99 has no score of M"),
        ({"code": "OCLD"}, "has no code 'OCLD'"),
    ],
)
def test_a_wrong_code_is_refused_in_words(client: TestClient, change: dict[str, Any], words: str) -> None:
    body = {"sample": 1, "metric": "M", "codebook": "expert", "coder": "Ann", "code": "others"} | change
    answer = client.put("/api/coding/codes", json=body)
    assert answer.status_code in (400, 404) and words in answer.json()["detail"]


def test_codes_are_exported_with_their_codebook(client: TestClient) -> None:
    code(client, 2, "Bob", "others")
    code(client, 1, "Ann", "human-error")
    exported = client.get("/api/coding/coded-set.json", params=OF).json()
    assert exported["codings"] == [
        {"sample": "s0", "coder": "Ann", "code": "human-error"}, {"sample": "s1", "coder": "Bob", "code": "others"},
    ]  # fmt: skip
    assert exported["codebook"]["name"] == "expert" and len(exported["codebook"]["codes"]) == 6


def test_an_own_codebook_is_kept_and_counts_its_codes(client: TestClient) -> None:
    assert client.post("/api/coding/codebooks", json=MINE).status_code == 201
    assert client.post("/api/coding/codebooks", json=MINE).status_code == 201
    assert [book["name"] for book in client.get("/api/coding/codebooks").json()] == ["expert", "polos", "mine"]
    taken = client.post("/api/coding/codebooks", json=MINE | {"codes": [GOOD]})
    assert taken.status_code == 409 and "'mine'" in taken.json()["detail"]
    code(client, 1, "Ann", "a", "mine")
    assert table(coded(client, codebook="mine"), "(mine)")[0]["code"] == "Ä"


def of_codes(codes: Any, **more: Any) -> Any:
    return {"name": "x", "codes": codes} | more


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"name": "x"}, "codes: expected 1 to 9 codes"),
        (of_codes([GOOD, GOOD]), "every key once"),
        (of_codes([GOOD | {"published": 3}]), "codes.1.published: expected no such name"),
    ],
)
def test_a_codebook_that_is_not_as_it_should_be_is_refused(client: TestClient, content: Any, words: str) -> None:
    answer = client.post("/api/coding/codebooks", json=content)
    assert answer.status_code == 400 and words in answer.json()["detail"]
