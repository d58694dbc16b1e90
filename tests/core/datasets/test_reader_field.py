"""coco-results, thumb, caparena: small files in each one's own schema."""

import json

import pytest

from core.types import Pair

BATTLE = {
    "img": "test_00123",
    "source1": "model-a",
    "source2": "human",
    "caption1": "A dog runs.",
    "caption2": "Two dogs run over a lawn.",
    "winner": "human",
    "ref": "Dogs on a lawn.",
}
JUDGED = {
    **{"SYS": "vinvl", "hyp": "a dog on grass", "image": "val2014/COCO_val2014_000000391895.jpg"},
    **{"P": 5, "R": 3.5, "Fl": -0.0, "Con": -0.1, "Inc": 0, "human_score": 4.15},
}


def test_a_models_captions_name_their_pictures_by_number(write, read) -> None:
    rows = [{"image_id": 391895, "caption": "A man. "}, {"image_id": 1, "caption": "A dog."}]
    first, second = read("coco-results", write("captions_val2017_toy_results.json", rows))
    assert (first.key, first.image) == ("captions_val2017_toy_results#391895", "000000391895.jpg")
    assert (first.candidate, second.image) == ("A man. ", "000000000001.jpg")


def test_a_picture_with_two_captions_of_one_model_is_told(write, skim) -> None:
    rows = [
        {"image_id": 1, "caption": "A"},
        {"image_id": 1, "caption": "B"},
        {"image_id": "1", "caption": "C"},
        {"image_id": [1], "caption": "D"},
    ]
    records, problems = skim("coco-results", write("r.json", rows))
    assert [record.candidate for record in records] == ["A"]
    assert [(problem.row, problem.field) for problem in problems] == [(2, "id"), (3, "id"), (4, "image_id")]


def test_peoples_precision_recall_and_deductions_are_scores_on_their_own_scales(write, read) -> None:
    (record,) = read("thumb", write("thumb.jsonl", json.dumps(JUDGED)))
    assert (record.key, record.image) == ("thumb#1", "COCO_val2014_000000391895.jpg")
    assert record.candidate == "a dog on grass" and record.human == pytest.approx(0.83)
    assert [(score.metric, score.value, score.scale) for score in record.scores] == [
        ("THumB precision", 5.0, (1.0, 5.0)),
        ("THumB recall", 3.5, (1.0, 5.0)),
        ("THumB fluency", 0.0, (-5.0, 0.0)),
        ("THumB conciseness", -0.1, (-5.0, 0.0)),
        ("THumB inclusive language", 0.0, (-5.0, 0.0)),
    ]
    assert len({score.signature for score in record.scores}) == 5
    assert not any(str(score.value) == "-0.0" for score in record.scores)
    without = {field: value for field, value in JUDGED.items() if field not in ("Fl", "Con", "Inc")}
    (short,) = read("thumb", write("short.jsonl", json.dumps(without)))
    assert [score.metric for score in short.scores] == ["THumB precision", "THumB recall"]


def test_references_of_thumb_come_from_the_file_beside_it_by_seg_id(write, read, skim) -> None:
    file = write("thumb.jsonl", "\n".join(json.dumps(JUDGED | {"seg_id": seg}) for seg in ("974", "12")))
    assert [record.references for record in read("thumb", file)] == [(), ()]
    lines = [{"seg_id": "974", "refs": ["A dog.", "Two dogs."]}, {"seg_id": " ", "refs": ["A cat."]}]
    write("mscoco_references.json", "\n".join(map(json.dumps, lines)))
    records, problems = skim("thumb", file)
    assert [record.references for record in records] == [("A dog.", "Two dogs."), ()]
    assert [(problem.file.name, problem.row, problem.field) for problem in problems] == [
        ("mscoco_references.json", 2, "seg_id")
    ]


def test_every_caption_of_thumb_has_the_published_references(read, shared_data) -> None:
    records = read("thumb", shared_data / "ratings" / "thumb" / "mscoco_THumB-1.0.jsonl.gz")
    assert len(records) == 2_500 and all(record.references for record in records)


@pytest.mark.parametrize(
    "changes", [{"P": 6}, {"R": "3"}, {"Con": 0.1}, {"human_score": -1}, {"hyp": " "}, {"image": None}]
)
def test_a_judgement_off_its_scale_is_a_bad_row(changes, write, skim) -> None:
    lines = [json.dumps(JUDGED | changes), json.dumps(JUDGED)]
    records, problems = skim("thumb", write("thumb.jsonl", "\n".join(lines)))
    assert [record.row for record in records] == [2]
    assert [(problem.row, problem.field) for problem in problems] == [(1, *changes)]


def test_a_battle_is_a_pair_that_prefers_the_winner(write, read) -> None:
    first, second = read("caparena", write("arena.json", [BATTLE]))
    assert (first.pair, second.pair) == (Pair("arena#1", 0, 1), Pair("arena#1", 1, 1))
    assert (first.key, second.key) == ("arena#1/0", "arena#1/1")
    assert (first.candidate, second.candidate) == (BATTLE["caption1"], BATTLE["caption2"])
    assert first.image == "test_00123" and first.references == ("Dogs on a lawn.",)


@pytest.mark.parametrize("winner", ["equal", "skip", "bad"])
def test_a_battle_that_nobody_won_prefers_none(winner, write, read) -> None:
    records = read("caparena", write("arena.json", [BATTLE | {"winner": winner, "ref": None}]))
    assert [record.pair.preferred for record in records] == [None, None]
    assert records[0].references == ()


@pytest.mark.parametrize("changes", [{"winner": "somebody"}, {"caption2": ""}, {"source1": "human"}])
def test_a_battle_without_sense_is_one_bad_row(changes, write, skim) -> None:
    records, problems = skim("caparena", write("arena.json", [BATTLE | changes, BATTLE]))
    assert [record.row for record in records] == [2, 2] and [problem.row for problem in problems] == [1]


def test_a_battle_with_a_caption_that_is_too_long_is_left_out_whole(write, skim) -> None:
    for field in ("caption1", "caption2"):
        records, problems = skim("caparena", write("arena.json", [BATTLE | {field: "word " * 4_001}, BATTLE]))
        assert [record.row for record in records] == [2, 2]
        assert [(bad.row, bad.field, bad.found) for bad in problems] == [(1, field, "20,005 characters")]
