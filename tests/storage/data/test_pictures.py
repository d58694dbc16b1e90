"""What browsers are sent of a picture: a still copy without metadata, made once."""

from io import BytesIO
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


@pytest.mark.parametrize("ending", ["gif", "webp", "png"])
def test_an_animated_picture_is_its_first_frame_everywhere(pictures: Pictures, tmp_path: Path, ending: str) -> None:
    frames = [Image.new("RGB", (64, 48), colour) for colour in ("red", "blue")]
    frames[0].save(tmp_path / f"a.{ending}", save_all=True, append_images=frames[1:], duration=100)
    image = pictures.take_in(f"a.{ending}", tmp_path / f"a.{ending}")
    for sent in (pictures.full(image), pictures.small(image)):
        assert sent is not None
        shown = Image.open(BytesIO(sent.content))
        assert getattr(shown, "n_frames", 1) == 1 and shown.convert("RGB").getpixel((5, 5))[0] > 200


def test_a_file_that_has_changed_since_is_not_kept_under_the_old_ones_name(pictures: Pictures, tmp_path: Path) -> None:
    image = pictures.take_in("a.tiff", picture(tmp_path / "a.tiff"))
    picture(tmp_path / "a.tiff", "red")
    assert pictures.full(image) is not None
    assert not pictures.is_ready(image)


def test_a_link_put_in_a_pictures_place_is_not_followed(pictures: Pictures, tmp_path: Path) -> None:
    path = picture(tmp_path / "a.png")
    image = pictures.take_in("a.png", path)
    path.unlink()
    path.symlink_to(picture(tmp_path / "private.png", "red"))
    sent = pictures.full(image)
    assert sent is not None and sent == pictures.small(image)
