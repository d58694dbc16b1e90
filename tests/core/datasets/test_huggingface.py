"""Data sets of the Hugging Face hub: metadata.jsonl, Parquet, Arrow, and folders that `datasets` writes."""

import json
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from core.datasets import format_named
from core.datasets.base import Record, Source
from core.datasets.huggingface import files_of
from core.errors import BadFile, BadRow
from core.types import EvaluationError, Score
from storage.types import Search
from tests.making import picture
from ui.services.importing.importing import import_files
from ui.services.workplace import Workplace

PICTURE = b"\xff\xd8\xff bytes of a picture"


def parquet(path: Path, rows: list[dict[str, Any]]) -> Path:
    from pyarrow import parquet as files

    path.parent.mkdir(parents=True, exist_ok=True)
    files.write_table(pyarrow.Table.from_pylist(rows), path)
    return path


def held(name: str, path: Path) -> tuple[list[Record], dict[str, bytes]]:
    """Read a file and the pictures that it holds, by what records call them."""
    kept: dict[str, bytes] = {}

    def keep(name: str, content: bytes) -> str:
        kept[name] = content
        return name

    return list(format_named(name).read(Source(path, keep=keep))), kept


def image(content: bytes | None = PICTURE, path: str | None = None) -> dict[str, Any]:
    return {"bytes": content, "path": path}


def test_a_folders_metadata_names_pictures_beside_it(write, read) -> None:
    lines = [
        {"file_name": "images/1.jpg", "caption": "A dog.", "references": ["Dogs."], "human": 0.5, "split": "test"},
        {"file_name": "2.jpg", "cand": "A cat.", "refs": "['Cats.']", "human_score": 1},
    ]
    first, second = read("huggingface", write("metadata.jsonl", "\n".join(map(json.dumps, lines))))
    assert (first.image, first.image_is_relative, first.human) == ("images/1.jpg", True, 0.5)
    assert (second.candidate, second.references, second.human) == ("A cat.", ("Cats.",), 1.0)


def test_parquet_brings_its_pictures_under_what_names_there_are(tmp_path: Path) -> None:
    rows = [
        {
            "img": image(path="some/where/a.png"),
            "cand": "A dog.",
            "refs": ["Dogs."],
            "human_score": 0.25,
            "scores": None,
        },
        {"img": image(PICTURE + b"2"), "cand": "A cat.", "refs": [], "human_score": None, "scores": None},
    ]
    scores = [{"metric": "M", "value": 0.5}, {"metric": "N", "error": {"kind": "no_score", "message": "None."}}]
    rows[0]["scores"] = json.dumps(scores)
    (first, second), kept = held("huggingface", parquet(tmp_path / "train.parquet", rows))
    assert (first.image, second.image) == ("some/where/a.png", "train-2")
    assert kept == {"some/where/a.png": PICTURE, "train-2": PICTURE + b"2"}
    assert (first.human, second.human) == (0.25, None)
    assert [type(outcome) for outcome in first.scores] == [Score, EvaluationError]
    rows = [{"image": image(path="x.jpg"), "file_name": "../../y.jpg", "caption": "A dog."}]
    (named,), kept = held("huggingface", parquet(tmp_path / "named.parquet", rows))
    assert named.image == "y.jpg" and set(kept) == {"y.jpg"}


def test_a_second_caption_is_named_as_not_read(write) -> None:
    lines = [{"file_name": "1.jpg", "caption": "A dog.", "text": "A web page."}, {"img": "2.jpg", "cand": "A cat."}]
    notes: list[str] = []
    path = write("metadata.jsonl", "\n".join(map(json.dumps, lines)))
    records = format_named("huggingface").read(Source(path, on_note=notes.append))
    assert [one.candidate for one in records] == ["A dog.", "A cat."]
    assert len(notes) == 1 and "columns that were not read: text." in notes[0]


def test_no_caption_and_no_picture_are_told(write, skim) -> None:
    lines = [
        {"file_name": "1.jpg", "captions": []},
        {"file_name": "1.jpg", "title": "A dog."},
        {"caption": "A dog."},
        {"file_name": "1.jpg", "caption": "A dog.", "human": 3},
    ]
    records, problems = skim("huggingface", write("metadata.jsonl", "\n".join(map(json.dumps, lines))))
    assert not records
    assert [(bad.row, bad.field) for bad in problems] == [(1, "caption"), (2, "caption"), (3, "image"), (4, "human")]


@pytest.mark.parametrize("kind", ["new_stream", "new_file"])
def test_arrow_files_as_save_to_disk_writes_them_are_read(tmp_path: Path, read, kind: str) -> None:
    from pyarrow import ipc

    path = tmp_path / "data-00000-of-00001.arrow"
    rows = [{"jpg": "a.jpg", "text": "A dog."}, {"jpg": "b.jpg", "text": "A cat."}]
    table = pyarrow.Table.from_pylist(rows)
    with path.open("wb") as file, getattr(ipc, kind)(file, table.schema) as writer:
        writer.write_table(table)
    assert [(one.image, one.candidate) for one in read("huggingface", path)] == [
        ("a.jpg", "A dog."),
        ("b.jpg", "A cat."),
    ]
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(BadFile, match="is not an Arrow file"):
        read("huggingface", path)
    for content in b"PAR1", b"PAR1 and no more", b'{"file_name": "a"}':
        (tmp_path / "test.desc.parquet").write_bytes(content)
        with pytest.raises(BadFile, match="is not Parquet"):
            read("longcap-arena", tmp_path / "test.desc.parquet")


