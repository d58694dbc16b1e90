"""Who wrote a caption: every format that says so, and files of one captioner."""

import json
from collections import Counter
from pathlib import Path

import pytest

from core.datasets import FORMATS, format_named
from core.datasets.base import Exported, Layout, Record, raise_bad
from core.datasets.guessed_columns import guessed_layout
from core.errors import BadSetting
from core.types import ImageRef, Sample
from tests.core.datasets.test_reader_field import BATTLE, JUDGED

OWN = {"image": "a.jpg", "caption": "A dog.", "system": "  vinvl   large "}


def read_as(name: str, path: Path, layout: Layout) -> list[Record]:
    return list(format_named(name).read(path, raise_bad, layout=layout))


def test_our_own_forms_say_who_wrote_a_caption(write, read) -> None:
    (line,) = read("jsonl", write("own.jsonl", json.dumps(OWN)))
    table = "image,caption,system\na.jpg,A dog.,vinvl large\nb.jpg,A cat.,\n"
    first, second = read("csv", write("own.csv", table))
    assert (line.system, first.system, second.system) == ("vinvl large", "vinvl large", None)


def test_a_column_of_any_name_holds_the_captioners(write) -> None:
    path = write("own.csv", "image,caption,made by\na.jpg,A dog.,vinvl\n")
    (record,) = read_as("csv", path, Layout({"system": "made by"}))
    assert record.system == "vinvl"


@pytest.mark.parametrize("name", ["system", "captioner"])
def test_columns_of_the_hub_say_who_wrote_a_caption(name, write, read) -> None:
    row = {"file_name": "a.jpg", "caption": "A dog.", name: "vinvl"}
    assert [one.system for one in read("huggingface", write("metadata.jsonl", json.dumps(row)))] == ["vinvl"]


def test_columns_of_parquet_say_who_wrote_a_caption(tmp_path, read) -> None:
    import pyarrow
    from pyarrow import parquet

    path = tmp_path / "train.parquet"
    parquet.write_table(pyarrow.table({"image": ["a.jpg"], "caption": ["A dog."], "system": ["vinvl"]}), path)
    assert [one.system for one in read("huggingface", path)] == ["vinvl"]


def test_the_preview_offers_a_column_of_models_as_captioners(write) -> None:
    path = write("own.csv", "image,caption,Model\na.jpg,A dog.,vinvl\n")
    assert guessed_layout(format_named("csv"), path, ("image", "caption", "Model")).columns["system"] == "Model"


@pytest.mark.parametrize("name", ["x" * 201, "two\nlines\0", "‮evil", 5, ["a"]])
def test_a_name_that_no_captioner_can_have_is_a_bad_row(name, write, skim) -> None:
    rows = [OWN | {"system": name}, OWN]
    records, problems = skim("jsonl", write("own.jsonl", "\n".join(map(json.dumps, rows))))
    assert [record.row for record in records] == [2]
    assert [(bad.row, bad.field) for bad in problems] == [(1, "system")]


def test_a_name_of_two_hundred_characters_is_taken(write, read) -> None:
    (record,) = read("jsonl", write("own.jsonl", json.dumps(OWN | {"system": "x" * 200})))
    assert record.system == "x" * 200


def test_published_files_say_who_wrote_a_caption(write, read) -> None:
    (judged,) = read("thumb", write("thumb.jsonl", json.dumps(JUDGED)))
    battle = read("caparena", write("arena.json", [BATTLE]))
    entry = {"image": "a.jpg", "caption": "A dog.", "human": 3, "model": "vinvl"}
    (composite,) = read("composite", write("composite.json", {"coco": [entry]}))
    nebula = {"imgid": "1", "mt": "A dog.", "refs": ["Dogs."], "score": 0.5, "system": "vinvl"}
    (test,) = read("nebula", write("nebula_test.json", [nebula]))
    table = "mt,refs,score,imgid,model\nA dog.,\"['Dogs.']\",0.5,1,vinvl\n"
    (polaris,) = read("polaris", write("polaris_val.csv", table))
    assert judged.system == composite.system == test.system == polaris.system == "vinvl"
    assert [one.system for one in battle] == ["model-a", "human"]


