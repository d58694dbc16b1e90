"""Pictures come from the folders that an import is about, and not from where a stranger's file leads."""

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.making import picture, rows, write_rows
from ui.services.importing.importing import import_files
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings


@pytest.fixture
def workplace(tmp_path: Path) -> Iterator[Workplace]:
    opened = open_workplace(Settings(data_dir=tmp_path / "data"))
    yield opened
    opened.repository.close()


@pytest.fixture
def private(tmp_path: Path) -> Path:
    """A picture that nobody means to import."""
    return picture(tmp_path / "private" / "me.png")


@pytest.fixture(params=["a link", "two dots"])
def stranger(request: pytest.FixtureRequest, tmp_path: Path, private: Path) -> Path:
    """A file from the web that leads to it."""
    name = "../private/me.png" if request.param == "two dots" else "images/me.png"
    file = write_rows(tmp_path / "web", [rows(1)[0] | {"image": name}])
    if request.param == "a link":
        (file.parent / "images").mkdir()
        (file.parent / "images" / "me.png").symlink_to(private)
    return file


def missing(workplace: Workplace) -> int:
    return sum(image.path is None for image in workplace.repository.samples.pictures("birds").values())


def test_a_picture_outside_is_missing_and_said_to_be(workplace: Workplace, stranger: Path) -> None:
    report = import_files(workplace, "jsonl", [stranger])
    (said,) = report.unreadable
    assert said.startswith("me.png: the link leads to ") and said.endswith("name that folder with --images")
    assert missing(workplace) == 1
    assert import_files(workplace, "jsonl", [stranger], image_folders=[stranger.parent]).unreadable  # of links only


def test_it_is_taken_where_its_place_is_named(workplace: Workplace, stranger: Path, private: Path) -> None:
    report = import_files(workplace, "jsonl", [stranger], image_folders=[private.parent])
    assert (report.unreadable, missing(workplace)) == ((), 0)


def test_a_folder_that_is_a_link_itself_is_the_folder(workplace: Workplace, tmp_path: Path, private: Path) -> None:
    (tmp_path / "shortcut").symlink_to(private.parent)
    file = write_rows(tmp_path, [rows(1)[0] | {"image": "me.png"}])
    assert import_files(workplace, "jsonl", [file], image_folders=[tmp_path / "shortcut"]).unreadable == ()


def test_a_file_of_a_zip_that_is_no_picture_is_named_as_in_the_zip(workplace: Workplace, tmp_path: Path) -> None:
    archive = tmp_path / "photos.zip"
    with zipfile.ZipFile(archive, "w") as held:
        held.writestr("photos/broken.png", b"<html>")
    file = write_rows(tmp_path / "web", [rows(1)[0] | {"image": "broken.png"}])
    (said,) = import_files(workplace, "jsonl", [file], image_folders=[archive]).unreadable
    assert said.startswith("broken.png: the file is no picture")
