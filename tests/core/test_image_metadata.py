"""What leaves with a picture's file: its pixels, orientation and colour profile, and nothing of people."""

import io
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageCms, PngImagePlugin

from core.images.metadata import published, without_metadata
from core.images.pictures import open_rgb, orientation, png, thumbnail

SECRETS = (b"Lena Example", b"ACME Camera", b"52.5163", b"a secret comment", b"2019:01:02", b"embedded film")
PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/">Lena Example 52.5163</x:xmpmeta>'


def noise() -> Image.Image:
    return Image.fromarray(np.random.default_rng(0).integers(0, 256, (32, 48, 3), dtype=np.uint8))


def exif(turned: int = 1) -> Image.Exif:
    """EXIF with an artist, a camera, a time and a place."""
    told = Image.Exif()
    told[0x0112], told[0x010F], told[0x013B], told[0x0132] = (
        turned,
        "ACME Camera",
        "Lena Example",
        "2019:01:02 03:04:05",
    )
    told.get_ifd(0x8825)[1], told.get_ifd(0x8825)[2] = "N", (52.5163, 0.0, 0.0)
    told.get_ifd(0x8825)[29] = "2019:01:02"
    return told


def jpeg(path: Path, turned: int = 1, **more: object) -> Path:
    noise().save(path, "JPEG", exif=exif(turned), icc_profile=PROFILE, comment=b"a secret comment", xmp=XMP, **more)
    iptc = b"Photoshop 3.0\x00Lena Example"
    content = path.read_bytes()
    segment = b"\xff\xed" + struct.pack(">H", 2 + len(iptc)) + iptc
    path.write_bytes(content[:2] + segment + content[2:] + b"embedded film 52.5163")
    return path


def png_file(path: Path, turned: int = 1) -> Path:
    told = PngImagePlugin.PngInfo()
    told.add_text("Author", "Lena Example")
    told.add_text("Comment", "a secret comment", zip=True)
    told.add_itxt("XML:com.adobe.xmp", XMP.decode())
    told.add(b"prVt", b"ACME Camera")
    noise().save(path, "PNG", pnginfo=told, exif=exif(turned), icc_profile=PROFILE, dpi=(300, 300))
    path.write_bytes(path.read_bytes() + b"embedded film")
    return path


def webp(path: Path, turned: int = 1) -> Path:
    noise().save(path, "WEBP", exif=exif(turned), xmp=XMP, icc_profile=PROFILE, lossless=True)
    content = path.read_bytes() + b"prVt" + struct.pack("<I", 12) + b"ACME Camera "
    path.write_bytes(content[:4] + struct.pack("<I", len(content) - 8) + content[8:] + b"embedded film")
    return path


WRITERS = {"jpg": jpeg, "png": png_file, "webp": webp}


@pytest.mark.parametrize("turned", range(1, 9))
@pytest.mark.parametrize("ending", WRITERS)
def test_only_pixels_orientation_and_profile_leave(ending: str, turned: int, tmp_path: Path) -> None:
    path = WRITERS[ending](tmp_path / f"a.{ending}", turned)
    original = path.read_bytes()
    assert sum(secret in original for secret in SECRETS) >= 4
    bare = without_metadata(path)
    assert bare is not None and path.read_bytes() == original
    assert not [secret for secret in SECRETS if secret in bare]
    other = tmp_path / f"bare.{ending}"
    other.write_bytes(bare)
    assert orientation(other) == turned
    assert (np.asarray(open_rgb(other)) == np.asarray(open_rgb(path))).all()
    with Image.open(other) as left:
        assert left.info["icc_profile"] == PROFILE
        assert dict(left.getexif()) == ({} if turned == 1 else {0x0112: turned})
        assert not {"comment", "xmp", "Author", "photoshop"} & set(left.info)
    assert without_metadata(other) == bare


@pytest.mark.parametrize("more", [{"progressive": True}, {"restart_marker_blocks": 1}, {"subsampling": 0}])
def test_every_kind_of_jpeg_keeps_its_compressed_pixels(more: dict[str, object], tmp_path: Path) -> None:
    path, clean = jpeg(tmp_path / "a.jpg", **more), tmp_path / "clean.jpg"
    noise().save(clean, "JPEG", icc_profile=PROFILE, **more)
    assert without_metadata(path) == clean.read_bytes()


def test_the_preview_within_a_jpeg_leaves_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    noise().save(path, "JPEG")
    content = path.read_bytes()
    preview = b"\x01\x01" + b"Len"
    assert content[2:4] == b"\xff\xe0" and content[4:6] == b"\x00\x10"
    path.write_bytes(content[:4] + b"\x00\x13" + content[6:18] + preview + content[20:])
    assert without_metadata(path) == content


def test_cmyk_keeps_its_colours(tmp_path: Path) -> None:
    path, other = tmp_path / "a.jpg", tmp_path / "b.jpg"
    noise().convert("CMYK").save(path, "JPEG", exif=exif())
    other.write_bytes(without_metadata(path) or b"")
    assert (np.asarray(open_rgb(other)) == np.asarray(open_rgb(path))).all()


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_films_keep_their_frames(kind: str, tmp_path: Path) -> None:
    path, other = tmp_path / "a", tmp_path / "b"
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "green", "blue")]
    frames[0].save(path, kind, save_all=True, append_images=frames[1:], duration=50, exif=exif(), lossless=True)
    other.write_bytes(without_metadata(path) or b"")
    with Image.open(other) as left:
        assert getattr(left, "n_frames", 1) == 3 and not dict(left.getexif())


def test_a_file_without_metadata_stays_as_it_is(tmp_path: Path) -> None:
    for ending, kind in (("jpg", "JPEG"), ("png", "PNG"), ("webp", "WEBP")):
        path = tmp_path / f"a.{ending}"
        noise().save(path, kind)
        assert without_metadata(path) == path.read_bytes()


@pytest.mark.parametrize("kind", ["TIFF", "GIF", "BMP"])
def test_other_formats_are_published_as_png_with_the_same_pixels(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{kind.lower()}"
    noise().save(path, kind, **({"exif": exif(6)} if kind == "TIFF" else {"comment": "a secret comment"}))
    assert without_metadata(path) is None
    content, name = published(path, path.name)
    (tmp_path / name).write_bytes(content)
    assert name == "a.png" and not [secret for secret in SECRETS if secret in content]
    assert (np.asarray(open_rgb(tmp_path / name)) == np.asarray(open_rgb(path))).all()


def test_pictures_that_are_drawn_anew_take_no_comment_along(tmp_path: Path) -> None:
    for ending, write in WRITERS.items():
        path, written = write(tmp_path / f"a.{ending}", 6), io.BytesIO()
        open_rgb(path).save(written, "JPEG")
        everything = written.getvalue() + thumbnail(path, 32) + png(path)
        assert not [secret for secret in SECRETS if secret in everything]


@pytest.mark.parametrize("ending", WRITERS)
@given(data=st.data())
def test_damaged_files_are_read_to_the_end_and_shrink(
    ending: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    path = folder / f"damaged.{ending}"
    whole = bytearray(WRITERS[ending](path, 6).read_bytes())
    for at, value in data.draw(st.lists(st.tuples(st.integers(12, len(whole) - 1), st.integers(0, 255)), max_size=6)):
        whole[at] = value
    path.write_bytes(whole[: data.draw(st.integers(12, len(whole)))])
    bare = without_metadata(path)
    assert bare is not None and len(bare) <= path.stat().st_size + 64
    assert b"embedded film" not in bare[-20:]
