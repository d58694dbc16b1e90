"""Folders that `datasets` writes are imported whole, by their name."""

import json
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from core.datasets.huggingface import files_of
from core.errors import BadFile
from storage.types import Search
from tests.making import picture
from ui.services.importing.importing import import_files
from ui.services.workplace import Workplace


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
