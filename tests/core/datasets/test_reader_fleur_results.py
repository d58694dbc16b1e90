"""fleur-results: flat, Composite and Pascal-50S layouts, with and without explanations."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.datasets import format_named, raise_bad
from core.errors import BadFile, BadRow
from core.types import EvaluationError

FLAT = """image file : Flickr8k_Dataset/1_a.jpg
caption : A sign : "no : dogs" , he says .
model score : 0.85
our score : 0.7841796875

image file : Flicker8k_Dataset/2_b.jpg
caption :  A dog .\x20
model score : 0.0
our score : 0.0074

"""
EXPLAINED = """image file : Flickr8k_Dataset/1_a.jpg
caption : A cat .
model score : 0.85
our score : 0.7841796875
explanation : The caption : it fits.

Its second paragraph.
- a list</s>

image file : Flickr8k_Dataset/2_b.jpg
caption : A dog .
model score : 0.0
our score : 0.0
explanation : No end

image file : 3.jpg
caption : A bird .
model score : 0.5
our score : 0.25
"""
PASCAL = """image : https://filebox.ece.vt.edu/~vrama91/PASCAL/2008_005747.jpg
label : 1

caption : The front : side .
model score : 0.9
our score : 0.798828125

caption : Close up .
model score : 0.9
our score : 0.79931640625

image file : VOC2012/JPEGImages/2008_001230.jpg
label : 0

caption : A man .
model score : 0.85
our score : 0.79

caption : A woman .
model score : 0.85
our score : 0.77

