"""Opening pictures safely: size, thumbnail and pixels of a file that anybody may have made.

Only common raster formats are tried (SVG, PDF and EPS never are), a picture with too many pixels is refused before
they are decoded, and whatever Pillow makes of a broken file ends as BadImage.
"""

import hashlib
import io
import re
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import ExifTags, Image, ImageOps, UnidentifiedImageError

from core.costs import timed
from core.errors import BadImage, BadSetting, MissingImage
from core.types import ImageRef

# What cameras make, 7,300 x 5,480. Below the 178,956,970 at which Pillow itself refuses, so that its process-wide limit
# can stay as it is.
MAX_PIXELS = 40_000_000
FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF")
THUMBNAIL_QUALITY = 82  # of WebP, 0-100
_THUMBNAIL_EFFORT = 2  # of WebP, 0-6; Pillow's own, 4, takes two thirds more time for 2 % smaller files
_MAX_SIDE = 16_383  # px, of WebP
_BAND = 512  # rows that are laid on white at a time
_SIDEWAYS = (5, 6, 7, 8)  # EXIF orientations that swap width and height
# What opening a broken file can raise. Damaged files of every format (see the tests) gave the first three; the others
# are what reading numbers, tables and compressed text from bytes can end in.
_BROKEN = (OSError, SyntaxError, ValueError, EOFError, LookupError, TypeError, OverflowError, struct.error, zlib.error)


class ImageFacts(NamedTuple):
    """What identifies a picture."""

    sha256: str  # of the file's bytes, 64 hex digits
    width: int  # px, after EXIF rotation
    height: int  # px, after EXIF rotation


def read_image_facts(path: Path) -> ImageFacts:
    """Return a picture's checksum and size. Reads its header but no pixels, so broken pixels are not noticed here.

    Raises BadImage.
    """
    with _opened(path) as image:
        width, height = image.size
        sideways = image.getexif().get(ExifTags.Base.Orientation) in _SIDEWAYS
        if sideways and image.format != "TIFF":  # of TIFF, Pillow gives the size as it is to be seen
            width, height = height, width
    with path.open("rb") as file:
        return ImageFacts(hashlib.file_digest(file, "sha256").hexdigest(), width, height)


def file_of(image: ImageRef) -> Path:
    """Return where a picture is. Raises MissingImage where it was not found."""
    if image.path is None:
        raise MissingImage(f"Expected a picture, found none for {image.name}.")
    return image.path


def picture_format(path: Path) -> str:
    """Return which of FORMATS a picture has, whatever its name ends in. Raises BadImage."""
    with _opened(path) as image:
        return str(image.format)


def orientation(path: Path) -> int:
    """Return a picture's EXIF orientation, 1-8; 1, which is upright, where the file names none or is broken."""
    try:
        with _opened(path) as image:
            told = image.getexif().get(ExifTags.Base.Orientation)
    except BadImage:
        return 1
    return told if isinstance(told, int) and 1 <= told <= 8 else 1


def png(path: Path) -> bytes:
    """Return a picture as `open_rgb` reads it, as PNG without metadata. Raises BadImage."""
    written = io.BytesIO()
    open_rgb(path).save(written, "PNG")
    return written.getvalue()


def open_rgb(path: Path, drop_alpha: bool = False) -> Image.Image:
    """Return a picture's first frame as it is to be seen: 8-bit RGB, EXIF rotation applied, transparency on white.

    drop_alpha shows what lies under transparent pixels instead, as published metrics do. Raises BadImage.
    """
    with timed("picture"), _opened(path) as image:
        return _as_seen(image, drop_alpha)


def thumbnail(path: Path, longest_px: int) -> bytes:
    """Return a picture as WebP without metadata, its longer side at most longest_px; it is never enlarged.

    Raises BadImage, and BadSetting where longest_px is not in 1-16,383.
    """
    if not 1 <= longest_px <= _MAX_SIDE:
        raise BadSetting(f"a thumbnail's longest side must be from 1 to {_MAX_SIDE} px, not {longest_px}")
    with _opened(path) as image:
        image.draft(None, (longest_px, longest_px))  # lets JPEG decode at a fraction of its size
        small = _as_seen(image)
    del image  # its pixels, before others are written
    small.thumbnail((longest_px, longest_px), Image.Resampling.LANCZOS)
    written = io.BytesIO()
    small.save(written, "WEBP", quality=THUMBNAIL_QUALITY, method=_THUMBNAIL_EFFORT)
    return written.getvalue()


@contextmanager
def _opened(path: Path) -> Iterator[Image.Image]:
    """Open a picture whose size has been checked; what goes wrong inside the block is BadImage as well."""
    if not path.is_file():
        raise BadImage(f"{path.name}: there is no such file at {path}")
    try:
        with Image.open(path, formats=FORMATS) as image:
            _check_size(path, image.width * image.height, f" ({image.width} x {image.height})")
            yield image
    except Image.DecompressionBombError as error:
        pixels = re.search(r"\d+", str(error))
        _check_size(path, int(pixels[0]) if pixels else 2 * MAX_PIXELS, "")
    except UnidentifiedImageError as error:
        raise BadImage(f"{path.name}: expected a picture as {', '.join(FORMATS)}, found something else") from error
    except _BROKEN as error:
        raise BadImage(f"{path.name}: the picture is broken ({error}); get the file again") from error


def _check_size(path: Path, pixels: int, shape: str) -> None:
    if pixels > MAX_PIXELS:
        raise BadImage(f"{path.name}: {pixels:,} pixels{shape}, more than the limit of {MAX_PIXELS:,}; make it smaller")


def _as_seen(image: Image.Image, drop_alpha: bool = False) -> Image.Image:
    image.load()
    ImageOps.exif_transpose(image, in_place=True)  # not in place it would copy a picture that is upright already
    seen = _eight_bits(image, drop_alpha)
    seen.info = {name: value for name, value in seen.info.items() if name == "icc_profile"}  # Pillow writes comments
    return seen


def _eight_bits(image: Image.Image, drop_alpha: bool) -> Image.Image:
    if image.mode.startswith("I;16"):
        return _from_16_bit(image)
    if image.mode in ("I", "F"):
        raise ValueError(f"32 bits a pixel, mode {image.mode}: save it with 8 or 16")
    if drop_alpha or not image.has_transparency_data:
        return image.convert("RGB")
    return _on_white(image)


def _on_white(image: Image.Image) -> Image.Image:
    """Return a picture with its transparency laid on white, a band at a time: whole, it takes thrice its memory."""
    seen = Image.new("RGB", image.size)
    for top in range(0, image.height, _BAND):
        box = (0, top, image.width, min(top + _BAND, image.height))
        band = image.crop(box).convert("RGBA")
        seen.paste(Image.alpha_composite(Image.new("RGBA", band.size, "white"), band).convert("RGB"), box)
    return seen


def _from_16_bit(image: Image.Image) -> Image.Image:
    """Return grey values 0-65,535 scaled to 0-255; Pillow's own conversion cuts off everything above 255."""
    scaled = np.rint(np.arange(65_536) / 257).astype(np.uint8)
    return Image.fromarray(scaled[np.asarray(image)]).convert("RGB")
