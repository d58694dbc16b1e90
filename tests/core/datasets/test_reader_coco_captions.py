"""coco-captions."""

from pathlib import Path
from typing import Any

import pytest

from core.errors import BadFile


def document(*captions: dict[str, Any], **changes: Any) -> dict[str, Any]:
    rows = captions or ({"id": 7, "image_id": 1, "caption": "A dog."}, {"id": 8, "image_id": 1, "caption": "A hound."})
    return {"images": [{"id": 1, "file_name": "val2017/dog.jpg"}], "annotations": list(rows)} | changes


def test_every_caption_is_a_sample_with_the_pictures_others_as_references(write, read) -> None:
    first, second = read("coco-captions", write("captions.json", document()))
    assert (first.key, first.image, first.candidate, first.row) == ("7", "val2017/dog.jpg", "A dog.", 1)
    assert (first.references, second.references) == (("A hound.",), ("A dog.",))
    assert (first.human, first.judgements, first.scores) == (None, (), ())


def test_a_caption_stays_as_it_stands_and_is_no_reference_of_itself_but_its_twin_is(write, read) -> None:
    twins = [{"id": number, "image_id": 1, "caption": " A dog \n"} for number in (1, 2)]
    records = read("coco-captions", write("captions.json", document(*twins)))
    assert [record.candidate for record in records] == [" A dog \n"] * 2
    assert [record.references for record in records] == [(" A dog \n",)] * 2


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"id": None}, "id"),
        ({"id": [7]}, "id"),
        ({"id": True}, "id"),
        ({"id": -1}, "id"),
        ({"image_id": 2}, "image_id"),
        ({"image_id": 1.5}, "image_id"),
        ({"caption": " \n"}, "caption"),
        ({"caption": ["A dog."]}, "caption"),
        ({"caption": "\ud800"}, "caption"),
        ({"id": 8}, "id"),
    ],
)
def test_a_bad_caption_is_named_and_is_nobodys_reference(changes, field, write, skim) -> None:
    import json

    good = {"id": 8, "image_id": 1, "caption": "A hound."}
    bad = {"id": 7, "image_id": 1, "caption": "A dog."} | changes
    records, problems = skim("coco-captions", write("c.json", json.dumps(document(good, bad))))
    assert [(record.key, record.candidate) for record in records] == [("8", "A hound.")]
    assert [(problem.row, problem.field) for problem in problems] == [(2, field)]
    assert records[0].references == (("A dog.",) if changes == {"id": 8} else ())


@pytest.mark.parametrize("entry", [None, 1, "text", [], [1]])
def test_a_caption_that_is_no_object_is_a_bad_row(entry, write, skim) -> None:
    _, problems = skim("coco-captions", write("c.json", document(entry)))
    assert [problem.row for problem in problems] == [1]


@pytest.mark.parametrize(
    "changes",
    [
        {"images": None},
        {"annotations": {}},
        {"images": [1]},
        {"images": [{"id": [1], "file_name": "dog.jpg"}]},
        {"images": [{"id": 1, "file_name": ""}]},
        {"images": [{"id": 1}]},
    ],
)
def test_a_file_without_usable_lists_is_a_bad_file(changes, write, read) -> None:
    with pytest.raises(BadFile):
        read("coco-captions", write("c.json", document(**changes)))


def test_the_real_captions_are_five_a_picture(shared_data: Path, read) -> None:
    records = read("coco-captions", shared_data / "coco" / "captions_subset.json")
    assert len(records) == 230
    assert len({record.image for record in records}) == 46
    assert {len(record.references) for record in records} == {4}