@pytest.mark.parametrize("field", ["captions", "caption"])
def test_each_of_a_list_of_captions_is_a_sample(write, read, field: str) -> None:
    path = write("metadata.jsonl", json.dumps({"id": "7", "image": "a.jpg", field: ["A dog.", "A hound."]}) + "\n")
    records = read("huggingface", path)
    assert [(one.key, one.candidate, one.image) for one in records] == [
        ("7#1", "A dog.", "a.jpg"),
        ("7#2", "A hound.", "a.jpg"),
    ]


@pytest.mark.parametrize("missing", ["image", "caption"])
def test_a_row_without_a_known_field_names_its_fields_and_the_option(write, missing: str) -> None:
    rows = [{"image": "a.png", "caption": "A dog.", "speaker": "K7"}]
    rows[0]["foo"] = rows[0].pop(missing)
    for name in ("jsonl", "huggingface"):
        path = write("mine.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
        with pytest.raises(BadRow, match=rf"--column {missing}=FIELD.*speaker.*foo"):
            list(format_named(name).read(Source(path)))


def test_a_column_of_plain_bytes_holds_pictures(tmp_path: Path) -> None:
    path = parquet(
        tmp_path / "plain.parquet", [{"image": PICTURE, "caption": "A dog."}, {"image": None, "caption": "x"}]
    )
    with pytest.raises(BadRow, match="row 2.*image"):
        held("huggingface", path)
    rows = [
        {"image": PICTURE, "caption": "A dog.", "file_name": None},
        {"image": PICTURE + b"2", "caption": "A cat.", "file_name": "c.jpg"},
    ]
    records, kept = held("huggingface", parquet(tmp_path / "plain.parquet", rows))
    assert [(one.image, one.candidate) for one in records] == [("plain-1", "A dog."), ("c.jpg", "A cat.")]
    assert kept == {"plain-1": PICTURE, "c.jpg": PICTURE + b"2"}


# -- folders of save_to_disk


def shard(path: Path, captions: list[str], content: bytes) -> Path:
    """Write an Arrow stream as save_to_disk does, each row with a picture."""
    path.parent.mkdir(parents=True, exist_ok=True)
    images = [{"bytes": content, "path": None} for _ in captions]
    table = pyarrow.table({"image": images, "caption": captions})
    with pyarrow.OSFile(str(path), "wb") as file, pyarrow.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table)
    return path


def split(folder: Path, content: bytes, *captions: list[str]) -> None:
    names = [f"data-{n:05}-of-{len(captions):05}.arrow" for n in range(len(captions))]
    for name, said in zip(names, captions, strict=True):
        shard(folder / name, said, content)
    state(folder, {"_data_files": [{"filename": name} for name in names]})


def state(folder: Path, content: Any, name: str = "state.json") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(content))


def test_a_dataset_dict_is_imported_with_all_splits_and_shards(workplace: Workplace, tmp_path: Path) -> None:
    content = picture(tmp_path / "a.png").read_bytes()
    split(tmp_path / "dogs" / "train", content, ["a dog", "a cat"], ["a bird"])
    split(tmp_path / "dogs" / "test", content, ["a fish"])
    state(tmp_path / "dogs", {"splits": ["train", "test"]}, "dataset_dict.json")
    report = import_files(workplace, "huggingface", [tmp_path / "dogs"])
    assert (report.dataset, report.counts.samples_added, report.counts.images_missing) == ("dogs", 4, 0)
    found = workplace.repository.samples.search(Search("dogs", ""), 0, 10).samples
    assert {one.sample.candidate for one in found} == {"a dog", "a cat", "a bird", "a fish"}


def test_one_split_and_a_folder_of_pictures_are_imported_too(workplace: Workplace, tmp_path: Path) -> None:
    split(tmp_path / "one", picture(tmp_path / "a.png").read_bytes(), ["a dog"])
    picture(tmp_path / "two" / "b.png")
    (tmp_path / "two" / "metadata.jsonl").write_text(json.dumps({"file_name": "b.png", "caption": "a cat"}) + "\n")
    report = import_files(workplace, "huggingface", [tmp_path / "one", tmp_path / "two"], "both")
    assert (report.counts.samples_added, report.counts.images_found) == (2, 2)


@pytest.mark.parametrize(
    "listed", [{}, [], {"_data_files": 3}, {"_data_files": [3]}, {"_data_files": [{"filename": "../a.arrow"}]},
               {"_data_files": [{"filename": ".."}]}, {"_data_files": [{"filename": "/etc/passwd"}]}]
)  # fmt: skip
def test_a_list_of_files_that_is_none_or_leads_elsewhere_is_refused(tmp_path: Path, listed: Any) -> None:
    state(tmp_path, listed)
    with pytest.raises(BadFile, match="_data_files"):
        files_of(tmp_path)


def test_another_folder_is_refused_with_what_is_missing(workplace: Workplace, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with pytest.raises(BadFile, match=r"metadata\.jsonl, dataset_dict\.json or state\.json"):
        import_files(workplace, "huggingface", [tmp_path / "other"])
    state(tmp_path / "half", {"splits": ["train"]}, "dataset_dict.json")
    with pytest.raises(BadFile, match=r"state\.json"):
        import_files(workplace, "huggingface", [tmp_path / "half"])
    with pytest.raises(BadFile, match="it is a folder"):
        import_files(workplace, "csv", [tmp_path / "other"])
