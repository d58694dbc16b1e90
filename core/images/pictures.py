"""Open untrusted pictures safely: read their size, make thumbnails, decode their pixels.

Only common raster formats are tried, never SVG, PDF and EPS. A picture with too many pixels is refused before decoding.
Every error of Pillow on a broken file becomes BadImage.
"""

import hashlib
import io
import re
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import numpy as np
from PIL import ExifTags, Image, ImageOps, UnidentifiedImageError

from core.costs import timed
from core.errors import BadImage, MissingImage
from core.types import ImageRef

# 40 megapixels, the size of camera pictures: 7,300 x 5,480 px. Pillow's own limit, 178,956,970 pixels, is larger and
# applies to the whole process, so it is not changed.
MAX_PIXELS = 40_000_000
FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF")
THUMBNAIL_QUALITY = 82  # WebP quality, 0-100
_THUMBNAIL_EFFORT = 2  # WebP effort, 0-6; Pillow's default, 4, takes two thirds more time for 2 % smaller files
_BAND = 512  # number of pixel rows that are put on a white background in one step
_SIDEWAYS = (5, 6, 7, 8)  # EXIF orientations that swap width and height
# Errors from opening broken files. Tests with damaged files of every format raised the first three.
# Reading numbers, tables and compressed text can raise the others.
_BROKEN = (OSError, SyntaxError, ValueError, EOFError, LookupError, TypeError, OverflowError, struct.error, zlib.error)


class ImageFacts(NamedTuple):
    """A picture's checksum and size."""

    sha256: str  # hash of the file's bytes, 64 hex digits
    width: int  # px, after EXIF rotation
    height: int  # px, after EXIF rotation


def read_image_facts(path: Path) -> ImageFacts:
    """Return a picture's checksum and size. Raises BadImage.

    Reads only the header, so damaged pixels are not noticed here.
    """
    with _opened(path) as image:
        width, height = image.size
        sideways = image.getexif().get(ExifTags.Base.Orientation) in _SIDEWAYS
        if sideways and image.format != "TIFF":  # for TIFF, Pillow gives the rotated size
            width, height = height, width
    with path.open("rb") as file:
        return ImageFacts(hashlib.file_digest(file, "sha256").hexdigest(), width, height)


def file_of(image: ImageRef) -> Path:
    """Return the path of a picture. Raises MissingImage if the picture has no file."""
    if image.path is None:
        raise MissingImage(f"No picture was found for {image.name}.")
    return image.path


def picture_format(path: Path) -> str:
    """Return a picture's format from its content, not from its name.

    The format is one of FORMATS. Raises BadImage.
    """
    with _opened(path) as image:
        return str(image.format)


def published(path: Path, name: str) -> tuple[bytes, str]:
    """Return a picture for others, without metadata, and its file name. Raises BadImage.

    An upright JPEG picture keeps its format and its quantization tables. All others become PNG.
    """
    written = io.BytesIO()
    with _opened(path) as image:
        image.load()
        if image.format == "JPEG" and image.getexif().get(ExifTags.Base.Orientation, 1) == 1:
            image.info = {key: value for key, value in image.info.items() if key == "icc_profile"}
            image.save(written, "JPEG", quality="keep", icc_profile=image.info.get("icc_profile"))
            return written.getvalue(), name
    open_rgb(path).save(written, "PNG")
    return written.getvalue(), str(PurePosixPath(name).with_suffix(".png"))


def open_rgb(path: Path, drop_alpha: bool = False) -> Image.Image:
    """Return a picture's first frame as people see it.

    The result is 8-bit RGB, with EXIF rotation applied and transparency on white. With drop_alpha, the transparency is
    ignored and the colours of transparent pixels are visible, as in published metrics. Raises BadImage.
    """
    with timed("picture"), _opened(path) as image:
        return _as_seen(image, drop_alpha)


def thumbnail(path: Path, longest_px: int) -> bytes:
    """Return a picture as WebP without metadata, its longer side at most `longest_px` pixels.

    Small pictures are not enlarged. Raises BadImage.
    """
    with _opened(path) as image:
        image.draft(None, (longest_px, longest_px))  # JPEG can be decoded at a fraction of its size
        small = _as_seen(image)
    del image  # free the picture's pixels before encoding
    small.thumbnail((longest_px, longest_px), Image.Resampling.LANCZOS)
    written = io.BytesIO()
    small.save(written, "WEBP", quality=THUMBNAIL_QUALITY, method=_THUMBNAIL_EFFORT)
    return written.getvalue()


@contextmanager
def _opened(path: Path) -> Iterator[Image.Image]:
    """Open a picture after checking its size. Errors inside the `with` block are also raised as BadImage."""
    if not path.is_file():
        raise BadImage(f"{path.name}: there is no file at {path}")
    try:
        with Image.open(path, formats=FORMATS) as image:
            _check_size(path, image.width * image.height, f" ({image.width} x {image.height})")
            yield image
    except Image.DecompressionBombError as error:
        pixels = re.search(r"\d+", str(error))
        _check_size(path, int(pixels[0]) if pixels else 2 * MAX_PIXELS, "")
    except UnidentifiedImageError as error:
        raise BadImage(f"{path.name}: the file is no picture of a supported format ({', '.join(FORMATS)})") from error
    except _BROKEN as error:
        raise BadImage(f"{path.name}: the picture is broken ({error}); download the file again") from error


def _check_size(path: Path, pixels: int, shape: str) -> None:
    if pixels > MAX_PIXELS:
        raise BadImage(f"{path.name}: {pixels:,} pixels{shape}, more than the limit of {MAX_PIXELS:,}; make it smaller")


def _as_seen(image: Image.Image, drop_alpha: bool = False) -> Image.Image:
    image.load()
    ImageOps.exif_transpose(image, in_place=True)  # in place, because otherwise Pillow would copy an upright picture
    seen = _eight_bits(image, drop_alpha)
    seen.info = {name: value for name, value in seen.info.items() if name == "icc_profile"}  # drop all other metadata
    return seen


def _eight_bits(image: Image.Image, drop_alpha: bool) -> Image.Image:
    if image.mode.startswith("I;16"):
        return _from_16_bit(image)
    if image.mode in ("I", "F"):
        raise ValueError(f"it has 32 bits per channel (mode {image.mode}); save it with 8 or 16")
    if drop_alpha or not image.has_transparency_data:
        return image.convert("RGB")
    return _on_white(image)


def _on_white(image: Image.Image) -> Image.Image:
    """Return a picture with white in place of transparency.

    The picture is processed in bands of rows, because processing it as a whole would take three times its memory.
    """
    seen = Image.new("RGB", image.size)
    for top in range(0, image.height, _BAND):
        box = (0, top, image.width, min(top + _BAND, image.height))
        band = image.crop(box).convert("RGBA")
        seen.paste(Image.alpha_composite(Image.new("RGBA", band.size, "white"), band).convert("RGB"), box)
    return seen


def _from_16_bit(image: Image.Image) -> Image.Image:
    """Return a picture with 16-bit grey values (0-65,535) scaled to 0-255.

    Pillow's own conversion would turn all values above 255 into 255.
    """
    scaled = np.rint(np.arange(65_536) / 257).astype(np.uint8)
    return Image.fromarray(scaled[np.asarray(image)]).convert("RGB")