def test_published_files_that_do_not_say_who_wrote_a_caption_are_read_as_before(write, read) -> None:
    (record,) = read("nebula", write("n.json", [{"imgid": "1", "mt": "A dog.", "refs": [], "score": 0.5}]))
    assert record.system is None


def test_a_long_caption_of_a_captioner_keeps_the_name(tmp_path, read) -> None:
    import pyarrow
    from pyarrow import parquet

    columns = {"file_name": ["a.jpg"], "image": ["a.jpg"], "refs": [["Dogs."]], "cand": ["A dog."], "score": [0.5]}
    path = tmp_path / "test.desc.parquet"
    parquet.write_table(pyarrow.table(columns | {"model": ["vinvl"]}), path)
    assert [one.system for one in read("longcap-arena", path)] == ["vinvl"]


def test_a_battle_has_the_level_of_its_authors(write, read) -> None:
    rows = [BATTLE | {"cluster": "level 2"}, BATTLE | {"winner": "skip", "cluster": "level 2"}]
    pairs = [record.pair for record in read("caparena", write("arena.json", rows))]
    assert [pair.category for pair in pairs] == ["level 2", "level 2", "skip", "skip"]


def test_a_result_file_named_by_cocos_rule_names_its_captioner(write, read) -> None:
    rows = [{"image_id": 1, "caption": "A dog."}]
    for name, system in (
        ("captions_val2014_up_down_results.json", "up_down"),
        ("captions_test-dev2017_vinvl_results.json", "vinvl"),
        ("results.json", None),
    ):
        assert [one.system for one in read("coco-results", write(name, rows))] == [system]


def test_the_caller_names_the_captioner_of_a_file(write) -> None:
    rows = [{"image_id": 1, "caption": "A dog."}]
    path = write("captions_val2014_updown_results.json", rows)
    assert [one.system for one in read_as("coco-results", path, Layout(system=" VinVL  base"))] == ["VinVL base"]
    own = write("own.jsonl", "\n".join(map(json.dumps, [OWN, {"image": "b.jpg", "caption": "A cat."}])))
    assert [one.system for one in read_as("jsonl", own, Layout(system="blip"))] == ["vinvl large", "blip"]


@pytest.mark.parametrize("fmt", [one for one in FORMATS if not one.takes_system], ids=lambda one: one.name)
def test_formats_that_name_captioners_or_pairs_take_no_captioner(fmt, write) -> None:
    with pytest.raises(BadSetting, match="--system"):
        fmt.read(write("file", "content"), raise_bad, layout=Layout(system="vinvl"))


def test_a_captioner_needs_a_name(write) -> None:
    with pytest.raises(BadSetting, match="1 to 200"):
        read_as("jsonl", write("own.jsonl", json.dumps(OWN)), Layout(system=" "))


@pytest.mark.parametrize("name", ["jsonl", "coco-results"])
def test_a_written_file_keeps_the_captioner(name, tmp_path, read) -> None:
    fmt = format_named(name)
    sample = Sample("1", ImageRef("000000000001.jpg"), "A dog.", system="vinvl <b>")
    assert fmt.writer is not None
    assert len(list(fmt.writer([Exported("1", sample)], tmp_path))) == 1
    (path,) = tmp_path.iterdir()
    assert [one.system for one in read(name, path)] == ["vinvl <b>"]


def test_thumb_has_five_captioners_of_five_hundred_pictures(shared_data: Path, read) -> None:
    records = read("thumb", shared_data / "ratings/thumb/mscoco_THumB-1.0.jsonl.gz")
    counted = Counter(record.system for record in records)
    assert counted == dict.fromkeys(("Human", "Up-Down", "Unified-VLP", "VinVL-base", "VinVL-large"), 500)
