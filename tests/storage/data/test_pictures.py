"""What browsers are sent of a picture: as it is where they can show it, else converted once."""

from pathlib import Path

import pytest
from PIL import ExifTags, Image

from core.images.pictures import open_rgb
from storage.data.pictures import Pictures
from tests.making import picture


@pytest.fixture
def pictures(tmp_path: Path) -> Pictures:
    return Pictures(tmp_path / "thumbnails", tmp_path / "converted")


def test_what_browsers_cannot_show_is_converted_once(
    pictures: Pictures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = pictures.take_in("a.tiff", picture(tmp_path / "a.tiff", size=(640, 480)))
    assert not pictures.is_ready(image)
    first = pictures.full(image)
    assert first is not None and first.media_type == "image/webp"
    assert pictures.is_ready(image)
    monkeypatch.setattr("storage.data.pictures.thumbnail_apart", None)
    assert pictures.full(image) == first
    (kept,) = (tmp_path / "converted").rglob("*.webp")
    assert kept.read_bytes() == first.content and open_rgb(kept).size == (640, 480)


@pytest.mark.parametrize("ending", ["jpg", "png", "webp", "tiff"])
def test_no_browser_gets_metadata_of_a_picture_large_or_small(pictures: Pictures, tmp_path: Path, ending: str) -> None:
    path, exif = tmp_path / f"a.{ending}", Image.Exif()
    exif[ExifTags.Base.Artist] = "Lena Example"
    Image.new("RGB", (64, 48), "teal").save(path, exif=exif)
    original = path.read_bytes()
    image = pictures.take_in(path.name, path)
    for sent in (pictures.full(image), pictures.small(image)):
        assert sent is not None and b"Lena Example" not in sent.content
    assert b"Lena Example" in original and path.read_bytes() == original


@pytest.mark.parametrize("ending", ["jpg", "png", "webp"])
def test_what_they_can_show_is_sent_as_it_is(pictures: Pictures, tmp_path: Path, ending: str) -> None:
    path = picture(tmp_path / f"a.{ending}")
    image = pictures.take_in(path.name, path)
    sent = pictures.full(image)
    assert pictures.is_ready(image) and sent is not None and sent.content == path.read_bytes()


def test_a_file_that_has_changed_since_is_not_kept_under_the_old_ones_name(pictures: Pictures, tmp_path: Path) -> None:
    image = pictures.take_in("a.tiff", picture(tmp_path / "a.tiff"))
    picture(tmp_path / "a.tiff", "red")
    assert pictures.full(image) is not None
    assert not pictures.is_ready(image)
