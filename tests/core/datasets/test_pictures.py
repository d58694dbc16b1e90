"""Finding pictures by name, by stem and beside the file, in folders and in untrusted ZIP files."""

import io
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.datasets.base import Record
from core.datasets.pictures import find_images, opened_zip, picture_of
from core.errors import BadFile, BadSetting, NotFound

TABLE = Path("a.csv")


def touch(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")


def record(file: Path, image: str, relative: bool = False) -> Record:
    return Record(file=file, row=1, image=image, candidate="A dog.", image_is_relative=relative)


def test_an_id_finds_the_picture_with_that_stem(tmp_path: Path) -> None:
    touch(tmp_path / "e00d.jpg", tmp_path / "v1.5.png", tmp_path / "notes.txt")
    index = find_images([tmp_path])
    assert index.find("e00d") == tmp_path / "e00d.jpg"
    assert index.find("e00d.png") == tmp_path / "e00d.jpg"
    assert index.find("v1.5") == tmp_path / "v1.5.png"
    assert index.find("notes") is None
    assert index.find("notes.txt") == tmp_path / "notes.txt"
    assert index.find("absent.jpg") is None


def test_a_coco_picture_is_found_under_its_other_name(tmp_path: Path) -> None:
    touch(tmp_path / "COCO_val2014_000000391895.jpg", tmp_path / "000000000974.jpg", tmp_path / "42.jpg")
    index = find_images([tmp_path])
    for name in ("000000391895.jpg", "000000391895", "COCO_train2014_000000391895.jpg"):
        assert index.find(name) == tmp_path / "COCO_val2014_000000391895.jpg"
    for name in ("COCO_val2014_000000000974.jpg", "COCO_train2014_000000000974"):
        assert index.find(name) == tmp_path / "000000000974.jpg"
    for name in ("391895.jpg", "COCO_val2014_000000000042.jpg", "000000000042.jpg", "my_000000391895.jpg"):
        assert index.find(name) is None
    touch(exact := tmp_path / "two" / "000000391895.jpg")
    assert find_images([tmp_path]).find("000000391895.jpg") == exact


def test_a_relative_path_is_tried_beside_the_file_first_then_by_name(tmp_path: Path) -> None:
    touch(
        tmp_path / "data" / "a.jpg",
        tmp_path / "pictures" / "b.jpg",
        tmp_path / "more" / "a.jpg",
        tmp_path / "more" / "c.jpg",
    )
    index, file = find_images([tmp_path / "more"]), tmp_path / "data" / "f.jsonl"
    assert picture_of(record(file, "a.jpg", relative=True), index) == tmp_path / "data" / "a.jpg"
    found = picture_of(record(file, "../pictures/b.jpg", relative=True), index)
    assert found is not None and found.resolve() == tmp_path / "pictures" / "b.jpg"
    assert picture_of(record(file, "gone/c.jpg", relative=True), index) == tmp_path / "more" / "c.jpg"
    assert picture_of(record(file, "a.jpg"), index) == tmp_path / "more" / "a.jpg"


def test_names_from_published_files_do_not_leave_the_folders(tmp_path: Path) -> None:
    touch(tmp_path / "secret.jpg", tmp_path / "images" / "a.jpg")
    index = find_images([tmp_path / "images"])
    file = tmp_path / "images" / "f.json"
    assert picture_of(record(file, "../secret.jpg"), index) is None
    assert picture_of(record(file, str(tmp_path / "secret.jpg")), index) is None


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="absent does not exist"):
        find_images([tmp_path / "absent"])


# -- ZIP files


def packed(path: Path, *entries: tuple[str | zipfile.ZipInfo, bytes], deflated: bool = True) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return path


def test_pictures_are_found_by_path_then_by_name_then_by_stem(tmp_path: Path) -> None:
    path = packed(
        tmp_path / "a.zip", ("one/a.jpg", b"1"), ("two/a.jpg", b"2"), ("two/b.png", b"3"), ("notes.txt", b"4")
    )
    with opened_zip(path) as found:
        names = ("one/a.jpg", "./two/a.jpg", "two\\a.jpg", "b", "elsewhere/b.jpg", "c.jpg", "notes.txt")
        read = [entry and entry.read() for entry in map(found.find, names)]
        assert read == [b"1", b"2", b"2", b"3", b"3", None, None]
        with pytest.raises(NotFound, match="a.jpg names several pictures: one/a.jpg and two/a.jpg"):
            found.find("a.jpg")


def link(name: str) -> zipfile.ZipInfo:
    about = zipfile.ZipInfo(name)
    about.external_attr = (stat.S_IFLNK | 0o777) << 16
    return about


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("../a.jpg", "outside its own folder"),
        ("a/../../b.jpg", "outside its own folder"),
        ("/etc/a.jpg", "outside its own folder"),
        ("..\\a.jpg", "outside its own folder"),
        ("C:\\a.jpg", "outside its own folder"),
        (link("a.jpg"), "contains a link, 'a.jpg'"),
        (link("notes"), "contains a link, 'notes'"),
    ],
)
def test_a_name_that_leads_elsewhere_and_a_link_refuse_the_whole_file(
    tmp_path: Path, name: str | zipfile.ZipInfo, told: str
) -> None:
    path = packed(tmp_path / "a.zip", ("good.jpg", b"1"), (name, b"/etc/passwd"))
    with pytest.raises(BadFile, match=told), opened_zip(path):
        pass


def test_zeros_instead_of_pictures_are_refused_before_they_are_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.datasets.pictures.LARGEST_PICTURE", 1000)
    path = packed(tmp_path / "a.zip", ("a.jpg", bytes(1001)))
    with pytest.raises(BadFile, match="'a.jpg' has 1,001 bytes; the limit is 1,000 bytes"), opened_zip(path):
        pass
    monkeypatch.setattr("core.datasets.pictures.MOST_ENTRIES", 0)
    with pytest.raises(BadFile, match="contains 1 files"), opened_zip(path):
        pass


def _cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def _changed(content: bytes) -> bytes:
    return content.replace(b"picture", b"pictura", 1)


def _understated(content: bytes) -> bytes:
    """Say in the directory that the picture is smaller than it is."""
    at = content.rindex(b"PK\x01\x02") + 24
    return content[:at] + (3).to_bytes(4, "little") + content[at + 4 :]


@pytest.mark.parametrize("spoil", [_cut, _changed, _understated, lambda content: b"PK" + content])
def test_a_broken_file_or_one_that_lies_about_itself_is_a_users_error(
    tmp_path: Path, spoil: Callable[[bytes], bytes]
) -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("a.jpg", b"a picture of a dog" * 9)
    path = tmp_path / "a.zip"
    path.write_bytes(spoil(held.getvalue()))
    with pytest.raises(BadFile, match="not a valid ZIP file"):
        with opened_zip(path) as found:
            entry = found.find("a.jpg")
            assert entry is not None
            entry.read()
            raise BadFile(path, "it is not a valid ZIP file, but was read whole")  # a prefix does no harm


def test_a_password_is_told(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", ("a.jpg", b"1"))
    content = bytearray(path.read_bytes())
    content[content.rindex(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(bytes(content))
    with pytest.raises(BadFile, match="locked with a password"), opened_zip(path):
        pass