true count : 1
tie count : 0"""


def test_a_flat_block_is_a_caption_with_its_smoothed_and_raw_score(write, read) -> None:
    first, second = read("fleur-results", write("fleur_flickr8k.txt", FLAT))
    assert (first.image, first.candidate) == ("1_a.jpg", 'A sign : "no : dogs" , he says .')
    assert (first.row, first.key, first.human, first.pair) == (1, None, None, None)
    (score,) = first.scores
    assert (score.metric, score.value, score.components) == ("FLEUR", 0.7841796875, {"raw": 0.85})
    assert score.signature.startswith("FLEUR|source:fleur-results|")
    assert score.explanation.rationales == {}
    assert (second.image, second.candidate, second.row) == ("2_b.jpg", " A dog . ", 2)


def test_windows_line_ends_change_nothing(write, read) -> None:
    path = write("a.txt", FLAT)
    with_lf = [(record.image, record.candidate, record.scores) for record in read("fleur-results", path)]
    path = write("b.txt", FLAT.replace("\n", "\r\n"))
    assert [(record.image, record.candidate, record.scores) for record in read("fleur-results", path)] == with_lf


def test_an_explanation_runs_to_the_next_block_and_loses_its_end_token(write, read) -> None:
    first, second, third = read("fleur-results", write("fleur_exp.txt", EXPLAINED))
    long = "The caption : it fits.\n\nIts second paragraph.\n- a list"
    assert dict(first.scores[0].explanation.rationales) == {"overall": long}
    assert dict(second.scores[0].explanation.rationales) == {"overall": "No end"}
    assert dict(third.scores[0].explanation.rationales) == {}


def test_composite_sections_are_passed_over(write, read) -> None:
    text = "flickr8k dataset\n\n" + EXPLAINED + "\nflickr30k dataset\n\n" + FLAT + "coco dataset\n\n" + FLAT
    records = read("fleur-results", write("fleur_composite.txt", text))
    assert [record.row for record in records] == [1, 2, 3, 4, 5, 6, 7]
    assert dict(records[1].scores[0].explanation.rationales) == {"overall": "No end"}


def test_a_pascal_block_is_two_captions_of_a_pair_that_knows_which_is_preferred(write, read) -> None:
    records = read("fleur-results", write("fleur_pascal_HC.txt", PASCAL))
    assert [record.candidate for record in records] == ["The front : side .", "Close up .", "A man .", "A woman ."]
    assert [record.image for record in records] == ["2008_005747.jpg"] * 2 + ["2008_001230.jpg"] * 2
    pairs = [(record.pair.key, record.pair.position, record.pair.preferred, record.pair.category) for record in records]
    assert pairs == [("HC#1", 0, 1, "HC"), ("HC#1", 1, 1, "HC"), ("HC#2", 0, 0, "HC"), ("HC#2", 1, 0, "HC")]
    assert [record.human for record in records] == [None] * 4
    assert [record.scores[0].value for record in records] == [0.798828125, 0.79931640625, 0.79, 0.77]


def test_a_pascal_file_whose_name_says_no_category_keeps_its_pairs_apart(write, read) -> None:
    records = read("fleur-results", write("results.txt", PASCAL))
    assert [(record.pair.key, record.pair.category) for record in records[::2]] == [
        ("results#1", None),
        ("results#2", None),
    ]


@pytest.mark.parametrize(
    ("name", "asked", "metric"),
    [
        ("fleur_flickr8k.txt", None, "FLEUR"),
        ("reffleur_flickr8k.txt", None, "RefFLEUR"),
        ("RefFLEUR_pascal_HC.txt", None, "RefFLEUR"),
        ("reffleur_flickr8k.txt", "FLEUR 7B", "FLEUR 7B"),
    ],
)
def test_the_metric_is_named_by_the_caller_or_by_the_file(name, asked, metric, write, read) -> None:
    score = read("fleur-results", write(name, FLAT), metric=asked)[0].scores[0]
    assert score.metric == metric
    assert score.signature.startswith(f"{metric}|")


def test_a_block_without_numbers_is_an_absent_score_and_shifts_nothing(write, read) -> None:
    text = "image file : 0.jpg\ncaption : A fish .\n" + FLAT
    records = read("fleur-results", write("a.txt", text))
    (absent,) = records[0].scores
    assert isinstance(absent, EvaluationError)
    assert (absent.metric, absent.kind) == ("FLEUR", "no_score")
    assert [record.scores[0].value for record in records[1:]] == [0.7841796875, 0.0074]


GOOD = "image file : 1.jpg\ncaption : A cat .\nmodel score : 0.5\nour score : 0.4\n\n"
BAD_BLOCKS = {
    "score out of range": ("model score : 0.5\nour score : 1.4", "our score"),
    "score negative": ("model score : -0.5\nour score : 0.4", "model score"),
    "score no number": ("model score : 0.5\nour score : high", "our score"),
    "score nan": ("model score : 0.5\nour score : nan", "our score"),
    "score with underscore": ("model score : 0.5\nour score : 0_1", "our score"),
    "score of two numbers": ("model score : 0.5 0.6\nour score : 0.4", "model score"),
    "score empty": ("model score : 0.5\nour score : ", "our score"),
    "no smoothed score": ("model score : 0.5", "our score"),
    "no raw score": ("our score : 0.5", "model score"),
    "explanation without scores": ("explanation : Why.", "our score"),
    "score twice": ("model score : 0.5\nour score : 0.4\nour score : 0.4", "our score"),
    "stray line": ("stray\nmodel score : 0.5\nour score : 0.4", "text"),
    "explanation blank": ("model score : 0.5\nour score : 0.4\nexplanation : ", "explanation"),
    "text after the end": ("model score : 0.5\nour score : 0.4\nexplanation : a</s>\nmore", "explanation"),
    "two captions": ("model score : 0.5\nour score : 0.4\ncaption : b", "caption"),
    "a label and one caption": ("model score : 0.5\nour score : 0.4\nlabel : 1", "label"),
}


@pytest.mark.parametrize("kind", BAD_BLOCKS)
def test_a_bad_block_is_named_and_the_others_are_kept(kind: str, write, skim) -> None:
    rest, field = BAD_BLOCKS[kind]
    text = GOOD + f"image file : 2.jpg\ncaption : A dog .\n{rest}\n\n" + GOOD
    records, problems = skim("fleur-results", write("a.txt", text))
    assert [record.row for record in records] == [1, 3]
    (problem,) = problems
    assert problem.row == 2
    assert problem.field.startswith("line ")
    assert problem.field.endswith(f", {field}")


@pytest.mark.parametrize(
    "head",
    ["image file : 1.jpg\ncaption :  ", "image file : \ncaption : a", "image file : 1.jpg", "image : a\nlabel : 2"],
)
def test_a_block_needs_an_image_and_captions(head: str, write, read) -> None:
    with pytest.raises(BadRow, match="row 1, field line "):
        read("fleur-results", write("a.txt", f"{head}\nmodel score : 0.5\nour score : 0.4\n"))


@pytest.mark.parametrize("label", ["2", "-1", "", "one"])
def test_a_label_is_0_or_1(label: str, write, read) -> None:
    with pytest.raises(BadRow, match="label: expected 0 or 1"):
        read("fleur-results", write("a.txt", PASCAL.replace("label : 1", f"label : {label}")))


def test_a_bad_pascal_block_leaves_both_of_its_captions_out(write, skim) -> None:
    records, problems = skim("fleur-results", write("a_HC.txt", PASCAL.replace("label : 1", "label : 3")))
    assert [record.pair.key for record in records] == ["HC#2", "HC#2"]
    assert len(problems) == 1


def test_a_text_file_of_another_kind_is_a_bad_file(write, read) -> None:
    with pytest.raises(BadFile, match="choose another format"):
        read("fleur-results", write("a.txt", "Dear all,\nhere are the scores.\n"))


one_line = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), min_size=1).filter(str.strip)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.tuples(one_line, st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=4))
def test_any_caption_of_one_line_survives(rows, tmp_path: Path) -> None:
    path = tmp_path / "h.txt"
    blocks = [
        f"image file : {i}.jpg\ncaption : {c}\nmodel score : {r}\nour score : {s}\n" for i, (c, r, s) in enumerate(rows)
    ]
    path.write_bytes("\n".join(blocks).encode())
    records = list(format_named("fleur-results").read(path, raise_bad))
    read_back = [(record.candidate, record.scores[0].components["raw"], record.scores[0].value) for record in records]
    assert read_back == rows


def test_the_published_scores_stand_in_the_order_of_the_annotations(shared_data: Path, read) -> None:
    scored = read("fleur-results", shared_data / "flickr8k" / "fleur_flickr8k_expert.txt")
    judged = read("flickr8k-expert", shared_data / "flickr8k" / "flickr8k.json")
    assert len(scored) == 5664
    assert [(r.image, r.candidate) for r in scored] == [(r.image, " ".join(r.candidate.split())) for r in judged]
    assert len({record.scores[0].value for record in scored}) == 3806
    raw = [record.scores[0].components["raw"] for record in scored]
    assert [raw.count(value) for value in (0.0, 0.85, 0.75, 0.5, 0.65, 0.9)] == [4403, 436, 423, 230, 107, 38]
