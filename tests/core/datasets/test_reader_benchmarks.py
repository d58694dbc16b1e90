"""polaris, nebula, composite, pascal50s and foil."""

import copy
from pathlib import Path

import pytest

from core.errors import BadFile, BadRow


def polaris(*cells: str) -> str:
    quoted = ",".join('"' + cell.replace('"', '""') + '"' for cell in cells)
    return f",mt,refs,score,imgid\n0,{quoted}\n"


def test_polaris_references_are_read_as_a_literal(write, read) -> None:
    path = write("polaris_val.csv", polaris("a man, riding", """['A "man".', "He's, riding"]""", "0.75", "x.jpg"))
    (record,) = read("polaris", path)
    assert (record.candidate, record.image, record.human) == ("a man, riding", "x.jpg", 0.75)
    assert record.references == ('A "man".', "He's, riding")
    assert (record.row, record.key) == (2, "polaris_val#2")


@pytest.mark.parametrize(
    ("cells", "field"),
    [
        (("", "['a']", "0.5", "x.jpg"), "mt"),
        (("a", "[__import__('os').getcwd()]", "0.5", "x.jpg"), "refs"),
        (("a", "['a' * 3]", "0.5", "x.jpg"), "refs"),
        (("a", "{'a': 1}", "0.5", "x.jpg"), "refs"),
        (("a", "[1]", "0.5", "x.jpg"), "refs[0]"),
        (("a", "['a", "0.5", "x.jpg"), "refs"),
        (("a", "[" * 5000, "0.5", "x.jpg"), "refs"),
        (("a", "['a']", "1.5", "x.jpg"), "score"),
        (("a", "['a']", "True", "x.jpg"), "score"),
        (("a", "['a']", "nan", "x.jpg"), "score"),
        (("a", "['a']", "0.5", ""), "imgid"),
        (("a", "['a']", "0.5"), "imgid"),
    ],
)
def test_a_bad_polaris_row_is_named(cells, field, write, skim) -> None:
    good = polaris("b", "['a']", "0.5", "x.jpg")
    records, problems = skim("polaris", write("p.csv", polaris(*cells) + good.partition("\n")[2]))
    assert [record.candidate for record in records] == ["b"]
    assert [(problem.row, problem.field) for problem in problems] == [(2, field)]


@pytest.mark.parametrize("text", ["mt,refs,score\na,[],0.5\n", "a,b\n1,2\n", 'mt,refs,score,imgid\n"a,b,c,d\n'])
def test_a_csv_without_polaris_columns_is_a_bad_file(text: str, write, read) -> None:
    with pytest.raises(BadFile):
        read("polaris", write("p.csv", text))


def test_nebula_rows_hold_references_and_a_human_score(shared_data: Path, read) -> None:
    records = read("nebula", shared_data / "expert" / "nebula_test.json")
    assert len(records) == 3298
    assert records[1].key == "nebula_test#2"
    counts = [len(record.references) for record in records]
    assert [counts.count(number) for number in (5, 6, 10)] == [2935, 7, 356]
    assert sum(record.human for record in records) / 3298 == pytest.approx(0.520, abs=5e-4)


@pytest.mark.parametrize(
    ("field", "value"), [("imgid", 3), ("mt", ""), ("refs", "text"), ("refs", [""]), ("score", "0.5"), ("score", 2)]
)
def test_a_bad_nebula_row_is_named(field, value, write, skim) -> None:
    good = {"imgid": "a", "mt": "b", "refs": ["c"], "score": 0.5}
    records, problems = skim("nebula", write("n.json", [good, {**good, field: value}, good]))
    assert len(records) == 2
    assert problems[0].row == 2
    assert problems[0].field.startswith(field)


def test_composite_judgements_are_moved_from_1_5_to_0_1(write, read) -> None:
    entry = {"image": "Flickr8k_Dataset/a.jpg", "caption": "A dog.", "human": 4}
    content = {"flickr8k": [entry, {**entry, "human": 1.0}], "coco": [{**entry, "references": ["Dogs."]}]}
    records = read("composite", write("composite.json", content))
    assert [(record.key, record.human) for record in records] == [
        ("flickr8k#1", 0.75),
        ("flickr8k#2", 0.0),
        ("coco#1", 0.75),
    ]
    assert (records[0].judgements, records[0].image, records[2].references) == ((4.0,), "a.jpg", ("Dogs.",))


@pytest.mark.parametrize(("field", "value"), [("image", None), ("caption", " "), ("human", 0), ("human", "3")])
def test_a_bad_composite_entry_is_named_with_its_part(field, value, write, skim) -> None:
    entry = {"image": "a.jpg", "caption": "A dog.", "human": 4}
    records, problems = skim("composite", write("c.json", {"coco": [entry, {**entry, field: value}, "text", entry]}))
    assert [record.key for record in records] == ["coco#1", "coco#4"]
    assert [(problem.row, problem.field) for problem in problems] == [(2, f"coco.{field}"), (3, "row")]


