"""polaris-exp and nebula-exp."""

import copy
import json
from pathlib import Path

import pytest

from core.errors import BadRow

ENTRY = {
    "id": "val_1",
    "imgid": "e00d",
    "mt": " a group of people ",
    "score": 0.75,
    "count": 8,
    "explanation": {"fluency": "Fluent.", "relevance": "Relevant.", "descriptiveness": "Brief."},
}
BAD = {
    "id": [7, "", " ", None],
    "imgid": [7, ""],
    "mt": ["", "  \n", None, 3, ["a"]],
    "score": ["0.5", True, -0.1, 1.01, float("nan"), float("inf"), None, 10**400],
    "count": [0, 2.5, True, "8"],
    "explanation": [None, "text", [], {"fluency": "a", "relevance": "b"}],
    "explanation.fluency": [None, 3, ""],
}
CASES = [(field, value) for field, values in BAD.items() for value in values]


def test_a_row_becomes_a_sample_and_its_human_score_with_three_rationales(write, read) -> None:
    (record,) = read("polaris-exp", write("p.json", [ENTRY]))
    assert (record.key, record.image, record.candidate) == ("val_1", "e00d", " a group of people ")
    assert (record.human, record.row, record.judgements) == (0.75, 1, ())
    (score,) = record.scores
    assert (score.metric, score.value, score.components) == ("Polaris-exp", 0.75, {"count": 8.0})
    assert dict(score.explanation.rationales) == ENTRY["explanation"]
    assert "source:polaris-exp" in score.signature


def test_nebula_exp_has_no_count_and_its_own_name(write, read) -> None:
    entry = {name: value for name, value in ENTRY.items() if name != "count"}
    (record,) = read("nebula-exp", write("n.json", [entry]))
    assert record.scores[0].metric == "Nebula-exp"
    assert record.scores[0].components == {}
    assert "source:nebula-exp" in record.scores[0].signature


@pytest.mark.parametrize(("field", "value"), CASES, ids=[f"{field}={str(value)[:20]!r}" for field, value in CASES])
def test_a_bad_field_is_named_with_its_row_and_the_other_rows_are_kept(field, value, write, skim, read) -> None:
    good, bad = {**ENTRY, "id": "val_2"}, copy.deepcopy(ENTRY)
    outer, _, inner = field.partition(".")
    if inner:
        bad[outer][inner] = value
    else:
        bad[outer] = value
    path = write("p.json", [good, bad, {**ENTRY, "id": "val_3"}])
    if field == "count" and value is None:
        return
    records, problems = skim("polaris-exp", path)
    assert [record.key for record in records] == ["val_2", "val_3"]
    assert [(problem.file, problem.row) for problem in problems] == [(path, 2)]
    assert problems[0].field.startswith(outer)
    with pytest.raises(BadRow, match="p.json, row 2, field .*expected .*found"):
        read("polaris-exp", path)


def test_a_missing_field_is_found_nothing(write, read) -> None:
    with pytest.raises(BadRow, match="field mt: expected text that is not blank, found nothing"):
        read("polaris-exp", write("p.json", [{name: value for name, value in ENTRY.items() if name != "mt"}]))


def test_an_id_used_twice_and_an_entry_that_is_no_object_are_bad(write, skim) -> None:
    records, problems = skim("polaris-exp", write("p.json", [ENTRY, ENTRY, "text", None]))
    assert len(records) == 1
    assert [(problem.row, problem.field) for problem in problems] == [(2, "id"), (3, "row"), (4, "row")]
    assert "row 1 has the same id" in str(problems[0])


def test_a_lone_surrogate_is_refused_because_it_could_not_be_stored(write, read) -> None:
    text = json.dumps([{**ENTRY, "mt": "a \ud800 b"}])
    assert "\\ud800" in text
    with pytest.raises(BadRow, match="field mt: .*whole Unicode characters"):
        read("polaris-exp", write("p.json", text))


def test_the_real_validation_set_is_read_whole(shared_data: Path, read) -> None:
    records = read("polaris-exp", shared_data / "expert" / "polaris_exp_val.json")
    assert len(records) == 4237
    assert len({record.key for record in records}) == 4237
    assert len({record.image for record in records}) == 2738
    assert sum(record.scores[0].components["count"] for record in records) == 21_760
    thirds = [sum(low <= record.human < high for record in records) for low, high in ((0, 0.33), (0.33, 0.66))]
    assert thirds == [1097, 1247]
