"""expert-results: rows of the published code, judged several times, and Pascal rows."""

import pytest

from core.errors import BadRow
from core.types import EvaluationError

RATIONALES = {"fluency": "Fluent.", "relevance": "Relevant.", "descriptiveness": "Brief."}
ROW = {"image_file": "Flickr8k_Dataset/1_a.jpg", "caption": "A cat .", "expert_score": 0.8, "human_score": 1.0}
PASCAL = {
    "image_file": "VOC2012/JPEGImages/2008_000001.jpg",
    "caption_1": "A cat .",
    "expert_score_1": 0.8,
    "explanation_1": RATIONALES,
    "caption_2": "A dog .",
    "expert_score_2": 0.1,
    "explanation_2": None,
    "expert_pred_label": 0,
    "human_label": 1,
}
NAME = "EXPERT-llava-13b-lora_exp_flickr8k.json"


def test_consecutive_rows_of_a_pair_are_one_record_with_every_judgement(write, read) -> None:
    rows = [{**ROW, "explanation": RATIONALES, "human_score": judgement} for judgement in (1.0, 2.0, 4.0)]
    rows += [{**ROW, "caption": "A dog .", "expert_score": 0.2, "explanation": None, "human_score": 4.0}]
    first, second = read("expert-results", write(NAME, rows))
    assert (first.row, first.image, first.candidate, first.key) == (1, "1_a.jpg", "A cat .", None)
    assert first.judgements == (1.0, 2.0, 4.0)
    assert first.human == pytest.approx((7 / 3 - 1) / 3, abs=1e-15)
    (score,) = first.scores
    assert (score.metric, score.value) == ("EXPERT", 0.8)
    assert dict(score.explanation.rationales) == RATIONALES
    assert "source:expert-results" in score.signature
    assert (second.row, second.human, dict(second.scores[0].explanation.rationales)) == (4, 1.0, {})


@pytest.mark.parametrize(
    ("name", "judgement", "human"),
    [
        ("m_flickr8k.json", 4.0, 1.0),
        ("m_crowdflower_flickr8k.json", 0.25, 0.25),
        ("m_exp_composite.json", 3, 0.5),
        ("m_polaris_test.json", 0.75, 0.75),
        ("m_nebula_test.json", 0.75, 0.75),
        ("mine.json", 3.0, None),
    ],
)
def test_the_scale_of_human_scores_follows_from_the_files_name(name, judgement, human, write, read) -> None:
    (record,) = read("expert-results", write(name, [{**ROW, "human_score": judgement}]))
    assert (record.human, record.judgements) == (human, (judgement,))


def test_a_human_score_outside_the_scale_is_bad(write, read) -> None:
    with pytest.raises(BadRow, match="human_score: expected a number from 1 to 4, found 5"):
        read("expert-results", write(NAME, [{**ROW, "human_score": 5.0}]))


def test_an_absent_score_is_an_error_value_because_the_published_code_leaves_it_out(write, read) -> None:
    row = {name: value for name, value in ROW.items() if name != "expert_score"}
    (record,) = read("expert-results", write(NAME, [row]))
    assert isinstance(record.scores[0], EvaluationError)
    assert (record.scores[0].kind, record.judgements) == ("no_score", (1.0,))


def test_a_pascal_row_is_two_records_of_a_pair(write, read) -> None:
    first, second, third, _ = read("expert-results", write("EXPERT_exp_pascal_50s_hc.json", [PASCAL, PASCAL]))
    assert (first.candidate, second.candidate) == ("A cat .", "A dog .")
    assert (first.pair.key, first.pair.position, first.pair.preferred, first.pair.category) == ("HC#1", 0, 1, "HC")
    assert (second.pair.key, second.pair.position) == ("HC#1", 1)
    assert (third.pair.key, third.row) == ("HC#2", 2)
    assert [record.scores[0].value for record in (first, second)] == [0.8, 0.1]
    assert dict(first.scores[0].explanation.rationales) == RATIONALES
    assert dict(second.scores[0].explanation.rationales) == {}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("image_file", 3),
        ("image_file", ""),
        ("caption", " "),
        ("caption", None),
        ("expert_score", "0.5"),
        ("expert_score", True),
        ("expert_score", None),
        ("expert_score", 1.5),
        ("expert_score", float("nan")),
        ("human_score", "1"),
        ("human_score", None),
        ("explanation", "text"),
        ("explanation", {"fluency": 3}),
        ("explanation", {" ": "text"}),
    ],
)
def test_a_bad_field_is_named_and_the_other_rows_are_kept(field, value, write, skim) -> None:
    rows = [ROW, {**ROW, "caption": "B .", field: value}, {**ROW, "caption": "C ."}]
    records, problems = skim("expert-results", write(NAME, rows))
    assert [record.row for record in records] == [1, 3]
    (problem,) = problems
    assert problem.row == 2
    assert problem.field.startswith(field)


@pytest.mark.parametrize(
    ("field", "value"), [("human_label", 2), ("human_label", True), ("caption_2", ""), ("caption_1", 3)]
)
def test_a_bad_pascal_row_is_left_out_whole(field, value, write, skim) -> None:
    records, problems = skim("expert-results", write("a_hc.json", [PASCAL, {**PASCAL, field: value}]))
    assert [record.row for record in records] == [1, 1]
    assert [(problem.row, problem.field) for problem in problems] == [(2, field)]


def test_two_scores_for_one_pair_that_differ_are_bad(write, read) -> None:
    with pytest.raises(BadRow, match="row 2, field expert_score: expected 0.8 as in row 1.*found 0.7"):
        read("expert-results", write(NAME, [ROW, {**ROW, "expert_score": 0.7}]))


def test_an_entry_that_is_no_object_is_bad(write, skim) -> None:
    records, problems = skim("expert-results", write(NAME, ["text", "text", ROW]))
    assert [record.row for record in records] == [3]
    assert [problem.row for problem in problems] == [1, 2]


def test_the_caller_may_name_the_metric(write, read) -> None:
    (record,) = read("expert-results", write(NAME, [ROW]), metric="EXPERT without SFT")
    assert record.scores[0].metric == "EXPERT without SFT"