ITEM = {"image": "VOC2012/JPEGImages/x.jpg", "captions": ["A cat.", "A dog."], "label": 1, "references": ["Pets."]}


def test_a_pascal_item_is_two_samples_of_a_pair(write, read) -> None:
    records = read("pascal50s", write("pascal_50s.json", {"HI": [ITEM], "HC": [ITEM, {**ITEM, "label": 0}]}))
    assert [record.key for record in records] == ["HI#1/0", "HI#1/1", "HC#1/0", "HC#1/1", "HC#2/0", "HC#2/1"]
    assert [record.pair.preferred for record in records] == [1, 1, 1, 1, 0, 0]
    assert (records[1].candidate, records[1].image, records[1].references) == ("A dog.", "x.jpg", ("Pets.",))


def test_pairs_of_annotations_and_of_result_files_have_the_same_keys(write, read) -> None:
    block = "caption : {}\nmodel score : 0.9\nour score : 0.8\n\n"
    text = "image : x.jpg\nlabel : 1\n\n" + block.format("A cat.") + block.format("A dog.")
    judged = read("pascal50s", write("pascal_50s.json", {"HC": [ITEM]}))
    scored = read("fleur-results", write("fleur_pascal_HC.txt", text))
    assert [record.pair for record in scored] == [record.pair for record in judged]
    assert [record.key for record in scored] == [record.key for record in judged] == ["HC#1/0", "HC#1/1"]


@pytest.mark.parametrize(
    ("field", "value"),
    [("captions", ["A cat."]), ("captions", "A cat."), ("label", 2), ("label", True), ("label", None)],
)
def test_a_bad_pascal_item_is_left_out_whole(field, value, write, skim) -> None:
    records, problems = skim("pascal50s", write("p.json", {"HC": [{**ITEM, field: value}, ITEM]}))
    assert [record.pair.key for record in records] == ["HC#2", "HC#2"]
    assert [(problem.row, problem.field) for problem in problems] == [(1, f"HC.{field}")]


@pytest.mark.parametrize("name", ["composite", "pascal50s"])
def test_parts_that_are_no_lists_make_a_bad_file(name: str, write, read) -> None:
    with pytest.raises(BadFile, match="'HC' is missing"):
        read(name, write("p.json", {"HC": {}}))


FOIL = {
    "info": {},
    "images": [{"id": 7, "file_name": "COCO_val2014_000000000007.jpg"}],
    "annotations": [
        {"id": 1, "image_id": 7, "caption": "A cat sits.", "foil": False, "foil_word": "ORIG"},
        {"id": 1, "image_id": 7, "caption": "A dog sits.", "foil": True, "foil_word": "dog"},
        {"id": 2, "image_id": 7, "caption": "A bus sits.", "foil": True, "foil_word": "bus"},
        {"id": 2, "image_id": 7, "caption": "A cat sits here.", "foil": False, "foil_word": "ORIG"},
        {"id": 2, "image_id": 7, "caption": "A car sits here.", "foil": True, "foil_word": "car"},
    ],
}


def test_foil_puts_the_original_beside_each_of_its_foils(write, read) -> None:
    records = read("foil", write("foil.json", FOIL))
    assert [record.key for record in records] == ["1#1/0", "1#1/1", "2#1/0", "2#1/1", "2#2/0", "2#2/1"]
    assert [record.candidate for record in records[::2]] == ["A cat sits.", "A cat sits here.", "A cat sits here."]
    assert [record.candidate for record in records[1::2]] == ["A dog sits.", "A bus sits.", "A car sits here."]
    assert {record.pair.preferred for record in records} == {0}
    assert {record.image for record in records} == {"COCO_val2014_000000000007.jpg"}


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [("caption", "", "caption"), ("foil", "True", "foil"), ("foil", None, "foil"), ("image_id", [7], "image_id")],
)
def test_a_bad_foil_annotation_is_named_and_its_pair_left_out(field, value, named, write, skim) -> None:
    content = copy.deepcopy(FOIL)
    content["annotations"][1][field] = value
    records, problems = skim("foil", write("foil.json", content))
    assert {record.pair.key for record in records} == {"2#1", "2#2"}
    assert (problems[0].row, problems[0].field) == (2, named)
    assert (problems[1].field, problems[1].found) == ("id", "1 originals and 0 foils")


def test_a_foil_without_its_image_is_bad_and_broken_images_are_a_bad_file(write, read) -> None:
    with pytest.raises(BadRow, match="image_id: expected the id of one of the file's images, found 7"):
        read("foil", write("foil.json", {**FOIL, "images": []}))
    with pytest.raises(BadFile, match="images, entry 1"):
        read("foil", write("foil.json", {**FOIL, "images": [{"id": "7"}]}))
    with pytest.raises(BadFile, match="'annotations' is missing"):
        read("foil", write("foil.json", {"images": []}))
