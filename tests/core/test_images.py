"""Opening pictures: sizes, colours, and every way a file can be broken or hostile."""

import hashlib
import io
import random
import struct
import warnings
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.errors import BadImage
from core.images.pictures import MAX_PIXELS, open_rgb, read_image_facts, thumbnail

FUNCTIONS = [read_image_facts, open_rgb, lambda path: thumbnail(path, 64)]
SUFFIXES = {"JPEG": "jpg", "PNG": "png", "WEBP": "webp", "GIF": "gif", "BMP": "bmp", "TIFF": "tif"}


def photograph(width: int = 48, height: int = 32) -> Image.Image:
    noise = np.random.default_rng(0).integers(0, 256, (height, width, 3), dtype=np.uint8)
    return Image.fromarray(noise)


def saved(folder: Path, image: Image.Image, kind: str, **options: object) -> Path:
    path = folder / f"picture.{SUFFIXES[kind]}"
    image.save(path, kind, **options)
    return path


def png_of_size(width: int, height: int) -> bytes:
    """A small PNG whose header claims any size."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 64)) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("kind", SUFFIXES)
def test_facts_are_the_checksum_of_the_file_and_its_size(kind: str, tmp_path: Path) -> None:
    path = saved(tmp_path, photograph(), kind)
    facts = read_image_facts(path)
    assert facts == (hashlib.sha256(path.read_bytes()).hexdigest(), 48, 32)
    assert open_rgb(path).size == (48, 32)
    assert open_rgb(path).mode == "RGB"


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "TIFF", "WEBP"])
def test_exif_rotation_is_applied_to_size_and_pixels(orientation: int, kind: str, tmp_path: Path) -> None:
    image = Image.new("RGB", (40, 20), "blue")
    image.paste("red", (0, 0, 20, 20))  # left half red
    exif = Image.Exif()
    exif[0x0112] = orientation
    path = saved(tmp_path, image, kind, exif=exif)
    size = (20, 40) if orientation >= 5 else (40, 20)
    assert read_image_facts(path)[1:] == size
    seen = open_rgb(path)
    assert seen.size == size
    red_corner = {1: (2, 2), 2: (37, 2), 3: (37, 2), 4: (2, 2), 5: (2, 2), 6: (2, 2), 7: (2, 37), 8: (2, 37)}[
        orientation
    ]
    red, _, blue = seen.getpixel(red_corner)
    assert red > 200 > 60 > blue
    with Image.open(io.BytesIO(thumbnail(path, 20))) as small:
        assert small.size == ((10, 20) if orientation >= 5 else (20, 10))


def test_transparency_lies_on_white(tmp_path: Path) -> None:
    clear = Image.new("RGBA", (2, 1), (255, 0, 0, 0))
    clear.putpixel((1, 0), (255, 0, 0, 128))
    seen = open_rgb(saved(tmp_path, clear, "PNG"))
    assert seen.getpixel((0, 0)) == (255, 255, 255)
    assert seen.getpixel((1, 0)) == (255, 127, 127)


@pytest.mark.parametrize("mode", ["LA", "PA", "P", "RGB", "L"])
def test_every_kind_of_transparency_lies_on_white(mode: str, tmp_path: Path) -> None:
    if mode in ("LA", "PA"):
        image, options = Image.new("RGBA", (2, 2), (0, 0, 0, 0)).convert(mode), {}
    else:
        image, options = Image.new(mode, (2, 2), 0), {"transparency": (0, 0, 0) if mode == "RGB" else 0}
    kind = "TIFF" if mode == "PA" else "PNG"
    try:
        path = saved(tmp_path, image, kind, **options)
    except OSError:
        pytest.skip(f"Pillow writes no {kind} of mode {mode}")
    assert open_rgb(path).getpixel((0, 0)) == (255, 255, 255)


def test_sixteen_bits_are_scaled_and_not_cut_off(tmp_path: Path) -> None:
    grey = np.array([[0, 257, 25_700, 32_896, 65_535]], dtype=np.uint16)
    for kind in ("PNG", "TIFF"):
        seen = np.asarray(open_rgb(saved(tmp_path, Image.fromarray(grey), kind)))
        assert seen[0, :, 0].tolist() == [0, 1, 100, 128, 255]
        assert (seen[..., 0] == seen[..., 2]).all()


def test_32_bits_are_refused_with_what_to_do(tmp_path: Path) -> None:
    path = saved(tmp_path, Image.fromarray(np.ones((2, 2), dtype=np.float32)), "TIFF")
    with pytest.raises(BadImage, match="32 bits per channel.*save it with 8 or 16"):
        open_rgb(path)


@pytest.mark.parametrize(
    ("mode", "kind"), [("CMYK", "JPEG"), ("CMYK", "TIFF"), ("P", "PNG"), ("1", "PNG"), ("L", "JPEG")]
)
def test_other_colour_modes_become_rgb(mode: str, kind: str, tmp_path: Path) -> None:
    image = Image.new("RGB", (8, 8), "white").convert(mode)
    seen = open_rgb(saved(tmp_path, image, kind))
    assert seen.mode == "RGB"
    assert min(seen.getpixel((4, 4))) >= 250


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.svg", b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
        ("a.jpg", b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
        ("a.eps", b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n"),
        ("a.pdf", b"%PDF-1.4\n"),
        ("a.ppm", b"P6 1 1 255\nabc"),
        ("a.jpg", b""),
        ("a.jpg", b"not a picture"),
        ("a.png", b"\x89PNG\r\n\x1a\n"),
    ],
)
def test_other_files_are_refused(function, name: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadImage, match=name):
        function(path)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_missing_file_and_a_folder_are_refused(function, tmp_path: Path) -> None:
    for path in (tmp_path / "absent.jpg", tmp_path):
        with pytest.raises(BadImage, match="no file at"):
            function(path)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(("width", "height"), [(16_001, 10_000), (50_000, 50_000), (2_000_000, 81)])
def test_too_many_pixels_are_refused_by_size_and_limit_before_they_are_decoded(
    function, width: int, height: int, tmp_path: Path
) -> None:
    path = tmp_path / "bomb.png"
    path.write_bytes(png_of_size(width, height))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        with pytest.raises(BadImage, match=f"{width * height:,} pixels.*limit of {MAX_PIXELS:,}"):
            function(path)


@pytest.mark.parametrize("kind", SUFFIXES)
def test_whatever_is_damaged_is_opened_or_is_a_bad_image(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "core.images.pictures.MAX_PIXELS", 4_000_000
    )  # damaged sizes that are decoded at length show nothing new
    exif = Image.Exif()
    exif[0x0112] = 6
    options = {"exif": exif} if kind in ("JPEG", "PNG", "TIFF", "WEBP") else {}
    whole = saved(tmp_path, photograph(), kind, **options).read_bytes()
    damage, path = random.Random(kind), tmp_path / "damaged"
    outcomes = set()
    for _ in range(80):
        content = bytearray(whole[: damage.choice([len(whole), len(whole), damage.randrange(len(whole))])])
        for _ in range(damage.randrange(1, 8)):
            if content:
                content[damage.randrange(min(len(content), damage.choice([64, 10_000])))] = damage.randrange(256)
        path.write_bytes(content)
        outcomes |= {outcome(function, path) for function in FUNCTIONS}
    assert outcomes == {"opened", "bad"}


def outcome(function, path: Path) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of odd metadata
        try:
            function(path)
        except BadImage as bad:
            assert "\n" not in str(bad)
            return "bad"
    return "opened"


def test_a_thumbnail_is_small_webp_without_metadata_and_never_larger(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x010E] = "where I live"
    path = saved(tmp_path, photograph(600, 300), "JPEG", exif=exif, comment=b"secret")
    with Image.open(io.BytesIO(thumbnail(path, 200))) as small:
        assert (small.format, small.size, small.mode) == ("WEBP", (200, 100), "RGB")
        assert not small.getexif()
    with Image.open(io.BytesIO(thumbnail(path, 5000))) as same:
        assert same.size == (600, 300)
    assert b"where I live" not in thumbnail(path, 200)
    assert thumbnail(path, 200) == thumbnail(path, 200)


def test_a_very_narrow_picture_keeps_at_least_one_pixel(tmp_path: Path) -> None:
    path = saved(tmp_path, Image.new("RGB", (2000, 2), "red"), "PNG")
    with Image.open(io.BytesIO(thumbnail(path, 100))) as small:
        assert small.size == (100, 1)
