"""Finding pictures by name, by stem and beside the file."""

from pathlib import Path

import pytest

from core.datasets import Record, find_images
from core.errors import BadSetting


def touch(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")


def record(file: Path, image: str, relative: bool = False) -> Record:
    return Record(file=file, row=1, image=image, candidate="A dog.", image_is_relative=relative)


def test_the_first_folder_given_wins_and_inner_folders_are_searched(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    touch(one / "deep" / "a.jpg", two / "a.jpg", two / "b.jpg", two / "z" / "b.jpg")
    index = find_images([one, two])
    assert index.files.find("a.jpg") == one / "deep" / "a.jpg"
    assert index.files.find("b.jpg") == two / "b.jpg"
    assert find_images([two, one]).files.find("a.jpg") == two / "a.jpg"


def test_an_id_finds_the_picture_with_that_stem(tmp_path: Path) -> None:
    touch(tmp_path / "e00d.jpg", tmp_path / "v1.5.png", tmp_path / "notes.txt")
    index = find_images([tmp_path])
    assert index.files.find("e00d") == tmp_path / "e00d.jpg"
    assert index.files.find("e00d.png") == tmp_path / "e00d.jpg"
    assert index.files.find("v1.5") == tmp_path / "v1.5.png"
    assert index.files.find("notes") is None
    assert index.files.find("notes.txt") == tmp_path / "notes.txt"
    assert index.files.find("absent.jpg") is None


def test_a_coco_picture_is_found_under_its_other_name(tmp_path: Path) -> None:
    touch(tmp_path / "COCO_val2014_000000391895.jpg", tmp_path / "000000000974.jpg", tmp_path / "42.jpg")
    index = find_images([tmp_path])
    for name in ("000000391895.jpg", "000000391895", "COCO_train2014_000000391895.jpg"):
        assert index.files.find(name) == tmp_path / "COCO_val2014_000000391895.jpg"
    for name in ("COCO_val2014_000000000974.jpg", "COCO_train2014_000000000974"):
        assert index.files.find(name) == tmp_path / "000000000974.jpg"
    for name in ("391895.jpg", "COCO_val2014_000000000042.jpg", "000000000042.jpg", "my_000000391895.jpg"):
        assert index.files.find(name) is None


def test_a_coco_picture_with_the_exact_name_goes_before_its_other_name(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    touch(one / "COCO_val2014_000000391895.jpg", two / "000000391895.jpg")
    index = find_images([one, two])
    assert index.files.find("000000391895.jpg") == index.files.find("000000391895") == two / "000000391895.jpg"
    assert index.files.find("COCO_val2014_000000391895.jpg") == one / "COCO_val2014_000000391895.jpg"
    assert index.files.find("COCO_train2014_000000391895.jpg") == one / "COCO_val2014_000000391895.jpg"


def test_a_relative_path_is_tried_beside_the_file_first_then_by_name(tmp_path: Path) -> None:
    touch(
        tmp_path / "data" / "a.jpg",
        tmp_path / "pictures" / "b.jpg",
        tmp_path / "more" / "a.jpg",
        tmp_path / "more" / "c.jpg",
    )
    index, file = find_images([tmp_path / "more"]), tmp_path / "data" / "f.jsonl"
    assert index.find(record(file, "a.jpg", relative=True)) == tmp_path / "data" / "a.jpg"
    found = index.find(record(file, "../pictures/b.jpg", relative=True))
    assert found is not None and found.resolve() == tmp_path / "pictures" / "b.jpg"
    assert index.find(record(file, "gone/c.jpg", relative=True)) == tmp_path / "more" / "c.jpg"
    assert index.find(record(file, "a.jpg")) == tmp_path / "more" / "a.jpg"


def test_names_from_published_files_do_not_leave_the_folders(tmp_path: Path) -> None:
    touch(tmp_path / "secret.jpg", tmp_path / "images" / "a.jpg")
    index = find_images([tmp_path / "images"])
    file = tmp_path / "images" / "f.json"
    assert index.find(record(file, "../secret.jpg")) is None
    assert index.find(record(file, str(tmp_path / "secret.jpg"))) is None


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="absent does not exist"):
        find_images([tmp_path / "absent"])


def test_without_folders_nothing_is_found_by_name(tmp_path: Path) -> None:
    assert find_images([]).find(record(tmp_path / "f.json", "a.jpg")) is None


def test_every_picture_of_the_real_data_is_found(shared_data: Path, read) -> None:
    index = find_images([shared_data / "flickr8k" / "images", shared_data / "flickr8k" / "images_224"])
    pairs = read("flickr8k-expert", shared_data / "flickr8k" / "flickr8k.json")
    found = [index.find(pair) for pair in pairs]
    assert all(found)
    assert sum(path.parent.name == "images" for path in found if path) == 747  # pairs on the 125 full-size images
    published = read("jsonl", shared_data / "published" / "explanations.jsonl")
    assert all(find_images([]).find(one) for one in published)
